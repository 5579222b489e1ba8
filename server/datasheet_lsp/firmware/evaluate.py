"""The value of C expressions over macros and enumerators, as far as the code tells it.

Types are those of 32-bit microcontrollers: int, long and pointers have 32 bits, long long 64.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

from datasheet_lsp.firmware import bitvalues as bv
from datasheet_lsp.firmware.bitvalues import UNKNOWN, Value
from datasheet_lsp.firmware.tokens import Names, TooLong, expand, is_name, tokens

Operand = Callable[[tuple[str, ...]], Value | None]
"""The value of an operand that is no constant (``USART2 -> CR1``), None where it is not known."""

_MAX_DEPTH = 200
_INTEGER = re.compile(
    r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)((?:[uU](?:ll|LL|[lLzZ])?|(?:ll|LL|[lLzZ])[uU]?)?)"
)

TYPES: dict[str, tuple[int, bool]] = {
    "char": (8, False), "signed char": (8, True), "unsigned char": (8, False),
    "short": (16, True), "unsigned short": (16, False), "int": (32, True),
    "unsigned": (32, False), "long": (32, True), "unsigned long": (32, False),
    "long long": (64, True), "unsigned long long": (64, False),
    "int8_t": (8, True), "uint8_t": (8, False), "int16_t": (16, True), "uint16_t": (16, False),
    "int32_t": (32, True), "uint32_t": (32, False), "int64_t": (64, True), "uint64_t": (64, False),
    "intptr_t": (32, True), "uintptr_t": (32, False), "size_t": (32, False), "uint": (32, False),
    "s8": (8, True), "u8": (8, False), "s16": (16, True), "u16": (16, False),
    "s32": (32, True), "u32": (32, False), "u64": (64, False), "vu32": (32, False),
    "vu16": (16, False), "vu8": (8, False), "RwReg": (32, False), "RoReg": (32, False),
    "WoReg": (32, False),
}  # fmt: skip
_TYPE_WORDS = frozenset(
    ("char", "short", "int", "unsigned", "signed", "long", "float", "double", "void", "struct",
     "union", "enum", "_Bool", "bool")
)  # fmt: skip
_QUALIFIERS = frozenset(
    ("const", "volatile", "register", "__IO", "__I", "__O", "__IM", "__OM", "__IOM", "restrict",
     "__restrict", "__volatile__", "__volatile", "inline")
)  # fmt: skip

_BINARY: dict[str, int] = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, ">": 7, "<=": 7,
    ">=": 7, "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_COMPARE = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def evaluate(
    text: str | Sequence[str],
    names: Names,
    operand: Operand | None = None,
    *,
    expanded: bool = False,
) -> Value:
    """The value of an expression; what is not known of it stays unknown. Never raises.

    ``operand`` is asked for what is no constant. ``expanded`` says that ``text`` are tokens with
    all macros put in.
    """
    try:
        given = tokens(text) if isinstance(text, str) else text
        parser = _Parser(given if expanded else expand(given, names), names, operand)
        value = parser.comma(0)
        return value if parser.at == len(parser.tokens) else UNKNOWN
    except (TooLong, _NotUnderstood, RecursionError):
        return UNKNOWN


def constant(text: str, names: Names) -> int | None:
    """The number an expression stands for, None unless all of it is known."""
    return evaluate(text, names).constant


def literal(token: str) -> Value | None:
    """The value of an integer or character literal with its type, else None."""
    if token[0].isdigit():
        found = _INTEGER.fullmatch(token.replace("'", ""))
        if found is None:
            return None
        digits, suffix = found[1], found[2].lower()
        if digits[:2].lower() in ("0x", "0b"):
            value, decimal = int(digits, 0), False
        elif digits[0] == "0":
            if digits.strip("01234567"):
                return None
            value, decimal = int(digits, 8), False
        else:
            value, decimal = int(digits), True
        bits = 64 if "ll" in suffix or value >> 32 else 32
        signed = "u" not in suffix
        if signed and value >> (bits - 1):
            if decimal and bits == 32:
                bits = 64
            else:
                signed = False
        return bv.number(value, bits, signed) if not value >> 64 else None
    if token[-1] == "'":
        inner = token[token.index("'") + 1 : -1]
        if len(inner) == 1 and ord(inner) < 128:
            return bv.number(ord(inner))
        if inner[:1] == "\\":
            simple = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}
            if inner[1:] in simple:
                return bv.number(simple[inner[1:]])
            if inner[1:] in ("'", '"', "\\", "?"):
                return bv.number(ord(inner[1]))
            if re.fullmatch(r"x[0-7][0-9a-fA-F]?", inner[1:]):
                return bv.number(int(inner[2:], 16))
    return None


def named_type(words: Sequence[str]) -> tuple[int, bool] | None:
    """Bits and signedness of an integer type or pointer, None for other types."""
    plain = [word for word in words if word not in _QUALIFIERS]
    if plain and plain[-1] == "*":
        return 32, False
    key = " ".join(plain)
    if key in TYPES:
        return TYPES[key]
    if not plain or not all(word in _TYPE_WORDS for word in plain):
        return None
    signed = "unsigned" not in plain
    for name, bits in (("char", 8), ("short", 16)):
        if name in plain:
            return bits, signed
    if plain.count("long") == 2:
        return 64, signed
    if set(plain) <= {"unsigned", "signed", "int", "long"}:
        return 32, signed
    return None


class _NotUnderstood(Exception):
    pass


class _Parser:
    """Reads tokens by precedence. ``at`` is the next token."""

    def __init__(self, given: Sequence[str], names: Names, operand: Operand | None) -> None:
        self.tokens = given
        self.at = 0
        self._names = names
        self._operand = operand

    def _peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def _take(self, wanted: str) -> None:
        if self._peek() != wanted:
            raise _NotUnderstood
        self.at += 1

    def comma(self, depth: int) -> Value:
        value = self._ternary(depth)
        while self._peek() == ",":
            self.at += 1
            value = self._ternary(depth)
        return value

    def _ternary(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise _NotUnderstood
        condition = self._binary(1, depth + 1)
        if self._peek() != "?":
            return condition
        self.at += 1
        if self._peek() == ":":
            yes = condition
        else:
            yes = self.comma(depth + 1)
        self._take(":")
        no = self._ternary(depth + 1)
        chosen = _truth(condition)
        if chosen is None:
            return bv.merged(yes, no)
        a, b = bv.common(yes, no)
        return a if chosen else b

    def _binary(self, lowest: int, depth: int) -> Value:
        value = self._unary(depth)
        while (level := _BINARY.get(self._peek(), 0)) >= lowest:
            sign = self._peek()
            self.at += 1
            value = binary(sign, value, self._binary(level + 1, depth + 1))
        return value

    def _unary(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise _NotUnderstood
        token = self._peek()
        if not token:
            raise _NotUnderstood
        if token in ("-", "+", "~", "!"):
            self.at += 1
            return unary(token, self._unary(depth + 1))
        if token in ("*", "&"):
            start = self.at
            self.at += 1
            self._unary(depth + 1)
            return self._ask(start) if token == "*" else bv.unknown(32, False)
        if token in ("sizeof", "_Alignof", "alignof"):
            return self._sizeof(depth)
        if token in ("++", "--"):
            raise _NotUnderstood
        if token == "(":
            close = self._closing(self.at)
            words = self._cast(self.at + 1, close)
            if words is not None:
                self.at = close + 1
                return cast(words, self._unary(depth + 1))
            if self._peek(1) == "{":
                raise _NotUnderstood
        return self._postfix(depth)

    def _closing(self, at: int) -> int:
        depth = 0
        for i in range(at, len(self.tokens)):
            if self.tokens[i] == "(":
                depth += 1
            elif self.tokens[i] == ")":
                depth -= 1
                if depth == 0:
                    return i
        raise _NotUnderstood

    def _cast(self, start: int, end: int) -> list[str] | None:
        """The words of the type in brackets, None where they hold an expression."""
        words = list(self.tokens[start:end])
        if not words or not all(is_name(word) or word == "*" for word in words):
            return None
        if words[0] == "*" or "sizeof" in words:
            return None
        if named_type(words) is not None or words[0] in _TYPE_WORDS or words[0] in _QUALIFIERS:
            return words
        following = self.tokens[end + 1] if end + 1 < len(self.tokens) else ""
        if words[-1] == "*":
            return words
        if len(words) > 1:
            return words if all(is_name(word) for word in words) else None
        # (name) before a value: a type, unless the name has a value itself.
        if self._names(words[0]) is not None or not following:
            return None
        begins = is_name(following) or following[0].isdigit() or following in ("(", "~")
        if following == "(" and not words[0].endswith("_t"):
            return None
        return words if begins else None

    def _postfix(self, depth: int) -> Value:
        start = self.at
        token = self._peek()
        value: Value | None
        if token == "(":
            self.at += 1
            value = self.comma(depth + 1)
            self._take(")")
        elif is_name(token):
            self.at += 1
            value = None
            meaning = self._names(token)
            if isinstance(meaning, int):
                value = bv.number(meaning, 64 if meaning >> 32 else 32, meaning < 1 << 31)
        else:
            value = literal(token)
            self.at += 1
            if value is None and not (token[0].isdigit() or token[0] == "." or token[-1] in "'\""):
                raise _NotUnderstood
            return UNKNOWN if value is None else value
        chain = False
        while (token := self._peek()) in ("[", "(", ".", "->", "++", "--"):
            chain = True
            if token in ("[", "("):
                self.at = self._bracket(token)
            elif token in (".", "->"):
                self.at += 2
            else:
                raise _NotUnderstood
        if chain or value is None:
            return self._ask(start)
        return value

    def _bracket(self, opening: str) -> int:
        closing = "]" if opening == "[" else ")"
        depth = 0
        for i in range(self.at, len(self.tokens)):
            if self.tokens[i] == opening:
                depth += 1
            elif self.tokens[i] == closing:
                depth -= 1
                if depth == 0:
                    return i + 1
        raise _NotUnderstood

    def _ask(self, start: int) -> Value:
        value = self._operand(tuple(self.tokens[start : self.at])) if self._operand else None
        return UNKNOWN if value is None else value

    def _sizeof(self, depth: int) -> Value:
        self.at += 1
        if self._peek() == "(":
            close = self._closing(self.at)
            words = self.tokens[self.at + 1 : close]
            self.at = close + 1
            kind = named_type(words)
            if kind is not None:
                return bv.number(kind[0] // 8, 32, False)
        else:
            self._unary(depth + 1)
        return bv.unknown(32, False)


_BIT = Value(32, True, (1 << 32) - 2, 0)
"""The result of a comparison that is not decided: 0 or 1."""


def _truth(value: Value) -> bool | None:
    if value.value:
        return True
    return False if value.known == value.mask else None


def unary(sign: str, value: Value) -> Value:
    """``-``, ``+``, ``~`` or ``!`` of a value."""
    if sign == "~":
        return bv.invert(value)
    if sign == "!":
        truth = _truth(value)
        return _BIT if truth is None else bv.number(int(not truth))
    value = bv.promote(value)
    if sign == "+":
        return value
    return bv.arithmetic(bv.convert(bv.number(0), value.bits, value.signed, value.vague), value,
                         operator.sub)  # fmt: skip


def binary(sign: str, a: Value, b: Value) -> Value:
    """A binary operation of C, the assignments left aside."""
    if sign in ("&", "|", "^"):
        return {"&": bv.both, "|": bv.either, "^": bv.differing}[sign](a, b)
    if sign in ("<<", ">>"):
        by = b.constant
        a = bv.promote(a)
        if by is None or not 0 <= by < a.bits or (a.vague and by >= 32):
            return UNKNOWN if a.vague else bv.unknown(a.bits, a.signed)
        return bv.left(a, by) if sign == "<<" else bv.right(a, by)
    if sign in ("&&", "||"):
        truths = _truth(a), _truth(b)
        deciding = sign == "||"
        if deciding in truths:
            return bv.number(int(deciding))
        return _BIT if None in truths else bv.number(int(not deciding))
    if sign in ("+", "-", "*"):
        work = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
        return bv.arithmetic(a, b, work)
    a, b = bv.common(a, b)
    x, y = (None, None) if a.vague else (a.constant, b.constant)
    if sign in _COMPARE:
        if x is None or y is None:
            return _BIT
        return bv.number(int(_COMPARE[sign](x, y)))
    if x is None or y is None or y == 0:
        return UNKNOWN if a.vague else bv.unknown(a.bits, a.signed)
    quotient = abs(x) // abs(y)
    quotient = -quotient if (x < 0) != (y < 0) else quotient
    result = quotient if sign == "/" else x - quotient * y
    return bv.number(result, a.bits, a.signed)


def cast(words: Sequence[str], value: Value) -> Value:
    """``value`` as the type that ``words`` name."""
    if set(words) & {"_Bool", "bool"} and "*" not in words:
        truth = _truth(value)
        return bv.number(int(truth), 8, False) if truth is not None else bv.convert(_BIT, 8, False)
    kind = named_type(words)
    if kind is not None:
        return bv.convert(value, *kind)
    if set(words) & {"float", "double", "void", "struct", "union"}:
        return UNKNOWN
    # A type of a name that says nothing: any integer type takes what fits into seven bits.
    number = value.constant
    return value if number is not None and 0 <= number < 128 else UNKNOWN
