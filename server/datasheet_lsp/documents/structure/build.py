"""Pages -> Document: everything put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath

from datasheet_lsp.documents.page import PageData, PdfInfo
from datasheet_lsp.documents.pdf.troubles import fold
from datasheet_lsp.documents.structure.collect import Collected, Collector, PageText
from datasheet_lsp.documents.structure.figures import FoundFigure
from datasheet_lsp.documents.structure.front import find_revision, find_title
from datasheet_lsp.documents.structure.labels import page_labels
from datasheet_lsp.documents.structure.lines import Line, locate
from datasheet_lsp.documents.structure.matching import describe, match_device
from datasheet_lsp.documents.structure.names import DeviceNames
from datasheet_lsp.documents.structure.paragraphs import Paragraph, ParagraphMaker
from datasheet_lsp.documents.structure.registers import Event
from datasheet_lsp.documents.structure.sections import (
    Order,
    Sections,
    build_sections,
    find_headings,
)
from datasheet_lsp.documents.tables import BitDiagram, FoundTable
from datasheet_lsp.model.document import Block, Box, Document, Figure, Place, Table, Trouble


def build_document(
    source: Iterable[PageData],
    info: PdfInfo,
    *,
    names: DeviceNames | None = None,
    path: str = "",
    name: str = "",
    sha256: str = "",
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Document:
    """The document the pages make up.

    Args:
        source: The pages in order; each is let go when the next ones have been seen.
        info: What holds for the file.
        names: The names of the device the document is about, if it is known.
        path: Kept as ``source`` of the document.
        name: The file's name, as messages say it.
        sha256: The hash of the file.
        progress: Called with the number of each page that is done.
        cancelled: Asked after each page.

    Raises:
        Cancelled: When ``cancelled`` said so.
    """
    collected = Collector(info, progress, cancelled).run(source)
    headings = find_headings(collected)
    pages = collected.pages
    title = find_title(pages, info.title, headings[0].title if headings else "")
    title = title or PurePath(name).stem
    revision = find_revision(pages, f"{info.title} {info.subject}", collected.tables)
    builder = _Builder(collected, title)
    builder.sections = build_sections(
        headings, builder.tops(), pages[-1].number if pages else 1, builder.first(), title
    )
    builder.run()
    sections, registers = describe(builder.sections.sections, builder.events, builder.diagrams)
    troubles = [Trouble(message) for message in info.troubles]
    troubles += fold(((p.number, p.trouble) for p in pages), name)
    document = Document(
        format="pdf",
        title=title,
        revision=revision,
        pages=info.pages,
        labels=page_labels([p.label for p in pages], [p.margins for p in pages]),
        sections=tuple(sections),
        blocks=tuple(builder.blocks),
        tables=tuple(builder.tables),
        figures=tuple(builder.figures),
        registers=tuple(registers),
        troubles=tuple(troubles),
        source=path,
        sha256=sha256,
    )
    return document if names is None else match_device(document, names)


class _Builder:
    """Puts lines, tables and figures of the pages into sections and blocks."""

    sections: Sections

    def __init__(self, collected: Collected, title: str) -> None:
        self._collected = collected
        self._title = title
        self._pages = {p.number: p for p in collected.pages}
        self._tables: dict[int, list[tuple[Order, int]]] = {}
        self._table_boxes: dict[int, list[tuple[int, Box]]] = {}
        for number, table in enumerate(collected.tables):
            for place in table.places:
                self._table_boxes.setdefault(place.page, []).append((number, place.box))
            place = table.places[0] if table.places else Place(table.page, table.box)
            order = self._order(place.page, place.box)
            self._tables.setdefault(place.page, []).append((order, number))
        self._figures: dict[int, list[tuple[Order, FoundFigure]]] = {}
        for figure in collected.figures:
            order = self._order(figure.page, _both(figure.box, figure.heading))
            self._figures.setdefault(figure.page, []).append((order, figure))
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.figures: list[Figure] = []
        self.events: dict[int, list[Event]] = {}
        self.diagrams: dict[int, dict[str, BitDiagram]] = {}
        self._drawn: dict[int, dict[str, BitDiagram]] = {}
        self._table_ids: list[int] = []
        # The block a paragraph of the next page may go on with.
        self._open = -1

    def _order(self, number: int, box: Box) -> Order:
        page = self._pages.get(number)
        zone, column = locate(page.zones, box) if page is not None else (0, 0)
        return (number, zone, column, box[1])

    def first(self) -> Order | None:
        """The place of the document's first content."""
        found: list[Order] = []
        for page in self._collected.pages[:8]:
            found += [(page.number, x.zone, x.column, x.y0) for x in page.lines[:1]]
            found += [order for order, _ in self._tables.get(page.number, ())]
            found += [order for order, _ in self._figures.get(page.number, ())]
        return min(found, default=None)

    def tops(self) -> dict[int, float]:
        """Where each page's content begins, headings aside."""
        result: dict[int, float] = {}
        for page in self._collected.pages:
            tops = [x.y0 for x in page.lines]
            tops += [order[3] for order, _ in self._tables.get(page.number, ())]
            tops += [order[3] for order, _ in self._figures.get(page.number, ())]
            result[page.number] = min(tops, default=0.0)
        for table in self._collected.tables:
            for place in table.places[1:]:
                top = result.get(place.page, 0.0)
                result[place.page] = min(top, place.box[1])
        return result

    def run(self) -> None:
        """Makes the blocks, tables, figures and the events of the sections."""
        pages = self._collected.pages
        maker = ParagraphMaker([p.lines for p in pages], self._collected.words)
        usual = _right_edge(pages)
        for page in pages:
            self._page(page, maker, usual)
        # Parts of a table that goes on are on later pages than the table's block.
        for at, number in enumerate(self._table_ids):
            if number in self._drawn:
                self.diagrams[at] = self._drawn[number]

    def _page(self, page: PageText, maker: ParagraphMaker, usual: float) -> None:
        number = page.number
        items: list[tuple[Order, Line | int | FoundFigure | BitDiagram]] = [
            ((number, x.zone, x.column, x.y0), x) for x in page.lines
        ]
        items += self._tables.get(number, ())
        items += self._figures.get(number, ())
        items += [(self._order(number, d.box), d) for d in self._own_diagrams(page)]
        items.sort(key=lambda item: item[0])
        right = _edges(page, usual)
        run: list[Line] = []
        section = -1

        def flush() -> None:
            if run:
                for paragraph in maker.make(number, run, right):
                    self._add(paragraph, section, page, maker)
                run.clear()

        for order, item in items:
            here = self.sections.at(order)
            if here != section:
                flush()
                section = here
            events = self.events.setdefault(section, [])
            if isinstance(item, Line):
                run.append(item)
                events.append(Event("line", number, self._place(page, item.box), item.text))
                continue
            flush()
            if isinstance(item, int):
                self._table(item, section, events)
            elif isinstance(item, FoundFigure):
                self._figure(item, section, page)
            else:
                place = self._place(page, item.box)
                events.append(Event("diagram", number, place, diagram=item))
        flush()

    def _own_diagrams(self, page: PageText) -> list[BitDiagram]:
        """The register pictures of a page that are not a part of a table."""
        boxes = self._table_boxes.get(page.number, [])
        own = []
        for d in page.diagrams:
            inside = next((n for n, b in boxes if _within(d.box, b)), None)
            if inside is None:
                own.append(d)
            elif d.label:
                self._drawn.setdefault(inside, {})[d.label] = d
        return own

    def _place(self, page: PageText, box: Box) -> Place:
        return Place(page.number, page.back(box) if page.back is not None else box)

    def _add(
        self, paragraph: Paragraph, section: int, page: PageText, maker: ParagraphMaker
    ) -> None:
        place = self._place(page, paragraph.box)
        at = len(self.blocks) - 1
        # Tables and figures float to the top of the next page, in the middle of a sentence.
        while at >= 0 and self.blocks[at].kind in ("table", "figure") and at > len(self.blocks) - 4:
            at -= 1
        before = self.blocks[at] if at >= 0 else None
        if (
            before is not None
            and self._open == at
            and before.section == section
            and paragraph.kind == "text"
            and before.kind in ("text", "list", "note")
            and paragraph.text[:1].islower()
            and (page.number > before.places[-1].page or place.box[1] < before.places[-1].box[1])
        ):
            text = maker.merge(before.text, paragraph.text)
            places = (*before.places, place)
            self.blocks[at] = Block(before.kind, section, places, text)
        else:
            at = len(self.blocks)
            self.blocks.append(Block(paragraph.kind, section, (place,), paragraph.text))
        self._open = at if paragraph.open else -1

    def _table(self, number: int, section: int, events: list[Event]) -> None:
        table = self._collected.tables[number]
        places = self._places(table)
        at = len(self.tables)
        self.tables.append(_model_table(table, at, section, places))
        self._table_ids.append(number)
        self.blocks.append(Block("table", section, places, "", at))
        events.append(Event("table", table.page, places[0], table=table, id=at))

    def _places(self, table: FoundTable) -> tuple[Place, ...]:
        result = []
        for place in table.places or (Place(table.page, table.box),):
            page = self._pages.get(place.page)
            box = page.back(place.box) if page is not None and page.back is not None else place.box
            result.append(Place(place.page, box))
        return tuple(result)

    def _figure(self, figure: FoundFigure, section: int, page: PageText) -> None:
        at = len(self.figures)
        place = self._place(page, figure.box)
        self.figures.append(Figure(at, section, figure.number, figure.caption, place))
        self.blocks.append(Block("figure", section, (place,), "", at))


def _model_table(table: FoundTable, at: int, section: int, places: tuple[Place, ...]) -> Table:
    return Table(
        id=at,
        section=section,
        number=table.number,
        caption=table.caption,
        header=table.header,
        rows=table.rows,
        row_pages=table.row_pages or (table.page,) * len(table.rows),
        places=places,
        kind=table.kind,
    )


def _both(a: Box, b: Box) -> Box:
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


def _within(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] - 2 <= x <= outer[2] + 2 and outer[1] - 2 <= y <= outer[3] + 2


def _right_edge(pages: Sequence[PageText]) -> float:
    """Where full lines of text end on most pages."""
    ends: Counter[int] = Counter()
    for page in pages:
        for line in page.lines:
            if len(line.text) > 50:
                ends[round(line.x1 / 4)] += 1
    if not ends:
        return 0.0
    most = max(ends.values())
    # Ragged lines end a little before it.
    return 4.0 * max(at for at, n in ends.items() if n * 4 >= most)


def _edges(page: PageText, usual: float) -> dict[int, float]:
    """The right edge of the text of each column of a page."""
    edges: dict[int, float] = {}
    for line in page.lines:
        if line.x1 > edges.get(line.column, 0.0):
            edges[line.column] = line.x1
    if len(page.zones) == 1 and usual and page.height >= page.width:
        edges[0] = usual
    return edges
