"""Running headers and footers: found because they stand at the same place on page after page.

A header line is a height at which most pages around have a text that comes again there, numbers
counted as the same. What stands at that height is taken off whole, chapter titles that change
included; nothing is lost, the lines are handed on beside the page. A page that was printed
sideways has them at its left and right edge.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from datasheet_lsp.documents.page import Font, PageData
from datasheet_lsp.model.document import Box

# Pages before and behind that are looked at, and after how many it is looked again.
_AROUND = 20
_AGAIN = 5
_BAND = 0.135
# Between the lines of a header no more than this is free, in points.
_FREE = 12.0
# Heights within this many points are the same.
_LEVEL = 2.4
_SHARE = 0.55

_Shape = tuple[int, int]
_Edge = int
_ABOVE, _BELOW, _LEFT, _RIGHT = range(4)


class Margin(msgspec.Struct, frozen=True, gc=False):
    """A piece of a header or footer: its text, box, font size, and whether it is a header's."""

    text: str
    box: Box
    size: float
    above: bool


class _Piece(msgspec.Struct, gc=False):
    text: str
    mask: str
    edge: _Edge
    level: int
    size: float
    words: list[int]
    box: Box


class _Entry(msgspec.Struct, gc=False):
    page: PageData
    pieces: list[_Piece]
    pictures: list[tuple[int, int, int, int]]
    shape: _Shape


class _Levels(msgspec.Struct, gc=False):
    """For pages of one shape: on how many a level has a text that comes again, in which sizes."""

    until: int
    pages: int
    pages_with: Counter[tuple[_Edge, int]]
    sizes: dict[tuple[_Edge, int], Counter[float]]


_ROMAN = re.compile(r"^[ivxlc]+$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
# What comes again on pages but is the page's own: section numbers, bullets, captions.
_OWN = re.compile(r"^(?:#(?:\.#)+\.?|[^\w#]|Table\b.*#.*|Figure\b.*#.*|.*\(continued\).*)$", re.I)


# A page number is one at whatever height.
_COUNTER = re.compile(r"page#$|^#(?:/|of|\|)#$", re.IGNORECASE)


def mask(text: str) -> str:
    """The text without spaces, its numbers made equal."""
    if _ROMAN.match(text):
        return "#"
    return _DIGITS.sub("#", text.replace(" ", ""))


class Furniture:
    """Takes headers and footers off pages; to be fed with a document's pages in order.

    ``fonts`` are those of the document, growing while pages are read.
    """

    def __init__(self, fonts: Sequence[Font]) -> None:
        self._fonts = fonts
        self._near: Counter[tuple[_Shape, _Edge, int, str]] = Counter()
        self._pages: Counter[_Shape] = Counter()
        self._known: Counter[str] = Counter()
        self._masks: Counter[tuple[_Edge, str]] = Counter()
        self._pictures: Counter[tuple[_Shape, tuple[int, int, int, int]]] = Counter()
        self._levels: dict[_Shape, _Levels] = {}

    def strip(self, pages: Iterable[PageData]) -> Iterator[tuple[PageData, list[Margin]]]:
        """The pages without their headers and footers, and what was taken off each."""
        window: deque[_Entry] = deque()
        at = 0
        for page in pages:
            entry = self._entry(page)
            window.append(entry)
            self._count(entry, 1)
            if len(window) - at > _AROUND:
                yield self._take(window, at)
                at += 1
                if at > _AROUND:
                    self._count(window.popleft(), -1)
                    at -= 1
        while at < len(window):
            yield self._take(window, at)
            at += 1

    def _entry(self, page: PageData) -> _Entry:
        top, bottom = page.height * _BAND, page.height * (1 - _BAND)
        left, right = page.width * _BAND, page.width * (1 - _BAND)
        pieces: list[_Piece] = []
        number = -1
        last = -1
        words: list[int] = []
        for i, w in enumerate(page.words):
            if w.turned:
                if w.turned == 180 or left < w.x0 and w.x1 < right:
                    continue
                edge = _LEFT if w.x0 < left else _RIGHT
            elif top < w.y0 and w.y1 < bottom:
                continue
            else:
                edge = _ABOVE if w.y0 < top else _BELOW
            if words and (w.line != number or edge != last):
                pieces.append(self._piece(page, words, last))
                words = []
            number, last = w.line, edge
            words.append(i)
        if words:
            pieces.append(self._piece(page, words, last))
        # A row of many pieces is one of a table.
        rows = Counter((p.edge, p.level) for p in pieces)
        pieces = [
            p
            for p in pieces
            if p.edge >= _LEFT or sum(rows[p.edge, p.level + d] for d in (-1, 0, 1)) <= 4
        ]
        tall = [r for r in page.rules if r.y1 - r.y0 > 0.3 * page.height]
        if tall:
            pieces = [p for p in pieces if not _in_tall(tall, p)]
        return _Entry(
            page=page,
            pieces=pieces,
            pictures=[_rounded(p) for p in page.pictures],
            shape=(round(page.width / 20), round(page.height / 20)),
        )

    def _piece(self, page: PageData, indices: list[int], edge: _Edge) -> _Piece:
        words = [page.words[i] for i in indices]
        text = " ".join([w.text for w in words])
        first = words[0]
        box = (
            min([w.x0 for w in words]),
            min([w.y0 for w in words]),
            max([w.x1 for w in words]),
            max([w.y1 for w in words]),
        )
        middle = first.x0 + first.x1 if edge >= _LEFT else first.y0 + first.y1
        return _Piece(
            text=text,
            mask=mask(text),
            edge=edge,
            level=round(middle / 2 / _LEVEL),
            size=self._fonts[first.font].size,
            words=indices,
            box=box,
        )

    def _count(self, entry: _Entry, step: int) -> None:
        shape = entry.shape
        self._pages[shape] += step
        for p in {(p.edge, p.level, p.mask) for p in entry.pieces}:
            self._near[shape, *p] += step
            self._masks[p[0], p[2]] += step
        for picture in entry.pictures:
            self._pictures[shape, picture] += step

    def _take(self, window: deque[_Entry], at: int) -> tuple[PageData, list[Margin]]:
        entry = window[at]
        page = entry.page
        levels = self._levels.get(entry.shape)
        if levels is None or page.number > levels.until:
            levels = self._levels[entry.shape] = self._look(window, entry)
        taken: list[_Piece] = []
        if levels.pages >= 3:
            enough = _SHARE * levels.pages
            for p in entry.pieces:
                share = 0
                size = 0
                sizes = 0
                for d in (-1, 0, 1):
                    key = (p.edge, p.level + d)
                    share += levels.pages_with.get(key, 0)
                    if found := levels.sizes.get(key):
                        size += found[p.size]
                        sizes += found.total()
                # The height is a header's, but a text of another size there is the page's own.
                if share >= enough and size * 5 >= sizes and not _OWN.match(p.mask):
                    taken.append(p)
        taken.extend(_wrapped(entry, taken))
        chosen = {id(p) for p in taken}
        for p in entry.pieces:
            if id(p) in chosen:
                continue
            known = self._known[p.mask] >= 3 and len(p.mask.strip("#./- ")) > 3
            if known or (_COUNTER.search(p.mask) and self._masks[p.edge, p.mask] >= 4):
                taken.append(p)
        taken = _together(_outermost(entry, taken))
        for p in taken:
            self._known[p.mask] += 1
        pictures: set[int] = set()
        if levels.pages >= 4:
            low, high = page.height * _BAND, page.height * (1 - _BAND)
            for i, box in enumerate(page.pictures):
                # A logo in the margin, a watermark on the page.
                least = 0.4 if box[3] < low or box[1] > high else 0.75
                seen = self._pictures[entry.shape, entry.pictures[i]]
                if seen >= max(4, least * levels.pages):
                    pictures.add(i)
        margins = [Margin(p.text, p.box, p.size, p.edge in (_ABOVE, _RIGHT)) for p in taken]
        return _without(page, taken, pictures), margins

    def _look(self, window: deque[_Entry], entry: _Entry) -> _Levels:
        shape = entry.shape
        pages = self._pages[shape]
        found: Counter[tuple[_Edge, int]] = Counter()
        sizes: dict[tuple[_Edge, int], Counter[float]] = {}
        near = self._near
        for e in window:
            if e.shape != shape:
                continue
            here = set()
            for p in e.pieces:
                again = 0
                for d in (-1, 0, 1):
                    again += near.get((shape, p.edge, p.level + d, p.mask), 0)
                if again >= 2 and not _OWN.match(p.mask):
                    key = (p.edge, p.level)
                    here.add(key)
                    sizes.setdefault(key, Counter())[p.size] += 1
            found.update(here)
        return _Levels(entry.page.number + _AGAIN, pages, found, sizes)


def _in_tall(tall: list, piece: _Piece) -> bool:  # type: ignore[type-arg]
    """Whether long upright rules stand on both sides of the piece: a cell of a table."""
    x0, y0, x1, y1 = piece.box
    middle = (y0 + y1) / 2
    sides = [r.x0 for r in tall if r.y0 - 1 <= middle <= r.y1 + 1]
    return any(x <= x0 + 1 for x in sides) and any(x >= x1 - 1 for x in sides)


def _rounded(box: Box) -> tuple[int, int, int, int]:
    return (round(box[0] / 3), round(box[1] / 3), round(box[2] / 3), round(box[3] / 3))


def _outermost(entry: _Entry, taken: list[_Piece]) -> list[_Piece]:
    """Only what no text of the page itself stands far outside of."""
    if len(taken) == len(entry.pieces):
        return taken
    chosen = {id(p) for p in taken}
    own = [p for p in entry.pieces if id(p) not in chosen]
    top = min((p.box[1] for p in own if p.edge == _ABOVE), default=1e9)
    bottom = max((p.box[3] for p in own if p.edge == _BELOW), default=-1.0)
    # A title on a chapter's first page may stand among what is taken.
    return [
        p
        for p in taken
        if p.edge >= _LEFT or (p.box[1] < top + 30 if p.edge == _ABOVE else p.box[3] > bottom - 30)
    ]


def _wrapped(entry: _Entry, taken: list[_Piece]) -> list[_Piece]:
    """The first lines of headers of two lines, where the last is at the usual height."""
    chosen = {id(p) for p in taken}
    return [
        p
        for p in entry.pieces
        if p.edge == _ABOVE
        and id(p) not in chosen
        and any(
            -4 < t.box[1] - p.box[3] < 3
            and t.size == p.size
            and p.box[0] <= t.box[2] <= p.box[2] + 1
            for t in taken
            if t.edge == _ABOVE
        )
    ]


def _together(taken: list[_Piece]) -> list[_Piece]:
    """Of each edge the lines that follow one another without a gap, from the outside in."""
    kept = [p for p in taken if p.edge >= _LEFT]
    at = None
    for p in sorted((p for p in taken if p.edge == _ABOVE), key=lambda p: p.box[1]):
        if at is not None and p.box[1] - at > _FREE:
            break
        at = max(at or 0.0, p.box[3])
        kept.append(p)
    at = None
    for p in sorted((p for p in taken if p.edge == _BELOW), key=lambda p: -p.box[3]):
        if at is not None and at - p.box[3] > _FREE:
            break
        at = min(at or 1e9, p.box[1])
        kept.append(p)
    return kept


def _without(page: PageData, taken: list[_Piece], pictures: set[int]) -> PageData:
    if not taken and not pictures:
        return page
    gone = {i for p in taken for i in p.words}
    words = tuple([w for i, w in enumerate(page.words) if i not in gone]) if gone else page.words
    above = max((p.box[3] for p in taken if p.edge == _ABOVE), default=0.0)
    below = min((p.box[1] for p in taken if p.edge == _BELOW), default=page.height)
    # A frame around the header ends before the page's own text begins.
    top = bottom = 0.0
    if above:
        top = min(above + 9, min([w.y0 for w in words], default=page.height))
    bottom = page.height
    if below < page.height:
        bottom = max(below - 9, max([w.y1 for w in words], default=0.0))
    return PageData(
        number=page.number,
        label=page.label,
        width=page.width,
        height=page.height,
        words=words,
        rules=tuple([r for r in page.rules if r.y1 > top and r.y0 < bottom]),
        fills=tuple([f for f in page.fills if f[3] > top and f[1] < bottom]),
        pictures=tuple(
            [
                p
                for i, p in enumerate(page.pictures)
                if i not in pictures and p[3] > top and p[1] < bottom
            ]
        ),
        trouble=page.trouble,
    )
