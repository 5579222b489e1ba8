"""The value of constant C expressions."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from datasheet_lsp.firmware.syntax import View, only_child

Names = Callable[[str], int | None]
"""The number a name stands for, None where it is unknown."""

_MAX_DEPTH = 64
_MAX_SHIFT = 128

_WIDTHS = {
    "uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64, "uintptr_t": 32, "u8": 8,
    "u16": 16, "u32": 32, "unsigned": 32, "unsigned int": 32, "unsigned long": 32,
    "unsigned char": 8, "unsigned short": 16, "uint": 32, "size_t": 32,
}  # fmt: skip
_SIGNED = frozenset(("int", "long", "int32_t", "signed", "signed int", "long long", "int64_t"))


def evaluate(view: View, node: Node, names: Names, depth: int = 0) -> int | None:
    """The value of ``node``, None when it is not constant or not known here.

    Unsigned 32-bit wrap-around is left to the casts the code writes.
    """
    if depth > _MAX_DEPTH:
        return None
    kind = node.type
    if kind == "number_literal":
        return number(view.text(node))
    if kind == "parenthesized_expression":
        inner = only_child(node)
        return None if inner is None else evaluate(view, inner, names, depth + 1)
    if kind == "identifier":
        return names(view.text(node))
    if kind == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return None
        a = evaluate(view, left, names, depth + 1)
        b = None if a is None else evaluate(view, right, names, depth + 1)
        return None if a is None or b is None else _binary(operator.type, a, b)
    if kind == "unary_expression":
        argument = node.child_by_field_name("argument")
        operator = node.child_by_field_name("operator")
        value = None if argument is None else evaluate(view, argument, names, depth + 1)
        if value is None or operator is None:
            return None
        return {"-": -value, "+": value, "~": ~value, "!": int(not value)}.get(operator.type)
    if kind == "cast_expression":
        inner, type_ = node.child_by_field_name("value"), node.child_by_field_name("type")
        if inner is None or type_ is None:
            return None
        value = evaluate(view, inner, names, depth + 1)
        if value is None:
            return None
        name = type_name(view, type_)
        if name.endswith("*"):
            return value & 0xFFFFFFFF
        if name in _WIDTHS:
            return value & ((1 << _WIDTHS[name]) - 1)
        return value if name in _SIGNED else None
    return None


def _binary(operator: str, a: int, b: int) -> int | None:
    if operator in ("<<", ">>"):
        if not 0 <= b <= _MAX_SHIFT or a.bit_length() > _MAX_SHIFT:
            return None
        return a << b if operator == "<<" else a >> b
    if operator in ("/", "%"):
        if b == 0 or a < 0 or b < 0:
            return None
        return a // b if operator == "/" else a % b
    if operator == "*":
        return None if max(a.bit_length(), b.bit_length()) > _MAX_SHIFT else a * b
    simple = {"+": a + b, "-": a - b, "|": a | b, "&": a & b, "^": a ^ b}
    return simple.get(operator)


def number(text: str) -> int | None:
    """The value of an integer literal of C: any base, any suffix, digit separators of C++."""
    text = text.replace("'", "").lower().rstrip("ulz")
    try:
        if text.startswith(("0x", "0b")):
            return int(text, 0)
        if len(text) > 1 and text.startswith("0"):
            return int(text, 8)
        return int(text)
    except ValueError:
        return None


_ELEMENTS = {
    "uint8_t": 1, "int8_t": 1, "char": 1, "u8": 1, "vu8": 1, "uint16_t": 2, "int16_t": 2,
    "short": 2, "u16": 2, "vu16": 2, "uint32_t": 4, "int32_t": 4, "int": 4, "unsigned": 4,
    "long": 4, "u32": 4, "vu32": 4, "uint": 4, "uint64_t": 8, "int64_t": 8, "u64": 8,
    "reg32_t": 4, "reg16_t": 2, "reg8_t": 1, "io_rw_32": 4, "io_ro_32": 4, "io_wo_32": 4,
}  # fmt: skip
_QUALIFIERS = frozenset(
    ("volatile", "const", "register", "__IO", "__I", "__O", "__IM", "__OM", "__IOM", "vo")
)


def type_name(view: View, node: Node) -> str:
    """A cast's type without qualifiers, ``uint32_t*``, ``unsigned int``."""
    words = view.text(node).replace("*", " * ").split()
    stars = words.count("*")
    return " ".join(w for w in words if w not in _QUALIFIERS and w != "*") + "*" * stars


def element_size(name: str) -> int | None:
    """Bytes of what a pointer to a number points at, None for other types.

    ``name`` is that of :func:`type_name`; int, long and pointers have 32 bits.
    """
    if not name.endswith("*") or name.endswith("**"):
        return None
    base = name[:-1].strip()
    if base in _ELEMENTS:
        return _ELEMENTS[base]
    words = base.split()
    if words and words[0] in ("unsigned", "signed") and len(words) == 2:
        return _ELEMENTS.get(words[1])
    return None
