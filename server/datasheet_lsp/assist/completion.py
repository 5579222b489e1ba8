"""Registers after ``->``, and the macros of fields beside a register."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from datasheet_lsp.firmware import resolve_at
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.fields import called, spellings
from datasheet_lsp.firmware.tokens import Body
from datasheet_lsp.model import Field, Location, Register
from datasheet_lsp.render.fields import meaning
from datasheet_lsp.render.words import address, bits, short_access

_AFTER_ARROW = re.compile(rb"([A-Za-z_]\w*)\s*->\s*([A-Za-z_]\w*)?$")
_BESIDE = re.compile(
    rb"([A-Za-z_]\w*\s*->\s*[A-Za-z_][\w.]*(?:\s*\[[^\]\n]*\])?)\s*"
    rb"(?:[|&^]?=(?!=)|[|&](?![|&=]))[^;{}]*?(?<![\w.>])([A-Za-z_]\w*)?$"
)
_MAX = 200
_LOOK_BACK = 400


class Completion(msgspec.Struct, frozen=True):
    """Something to insert for the bytes ``start`` to the cursor; ``detail`` in a few words."""

    label: str
    kind: str
    detail: str
    documentation: str
    start: int
    order: int


def completions(reader: Reader, offset: int) -> list[Completion]:
    """What may be meant at ``offset``, [] where that is not sure."""
    if not reader.lookups or not 0 < offset <= len(reader.source.data):
        return []
    line = reader.source.position(offset)[0]
    first = max(reader.source.offset(line, 0), offset - _LOOK_BACK)
    before = reader.source.code[first:offset]
    if reader.source.plain[first:offset] != before and not before.strip():
        return []  # in a comment
    arrow = _AFTER_ARROW.search(before)
    if arrow is not None:
        start = offset - len(arrow[2] or b"")
        return list(_registers(reader, first + arrow.start(1), start, arrow[2] or b""))[:_MAX]
    beside = _BESIDE.search(before)
    if beside is not None:
        start = offset - len(beside[2] or b"")
        at = first + beside.start(1) + max(beside[1].rfind(b">"), 0)
        return list(_fields(reader, at, first + beside.end(1), start, beside[2] or b""))[:_MAX]
    return []


def _registers(reader: Reader, base: int, start: int, typed: bytes) -> Iterator[Completion]:
    found = resolve_at(reader.source, base, reader.lookups, reader.headers)
    if found is None or found.kind != "peripheral":
        return
    prefix = typed.decode().casefold()
    seen: set[str] = set()
    location = found.locations[0]
    name = reader.source.code[base:start].decode("ascii", "replace").split("-")[0].strip()
    for order, register in enumerate(location.peripheral.registers):
        label = location.peripheral.c_path(register).partition("[")[0]
        if "." in label or label in seen or not label.casefold().startswith(prefix):
            continue
        if reader.headers is not None and reader.knows_members(name):
            if not reader.has_member(name, label):
                continue
        seen.add(label)
        place = Location(location.device, location.peripheral, register)
        detail = f"{short_access(register)}, {address(place.address)}"
        yield Completion(label, "register", detail, _about(register), start, order)


def _about(register: Register) -> str:
    fields = ", ".join(
        f"{bits(field)} {field.name}" for field in sorted(register.fields, key=lambda f: -f.lsb)
    )
    return "\n\n".join(text for text in (register.description, fields) if text)


def _fields(reader: Reader, at: int, end: int, start: int, typed: bytes) -> Iterator[Completion]:
    found = None
    for offset in range(min(end - 1, len(reader.source.data) - 1), at, -1):
        if reader.source.code[offset : offset + 1].isalnum():
            found = resolve_at(reader.source, offset, reader.lookups, reader.headers)
            break
    if found is None or found.kind != "register" or found.locations[0].register is None:
        return
    location = found.locations[0]
    register = location.register
    assert register is not None
    prefix = typed.decode().casefold()
    for order, field in enumerate(sorted(register.fields, key=lambda f: -f.lsb)):
        for label, detail in _names(reader, location, register, field):
            if label.casefold().startswith(prefix) or field.name.casefold().startswith(prefix):
                yield Completion(label, "field", detail, meaning(field, register), start, order)


def _names(
    reader: Reader, location: Location, register: Register, field: Field
) -> Iterator[tuple[str, str]]:
    """The macros of a field that the code defines, and those of its values."""
    where = f"{location.path}, bit{'' if field.width == 1 else 's'} {bits(field)}"
    heads = {
        f"{p}_{r}_{field.name}"
        for p in called(location.peripheral)
        for r in spellings(location.peripheral, register)
    }
    for head in sorted(heads, key=lambda one: (len(one), one)):
        found = False
        for ending in ("", "_Msk", "_MASK", "_BITS", "_Pos"):
            if isinstance(reader.meanings.defined(head + ending), Body):
                found = True
                yield head + ending, where
        for entries in field.enumerated_values:
            for entry in entries.values:
                name = f"{head}_{entry.name}"
                if isinstance(reader.meanings.defined(name), Body):
                    yield name, f"{where}: {entry.name}"
        if found:
            return
