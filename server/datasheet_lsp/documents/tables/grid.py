"""A frame of edges and the words in it made into cells with spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.edges import Frame, nearest, snap
from datasheet_lsp.documents.tables.text import cell_text
from datasheet_lsp.model.document import Box

# Edges this near to each other are one; vertical ones a little more where they are never side by
# side in one row (columns drawn a little differently from row to row).
_NEAR = 2.6
_NEAR_COLUMNS = 7.0
_THIN = 4.0
_LONG = 150.0
_REACH = 5.0


class Cell:
    """A cell: rows ``top`` to ``bottom`` - 1, columns ``left`` to ``right`` - 1 of its grid."""

    __slots__ = ("bottom", "left", "right", "text", "top", "words")

    def __init__(self, top: int, left: int, bottom: int, right: int) -> None:
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.words: list[int] = []
        self.text = ""


class Grid:
    """Cells between column edges ``xs`` and row edges ``ys``.

    ``ragged`` is the part of the area that is in no rectangular cell: large in drawings, nothing
    in tables. ``at[row][column]`` is the cell there.
    """

    def __init__(self, xs: list[float], ys: list[float], cells: list[Cell], ragged: float) -> None:
        self.xs = xs
        self.ys = ys
        self.cells = cells
        self.ragged = ragged
        self.at: list[list[Cell]] = []
        self.index()

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        return (self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def index(self) -> None:
        """Brings ``at`` up to date with the cells."""
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        table: list[list[Cell]] = [[None] * columns for _ in range(rows)]  # type: ignore[list-item]
        for cell in self.cells:
            for row in range(cell.top, cell.bottom):
                line = table[row]
                for column in range(cell.left, cell.right):
                    line[column] = cell
        self.at = table

    def fill(self, words: Sequence[Word], indices: Sequence[int]) -> None:
        """Puts the words (by index) into the cells that their middles are in."""
        xs, ys, at = self.xs, self.ys, self.at
        rows, columns = len(ys) - 1, len(xs) - 1
        for k in indices:
            word = words[k]
            column = min(max(bisect_right(xs, (word.x0 + word.x1) / 2) - 1, 0), columns - 1)
            row = min(max(bisect_right(ys, (word.y0 + word.y1) / 2) - 1, 0), rows - 1)
            at[row][column].words.append(k)

    def write(self, words: Sequence[Word]) -> None:
        """Makes the text of every cell."""
        for cell in self.cells:
            if cell.words:
                left, right = self.xs[cell.left], self.xs[cell.right]
                cell.text = cell_text([words[k] for k in cell.words], right, left)

    def drop_empty(self) -> None:
        """Takes out rows and columns where no cell of their own holds a word."""
        own_rows = [False] * (len(self.ys) - 1)
        own_columns = [False] * (len(self.xs) - 1)
        for cell in self.cells:
            if cell.words:
                own_rows[cell.top] = True
                own_columns[cell.left] = True
        for row, own in enumerate(own_rows):
            if not own and self.ys[row + 1] - self.ys[row] > 2 * _THIN:
                # An empty row that is high enough for a line is kept when it is a row of its own.
                own_rows[row] = any(c.bottom - c.top > 1 and c.words for c in self.at[row]) and (
                    len({id(c) for c in self.at[row]}) > 1
                )
        for column, own in enumerate(own_columns):
            if not own and self.xs[column + 1] - self.xs[column] > 3 * _THIN:
                # So is an empty column, when it is no part of wider cells throughout.
                own_columns[column] = any(
                    line[column].left == column and line[column].right == column + 1
                    for line in self.at
                )
        if all(own_rows) and all(own_columns):
            return
        self._keep(own_rows, own_columns)

    def _keep(self, rows: list[bool], columns: list[bool]) -> None:
        row_map = _renumber(rows)
        column_map = _renumber(columns)
        kept: list[Cell] = []
        for cell in self.cells:
            cell.top, cell.bottom = row_map[cell.top], row_map[cell.bottom]
            cell.left, cell.right = column_map[cell.left], column_map[cell.right]
            if cell.top < cell.bottom and cell.left < cell.right:
                kept.append(cell)
        self.cells = kept
        self.ys = _kept_edges(self.ys, rows)
        self.xs = _kept_edges(self.xs, columns)
        if self.ys and self.xs:
            self.index()


def _renumber(kept: list[bool]) -> list[int]:
    """The new number of each edge position when only some bands are kept."""
    numbers = [0]
    for keep in kept:
        numbers.append(numbers[-1] + keep)
    return numbers


def _kept_edges(edges: list[float], kept: list[bool]) -> list[float]:
    if not any(kept):
        return []
    new = [edges[at] for at, keep in enumerate(kept) if keep]
    return [*new, edges[len(kept) - kept[::-1].index(True)]]


def build_grid(frame: Frame) -> Grid | None:
    """The grid that the edges of a frame draw; None where they draw no cell or too many."""
    x0, y0, x1, y1 = frame.box
    xs = snap([d[0] for d in frame.down] + [x0, x1], _NEAR)
    sides = snap([d[0] for d in frame.down] + [x0, x1], _NEAR)
    levels = [
        a[0]
        for a in frame.across
        if a[2] - a[1] >= _LONG or (_off(sides, a[1]) <= _REACH and _off(sides, a[2]) <= _REACH)
    ]
    ys = snap([*levels, y0, y1], _NEAR)
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 1 or rows < 1 or columns > 80 or rows > 150:
        return None
    down_walls = [[False] * rows for _ in xs]
    row_middles = [(a + b) / 2 for a, b in zip(ys, ys[1:], strict=False)]
    for x, top, bottom in frame.down:
        wall = down_walls[nearest(xs, x)]
        for row in range(bisect_left(row_middles, top), bisect_right(row_middles, bottom)):
            wall[row] = True
    xs, down_walls = _merge_columns(xs, down_walls)
    columns = len(xs) - 1
    across_walls = [[False] * columns for _ in ys]
    column_middles = [(a + b) / 2 for a, b in zip(xs, xs[1:], strict=False)]
    for y, left, right in frame.across:
        if right - left < _LONG and (_off(xs, left) > _REACH or _off(xs, right) > _REACH):
            # Ends short of the next column: the underline of a link.
            continue
        wall = across_walls[nearest(ys, y)]
        for column in range(bisect_left(column_middles, left), bisect_right(column_middles, right)):
            wall[column] = True
    cells, ragged = _merge_cells(xs, ys, down_walls, across_walls)
    return Grid(xs, ys, cells, ragged)


def _off(positions: Sequence[float], value: float) -> float:
    return abs(positions[nearest(positions, value)] - value)


def _merge_columns(
    xs: list[float], walls: list[list[bool]]
) -> tuple[list[float], list[list[bool]]]:
    """Vertical edges put together that are near and never both there in one row."""
    new_xs, new_walls = [xs[0]], [walls[0]]
    for x, wall in zip(xs[1:], walls[1:], strict=True):
        last = new_walls[-1]
        if x - new_xs[-1] < _NEAR_COLUMNS and not any(
            a and b for a, b in zip(last, wall, strict=True)
        ):
            if sum(wall) > sum(last):
                new_xs[-1] = x
            new_walls[-1] = [a or b for a, b in zip(last, wall, strict=True)]
        else:
            new_xs.append(x)
            new_walls.append(wall)
    return new_xs, new_walls


def _merge_cells(
    xs: list[float], ys: list[float], down: list[list[bool]], across: list[list[bool]]
) -> tuple[list[Cell], float]:
    columns, rows = len(xs) - 1, len(ys) - 1
    parent = list(range(rows * columns))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for row in range(rows):
        for column in range(columns):
            here = row * columns + column
            if column + 1 < columns and not down[column + 1][row]:
                parent[root(here + 1)] = root(here)
            if row + 1 < rows and not across[row + 1][column]:
                parent[root(here + columns)] = root(here)
    groups: dict[int, list[int]] = {}
    for here in range(rows * columns):
        groups.setdefault(root(here), []).append(here)
    cells: list[Cell] = []
    ragged = 0.0
    for members in groups.values():
        top, bottom = members[0] // columns, members[-1] // columns
        places = [m % columns for m in members]
        left, right = min(places), max(places)
        if (bottom - top + 1) * (right - left + 1) == len(members):
            cells.append(Cell(top, left, bottom + 1, right + 1))
            continue
        # No rectangle: each run of a row becomes a cell of its own.
        start = members[0]
        for at, member in enumerate(members):
            following = members[at + 1] if at + 1 < len(members) else -1
            if following != member + 1 or following % columns == 0:
                row = start // columns
                cells.append(Cell(row, start % columns, row + 1, member % columns + 1))
                width = xs[member % columns + 1] - xs[start % columns]
                ragged += width * (ys[row + 1] - ys[row])
                start = following
    area = (xs[-1] - xs[0]) * (ys[-1] - ys[0])
    cells.sort(key=lambda c: (c.top, c.left))
    return cells, ragged / area if area else 1.0
