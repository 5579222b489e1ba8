"""Pieces of functions: parameters, declarations, branches, and the bits an access reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.constants import element_size, type_name
from datasheet_lsp.firmware.evaluate import named_type
from datasheet_lsp.firmware.resolve import Resolved
from datasheet_lsp.firmware.syntax import View, only_child
from datasheet_lsp.firmware.tokens import is_name, tokens
from datasheet_lsp.model import Register

_LEAVING = frozenset(
    ("return_statement", "break_statement", "continue_statement", "goto_statement")
)


def parameters_of(function: Node) -> Iterator[Node]:
    """The parameters a function is defined with."""
    declarator = function.child_by_field_name("declarator")
    for _ in range(20):
        if declarator is None:
            return
        parameters = declarator.child_by_field_name("parameters")
        if parameters is not None:
            yield from (p for p in parameters.named_children if p.type != "comment")
            return
        declarator = declarator.child_by_field_name("declarator")


def leaves(branch: Node | None) -> bool:
    """Whether control does not come out at the end of a branch."""
    if branch is None:
        return False
    if branch.type in ("compound_statement", "else_clause"):
        inner = [child for child in branch.named_children if child.type != "comment"]
        return bool(inner) and leaves(inner[-1])
    return branch.type in _LEAVING


def kind_of(declaration: str) -> tuple[int, bool] | None:
    """The type of a declaration such as ``uint32_t a, b = 3`` whatever follows its type."""
    if "*" in declaration or "[" in declaration:
        return None
    words = []
    for token in tokens(declaration):
        if not is_name(token):
            break
        words.append(token)
    return named_type(words[:-1]) if len(words) > 1 else None


def moved(resolved: Resolved, start: int, end: int) -> Resolved:
    """What a macro names, at the place of its call."""
    return msgspec.structs.replace(resolved, start=start, end=end)


def reached(
    view: View,
    resolved: Resolved,
    left: Node,
    register: Register,
    value_of: Callable[[str], int | None],
) -> tuple[int, int] | None:
    """Lowest bit and width of what an access reaches of a register, None for all of it.

    The lowest bit is -1 where it is not known.
    """
    size, address = resolved.size, resolved.address
    inner: Node | None = left
    while inner is not None and inner.type == "parenthesized_expression":
        inner = only_child(inner)
    if inner is not None and inner.type == "pointer_expression":
        pointer = inner.child_by_field_name("argument")
        while pointer is not None and pointer.type == "parenthesized_expression":
            pointer = only_child(pointer)
        if pointer is not None and pointer.type == "cast_expression":
            kind = pointer.child_by_field_name("type")
            size = (element_size(type_name(view, kind)) if kind is not None else None) or size
            at = pointer.child_by_field_name("value")
            if address is None and at is not None:
                address = value_of(view.text(at))
    start = 0
    if size and size * 8 < register.size:
        distance = -1 if address is None else address - resolved.locations[0].address
        if not 0 <= distance < register.size_bytes:
            return -1, size * 8
        start = distance * 8
    elif resolved.bits is None:
        return None
    if resolved.bits is not None:
        return start + resolved.bits[0], resolved.bits[1]
    return start, size * 8
