"""The mistakes in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from datasheet_lsp.assist.findings import Finding, settled
from datasheet_lsp.assist.rules import check_access
from datasheet_lsp.assist.unknown import check_unresolved
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.writes import RegisterAccess

if TYPE_CHECKING:
    from datasheet_lsp.assist.overview import Overview


def diagnose(
    reader: Reader, severities: Mapping[str, str], overview: Overview | None = None
) -> list[Finding]:
    """The mistakes in the file of ``reader``, in order; none where it has no device.

    ``severities`` are those wished for, by code, or off. ``overview`` is what the workspace as a
    whole does; without it nothing is said of what other files may do.
    """
    if not reader.lookups:
        return []
    return settled(_all(reader, overview), reader.source, severities)


def _all(reader: Reader, overview: Overview | None) -> Iterator[Finding]:
    every: list[RegisterAccess] = []
    for unit in reader.units():
        walk = reader.walked(unit)
        every += walk.found
        for access in walk.found:
            yield from check_access(reader, access)
        declared = set(walk.declared)
        for node in walk.unresolved:
            yield from check_unresolved(reader, node, declared)
    if overview is not None:
        from datasheet_lsp.assist.enabling import Switches

        every.sort(key=lambda access: access.start)
        yield from Switches(overview).check(every)
