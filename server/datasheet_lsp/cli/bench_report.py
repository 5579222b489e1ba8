"""What the benchmarks of the command line have in common."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError
from datasheet_lsp.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    Kinds = argparse._SubParsersAction[argparse.ArgumentParser]


def print_report(as_json: bool, report: object, show: Callable[..., str]) -> None:
    """Print a report, by ``show`` or as JSON."""
    if as_json:
        print_json(report)
    else:
        print(show(report))


def progress(quiet: bool) -> Callable[[str], None]:
    """Says on the terminal, if there is one, what is being measured."""
    if quiet or not sys.stderr.isatty():
        return lambda line: None

    def say(line: str) -> None:
        print(
            "\r\x1b[K" + (f"{line[:70]} ..." if line else ""), end="", file=sys.stderr, flush=True
        )

    return say


def check_measurable() -> None:
    """Raises CliError where the system does not tell what another process uses."""
    from datasheet_lsp.evaluation.process import can_measure

    if not can_measure():
        raise CliError("this system does not tell what another process used: not measured")


def add_kind(kinds: Kinds, name: str, what: str, text: str) -> argparse.ArgumentParser:
    """A benchmark; ``text`` is shown with its own line ends."""
    raw = argparse.RawDescriptionHelpFormatter
    return kinds.add_parser(name, help=what, description=text, formatter_class=raw)


def count(text: str) -> int:
    """A number from 1 up; raises ArgumentTypeError."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 up")
    return number


def copies(text: str) -> int:
    """A number from 0 up; raises ArgumentTypeError."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 up")
    return number
