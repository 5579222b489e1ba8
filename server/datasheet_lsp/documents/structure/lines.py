"""Words to printed lines in reading order, in one or two columns.

Coordinates are in points from the top left corner of the page, turned upright.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec

from datasheet_lsp.documents.page import Font, PageData, Rule, Word
from datasheet_lsp.model.document import Box

# A gap in a line of the PDF wider than this many font sizes parts two columns.
_PART = 2.6
# A second column begins in this part of the page's width and has at least so many lines.
_GUTTER = (0.38, 0.66)
_COLUMN_LINES = 4
_CAPTION = frozenset(("Figure", "Fig.", "Fig", "FIGURE"))


class Line(msgspec.Struct, gc=False):
    """A printed line.

    ``font`` is that of most of its characters, ``bold`` holds when all of them are. ``hang`` is
    where the text behind a bullet, number or label begins, else ``x0``. ``lead`` is the width of
    the first word. ``zone`` and ``column`` say where in the reading order it stands.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    font: int
    size: float
    bold: bool
    mono: bool
    hang: float
    lead: float
    zone: int = 0
    column: int = 0

    @property
    def box(self) -> Box:
        """The box around it."""
        return (self.x0, self.y0, self.x1, self.y1)


class Zone(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A stretch of a page from ``top`` down to the next; two columns where ``gutter`` is given."""

    top: float
    gutter: float | None = None


class _Segment:
    """Words of one line of the PDF without a wide gap, with their indices."""

    __slots__ = ("column", "first", "indices", "size", "words", "x0", "x1", "y0", "y1", "zone")

    def __init__(self, word: Word, index: int, size: float) -> None:
        self.words = [word]
        self.indices = [index]
        self.x0, self.y0, self.x1, self.y1 = word.x0, word.y0, word.x1, word.y1
        self.size = size
        self.zone = 0
        self.column = 0

    def add(self, word: Word, index: int) -> None:
        self.words.append(word)
        self.indices.append(index)
        self.x0 = min(self.x0, word.x0)
        self.x1 = max(self.x1, word.x1)
        self.y0 = min(self.y0, word.y0)
        self.y1 = max(self.y1, word.y1)


def make_lines(
    words: Sequence[Word],
    fonts: Sequence[Font],
    width: float,
    *,
    skip: Collection[int] = (),
    blocks: Sequence[Box] = (),
    columns: bool = True,
) -> tuple[list[Line], list[list[int]], list[Zone]]:
    """The upright words as lines in reading order, the indices of their words, and the zones.

    Args:
        words: All words of the page.
        fonts: The fonts of the document.
        width: The width of the page.
        skip: Indices of words to leave out.
        blocks: Boxes of tables and pictures, which no column goes through.
        columns: Whether to look for two columns.
    """
    segments: list[_Segment] = []
    current: _Segment | None = None
    number = -1
    for index, word in enumerate(words):
        if word.turned or index in skip:
            continue
        if (
            current is None
            or word.line != number
            or not -2.0 < word.x0 - current.x1 < _PART * current.size
        ):
            number = word.line
            current = _Segment(word, index, fonts[word.font].size)
            segments.append(current)
        else:
            current.add(word, index)
    if not segments:
        return [], [], [Zone(0.0)]
    zones = _zones(segments, width, blocks) if columns else [Zone(0.0)]
    segments.sort(key=lambda s: (s.zone, s.column, s.y0 + s.y1))
    rows: list[list[_Segment]] = []
    boxes: list[list[float]] = []
    for s in segments:
        middle = (s.y0 + s.y1) / 2
        for at in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            other = rows[at][0]
            if other.zone != s.zone or other.column != s.column:
                continue
            top, bottom = boxes[at]
            same = top < middle < bottom or s.y0 < (top + bottom) / 2 < s.y1
            if same and _beside(rows[at], s) and not _captions(rows[at], s):
                rows[at].append(s)
                if s.y1 - s.y0 > bottom - top:
                    boxes[at] = [s.y0, s.y1]
                break
        else:
            rows.append([s])
            boxes.append([s.y0, s.y1])
    lines: list[Line] = []
    indices: list[list[int]] = []
    for row in rows:
        if len(row) > 1:
            row.sort(key=lambda s: s.x0)
        lines.append(_line(row, fonts))
        indices.append([i for s in row for i in s.indices])
    return lines, indices, zones


def _beside(row: list[_Segment], s: _Segment) -> bool:
    return all(s.x0 >= o.x1 - 1.5 or s.x1 <= o.x0 + 1.5 for o in row)


def _captions(row: list[_Segment], s: _Segment) -> bool:
    """Whether two captions stand side by side."""
    return s.words[0].text in _CAPTION and any(o.words[0].text in _CAPTION for o in row)


def _line(row: list[_Segment], fonts: Sequence[Font]) -> Line:
    x0, x1 = row[0].x0, max(s.x1 for s in row)
    weights: dict[int, int] = {}
    strong = 0
    total = 0
    mono = 0
    for s in row:
        for w in s.words:
            n = len(w.text)
            weights[w.font] = weights.get(w.font, 0) + n
    for index, n in weights.items():
        font = fonts[index]
        total += n
        if font.bold:
            strong += n
        if font.mono:
            mono += n
    font_index = max(weights, key=weights.__getitem__)
    size = fonts[font_index].size
    is_mono = mono * 10 >= total * 9
    parts: list[str] = []
    last: Word | None = None
    hang = x0
    # The line's own height, without what is set higher or lower.
    main = row[0]
    for s in row:
        if s.size > main.size or (s.size == main.size and len(s.words) > len(main.words)):
            main = s
    for s in row:
        fresh = True
        for w in s.words:
            if last is not None:
                gap = w.x0 - last.x1
                if is_mono and gap > 0:
                    parts.append(" " * max(1, round(gap / (0.6 * size))))
                elif not fresh or gap > 0.11 * min(w.y1 - w.y0, last.y1 - last.y0):
                    parts.append(" ")
                if hang == x0 and len(parts) <= 8 and gap > 0.55 * size:
                    hang = w.x0
            parts.append(w.text)
            last = w
            fresh = False
    first = row[0].words[0]
    return Line(
        text="".join(parts),
        x0=x0,
        y0=main.y0,
        x1=x1,
        y1=main.y1,
        font=font_index,
        size=size,
        bold=strong * 20 >= total * 19,
        mono=is_mono,
        hang=hang,
        lead=first.x1 - first.x0,
        zone=row[0].zone,
        column=row[0].column,
    )


def _zones(segments: list[_Segment], width: float, blocks: Sequence[Box]) -> list[Zone]:
    """Finds two columns, marks the segments with zone and column, and returns the zones."""
    low, high = _GUTTER[0] * width, _GUTTER[1] * width
    starts = [s for s in segments if low < s.x0 < high and s.x1 - s.x0 > 0.09 * width]
    if len(starts) < _COLUMN_LINES:
        return [Zone(0.0)]
    buckets: dict[int, int] = {}
    for s in starts:
        buckets[round(s.x0 / 5)] = buckets.get(round(s.x0 / 5), 0) + 1
    best = max(buckets, key=lambda b: buckets[b] + buckets.get(b + 1, 0) + buckets.get(b - 1, 0))
    right = best * 5 - 7.5
    # A bullet hangs left of its text.
    hanging = [s.x0 for s in segments if right - 24 < s.x0 < right and s.x1 < right + 12]
    if len(hanging) > 2:
        right = min(hanging) - 1
    left = [s for s in segments if s.x1 <= right]
    if len(left) < _COLUMN_LINES:
        return [Zone(0.0)]
    crossing: list[tuple[float, float]] = [
        (s.y0, s.y1) for s in segments if s.x0 < right - 3 and s.x1 > right + 3
    ]
    crossing.extend((b[1], b[3]) for b in blocks if b[0] < right - 3 and b[2] > right + 3)
    crossing.sort()
    # Stretches between what crosses the gutter.
    stretches: list[tuple[float, float]] = []
    at = 0.0
    for y0, y1 in crossing:
        if y0 > at:
            stretches.append((at, y0))
        at = max(at, y1)
    stretches.append((at, 1e6))
    zones: list[Zone] = []
    at = 0.0
    for top, bottom in stretches:
        inside = [s for s in segments if top - 1 <= (s.y0 + s.y1) / 2 <= bottom + 1]
        if not _two_columns(inside, right, width):
            continue
        y0 = min(s.y0 for s in inside) - 0.5
        if y0 > at:
            zones.append(Zone(at))
        zones.append(Zone(y0, right))
        at = max(s.y1 for s in inside) + 0.5
    if not zones:
        return [Zone(0.0)]
    zones.append(Zone(at))
    for s in segments:
        s.zone, s.column = locate(zones, (s.x0, s.y0, s.x1, s.y1))
    return zones


def _two_columns(inside: list[_Segment], gutter: float, width: float) -> bool:
    """Whether the segments stand in two columns of prose, and not in those of a list of values."""
    left = [s for s in inside if s.x1 <= gutter and len(s.words) > 1]
    right = [s for s in inside if s.x0 >= gutter and len(s.words) > 1]
    if len(left) < _COLUMN_LINES or len(right) < _COLUMN_LINES:
        return False
    wide = sum(s.x1 - s.x0 for s in left) / len(left)
    other = sum(s.x1 - s.x0 for s in right) / len(right)
    if wide < 0.16 * width or other < 0.16 * width:
        return False
    # In a list of values each line of the right stands on one of the left that is shorter.
    return max(s.x1 - s.x0 for s in left) > 0.26 * width


def locate(zones: Sequence[Zone], box: Box) -> tuple[int, int]:
    """Zone and column of a box."""
    if len(zones) == 1 and zones[0].gutter is None:
        return 0, 0
    middle = (box[1] + box[3]) / 2
    at = 0
    for i, zone in enumerate(zones):
        if zone.top <= middle:
            at = i
    gutter = zones[at].gutter
    if gutter is None or (box[0] < gutter - 3 and box[2] > gutter + 3):
        return at, 0
    return at, int(box[0] >= gutter - 3)


def upright(page: PageData) -> tuple[PageData, Callable[[Box], Box] | None]:
    """The page turned so that its words are upright, and how a box is turned back.

    Pages with some turned words, as in the heads of tables, stay as they are.
    """
    count = len(page.words)
    if count < 8:
        return page, None
    turned = {90: 0, 270: 0}
    level = 0
    for w in page.words:
        if w.turned == 0:
            level += 1
        elif w.turned in turned:
            turned[w.turned] += 1
    angle = 90 if turned[90] >= turned[270] else 270
    if turned[angle] * 10 < count * 7 or level * 12 > count:
        return page, None
    width, height = page.width, page.height

    if angle == 270:

        def turn(b: Box) -> Box:
            return (b[1], width - b[2], b[3], width - b[0])

        def back(b: Box) -> Box:
            return (width - b[3], b[0], width - b[1], b[2])
    else:

        def turn(b: Box) -> Box:
            return (height - b[3], b[0], height - b[1], b[2])

        def back(b: Box) -> Box:
            return (b[1], height - b[2], b[3], height - b[0])

    words = tuple(
        Word(w.text, *turn((w.x0, w.y0, w.x1, w.y1)), w.font, w.line, (w.turned - angle) % 360)
        for w in page.words
    )
    rules = sorted(
        (Rule(*turn((r.x0, r.y0, r.x1, r.y1))) for r in page.rules),
        key=lambda r: (r.x0 == r.x1, r.y0, r.x0),
    )
    turned_page = PageData(
        number=page.number,
        label=page.label,
        width=height,
        height=width,
        words=words,
        rules=tuple(rules),
        fills=tuple(turn(f) for f in page.fills),
        pictures=tuple(turn(p) for p in page.pictures),
        trouble=page.trouble,
    )
    return turned_page, back
