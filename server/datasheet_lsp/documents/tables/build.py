"""A grid of cells made into a table: which rows are the header, what the columns are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.documents.page import Font, Word
from datasheet_lsp.documents.tables.bits import parse_bits
from datasheet_lsp.documents.tables.grid import Cell, Grid
from datasheet_lsp.model.document import Box

_NUMBERISH = re.compile(r"^[-+±≤≥<>~]?\s*(?:0[xX][0-9A-Fa-f]+|\d[\d.,]*)\s*\S{0,4}$")
_REPEATED = 48
_MOST_HEAD_ROWS = 4


class Body:
    """Header and rows as text. ``title`` is the text of a first row that spans all columns."""

    __slots__ = ("head_rows", "header", "headless", "marked", "rows", "title")

    def __init__(
        self,
        header: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        head_rows: tuple[tuple[str, ...], ...],
        headless: bool,
        marked: bool,
        title: str,
    ) -> None:
        self.header = header
        self.rows = rows
        self.head_rows = head_rows
        self.headless = headless
        self.marked = marked
        self.title = title


def grid_body(
    grid: Grid, words: Sequence[Word], fonts: Sequence[Font], fills: Sequence[Box]
) -> Body:
    """The header and the rows of a grid."""
    count = len(grid.ys) - 1
    columns = len(grid.xs) - 1
    title = ""
    first = 0
    if count >= 3 and columns >= 2:
        top = grid.at[0][0]
        if top.right - top.left == columns and top.bottom == 1 and top.text:
            second = grid.at[1]
            if len({id(c) for c in second}) > 1:
                title, first = top.text, 1
    heads, marked = _head_count(grid, words, fonts, fills, first)
    rows = [_row_texts(line, columns) for line in grid.at[first:]]
    head_rows = tuple(rows[:heads])
    body = tuple(rows[heads:])
    header = merge_heads(head_rows, columns)
    return Body(header, body, head_rows, heads == 0, marked, title)


def merge_heads(head_rows: Sequence[Sequence[str]], columns: int) -> tuple[str, ...]:
    """Column heads of one or more printed rows: what stands above comes first."""
    header: list[str] = []
    for at in range(columns):
        parts: list[str] = []
        for row in head_rows:
            if row[at] and row[at] not in parts:
                parts.append(row[at])
        header.append(" ".join(parts))
    return tuple(header)


def _row_texts(line: Sequence[Cell], columns: int) -> tuple[str, ...]:
    """The texts of a row; a short text that spans columns stands in each of them."""
    texts: list[str] = []
    for at, cell in enumerate(line):
        span = cell.right - cell.left
        if span > 1 and at > cell.left and (span == columns or len(cell.text) > _REPEATED):
            texts.append("")
        else:
            texts.append(cell.text)
    return tuple(texts)


def _head_count(
    grid: Grid, words: Sequence[Word], fonts: Sequence[Font], fills: Sequence[Box], first: int
) -> tuple[int, bool]:
    """How many rows from ``first`` on are the header, 0 when the first row is already data.

    The second value says that the header is set apart by bold type or shading.
    """
    rows = len(grid.at)
    count = 1
    left = rows - first
    if left < 1:
        return 0, False
    line = grid.at[first]
    bold = [_bold(line, words, fonts) for line in grid.at[first : first + _MOST_HEAD_ROWS + 1]]
    shaded = _shaded_rows(grid, fills, first)
    spans = [c for c in line if c.top == first]
    deep = max((c.bottom - first for c in spans), default=1)
    grouped = any(c.right - c.left > 1 for c in spans)
    if 1 < deep <= _MOST_HEAD_ROWS and deep < left and (grouped or bold[0] or shaded >= deep):
        if grouped or all(b is not False for b in bold[:deep]) or shaded >= deep:
            count = deep
    if grouped and count == 1 and left > 2 and (bold[1:2] == [True] or shaded == 2):
        count = 2
    if (
        1 < shaded < left
        and shaded <= _MOST_HEAD_ROWS
        and shaded > count
        and _all_short(grid, first, shaded)
    ):
        count = shaded
    while (
        count < min(left - 1, _MOST_HEAD_ROWS)
        and all(b is True for b in bold[: count + 1])
        and bold[count + 1 : count + 2] != [True]
        and _like_head(grid.at[first + count], first + count)
    ):
        count += 1
    if shaded or (bold[0] is True and not all(b is True for b in bold)):
        return count, True
    if bold[0] is True and left <= count:
        return count, True
    return (0, False) if _looks_like_data(line, bold) else (count, False)


def _bold(line: Sequence[Cell], words: Sequence[Word], fonts: Sequence[Font]) -> bool | None:
    """Whether all words of a row's cells are bold; None when there are none."""
    found = False
    for cell in line:
        if cell.text in "-–—":
            continue
        for k in cell.words:
            if not fonts[words[k].font].bold:
                return False
            found = True
    return True if found else None


def _shaded_rows(grid: Grid, fills: Sequence[Box], first: int) -> int:
    """How many rows from ``first`` on are shaded as the header, with the rest not so."""
    if not fills:
        return 0
    x0, y0, x1, y1 = grid.box
    ys = grid.ys
    covered: list[float] = []
    for row in range(first, len(ys) - 1):
        middle = (ys[row] + ys[row + 1]) / 2
        width = sum(min(f[2], x1) - max(f[0], x0) for f in fills if f[1] - 1 <= middle <= f[3] + 1)
        covered.append(width / (x1 - x0))
        if width < 0.8 * (x1 - x0):
            break
    shaded = sum(c >= 0.8 for c in covered)
    return shaded if shaded < len(ys) - 1 - first or shaded == 1 else 0


def _all_short(grid: Grid, first: int, count: int) -> bool:
    return all(len(c.text) < 60 for line in grid.at[first : first + count] for c in line)


def _like_head(line: Sequence[Cell], row: int) -> bool:
    own = [c for c in line if c.top == row and c.text]
    if len({id(c) for c in line}) == 1 or not own:
        return False
    return not any(_NUMBERISH.match(c.text) or parse_bits(c.text) for c in own)


def _looks_like_data(line: Sequence[Cell], bold: Sequence[bool | None]) -> bool:
    texts = [c.text for c in line]
    given = [t for t in texts if t]
    if not given:
        return True
    if bold[0] is False and bold[1:2] == [True]:
        return True
    if not texts[0] and len(given) < len(texts) - 1 and len(given) < 3:
        return True
    if any(len(t) > 70 for t in given):
        return True
    if parse_bits(texts[0]) or any(t in "-–—" for t in given):
        return True
    numbers = sum(bool(_NUMBERISH.match(t)) for t in given)
    return numbers * 3 >= len(given)
