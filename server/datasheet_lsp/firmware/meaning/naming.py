"""What names mean: variables, enumerators, macros that are numbers, what the device knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from datasheet_lsp.firmware.headers.facts import UNKNOWN
from datasheet_lsp.firmware.headers.tokens import is_word
from datasheet_lsp.firmware.headers.types import INT
from datasheet_lsp.firmware.meaning.places import Known
from datasheet_lsp.firmware.meaning.statements import Statements
from datasheet_lsp.firmware.meaning.value import Spot, Value, Variable, constant, merged
from datasheet_lsp.firmware.members import Part

_MAX_NAMED = 32


class Naming(Statements):
    """Names. A base of the machine, which reads expressions."""

    used: set[str]
    _outer: Callable[[str, Any], Variable | None] | None
    """The variable a name means in the function around; asked with the machine."""

    def _index(self) -> Value:
        raise NotImplementedError

    def _name(self, name: str) -> Value:
        if self._now == "(":
            found = self._call(name)
            if found is not None:
                return found
        while self._now == "::" and is_word(self._peek() or "?"):
            name = self._peek()
            self._at += 2
            if self._now == "(":
                return self._call(name) or Value()
        settled = self.headers.settled(name)
        if settled is not None:
            self.used |= settled[1]
            return settled[0]
        if name == "this":
            return self._this()
        if name in ("true", "false", "NULL", "nullptr"):
            return constant(int(name == "true"), INT)
        variable = self._local(name)
        if variable is not None:
            place = Value(variable.type, (Spot(f"var {name}", 0),), True, name=name)
            return place
        n = self.headers.constant(name)
        if n is not None:
            return constant(n, INT)
        declared = self._global(name)
        if declared is not None:
            symbol = self.headers.symbol(name)
            if symbol is not None:
                return Value(declared.type, (Spot("", symbol),), True)
            self._names[name] = declared
            return Value(declared.type, (Spot(f"var {name}", 0),), True, name=name)
        if self.known is not None and (named := self.known.name(name)) is not None:
            return named
        return Value(UNKNOWN, name=name)

    def _this(self) -> Value:
        variable = self._local("this")
        if variable is None:
            return Value()
        return Value(variable.type, (Spot(f"any {(variable.type.of or UNKNOWN).name}", 0),))

    def _local(self, name: str) -> Variable | None:
        if name not in self._names:
            self._names[name] = None
            if self._outer is not None:
                self._names[name] = self._outer(name, self)
        return self._names[name]

    def _global(self, name: str) -> Variable | None:
        declared = self.headers.declared(name)
        if declared is None:
            return None
        variable = Variable(declared.type)
        if declared.value and declared.value[0] == "{":
            variable.parts = declared.value
        return variable

    def _path(self, known: Known, value: Value) -> Value:
        """The members of a peripheral that only the device knows."""
        parts: list[Part] = []
        while self._now in ("->", ".", "["):
            if self._now == "[":
                index = self._index().number
                if parts:
                    parts[-1] = Part(parts[-1].name, (*parts[-1].indices, index))
                continue
            parts.append(Part(self._peek()))
            self._at += 2
        type_ = value.type.of if value.type.kind == "pointer" else value.type
        value = self.load(value)
        spots = value.spots or (Spot("", 0),)
        if type_ is not None and is_foreign(value) and spots[0].base:
            named = known.kind(type_.name, parts)
            self.through = self.through or (named[1] if named is not None else "")
            return named[0] if named is not None else Value(UNKNOWN, None, True)
        found: Value | None = None
        for spot in spots[:_MAX_NAMED]:
            one = known.path(type_ or UNKNOWN, spot.offset, parts)
            found = one if found is None else merged(found, one)
        return found or Value(UNKNOWN, None, True)


def is_named(value: Value) -> bool:
    """Whether it is a peripheral that only the device knows."""
    type_ = value.type.of if value.type.kind == "pointer" else value.type
    return type_ is not None and type_.name.startswith("=") and bool(value.spots)


def is_foreign(value: Value) -> bool:
    """Whether it is a pointer to a type that no header has, from a variable or to an address."""
    of = value.type.of if value.type.kind == "pointer" else None
    return of is not None and of.kind == "unknown" and bool(of.name) and bool(value.spots)
