"""``datasheet-lsp bench search`` and ``bench vectors``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.cli.bench_report import (
    add_kind,
    check_measurable,
    copies,
    count,
    print_report,
    progress,
)
from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.cli.bench_report import Kinds

_SEARCH_TEXT = """\
Makes an index of many chunks, the texts of another one repeated with vectors made up as those of
register manuals lie, and searches it in a process of its own: how long the vector arm, the keyword
arm and a whole search take, what the coarse vectors miss, what memory it takes. The vectors of the
questions are there already: no model is loaded.

  datasheet-lsp bench search --index .datasheet/index.sqlite
  datasheet-lsp bench search --index FILE --chunks 100000 --chunks 300000 --chunks 1000000
"""

_VECTORS_TEXT = """\
Embeds the chunks of an index anew, into a copy, and says how fast that goes against the model by
itself: the same texts, as many at once, the same threads. Nothing is written into the index.
"""


def add_search(kinds: Kinds) -> None:
    """``bench search`` and its options."""
    search = add_kind(kinds, "search", "searching a large index", _SEARCH_TEXT)
    search.add_argument(
        "--index", type=Path, metavar="FILE", help="whose texts to repeat (default: the project's)"
    )
    search.add_argument(
        "--chunks",
        type=count,
        action="append",
        metavar="N",
        help="chunks of the index that is made (default: 100000); can be repeated",
    )
    search.add_argument(
        "--dimensions", type=count, default=768, metavar="N", help="of a vector (default: 768)"
    )
    search.add_argument(
        "--questions", type=count, default=300, metavar="N", help="questions (default: 300)"
    )
    search.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep what is made there, and use what is there"
    )
    search.add_argument("--json", action="store_true", help="print JSON")


def add_vectors(kinds: Kinds) -> None:
    """``bench vectors`` and its options."""
    vectors = add_kind(kinds, "vectors", "making vectors", _VECTORS_TEXT)
    vectors.add_argument(
        "--index", type=Path, metavar="FILE", help="whose texts to embed (default: the project's)"
    )
    vectors.add_argument(
        "--chunks", type=count, default=1_000, metavar="N", help="so many (default: 1000)"
    )
    vectors.add_argument("--model", default="", metavar="MODEL", help="a folder or name")
    vectors.add_argument(
        "--threads", type=copies, default=0, metavar="N", help="threads (default: any number)"
    )
    vectors.add_argument("--json", action="store_true", help="print JSON")


def run_search(arguments: argparse.Namespace) -> int:
    """``bench search``."""
    import tempfile
    from contextlib import nullcontext

    from datasheet_lsp.evaluation.bench_search import bench_search, show
    from datasheet_lsp.evaluation.search_corpus import BenchError

    check_measurable()
    source = _source(arguments.index)
    if arguments.keep is not None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    place = nullcontext(arguments.keep) if arguments.keep else tempfile.TemporaryDirectory()
    try:
        with place as folder:
            report = bench_search(
                source,
                Path(folder),
                arguments.chunks or [100_000],
                dimension=arguments.dimensions,
                queries=arguments.questions,
                say=progress(arguments.json),
            )
    except (BenchError, OSError) as error:
        raise CliError(str(error)) from None
    print_report(arguments.json, report, show)
    return 0


def run_vectors(arguments: argparse.Namespace) -> int:
    """``bench vectors``."""
    from datasheet_lsp.engine import EngineError, find_model
    from datasheet_lsp.evaluation.bench_vectors import bench_vectors, show
    from datasheet_lsp.evaluation.search_corpus import BenchError

    check_measurable()
    try:
        report = bench_vectors(
            _source(arguments.index),
            find_model(arguments.model),
            arguments.chunks,
            arguments.threads,
            say=progress(arguments.json),
        )
    except (BenchError, EngineError, OSError) as error:
        raise CliError(str(error)) from None
    print_report(arguments.json, report, show)
    return 0


def _source(index: Path | None) -> Path:
    """The index that was named, else the project's."""
    if index is None:
        from datasheet_lsp.cli.library import Library

        with Library(Path.cwd()) as library:
            index = library.index_path
    if not index.is_file():
        raise CliError(f"{index} is not there: name an index with --index")
    return index
