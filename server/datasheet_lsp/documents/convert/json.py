"""JSON: all of it, or what the paths of the settings name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.nodes import (
    Leaf,
    Listing,
    Mapping,
    Node,
    find_value,
    label_of,
    put_node,
)
from datasheet_lsp.documents.errors import DocumentError

Step = str | int | None
"""A key, a position, or None for everything; ".." before a step stands as the string ".."."""

_STEP = re.compile(
    r"""(?P<deep>\.\.)?(?:\.?\[\s*(?:(?P<all>\*)|(?P<at>-?\d{1,9})|'(?P<one>[^']*)'|"(?P<two>[^"]*)")\s*\]"""
    r"""|\.?(?:(?P<star>\*)|(?P<key>[^.\[\]*'"\s][^.\[\]]*)))"""
)


def read_json(text: str, builder: Builder, paths: Sequence[str]) -> None:
    """Numbers keep their printed form. Text that is a value a line (JSON Lines) is read too."""
    root = _parse(text, builder.name)
    builder.title = find_value(root, ("title", "document", "name"))
    builder.revision = find_value(root, ("revision", "rev", "version"))
    if not paths:
        put_node(root, builder, 1)
        return
    for path in paths:
        steps = parse_path(path)
        if steps is None:
            builder.trouble(
                f'"{path}" in documents.json_paths is no path; write it as in errata[*].text.'
            )
            continue
        found = False
        for where, owner, node in _select(root, steps):
            found = True
            label = label_of(node) or (label_of(owner) if owner is not root else "")
            builder.heading(1, label or where or builder.name)
            put_node(node, builder, 2)
        if not found:
            builder.trouble(f'"{path}" in documents.json_paths fits nothing in {builder.name}.')


def parse_path(path: str) -> list[Step] | None:
    """The steps of ``errata[*].text``, ``$..title``, ``a["b.c"][0]``; None where it is no path."""
    path = path.strip()
    at = 1 if path.startswith("$") else 0
    steps: list[Step] = []
    while at < len(path):
        found = _STEP.match(path, at)
        if not found or found.end() == at:
            return None
        if found["deep"]:
            steps.append("..")
        if found["all"] or found["star"]:
            steps.append(None)
        elif found["at"]:
            steps.append(int(found["at"]))
        else:
            keys = (found["one"], found["two"], found["key"])
            steps.append(next(key for key in keys if key is not None).strip())
        at = found.end()
    return steps or ([] if path == "$" else None)


def _select(root: Node, steps: Sequence[Step]) -> Iterator[tuple[str, Node, Node]]:
    """Where, the record it is in, and the value, of all that the steps lead to."""
    found: list[tuple[str, Node, Node]] = [("", root, root)]
    deep = False
    for step in steps:
        if step == "..":
            deep = True
            continue
        start = [x for hit in found for x in _inside(hit)] if deep else found
        deep = False
        found = [x for hit in start for x in _step(hit, step)]
    return iter(found)


def _inside(hit: tuple[str, Node, Node]) -> Iterator[tuple[str, Node, Node]]:
    waiting = [hit]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += list(_step(found, None))[::-1]


def _step(hit: tuple[str, Node, Node], step: Step) -> Iterator[tuple[str, Node, Node]]:
    where, owner, node = hit
    if isinstance(node, Mapping):
        for key, value in node.items:
            if step is None or step == key:
                yield (f"{where}.{key}" if where else key), node, value
    elif isinstance(node, Listing):
        for at, value in enumerate(node.items):
            if (
                step is None
                or step == at
                or (isinstance(step, int) and step + len(node.items) == at)
            ):
                # A value straight in a list belongs to the record the list is in.
                yield f"{where}[{at}]", owner if isinstance(value, Leaf) else node, value


def _parse(text: str, name: str) -> Node:
    try:
        return _node(_load(text))
    except RecursionError as error:
        raise DocumentError(f"{name} cannot be read: things in it are nested too deep.") from error
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and error.msg == "Extra data":
            try:
                return Listing(tuple(_node(_load(line)) for line in lines))
            except (ValueError, RecursionError):
                pass
        raise DocumentError(
            f"{name} is no valid JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error


def _load(text: str) -> object:
    return json.loads(
        text,
        object_pairs_hook=tuple,
        parse_int=str,
        parse_float=str,
        parse_constant=str,
    )


def _node(value: object) -> Node:
    if isinstance(value, tuple):
        return Mapping(tuple((key, _node(inner)) for key, inner in value))
    if isinstance(value, list):
        return Listing(tuple(map(_node, value)))
    if value is None:
        return Leaf("")
    if isinstance(value, bool):
        return Leaf("true" if value else "false")
    return Leaf(str(value))
