"""``datasheet-lsp serve``: the language server."""

from __future__ import annotations

import argparse

from datasheet_lsp.cli.errors import CliError

DESCRIPTION = """The language server, on standard input and output. With --tcp it listens on a port
of this machine and serves the first client."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to listen."""
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen there, such as 127.0.0.1:2087")
    # Many clients add it to every server's command.
    parser.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Serves until the client ends it."""
    from datasheet_lsp.lsp.address import AddressError, parse_tcp
    from datasheet_lsp.lsp.server import main

    if arguments.tcp is None:
        return main()
    try:
        return main(parse_tcp(arguments.tcp))
    except AddressError as error:
        raise CliError(str(error), code=2) from None
