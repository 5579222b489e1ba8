"""``datasheet-lsp bench``: how well and fast files are read, how fast the server answers."""

from __future__ import annotations

import argparse
from pathlib import Path

from datasheet_lsp.cli.bench_report import (
    add_kind,
    check_measurable,
    copies,
    count,
    print_report,
    progress,
)
from datasheet_lsp.cli.bench_search import add_search, add_vectors, run_search, run_vectors
from datasheet_lsp.cli.errors import CliError
from datasheet_lsp.cli.language import add_bench_arguments

DESCRIPTION = "How well and fast files are read and the server answers, on this machine."

_DEMO = Path(__file__).resolve().parents[3] / "data" / "demo"
_PREFERRED = "STM32F407.svd"

_SVD_TEXT = """\
Reads SVD files in processes of their own and says what CPU time and memory each took, from the
start of the interpreter to its end.

Beside other parsers: make a virtual environment with them (svdsuite needs Python 3.12 and the
package packaging) and name its Python:

  python3.12 -m venv peers
  peers/bin/pip install cmsis-svd svdsuite svd2py packaging
  datasheet-lsp bench svd --svd FOLDER --peers peers/bin/python
"""

_SERVER_TEXT = """\
Starts `datasheet-lsp serve` on a copy of a project and measures it as an editor would meet it:
start with and without an index, hover with many files open, after edits and while an index run
goes on, memory, and how soon it ends. Nothing is written into the project itself.

With --svd the project is made up: C files that use registers taken from that device.
"""

_DOCUMENTS_TEXT = """\
Reads the manuals of a corpus in a process of its own and compares what was found with their SVD
files, their outlines and what stands on their pages: fields, spelling of names in tables, text
that was kept, sections; and says what CPU time and memory it took.

The corpus is a folder with catalog.json: a list of objects with file, pages and, where there is
one, svd (paths within the folder) and svd_name_match ("RCC only: ..., fields 689/702 (98%)").

Beside other tools, on every nth page, with their tables and lines read by the same code that reads
field rows here: make a virtual environment with them and name its Python:

  python3 -m venv peers
  peers/bin/pip install pdfplumber pymupdf pymupdf4llm
  datasheet-lsp bench documents --corpus FOLDER --peers peers/bin/python
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmarks and their options."""
    kinds = parser.add_subparsers(
        dest="bench", required=True, metavar="svd|server|documents|search|vectors|model"
    )
    svd = add_kind(kinds, "svd", "reading SVD files", _SVD_TEXT)
    svd.add_argument(
        "--svd", type=Path, metavar="PATH", help="an SVD file or a folder of them (default: demo)"
    )
    svd.add_argument(
        "--file",
        metavar="NAME",
        help=f"the file of the folder to compare on (default: {_PREFERRED}, else the largest)",
    )
    svd.add_argument(
        "--peers", type=Path, metavar="PYTHON", help="the Python that has the other parsers"
    )
    svd.add_argument(
        "--runs", type=count, default=5, metavar="N", help="runs to compare (default: 5)"
    )
    svd.add_argument("--json", action="store_true", help="print JSON")

    server = add_kind(kinds, "server", "the language server", _SERVER_TEXT)
    where = server.add_mutually_exclusive_group()
    where.add_argument(
        "--project", type=Path, metavar="FOLDER", help="a firmware project (default: demo)"
    )
    where.add_argument("--svd", type=Path, metavar="FILE", help="make a project for this SVD file")
    server.add_argument(
        "--files", type=count, default=20, metavar="N", help="C files to open (default: 20)"
    )
    server.add_argument(
        "--hovers",
        type=count,
        default=500,
        metavar="N",
        help="hovers in each state (default: 500)",
    )
    server.add_argument(
        "--starts", type=count, default=5, metavar="N", help="starts of each kind (default: 5)"
    )
    server.add_argument("--json", action="store_true", help="print JSON")

    documents = add_kind(kinds, "documents", "reading manuals", _DOCUMENTS_TEXT)
    documents.add_argument(
        "--corpus",
        type=Path,
        metavar="FOLDER",
        help="the corpus (default: what DATASHEET_CORPUS names)",
    )
    documents.add_argument(
        "--files", nargs="+", metavar="NAME", help="only these: names, with or without suffix"
    )
    documents.add_argument(
        "--only",
        choices=("fields", "names", "text", "sections"),
        action="append",
        metavar="PART",
        help="only fields, names, text or sections; can be repeated",
    )
    documents.add_argument(
        "--peers", type=Path, metavar="PYTHON", help="the Python that has the other tools"
    )
    documents.add_argument(
        "--every",
        type=count,
        default=10,
        metavar="N",
        help="other tools read every Nth page (default: 10)",
    )
    documents.add_argument(
        "--copies", type=copies, default=0, metavar="N", help="read N copies of all of it as well"
    )
    documents.add_argument("--json", action="store_true", help="print JSON")

    add_search(kinds)
    add_vectors(kinds)

    add_bench_arguments(kinds)


def run(arguments: argparse.Namespace) -> int:
    """Do the benchmark chosen; the exit status."""
    kinds = {
        "svd": run_svd,
        "server": run_server,
        "documents": run_documents,
        "search": run_search,
        "vectors": run_vectors,
        "model": run_model,
    }
    return kinds[arguments.bench](arguments)


def run_svd(arguments: argparse.Namespace) -> int:
    """``bench svd``."""
    from datasheet_lsp.evaluation.bench_svd import bench_svd, show

    check_measurable()
    place = arguments.svd or _DEMO
    if place.is_file():
        files = []
        compared = place
    else:
        names = ("*.svd", "*.svd.gz")
        files = sorted(
            (path for name in names for path in place.rglob(name)), key=lambda path: path.name
        )
        if not files:
            raise CliError(f"no SVD file in {place}: name a file or a folder with --svd")
        wanted = arguments.file or _PREFERRED
        found = [path for path in files if path.name == wanted]
        if arguments.file and not found:
            raise CliError(f"{arguments.file} is not in {place}")
        compared = found[0] if found else max(files, key=lambda path: path.stat().st_size)
        if len(files) == 1:
            files = []
    try:
        report = bench_svd(
            files,
            compared=compared,
            peers=arguments.peers,
            runs=arguments.runs,
            say=progress(arguments.json),
        )
    except OSError as error:
        raise CliError(str(error)) from None
    print_report(arguments.json, report, show)
    return 0


def run_server(arguments: argparse.Namespace) -> int:
    """``bench server``."""
    from datasheet_lsp.evaluation.bench_server import bench_server, show
    from datasheet_lsp.evaluation.rpc import ServerGone
    from datasheet_lsp.svd import SvdError

    project = arguments.project
    if project is None and arguments.svd is None:
        project = _DEMO
    for place in (project, arguments.svd):
        if place is not None and not place.exists():
            raise CliError(f"{place} is not there: name a project or an SVD file")
    try:
        report = bench_server(
            project=project,
            svd=arguments.svd,
            files=arguments.files,
            hovers=arguments.hovers,
            starts=arguments.starts,
            say=progress(arguments.json),
        )
    except (OSError, ValueError, ServerGone, SvdError) as error:
        raise CliError(str(error)) from None
    print_report(arguments.json, report, show)
    return 0


def run_documents(arguments: argparse.Namespace) -> int:
    """``bench documents``."""
    from datasheet_lsp.evaluation.bench_documents import (
        PARTS,
        CorpusError,
        bench_documents,
        find_corpus,
    )
    from datasheet_lsp.evaluation.show_documents import show

    check_measurable()
    try:
        folder, entries = find_corpus(arguments.corpus)
    except CorpusError as error:
        raise CliError(str(error)) from None
    if arguments.files:
        wanted = dict.fromkeys(Path(name).name.removesuffix(".pdf") for name in arguments.files)
        unknown = [name for name in wanted if all(entry.name != name for entry in entries)]
        if unknown:
            raise CliError(f"{unknown[0]} is not in the catalog of {folder}")
        entries = [entry for entry in entries if entry.name in wanted]
    if not entries:
        raise CliError(f"none of the PDF files that the catalog of {folder} lists is there")
    try:
        report = bench_documents(
            folder,
            entries,
            peers=arguments.peers,
            every=arguments.every,
            parts=arguments.only or PARTS,
            copies=arguments.copies,
            say=progress(arguments.json),
        )
    except OSError as error:
        raise CliError(str(error)) from None
    print_report(arguments.json, report, show)
    return 1 if report.run.failure else 0


def run_model(arguments: argparse.Namespace) -> int:
    """``bench model``."""
    from datasheet_lsp.cli.language import measure_language
    from datasheet_lsp.evaluation.bench_model import show

    say = progress(arguments.json)
    report = measure_language(arguments.model, arguments.runs, arguments.stand_in, say)
    print_report(arguments.json, report, show)
    return 0
