"""Registers as small tables: what is asked for of them, on few tokens."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from datasheet_lsp.answer.types import Count, Origin, Piece
from datasheet_lsp.model import Field, Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut

_ALL = 10
_MEANING = 64
_DESCRIPTION = 90
_OTHERS = 24
_RESERVED = re.compile(r"reserved\w*|rsvd?\w*|unused\w*|_", re.IGNORECASE)
_MOST_VALUES = 6


def register_line(at: Location, wanted: Collection[str] = (), full: bool = True) -> str:
    """A register in a line or two, with the fields called as ``wanted`` in small letters.

    Without any of these all of a small register, and names of the fields of a large one.
    """
    register = at.register
    assert register is not None
    said = words.said_besides(register.description, register.path, at.path)
    head = [f"{register.path} {words.c_address(at.address)}", words.access(register)]
    if register.reset_value is not None and register.reset_mask != 0:
        head.append(f"reset 0x{register.reset_value:X}")
    line = ", ".join(head)
    if said:
        line += f", {cut(said, _DESCRIPTION)}"
    fields = [f for f in register.fields if not _RESERVED.fullmatch(f.name)]
    fields.sort(key=lambda f: -f.lsb)
    shown = [f for f in fields if f.name.lower() in wanted]
    if not shown and (len(fields) <= _ALL and full):
        shown = fields
    if shown:
        line += ": " + "; ".join(_field(f) for f in shown)
    others = [f for f in fields if f not in shown]
    if others and (full or not shown):
        names = [f"{f.name} {words.bits(f)}" for f in others[:_OTHERS]]
        more = len(others) - len(names)
        also = "also " if shown else ""
        line += f". {also[:1].upper()}{also[1:]}{', '.join(names)}"
        line += f" and {more} more" if more else ""
    return line


def _field(field: Field) -> str:
    said = words.said_besides(field.description, field.name)
    entries = [e for each in field.enumerated_values[:1] for e in each.values]
    values = ""
    if 0 < len(entries) <= _MOST_VALUES:
        values = ", ".join(
            f"{words.entry_value(e, field.width)} {cut(words.entry_label(e), 24)}" for e in entries
        )
    text = f"{field.name} {words.bits(field)}"
    if said:
        text += f" {cut(said, _MEANING)}"
    return f"{text} ({values})" if values else text


def register_piece(
    places: Sequence[Location],
    wanted: Collection[str],
    count: Count,
    *,
    origin: Origin,
    query: str = "",
    full: bool = True,
    score: float = 0.0,
) -> Piece:
    """The registers of one peripheral as a passage."""
    first = places[0]
    device, peripheral = first.device, first.peripheral
    source = f"{peripheral.source} of datasheet-lsp" if peripheral.source else device.source
    lines = [register_line(at, wanted, full) for at in places]
    heading = f"{device.name}, {source}: {peripheral.name}"
    if len(places) > 1:
        base = words.c_address(peripheral.base_address)
        text = "\n".join([f"Registers of {peripheral.name} ({base}):", *lines])
    else:
        text = f"{peripheral.name}.{lines[0]}"
    registers = [at.register for at in places if at.register is not None]
    return Piece(
        number=0,
        text=text,
        heading=heading,
        tokens=count(heading) + count(text),
        file=device.source,
        title=device.name,
        revision=device.version,
        format="svd",
        kind="svd",
        heading_path=(peripheral.name, ", ".join(r.path for r in registers)),
        symbols=symbols_of(places),
        origin=origin,
        query=query,
        score=score,
        lines=tuple(r.line for r in registers),
    )


def symbols_of(places: Iterable[Location]) -> tuple[str, ...]:
    """The paths of the registers, with their array templates, and the fields that they have."""
    found: dict[str, None] = {}
    for at in places:
        assert at.register is not None
        found[f"{at.peripheral.name}.{at.register.path}"] = None
        found[f"{at.peripheral.name}.{at.register.template}"] = None
    return tuple(found)


def asked_fields(register: Register, spoken: Collection[str]) -> set[str]:
    """The fields of ``register`` that are named among ``spoken``, words in small letters."""
    return {f.name.lower() for f in register.fields if f.name.lower() in spoken}
