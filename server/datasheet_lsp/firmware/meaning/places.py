"""Places in memory: members, elements, pointers, and what is loaded from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from datasheet_lsp.firmware.headers.facts import UNKNOWN, Type
from datasheet_lsp.firmware.headers.stream import comma_parts
from datasheet_lsp.firmware.headers.tokens import TooLong, is_word
from datasheet_lsp.firmware.headers.types import pointer
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.meaning.value import (
    MAX_SPOTS,
    SOME,
    Effect,
    Spot,
    Value,
    Variable,
    address,
    merged,
    truncated,
)
from datasheet_lsp.firmware.members import Part

_MAX_INSIDE = 40


class Known(Protocol):
    """What names mean where no header says it."""

    @property
    def whole(self) -> Known:
        """With all names, where it was asked for some."""

    def name(self, name: str) -> Value | None:
        """A name that stands alone."""

    def call(self, name: str, values: Sequence[Value]) -> tuple[Value, str] | None:
        """A macro with arguments, and the kind where any one of several is meant."""

    def kind(self, type_: str, parts: Sequence[Part]) -> tuple[Value, str] | None:
        """Members of any instance of a struct type, and what those are called together."""

    def path(self, type_: Type, base: int, parts: Sequence[Part]) -> Value:
        """Members of what :meth:`name` gave."""


class Places:
    """What can be said of a place. A base of the machine, which reads the text."""

    known: Known | None = None
    through = ""
    """The kind of peripheral of which any one was meant, by its name."""

    headers: Headers
    effects: list[Effect]
    _names: dict[str, Variable | None]
    _inits: int = 0

    def value_of_tokens(self, tokens: Sequence[str]) -> Value:
        """The value of an expression elsewhere in the code, its accesses left aside."""
        raise NotImplementedError

    def load(self, value: Value) -> Value:
        """The content of a place; other values as they are."""
        if not value.lvalue:
            return value
        type_ = value.type
        if type_.kind == "array":
            of = type_.of or UNKNOWN
            return msgspec.structs.replace(value, type=pointer(of), lvalue=False, name=value.name)
        if type_.kind == "function":
            return Value(type_)
        held = self._held(value)
        if held is not None:
            return held
        self.effects.append(Effect(value, "read"))
        if type_.kind == "pointer":
            return Value(type_, (self.some(type_.of or UNKNOWN),))
        if type_.kind == "int" and type_.size == 4 and _is_variable(value):
            return Value(type_, (SOME,))  # it may be the base address of something
        return Value(type_)

    def some(self, of: Type) -> Spot:
        """The place a pointer of unknown content points at."""
        if of.kind in ("struct", "union") and of.name:
            return Spot(f"any {of.name}", 0)
        return SOME

    def _held(self, value: Value) -> Value | None:
        """What a variable is known to hold."""
        if value.spots is None or len(value.spots) == 0:
            return None
        base = value.spots[0].base
        if not base.startswith("var "):
            return None
        name = base[4:]
        variable = self._names.get(name)
        if variable is None:
            return None
        if variable.parts:
            return self._initialised(value, variable)
        if len(value.spots) == 1 and value.spots[0].offset == 0 and value.type == variable.type:
            return variable.value
        return None

    def _initialised(self, value: Value, variable: Variable) -> Value | None:
        """A part of an initialiser in braces."""
        if value.vague:
            return None
        found: Value | None = None
        for spot in value.spots or ():
            tokens = self._part(variable.type, list(variable.parts), spot.offset, value.type)
            if tokens is None:
                return None
            self._inits += 1
            if self._inits > _MAX_INSIDE:
                raise TooLong
            one = self.settled(tokens)
            if one.spots is None:
                return None
            found = one if found is None else merged(found, one)
        return found

    def settled(self, tokens: Sequence[str]) -> Value:
        """The value of an initialiser, in which the names of peripherals count."""
        known = self.known
        self.known = known.whole if known is not None else None
        try:
            return self.value_of_tokens(tokens)
        finally:
            self.known = known

    def _part(self, type_: Type, tokens: list[str], at: int, wanted: Type) -> list[str] | None:
        """The tokens that initialise what is ``at`` bytes into a variable of ``type_``."""
        reader = self.headers.reader
        for _ in range(8):
            if not tokens or tokens[0] != "{":
                return tokens if at == 0 and tokens else None
            parts = comma_parts(tokens[1:-1])
            if type_.kind == "array":
                of = type_.of or UNKNOWN
                size = reader.size_of(of)
                if not size:
                    return None
                index, at = divmod(at, size)
                place = -1
                for part in parts:
                    place += 1
                    if part[0] == "[" and "]" in part:
                        number = self.headers.value_of(part[1 : part.index("]")])
                        if number is None:
                            return None
                        place = number
                        part = part[part.index("]") + 2 :]
                    if place == index:
                        tokens, type_ = part, of
                        break
                else:
                    return None
                continue
            layout = reader.layout_of(type_)
            if layout is None:
                return None
            members = list(layout.members.values())
            follow: list[str] | None = None
            for i, part in enumerate(parts):
                if part[0] == "." and len(part) > 3 and part[2] == "=":
                    member = layout.members.get(part[1])
                    inner = part[3:]
                else:
                    member = members[i] if i < len(members) else None
                    inner = part
                if member is None:
                    continue
                size = reader.size_of(member.type)
                if member.offset <= at < member.offset + size:
                    follow, at, type_ = inner, at - member.offset, member.type
                    break
            if follow is None:
                return None
            tokens = follow
        return None

    def reference(self, value: Value) -> Value:
        """``&value``."""
        if not value.lvalue:
            return Value(pointer(value.type))
        return msgspec.structs.replace(
            value, type=pointer(value.type), lvalue=False, bits=None, name=""
        )

    def dereference(self, value: Value) -> Value:
        """``*value``."""
        value = self.load(value)
        of = value.type.of if value.type.kind in ("pointer", "array") else None
        if value.type.kind == "function" or (of is not None and of.kind == "function"):
            return Value(UNKNOWN)
        if value.type.kind == "int" and value.spots is not None:
            return Value(UNKNOWN, None, lvalue=True)
        return msgspec.structs.replace(value, type=of or UNKNOWN, lvalue=True, bits=None, name="")

    def member(self, value: Value, name: str) -> Value:
        """``value.name``."""
        layout = self.headers.reader.layout_of(value.type)
        if layout is None or name not in layout.members or not layout.certain:
            spots = value.spots
            inside = spots is not None and all(s.base.startswith("var ") for s in spots)
            return Value(UNKNOWN, spots if inside else None, lvalue=True, name=name)
        member = layout.members[name]
        if not value.lvalue:
            return Value(member.type, None, lvalue=True)
        return msgspec.structs.replace(
            value.at(member.offset, member.type, member.bits),
            name=value.name,
            words=(*value.words[-4:], name),
        )

    def element(self, value: Value, index: Value) -> Value:
        """``value[index]``."""
        count: int | None = None
        if value.lvalue and value.type.kind == "array":
            count = value.type.count
        elif value.type.kind == "array":
            count = value.type.count
        if value.type.kind == "array" and count is None:
            count = self._given(value)
        before = value
        value = self.load(value) if value.type.kind != "array" else value
        of = value.type.of
        if value.type.kind not in ("pointer", "array") or of is None:
            return Value(UNKNOWN, None, lvalue=True)
        size = self.headers.reader.size_of(of)
        if value.spots is None or not size:
            return Value(of, None, lvalue=True)
        if _within(index, count):
            if len(value.spots) * len(index.spots or ()) <= MAX_SPOTS:
                spots = tuple(
                    Spot(s.base, s.offset + i.offset * size)
                    for s in value.spots
                    for i in index.spots or ()
                )
                dynamic = value.dynamic or len(index.spots or ()) > 1
                return Value(of, spots, True, dynamic, value.vague, None, before.name, value.words)
        if count is not None and 0 < count * len(value.spots) <= MAX_SPOTS:
            spots = tuple(
                Spot(s.base, s.offset + i * size) for s in value.spots for i in range(count)
            )
            return Value(of, spots, True, True, value.vague, None, before.name, value.words)
        return Value(of, value.spots, True, True, True, None, before.name)

    def _given(self, value: Value) -> int | None:
        """How many elements the initialiser of an array gives."""
        variable = self._names.get(value.name) if value.name else None
        if variable is None or not variable.parts or variable.type != value.type:
            return None
        parts = comma_parts(variable.parts[1:-1])
        return None if any(part[0] == "[" for part in parts) else len(parts)

    def cast(self, value: Value, type_: Type) -> Value:
        """``(type)value``, loaded."""
        if type_.kind == "unknown" and type_.name not in ("void",):
            return value if type_.name else Value(type_)
        if type_.kind == "int" and value.spots is not None and type_.size:
            spots = tuple(
                Spot(s.base, truncated(s.offset, type_)) if not s.base else s for s in value.spots
            )
            if type_.size < 4 and any(s.base for s in spots):
                return Value(type_)
            value = msgspec.structs.replace(value, spots=spots)
        if type_.kind == "pointer" and value.spots is not None:
            spots = tuple(Spot(s.base, address(s.offset)) if not s.base else s for s in value.spots)
            value = msgspec.structs.replace(value, spots=spots)
            of = type_.of or UNKNOWN
            if len(spots) == 1 and spots[0] == SOME and of.kind in ("struct", "union"):
                value = msgspec.structs.replace(value, spots=(self.some(of),))
        return msgspec.structs.replace(value, type=type_, bits=None, name="")


def _is_variable(value: Value) -> bool:
    return value.spots is not None and all(s.base.startswith("var ") for s in value.spots)


def _within(index: Value, count: int | None) -> bool:
    """Whether all an index may be is known, and inside an array of ``count`` elements."""
    spots = index.spots
    if spots is None or index.vague or any(s.base for s in spots):
        return False
    if count is None or len(spots) == 1:
        return True
    return all(0 <= s.offset < count for s in spots)


def plain_name(tokens: Sequence[str]) -> str:
    """The identifier that stands alone in ``tokens``, "" where more does."""
    return tokens[0] if len(tokens) == 1 and is_word(tokens[0]) else ""
