"""Gaps that run down through lines: where columns part without a rule."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from datasheet_lsp.documents.tables.text import Line

Gap = tuple[float, float]
"""A stretch without words, from left to right."""

# A gap between columns is at least this part of a line's height wide, a space is a quarter.
_COLUMN_GAP = 0.5
NARROWEST = 4.5


def free_gaps(lines: Sequence[Line], x0: float, x1: float) -> list[Gap]:
    """The stretches between ``x0`` and ``x1`` that no line has words in, wide enough."""
    spans: list[Gap] = []
    for line in lines:
        start, end = line[0].x0, line[0].x1
        last = line[0]
        for word in line[1:]:
            space = max(NARROWEST, _COLUMN_GAP * min(word.y1 - word.y0, last.y1 - last.y0))
            if word.x0 - end < space:
                end = max(end, word.x1)
            else:
                spans.append((start, end))
                start, end = word.x0, word.x1
            last = word
        spans.append((start, end))
    if not spans:
        return []
    spans.sort()
    gaps: list[Gap] = []
    reach = spans[0][1]
    for start, end in spans[1:]:
        if start - reach >= NARROWEST:
            gaps.append((reach, start))
        reach = max(reach, end)
    return gaps


def meet(one: Sequence[Gap], two: Sequence[Gap]) -> list[Gap]:
    """The stretches that are in both lists, wide enough to part columns."""
    found: list[Gap] = []
    for a0, a1 in one:
        for b0, b1 in two:
            low, high = max(a0, b0), min(a1, b1)
            if high - low >= NARROWEST - 0.5:
                found.append((low, high))
    return found


def row_edges(lines: Sequence[Line], middles: Sequence[float]) -> list[float]:
    """Where rows part in lines without rules between: heights above each row but the first.

    A line with something in the first column starts a row; so does one with something in two
    other columns. What is left is the rest of the row above.
    """
    edges: list[float] = []
    for above, line in zip(lines, lines[1:], strict=False):
        columns = {bisect_right(middles, (w.x0 + w.x1) / 2) for w in line}
        if 0 in columns or len(columns) > 1:
            bottom = max(w.y1 for w in above)
            top = min(w.y0 for w in line)
            edges.append((bottom + top) / 2)
    return edges


def clear_gaps(lines: Sequence[Line], gaps: Sequence[Gap], x0: float, x1: float) -> list[Gap]:
    """The gaps of the lines, and what is free left and right of all words."""
    if not lines:
        return [(x0 - 5, x1 + 5)]
    left = min(line[0].x0 for line in lines)
    right = max(w.x1 for line in lines for w in line)
    return [(x0 - 5, left), *gaps, (right, x1 + 5)]
