"""``datasheet-lsp config``: the settings that hold, and the schema they follow."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``schema`` or ``show``."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="schema|show")
    kinds.add_parser("schema", help="the JSON schema of datasheet.toml")
    show = kinds.add_parser("show", help="the settings of a folder, defaults filled in, as JSON")
    show.add_argument("path", type=Path, nargs="?", default=Path(), help="default: this folder")


def run(arguments: argparse.Namespace) -> int:
    """Prints the schema or the settings; what is wrong with them goes to standard error."""
    from datasheet_lsp.cli.output import print_json

    if arguments.kind == "schema":
        from datasheet_lsp.workspace import settings_schema

        print_json(settings_schema())
        return 0
    from msgspec.structs import replace

    from datasheet_lsp.cli.chip import roots_of
    from datasheet_lsp.workspace import read_settings

    settings, problems = read_settings(roots_of(arguments.path)[0][0])
    # What is printed may be sent to others.
    hidden = dict.fromkeys(settings.documents.password, "(hidden)")
    print_json(replace(settings, documents=replace(settings.documents, password=hidden)))
    for problem in problems:
        print(f"datasheet-lsp: {problem}", file=sys.stderr)
    return 0
