"""``datasheet-lsp log``: the questions that were kept, and how near their hits were."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.querylog import Entry

DESCRIPTION = """The last questions of this project with what was found for them. They are kept
where the settings have [log] queries = true, in a file beside the index that never leaves this
machine."""

_PICTURES = (".png", ".svg", ".pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many, and in which form."""
    from datasheet_lsp.cli.numbers import page_number

    parser.add_argument(
        "-n", type=page_number, default=20, metavar="N", help="the last N (default 20)"
    )
    parser.add_argument("--all", action="store_true", help="all that are kept")
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="draw how near the hits of all questions were by meaning: a .png, .svg or .pdf file",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Lists the questions, or draws the picture."""
    from datasheet_lsp.cli.library import workspace_of
    from datasheet_lsp.querylog import QueryLog

    if arguments.plot is not None and arguments.plot.suffix.lower() not in _PICTURES:
        raise CliError(f"{arguments.plot} is to end in {', '.join(_PICTURES)}.", code=2)
    root, settings, index = workspace_of(Path.cwd())
    log = QueryLog(index.parent)
    entries = log.entries()
    if not entries and not arguments.json:
        hint = "" if settings.log.queries else ": [log] queries = true in datasheet.toml keeps them"
        raise CliError(f"no questions are kept in {root}{hint}.")
    if arguments.plot is not None:
        print(_plot(entries, arguments.plot))
        return 0
    shown = entries if arguments.all else entries[-arguments.n :]
    if arguments.json:
        import msgspec

        from datasheet_lsp.cli.output import print_json

        print_json({"file": str(log.path), "questions": msgspec.to_builtins(shown)})
        return 0
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.log import log_text

    print(log_text(shown, plain_style()))
    return 0


def _plot(entries: Sequence[Entry], path: Path) -> str:
    """Draws the similarities into ``path``; returns a line about it. Raises CliError."""
    from datasheet_lsp.cli.plot import histogram

    rows = [[c.scores["vector"] for c in e.chunks if "vector" in c.scores] for e in entries]
    rows = [row for row in rows if row]
    if not rows:
        raise CliError("none of the questions that are kept was searched for by meaning.")
    every = [near for row in rows for near in row]
    histogram(
        path,
        {"all hits": every, "nearest hit of each question": [max(row) for row in rows]},
        title=f"{len(rows):,} questions, {len(every):,} hits by meaning",
        axis="similarity to the question (cosine: 1 minus the distance)",
    )
    return (
        f"{path}: {len(every):,} hits of {len(rows):,} questions, similarity "
        f"{min(every):.3f} to {max(every):.3f}"
    )
