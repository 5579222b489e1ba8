"""What headers say: macros, types, variables, functions."""

from __future__ import annotations

from typing import Literal

import msgspec


class Macro(msgspec.Struct, frozen=True, gc=False):
    """A ``#define``. ``parameters`` is None for an object macro, ``body`` one line of C.

    A variadic macro has ``...`` or ``name...`` as its last parameter. ``line`` is 1-based.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: str
    path: str
    line: int


class Type(msgspec.Struct, frozen=True):
    """A C type, resolved: typedefs are gone, qualifiers too.

    ``name`` is the type as it was written (``USART_TypeDef``, ``uint32_t``), for messages and to
    find the layout of a struct. ``size`` is in bytes, 0 where it is not known. ``of`` is what a
    pointer points at, or the element of an array; ``count`` the number of elements, None where it
    is not known.
    """

    kind: Literal["int", "struct", "union", "pointer", "array", "function", "unknown"]
    name: str = ""
    size: int = 0
    signed: bool = False
    of: Type | None = None
    count: int | None = None


class Member(msgspec.Struct, frozen=True):
    """A member of a struct or union: ``offset`` in bytes, ``bits`` (lowest, width) of a bit-field.

    The members of an anonymous struct or union stand among those of the one around it.
    """

    name: str
    offset: int
    type: Type
    bits: tuple[int, int] | None = None


class Layout(msgspec.Struct, frozen=True):
    """A struct or union with the places of its members; ``size`` and ``align`` in bytes.

    ``certain`` is False where a member's size was not known: what follows it may be elsewhere.
    """

    name: str
    size: int
    align: int
    members: dict[str, Member]
    certain: bool = True


class Function(msgspec.Struct, frozen=True):
    """A function with a body: its parameters as (name, type), and the text between its braces."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    body: str
    path: str
    line: int


UNKNOWN = Type("unknown")
