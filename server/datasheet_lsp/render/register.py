"""A register, or a field of it, as a hover and on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.model import Field, Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.fields import (
    MAX_ROWS,
    defined_bits,
    field_table,
    meaning,
    reset_of,
    unplaced,
    value_table,
)
from datasheet_lsp.render.style import Style

_TITLE_LENGTH = 300


def register_text(
    location: Location,
    register: Register,
    style: Style,
    *,
    same_address: Sequence[Location] = (),
    notes: Sequence[str] = (),
    name_device: bool = False,
    max_rows: int = MAX_ROWS,
    written: str = "",
) -> str:
    """All about a register; ``notes`` are finished lines to stand below the facts.

    ``written`` is a finished text about what is written to it.
    """
    return style.blocks(
        style.lines(
            title(location, register.description, style, name_device),
            facts(location, register, style),
        ),
        written,
        style.lines(*notes),
        _effects(register),
        field_table(register, style, max_rows),
        unplaced(register, style),
        _alternates(location, register, same_address, style),
        footer(location, style),
    )


def field_text(
    location: Location,
    register: Register,
    field: Field,
    style: Style,
    *,
    notes: Sequence[str] = (),
    name_device: bool = False,
    written: str = "",
) -> str:
    """All about one field of a register."""
    where = (
        f"bit {field.lsb}" if field.width == 1 else f"bits {words.bits(field)}"
    ) + f" of {style.text(register.path)}"
    reset = reset_of(field, register)
    known = [where, words.access(field), f"reset {reset}" if reset else "reset not defined"]
    mask = words.content(field.mask, register.size)
    effects = words.side_effects(field) or words.side_effects(register)
    return style.blocks(
        style.lines(
            title(location, field.description, style, name_device),
            style.text(", ".join(known)) + f", mask {style.code(mask)}",
        ),
        written,
        style.lines(*notes),
        sentence(effects),
        value_table(field, style),
        footer(location, style),
    )


def title(location: Location, description: str, style: Style, name_device: bool = False) -> str:
    """Name, description and absolute address."""
    besides = words.said_besides(description, location.path.rpartition(".")[2], location.path)
    parts = [
        style.strong(location.path),
        f"({style.text(location.device.name)})" if name_device else "",
        style.text(cut(besides, _TITLE_LENGTH)),
        style.code(words.address(location.address)),
    ]
    return " ".join(part for part in parts if part)


def facts(location: Location, register: Register, style: Style) -> str:
    """Width, access, reset value, and the sum that makes the address."""
    base = words.address(location.peripheral.base_address)
    parts = [
        words.plural(register.size, "bit"),
        style.text(words.access(register)),
        _reset(register, style),
        f"at {style.code(base)} + {style.code(words.offset(register.offset))}",
        words.protection(register.protection),
    ]
    return ", ".join(part for part in parts if part)


def _reset(register: Register, style: Style) -> str:
    if register.reset_value is None:
        return "reset not given"
    mask, whole = defined_bits(register)
    if mask == 0:
        return "reset not defined"
    value = f"reset {style.code(words.content(register.reset_value, register.size))}"
    if not whole:
        value += f" (defined bits {style.code(words.content(mask, register.size))})"
    return value


def sentence(parts: Sequence[str]) -> str:
    """``Reading clears it; writing 1 sets a bit.`` or ""."""
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _effects(register: Register) -> str:
    return sentence(words.side_effects(register))


def _alternates(
    location: Location, register: Register, others: Sequence[Location], style: Style
) -> str:
    """Other registers at this address, and what the file says of alternates that are not there."""
    said = []
    names = []
    for other in others:
        if other.register is None:
            continue
        names.append(other.register.name)
        near = other.peripheral is location.peripheral
        description = words.said_besides(other.register.description, other.register.path)
        name = style.text(other.register.path if near else other.path)
        said.append(f"{name} ({style.text(cut(description, 60))})" if description else name)
    lines = [f"At the same address: {', '.join(said)}" if said else ""]
    if register.alternate_register and register.alternate_register not in names:
        lines.append(f"Alternate of {style.text(register.alternate_register)}")
    if register.alternate_group:
        lines.append(f"Alternate group {style.text(register.alternate_group)}")
    return style.lines(*lines)


def footer(location: Location, style: Style) -> str:
    """The address to copy, then file and line."""
    item = location.field or location.register or location.peripheral
    place = words.source(location.device.source, location.peripheral, item.line)
    return f"{style.code(words.c_address(location.address))}, {style.text(place)}"


__all__ = ["facts", "field_text", "footer", "meaning", "register_text", "sentence", "title"]
