"""The tables and register pictures of one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasheet_lsp.documents.page import PageData, PdfInfo, Word
from datasheet_lsp.documents.tables.aligned import aligned_grids, ruled_across
from datasheet_lsp.documents.tables.build import grid_body
from datasheet_lsp.documents.tables.captions import (
    Caption,
    assign_captions,
    is_figure,
    page_captions,
)
from datasheet_lsp.documents.tables.diagrams import find_diagrams
from datasheet_lsp.documents.tables.edges import Across, frames
from datasheet_lsp.documents.tables.grid import Grid, build_grid
from datasheet_lsp.documents.tables.kinds import table_kind
from datasheet_lsp.documents.tables.lines import PageLine, inside, page_lines
from datasheet_lsp.documents.tables.maps import register_map
from datasheet_lsp.documents.tables.nordic import find_lettered
from datasheet_lsp.documents.tables.types import (
    BitDiagram,
    FoundTable,
    LooseLine,
    PageTables,
)
from datasheet_lsp.model.document import Box, Place


def find_tables(page: PageData, info: PdfInfo, exclude: frozenset[int] = frozenset()) -> PageTables:
    """The tables and register pictures of a page.

    Args:
        page: The page as it was read.
        info: What holds for the file; its fonts are used.
        exclude: Indices of words to leave alone, as running headers and footers.
    """
    words = page.words
    fonts = info.fonts
    used: set[int] = set()
    tables: list[FoundTable] = []
    diagrams: list[BitDiagram] = []
    lines = page_lines(words, exclude)
    captions = page_captions(lines, fonts)

    registers = find_lettered(page.number, lines)
    for found in registers:
        used |= found.used
        diagrams.append(found.diagram)
    solid = [f for f in page.fills if not any(_covers(r.box, f) for r in registers)]

    framed, alone = frames(page.rules, solid)
    grids: list[Grid] = []
    fills: list[list[Box]] = []
    heads: list[Grid] = []
    for frame in framed:
        grid = build_grid(frame)
        if grid is None:
            continue
        box = grid.box
        within = [
            k for k, w in enumerate(words) if k not in used and k not in exclude and inside(w, box)
        ]
        if not within:
            continue
        grid.fill(words, within)
        grid.write(words)
        if not frame.ruled and _heads_rules(grid, alone):
            heads.append(grid)
            continue
        grids.append(grid)
        fills.append(frame.fills)
    drawn = find_diagrams(page.number, words, lines, grids)
    used |= drawn.words
    diagrams += drawn.diagrams

    kept: list[tuple[Grid, Sequence[Box]]] = []
    for number, grid in enumerate(grids):
        if number in drawn.grids or any(number == m[0] for m in drawn.maps):
            continue
        grid.drop_empty()
        if _is_table(grid, words, page):
            kept.append((grid, fills[number]))
            for cell in grid.cells:
                used.update(cell.words)
    alone += [(y, h.xs[0], h.xs[-1]) for h in heads for y in h.ys]
    for grid in ruled_across(
        alone, words, used | exclude, [g.box for g, _ in kept], heads, captions
    ):
        kept.append((grid, ()))
        for cell in grid.cells:
            used.update(cell.words)
    for grid in aligned_grids(lines, words, used | exclude, captions, fonts):
        kept.append((grid, ()))
        for cell in grid.cells:
            used.update(cell.words)

    boxes = [g.box for g, _ in kept]
    boxes += [grids[number].box for number, _, _ in drawn.maps] + [r.box for r in registers]
    owned = assign_captions(captions, boxes, [d.box for d in diagrams], lines)
    for grid, shades in kept:
        body = grid_body(grid, words, fonts, shades)
        caption = owned.get(grid.box)
        if caption is None and _is_drawing(grid, lines):
            for cell in grid.cells:
                used.difference_update(cell.words)
            continue
        tables.append(
            FoundTable(
                page=page.number,
                box=grid.box,
                header=body.header,
                rows=body.rows,
                column_edges=tuple(grid.xs),
                head_rows=body.head_rows,
                headless=body.headless,
                head_marked=body.marked,
                kind=table_kind(body.header, body.rows, caption.text if caption else body.title),
                fragment=caption is None and len(body.rows) + len(body.head_rows) == 1,
                **_captioned(page.number, grid.box, len(body.rows), caption, body.title),
            )
        )
    for number, row, head in drawn.maps:
        grid = grids[number]
        caption = owned.get(grid.box)
        header, rows, pictures = register_map(page.number, words, grid, row, head)
        diagrams += pictures
        for cell in grid.cells:
            used.update(cell.words)
        used.update(row.indices)
        tables.append(
            FoundTable(
                page=page.number,
                box=grid.box,
                header=header,
                rows=rows,
                column_edges=tuple(grid.xs),
                head_rows=(header,),
                head_marked=True,
                kind="registers",
                **_captioned(page.number, grid.box, len(rows), caption),
            )
        )
    for found in registers:
        caption = owned.get(found.box)
        tables.append(
            FoundTable(
                page=page.number,
                box=found.box,
                header=found.head,
                rows=tuple(tuple(r) for r in found.rows),
                column_edges=found.edges,
                head_rows=(found.head,),
                head_marked=True,
                kind="fields",
                diagram=found.diagram,
                **_captioned(page.number, found.box, len(found.rows), caption),
            )
        )
    for caption in owned.values():
        used.update(caption.indices)
    tables.sort(key=lambda t: (t.box[1], t.box[0]))
    diagrams.sort(key=lambda d: (d.box[1], d.box[0]))
    loose = tuple(_loose(lines, used, exclude))
    return PageTables(
        page.number, page.height, tuple(tables), tuple(diagrams), frozenset(used), loose
    )


def _captioned(
    page: int, box: Box, rows: int, caption: Caption | None, title: str = ""
) -> dict[str, Any]:
    """What a table has from its place and its caption."""
    return {
        "row_pages": (page,) * rows,
        "places": (Place(page, box),),
        "caption": caption.text if caption else title,
        "number": caption.number if caption else "",
        "continued": caption is not None and caption.continued,
    }


def _heads_rules(grid: Grid, alone: Sequence[Across]) -> bool:
    """Whether a row of shaded cells may be the head of a table with rows below it."""
    if len(grid.ys) != 2 or len(grid.xs) < 3:
        return False
    if len(grid.xs) > 3 and all(c.text for c in grid.cells):
        return True
    x0, _, x1, y1 = grid.box
    return any(y1 + 6 < y < y1 + 400 and abs(a - x0) < 6 and abs(b - x1) < 6 for y, a, b in alone)


def _covers(box: Box, fill: Box) -> bool:
    return box[1] - 4 < (fill[1] + fill[3]) / 2 < box[3] + 6


def _is_table(grid: Grid, words: Sequence[Word], page: PageData) -> bool:
    """Whether a grid with its words is a table and no drawing, box or running header."""
    if not grid.xs or not grid.ys:
        return False
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    given = [c for c in grid.cells if c.words]
    if columns < 2 or rows * columns < 3 or not given or grid.ragged > 0.2:
        return False
    if rows == 1:
        # One row can be the end of a table at the top of a page, or its start at the bottom.
        _, y0, _, y1 = grid.box
        return columns > 2 and (y0 < page.height * 0.2 or y1 > page.height * 0.85)
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


def _is_drawing(grid: Grid, lines: Sequence[PageLine]) -> bool:
    """Whether a grid without a table's caption belongs to a figure."""
    x0, y0, x1, y1 = grid.box
    spans = sum(c.right - c.left > 1 or c.bottom - c.top > 1 for c in grid.cells)
    empty = sum(not c.words for c in grid.cells)
    odd = (spans + empty) / len(grid.cells)
    if odd < 0.3:
        return False
    for line in lines:
        near = 0 <= line.y0 - y1 < 60 or 0 <= y0 - line.y1 < 60
        if near and line.x1 > x0 - 60 and line.x0 < x1 + 60:
            if any(is_figure(r.text) for r in line.runs(2.2)):
                return True
    return odd > 0.7


def _loose(lines: Sequence[PageLine], used: set[int], exclude: frozenset[int]) -> list[LooseLine]:
    found: list[LooseLine] = []
    for line in lines:
        left = [w for w, k in zip(line.words, line.indices, strict=True) if k not in used]
        if left:
            found.append(
                LooseLine(
                    min(w.y0 for w in left), max(w.y1 for w in left), " ".join(w.text for w in left)
                )
            )
    return found
