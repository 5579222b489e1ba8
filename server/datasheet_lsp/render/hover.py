"""What an editor shows for an expression of the code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol

from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Cluster, Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.fields import MAX_ROWS
from datasheet_lsp.render.peripheral import cluster_text, label, peripheral_text
from datasheet_lsp.render.register import field_text, register_text
from datasheet_lsp.render.style import MARKDOWN, Plain, Style
from datasheet_lsp.render.written import written_block

_MAX_PLACES = 8


class Meant(Protocol):
    """What an expression names, as ``firmware.Resolved`` says it."""

    @property
    def kind(self) -> str:
        """register, peripheral, cluster or address."""

    @property
    def locations(self) -> tuple[Location, ...]:
        """The first is named first."""

    @property
    def index_unknown(self) -> bool:
        """The locations are all elements of an array."""

    @property
    def any_of(self) -> str:
        """The kind of peripheral of which any one is meant, one location for each; else ""."""

    @property
    def several(self) -> bool:
        """All locations are accessed."""

    @property
    def beyond(self) -> tuple[int, ...]:
        """Addresses in other instances, which have no such register."""


def hover(
    resolved: Meant,
    *,
    manuals: Sequence[str] = (),
    markup: bool = True,
    max_rows: int = MAX_ROWS,
    written: RegisterAccess | None = None,
) -> str:
    """The text of a hover in markdown, in plain text without ``markup``.

    ``manuals`` are finished lines about where the manuals speak of it. ``written`` is what
    this place writes to the register.
    """
    style: Style = MARKDOWN if markup else Plain()
    text = worded(resolved, style, max_rows=max_rows, written=written)
    return style.blocks(text, style.lines(*manuals))


def worded(
    resolved: Meant,
    style: Style,
    *,
    max_rows: int | None = MAX_ROWS,
    written: RegisterAccess | None = None,
) -> str:
    """What is known of a place, each device by itself; tables whole with ``max_rows`` None."""
    devices = by_device(resolved.locations)
    name_device = len(devices) > 1
    rows = max_rows if max_rows is not None else sys.maxsize
    parts = [
        _one_device(locations, resolved, style, name_device, rows, written) for locations in devices
    ]
    return f"\n\n{style.rule()}\n\n".join(parts)


def by_device(locations: Sequence[Location]) -> list[list[Location]]:
    """The locations of each device, the devices in order of their first."""
    groups: dict[int, list[Location]] = {}
    for location in locations:
        groups.setdefault(id(location.device), []).append(location)
    return list(groups.values())


def _one_device(
    locations: list[Location],
    resolved: Meant,
    style: Style,
    name_device: bool,
    max_rows: int,
    written: RegisterAccess | None,
) -> str:
    first = locations[0]
    register = first.register
    if register is None:
        notes = _also(locations[1:], first, style)
        return peripheral_text(
            first, style, notes=notes, name_device=name_device, max_rows=max_rows
        )
    if resolved.kind == "cluster":
        found = clusters_of(locations)
        if found:
            cluster, registers = found[0]
            notes = _clusters_note(found, style)
            return cluster_text(
                first,
                cluster,
                registers,
                style,
                notes=notes,
                name_device=name_device,
                max_rows=max_rows,
            )
    same = [at for at in locations[1:] if at.register and at.address == first.address]
    if resolved.any_of:
        notes = [_any_note(resolved.any_of, locations, style)]
        same = []
    elif resolved.several:
        others = [at for at in locations[1:] if at not in same]
        notes = [_several_note(others, style)] if others else []
    elif resolved.index_unknown:
        notes = [_elements_note(locations, style)]
        same = []
    else:
        others = [at for at in locations[1:] if at.register is None or at not in same]
        notes = _also(others, first, style) + _beyond_note(resolved.beyond, style)
    block = ""
    if written is not None and written.register is register:
        block = written_block(written, style)
    if first.field is not None:
        return field_text(
            first,
            register,
            first.field,
            style,
            notes=notes,
            name_device=name_device,
            written=block,
        )
    return register_text(
        first,
        register,
        style,
        written=block,
        same_address=same,
        notes=notes,
        name_device=name_device,
        max_rows=max_rows,
    )


def _elements_note(locations: Sequence[Location], style: Style) -> str:
    """Which array it is an element of, where the index is not known."""
    registers = [at.register for at in locations if at.register is not None]
    first, last = locations[0].address, locations[-1].address
    kind = "Element" if registers[0].template == registers[-1].template else "One"
    return (
        f"{kind} of {style.text(label(registers))} at {style.code(words.address(first))} to "
        f"{style.code(words.address(last))}, the first is shown"
    )


def _any_note(kind: str, locations: Sequence[Location], style: Style) -> str:
    """Of which instances it is one, where a pointer may lead to any."""
    alone = len({id(at.peripheral) for at in locations}) == len(locations)
    said = [
        f"{style.text(at.peripheral.name if alone else at.path)} "
        f"{style.code(words.address(at.address))}"
        for at in locations[:_MAX_PLACES]
    ]
    more = len(locations) - len(said)
    tail = f" and {more} more" if more else ""
    return f"Any {style.text(kind)}, the first is shown: {', '.join(said)}{tail}"


def _beyond_note(addresses: Sequence[int], style: Style) -> list[str]:
    """Where a pointer may lead as well, although the SVD file has no register there."""
    if not addresses:
        return []
    said = ", ".join(style.code(words.address(address)) for address in addresses[:_MAX_PLACES])
    return [f"The pointer may be to another instance, which has no such register: {said}"]


def _several_note(others: Sequence[Location], style: Style) -> str:
    """What else a macro touches."""
    said = [
        f"{style.text(at.path)} {style.code(words.address(at.address))}"
        for at in others[:_MAX_PLACES]
    ]
    more = len(others) - len(said)
    return f"Touches also {', '.join(said)}" + (f" and {more} more" if more else "")


def _clusters_note(found: Sequence[tuple[Cluster, list[Register]]], style: Style) -> list[str]:
    if len(found) == 1:
        return []
    last = found[-1][0]
    return [f"One of {len(found)} up to {style.text(last.path)}, the first is shown"]


def _also(others: Sequence[Location], first: Location, style: Style) -> list[str]:
    """Further places that may be meant, at other addresses or not registers."""
    if not others:
        return []
    said = []
    for other in others[:_MAX_PLACES]:
        where = ""
        if other.address != first.address:
            where = f" {style.code(words.address(other.address))}"
        said.append(style.text(other.path) + where)
    more = len(others) - len(said)
    return [f"Also here: {', '.join(said)}" + (f" and {more} more" if more else "")]


def clusters_of(locations: Sequence[Location]) -> list[tuple[Cluster, list[Register]]]:
    """The clusters that ``locations``, registers of one peripheral, make up, with those registers.

    The outermost cluster of which no register is missing; [] when there is none.
    """
    peripheral = locations[0].peripheral
    given = [at.register for at in locations if at.register and at.peripheral is peripheral]
    ids = {id(register) for register in given}
    found: list[tuple[Cluster, list[Register]]] = []
    taken: set[int] = set()
    for cluster in peripheral.clusters:
        within = [r for r in peripheral.registers if r.path.startswith(f"{cluster.path}.")]
        if within and all(id(r) in ids and id(r) not in taken for r in within):
            found.append((cluster, within))
            taken.update(id(register) for register in within)
    return found


def addresses(resolved: Meant) -> list[int]:
    """The absolute addresses that are meant, each once, in order."""
    found: list[int] = []
    for locations in by_device(resolved.locations):
        clusters = clusters_of(locations) if resolved.kind == "cluster" else []
        if clusters:
            base = locations[0].peripheral.base_address
            found += [base + cluster.offset for cluster, _ in clusters]
        else:
            found += [location.address for location in locations]
    found += resolved.beyond
    return list(dict.fromkeys(found))


__all__ = ["Meant", "addresses", "by_device", "clusters_of", "hover", "worded"]
