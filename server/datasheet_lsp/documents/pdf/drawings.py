"""Lines and boxes drawn on a page, sorted into ruled lines, fills and pictures.

The input is what ``Page.get_cdrawings`` gives: a list of paths with their items, in points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from datasheet_lsp.documents.page import Rule
from datasheet_lsp.model.document import Box

# A filled rectangle up to this thickness is a line.
THICK = 2.6
# What is off the axis by less is still a line along it.
_SLANT = 0.6
# Lines this near to each other are one (a line and the edge of the fill beside it).
_SAME = 0.8
# Pieces of one line may be this far apart; dashes and dots of a broken line more.
_GAP = 1.2
_DASH = 8.0
_DASH_GAP = 4.5
_SHORTEST = 3.0
_WHITE = 0.985
# Parts of a drawing this near belong together.
_NEAR = 14.0
_SMALLEST_PICTURE = 10.0

_Segment = tuple[float, float, float]
"""Position across, start and end along."""


class Drawings:
    """The drawings of one page: ``rules``, ``fills`` and ``parts`` of pictures, in page points."""

    def __init__(self, paths: Iterable[dict[str, Any]], width: float, height: float) -> None:
        self._across: list[_Segment] = []
        self._down: list[_Segment] = []
        self._white: list[tuple[bool, _Segment]] = []
        self.fills: list[Box] = []
        self.dark: list[Box] = []
        self.parts: list[Box] = []
        self._page = width * height
        for path in paths:
            self._path(path)

    def _path(self, path: dict[str, Any]) -> None:
        kind = path["type"]
        items = path["items"]
        if "s" in kind and path.get("stroke_opacity", 1) > 0:
            white = _is_white(path.get("color"))
            other = False
            for item in items:
                if item[0] == "l":
                    (x0, y0), (x1, y1) = item[1], item[2]
                    if -_SLANT < y1 - y0 < _SLANT:
                        self._line(True, (y0 + y1) / 2, x0, x1, white)
                    elif -_SLANT < x1 - x0 < _SLANT:
                        self._line(False, (x0 + x1) / 2, y0, y1, white)
                    else:
                        other = True
                elif item[0] == "re":
                    self._outline(item[1], white)
                else:
                    other = True
            if other and not white:
                self.parts.append(path["rect"])
        if "f" in kind and path.get("fill_opacity", 1) > 0:
            fill = path.get("fill")
            white = _is_white(fill)
            other = False
            for item in items:
                if item[0] == "re":
                    self._filled(item[1], white, fill)
                else:
                    other = True
            if other and not white and "s" not in kind:
                x0, y0, x1, y1 = path["rect"]
                if all(i[0] == "l" for i in items) and (x1 - x0 <= THICK or y1 - y0 <= THICK):
                    self._filled(path["rect"], white, fill)
                else:
                    self.parts.append(path["rect"])

    def _line(self, across: bool, at: float, a: float, b: float, white: bool) -> None:
        segment = (at, a, b) if a <= b else (at, b, a)
        if white:
            self._white.append((across, segment))
        elif across:
            self._across.append(segment)
        else:
            self._down.append(segment)

    def _outline(self, box: Box, white: bool) -> None:
        x0, y0, x1, y1 = box
        if y1 - y0 <= THICK:
            self._line(True, (y0 + y1) / 2, x0, x1, white)
        elif x1 - x0 <= THICK:
            self._line(False, (x0 + x1) / 2, y0, y1, white)
        else:
            self._line(True, y0, x0, x1, white)
            self._line(True, y1, x0, x1, white)
            self._line(False, x0, y0, y1, white)
            self._line(False, x1, y0, y1, white)

    def _filled(self, box: Box, white: bool, colour: Any) -> None:
        x0, y0, x1, y1 = box
        wide = x1 - x0
        high = y1 - y0
        if high <= THICK:
            self._line(True, (y0 + y1) / 2, x0, x1, white)
            if wide > THICK:
                return
        if wide <= THICK:
            self._line(False, (x0 + x1) / 2, y0, y1, white)
            return
        if white or wide * high > 0.9 * self._page:
            return
        self.fills.append(box)

    def rules(self) -> tuple[list[Rule], list[Rule]]:
        """Horizontal and vertical ruled lines, pieces put together, from the top and the left."""
        for across, (at, a, b) in self._white:
            middle = (a + b) / 2
            x, y = (middle, at) if across else (at, middle)
            if any(f[0] - 1 <= x <= f[2] + 1 and f[1] - 1 <= y <= f[3] + 1 for f in self.fills):
                (self._across if across else self._down).append((at, a, b))
        return (
            [Rule(a, at, b, at) for at, a, b in join(self._across)],
            [Rule(at, a, at, b) for at, a, b in join(self._down)],
        )


def _is_white(colour: Sequence[float] | None) -> bool:
    return bool(colour) and len(colour) != 4 and min(colour) >= _WHITE  # type: ignore[arg-type]


def join(segments: list[_Segment]) -> list[_Segment]:
    """The lines that the pieces make up: touching, overlapping or dashes of one line."""
    segments.sort()
    joined: list[_Segment] = []
    start = 0
    count = len(segments)
    while start < count:
        end = start + 1
        while end < count and segments[end][0] - segments[end - 1][0] <= _SAME:
            end += 1
        group = segments[start:end]
        start = end
        if len(group) == 1:
            joined.append(group[0])
            continue
        group.sort(key=lambda s: s[1])
        at, low, high = group[0]
        weight = at * (high - low)
        length = high - low
        piece = high - low
        for at, a, b in group[1:]:
            gap = a - high
            if gap <= _GAP or (gap <= _DASH_GAP and piece <= _DASH and b - a <= _DASH):
                high = max(high, b)
                weight += at * (b - a)
                length += b - a
            else:
                joined.append((weight / length if length else at, low, high))
                low, high = a, b
                weight = at * (b - a)
                length = b - a
            piece = b - a
        joined.append((weight / length if length else at, low, high))
    return [s for s in joined if s[2] - s[1] >= _SHORTEST]


def cluster(boxes: Sequence[Box], near: float = _NEAR) -> list[Box]:
    """Boxes put together that are near each other, as the boxes around them."""
    groups = list(boxes)
    while True:
        merged: list[Box] = []
        for box in sorted(groups, key=lambda b: b[1]):
            x0, y0, x1, y1 = box
            i = 0
            while i < len(merged):
                m = merged[i]
                if (
                    m[0] - near <= x1
                    and x0 <= m[2] + near
                    and m[1] - near <= y1
                    and y0 <= m[3] + near
                ):
                    x0, y0 = min(x0, m[0]), min(y0, m[1])
                    x1, y1 = max(x1, m[2]), max(y1, m[3])
                    del merged[i]
                    i = 0
                else:
                    i += 1
            merged.append((x0, y0, x1, y1))
        if len(merged) == len(groups):
            return merged
        groups = merged


def pictures(parts: Sequence[Box], images: Sequence[Box]) -> list[Box]:
    """The boxes of pictures: images, and drawings whose parts are near each other."""
    if not parts and not images:
        return []
    found = [b for b in cluster(parts) if max(b[2] - b[0], b[3] - b[1]) >= _SMALLEST_PICTURE]
    return cluster([*found, *images], 1.0)


def transform(box: Box, move: Callable[[float, float], tuple[float, float]]) -> Box:
    """A box with its corners moved, sorted again."""
    ax, ay = move(box[0], box[1])
    bx, by = move(box[2], box[3])
    return (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
