"""Cells that may span rows and columns -> header and rows of one width."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.documents.convert.words import one_line

_MOST_COLUMNS = 1000


class Cell(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A cell as the format gives it; ``head`` where it says that it is one of the header."""

    text: str
    rows: int = 1
    columns: int = 1
    head: bool = False


class Grid(msgspec.Struct, frozen=True, gc=False):
    """A table of one width. ``titles`` are full-width rows above the header."""

    titles: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def spread(rows: Sequence[Sequence[Cell]], most: int) -> list[list[Cell]]:
    """Repeats spanning cells in every place they cover; stops once it has more than ``most`` cells.

    HTML lets a cell ask for 65,534 rows: it gets as many as there are.
    """
    laid: list[list[Cell]] = []
    below: dict[int, tuple[Cell, int]] = {}
    used = 0
    for row in rows:
        line: list[Cell] = []
        given = iter(row)
        following: dict[int, tuple[Cell, int]] = {}
        while True:
            held = below.pop(len(line), None)
            if held is not None:
                cell, left = held
                if left > 1:
                    following[len(line)] = (cell, left - 1)
                line.append(cell)
                continue
            cell_or_none = next(given, None)
            if cell_or_none is None:
                if not below or len(line) >= _MOST_COLUMNS:
                    break
                # A hole before a cell that comes down from above.
                line.append(Cell(""))
                continue
            cell = cell_or_none
            for _ in range(max(1, min(cell.columns, _MOST_COLUMNS))):
                if len(line) >= _MOST_COLUMNS:
                    break
                if cell.rows > 1:
                    following[len(line)] = (cell, cell.rows - 1)
                below.pop(len(line), None)
                line.append(cell)
        below = following
        used += len(line)
        laid.append(line)
        if used > most:
            break
    return laid


def make_grid(laid: Sequence[Sequence[Cell]], header_rows: int | None = None) -> Grid | None:
    """A table from laid out cells; None where nothing is in them.

    The header is the first ``header_rows`` rows, or, where that is not known, the rows of header
    cells at the top, else the first row; several are joined by column. A table whose first column
    alone is a header, in every row, has an empty one.
    """
    texts = [[one_line(cell.text) for cell in row] for row in laid]
    width = max(map(len, texts), default=0)
    keep = [at for at in range(width) if any(at < len(r) and r[at] for r in texts)]
    kept = [at for at, row in enumerate(texts) if any(row)]
    if not kept:
        return None
    lines = [tuple(texts[at][c] if c < len(texts[at]) else "" for c in keep) for at in kept]
    source = [laid[at] for at in kept]

    titles: list[str] = []
    while len(keep) > 1 and len(lines) > 2 and _is_title(source[0], lines[0]):
        titles.append(next(filter(None, lines.pop(0))))
        source.pop(0)
        if header_rows:
            header_rows -= 1

    if header_rows is None:
        header_rows = _count_header(source, lines)
    header_rows = min(header_rows, len(lines))
    columns = zip(*lines[:header_rows], strict=True)
    header = tuple(" ".join(dict.fromkeys(filter(None, column))) for column in columns)
    header = header or ("",) * len(keep)
    return Grid(tuple(titles), header, tuple(lines[header_rows:]))


def _is_title(row: Sequence[Cell], line: Sequence[str]) -> bool:
    """Whether one cell goes over the whole width, or stands alone in the first column."""
    given = [text for text in line if text]
    if len(set(given)) != 1:
        return False
    spanning = [cell for cell in row if cell.text.strip()]
    return len(given) == len(line) and spanning[0].columns >= len(line)


def _count_header(source: Sequence[Sequence[Cell]], lines: Sequence[Sequence[str]]) -> int:
    heads = 0
    while (
        heads < len(source)
        and source[heads]
        and all(cell.head or not cell.text.strip() for cell in source[heads])
    ):
        heads += 1
    if heads:
        # A table of header cells alone would have no rows: then the first is the header.
        return heads if heads < len(source) else 1
    if len(source) > 1 and all(row and row[0].head for row in source):
        return 0
    first = source[0]
    groups = {id(cell) for cell in first if 1 < cell.columns < len(lines[0])}
    if groups and len(source) > 2:
        # Groups of columns, their names in the row under them, as far as cells go down into it.
        under = source[1]
        named = [
            line
            for at, line in enumerate(under)
            if at < len(first) and id(first[at]) in groups and line is not first[at]
        ]
        if named and all(
            cell.text.strip() and not cell.text.strip()[:1].isdigit() for cell in named
        ):
            return 2
    return 1
