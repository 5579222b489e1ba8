"""What looks like a table and is none: boxes, drawings, running headers; and what may be a head."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.captions import is_figure
from datasheet_lsp.documents.tables.edges import Across, Frame
from datasheet_lsp.documents.tables.grid import Cell, Grid
from datasheet_lsp.documents.tables.lines import PageLine
from datasheet_lsp.model.document import Box

_HEAD_HEIGHT = 48.0


def is_table(grid: Grid, words: Sequence[Word], page_height: float) -> bool:
    """Whether a grid with its words is a table and no drawing or box.

    A single row is let through near the top and the bottom of a page: it can be the end or the
    start of a table.
    """
    if not grid.xs or not grid.ys:
        return False
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    given = [c for c in grid.cells if c.words]
    if columns < 2 or rows * columns < 3 or not given or grid.ragged > 0.2:
        return False
    if rows == 1:
        _, y0, _, y1 = grid.box
        return columns > 2 and (y0 < page_height * 0.2 or y1 > page_height * 0.85)
    if len(given) < 2 or len(given) < 0.2 * len(grid.cells):
        return False
    crossing = 0
    total = 0
    for cell in given:
        right = grid.xs[cell.right]
        left = grid.xs[cell.left]
        for k in cell.words:
            word = words[k]
            total += 1
            if word.x1 > right + 3 or word.x0 < left - 3:
                crossing += 1
    return crossing * 7 <= total


def may_be_head(grid: Grid, frame: Frame, alone: Sequence[Across]) -> bool:
    """Whether a grid is a shaded row with rows under it that are not framed.

    Such a head of two or three lines, each shaded by itself, is made one row here.
    """
    x0, y0, x1, y1 = grid.box
    if frame.ruled or len(grid.xs) < 3 or y1 - y0 > _HEAD_HEIGHT or len(grid.ys) > 5:
        return False
    columns = len(grid.xs) - 1
    if len(grid.ys) > 2:
        cells = [Cell(0, c, 1, c + 1) for c in range(columns)]
        texts = [""] * columns
        for cell in grid.cells:
            if cell.right - cell.left > 1:
                return False
            cells[cell.left].words += cell.words
            texts[cell.left] = f"{texts[cell.left]} {cell.text}".strip()
        if not all(texts):
            return False
        for cell, text in zip(cells, texts, strict=True):
            cell.text = text
        grid.cells = cells
        grid.ys = [y0, y1]
        grid.index()
    if columns > 2 and all(c.text for c in grid.cells):
        return True
    return any(y1 + 6 < y < y1 + 400 and abs(a - x0) < 6 and abs(b - x1) < 6 for y, a, b in alone)


def belongs_to_figure(
    grid: Grid,
    lines: Sequence[PageLine],
    pictures: Sequence[Box],
    boxed: Sequence[Box],
    page_height: float,
) -> bool:
    """Whether a grid without a table's caption belongs to a figure.

    ``boxed`` are plain frames around something else; one with a figure's caption in it or under
    it holds no tables.
    """
    x0, y0, x1, y1 = grid.box
    if any(_within(grid.box, p) for p in pictures):
        return True
    if any(is_figure(c.text) for c in grid.cells):
        return True
    around = [b for b in boxed if _within(grid.box, b) and b != grid.box]
    spans = sum(c.right - c.left > 1 or c.bottom - c.top > 1 for c in grid.cells)
    empty = sum(not c.words for c in grid.cells)
    odd = (spans + empty) / len(grid.cells)
    if odd < 0.3 and not around:
        return False
    for line in lines:
        near = 0 <= line.y0 - y1 < 60 or 0 <= y0 - line.y1 < 60
        held = any(b[1] - 40 < line.y0 < b[3] + 40 for b in around)
        if (near or held) and line.x1 > x0 - 160 and line.x0 < x1 + 60:
            if any(is_figure(r.text) for r in line.runs(2.2)):
                return True
    if odd > 0.7 and len(grid.ys) > 2:
        return True
    head = grid.at[0]
    if y0 < 0.2 * page_height:
        # The rest of a row from the page before.
        return False
    return 2 < len(grid.ys) < 5 and sum(not c.text for c in head) * 2 >= len(head) > 3


def _within(inner: Box, outer: Box) -> bool:
    return (
        outer[0] - 5 <= inner[0]
        and inner[2] <= outer[2] + 5
        and outer[1] - 5 <= inner[1]
        and inner[3] <= outer[3] + 5
    )
