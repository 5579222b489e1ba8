"""derivedFrom: finding what an element is derived from, and what it takes over.

Order matters: first derive, then expand arrays, then inherit properties. Everything here works
on the tree as read, lazily and with a memo, so that forward references and chains need no order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from datasheet_lsp.svd.tree import Node, Report

_DIM = ("dim", "dimIncrement", "dimIndex", "dimName")
_SCOPES = frozenset({"device", "peripheral", "cluster", "register", "field"})


class Deriver:
    """Merges nodes with what they are derived from."""

    def __init__(self, device: Node, report: Report) -> None:
        self._device = device
        self._report = report
        self._memo: dict[int, Node] = {}
        self._active: set[int] = set()
        self._children: dict[int, dict[str, list[Node]]] = {}
        self._enums: dict[str, list[Node]] | None = None

    def merged(self, node: Node) -> Node:
        """``node`` with all it takes over from its base; ``node`` itself when it has none."""
        if node.derived_from is None:
            return node
        done = self._memo.get(id(node))
        if done is not None:
            return done
        what = f"<{node.kind}> {node.name!r} is derived from {node.derived_from!r}"
        if id(node) in self._active:
            self._report(node.line, "error", f"{what}, which leads back to it; not derived")
            return node
        self._active.add(id(node))
        try:
            base = self._find(node)
            if base is None:
                self._report(node.line, "error", f"{what}, which is not in the file; not derived")
                result = node
            elif base is node or id(base) in self._active:
                self._report(node.line, "error", f"{what}, which leads back to it; not derived")
                result = node
            else:
                result = _merge(node, self.merged(base))
        finally:
            self._active.discard(id(node))
        self._memo[id(node)] = result
        return result

    def base_peripheral(self, node: Node) -> str | None:
        """The name of the peripheral that ``node`` is derived from, None when there is none."""
        if node.derived_from is None or self.merged(node) is node:
            return None
        return node.derived_from.strip()

    # Finding the base -------------------------------------------------------------------

    def _find(self, node: Node) -> Node | None:
        path = (node.derived_from or "").strip()
        if node.kind == "enumeratedValues":
            return self._find_enum(node, path)
        parts = _split(path)
        scope = node.parent
        while scope is not None:
            found = self._walk(scope, parts, node)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def _walk(self, scope: Node, parts: list[str], asking: Node) -> Node | None:
        """The node of ``asking``'s kind at ``parts`` below ``scope``."""
        last = len(parts) - 1
        for child in self._named(scope, parts[0]):
            if last == 0:
                if child.kind == asking.kind and child is not asking:
                    return child
            elif child.kind in _SCOPES:
                found = self._walk(child, parts[1:], asking)
                if found is not None:
                    return found
        return None

    def _named(self, scope: Node, name: str) -> list[Node]:
        """The children of ``scope``, inherited ones too, that ``name`` can mean."""
        if id(scope) in self._active and scope.derived_from is not None:
            holder = scope  # being derived right now: only what it has itself
        else:
            holder = self.merged(scope)
        table = self._children.get(id(holder))
        if table is None:
            table = {}
            for child in holder.children:
                if child.kind in _SCOPES:
                    table.setdefault(child.name, []).append(child)
            self._children[id(holder)] = table
        found = table.get(name)
        if found:
            return found
        bare = _bare(name)
        loose = [
            child
            for children in table.values()
            for child in children
            if _bare(child.name) == bare or _is_element(child, name)
        ]
        return loose or [
            child
            for children in table.values()
            for child in children
            if child.name.casefold() == name.casefold()
        ]

    def _find_enum(self, node: Node, path: str) -> Node | None:
        """By suffix path and nearest scope, as files use it; a field's name stands for its set."""
        if self._enums is None:
            self._enums = {}
            for peripheral in self._device.of_kind("peripheral"):
                for enum in _walk_kind(peripheral, "enumeratedValues"):
                    self._enums.setdefault(enum.name, []).append(enum)
                    if enum.parent is not None and enum.parent.name != enum.name:
                        self._enums.setdefault(enum.parent.name, []).append(enum)
        parts = _split(path)
        own = _ancestors(node)
        best: tuple[int, Node] | None = None
        for candidate in self._enums.get(parts[-1], ()):
            if candidate is node or not _ends_with(candidate, parts):
                continue
            chain = {id(scope) for scope in _ancestors(candidate)}
            nearness = sum(1 for scope in own if id(scope) in chain)
            # Among equals a set that has values itself, then the first of the file.
            rank = 2 * nearness + (candidate.derived_from is None)
            if best is None or rank > best[0]:
                best = (rank, candidate)
        return best[1] if best else None


def _merge(own: Node, base: Node) -> Node:
    """``own`` over ``base``. A base's array passes on only to a name that has ``%s``."""
    props = dict(base.props)
    if "dim" in own.props or "%s" not in own.name:
        for key in _DIM:
            if not (key == "dimIncrement" and "dim" in own.props):
                props.pop(key, None)
    props.pop("displayName", None)
    props.update(own.props)
    if own.kind in ("peripheral", "register", "cluster") and "name" not in own.props:
        props.pop("name", None)
    children = _merge_children(own, base)
    return Node(own.kind, own.line, None, own.parent, props, children)


def _merge_children(own: Node, base: Node) -> tuple[Node, ...]:
    if own.kind == "enumeratedValues":
        return own.children or base.children
    given = {_key(child) for child in own.children}
    single = {child.kind for child in own.children} & {
        "addressBlock",
        "enumeratedValues",
        "writeConstraint",
    }
    kept = [
        child
        for child in base.children
        if child.kind != "interrupt" and child.kind not in single and _key(child) not in given
    ]
    if not own.children:
        return base.children if len(kept) == len(base.children) else tuple(kept)
    return (*kept, *own.children)


def _key(node: Node) -> tuple[str, str]:
    return node.kind, node.name


def _split(path: str) -> list[str]:
    return [part for part in re.split(r"\.|->", path) if part] or [path]


def _bare(name: str) -> str:
    return name.replace("[%s]", "").replace("%s", "")


def _is_element(child: Node, name: str) -> bool:
    """Whether ``name`` is one element of the array ``child``."""
    template = child.name
    if "dim" not in child.props or "%s" not in template:
        return False
    head, _, tail = template.partition("%s")
    middle = name[len(head) : len(name) - len(tail) if tail else None]
    return name.startswith(head) and name.endswith(tail) and middle.isalnum()


def _walk_kind(node: Node, kind: str) -> Iterator[Node]:
    for child in node.children:
        if child.kind == kind:
            yield child
        elif child.kind in _SCOPES:
            yield from _walk_kind(child, kind)


def _ancestors(node: Node) -> list[Node]:
    chain = []
    scope = node.parent
    while scope is not None:
        chain.append(scope)
        scope = scope.parent
    return chain


def _ends_with(enum: Node, parts: list[str]) -> bool:
    """Whether the path ``parts`` leads to ``enum``: its last names, in order, none in between."""
    names = [enum.name, *(scope.name for scope in _ancestors(enum) if scope.kind != "device")]
    wanted = parts[::-1]
    for skip in (0, 1):  # the set's own name may be left out: FIELD stands for FIELD's set
        tail = names[skip : skip + len(wanted)]
        if len(tail) == len(wanted) and all(
            name == part or _bare(name) == _bare(part)
            for name, part in zip(tail, wanted, strict=True)
        ):
            return True
    return False
