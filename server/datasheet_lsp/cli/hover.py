"""``datasheet-lsp hover``: what an editor shows at a line and column."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.assist.hover import Hover
    from datasheet_lsp.cli.chip import Chip
    from datasheet_lsp.firmware import Source

DESCRIPTION = """What an editor shows at a place in C code. LINE and COLUMN count from 1, columns in
bytes, as compilers print them. Nothing is shown where it is not sure which register is meant."""

_MAX_BYTES = 64 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The place, or many."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument("place", nargs="?", metavar="FILE:LINE:COLUMN", help="the place")
    parser.add_argument(
        "--batch",
        metavar="FILE",
        help="take the places from FILE, one in each line (- for standard input), and print a "
        "line of JSON for each",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_choice(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the hover; 0 also when there is none."""
    if (arguments.place is None) == (arguments.batch is None):
        raise CliError("name one place as FILE:LINE:COLUMN, or a file of them with --batch", code=2)
    asking = _Asking(arguments.svd, arguments.device)
    if arguments.batch is not None:
        return _batch(arguments.batch, asking)
    return _one(arguments.place, asking, arguments.json)


class _Asking:
    """Files and workspaces that were opened, each once."""

    def __init__(self, svd: Path | None, device: str | None) -> None:
        self._svd = svd
        self._device = device
        self._chips: dict[Path, Chip] = {}
        self._sources: dict[Path, Source] = {}

    def hover(self, place: str, markup: bool) -> tuple[Hover | None, Source]:
        """The hover at a place and the file it is in; raises CliError."""
        from datasheet_lsp.assist.hover import hover

        path, line, column = parse_place(place)
        source = self._source(path)
        chip = self._chip(path)
        lookups = chip.lookups(path)
        if line > source.line_count or column > len(source.line(line - 1)) + 1:
            return None, source
        offset = source.offset(line - 1, column - 1)
        found = hover(
            source,
            offset,
            lookups,
            markup=markup,
            max_rows=chip.session.settings.hover.max_rows,
            places=chip.session.places,
            tell_missing=chip.session.index_path is not None,
            headers=chip.session.headers.of(path, source, lookups),
        )
        return found, source

    def problems(self, place: str) -> list[str]:
        """What is wrong with the workspace of a place that was asked about."""
        chip = self._chip(parse_place(place)[0])
        return [str(problem) for problem in chip.session.problems]

    def _chip(self, path: Path) -> Chip:
        """The devices of the workspace of a file."""
        from datasheet_lsp.cli.chip import Chip, roots_of

        folder = path.parent
        if folder not in self._chips:
            nearest = roots_of(folder)[0][0]
            if nearest not in self._chips:
                self._chips[nearest] = Chip(folder, self._svd, self._device)
            self._chips[folder] = self._chips[nearest]
        return self._chips[folder]

    def _source(self, path: Path) -> Source:
        from datasheet_lsp.firmware import Source, tongue_of

        if path not in self._sources:
            try:
                with path.open("rb") as file:
                    data = file.read(_MAX_BYTES + 1)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise CliError(f"{path} cannot be read: {reason}.") from None
            if len(data) > _MAX_BYTES:
                raise CliError(f"{path} is larger than any C file: it is not read.")
            self._sources[path] = Source(data, tongue_of(path, data))
        return self._sources[path]


def parse_place(text: str) -> tuple[Path, int, int]:
    """``FILE:LINE:COLUMN`` as path, line and column; a drive's colon is part of the file."""
    file, _, rest = text.rpartition(":")
    file, _, line = file.rpartition(":")
    numbers = (line, rest)
    if not file or not all(n.isascii() and n.isdigit() and 0 < int(n) < 1 << 31 for n in numbers):
        raise CliError(f"{text!r} is no place: write FILE:LINE:COLUMN, both from 1", code=2)
    return Path(file), int(line), int(rest)


def _one(place: str, asking: _Asking, as_json: bool) -> int:
    found, source = asking.hover(place, markup=as_json)
    if as_json:
        from datasheet_lsp.cli.output import print_json

        print_json(answer(found, source))
    elif found is not None:
        print(found.markdown)
    else:
        print(f"No register is known at {place}.")
        # Why not may be that the file's own device has no SVD.
        for problem in asking.problems(place):
            print(f"datasheet-lsp: {problem}", file=sys.stderr)
    return 0


def _batch(name: str, asking: _Asking) -> int:
    from datasheet_lsp.cli.output import print_json

    failed = False
    for place in _places(name):
        line: dict[str, Any] = {"place": place}
        try:
            line |= answer(*asking.hover(place, markup=True))
        except CliError as error:
            failed = True
            line |= answer(None, None) | {"error": str(error)}
        print_json(line, indent=0)
    return int(failed)


def _places(name: str) -> Iterable[str]:
    if name == "-":
        lines = iter(sys.stdin)
    else:
        try:
            # File names in it are whatever the file system takes.
            text = Path(name).read_text(encoding="utf-8-sig", errors="surrogateescape")
        except OSError as error:
            raise CliError(f"{name} cannot be read: {error.strerror or error}.") from None
        lines = iter(text.split("\n"))
    return (line.strip() for line in lines if line.strip())


def answer(found: Hover | None, source: Source | None) -> dict[str, Any]:
    """A hover as plain data; ``range`` counts as the input does, its end is exclusive."""
    if found is None or source is None:
        return {"address": None, "registers": [], "range": None, "markdown": None}
    return {
        "address": found.address,
        "registers": found.registers,
        "range": {
            "start": _position(source, found.start),
            "end": _position(source, found.end),
        },
        "markdown": found.markdown,
    }


def _position(source: Source, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"line": line + 1, "column": column + 1}
