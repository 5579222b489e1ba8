"""All reads and writes of a register or a peripheral in the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.assist.overview import Overview
from datasheet_lsp.firmware import Resolved
from datasheet_lsp.model import Location


class Reference(msgspec.Struct, frozen=True):
    """An access: ``path`` of the file, 0-based line, byte columns, and what is done."""

    path: Path
    line: int
    column: int
    end: int
    how: str
    sure: bool


def span_of(location: Location) -> tuple[int, int]:
    """First and last address that belong to a register, or to all of a peripheral."""
    if location.register is not None:
        return location.address, location.address
    peripheral = location.peripheral
    ends = [r.offset + r.size_bytes - 1 for r in peripheral.registers]
    return location.address, location.address + max(ends, default=0)


def references(
    resolved: Resolved, overviews: Sequence[Overview], *, reads: bool = True
) -> list[Reference]:
    """The accesses to what ``resolved`` names, in order by file.

    An access that may be one of several registers is among those of each of them.
    """
    found: list[Reference] = []
    seen: set[tuple[str, int, int]] = set()
    for location in resolved.locations:
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
