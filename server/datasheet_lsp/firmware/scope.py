"""Names the code declares itself, which hide the peripheral of the same name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from tree_sitter import Node

from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.syntax import View

_CONTAINERS = frozenset(
    (
        "translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif",
        "preproc_elifdef", "linkage_specification", "declaration_list", "ERROR",
    )
)  # fmt: skip
_MAX_DEPTH = 100


class FileScope:
    """What a file declares outside its functions."""

    def __init__(self, source: Source) -> None:
        self.view = View(source.plain, source.root)
        self.names: set[str] = set()
        self.enumerators: dict[str, tuple[Node | None, int]] = {}
        """For each enumerator the node of the value counting starts from (None: 0), and how far."""
        self._read(source.root)

    def _read(self, root: Node) -> None:
        waiting = [root]
        while waiting:
            for child in waiting.pop().named_children:
                kind = child.type
                if kind in _CONTAINERS:
                    waiting.append(child)
                elif kind in ("declaration", "function_definition", "type_definition"):
                    self.names.update(declared(self.view, child))
                    self._enumerators(child.child_by_field_name("type"))
                elif kind == "enum_specifier":
                    self._enumerators(child)

    def _enumerators(self, node: Node | None) -> None:
        body = None
        if node is not None and node.type == "enum_specifier":
            body = node.child_by_field_name("body")
        if body is None:
            return
        start: Node | None = None
        further = 0
        for entry in body.named_children:
            if entry.type != "enumerator":
                continue
            value = entry.child_by_field_name("value")
            if value is not None:
                start, further = value, 0
            name = entry.child_by_field_name("name")
            if name is not None:
                text = self.view.text(name)
                self.names.add(text)
                self.enumerators[text] = (start, further)
            further += 1


def declared(view: View, node: Node) -> Iterator[str]:
    """The names a declaration, a definition of a function or a parameter declares."""
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "macro_type_specifier":
        # A call of a macro without a semicolon, taken for the type of the next statement.
        return
    for declarator in node.children_by_field_name("declarator"):
        inner: Node | None = declarator
        for _ in range(_MAX_DEPTH):
            if inner is None or inner.type == "identifier":
                break
            further = inner.child_by_field_name("declarator")
            if further is None:
                further = next(
                    (
                        c
                        for c in inner.named_children
                        if c.type.endswith(("declarator", "identifier"))
                    ),
                    None,
                )
            inner = further
        if inner is not None and inner.type == "identifier":
            yield view.text(inner)


def declaring(view: View, path: Sequence[Node], name: str) -> Node | None:
    """The declaration of the local variable or parameter ``name`` in scope where ``path`` ends."""
    wanted = name.encode()
    for i in range(len(path) - 2, -1, -1):
        node, inside = path[i], path[i + 1]
        kind = node.type
        if kind in ("compound_statement", "ERROR", "case_statement"):
            if wanted not in view.data[node.start_byte : inside.start_byte]:
                continue
            found: Node | None = None
            for child in node.named_children:
                if child.start_byte >= inside.start_byte:
                    break
                if child.type == "declaration" and name in declared(view, child):
                    found = child
                elif child.type == "function_declarator":
                    found = _parameter(view, child, name) or found
            if found is not None:
                return found
        elif kind in ("for_statement", "for_range_loop"):
            first = node.child_by_field_name("initializer")
            if first is not None and first.type == "declaration" and name in declared(view, first):
                return first
        elif kind in ("function_definition", "lambda_expression"):
            parameter = _parameter(view, node, name)
            if parameter is not None:
                return parameter
    return None


def hidden_locally(view: View, path: Sequence[Node], name: str) -> bool:
    """Whether a parameter or a local variable called ``name`` is in scope where ``path`` ends."""
    if name in view.parameters:
        return True
    for i in range(len(path) - 2, -1, -1):
        node, inside = path[i], path[i + 1]
        kind = node.type
        if kind in ("compound_statement", "ERROR", "case_statement"):
            if _declared_before(view, node, inside, name):
                return True
        elif kind == "for_statement":
            first = node.child_by_field_name("initializer")
            if first is not None and first.type == "declaration" and name in declared(view, first):
                return True
        elif kind == "function_definition" and _is_parameter(view, node, name):
            return True
    return False


def _declared_before(view: View, block: Node, inside: Node, name: str) -> bool:
    wanted = name.encode()
    if wanted not in view.data[block.start_byte : inside.start_byte]:
        return False
    for child in block.named_children:
        if child.start_byte >= inside.start_byte:
            return False
        if child.type == "declaration" and name in declared(view, child):
            return True
        if child.type == "function_declarator" and _is_parameter(view, child, name):
            return True
    return False


def _is_parameter(view: View, node: Node, name: str) -> bool:
    return _parameter(view, node, name) is not None


def _parameter(view: View, node: Node, name: str) -> Node | None:
    """The parameter ``name`` of the function that ``node`` defines or declares."""
    declarator: Node | None = node
    for _ in range(_MAX_DEPTH):
        if declarator is None:
            return None
        parameters = declarator.child_by_field_name("parameters")
        if parameters is not None:
            for parameter in parameters.named_children:
                # The second form is the parameter list of C before 1989.
                if name in declared(view, parameter) or (
                    parameter.type == "identifier" and view.text(parameter) == name
                ):
                    return parameter
        declarator = declarator.child_by_field_name("declarator")
    return None


_SCOPES: WeakKeyDictionary[Source, FileScope] = WeakKeyDictionary()


def scope_of(source: Source) -> FileScope:
    """The file scope of ``source``, read on first use and kept as long as the source."""
    known = _SCOPES.get(source)
    if known is None:
        known = _SCOPES[source] = FileScope(source)
    return known
