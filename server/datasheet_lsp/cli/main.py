"""``datasheet-lsp``: finds the verb and runs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from datasheet_lsp.cli.errors import CliError

VERBS = {
    "serve": "the language server, for editors",
    "hover": "what an editor shows at a line and column",
    "show": "a peripheral, register or field by its name or address",
    "decode": "what a value of a register means",
    "registers": "all registers of an SVD file",
    "check": "mistakes in the use of registers, for people and for CI",
    "explain": "what lines of code do to the registers, and what their set-up lacks",
    "plan": "which registers an aim takes: clock, pins, interrupts, DMA",
    "index": "bring manuals into the index of this project",
    "ask": "an answer to a question, its numbers checked, with its pages",
    "chat": "answers to questions one after another",
    "search": "the passages of manuals and SVD files that answer a question",
    "log": "the last questions and what was found for them, where they are kept",
    "documents": "the manuals of this project, and what the index has of them",
    "chunks": "the pieces a manual is searched by",
    "tables": "the tables of a manual, as markdown",
    "page": "the picture of a page of a manual",
    "coverage": "which registers of an SVD file a manual describes, and where the two disagree",
    "models": "the embedding models of this machine, and whether one works",
    "doctor": "what was found, what was chosen and why, what is missing",
    "config": "the settings, and their JSON schema",
    "eval": "how often the search brings the evidence for sets of questions",
    "bench": "how fast it is on this machine",
}
"""The verbs with what they show. Each is a module of this package with ``run`` and the like."""

_CHOICE = ("--svd", "--device")
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns 0, 1 when it failed, 2 when it was called wrongly."""
    arguments = _verb_first(list(sys.argv[1:] if argv is None else argv))
    for stream in (sys.stdout, sys.stderr):
        # No text of a file may break a terminal that cannot show all of it.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except CliError as error:
        print(f"datasheet-lsp: {error}", file=sys.stderr)
        return error.code
    except BrokenPipeError:
        # The reader has gone, ``| head`` for example. Nothing more is to be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED


def _verb_first(arguments: list[str]) -> list[str]:
    """The arguments with the options that choose the device moved behind the verb.

    So that ``datasheet-lsp --svd FILE`` can be set as the command in scripts and other tools.
    """
    moved: list[str] = []
    rest = list(arguments)
    while rest and rest[0].partition("=")[0] in _CHOICE:
        count = 1 if "=" in rest[0] else 2
        moved += rest[:count]
        del rest[:count]
    return [*rest[:1], *moved, *rest[1:]] if rest else moved


def _run(arguments: list[str]) -> int:
    verb = next((word for word in arguments if not word.startswith("-")), None)
    parser = _Parser(
        prog="datasheet-lsp",
        description="The registers of the chip and its manuals, in the editor and here.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, help="print the version and end")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=_Parser)
    for name, says in VERBS.items():
        if name != verb:
            verbs.add_parser(name, help=says, add_help=False)
            continue
        module = _module(name)
        described = getattr(module, "DESCRIPTION", None) or f"{says[0].upper()}{says[1:]}."
        child = verbs.add_parser(name, help=says, description=described, allow_abbrev=False)
        module.add_arguments(child)
    if verb is None and not arguments:
        parser.print_help(sys.stderr)
        return 2
    options = parser.parse_args(arguments)
    if options.verb is None:
        parser.error("a verb is missing")
    if options.verb != verb:
        parser.error(f"the verb comes first: {verb} was read as one")
    result = _module(options.verb).run(options)
    return int(result or 0)


def _module(verb: str) -> Any:
    from importlib import import_module

    return import_module(f"datasheet_lsp.cli.{verb}")


class _Parser(argparse.ArgumentParser):
    """Errors in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise CliError(f"{message} (see {self.prog} --help)", code=2)


class _Version(argparse.Action):
    """Prints the version only when asked, without loading it otherwise."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from datasheet_lsp import __version__

        print(f"datasheet-lsp {__version__}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
