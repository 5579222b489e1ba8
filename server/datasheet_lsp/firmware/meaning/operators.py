"""The binary operators of C over values."""

from __future__ import annotations

from datasheet_lsp.firmware.headers.facts import UNKNOWN, Type
from datasheet_lsp.firmware.headers.types import INT
from datasheet_lsp.firmware.meaning.value import MAX_SPOTS, Spot, Value

_MAX_BITS = 128
COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))

PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))


def scale(type_: Type, size: int) -> int:
    """The bytes that 1 means when it is added to a value of ``type_``."""
    return size if type_.kind in ("pointer", "array") else 1


def binary(operator: str, a: Value, b: Value, sizes: tuple[int, int]) -> Value:
    """``a operator b``, both loaded; ``sizes`` are the bytes each points at, 0 for no pointer."""
    type_ = _type(operator, a, b)
    if operator in ("+", "-"):
        return _sum(operator, a, b, sizes, type_)
    if a.spots is None or b.spots is None or a.vague or b.vague:
        return _early(operator, a, b, type_)
    if len(a.spots) * len(b.spots) > MAX_SPOTS:
        return Value(type_)
    spots: dict[Spot, None] = {}
    for x in a.spots:
        for y in b.spots:
            if x.base or y.base:
                if operator in ("==", "!=") and x.base == y.base != "?":
                    spots[Spot("", int((x.offset == y.offset) == (operator == "==")))] = None
                    continue
                return Value(type_)
            result = number(operator, x.offset, y.offset)
            if result is None:
                return Value(type_)
            spots[Spot("", result)] = None
    return Value(type_, tuple(spots), dynamic=a.dynamic or b.dynamic)


def _early(operator: str, a: Value, b: Value, type_: Type) -> Value:
    """What is known although one side is not."""
    known = a if a.number is not None else b
    if operator == "&&" and known.number == 0:
        return Value(INT, (Spot("", 0),))
    if operator == "||" and known.number:
        return Value(INT, (Spot("", 1),))
    if operator in ("&", "*") and known.number == 0:
        return Value(type_, (Spot("", 0),))
    return Value(type_)


def _type(operator: str, a: Value, b: Value) -> Type:
    if operator in COMPARISONS:
        return INT
    for one in (a, b):
        if one.type.kind in ("pointer", "array"):
            other = b if one is a else a
            if operator == "-" and other.type.kind in ("pointer", "array"):
                return INT
            return one.type
    if a.type.kind == "unknown" or b.type.kind == "unknown":
        return a.type if b.type.kind == "unknown" else b.type
    if operator in ("<<", ">>"):
        return a.type if a.type.size >= 4 else INT
    best = a.type if a.type.size >= b.type.size else b.type
    if a.type.size == b.type.size and best.signed:
        best = b.type if not b.type.signed else a.type
    return best if best.size >= 4 else INT


def _sum(operator: str, a: Value, b: Value, sizes: tuple[int, int], type_: Type) -> Value:
    sign = 1 if operator == "+" else -1
    x, y = sizes
    if x and y and operator == "-":
        if a.spots and b.spots and len(a.spots) == len(b.spots) == 1:
            if a.spots[0].base == b.spots[0].base != "?":
                return Value(INT, (Spot("", (a.spots[0].offset - b.spots[0].offset) // x),))
        return Value(INT)
    if _lost(a, b):
        a = Value(a.type)
    elif _lost(b, a):
        b = Value(b.type)
    if a.spots is None or b.spots is None:
        # A pointer, or an address as a number, to which something unknown is added.
        known = b if a.spots is None else a
        if known.spots is None or (known is b and operator == "-"):
            return Value(type_)
        if known is b and not y and x:
            return Value(type_)
        large = any(s.base or abs(s.offset) >= 0x1000 for s in known.spots)
        if not large and not (x and known is a):
            return Value(type_)
        return Value(type_, known.spots, dynamic=True, vague=True)
    if len(a.spots) * len(b.spots) > MAX_SPOTS:
        return Value(UNKNOWN)
    spots: dict[Spot, None] = {}
    for p in a.spots:
        for q in b.spots:
            left = p.offset * (y if y and not x else 1)
            right = q.offset * (x if x and not y else 1)
            if p.base and q.base:
                if p.base == q.base != "?" and operator == "-":
                    spots[Spot("", left - right)] = None
                    continue
                return Value(type_)
            if q.base and operator == "-":
                return Value(type_)
            spots[Spot(p.base or q.base, left + sign * right)] = None
    return Value(type_, tuple(spots), dynamic=a.dynamic or b.dynamic, vague=a.vague or b.vague)


def _lost(unknown: Value, other: Value) -> bool:
    """Whether a number of which nothing is known is added to an address: then it is no base."""
    return (
        unknown.spots is not None
        and unknown.type.kind == "int"
        and any(s.base == "?" for s in unknown.spots)
        and (other.spots is None or any(s.base or abs(s.offset) >= 0x1000 for s in other.spots))
    )


def number(operator: str, a: int, b: int) -> int | None:
    """The result for two numbers, None where there is none."""
    if operator in ("<<", ">>"):
        if not 0 <= b < _MAX_BITS or a.bit_length() > _MAX_BITS:
            return None
        return a << b if operator == "<<" else a >> b
    if operator in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b)
        if (a < 0) != (b < 0):
            quotient = -quotient
        return quotient if operator == "/" else a - b * quotient
    if operator == "*":
        return a * b if a.bit_length() + b.bit_length() <= 2 * _MAX_BITS else None
    return {
        "|": a | b, "^": a ^ b, "&": a & b, "==": int(a == b), "!=": int(a != b), "<": int(a < b),
        ">": int(a > b), "<=": int(a <= b), ">=": int(a >= b),
        "&&": int(bool(a and b)), "||": int(bool(a or b)),
    }.get(operator)  # fmt: skip
