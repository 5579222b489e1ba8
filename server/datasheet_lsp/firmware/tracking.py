"""Local variables on the way to a register: ``tmp = R; tmp &= ~MASK; tmp |= x; R = tmp;``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from datasheet_lsp.firmware import bitvalues as bv
from datasheet_lsp.firmware.bitvalues import UNKNOWN, Value
from datasheet_lsp.firmware.evaluate import binary, evaluate
from datasheet_lsp.firmware.tokens import Names, TooLong, expand, is_name, tokens

_CHANGED = re.compile(
    rb"([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)"
    rb"|(?:\+\+|--|&)\s*([A-Za-z_]\w*)"
)
_MAX_STEPS = 100


class Local:
    """What a local variable holds at one place, worked out when it is asked for."""

    def value(self, depth: int = 0) -> Value:
        """The value, unknown where it leads too far."""
        return UNKNOWN


class Assigned(Local):
    """The variable after an assignment. ``parts`` are the variables its text names, as they were.

    ``kind`` is bits and signedness of the variable.
    """

    def __init__(
        self,
        operator: str,
        text: str,
        parts: Mapping[str, Local],
        names: Names,
        before: Local | None,
        kind: tuple[int, bool],
    ) -> None:
        self._given = (operator, text, parts, names, before, kind)
        self._value: Value | None = None

    def value(self, depth: int = 0) -> Value:
        """The value, unknown where it leads too far."""
        if self._value is None:
            if depth > _MAX_STEPS:
                return UNKNOWN
            operator, text, parts, names, before, kind = self._given
            value = evaluated(text, names, parts, depth + 1)
            if operator != "=":
                old = UNKNOWN if before is None else before.value(depth + 1)
                value = binary(operator[:-1], old, value)
            self._value = bv.convert(value, *kind)
        return self._value


class Either(Local):
    """The variable after branches that left it different."""

    def __init__(self, a: Local, b: Local) -> None:
        self._both = a, b
        self._value: Value | None = None

    def value(self, depth: int = 0) -> Value:
        """What holds in both."""
        if self._value is None:
            if depth > _MAX_STEPS:
                return UNKNOWN
            self._value = bv.merged(*(one.value(depth + 1) for one in self._both))
        return self._value


Known = dict[str, Local]
"""The variables of which something is known."""


def evaluated(text: str, names: Names, parts: Mapping[str, Local], depth: int = 0) -> Value:
    """The value of an expression over variables, and over registers as they were before."""

    def operand(given: tuple[str, ...]) -> Value | None:
        if len(given) == 1 and is_name(given[0]):
            if given[0] in parts:
                return parts[given[0]].value(depth)
            if given[0].islower() or names(given[0]) is not None:
                return None
        return bv.before(" ".join(given), vague=True)

    return evaluate(text, names, operand)


def key_of(text: str, names: Names) -> str:
    """What a register is called among operands: its spelling with all macros put in."""
    try:
        given = expand(tokens(text), names)
    except (TooLong, RecursionError):
        return text
    while len(given) > 2 and given[0] == "(" and _closes(given):
        given = given[1:-1]
    return " ".join(given)


def _closes(given: list[str]) -> bool:
    """Whether the first bracket closes with the last."""
    depth = 0
    for i, token in enumerate(given):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return i == len(given) - 1
    return False


def changed_in(text: bytes) -> set[str]:
    """The names that a piece of code may change, as far as it is seen from outside."""
    return {(one or other).decode() for one, other in _CHANGED.findall(text)}


def changes_in(text: bytes) -> Counter[str]:
    """The same, with how often."""
    return Counter((one or other).decode() for one, other in _CHANGED.findall(text))


def joined(a: Known, b: Known) -> Known:
    """What is known after either branch."""
    merged: Known = {}
    for name, one in a.items():
        other = b.get(name)
        if other is one:
            merged[name] = one
        elif other is not None:
            merged[name] = Either(one, other)
    return merged


def without(known: Known, changed: set[str]) -> Known:
    """``known`` without the variables of ``changed``."""
    return {name: local for name, local in known.items() if name not in changed}
