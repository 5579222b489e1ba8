"""``datasheet-lsp explain``: what some lines of C code do to the registers."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.assist.cited import Cited
    from datasheet_lsp.assist.explain import Explained
    from datasheet_lsp.render.style import Style

DESCRIPTION = """Shows which registers the lines FILE:L1-L2 read and write, in order, with the
values decoded, and what the set-up lacks. Lines count from 1; FILE alone means all of it."""

_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The lines."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument("place", metavar="FILE:L1-L2", help="the file, and lines of it")
    parser.add_argument("--json", action="store_true", help="print JSON, numbers as integers")
    add_choice(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the accesses; raises CliError where the file cannot be read."""
    from datasheet_lsp.assist.explain import explain
    from datasheet_lsp.assist.overview import read_file
    from datasheet_lsp.cli.chip import Chip
    from datasheet_lsp.firmware import Source, tongue_of
    from datasheet_lsp.firmware.accesses import Reader

    found = _PLACE.fullmatch(arguments.place)
    assert found is not None
    path = Path(found["file"])
    read = read_file(path)
    if read is None:
        raise CliError(f"{path} cannot be read.")
    source = Source(read[0], tongue_of(path, read[0]))
    first = int(found["first"] or 1)
    last = int(found["last"] or found["first"] or source.line_count)
    if not 1 <= first <= last:
        raise CliError(f"{arguments.place!r} are no lines: write FILE:L1-L2, both from 1", 2)
    chip = Chip(path, arguments.svd, arguments.device)
    lookups = chip.lookups(path)
    headers = chip.session.headers.of(path, source, lookups)
    reader = Reader(source, lookups, headers)
    start, end = source.offset(first - 1, 0), source.offset(last, 0)
    explained = explain(reader, start, end)
    if arguments.json:
        from datasheet_lsp.cli.output import print_json

        print_json(_plain(explained))
        return 0
    from datasheet_lsp.assist.cited import cited
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.setup import explained_text

    style = plain_style()
    numbers, places = cited(explained, chip.session.places, lookups)
    lines = [(one.line, one.access) for one in explained.lines]
    print(explained_text(lines, explained.peripherals, explained.missing, style, numbers))
    if places:
        print()
        for one in places:
            print(f"[{one.number}] {_source(one, style)}")
    return 0


def _source(one: Cited, style: Style) -> str:
    """The page of a manual, else the line of the SVD file."""
    place = one.place
    if place is None:
        register = one.location.register
        path = f"{one.location.peripheral.name}.{register.path if register else ''}"
        return f"{style.text(one.source)}, line {one.line}: {style.text(path)}"
    from datasheet_lsp.render.places import place_line

    return place_line(place.manual, place.revision, place.page, place.label, place.heading, style)


def _plain(explained: Explained) -> dict[str, Any]:
    return {
        "accesses": [
            {
                "line": one.line + 1,
                "registers": [at.path for at in one.access.resolved.locations],
                "address": one.access.resolved.locations[0].address,
                "how": one.access.how,
                "macro": one.access.macro or None,
                "known": one.access.value.known if one.access.value is not None else 0,
                "value": one.access.value.value if one.access.value is not None else None,
            }
            for one in explained.lines
        ],
        "peripherals": list(explained.peripherals),
        "missing": [
            {
                "peripheral": one.peripheral,
                "kind": one.step.kind,
                "register": one.step.register,
                "field": one.step.field,
                "address": one.step.address,
                "why": one.step.why,
            }
            for one in explained.missing
        ],
    }
