"""A sheet of cells -> the tables on it and the words around them.

Tables on a sheet are divided by empty rows, or stand side by side with an empty column between.
Words above a table that stand alone in their row are its title or remarks.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.words import is_note


class Row(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Laid out cells and the lines they stand on, 0 where there are none."""

    first: int
    last: int
    cells: list[Cell]


def put_regions(rows: Sequence[Row], builder: Builder) -> None:
    """Puts all that is on a sheet into ``builder``."""
    group: list[Row] = []
    for row in rows:
        if any(cell.text.strip() for cell in row.cells):
            group.append(row)
        else:
            _put_group(group, builder)
            group = []
    _put_group(group, builder)


def _put_group(rows: Sequence[Row], builder: Builder) -> None:
    if not rows:
        return
    for low, high in _columns(rows):
        part = [Row(r.first, r.last, r.cells[low:high]) for r in rows]
        _put_part([r for r in part if any(c.text.strip() for c in r.cells)], builder)


def _columns(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """The column ranges of tables side by side: empty columns with two or more on each side."""
    width = max(len(row.cells) for row in rows)
    filled = [0] * (width + 1)
    for row in rows:
        for at, cell in enumerate(row.cells):
            if cell.text.strip():
                filled[at] += 1
    parts: list[tuple[int, int]] = []
    start = 0
    for at in range(width + 1):
        if not filled[at]:
            if at > start:
                parts.append((start, at))
            start = at + 1
    if len(rows) < 2 or not all(
        high - low > 1 and max(filled[low:high]) > 1 for low, high in parts
    ):
        return [(parts[0][0], parts[-1][1])] if parts else []
    return parts


def _put_part(rows: list[Row], builder: Builder) -> None:
    """A table with the lone cells above and below it as paragraphs."""
    lone = [len({id(c) for c in r.cells if c.text.strip()}) == 1 for r in rows]
    if all(lone):
        _put_words(rows, builder)
        return
    first, last = lone.index(False), len(rows) - lone[::-1].index(False)
    # A last row may hold its first cell alone; a remark under the table does not look like one.
    tail = last
    while tail < len(rows) and _is_short(rows[tail]):
        tail += 1
    above, table = rows[:first], rows[first:tail]
    caption = ""
    if above:
        words = [_words(row) for row in above]
        if len(words[-1]) <= 120:
            caption = words[-1]
            above = above[:-1]
    _put_words(above, builder)
    builder.table([row.cells for row in table], table[0].first, table[-1].last, caption=caption)
    _put_words(rows[tail:], builder)


def _is_short(row: Row) -> bool:
    text = row.cells[0].text.strip() if row.cells else ""
    return 0 < len(text) <= 40 and text[-1] not in ".:" and not is_note(text)


def _put_words(rows: Sequence[Row], builder: Builder) -> None:
    if rows:
        text = "\n".join(_words(row) for row in rows)
        builder.text(text, rows[0].first, rows[-1].last)


def _words(row: Row) -> str:
    return next((c.text for c in row.cells if c.text.strip()), "")
