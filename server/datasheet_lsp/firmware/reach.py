"""The registers an expression reaches, by what the headers say of its macros and types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.headers.facts import Macro
from datasheet_lsp.firmware.headers.scan import without_comments
from datasheet_lsp.firmware.headers.tokens import TooLong, split
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.meaning import Machine, Spot, Value
from datasheet_lsp.firmware.meaning.places import Known
from datasheet_lsp.firmware.meaning.value import address
from datasheet_lsp.firmware.syntax import View
from datasheet_lsp.firmware.variables import Variables

_MAX_TEXT = 4_000
_MAX_WORLDS = 8
_MAX_INSTANCES = 64
_SMALLEST = 0x1000
_LARGEST = 8
"""Bytes of a register: a union of that size is one, a larger struct has several."""


class Reach(msgspec.Struct, frozen=True):
    """What an expression leads to.

    ``registers``: it accesses the memory at ``addresses``; ``address``: it is one of them as a
    number; ``nothing``: it surely is no register; ``unknown``: the headers do not tell. For an
    array of which the element is not known (``dynamic``) the addresses are the elements, with
    ``vague`` the beginning alone. ``through`` is the struct type of which any instance is meant,
    with ``offset`` from its beginning where the addresses could not be found; "?" for a base of
    which nothing is known. ``several`` when a macro touches more than one register. ``bits`` are
    those of a bit-field, ``words`` the macros that were put in.
    """

    kind: Literal["registers", "address", "nothing", "unknown"]
    addresses: tuple[int, ...] = ()
    dynamic: bool = False
    vague: bool = False
    through: str = ""
    offset: int = 0
    several: bool = False
    bits: tuple[int, int] | None = None
    size: int = 0
    words: tuple[str, ...] = ()


NOTHING = Reach("nothing")
UNKNOWN = Reach("unknown")


def reach(
    headers: Headers,
    view: View,
    path: Sequence[Node],
    text: str,
    whole: View,
    outer: Sequence[Node],
    *,
    call: bool = False,
    known: Known | None = None,
    word: str = "",
) -> Reach:
    """What the expression ``text``, which stands where ``path`` ends, leads to. Never raises.

    With ``call`` it is a macro or function that may access memory on its own. ``known`` says what
    names mean that no header has. With ``word`` only accesses to a member of that name count.
    """
    if len(text) > _MAX_TEXT:
        return UNKNOWN
    tokens = split(without_comments(text.encode("ascii", "replace")).decode("ascii"))
    scope = Variables(headers, view, path, whole, outer)
    if word:
        return _once(headers, scope, tokens, call, known, word)[0]
    first, used = _once(headers, scope, tokens, call, known)
    if first.kind not in ("registers", "address"):
        return first
    # Where the build decides between definitions, all of them must lead to the same place.
    worlds = 0
    for name in sorted(used):
        for other in headers.alternatives(name):
            worlds += 1
            if worlds > _MAX_WORLDS:
                return first
            if not _agrees(headers, scope, tokens, call, known, other, first):
                return UNKNOWN
    return first


def _agrees(
    headers: Headers,
    scope: Variables,
    tokens: Sequence[str],
    call: bool,
    known: Known | None,
    other: Macro,
    first: Reach,
) -> bool:
    again, _ = _once(headers.choosing(other), scope, tokens, call, known)
    return again.kind not in ("registers", "address") or again.addresses == first.addresses


def _once(
    headers: Headers,
    scope: Variables,
    tokens: Sequence[str],
    call: bool,
    known: Known | None,
    word: str = "",
) -> tuple[Reach, set[str]]:
    machine = Machine(headers, scope, known)
    try:
        value = machine.statements(tokens) if call else machine.expression(tokens)
        if word:
            machine.effects = [e for e in machine.effects if word in e.place.words]
            if value.lvalue and word in value.words:
                return _place(headers, value), machine.used
            value = Value()
        found = _judged(headers, machine, value, call)
        if found.through == "?":
            found = msgspec.structs.replace(found, words=tuple(sorted(machine.used)))
        if machine.through and not found.through:
            found = msgspec.structs.replace(found, through=machine.through, dynamic=False)
    except (TooLong, RecursionError):
        return UNKNOWN, set()
    return found, machine.used


def _judged(headers: Headers, machine: Machine, value: Value, call: bool) -> Reach:
    if value.lvalue and value.type.kind != "function":
        if value.spots is None:
            return UNKNOWN
        return _place(headers, value)
    if call or machine.used:
        places = [e.place for e in machine.effects]
        reached = [_place(headers, p) for p in places if p.spots]
        found = [r for r in reached if r.addresses] or [r for r in reached if r.through == "?"][:1]
        if found:
            return _joined(found)
    spots = value.spots
    if spots is None:
        return UNKNOWN
    if all(s.base.startswith("var ") for s in spots):
        return UNKNOWN
    if all(not s.base for s in spots) and value.type.kind in ("pointer", "int", "array"):
        numbers = tuple(dict.fromkeys(address(s.offset) for s in spots))
        if all(n >= _SMALLEST for n in numbers):
            pointer = value.type.kind == "pointer"
            return Reach("address", numbers, value.dynamic, value.vague, size=int(pointer))
    return UNKNOWN


def _place(headers: Headers, value: Value) -> Reach:
    spots = value.spots or ()
    if not spots or value.vague and any(s.base == "?" for s in spots):
        return UNKNOWN
    if any(s.base == "?" for s in spots):
        if len(spots) > 1:
            return UNKNOWN
        return Reach("registers", through="?", offset=spots[0].offset, size=value.type.size)
    if any(s.base.startswith("var ") for s in spots):
        return NOTHING
    whole = headers.reader.size_of(value.type) if value.type.kind in ("struct", "union") else 0
    if whole > _LARGEST and not value.vague:
        kind: Literal["registers", "address"] = "address"
    else:
        kind = "registers"
    if all(not s.base for s in spots):
        numbers = tuple(dict.fromkeys(address(s.offset) for s in spots))
        if any(n < _SMALLEST for n in numbers):
            return UNKNOWN
        return Reach(
            kind, numbers, value.dynamic, value.vague, bits=value.bits, size=value.type.size
        )
    if any(not s.base for s in spots):
        return UNKNOWN
    return _any(headers, value, spots, kind)


def _any(
    headers: Headers, value: Value, spots: Sequence[Spot], kind: Literal["registers", "address"]
) -> Reach:
    names = {s.base[4:] for s in spots}
    if len(names) != 1:
        return UNKNOWN
    name = names.pop()
    found = instances(headers, name)
    numbers = tuple(dict.fromkeys(address(base + s.offset) for base in found for s in spots))
    return Reach(
        kind,
        numbers,
        value.dynamic,
        value.vague,
        through=name,
        offset=spots[0].offset,
        bits=value.bits,
        size=value.type.size,
    )


def _joined(found: Sequence[Reach]) -> Reach:
    """All registers that a macro touches, in the order it does."""
    first = found[0]
    numbers = tuple(dict.fromkeys(n for one in found for n in one.addresses))
    if numbers == first.addresses:
        return msgspec.structs.replace(first, kind="registers")
    return Reach(
        "registers",
        numbers,
        any(one.dynamic for one in found),
        through=next((one.through for one in found if one.through), ""),
        several=True,
    )


def instances(headers: Headers, name: str) -> tuple[int, ...]:
    """The addresses at which the headers have a struct of type ``name``."""
    known = headers.bases.get(name)
    if known is not None:
        return known
    layout = headers.layout(name)
    found: dict[int, None] = {}
    for word in headers.aliases(name):
        for one in headers.instances(word)[:_MAX_INSTANCES]:
            machine = Machine(headers)
            try:
                value = machine.expression((one,))
            except (TooLong, RecursionError):
                continue
            of = value.type if value.lvalue else value.type.of
            if of is None or value.spots is None or len(value.spots) != 1 or value.vague:
                continue
            same = of.name == name or (layout is not None and headers.layout(of.name) is layout)
            if same and not value.spots[0].base and value.spots[0].offset >= _SMALLEST:
                found[address(value.spots[0].offset)] = None
    headers.bases[name] = tuple(found)
    return tuple(found)
