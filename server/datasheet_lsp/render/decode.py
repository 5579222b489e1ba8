"""What a value of a register means, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from datasheet_lsp.model import EnumeratedValue, Field, Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.register import footer, title
from datasheet_lsp.render.style import Style


class Part(msgspec.Struct, frozen=True):
    """The content of one field. ``read`` and ``write`` are its meaning when read and written."""

    field: Field
    value: int
    read: EnumeratedValue | None
    write: EnumeratedValue | None


class Decoded(msgspec.Struct, frozen=True):
    """A value taken apart.

    ``unnamed`` has the bits set in no field, ``overflow`` those beyond the register's size,
    ``read_only`` the set bits that a write does not reach.
    """

    register: Register
    value: int
    parts: tuple[Part, ...]
    unnamed: int
    overflow: int
    read_only: int


def decode(register: Register, value: int) -> Decoded:
    """``value``, not negative, taken apart into the register's fields, highest bits first."""
    every = (1 << register.size) - 1
    parts = []
    covered = read_only = writable = 0
    for field in sorted(register.fields, key=lambda field: (-field.msb, -field.lsb)):
        content = field.extract(value)
        covered |= field.mask
        if field.access == "read-only":
            read_only |= field.mask
        else:
            writable |= field.mask
        read, write = field.named(content, "read"), field.named(content, "write")
        parts.append(Part(field, content, read, write))
    if register.access == "read-only" and not register.fields:
        read_only = every
    if register.unplaced_fields or not register.fields:
        covered = every
    return Decoded(
        register,
        value,
        tuple(parts),
        unnamed=value & every & ~covered,
        overflow=value & ~every,
        read_only=value & read_only & ~writable & every,
    )


def decode_text(location: Location, register: Register, value: int, style: Style) -> str:
    """A value of a register field by field, with what is odd about it."""
    decoded = decode(register, value)
    rows = []
    for part in decoded.parts:
        name = style.text(part.field.name)
        rows.append([words.bits(part.field), name, words.both(part.value), _said(part, style)])
    return style.blocks(
        style.lines(
            title(location, register.description, style),
            f"{style.code(words.content(value, register.size))}: {_summary(decoded, style)}",
        ),
        style.table(["Bits", "Field", "Value", "Meaning"], rows),
        style.lines(*_notes(decoded, style)),
        footer(location, style),
    )


def decode_json(location: Location, register: Register, value: int) -> dict[str, Any]:
    """A value of a register as plain data; numbers as integers."""
    decoded = decode(register, value)
    return {
        "device": location.device.name,
        "path": location.path,
        "address": location.address,
        "value": value,
        "fields": [
            {
                "name": part.field.name,
                "lsb": part.field.lsb,
                "msb": part.field.msb,
                "access": part.field.access,
                "value": part.value,
                "read_name": part.read.name if part.read else None,
                "write_name": part.write.name if part.write else None,
            }
            for part in decoded.parts
        ],
        "unnamed_bits": decoded.unnamed,
        "overflow_bits": decoded.overflow,
        "read_only_bits": decoded.read_only,
    }


def _summary(decoded: Decoded, style: Style, limit: int = 8) -> str:
    """The fields that are not 0: flags by name, others with their content."""
    items = []
    for part in decoded.parts:
        if part.value and part.field.width == 1:
            items.append(style.text(part.field.name))
        elif part.value:
            items.append(f"{style.text(part.field.name)} = {part.value}")
    if not items:
        return "all fields 0" if decoded.parts else "the SVD describes no fields"
    more = len(items) - limit
    return ", ".join(items[:limit]) + (f" and {more} more" if more > 0 else "")


def _said(part: Part, style: Style) -> str:
    """The named value, else the description."""
    read, write = part.read, part.write
    if read is not None and write is not None and read is not write:
        return style.text(f"read: {_entry(read)}; written: {_entry(write)}")
    entry = read or write
    if entry is not None:
        return style.text(_entry(entry))
    return style.text(cut(words.said_besides(part.field.description, part.field.name), 120))


def _entry(entry: EnumeratedValue) -> str:
    label = words.entry_label(entry)
    besides = words.said_besides(entry.description, label, entry.name)
    return cut(f"{label}: {besides}" if besides else label, 120)


def _notes(decoded: Decoded, style: Style) -> Sequence[str]:
    size = decoded.register.size
    notes = []
    if decoded.unnamed:
        bits = style.code(words.content(decoded.unnamed, size))
        notes.append(f"Set outside every field (reserved): {bits}")
    if decoded.read_only:
        bits = style.code(words.content(decoded.read_only, size))
        notes.append(f"Set in read-only fields, no effect when written: {bits}")
    if decoded.overflow:
        notes.append(f"More than the register's {words.plural(size, 'bit')}")
    return notes
