"""Calls: functions with a body in a header are gone through, some are known by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from datasheet_lsp.firmware.conventions import ACCESS_FUNCTIONS, ALIAS_FUNCTIONS
from datasheet_lsp.firmware.headers.facts import UNKNOWN, Function
from datasheet_lsp.firmware.headers.stream import comma_parts
from datasheet_lsp.firmware.headers.tokens import TooLong, split
from datasheet_lsp.firmware.headers.types import UINT, fixed, pointer
from datasheet_lsp.firmware.meaning.places import Places
from datasheet_lsp.firmware.meaning.value import Effect, Spot, Value, Variable, constant, merged

MAX_CALLS = 5
_MAX_SOURCES = 2
_OFFSET = frozenset(("offsetof", "__builtin_offsetof", "OFFSETOF"))
_IDENTITY = frozenset(("__builtin_expect", "__builtin_assume_aligned", "likely", "unlikely"))


class Calls(Places):
    """Calls of functions. A base of the machine."""

    _tokens: list[str]
    _at: int
    _calls: int
    _returned: list[Value]
    _names: dict[str, Variable | None]

    def _between(self) -> list[str]:
        raise NotImplementedError

    def _inside(self, tokens: list[str], read: Callable[[], Value]) -> Value:
        raise NotImplementedError

    def _expanded(self, tokens: Sequence[str]) -> list[str]:
        raise NotImplementedError

    def _assignment(self) -> Value:
        raise NotImplementedError

    def _block(self) -> Value:
        raise NotImplementedError

    def _call(self, name: str) -> Value | None:
        """The call of ``name``, whose ( comes next; None where it is no function."""
        if name in _OFFSET:
            return self._offset()
        inner = self._between()
        known = fixed(name)
        if known is not None:  # uint32_t(x), the cast of C++
            return self.cast(self.load(self._inside(list(inner), self._assignment)), known)
        parts = comma_parts(inner)
        before = len(self.effects)
        values = [self.load(self._inside(part, self._assignment)) for part in parts]
        if name in _IDENTITY:
            return values[0] if values else Value()
        function = self.headers.function(name, sources=self._calls < _MAX_SOURCES)
        if function is not None and self._calls < MAX_CALLS:
            return self._through(function, values)
        if name in ACCESS_FUNCTIONS:
            del self.effects[before:]
            return self._accesses(name, values, before)
        if name in ALIAS_FUNCTIONS and values:
            return values[0]
        if self.known is not None and (named := self.known.call(name, values)) is not None:
            self.through = self.through or named[1]
            del self.effects[before:]
            return named[0]
        declared = self.headers.declared(name)
        if declared is not None and declared.type.of is not None:
            return Value(declared.type.of)
        return Value()

    def _offset(self) -> Value:
        parts = comma_parts(self._between())
        if len(parts) != 2:
            return Value(UINT)
        type_ = self.headers.reader.type_name(parts[0])
        if type_ is None:
            return Value(UINT)
        place = Value(type_, (Spot("", 0),), True)
        tokens = list(parts[1])
        at = 0
        place = self.member(place, tokens[0]) if tokens else place
        at = 1
        while at < len(tokens):
            if tokens[at] == "." and at + 1 < len(tokens):
                place = self.member(place, tokens[at + 1])
                at += 2
            elif tokens[at] == "[" and "]" in tokens[at:]:
                end = tokens.index("]", at)
                n = self.headers.value_of(tokens[at + 1 : end])
                place = self.element(place, Value(UINT) if n is None else constant(n, UINT))
                at = end + 1
            else:
                return Value(UINT)
        if place.spots is None:
            return Value(UINT)
        return Value(UINT, place.spots, dynamic=place.dynamic)

    def _through(self, function: Function, values: list[Value]) -> Value:
        """Goes through the body of a function with its parameters known as far as they are."""
        names, returned = self._names, self._returned
        self._names = {}
        self._returned = []
        outer, self._outer = getattr(self, "_outer", None), None
        self._calls += 1
        try:
            for i, (name, type_) in enumerate(function.parameters):
                given = values[i] if i < len(values) else Value()
                value = self.cast(given, type_) if given.spots is not None else None
                if value is None and type_.kind == "pointer":
                    value = Value(type_, (self.some(type_.of or UNKNOWN),))
                if name:
                    self._names[name] = Variable(type_, value)
            body = self._expanded(split(function.body))
            self._inside(body, self._block)
            result: Value | None = None
            for one in self._returned:
                result = one if result is None else merged(result, one)
            return result or Value()
        finally:
            self._names, self._returned, self._outer = names, returned, outer
            self._calls -= 1

    def _accesses(self, name: str, values: list[Value], before: int) -> Value:
        """A function known to access the memory at one of its arguments."""
        place, how, size = ACCESS_FUNCTIONS[name]
        if place >= len(values):
            return Value()
        target = values[place]
        type_ = fixed(f"uint{size * 8}_t") or UNKNOWN
        if target.spots is not None:
            self.effects.append(Effect(self.dereference(self.cast(target, pointer(type_))), how))
        return Value(type_)


__all__ = ["Calls", "TooLong"]
