"""Pictures of registers: rows of bit numbers with the boxes of the fields under them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.bitrows import (
    BitRow,
    find_bit_rows,
    sparse_bit_row,
    turned_bit_rows,
)
from datasheet_lsp.documents.tables.bits import is_access, is_reserved
from datasheet_lsp.documents.tables.grid import Cell, Grid
from datasheet_lsp.documents.tables.lines import PageLine
from datasheet_lsp.documents.tables.text import cell_text
from datasheet_lsp.documents.tables.types import BitCell, BitDiagram

_DIGITS = re.compile(r"^[01xXuU\-–—?*]+$")
_ABOVE = 16.0


class Drawn:
    """What was read from the grids of a page as pictures.

    ``grids`` are the numbers of the grids used up, ``words`` the indices of the words in them.
    ``maps`` are the grids that are tables of several registers, with their bit row.
    """

    def __init__(self) -> None:
        self.diagrams: list[BitDiagram] = []
        self.grids: set[int] = set()
        self.words: set[int] = set()
        self.maps: list[tuple[int, BitRow, int]] = []


def find_diagrams(
    page: int,
    words: Sequence[Word],
    lines: Sequence[PageLine],
    grids: Sequence[Grid],
) -> Drawn:
    """The pictures of registers among the grids of a page."""
    drawn = Drawn()
    rows = find_bit_rows(lines) + turned_bit_rows(words)
    halves: list[tuple[BitRow, BitDiagram]] = []
    for number, grid in enumerate(grids):
        x0, y0, x1, y1 = grid.box
        within = [r for r in rows if _overlap(r, x0, x1) and y0 - 2 < r.y0 and r.y1 < y1 + 2]
        above = [
            r
            for r in rows
            if _overlap(r, x0, x1) and r.y1 <= y0 + 3 and y0 - r.y1 < _ABOVE and r not in within
        ]
        if not within and not above:
            sparse = _sparse_above(lines, grid)
            if sparse is None:
                continue
            above = [sparse]
        if within and (head := _map_head(grid, within)) is not None:
            drawn.maps.append((number, within[0], head))
            continue
        for at, row in enumerate(above[-1:] + within):
            following = within[at + (0 if above else 1) :]
            end = following[0].y0 if following else y1 + 1
            half = _read(page, words, grid, row, end)
            if half is not None:
                halves.append((row, half))
            drawn.words.update(row.indices)
        drawn.grids.add(number)
        for cell in grid.cells:
            drawn.words.update(cell.words)
    drawn.diagrams = _join_halves(halves)
    return drawn


def _overlap(row: BitRow, x0: float, x1: float) -> bool:
    """Whether most of the row's numbers stand over the span from ``x0`` to ``x1``."""
    over = sum(x0 - 2 <= c <= x1 + 2 for c in row.centres)
    return over * 4 >= len(row.centres) * 3 and (x1 - x0) < 2.6 * (row.x1 - row.x0)


def _sparse_above(lines: Sequence[PageLine], grid: Grid) -> BitRow | None:
    x0, y0, x1, _ = grid.box
    if x1 - x0 < 100:
        return None
    for line in lines:
        middle = (line.y0 + line.y1) / 2
        if y0 - 14 < middle < y0 + 14:
            row = sparse_bit_row(line, grid.box)
            if row is not None:
                return row
    return None


def _map_head(grid: Grid, within: Sequence[BitRow]) -> int | None:
    """The number of head rows when a grid lists several registers, None when it pictures one."""
    row = within[0]
    if len(within) > 1:
        return None
    left = row.centres[0] - row.pitch * 0.75
    named = [c for c in grid.cells if c.text and grid.xs[c.right] <= left + row.pitch * 0.5]
    head = 0
    for at in range(len(grid.ys) - 1):
        if grid.ys[at] < (row.y0 + row.y1) / 2:
            head = at + 1
    body = {c.top for c in named if c.top >= head and not _is_label(c.text)}
    return head if len(body) >= 2 else None


_LABELS = {"r", "w", "rw", "reset", "access", "type", "field", "name", "bit", "id", "mode"}


def _is_label(text: str) -> bool:
    words = text.lower().replace("/", " ").split()
    return bool(words) and words[0].rstrip(":.") in _LABELS and len(words) <= 2


def _read(
    page: int, words: Sequence[Word], grid: Grid, row: BitRow, end: float
) -> BitDiagram | None:
    """The boxes between a row of bit numbers and ``end``."""
    by_top: dict[int, list[Cell]] = {}
    for cell in grid.cells:
        middle = (grid.ys[cell.top] + grid.ys[cell.bottom]) / 2
        if middle > row.y1 - 1 and middle < end:
            by_top.setdefault(cell.top, []).append(cell)
    named: list[tuple[int, int, str]] = []
    access: dict[int, str] = {}
    reset: dict[int, str] = {}
    label = ""
    for top in sorted(by_top):
        boxes: list[tuple[int, int, str]] = []
        for cell in by_top[top]:
            found = _bits_of(grid, row, cell)
            if found is None:
                if cell.text and not label and grid.xs[cell.left] < row.x0:
                    label = cell.text
                continue
            boxes.append((found[0], found[1], box_text(words, cell)))
        texts = [text for _, _, text in boxes if text]
        if not texts:
            continue
        if named and all(is_access(t) or t in ("-", "Res.", "Reserved") for t in texts):
            _spread(boxes, access)
        elif named and all(_DIGITS.match(t) for t in texts):
            _spread(boxes, reset)
        elif not named:
            named = boxes
    if not named or row.sparse and all(t.isdecimal() for _, _, t in named):
        return None
    cells = tuple(
        merge_reserved(
            [
                BitCell(
                    text,
                    high,
                    low,
                    _most([access.get(b, "") for b in range(low, high + 1)]),
                    "".join(reset.get(b, "") for b in range(high, low - 1, -1)),
                )
                for high, low, text in named
            ]
        )
    )
    x0, _, x1, y1 = grid.box
    bottom = min(end, y1)
    box = (min(x0, row.x0), min(row.y0, grid.ys[0]), max(x1, row.x1), bottom)
    return BitDiagram(page, box, row.bits[0] - row.bits[-1] + 1, cells, label)


def merge_reserved(cells: Sequence[BitCell]) -> list[BitCell]:
    """The boxes with reserved ones side by side put together."""
    merged: list[BitCell] = []
    for cell in cells:
        last = merged[-1] if merged else None
        if last and last.lsb == cell.msb + 1 and is_reserved(last.name) and is_reserved(cell.name):
            merged[-1] = BitCell(
                last.name, last.msb, cell.lsb, last.access or cell.access, last.reset + cell.reset
            )
        else:
            merged.append(cell)
    return merged


def box_text(words: Sequence[Word], cell: Cell) -> str:
    """The name in a box; pieces of a name on several lines are one name."""
    if len(cell.words) < 2:
        return cell.text
    text = cell_text([words[k] for k in cell.words])
    text = re.sub(r"\s*\(\d\)$", "", text)
    if re.search(r"[a-z]{3,} [a-z]{3,}", text):
        return text
    return text.replace(" ", "")


def _bits_of(grid: Grid, row: BitRow, cell: Cell) -> tuple[int, int] | None:
    left, right = grid.xs[cell.left], grid.xs[cell.right]
    if not row.sparse:
        return row.range(left - 0.5, right + 0.5)
    inside = [
        b
        for b, w in zip(row.bits, row.words, strict=True)
        if left - 3 <= (w.x0 + w.x1) / 2 <= right + 3
    ]
    if not inside or len(inside) > 2:
        return None
    return inside[0], inside[-1]


def _spread(boxes: Sequence[tuple[int, int, str]], into: dict[int, str]) -> None:
    for high, low, text in boxes:
        single = len(text) == high - low + 1 and bool(_DIGITS.match(text))
        for bit in range(low, high + 1):
            into.setdefault(bit, text[high - bit] if single else text)


def _most(values: Sequence[str]) -> str:
    given = [v for v in values if v]
    return Counter(given).most_common(1)[0][0] if given else ""


def _join_halves(halves: Sequence[tuple[BitRow, BitDiagram]]) -> list[BitDiagram]:
    """Rows 31..16 and 15..0 of one register put together."""
    joined: list[tuple[BitRow, BitDiagram]] = []
    for row, half in sorted(halves, key=lambda h: h[1].box[1]):
        if joined:
            above, last = joined[-1]
            if (
                above.bits[-1] == row.bits[0] + 1
                and row.y0 - last.box[3] < 30
                and abs(last.box[0] - half.box[0]) < 20
            ):
                box = (
                    min(last.box[0], half.box[0]),
                    last.box[1],
                    max(last.box[2], half.box[2]),
                    half.box[3],
                )
                whole = BitDiagram(
                    half.page,
                    box,
                    last.width + half.width,
                    last.cells + half.cells,
                    last.label or half.label,
                )
                joined[-1] = (row, whole)
                continue
        joined.append((row, half))
    return [diagram for _, diagram in joined]
