"""Puts headings, paragraphs and tables together to a Document, whatever format they are from."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from datasheet_lsp.documents.convert.grid import Cell, Grid, make_grid
from datasheet_lsp.documents.convert.limits import Limits
from datasheet_lsp.documents.convert.words import (
    clean_layout,
    figure_caption,
    find_revision,
    is_note,
    one_line,
    split_number,
    tidy_lines,
)
from datasheet_lsp.documents.tables.captions import parse_caption
from datasheet_lsp.documents.tables.kinds import table_kind
from datasheet_lsp.model.document import (
    Block,
    BlockKind,
    Document,
    Figure,
    Place,
    Section,
    SectionOrigin,
    Table,
    TableKind,
    Trouble,
)

_TITLE_LETTERS = 300
_CAPTION_LETTERS = 300
# What a table is about shows in its first rows, and a cell is known by its beginning.
_KIND_ROWS = 300
_KIND_LETTERS = 120
# A revision stands on the first lines, if anywhere.
_REVISION_BLOCKS = 12
_REVISION_LETTERS = 200


class TooMuch(Exception):
    """The limit of blocks or cells is reached: the reading ends here, and the Document tells."""


class _Open:
    """A section that still grows."""

    __slots__ = (
        "depth",
        "last_page",
        "level",
        "number",
        "origin",
        "page",
        "parent",
        "title",
        "top",
    )

    def __init__(
        self,
        parent: int | None,
        level: int,
        depth: int,
        title: tuple[str, str],
        page: int,
        top: float,
        origin: SectionOrigin,
    ) -> None:
        self.parent = parent
        self.level = level
        self.depth = depth
        self.number, self.title = title
        self.page = page
        self.top = top
        self.last_page = page
        self.origin = origin


class Builder:
    """Takes what a format's reader finds, in reading order.

    ``page`` is the slide or sheet, 1 for what has none. Lines are 1-based, 0 where the format has
    none. A place in a text format is a box without width from its first line to its last:
    (0, first, 0, last); elsewhere the box is all zeros.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.title = ""
        self.revision = ""
        self.page = 1
        self.pages = 1
        self.labels: tuple[str, ...] = ()
        self._sections: list[_Open] = []
        self._stack: list[int] = []
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._figures: list[Figure] = []
        self._troubles: list[Trouble] = []
        self._caption: tuple[str, str, str, int, int] | None = None
        self._captions_above = False
        self._cells = 0

    # What a reader tells.

    def trouble(self, message: str, page: int | None = None) -> None:
        """Notes something that could not be read."""
        found = Trouble(message, page, page)
        if found not in self._troubles:
            self._troubles.append(found)

    def heading(
        self, level: int, text: str, line: int = 0, *, origin: SectionOrigin = "file"
    ) -> None:
        """Begins a section inside the last one of a lower ``level``."""
        title = one_line(text)[:_TITLE_LETTERS]
        if not title:
            return
        self._release_caption()
        self._open(level, split_number(title), line, origin)

    def text(self, text: str, line: int = 0, last: int = 0, *, kind: BlockKind = "text") -> None:
        """A paragraph, list or note; captions find their table or figure by themselves."""
        text = tidy_lines(text)
        if not text:
            return
        if kind == "text":
            flat = " ".join(text.split())
            table = parse_caption(flat) if len(flat) <= _CAPTION_LETTERS else None
            if table is not None:
                self._take_caption(table[0], table[1], text, line, last)
                return
            figure = figure_caption(flat)
            if figure is not None:
                self.figure(*figure, line, last)
                return
            if is_note(text):
                kind = "note"
        self._release_caption()
        self._add(kind, text, line, last)

    def lines(self, lines: Sequence[str], line: int = 0, last: int = 0) -> None:
        """A list, an entry a line, inner ones set in by two spaces."""
        kept = [x for x in (clean_layout(entry) for entry in lines) if x.strip()]
        if kept:
            self._release_caption()
            self._add("list", "\n".join(kept), line, last)

    def code(self, text: str, line: int = 0, last: int = 0) -> None:
        """Text whose layout counts."""
        text = clean_layout(text)
        if text.strip():
            self._release_caption()
            self._add("code", text, line, last)

    def figure(self, number: str, caption: str, line: int = 0, last: int = 0) -> None:
        """A figure, known by its caption."""
        self._release_caption()
        place = self._place(line, last)
        figure = Figure(len(self._figures), self._section(), number, one_line(caption), place)
        self._figures.append(figure)
        self._put(Block("figure", figure.section, (place,), ref=figure.id))

    def table(
        self,
        laid: Sequence[Sequence[Cell]],
        line: int = 0,
        last: int = 0,
        *,
        caption: str = "",
        header_rows: int | None = None,
    ) -> None:
        """A table of laid out cells. A single cell is a paragraph, a single row is one too."""
        self._cells += sum(map(len, laid))
        if self._cells > self.limits.cells:
            raise TooMuch(f"more than {self.limits.cells:,} cells of tables")
        grid = make_grid(laid, header_rows)
        if grid is None:
            return
        if not grid.rows or (len(grid.header) == 1 and not grid.rows[1:] and not grid.header[0]):
            # In a frame of one cell, line breaks are paragraphs.
            given = [c.text for row in laid for c in row if c.text.strip()]
            text = given[0] if len(set(given)) == 1 else "\n".join(dict.fromkeys(given))
            self.text(text, line, last)
            return
        self._add_table(grid, caption, line, last)

    # What comes of it.

    def finish(self, format: str, source: str, sha256: str) -> Document:
        """The Document."""
        with suppress(TooMuch):
            self._release_caption()
        sections = self._sections
        for block in self._blocks:
            page = block.places[0].page
            found = sections[block.section]
            found.last_page = max(found.last_page, page)
        for section in reversed(sections):
            if section.parent is not None:
                parent = sections[section.parent]
                parent.last_page = max(parent.last_page, section.last_page)
        if not self._blocks and not sections and not self._troubles:
            self.trouble(f"{self.name} holds no text.")
        return Document(
            format=format,
            title=one_line(self.title)[:_TITLE_LETTERS] or self._first_title(),
            revision=one_line(self.revision)[:80] or self._first_revision(),
            pages=self.pages,
            labels=self.labels,
            sections=tuple(
                Section(
                    id=at,
                    parent=s.parent,
                    level=s.depth,
                    number=s.number,
                    title=s.title,
                    page=s.page,
                    top=s.top,
                    last_page=s.last_page,
                    origin=s.origin,
                )
                for at, s in enumerate(sections)
            ),
            blocks=tuple(self._blocks),
            tables=tuple(self._tables),
            figures=tuple(self._figures),
            registers=(),
            troubles=tuple(self._troubles),
            source=source,
            sha256=sha256,
        )

    def _first_title(self) -> str:
        for section in self._sections:
            if section.title != self.name:
                return f"{section.number} {section.title}".strip()
        return self.name

    def _first_revision(self) -> str:
        first = [self.title[:_TITLE_LETTERS], *(s.title for s in self._sections[:3])]
        for block in self._blocks[:_REVISION_BLOCKS]:
            if block.kind in ("text", "list", "note"):
                first += [x for x in block.text.split("\n") if len(x) <= _REVISION_LETTERS]
        return find_revision(first)

    def _open(self, level: int, title: tuple[str, str], line: int, origin: SectionOrigin) -> None:
        if len(self._sections) + len(self._blocks) >= self.limits.blocks:
            raise TooMuch(f"more than {self.limits.blocks:,} paragraphs")
        while self._stack and self._sections[self._stack[-1]].level >= level:
            self._stack.pop()
        parent = self._stack[-1] if self._stack else None
        depth = len(self._stack) + 1
        self._stack.append(len(self._sections))
        self._sections.append(_Open(parent, level, depth, title, self.page, float(line), origin))

    def _section(self) -> int:
        """The section that is open; text before the first has one named as the file is."""
        if not self._stack:
            self._open(1, ("", one_line(self.title)[:_TITLE_LETTERS] or self.name), 0, "file")
        return self._stack[-1]

    def _place(self, line: int, last: int) -> Place:
        return Place(self.page, (0.0, float(line), 0.0, float(max(line, last))))

    def _put(self, block: Block) -> None:
        if len(self._sections) + len(self._blocks) >= self.limits.blocks:
            raise TooMuch(f"more than {self.limits.blocks:,} paragraphs")
        self._blocks.append(block)

    def _add(self, kind: BlockKind, text: str, line: int, last: int) -> None:
        self._put(Block(kind, self._section(), (self._place(line, last),), text))

    def _add_table(self, grid: Grid, caption: str, line: int, last: int) -> None:
        number, words = "", one_line(caption)
        parsed = parse_caption(words) if len(words) <= _CAPTION_LETTERS else None
        if parsed is not None:
            number, words = parsed[0], parsed[1]
        if self._caption is not None and not words:
            number, words = self._caption[0], self._caption[1]
            self._caption = None
            self._captions_above = True
        for title in grid.titles:
            parsed = parse_caption(title) if len(title) <= _CAPTION_LETTERS else None
            if parsed is not None and not number:
                number, title = parsed[0], parsed[1]
            words = f"{words} - {title}" if words else title
        self._release_caption()
        place = self._place(line, last)
        table = Table(
            id=len(self._tables),
            section=self._section(),
            number=number,
            caption=words,
            header=grid.header,
            rows=grid.rows,
            row_pages=(self.page,) * len(grid.rows),
            places=(place,),
            kind=_kind(grid.header, grid.rows, words),
        )
        self._tables.append(table)
        self._put(Block("table", table.section, (place,), ref=table.id))

    def _take_caption(self, number: str, words: str, text: str, line: int, last: int) -> None:
        """A caption goes to the table right before it, where captions do not stand above."""
        before = self._blocks[-1] if self._blocks else None
        if (
            self._caption is None
            and not self._captions_above
            and before is not None
            and before.kind == "table"
            and before.ref is not None
            and self._stack
            and before.section == self._stack[-1]
        ):
            table = self._tables[before.ref]
            if not table.caption and not table.number:
                self._tables[before.ref] = _captioned(table, number, words)
                return
        self._release_caption()
        self._caption = (number, words, text, line, last)

    def _release_caption(self) -> None:
        """A caption that found no table is a paragraph."""
        if self._caption is not None:
            _, _, text, line, last = self._caption
            self._caption = None
            self._add("text", text, line, last)


def _kind(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> TableKind:
    return table_kind(
        [cell[:_KIND_LETTERS] for cell in header],
        [[cell[:_KIND_LETTERS] for cell in row] for row in rows[:_KIND_ROWS]],
        caption[:_CAPTION_LETTERS],
    )


def _captioned(table: Table, number: str, caption: str) -> Table:
    kind = _kind(table.header, table.rows, caption)
    return Table(
        id=table.id,
        section=table.section,
        number=number,
        caption=caption,
        header=table.header,
        rows=table.rows,
        row_pages=table.row_pages,
        places=table.places,
        kind=kind,
    )
