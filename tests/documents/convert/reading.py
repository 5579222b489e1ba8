"""Writes a small file, converts it, and shows what came of it in a form that is easy to compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datasheet_lsp.documents.convert import convert
from datasheet_lsp.model.document import Document, Table


def read(folder: Path, name: str, content: str | bytes, **more: Any) -> Document:
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    document = convert(path, **more)
    check(document)
    return document


def check(document: Document) -> None:
    """What holds for every Document."""
    for at, section in enumerate(document.sections):
        assert section.id == at
        assert section.parent is None or section.parent < at
        assert section.level == len(list(document.ancestors(at)))
        assert 1 <= section.page <= section.last_page <= document.pages
    for at, table in enumerate(document.tables):
        assert table.id == at
        assert len(table.row_pages) == len(table.rows)
        assert all(len(row) == len(table.header) for row in table.rows)
        assert not any("\n" in cell for row in (table.header, *table.rows) for cell in row)
    last = 0
    for block in document.blocks:
        assert block.section >= last
        last = block.section
        assert (block.ref is None) == bool(block.text)
        for place in block.places:
            assert 1 <= place.page <= document.pages
            left, top, right, bottom = place.box
            assert left == right == 0 and 0 <= top <= bottom
        block.text.encode("utf-8")


def outline(document: Document) -> list[tuple[int, str, str]]:
    return [(s.level, s.number, s.title) for s in document.sections]


def blocks(document: Document) -> list[tuple[str, str]]:
    """Kind and text; for tables and figures the caption."""
    found = []
    for block in document.blocks:
        text = block.text
        if block.kind == "table":
            text = document.tables[block.ref or 0].caption
        elif block.kind == "figure":
            text = document.figures[block.ref or 0].caption
        found.append((block.kind, text))
    return found


def lines(document: Document) -> list[tuple[int, int]]:
    """First and last line of each block."""
    return [(int(b.places[0].box[1]), int(b.places[0].box[3])) for b in document.blocks]


def grid(table: Table) -> list[tuple[str, ...]]:
    return [table.header, *table.rows]


def troubles(document: Document) -> list[str]:
    return [trouble.message for trouble in document.troubles]
