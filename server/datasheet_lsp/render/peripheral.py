"""A peripheral or a cluster with its registers, arrays folded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from datasheet_lsp.model import Cluster, Location, Peripheral, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.fields import MAX_ROWS
from datasheet_lsp.render.register import footer, title
from datasheet_lsp.render.style import Style

_DESCRIPTION_LENGTH = 120
_MAX_INTERRUPTS = 16


class Folded(msgspec.Struct, frozen=True):
    """The registers of one template: ``CH[0..7].EEP``, the first of them, how many, how far apart.

    ``step`` is in bytes, None for one register or uneven distances.
    """

    label: str
    first: Register
    count: int
    step: int | None


def fold(registers: Sequence[Register]) -> list[Folded]:
    """``registers`` with those of one array as one entry, in order of their offset."""
    groups: dict[tuple[str, str], list[Register]] = {}
    for register in registers:
        key = (register.template, "" if register.template != register.path else str(id(register)))
        groups.setdefault(key, []).append(register)
    folded = []
    for group in groups.values():
        group.sort(key=lambda register: register.offset)
        steps = {b.offset - a.offset for a, b in zip(group, group[1:], strict=False)}
        step = steps.pop() if len(steps) == 1 else None
        folded.append(Folded(label(group), group[0], len(group), step))
    folded.sort(key=lambda entry: entry.first.offset)
    return folded


def label(registers: Sequence[Register]) -> str:
    """``AFR[0..1]`` for the elements of one array, the path for a single register."""
    first, last = registers[0], registers[-1]
    if first.path == last.path:
        return first.path
    a, b = _indices(first), _indices(last)
    if first.template != last.template or a is None or b is None or len(a) != len(b):
        return f"{first.path} to {last.path}"
    parts = re.split(r"(\[%s\]|%s)", first.template)
    out = []
    for part in parts:
        if part not in ("[%s]", "%s"):
            out.append(part)
            continue
        low, high = a.pop(0), b.pop(0)
        span = low if low == high else f"{low}..{high}"
        out.append(f"[{span}]" if part == "[%s]" or low != high else span)
    return "".join(out)


def _indices(register: Register) -> list[str] | None:
    """What stands in the path for each ``%s`` of the template; None where that is not clear."""
    pattern = "".join(
        r"([^.\[\]]*?)" if part == "%s" else re.escape(part)
        for part in re.split(r"(%s)", register.template)
    )
    found = re.fullmatch(pattern, register.path)
    return None if found is None else list(found.groups())


def peripheral_text(
    location: Location,
    style: Style,
    *,
    notes: Sequence[str] = (),
    name_device: bool = False,
    max_rows: int = MAX_ROWS,
) -> str:
    """All about a peripheral: where and what it is, its registers, its interrupts."""
    peripheral = location.peripheral
    return style.blocks(
        style.lines(
            title(location, peripheral.description, style, name_device),
            _facts(peripheral, style),
        ),
        style.lines(*notes),
        register_table(peripheral.registers, style, max_rows),
        _interrupts(peripheral, style),
        footer(location, style),
    )


def cluster_text(
    location: Location,
    cluster: Cluster,
    registers: Sequence[Register],
    style: Style,
    *,
    notes: Sequence[str] = (),
    name_device: bool = False,
    max_rows: int = MAX_ROWS,
) -> str:
    """All about a cluster: where it is and its registers, with offsets from the peripheral."""
    peripheral = location.peripheral
    address = peripheral.base_address + cluster.offset
    name = f"{peripheral.name}.{cluster.path}"
    parts = [
        style.strong(name),
        f"({style.text(location.device.name)})" if name_device else "",
        style.text(cut(words.said_besides(cluster.description, cluster.path), 300)),
        style.code(words.address(address)),
    ]
    base = style.code(words.address(peripheral.base_address))
    place = words.source(location.device.source, peripheral, cluster.line)
    return style.blocks(
        style.lines(
            " ".join(part for part in parts if part),
            f"{words.plural(len(registers), 'register')}, "
            f"at {base} + {style.code(words.offset(cluster.offset))}",
        ),
        style.lines(*notes),
        register_table(registers, style, max_rows),
        f"{style.code(words.c_address(address))}, {style.text(place)}",
    )


def register_table(registers: Sequence[Register], style: Style, max_rows: int = MAX_ROWS) -> str:
    """Offsets from the peripheral's base, names, access, descriptions; arrays are one row."""
    if not registers:
        return "The SVD describes no registers."
    entries = fold(registers)
    shown = entries[:max_rows]
    sizes = {register.size for register in registers}
    rows = [_row(entry, style, with_size=len(sizes) > 1) for entry in shown]
    header = ["Offset", "Register", *(["Bits"] if len(sizes) > 1 else []), "Access", "Meaning"]
    rest = sum(entry.count for entry in entries[max_rows:])
    return style.blocks(
        style.table(header, rows), f"and {words.plural(rest, 'more register')}" if rest else ""
    )


def _row(entry: Folded, style: Style, with_size: bool) -> list[str]:
    first = entry.first
    said = cut(words.said_besides(first.description, first.name, first.path), _DESCRIPTION_LENGTH)
    if entry.count > 1:
        every = f", every {words.offset(entry.step)}" if entry.step else ""
        said = f"{said} ({entry.count} in all{every})".strip()
    row = [words.offset(first.offset), style.text(entry.label)]
    row += [str(first.size)] if with_size else []
    return [*row, words.short_access(first), style.text(said)]


def _facts(peripheral: Peripheral, style: Style) -> str:
    parts = [words.plural(len(peripheral.registers), "register")]
    blocks = [
        f"{style.code(words.address(peripheral.base_address + block.offset))} "
        f"({words.size_in_bytes(block.size)})"
        for block in peripheral.address_blocks
        if block.size
    ]
    if blocks:
        parts.append(f"address range {_some(blocks, 3)}")
    if peripheral.group_name and peripheral.group_name != peripheral.name:
        parts.append(f"group {style.text(peripheral.group_name)}")
    if peripheral.derived_from:
        parts.append(f"derived from {style.text(peripheral.derived_from)}")
    if peripheral.alternate_peripheral:
        parts.append(f"alternate of {style.text(peripheral.alternate_peripheral)}")
    return ", ".join(parts)


def _interrupts(peripheral: Peripheral, style: Style) -> str:
    if not peripheral.interrupts:
        return ""
    items = []
    for interrupt in sorted(peripheral.interrupts, key=lambda interrupt: interrupt.value):
        said = cut(words.said_besides(interrupt.description, interrupt.name), 80)
        name = style.text(interrupt.name)
        items.append(f"{interrupt.value} {name}" + (f" ({style.text(said)})" if said else ""))
    noun = "Interrupt" if len(items) == 1 else "Interrupts"
    return f"{noun}: {_some(items, _MAX_INTERRUPTS)}"


def _some(items: Iterable[str], limit: int) -> str:
    """The items, the rest counted."""
    listed = list(items)
    more = len(listed) - limit
    return ", ".join(listed[:limit]) + (f" and {more} more" if more > 0 else "")
