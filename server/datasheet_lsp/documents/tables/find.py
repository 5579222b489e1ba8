"""The tables and register pictures of one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasheet_lsp.documents.page import PageData, PdfInfo
from datasheet_lsp.documents.tables.across import ruled_across
from datasheet_lsp.documents.tables.build import grid_body
from datasheet_lsp.documents.tables.captions import (
    Caption,
    assign_captions,
    line_above,
    page_captions,
    title_line,
)
from datasheet_lsp.documents.tables.diagrams import find_diagrams
from datasheet_lsp.documents.tables.doubts import belongs_to_figure, is_table, may_be_head
from datasheet_lsp.documents.tables.edges import Across, frames
from datasheet_lsp.documents.tables.grid import Grid, build_grid
from datasheet_lsp.documents.tables.headed import captioned_grids, headed_grid
from datasheet_lsp.documents.tables.kinds import table_kind
from datasheet_lsp.documents.tables.lines import inside, page_lines
from datasheet_lsp.documents.tables.maps import register_map
from datasheet_lsp.documents.tables.marks import stuck_words, without_marks, without_strokes
from datasheet_lsp.documents.tables.nordic import Lettered, find_lettered
from datasheet_lsp.documents.tables.types import BitDiagram, FoundTable, LooseLine, PageTables
from datasheet_lsp.model.document import Box, Place


def find_tables(page: PageData, info: PdfInfo, exclude: frozenset[int] = frozenset()) -> PageTables:
    """The tables and register pictures of a page.

    Args:
        page: The page as it was read.
        info: What holds for the file; its fonts are used.
        exclude: Indices of words to leave alone, as running headers and footers.
    """
    return _Finder(page, info, exclude).found()


class _Finder:
    """What is found on a page so far; every step takes the words it understood out of the way."""

    def __init__(self, page: PageData, info: PdfInfo, exclude: frozenset[int]) -> None:
        self.page = page
        self.words = without_marks(page.words)
        self.fonts = info.fonts
        self.exclude = exclude
        # Notes put on the page are text beside the tables they lie over.
        self.stuck = stuck_words(page.words, page.rules, info.fonts) - exclude
        self.used: set[int] = self.stuck | exclude
        self.lines = page_lines(self.words, self.used)
        self.tables: list[FoundTable] = []
        self.diagrams: list[BitDiagram] = []
        self.grids: list[tuple[Grid, Sequence[Box]]] = []
        # Grids whose columns are not ruled; without caption or head they count for nothing.
        self.loose: set[int] = set()

    def found(self) -> PageTables:
        """Everything, in the order of the steps: the surest layouts first."""
        lettered = find_lettered(self.page.number, self.lines)
        for register in lettered:
            self.used |= register.used
            self.diagrams.append(register.diagram)
        framed, fills, heads, alone = self._frames(lettered)
        boxed = [g.box for g in framed if len(g.cells) == 1]
        captions = page_captions(
            self.lines, self.fonts, [g.box for g in (*framed, *heads) if g.box not in boxed]
        )
        drawn = find_diagrams(self.page.number, self.words, self.lines, framed)
        self.used |= drawn.words
        self.diagrams += drawn.diagrams
        maps = {m[0] for m in drawn.maps}
        for number, grid in enumerate(framed):
            if number in drawn.grids or number in maps:
                continue
            grid.drop_empty()
            if is_table(grid, self.words, self.page.height):
                self._keep(grid, fills[number])
        alone = alone + [(y, h.xs[0], h.xs[-1]) for h in heads for y in h.ys]
        boxes = [g.box for g, _ in self.grids]
        for grid in ruled_across(alone, self.words, self.used, boxes, heads, captions):
            self._keep(grid, (), loose=True)
        self._headed(heads)
        taken = [g.box for g, _ in self.grids] + [d.box for d in self.diagrams]
        taken += [framed[number].box for number in maps]
        for grid in captioned_grids(self.lines, self.words, self.used, captions, self.fonts, taken):
            self._keep(grid, ())
        boxes = [g.box for g, _ in self.grids] + [framed[number].box for number in maps]
        boxes += [r.box for r in lettered]
        captions = [c for c in captions if c.indices[0] not in self.used]
        owned = assign_captions(captions, boxes, [d.box for d in self.diagrams], self.lines)
        self._build(owned, boxed)
        for number, row, head in drawn.maps:
            grid = framed[number]
            header, rows, pictures = register_map(self.page.number, self.words, grid, row, head)
            self.diagrams += pictures
            self.used.update(row.indices)
            self._take(grid)
            self._add(grid.box, grid.xs, header, rows, owned.get(grid.box), kind="registers")
        for register in lettered:
            self._add(
                register.box,
                register.edges,
                register.head,
                [tuple(r) for r in register.rows],
                owned.get(register.box),
                kind="fields",
                diagram=register.diagram,
            )
        for caption in owned.values():
            self.used.update(caption.indices)
        self.tables.sort(key=lambda t: (t.box[1], t.box[0]))
        self.diagrams.sort(key=lambda d: (d.box[1], d.box[0]))
        return PageTables(
            self.page.number,
            self.page.height,
            tuple(self.tables),
            tuple(self.diagrams),
            frozenset(self.used - self.exclude - self.stuck),
            tuple(self._loose_lines()),
        )

    def _frames(
        self, lettered: Sequence[Lettered]
    ) -> tuple[list[Grid], list[list[Box]], list[Grid], list[Across]]:
        """Grids drawn by rules and shades, shaded rows that may be heads, and lone rules."""
        solid = [f for f in self.page.fills if not any(_covers(r.box, f) for r in lettered)]
        solid = without_strokes(solid, self.words)
        framed, alone = frames(self.page.rules, solid)
        grids: list[Grid] = []
        fills: list[list[Box]] = []
        heads: list[Grid] = []
        for frame in framed:
            grid = build_grid(frame)
            if grid is None:
                continue
            box = grid.box
            within = [k for k, w in enumerate(self.words) if k not in self.used and inside(w, box)]
            if not within:
                continue
            grid.fill(self.words, within)
            grid.write(self.words)
            if len(grid.xs) == 2 and len(grid.ys) > 3 and frame.ruled:
                # Ruled across, with a frame but no columns: those are gaps.
                alone += frame.across
                continue
            if may_be_head(grid, frame, alone):
                heads.append(grid)
                continue
            grids.append(grid)
            fills.append(frame.fills)
        return grids, fills, heads, alone

    def _headed(self, heads: Sequence[Grid]) -> None:
        """Tables under shaded heads without rules, and heads that stand alone."""
        for head in sorted(heads, key=lambda h: h.ys[0]):
            own = [k for c in head.cells for k in c.words]
            if any(k in self.used for k in own):
                continue
            grid = headed_grid(head, self.lines, self.words, self.used | set(own))
            if grid is not None:
                self._keep(grid, (head.box,))
            elif is_table(head, self.words, self.page.height):
                self._keep(head, (head.box,))

    def _keep(self, grid: Grid, shades: Sequence[Box], loose: bool = False) -> None:
        self.grids.append((grid, shades))
        if loose:
            self.loose.add(id(grid))
        self._take(grid)

    def _take(self, grid: Grid) -> None:
        for cell in grid.cells:
            self.used.update(cell.words)

    def _build(self, owned: dict[Box, Caption], boxed: Sequence[Box]) -> None:
        for grid, shades in self.grids:
            body = grid_body(grid, self.words, self.fonts, shades)
            caption = owned.get(grid.box)
            if caption is None and (
                belongs_to_figure(grid, self.lines, self.page.pictures, boxed, self.page.height)
                or (id(grid) in self.loose and body.headless)
                or (body.headless and len(body.rows) <= 2 and grid.ys[0] > 0.2 * self.page.height)
            ):
                for cell in grid.cells:
                    self.used.difference_update(cell.words)
                continue
            self._add(
                grid.box,
                grid.xs,
                body.header,
                body.rows,
                caption,
                title=body.title
                or ("" if caption else title_line(grid.box, self.lines, self.fonts, self.used)),
                head_rows=body.head_rows,
                headless=body.headless,
                head_marked=body.marked,
                fragment=caption is None and len(body.rows) + len(body.head_rows) == 1,
            )

    def _loose_lines(self) -> list[LooseLine]:
        """The lines of the words that are in nothing, from the top down."""
        found: list[LooseLine] = []
        used = self.used - self.stuck
        lines = self.lines
        if self.stuck:
            rest = frozenset(range(len(self.words))) - self.stuck
            lines = [*lines, *page_lines(self.words, rest)]
        for line in lines:
            left = [w for w, k in zip(line.words, line.indices, strict=True) if k not in used]
            if left:
                top, bottom = min(w.y0 for w in left), max(w.y1 for w in left)
                found.append(LooseLine(top, bottom, " ".join(w.text for w in left)))
        if self.stuck:
            found.sort(key=lambda line: line.top)
        return found

    def _add(
        self,
        box: Box,
        edges: Sequence[float],
        header: tuple[str, ...],
        rows: Sequence[tuple[str, ...]],
        caption: Caption | None,
        *,
        title: str = "",
        **more: Any,
    ) -> None:
        text = caption.text if caption else title
        more.setdefault("head_rows", (header,))
        more.setdefault("head_marked", True)
        if "kind" not in more:
            # The line above may be a heading, which is not among the lines to look through.
            above = ""
            if len(header) == 2:
                above = line_above(box, page_lines(self.words, frozenset()))
            more["kind"] = table_kind(header, rows, text, above)
        self.tables.append(
            FoundTable(
                page=self.page.number,
                box=box,
                header=header,
                rows=tuple(rows),
                column_edges=tuple(edges),
                row_pages=(self.page.number,) * len(rows),
                places=(Place(self.page.number, box),),
                caption=text,
                number=caption.number if caption else "",
                continued=caption is not None and caption.continued,
                **more,
            )
        )


def _covers(box: Box, fill: Box) -> bool:
    return box[1] - 4 < (fill[1] + fill[3]) / 2 < box[3] + 6
