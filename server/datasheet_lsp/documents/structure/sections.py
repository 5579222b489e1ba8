"""The section tree: the outline's entries with their places, and numbered headings beside them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from datasheet_lsp.documents.structure.collect import Collected, PageText, Placed
from datasheet_lsp.documents.structure.fontheads import font_headings
from datasheet_lsp.documents.structure.headings import (
    Heading,
    PageTitles,
    number_parts,
    plain,
    split_number,
)
from datasheet_lsp.documents.structure.lines import Line, locate
from datasheet_lsp.documents.structure.numbering import (
    Candidate,
    candidates,
    chain,
    same_style,
)
from datasheet_lsp.model.document import Box, Section

# So many pages around a wrong destination are searched.
_NEAR = 3
_KNOWN_WEIGHT = 6.0
_LISTED_WEIGHT = 2.0
# Fewer numbered headings than this are no structure.
_LEAST = 3

Order = tuple[int, int, int, float]
"""Where something stands in reading order: page, zone, column, top."""


class Sections:
    """The sections of a document in reading order, and which one a place is in."""

    def __init__(self, sections: list[Section], orders: list[Order]) -> None:
        self.sections = sections
        self._orders = orders

    def at(self, order: Order) -> int:
        """The id of the section a place is in."""
        return max(0, bisect_right(self._orders, order) - 1)


def find_headings(collected: Collected) -> list[Heading]:
    """All headings in reading order; the lines they stand in are taken out of the pages."""
    pages = {p.number: p for p in collected.pages}
    body = collected.body
    headings = _from_outline(collected, pages, body)
    extra = _numbered(collected, headings, body)
    headings = sorted([*headings, *extra], key=lambda h: h.order)
    if not headings or (len(headings) < _LEAST and not collected.placed):
        headings = sorted([*headings, *font_headings(collected.pages, body)], key=lambda h: h.order)
    _take_out(headings, pages)
    return headings


def _order(page: PageText | None, number: int, box: Box) -> Order:
    zone, column = locate(page.zones, box) if page is not None else (0, 0)
    return (number, zone, column, box[1])


def _style(line: Line) -> tuple[float, bool]:
    return (round(line.size * 2) / 2, line.bold)


def _from_outline(collected: Collected, pages: dict[int, PageText], body: float) -> list[Heading]:
    placed = sorted(collected.placed, key=lambda p: p.index)
    headings = []
    for at, p in enumerate(placed):
        if p.line is None:
            _search(p, placed, at, pages, body)
        number, title = split_number(p.entry.title)
        page = pages.get(p.page)
        if p.line is not None:
            if not number and p.text:
                number = split_number(p.text)[0]
            in_margin = any(m.box == p.line.box for m in page.margins) if page else False
            order = (p.page, -1, 0, p.line.y0) if in_margin else _order(page, p.page, p.line.box)
            heading = Heading(
                p.entry.level, number, title, p.page, order, "outline", True, _style(p.line)
            )
            heading.boxes = p.whole
        else:
            top = p.entry.top or 0.0
            order = _order(page, p.page, (0, top, 0, top))
            heading = Heading(p.entry.level, number, title, p.page, order, "outline", False)
        headings.append(heading)
    return headings


def _search(
    p: Placed, placed: Sequence[Placed], at: int, pages: dict[int, PageText], body: float
) -> None:
    """Looks for an entry that is not on its page on the pages around it."""
    before = placed[at - 1].page if at else 1
    behind = next((q.page for q in placed[at + 1 :] if q.line is not None), p.page + _NEAR)
    around = sorted(
        range(max(1, p.page - _NEAR), p.page + _NEAR + 1), key=lambda n: (abs(n - p.page), -n)
    )
    for number in around:
        page = pages.get(number)
        if page is None or not before <= number <= behind or page.contents:
            continue
        match = PageTitles(page.lines).find(p.entry.title, None, body, exact=True)
        if match is not None:
            p.page = number
            p.line = page.lines[match.first]
            p.text = match.text
            p.whole = tuple(
                line.box for line in page.lines[match.first : match.first + match.count]
            )
            return


def _numbered(collected: Collected, headings: list[Heading], body: float) -> list[Heading]:
    """Headings with a number that the outline leaves out, or all where there is none."""
    listed = {
        (split_number(e.title)[0], plain(split_number(e.title)[1])) for e in collected.contents
    }
    known = {(h.page, round(h.order[3])): i for i, h in enumerate(headings) if h.found and h.number}
    found: list[Candidate] = []
    seen = set()
    for page in collected.pages:
        if page.contents and not page.lines:
            continue
        for c in candidates(page.number, page.lines, body):
            line = page.lines[c.lines[0]]
            index = known.get((page.number, round(line.y0)))
            if index is not None and headings[index].number == c.number:
                c.known = index
                c.weight += _KNOWN_WEIGHT
                seen.add(index)
            elif (c.number, plain(c.title)) in listed:
                c.weight += _LISTED_WEIGHT
                c.listed = True
            found.append(c)
    # Outline entries whose line is not among those kept still hold their place in the chain.
    for i, h in enumerate(headings):
        if i not in seen and h.number and h.found:
            found.append(
                Candidate(
                    h.page,
                    (),
                    h.number,
                    number_parts(h.number),
                    h.title,
                    h.style or (0.0, True),
                    _KNOWN_WEIGHT,
                    i,
                    h.order,
                )
            )
    pages = {p.number: p for p in collected.pages}
    for c in found:
        if c.order is None:
            page = pages[c.page]
            c.order = _order(page, c.page, page.lines[c.lines[0]].box)
    found.sort(key=lambda c: c.order or (0, 0, 0, 0.0))
    kept = same_style(chain(found))
    if headings:
        kept = _like_known(kept, headings)
    elif len(kept) < _LEAST:
        return []
    result = []
    for c in kept:
        if c.known >= 0:
            continue
        page = pages[c.page]
        heading = Heading(
            _level(c, headings),
            c.number,
            c.title,
            c.page,
            c.order or (0, 0, 0, 0.0),
            "numbering",
            True,
            c.style,
        )
        heading.boxes = tuple(page.lines[i].box for i in c.lines)
        result.append(heading)
    return result


def _like_known(kept: list[Candidate], headings: list[Heading]) -> list[Candidate]:
    """Of headings the outline leaves out those that are set like its own, or deeper ones."""
    styles: dict[int, set[tuple[float, bool]]] = {}
    for h in headings:
        if h.found and h.number and h.style:
            styles.setdefault(h.number.count("."), set()).add(h.style)
    deepest = max(styles, default=-1)
    deeper = Counter((c.number.count("."), c.style) for c in kept if c.known < 0)
    result = []
    for c in kept:
        depth = c.number.count(".")
        if c.known >= 0:
            result.append(c)
        elif depth <= deepest:
            if c.style in styles.get(depth, set()):
                result.append(c)
        elif depth > 0 and deeper[depth, c.style] >= 2:
            result.append(c)
    return result


def _level(c: Candidate, headings: list[Heading]) -> int:
    """The level of a numbered heading: below the outline's entry whose number it begins with."""
    parts = c.parts
    best = None
    for h in headings:
        own = number_parts(h.number) if h.number else ()
        if own and len(own) < len(parts) and parts[: len(own)] == own:
            if best is None or len(own) > best[0]:
                best = (len(own), h.level)
    if best is not None:
        return best[1] + len(parts) - best[0]
    return len(parts)


def _take_out(headings: list[Heading], pages: dict[int, PageText]) -> None:
    """Takes the lines of headings out of the text of their pages."""
    boxes: dict[int, list[Box]] = {}
    for h in headings:
        for box in h.boxes:
            boxes.setdefault(h.page, []).append(box)
    for number, taken in boxes.items():
        page = pages.get(number)
        if page is None:
            continue
        page.lines = [line for line in page.lines if not _within(line, taken)]


def _within(line: Line, boxes: Sequence[Box]) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return any(b[0] - 1 <= x <= b[2] + 1 and b[1] < y < b[3] for b in boxes)


def build_sections(
    headings: list[Heading], tops: dict[int, float], last: int, first: Order | None, title: str
) -> Sections:
    """The section tree.

    Args:
        headings: All headings in reading order.
        tops: Where the first content of each page stands, headings aside.
        last: The last page.
        first: The place of the first content of the document.
        title: The document's, for what stands before the first heading.
    """
    sections: list[Section] = []
    orders: list[Order] = []
    if not headings or (first is not None and first < headings[0].order):
        orders.append((0, 0, 0, 0.0))
        sections.append(Section(0, None, 1, "", title, 1, 0.0, 1, "file"))
    open_: list[tuple[int, int]] = []
    for h in headings:
        while open_ and open_[-1][0] >= h.level:
            open_.pop()
        parent = open_[-1][1] if open_ else None
        at = len(sections)
        sections.append(
            Section(
                at, parent, len(open_) + 1, h.number, h.title, h.page, h.order[3], h.page, h.origin
            )
        )
        orders.append(h.order)
        open_.append((h.level, at))
    return Sections(_with_ends(sections, orders, tops, last), orders)


def _with_ends(
    sections: list[Section], orders: list[Order], tops: dict[int, float], last: int
) -> list[Section]:
    """The sections with their last page, those inside counted."""
    ends = [last] * len(sections)
    open_: list[int] = []
    for s in sections:
        while open_ and sections[open_[-1]].level >= s.level:
            at = open_.pop()
            page = s.page
            # A heading that begins its page leaves nothing of it to the section before.
            begins = orders[s.id][3] <= tops.get(page, 0.0) + 1 and orders[s.id][2] == 0
            begins = begins and sections[s.id - 1].page < page
            ends[at] = max(sections[at].page, page - 1 if begins else page)
        open_.append(s.id)
    return [
        Section(s.id, s.parent, s.level, s.number, s.title, s.page, s.top, ends[s.id], s.origin)
        for s in sections
    ]
