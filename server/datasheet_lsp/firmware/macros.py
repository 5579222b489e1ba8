"""The macros and enumerators a file defines itself, and the bodies of macros as C text."""

from __future__ import annotations

from bisect import bisect_right
from weakref import WeakKeyDictionary

from tree_sitter import Node

from datasheet_lsp.firmware.lexical import Definition, definitions
from datasheet_lsp.firmware.source import Source, Tongue, parse
from datasheet_lsp.firmware.syntax import View, only_child

_HEAD = b"void f(void){\n"
_TAIL = b"\n;}"


def fragment(
    data: bytes, start: int, parameters: tuple[str, ...] = (), tongue: Tongue = "c"
) -> View:
    """``data``, found at ``start`` of the file, parsed as the inside of a function."""
    wrapped = _HEAD + data + _TAIL
    root = parse(wrapped, tongue).root_node
    return View(wrapped, root, start - len(_HEAD), frozenset(parameters))


class Macros:
    """The macro definitions of one file, found once."""

    def __init__(self, source: Source) -> None:
        self._plain = source.plain
        self._list = list(definitions(source.plain))
        self._starts = [definition.name_start for definition in self._list]
        self._views: dict[int, View] = {}
        self._by_name: dict[str, list[Definition]] = {}
        for definition in self._list:
            self._by_name.setdefault(definition.name, []).append(definition)

    def named(self, name: str) -> list[Definition]:
        """The definitions of ``name``: several where ``#if`` chooses between them."""
        return self._by_name.get(name, [])

    def at(self, offset: int) -> Definition | None:
        """The definition whose name or body contains ``offset``."""
        i = bisect_right(self._starts, offset) - 1
        if i >= 0 and offset < self._list[i].body_end:
            return self._list[i]
        return None

    def view(self, definition: Definition) -> View:
        """The body parsed as the inside of a function; its offsets lead back to the file."""
        known = self._views.get(definition.body_start)
        if known is None:
            body = self._plain[definition.body_start : definition.body_end]
            known = fragment(body, definition.body_start, definition.parameters or ())
            self._views[definition.body_start] = known
        return known

    def expression(self, name: str) -> tuple[View, Node] | None:
        """The expression an object macro stands for, without its parentheses.

        None when the file does not define ``name`` exactly once as an object macro, or when its
        body is no single expression.
        """
        found = self.named(name)
        if len(found) != 1 or found[0].parameters is not None:
            return None
        view = self.view(found[0])
        statements = _statements(view.root)
        if len(statements) != 1 or statements[0].type != "expression_statement":
            return None
        node = only_child(statements[0])
        while node is not None and node.type == "parenthesized_expression":
            node = only_child(node)
        if node is None or node.type == "ERROR":
            return None
        return view, node


def _statements(root: Node) -> list[Node]:
    """The statements of the function a macro body was parsed in, empty ones left out."""
    if len(root.named_children) != 1:
        return []
    body = root.named_children[0].child_by_field_name("body")
    if body is None:
        return []
    return [
        child
        for child in body.named_children
        if child.type != "comment" and not (child.type == "expression_statement" and _empty(child))
    ]


def _empty(statement: Node) -> bool:
    return not statement.named_children


_MACROS: WeakKeyDictionary[Source, Macros] = WeakKeyDictionary()


def macros_of(source: Source) -> Macros:
    """The macros of ``source``, found on first use and kept as long as the source."""
    known = _MACROS.get(source)
    if known is None:
        known = _MACROS[source] = Macros(source)
    return known
