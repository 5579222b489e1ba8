"""What JSON and XML have in common, and how it becomes something to read.

Keys are headings, records with short values are tables, other values are "key: value" lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.words import one_line, tidy_lines

_LONG = 200
_CELL_LETTERS = 160
_MOST_COLUMNS = 14
_IDS = ("id", "number", "no", "ref", "reference", "key")
_NAMES = ("title", "name", "heading", "label", "displayname", "summary", "subject")


class Leaf(msgspec.Struct, frozen=True, gc=False):
    """A value. ``line`` is where it stands, 0 where that is not known."""

    text: str
    line: int = 0


class Mapping(msgspec.Struct, frozen=True):
    """Keys with their values in the order of the file; a key may come again."""

    items: tuple[tuple[str, Node], ...]
    line: int = 0


class Listing(msgspec.Struct, frozen=True):
    """Values one after the other."""

    items: tuple[Node, ...]
    line: int = 0


Node = Leaf | Mapping | Listing


def label_of(node: Node) -> str:
    """What a record calls itself: its number or id, then its title or name; else ""."""
    if not isinstance(node, Mapping):
        return ""
    values: dict[str, str] = {}
    for key, value in node.items:
        if isinstance(value, Leaf):
            values.setdefault(key.lower().lstrip("@"), one_line(value.text))
    name = next((values[key] for key in _NAMES if values.get(key)), "")
    found = next((values[key] for key in _IDS if values.get(key)), "")
    if len(name) > 120:
        name = ""
    if found and len(found) <= 40 and found not in name:
        name = f"{found} {name}".strip()
    return name


def find_value(node: Node, keys: Sequence[str]) -> str:
    """The text of the first of ``keys`` that the outermost record has."""
    if isinstance(node, Mapping):
        for wanted in keys:
            for key, value in node.items:
                if key.lower().lstrip("@") == wanted and isinstance(value, Leaf):
                    return one_line(value.text)
    return ""


def put_node(node: Node, builder: Builder, level: int, depth: int = 0) -> None:
    """Puts a value into ``builder``, its inner headings at ``level``."""
    if isinstance(node, Leaf):
        builder.text(node.text, node.line)
    elif isinstance(node, Mapping):
        _put_mapping(node, builder, level, depth)
    else:
        _put_listing("", node, builder, level, depth)


def _put_mapping(node: Mapping, builder: Builder, level: int, depth: int) -> None:
    lines: list[str] = []
    first = last = 0

    def put() -> None:
        nonlocal first
        builder.lines(lines, first, last)
        lines.clear()
        first = 0

    later: list[tuple[str, Node]] = []
    for key, value in node.items:
        if not isinstance(value, Leaf):
            later.append((key, value))
            continue
        text = tidy_lines(value.text)
        if not text:
            continue
        words = f"{key}: {text}" if key else text
        if len(text) > _LONG or "\n" in text:
            put()
            builder.text(words, value.line)
        else:
            first = first or value.line
            last = value.line
            lines.append(words)
    put()
    for key, value in later:
        if depth >= builder.limits.depth:
            builder.trouble(
                f"{builder.name} was not read wholly: things in it are nested more than "
                f"{builder.limits.depth} deep."
            )
            return
        key, value = _through(key, value)
        if isinstance(value, Listing):
            _put_listing(key, value, builder, level, depth + 1)
        else:
            builder.heading(level, key or "-", value.line)
            put_node(value, builder, level + 1, depth + 1)


def _through(key: str, value: Node) -> tuple[str, Node]:
    """A record that holds nothing but another one is named with it: "device.errata"."""
    seen = 0
    while isinstance(value, Mapping) and len(value.items) == 1 and seen < 50:
        inner, further = value.items[0]
        if isinstance(further, Leaf):
            break
        key, value = f"{key}.{inner}", further
        seen += 1
    return key, value


def _put_listing(key: str, node: Listing, builder: Builder, level: int, depth: int) -> None:
    items = node.items
    if not items:
        return
    if key:
        builder.heading(level, key, node.line)
        level += 1
    if all(map(_is_short, items)):
        builder.lines([f"- {one_line(i.text)}" for i in items if isinstance(i, Leaf)], node.line)
        return
    if _put_table(items, builder):
        return
    for at, item in enumerate(items):
        if isinstance(item, Leaf):
            builder.text(item.text, item.line)
            continue
        if depth >= builder.limits.depth:
            builder.trouble(
                f"{builder.name} was not read wholly: things in it are nested more than "
                f"{builder.limits.depth} deep."
            )
            return
        builder.heading(level, label_of(item) or f"{key}[{at}]", item.line)
        put_node(item, builder, level + 1, depth + 1)


def _put_table(items: Sequence[Node], builder: Builder) -> bool:
    """Records of short values, two or more, as a table; so are rows of values."""
    if len(items) < 2:
        return False
    rows: list[list[Cell]] = []
    line, last = items[0].line, items[-1].line
    if all(isinstance(item, Listing) for item in items):
        for item in items:
            assert isinstance(item, Listing)
            if len(item.items) > _MOST_COLUMNS * 4 or not all(map(_is_short, item.items)):
                return False
            rows.append([Cell(v.text) for v in item.items if isinstance(v, Leaf)])
        builder.table(rows, line, last)
        return True
    columns: dict[str, None] = {}
    for item in items:
        if not isinstance(item, Mapping):
            return False
        keys = [key for key, _ in item.items]
        if len(set(keys)) != len(keys) or not all(_is_short(value) for _, value in item.items):
            return False
        columns.update(dict.fromkeys(keys))
    if len(columns) > _MOST_COLUMNS or len(columns) < 2:
        return False
    rows.append([Cell(key) for key in columns])
    for item in items:
        assert isinstance(item, Mapping)
        given = {key: value.text for key, value in item.items if isinstance(value, Leaf)}
        rows.append([Cell(given.get(key, "")) for key in columns])
    builder.table(rows, line, last, header_rows=1)
    return True


def _is_short(node: Node) -> bool:
    return isinstance(node, Leaf) and len(node.text) <= _CELL_LETTERS and "\n" not in node.text
