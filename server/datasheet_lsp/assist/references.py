"""All reads and writes of a register or a peripheral in the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.assist.overview import Overview
from datasheet_lsp.firmware import resolve_at
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.model import Location


class Reference(msgspec.Struct, frozen=True):
    """An access: ``path`` of the file, 0-based line, byte columns, and what is done."""

    path: Path
    line: int
    column: int
    end: int
    how: str
    sure: bool


def meant_at(reader: Reader, offset: int) -> tuple[Location, ...]:
    """What is looked for at ``offset``: a register, or on the name before ``->`` its peripheral."""
    resolved = resolve_at(reader.source, offset, reader.lookups, reader.headers)
    if resolved is None:
        return ()
    leaf = reader.leaf(offset)
    parent = leaf.parent if leaf is not None else None
    if leaf is None or parent is None or parent.type != "field_expression":
        return resolved.locations
    if leaf.type != "identifier" or parent.child_by_field_name("argument") != leaf:
        return resolved.locations
    if resolved.any_of or resolved.several:
        return resolved.locations
    whole = {id(at.peripheral): Location(at.device, at.peripheral) for at in resolved.locations}
    return tuple(whole.values())


def span_of(location: Location) -> tuple[int, int]:
    """First and last address that belong to a register, or to all of a peripheral."""
    if location.register is not None:
        return location.address, location.address
    peripheral = location.peripheral
    ends = [r.offset + r.size_bytes - 1 for r in peripheral.registers]
    return location.address, location.address + max(ends, default=0)


def references(
    locations: Sequence[Location], overviews: Sequence[Overview], *, reads: bool = True
) -> list[Reference]:
    """The accesses to registers and peripherals, in order by file.

    An access that may be one of several registers is among those of each of them.
    """
    found: list[Reference] = []
    seen: set[tuple[str, int, int]] = set()
    for location in locations:
        first, last = span_of(location)
        for overview in overviews:
            if overview.device is not location.device:
                continue
            for path, use in overview.uses(first, last):
                key = (path, use.line, use.column)
                if key in seen or (use.how == "read" and not reads):
                    continue
                seen.add(key)
                found.append(
                    Reference(Path(path), use.line, use.column, use.end, use.how, use.sure)
                )
    found.sort(key=lambda one: (str(one.path), one.line, one.column))
    return found
