"""Values as far as they are known without running the program."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from datasheet_lsp.firmware.headers.facts import UNKNOWN, Type

MAX_SPOTS = 512
_WORD = 0xFFFFFFFF

How = Literal["read", "write", "modify"]


class Spot(NamedTuple):
    """A number, or a place in memory: ``offset`` bytes from ``base``.

    ``base`` is "" for a number and for an absolute address, ``any NAME`` for some instance of a
    struct type, ``var NAME`` for a variable in memory, which is no register, and ``?`` for a
    pointer of which nothing is known.
    """

    base: str
    offset: int


SOME = Spot("?", 0)


class Value(msgspec.Struct, frozen=True):
    """What an expression yields.

    ``spots`` are all it may be, None where that is not known: for an ``lvalue`` the places it may
    be at, else the numbers or addresses. ``dynamic`` when an index was not known and the spots are
    the elements; ``vague`` when something unknown was added, so that the spots only say where it
    begins. ``bits`` are those of a bit-field, ``words`` the members on the way.
    """

    type: Type = UNKNOWN
    spots: tuple[Spot, ...] | None = None
    lvalue: bool = False
    dynamic: bool = False
    vague: bool = False
    bits: tuple[int, int] | None = None
    name: str = ""
    words: tuple[str, ...] = ()

    @property
    def number(self) -> int | None:
        """The one number it is, None for a place or where it is not known."""
        if self.lvalue or self.spots is None or len(self.spots) != 1 or self.vague:
            return None
        spot = self.spots[0]
        return spot.offset if not spot.base else None

    def typed(self, type_: Type) -> Value:
        """The same as a value of another type."""
        return msgspec.structs.replace(self, type=type_, bits=None)

    def at(self, offset: int, type_: Type, bits: tuple[int, int] | None = None) -> Value:
        """The place ``offset`` bytes further on."""
        spots = self.spots
        if spots is not None and offset:
            spots = tuple(Spot(s.base, s.offset + offset) for s in spots)
        return msgspec.structs.replace(self, type=type_, spots=spots, lvalue=True, bits=bits)


class Effect(msgspec.Struct, frozen=True):
    """An access to memory on the way to a value."""

    place: Value
    how: How


class Variable(msgspec.Struct):
    """A variable of the code: ``value`` is what it holds, None where that is not known.

    ``parts`` are the tokens of an initialiser in braces.
    """

    type: Type
    value: Value | None = None
    parts: tuple[str, ...] = ()


def constant(number: int, type_: Type) -> Value:
    """A number."""
    return Value(type_, (Spot("", number),))


def merged(a: Value, b: Value) -> Value:
    """One or the other, which of them is not known."""
    if a.spots is None or b.spots is None:
        return Value(a.type if a.spots is None else b.type)
    spots = tuple(dict.fromkeys((*a.spots, *b.spots)))
    if len(spots) > MAX_SPOTS:
        return Value(a.type)
    return msgspec.structs.replace(
        a,
        spots=spots,
        lvalue=a.lvalue and b.lvalue,
        dynamic=a.dynamic or b.dynamic or len(spots) > len(a.spots),
        vague=a.vague or b.vague,
        type=a.type if a.type.kind != "unknown" else b.type,
    )


def truncated(number: int, type_: Type) -> int:
    """``number`` as the integer type holds it."""
    if type_.kind != "int" or not type_.size:
        return number
    bits = type_.size * 8
    number &= (1 << bits) - 1
    if type_.signed and number >> (bits - 1):
        number -= 1 << bits
    return number


def address(number: int) -> int:
    """A number as a 32-bit address."""
    return number & _WORD
