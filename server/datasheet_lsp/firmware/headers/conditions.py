"""Which branch of an ``#if`` holds, as far as that is known."""

from __future__ import annotations

from collections.abc import Callable

from datasheet_lsp.firmware.headers.numbers import number
from datasheet_lsp.firmware.headers.tokens import Expander, Find, TooLong, is_word, split

Defined = Callable[[str], bool | None]
"""Whether a macro is defined; None where the command line of the compiler may do it."""

_ORDER = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_MAX_DEPTH = 80


def holds(text: str, find: Find, defined: Defined, *, closed: bool) -> bool | None:
    """Whether the expression of an ``#if`` is true; None where that is not known.

    With ``closed`` a macro that no header defines is undefined, as it is to the compiler when its
    command line does not define it. Never raises.
    """
    plain = text.removeprefix("!")
    if plain.startswith("defined ") and plain[8:].isidentifier():  # most of them
        known = defined(plain[8:])
        if known is None:
            return (plain is not text) if closed else None
        return known is (plain is text)
    try:
        tokens = _answered(split(text), defined, closed)
        tokens = Expander(find).expand(tokens)
        value, at = _Parser(tokens, closed).binary(0, 0)
    except (TooLong, IndexError, RecursionError):
        return False if closed else None
    if value is None:
        return False if closed else None
    return bool(value)


_UNSURE = "?unsure"


def _answered(tokens: tuple[str, ...], defined: Defined, closed: bool) -> list[str]:
    """``tokens`` with 1 or 0 for each ``defined``, before macros are put in."""
    out: list[str] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token in ("defined", "__has_include", "__has_attribute", "__has_builtin"):
            bracket = tokens[i + 1 : i + 2] == ("(",)
            at = i + 2 if bracket else i + 1
            name = tokens[at] if at < len(tokens) else "0"
            known = defined(name) if token == "defined" else False
            if known is None and closed:
                known = False
            out.append(_UNSURE if known is None else "1" if known else "0")
            i = at + 1
            if bracket:
                while i < len(tokens) and tokens[i] != ")":
                    i += 1
                i += 1
            continue
        out.append(token)
        i += 1
    return out


class _Parser:
    def __init__(self, tokens: list[str], closed: bool) -> None:
        self._tokens = [*tokens, ""]
        self._closed = closed

    def binary(self, at: int, level: int) -> tuple[int | None, int]:
        left, at = self._unary(at, 0)
        while (order := _ORDER.get(self._tokens[at], 0)) > level:
            operator = self._tokens[at]
            right, at = self.binary(at + 1, order)
            left = _apply(operator, left, right)
        if level == 0 and self._tokens[at] == "?":
            yes, at = self.binary(at + 1, 0)
            if self._tokens[at] == ":":
                no, at = self.binary(at + 1, 0)
                left = None if left is None else yes if left else no
        return left, at

    def _unary(self, at: int, depth: int) -> tuple[int | None, int]:
        if depth > _MAX_DEPTH:
            raise TooLong
        token = self._tokens[at]
        if token in ("!", "-", "+", "~"):
            value, at = self._unary(at + 1, depth + 1)
            if value is None:
                return None, at
            return {"!": int(not value), "-": -value, "+": value, "~": ~value}[token], at
        if token == "(":
            value, at = self.binary(at + 1, 0)
            return value, at + 1 if self._tokens[at] == ")" else at
        if token == _UNSURE:
            return None, at + 1
        if not token:
            return None, at
        if token[0].isdigit():
            return number(token), at + 1
        if is_word(token):
            at += 1
            if self._tokens[at] == "(":  # a function macro nobody defines
                depth = 0
                while self._tokens[at]:
                    depth += {"(": 1, ")": -1}.get(self._tokens[at], 0)
                    at += 1
                    if not depth:
                        break
                return None, at
            return (1 if token == "true" else 0) if self._closed or token == "false" else None, at
        return None, at + 1


def _apply(operator: str, a: int | None, b: int | None) -> int | None:
    if operator == "||":
        if a or b:
            return 1
        return None if a is None or b is None else 0
    if operator == "&&":
        if a == 0 or b == 0:
            return 0
        return None if a is None or b is None else 1
    if a is None or b is None:
        return None
    if operator in ("<<", ">>"):
        if not 0 <= b < 128 or a.bit_length() > 128:
            return None
        return a << b if operator == "<<" else a >> b
    if operator in ("/", "%"):
        return None if b == 0 else a // b if operator == "/" else a % b
    if operator == "*":
        return a * b if a.bit_length() + b.bit_length() < 256 else None
    return {
        "|": a | b, "^": a ^ b, "&": a & b, "==": int(a == b), "!=": int(a != b), "<": int(a < b),
        ">": int(a > b), "<=": int(a <= b), ">=": int(a >= b), "+": a + b, "-": a - b,
    }.get(operator)  # fmt: skip
