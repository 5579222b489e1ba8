"""Figures and timing diagrams: the caption, the box of the picture, and the words inside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from datasheet_lsp.documents.page import PageData
from datasheet_lsp.documents.structure.lines import Line
from datasheet_lsp.model.document import Box

_CAPTION = re.compile(
    r"^(?:[•●▪■◆◦·]\s*)?(?:Figure|FIGURE|Fig\.?|FIG\.?|Diagram)\s*(?P<number>[A-Z]?\d+(?:[-.–]\d+)*)\s*"
    r"(?P<sign>[.:—–-])?\s*(?P<title>.*)$"
)
_CONTINUES = re.compile(r"\(continued\)|\(cont['’.]?d?\)", re.IGNORECASE)
# Prose lines are at least so wide a part of the page and have so many words.
_WIDE = 0.42
_WORDS = 6
_SMALLEST = 18.0
_NEAR = 60.0


class FoundFigure(msgspec.Struct, frozen=True, gc=False):
    """A figure on a page: its number, caption, the caption's box and the picture's box."""

    page: int
    number: str
    caption: str
    heading: Box
    box: Box


class Figures:
    """Finds the figures of pages in order; learns whether captions stand above or below."""

    def __init__(self) -> None:
        self._above = 0
        self._below = 0

    def find(
        self,
        page: PageData,
        lines: list[Line],
        taken: Sequence[Box],
        diagrams: Sequence[Box] = (),
        headings: Sequence[Line] = (),
    ) -> tuple[list[FoundFigure], list[Line]]:
        """The figures, and the lines that belong to none of them.

        Args:
            page: The page.
            lines: Its lines outside tables.
            taken: The boxes of its tables.
            diagrams: The boxes of its register pictures; a caption can be about one.
            headings: Those of its lines that are headings, which no figure goes over.
        """
        captions = _captions(lines, page.width)
        if not captions:
            return [], lines
        taken = [*taken, *diagrams]
        parts = _parts(page, taken)
        gone: set[int] = set()
        blocked = [(b[1], b[3], b[0], b[2]) for b in taken]
        shown = [p for p in page.pictures if p[2] - p[0] > 50 and p[3] - p[1] > 50]
        shown = [p for p in shown if p in parts]
        found: list[FoundFigure] = []
        own = {i for _, _, span in captions for i in span}
        prose = [
            i
            for i, line in enumerate(lines)
            if i not in own
            and (
                line in headings
                or _is_prose(line, page.width)
                and not any(_within(line.box, p) for p in shown)
            )
        ]
        for number, title, span in captions:
            box = _around([lines[i].box for i in span])
            up = _reach(box, lines, prose, captions, span, blocked, page, above=True)
            down = _reach(box, lines, prose, captions, span, blocked, page, above=False)
            near = _between(parts, box, [lines[x[0]].box for _, _, x in captions if x != span])
            over = _drawn(near, up)
            under = _drawn(near, down)
            picture = (
                _framed(parts, box) or _ruled(page, box, taken) or self._choose(box, over, under)
            )
            if picture is None:
                picture = _beside(diagrams, box)
                if picture is None:
                    continue
            gone.update(span)
            low, high = up if picture[1] < box[1] else down
            picture = _with_labels(picture, lines, own, prose, low, high)
            for i, line in enumerate(lines):
                if i not in own and line not in headings and _inside(line, picture):
                    gone.add(i)
            found.append(FoundFigure(page.number, number, title, box, picture))
        if not found:
            return [], lines
        return found, [line for i, line in enumerate(lines) if i not in gone]

    def _choose(self, caption: Box, over: Box | None, under: Box | None) -> Box | None:
        if over is None or under is None:
            if over is not None and caption[1] - over[3] < _NEAR:
                self._below += 1
            elif under is not None and under[1] - caption[3] < _NEAR:
                self._above += 1
            return over or under
        if self._below != self._above:
            return over if self._below > self._above else under
        return over if caption[1] - over[3] < under[1] - caption[3] else under


def _captions(lines: Sequence[Line], width: float) -> list[tuple[str, str, tuple[int, ...]]]:
    found: list[tuple[str, str, tuple[int, ...]]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        match = _CAPTION.match(line.text)
        if match is None or not _is_caption(line, match, width):
            at += 1
            continue
        span = [at]
        title = match["title"]
        while len(span) < 3 and _goes_on(lines, span[-1], line):
            span.append(span[-1] + 1)
            title = f"{title} {lines[span[-1]].text}"
        found.append((match["number"], " ".join(title.split()), tuple(span)))
        at = span[-1] + 1
    return found


def _is_caption(line: Line, match: re.Match[str], width: float) -> bool:
    title = match["title"]
    if match["sign"] or line.bold:
        return True
    if not title:
        return False
    # "Figure 42 shows the block" is a sentence, "Figure 1-1 System block diagram" a caption.
    first = title.split()[0]
    return not first[0].islower() and not title.endswith((".", ",")) and len(title) < 110


def _goes_on(lines: Sequence[Line], i: int, head: Line) -> bool:
    if i + 1 >= len(lines):
        return False
    a, b = lines[i], lines[i + 1]
    height = a.y1 - a.y0
    return (
        b.font == head.font
        and -0.5 * height < b.y0 - a.y1 < 0.35 * height
        and (b.x0 > head.x0 + 3 or head.bold)
        and not _CAPTION.match(b.text)
        and not a.text.endswith(".")
    )


def _is_prose(line: Line, width: float) -> bool:
    wide = line.x1 - line.x0
    if wide <= _WIDE * width or line.text.count(" ") < _WORDS - 1 or line.mono:
        return False
    # Labels in a row leave most of the line free; a letter is about half its size wide.
    return len(line.text) * 0.48 * line.size > 0.72 * wide


def _framed(parts: Sequence[Box], caption: Box) -> Box | None:
    """The picture in whose frame the caption stands, without the caption."""
    for part in parts:
        if part[3] - part[1] > 4 * (caption[3] - caption[1]) and _within(caption, part):
            if caption[1] + caption[3] > part[1] + part[3]:
                return (part[0], part[1], part[2], caption[1])
            return (part[0], caption[3], part[2], part[3])
    return None


def _ruled(page: PageData, caption: Box, taken: Sequence[Box]) -> Box | None:
    """The same, where the frame is drawn as ruled lines: one on each side of the caption."""
    y = (caption[1] + caption[3]) / 2
    sides = [r for r in page.rules if r.x0 == r.x1 and r.y0 < y < r.y1 and r.y1 - r.y0 > 60]
    left = [r for r in sides if r.x0 <= caption[0] + 2]
    right = [r for r in sides if r.x0 >= caption[2] - 2]
    if not left or not right:
        return None
    a, b = max(left, key=lambda r: r.x0), min(right, key=lambda r: r.x0)
    if abs(a.y0 - b.y0) > 6 or abs(a.y1 - b.y1) > 6:
        return None
    frame = (a.x0, max(a.y0, b.y0), b.x0, min(a.y1, b.y1))
    if any(_within(t, frame) or _within(frame, t) for t in taken):
        return None
    return _framed([frame], caption)


def _beside(diagrams: Sequence[Box], caption: Box) -> Box | None:
    """The register picture right above or below a caption."""
    for d in diagrams:
        if 0 <= caption[1] - d[3] + 4 < 34 or 0 <= d[1] - caption[3] + 4 < 34:
            return d
    return None


def _parts(page: PageData, taken: Sequence[Box]) -> list[Box]:
    """Boxes of everything drawn that belongs to no table."""
    whole = 0.85 * page.width * page.height
    parts: list[Box] = [p for p in page.pictures if (p[2] - p[0]) * (p[3] - p[1]) < whole]
    parts.extend(f for f in page.fills if (f[2] - f[0]) * (f[3] - f[1]) < whole)
    parts.extend((r.x0, r.y0, r.x1, r.y1) for r in page.rules)
    if not taken:
        return parts
    return [p for p in parts if not any(_within(p, t) for t in taken)]


def _within(part: Box, box: Box) -> bool:
    return (
        part[0] >= box[0] - 3
        and part[2] <= box[2] + 3
        and part[1] >= box[1] - 3
        and part[3] <= box[3] + 3
    )


def _reach(
    caption: Box,
    lines: Sequence[Line],
    prose: Sequence[int],
    captions: Sequence[tuple[str, str, tuple[int, ...]]],
    span: tuple[int, ...],
    blocked: Sequence[tuple[float, float, float, float]],
    page: PageData,
    *,
    above: bool,
) -> tuple[float, float]:
    """The heights between the caption and the next text, table or caption."""
    column = lines[span[0]].column if span else 0
    zone = lines[span[0]].zone if span else 0
    stops = [lines[i] for i in prose]
    stops += [lines[s[0]] for _, _, s in captions if s != span]
    if above:
        low = 0.0
        for line in stops:
            same = line.zone != zone or line.column == column
            if line.y1 <= caption[1] + 1 and line.y1 > low and same:
                low = line.y1
        for _, bottom, x0, x1 in blocked:
            if low < bottom <= caption[1] + 2 and x0 < caption[2] and x1 > caption[0]:
                low = bottom
        return (low, caption[1])
    high = page.height
    for line in stops:
        same = line.zone != zone or line.column == column
        if line.y0 >= caption[3] - 1 and line.y0 < high and same:
            high = line.y0
    for top, _, x0, x1 in blocked:
        if caption[3] - 2 <= top < high and x0 < caption[2] and x1 > caption[0]:
            high = top
    return (caption[3], high)


def _between(parts: Sequence[Box], caption: Box, others: Sequence[Box]) -> Sequence[Box]:
    """The parts nearer to the caption than to others at its height."""
    middle = (caption[0] + caption[2]) / 2
    left, right = -1e9, 1e9
    for other in others:
        if other[1] < caption[3] and other[3] > caption[1]:
            x = (other[0] + other[2]) / 2
            if x < middle:
                left = max(left, (x + middle) / 2)
            else:
                right = min(right, (x + middle) / 2)
    if left < 0 and right > 1e8:
        return parts
    return [p for p in parts if left <= (p[0] + p[2]) / 2 <= right]


def _drawn(parts: Sequence[Box], reach: tuple[float, float]) -> Box | None:
    """The box around what is drawn between two heights, None where that is next to nothing."""
    low, high = reach
    inside = [p for p in parts if p[1] >= low - 3 and p[3] <= high + 3]
    if not inside:
        return None
    box = _around(inside)
    if box[3] - box[1] < _SMALLEST or box[2] - box[0] < _SMALLEST:
        return None
    return box


def _with_labels(
    picture: Box,
    lines: Sequence[Line],
    own: set[int],
    prose: Sequence[int],
    low: float,
    high: float,
) -> Box:
    """The picture with the short lines at its edges."""
    x0, y0, x1, y1 = picture
    wide = set(prose)
    for i, line in enumerate(lines):
        if i in own or i in wide or line.y0 < low - 1 or line.y1 > high + 1:
            continue
        if line.y1 > y0 - 12 and line.y0 < y1 + 12 and line.x1 > x0 - 8 and line.x0 < x1 + 8:
            x0, y0 = min(x0, line.x0), min(y0, line.y0)
            x1, y1 = max(x1, line.x1), max(y1, line.y1)
    return (x0, y0, x1, y1)


def _inside(line: Line, box: Box) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return box[0] - 3 <= x <= box[2] + 3 and box[1] - 3 <= y <= box[3] + 3


def _around(boxes: Sequence[Box]) -> Box:
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )
