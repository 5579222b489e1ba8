"""Numbers in the code that are bits of a register: ``R |= 0x2000``, ``if (R & (1 << 5))``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Location

if TYPE_CHECKING:
    from datasheet_lsp.firmware.accesses import Reader

_WITHIN = frozenset(("parenthesized_expression", "cast_expression"))
_POSITIONS = ("_POS", "_SHIFT", "_LSB", "_MSB", "_OFFSET", "_BIT", "_S")
_BITWISE = frozenset(("&", "|", "^", "==", "!="))
_MAX_UP = 30


class Number(msgspec.Struct, frozen=True):
    """An expression of constants used with the register at ``location``."""

    location: Location
    value: int
    expression: str
    start: int
    end: int


def number_at(reader: Reader, leaf: Node, offset: int) -> Number | None:
    """The number that the literal or name ``leaf`` is part of, None where it is no such number."""
    if leaf.type not in ("number_literal", "identifier"):
        return None
    node = _whole(reader, leaf)
    if node is None:
        return None
    value = reader.value(reader.text(node))
    if value is None or value == 0:
        return None
    access = _register_of(reader, node, offset)
    if access is None or access.register.size > 64:
        return None
    every = (1 << access.register.size) - 1
    if not value & every or (value > 0 and value > every):
        return None
    if access.field is not None:
        return None
    return Number(
        access.resolved.locations[0],
        value & every,
        " ".join(reader.text(node).split()),
        node.start_byte,
        node.end_byte,
    )


def _whole(reader: Reader, leaf: Node) -> Node | None:
    """``leaf`` with the shift it takes part in; None where it is but a position."""
    node = leaf
    shifted = False
    for _ in range(_MAX_UP):
        parent = node.parent
        if parent is None:
            return None
        kind = parent.type
        if kind == "binary_expression":
            operator = parent.child_by_field_name("operator")
            if operator is None or operator.type not in ("<<",):
                break
            shifted = True
        elif kind == "call_expression" or kind == "argument_list":
            # Within the arguments of a macro that makes a number: BIT(5).
            call = parent if kind == "call_expression" else parent.parent
            if call is None or call.type != "call_expression":
                return None
            if reader.value(reader.text(call)) is None:
                break
            shifted = True
            node = call
            continue
        elif kind not in _WITHIN:
            break
        node = parent
    if not shifted and leaf.type == "identifier":
        if reader.text(leaf).upper().endswith(_POSITIONS):
            return None
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _register_of(reader: Reader, node: Node, offset: int) -> RegisterAccess | None:
    """The register whose bits ``node`` is about: what is written, or what it is compared with."""
    near = [a for a in reader.near(offset) if a.statement[0] <= offset < a.statement[1]]
    outside = [a for a in near if not a.start <= offset < a.end or a.macro]
    up: Node | None = node
    for _ in range(_MAX_UP):
        parent = up.parent if up is not None else None
        if parent is None:
            return None
        kind = parent.type
        if kind == "binary_expression":
            operator = parent.child_by_field_name("operator")
            if operator is None or operator.type not in _BITWISE:
                return None
            inside = [
                a
                for a in outside
                if not a.writes and parent.start_byte <= a.start and a.end <= parent.end_byte
            ]
            if len(inside) == 1:
                return inside[0]
        elif kind == "assignment_expression":
            left = parent.child_by_field_name("left")
            found = [a for a in near if left is not None and a.start == left.start_byte]
            return found[0] if len(found) == 1 and found[0].writes else None
        elif kind == "argument_list":
            call = parent.parent
            found = [a for a in near if call is not None and a.start == call.start_byte and a.macro]
            writes = [a for a in found if a.writes]
            return writes[0] if len(writes) == 1 else None
        elif kind not in (*_WITHIN, "unary_expression"):
            return None
        up = parent
    return None
