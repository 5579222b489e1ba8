"""Geometry of lines and boxes: pieces put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from datasheet_lsp.documents.page import Rule
from datasheet_lsp.model.document import Box

# Lines this near to each other are one (a line and the edge of the fill beside it). Points.
_SAME = 0.8
# Pieces of one line may be this far apart; dashes and dots of a broken line more.
_GAP = 1.2
_DASH = 8.0
_DASH_GAP = 4.5
_SHORTEST = 3.0
# The lines of a frame meet to within this.
_CORNER = 3.0
# So many lines on each side of a drawing may be that of its frame.
_FRAMES = 4

Segment = tuple[float, float, float]
"""Position across, start and end along."""


def join(segments: list[Segment]) -> list[Segment]:
    """The lines that the pieces make up: touching, overlapping or dashes of one line."""
    segments.sort()
    joined: list[Segment] = []
    start = 0
    count = len(segments)
    while start < count:
        end = start + 1
        while end < count and segments[end][0] - segments[end - 1][0] <= _SAME:
            end += 1
        if end - start == 1:
            joined.append(segments[start])
        else:
            _join_group(segments[start:end], joined)
        start = end
    return [s for s in joined if s[2] - s[1] >= _SHORTEST]


def _join_group(group: list[Segment], joined: list[Segment]) -> None:
    """Pieces at one position across; the joined line stands where most of its length does."""
    group.sort(key=_start)
    at, low, high = group[0]
    piece = length = high - low
    weight = at * length
    for at, a, b in group[1:]:
        gap = a - high
        if gap <= _GAP or (gap <= _DASH_GAP and piece <= _DASH and b - a <= _DASH):
            if b > high:
                high = b
        else:
            joined.append((weight / length if length else at, low, high))
            low, high = a, b
            weight = length = 0.0
        piece = b - a
        length += piece
        weight += at * piece
    joined.append((weight / length if length else at, low, high))


def _start(segment: Segment) -> float:
    return segment[1]


def cluster(boxes: Sequence[Box], near: float) -> list[Box]:
    """The boxes around groups of boxes that are at most ``near`` apart, both ways."""
    groups = list(boxes)
    while len(groups) > 1:
        merged: list[Box] = []
        for x0, y0, x1, y1 in sorted(groups, key=lambda b: b[1]):
            i = 0
            while i < len(merged):
                a0, b0, a1, b1 = merged[i]
                if a0 - near <= x1 and x0 <= a1 + near and b0 - near <= y1 and y0 <= b1 + near:
                    x0, y0, x1, y1 = min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1)
                    del merged[i]
                    i = 0
                else:
                    i += 1
            merged.append((x0, y0, x1, y1))
        if len(merged) == len(groups):
            return merged
        groups = merged
    return groups


def grow(seeds: Sequence[Box], boxes: Sequence[Box], near: float) -> list[Box]:
    """The seeds, each with the boxes that touch it or what it has taken in already."""
    grown: list[Box] = []
    for x0, y0, x1, y1 in seeds:
        left = boxes
        while True:
            rest = []
            for box in left:
                a0, b0, a1, b1 = box
                if a0 - near <= x1 and x0 <= a1 + near and b0 - near <= y1 and y0 <= b1 + near:
                    x0, y0, x1, y1 = min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1)
                else:
                    rest.append(box)
            if len(rest) == len(left):
                break
            left = rest
        grown.append((x0, y0, x1, y1))
    return cluster(grown, near)


def framed(box: Box, rules: Sequence[Rule], share: float) -> Box:
    """The smallest frame of four rules around a box that fills ``share`` of it, else the box."""
    x0, y0, x1, y1 = box
    most = _area(box) / share if share else 0.0
    across = [r for r in rules if r.y0 == r.y1 and r.x0 - _CORNER <= x0 and x1 <= r.x1 + _CORNER]
    down = [r for r in rules if r.x0 == r.x1 and r.y0 - _CORNER <= y0 and y1 <= r.y1 + _CORNER]
    frames = [
        (left.x0, top.y0, right.x0, bottom.y0)
        for top, bottom in _pairs(across, lambda r: r.y0, y0, y1)
        for left, right in _pairs(down, lambda r: r.x0, x0, x1)
        if max(top.x0, bottom.x0) <= left.x0 + _CORNER
        and min(top.x1, bottom.x1) >= right.x0 - _CORNER
        and max(left.y0, right.y0) <= top.y0 + _CORNER
        and min(left.y1, right.y1) >= bottom.y0 - _CORNER
    ]
    smallest = min(frames, key=_area, default=box)
    return smallest if _area(smallest) <= most else box


def _pairs(
    rules: Sequence[Rule], at: Callable[[Rule], float], low: float, high: float
) -> list[tuple[Rule, Rule]]:
    """Rules before ``low`` with rules after ``high``, the nearest ones of each."""
    before = sorted((r for r in rules if at(r) <= low + _CORNER), key=at)[-_FRAMES:]
    after = sorted((r for r in rules if at(r) >= high - _CORNER), key=at)[:_FRAMES]
    return [(b, a) for b in before for a in after]


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
