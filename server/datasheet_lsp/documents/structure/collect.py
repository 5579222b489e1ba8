"""One pass over the pages: headers off, headings of the outline, tables, lines; little is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from datasheet_lsp.documents.page import OutlineEntry, PageData, PdfInfo
from datasheet_lsp.documents.structure.contents import (
    ContentsEntry,
    looks_like_contents,
    take_contents,
)
from datasheet_lsp.documents.structure.figures import Figures, FoundFigure
from datasheet_lsp.documents.structure.furniture import Furniture, Margin
from datasheet_lsp.documents.structure.headings import PageTitles, usable
from datasheet_lsp.documents.structure.lines import Line, Zone, make_lines, upright
from datasheet_lsp.documents.structure.numbering import candidates
from datasheet_lsp.documents.tables import (
    BitDiagram,
    FoundTable,
    PageTables,
    Stitcher,
    find_tables,
)
from datasheet_lsp.model.document import Box

# The font size of the text is known well enough after so many characters.
_ENOUGH = 4000


class Cancelled(Exception):
    """Reading was stopped because it was asked for."""


class PageText(msgspec.Struct, gc=False):
    """What is kept of a page. ``back`` turns boxes to the page as it is shown."""

    number: int
    label: str
    width: float
    height: float
    lines: list[Line]
    zones: list[Zone]
    margins: list[Margin]
    pictures: tuple[Box, ...]
    diagrams: tuple[BitDiagram, ...]
    contents: bool = False
    trouble: str = ""
    back: Callable[[Box], Box] | None = None


class Placed(msgspec.Struct, gc=False):
    """An outline's entry as it was looked for on its page: ``line`` is None when not found."""

    index: int
    entry: OutlineEntry
    page: int
    line: Line | None = None
    text: str = ""
    whole: tuple[Box, ...] = ()


class Collected(msgspec.Struct, gc=False):
    """The document after the pass."""

    pages: list[PageText]
    tables: list[FoundTable]
    placed: list[Placed]
    figures: list[FoundFigure]
    contents: list[ContentsEntry]
    sizes: Counter[float]
    words: Counter[str]

    @property
    def body(self) -> float:
        """The font size of most of the text."""
        return body_size(self.sizes)


def body_size(sizes: Counter[float]) -> float:
    """The size most characters have."""
    return max(sizes, key=sizes.__getitem__) if sizes else 10.0


class Collector:
    """Takes pages in order and keeps what the structure is built from."""

    def __init__(
        self,
        info: PdfInfo,
        progress: Callable[[int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._info = info
        self._figures = Figures()
        self._progress = progress
        self._cancelled = cancelled
        self._entries: dict[int, list[tuple[int, OutlineEntry]]] = {}
        for index, entry in enumerate(usable(info.outline, info.pages)):
            self._entries.setdefault(entry.page, []).append((index, entry))
        self._carried: list[tuple[int, OutlineEntry]] = []
        self.result = Collected([], [], [], [], [], Counter(), Counter())

    def run(self, source: Iterable[PageData]) -> Collected:
        """Reads all pages."""
        furniture = Furniture(self._info.fonts)
        stitcher = Stitcher()
        result = self.result
        for page, margins in furniture.strip(source):
            result.tables.extend(self._page(page, margins, stitcher))
            if self._progress is not None:
                self._progress(page.number)
            if self._cancelled is not None and self._cancelled():
                raise Cancelled
        result.tables.extend(stitcher.finish())
        for index, entry in self._carried:
            result.placed.append(Placed(index, entry, entry.page))
        return result

    def _page(self, page: PageData, margins: list[Margin], stitcher: Stitcher) -> list[FoundTable]:
        result = self.result
        page, back = upright(page)
        info = self._info
        fonts = info.fonts
        words = page.words
        heads: set[int] = set()
        contents = looks_like_contents(words)
        entries = self._entries.get(page.number)
        if entries or self._carried:
            heads = self._headings(page, entries or [], contents, margins)
        tables: list[FoundTable] = []
        used: frozenset[int] = frozenset()
        diagrams: tuple[BitDiagram, ...] = ()
        boxes: list[Box] = []
        found: PageTables | None = None
        if not contents:
            found = find_tables(page, info, frozenset(heads))
            used = found.used
            diagrams = found.diagrams
            boxes = [t.box for t in found.tables] + [d.box for d in diagrams]
        lines, _, zones = make_lines(
            words, fonts, page.width, skip=used, blocks=[*boxes, *page.pictures]
        )
        if contents:
            lines, entries_here = take_contents(lines)
            result.contents.extend(entries_here)
            contents = bool(entries_here)
        drawn = [d.box for d in diagrams]
        if drawn:
            lines = [line for line in lines if not _in_any(line, drawn)]
        doubtful = _doubtful(found, page) if found is not None else []
        sure = [t.box for t in found.tables if t not in doubtful] if found is not None else []
        headings = self._heading_lines(page.number, lines)
        figures, lines = self._figures.find(page, lines, sure, drawn, headings)
        result.figures.extend(figures)
        if found is not None:
            tables = stitcher.feed(_without_drawn(found, doubtful, figures))
        sizes = result.sizes
        vocabulary = result.words
        for line in lines:
            sizes[line.size] += len(line.text)
            vocabulary.update(line.text.split())
        result.pages.append(
            PageText(
                number=page.number,
                label=page.label,
                width=page.width,
                height=page.height,
                lines=lines,
                zones=zones,
                margins=margins,
                pictures=page.pictures,
                diagrams=diagrams,
                contents=contents,
                trouble=page.trouble,
                back=back,
            )
        )
        return tables

    def _heading_lines(self, page: int, lines: list[Line]) -> list[Line]:
        """The lines that the outline names, or that look like numbered headings."""
        boxes = [b for p in self.result.placed[-40:] if p.page == page for b in p.whole]
        found = [line for line in lines if _in_any(line, boxes)] if boxes else []
        body = self._body(lines)
        left = min((line.x0 for line in lines), default=0.0)
        for c in candidates(page, lines, body):
            line = lines[c.lines[0]]
            if "." in c.number and line.x0 < left + 40:
                found.extend(lines[i] for i in c.lines)
        return found

    def _headings(
        self,
        page: PageData,
        entries: list[tuple[int, OutlineEntry]],
        contents: bool,
        margins: list[Margin],
    ) -> set[int]:
        """Finds the outline's entries on their page; the indices of the words of those found.

        What is not found near the end of a page is looked for once more on the next one.
        """
        heads: set[int] = set()
        left = [(entry, False) for entry in entries]
        left[:0] = [(entry, True) for entry in self._carried]
        self._carried = []
        for columns in (True, False):
            lines, indices, zones = make_lines(
                page.words, self._info.fonts, page.width, columns=columns
            )
            if contents:
                kept, _ = take_contents(lines)
                chosen = {id(line) for line in kept}
                indices = [x for line, x in zip(lines, indices, strict=True) if id(line) in chosen]
                lines = kept
            left = self._place(page.number, left, lines, indices, heads)
            if not left or len(zones) == 1:
                break
        for (index, entry), again in left:
            head = PageTitles([_as_line(m) for m in margins]).find(entry.title, entry.top, 0.0)
            if head is not None and not again:
                margin = margins[head.first]
                line = _as_line(margin)
                self.result.placed.append(
                    Placed(index, entry, page.number, line, head.text, (margin.box,))
                )
            elif not again and (entry.top is None or entry.top > 0.55 * page.height):
                self._carried.append((index, entry))
            else:
                self.result.placed.append(Placed(index, entry, entry.page))
        return heads

    def _place(
        self,
        page: int,
        entries: list[tuple[tuple[int, OutlineEntry], bool]],
        lines: list[Line],
        indices: list[list[int]],
        heads: set[int],
    ) -> list[tuple[tuple[int, OutlineEntry], bool]]:
        """Places what is found among the lines; what is left is handed back."""
        result = self.result
        body = self._body(lines)
        titles = PageTitles(lines)
        taken = {i for i, x in enumerate(indices) if not heads.isdisjoint(x)}
        left = []
        for (index, entry), again in entries:
            top = None if again else entry.top
            match = titles.find(entry.title, top, body, exact=again, without=taken)
            if match is None:
                left.append(((index, entry), again))
                continue
            span = range(match.first, match.first + match.count)
            taken.update(span)
            for i in span:
                heads.update(indices[i])
            boxes = tuple(lines[i].box for i in span)
            result.placed.append(Placed(index, entry, page, lines[match.first], match.text, boxes))
        return left

    def _body(self, lines: list[Line]) -> float:
        sizes = self.result.sizes
        if sizes.total() > _ENOUGH:
            return body_size(sizes)
        here: Counter[float] = Counter()
        for line in lines:
            here[line.size] += len(line.text)
        return body_size(here)


def _as_line(margin: Margin) -> Line:
    x0, y0, x1, y1 = margin.box
    return Line(margin.text, x0, y0, x1, y1, 0, margin.size, True, False, x0, x1 - x0)


def _doubtful(found: PageTables, page: PageData) -> list[FoundTable]:
    """Tables without a caption that stand in a picture: more likely a part of it."""
    return [
        t
        for t in found.tables
        if not t.caption
        and t.kind == "other"
        and any(_covered(t.box, p) > 0.6 for p in page.pictures)
    ]


def _without_drawn(
    found: PageTables, doubtful: list[FoundTable], figures: list[FoundFigure]
) -> PageTables:
    """The tables without those that turned out to be drawn in a figure."""
    if not doubtful or not figures:
        return found
    kept = tuple(
        t
        for t in found.tables
        if t not in doubtful or not any(_covered(t.box, f.box) > 0.6 for f in figures)
    )
    return PageTables(found.page, found.height, kept, found.diagrams, found.used, found.loose)


def _covered(box: Box, by: Box) -> float:
    """The part of a box's area that another covers."""
    wide = min(box[2], by[2]) - max(box[0], by[0])
    high = min(box[3], by[3]) - max(box[1], by[1])
    area = (box[2] - box[0]) * (box[3] - box[1])
    return max(0.0, wide) * max(0.0, high) / area if area > 0 else 0.0


def _in_any(line: Line, boxes: list[Box]) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return any(b[0] - 2 <= x <= b[2] + 2 and b[1] - 2 <= y <= b[3] + 2 for b in boxes)
