"""C expressions as a base and what is done to it: members, indices, casts, dereferences."""

from __future__ import annotations

from typing import Literal

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.conventions import ALIAS_FUNCTIONS

StepKind = Literal["member", "index", "deref", "address", "cast"]

_MAX_STEPS = 200


class View:
    """A piece of C text with its tree: the file, or the body of a macro parsed by itself.

    ``shift`` added to a node's offset gives the offset in the file.
    """

    def __init__(
        self, data: bytes, root: Node, shift: int = 0, parameters: frozenset[str] = frozenset()
    ) -> None:
        self.data = data
        self.root = root
        self.shift = shift
        self.parameters = parameters

    def text(self, node: Node) -> str:
        """The text of ``node``."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def path_at(self, offset: int) -> list[Node]:
        """The nodes that contain the byte at ``offset`` of the file, the outermost first."""
        offset -= self.shift
        path = [self.root]
        cursor = self.root.walk()
        while cursor.goto_first_child_for_byte(offset) is not None:
            node = cursor.node
            if node is None or not node.start_byte <= offset < node.end_byte:
                break
            path.append(node)
        return path


class Step(msgspec.Struct, frozen=True):
    """One step of an access. ``name`` of a member, ``node`` of an index, ``type`` of a cast."""

    kind: StepKind
    view: View
    name: str = ""
    arrow: bool = False
    node: Node | None = None


class Access(msgspec.Struct, frozen=True):
    """An expression: ``base`` is what the steps, applied in order, start from."""

    view: View
    base: Node
    steps: tuple[Step, ...]


def flatten(view: View, node: Node) -> Access | None:
    """``node`` as a base and steps; None where it is no such expression."""
    steps: list[Step] = []
    while len(steps) < _MAX_STEPS:
        kind = node.type
        inner: Node | None
        if kind == "parenthesized_expression":
            inner = only_child(node)
        elif kind == "field_expression":
            inner = node.child_by_field_name("argument")
            member = node.child_by_field_name("field")
            operator = node.child_by_field_name("operator")
            if member is None:
                return None
            arrow = operator is not None and operator.type == "->"
            steps.append(Step("member", view, name=view.text(member), arrow=arrow))
        elif kind == "subscript_expression":
            inner = node.child_by_field_name("argument")
            steps.append(Step("index", view, node=index_of(node)))
        elif kind == "pointer_expression":
            inner = node.child_by_field_name("argument")
            operator = node.child_by_field_name("operator")
            address = operator is not None and operator.type == "&"
            steps.append(Step("address" if address else "deref", view))
        elif kind == "cast_expression":
            inner = node.child_by_field_name("value")
            steps.append(Step("cast", view, node=node.child_by_field_name("type")))
        elif kind == "call_expression" and (argument := _aliased(view, node)) is not None:
            inner = argument
        else:
            return Access(view, node, tuple(reversed(steps)))
        if inner is None:
            return None
        node = inner
    return None


def index_of(node: Node) -> Node | None:
    """The index of a subscript, in C and in C++."""
    found = node.child_by_field_name("index")
    if found is None and (indices := node.child_by_field_name("indices")) is not None:
        found = only_child(indices)
    return found


def _aliased(view: View, call: Node) -> Node | None:
    """The argument of a call that only chooses an alias address of it, else None."""
    function = call.child_by_field_name("function")
    arguments = call.child_by_field_name("arguments")
    if function is None or arguments is None or view.text(function) not in ALIAS_FUNCTIONS:
        return None
    return only_child(arguments)


def only_child(node: Node) -> Node | None:
    """The one expression in parentheses, else None."""
    inner = [child for child in node.named_children if child.type != "comment"]
    return inner[0] if len(inner) == 1 else None


def around(path: list[Node]) -> list[int]:
    """Places in ``path`` of the expressions the cursor may mean, the widest first.

    ``path`` is that of :meth:`View.path_at`. Going outwards stops where the expression is but an
    argument, an operand or an index of another: there the inner one is meant. A number or a
    bracket of an index means the expression it indexes.
    """
    last = len(path) - 1
    i = last
    sums = 0
    while i > 0 and last - i <= _MAX_AROUND:
        parent, child = path[i - 1], path[i]
        kind = parent.type
        if kind == "subscript_expression":
            if path[-1].type != "number_literal":
                if child.type == "subscript_argument_list" or child == index_of(parent):
                    break
        elif kind == "binary_expression":
            operator = parent.child_by_field_name("operator")
            sums += 1
            if operator is None or operator.type not in ("+", "-") or sums > _MAX_SUMS:
                break
        elif kind not in _CHAINED:
            break
        i -= 1
    if last - i > _MAX_AROUND:
        return []
    return [at for at in range(i, last + 1) if path[at].type not in _NO_EXPRESSION]


_MAX_AROUND = 64
_MAX_SUMS = 8
_NO_EXPRESSION = frozenset(
    ("type_descriptor", "abstract_pointer_declarator", "type_qualifier", "ERROR")
)
# Those without expression are the type of a cast; anywhere else the walk ends one node further out.
_CHAINED = _NO_EXPRESSION | {
    "field_expression",
    "parenthesized_expression",
    "pointer_expression",
    "cast_expression",
}
