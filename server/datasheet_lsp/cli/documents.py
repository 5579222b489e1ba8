"""``datasheet-lsp documents``: the manuals of this project and what the index has of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from datasheet_lsp.cli.errors import CliError

DESCRIPTION = """Lists the documents of a project: which device each is about, title, revision,
pages, chunks, and what is wrong with it. Those that wait to be indexed stand last."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The project and the form."""
    parser.add_argument(
        "path",
        nargs="?",
        type=Path,
        default=Path(),
        metavar="PATH",
        help="a folder of the project (default: this folder)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Prints the list; 1 when there is no such folder."""
    from datasheet_lsp.assist.manuals import documents_of
    from datasheet_lsp.cli.library import Library
    from datasheet_lsp.cli.output import plain_style, print_json
    from datasheet_lsp.render.documents import documents_text

    if not arguments.path.exists():
        raise CliError(f"{arguments.path} is not there.")
    with Library(arguments.path) as library:
        found = documents_of(library.root, library.settings, library.index)
        problem = library.index.problem if library.index is not None else None
    if problem and not found:
        raise CliError(problem)
    if arguments.json:
        print_json(found)
    elif found:
        print(documents_text(found, plain_style()))
        if any(each["state"] in ("waiting", "changed", "gone") for each in found):
            print("\nTo bring the index up to date: datasheet-lsp index")
    else:
        print(f"No documents in {library.root}. To add one: datasheet-lsp index FILE")
    return 0
