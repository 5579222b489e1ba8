"""Tables with horizontal rules only: their columns are gaps that run through all rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.captions import Caption
from datasheet_lsp.documents.tables.edges import Across, Frame
from datasheet_lsp.documents.tables.gaps import Gap, clear_gaps, free_gaps, meet, row_edges
from datasheet_lsp.documents.tables.grid import Grid, build_grid
from datasheet_lsp.documents.tables.text import Line, group_lines
from datasheet_lsp.model.document import Box

_SHORTEST = 60.0
_SAME_END = 5.0
_TALLEST = 420.0
# How far under the last full rule a row that the page's end cuts may still be ruled.
_OPEN = 150.0
_BLANK = 15.0


def ruled_across(
    edges: Sequence[Across],
    words: Sequence[Word],
    used: set[int] | frozenset[int],
    taken: Sequence[Box],
    heads: Sequence[Grid] = (),
    captions: Sequence[Caption] = (),
) -> list[Grid]:
    """Tables with horizontal rules only (and tables of shaded strips).

    ``heads`` are rows of shaded cells that may be the heads of such tables; their edges are among
    ``edges`` and tell where the columns are.
    """
    grids: list[Grid] = []
    boxes = list(taken)
    groups = _groups(edges)
    groups.sort(key=lambda g: g[0][1] - max(e[2] for e in g))
    for group in groups:
        x0, x1 = min(e[1] for e in group), max(e[2] for e in group)
        for levels in _part(_levels(group), captions, heads, x0, x1):
            for grid in _group_grids(group, levels, x0, x1, words, used, heads):
                if not any(_touch(grid.box, b) for b in boxes):
                    grids.append(grid)
                    boxes.append(grid.box)
    return grids


def _part(
    levels: Sequence[float],
    captions: Sequence[Caption],
    heads: Sequence[Grid],
    x0: float,
    x1: float,
) -> list[list[float]]:
    """The levels in stretches: no table goes over a caption or over the head of the next one."""
    starts = [
        h.ys[0] for h in heads if abs(h.xs[0] - x0) < _SAME_END and abs(h.xs[-1] - x1) < _SAME_END
    ]
    parts: list[list[float]] = []
    for level in levels:
        if parts:
            last = parts[-1][-1]
            cut = any(last - 2 < c.top and c.bottom < level + 4 for c in captions)
            if not cut and not any(abs(level - s) < 2 for s in starts):
                parts[-1].append(level)
                continue
        parts.append([level])
    return [p for p in parts if len(p) > 1]


def _group_grids(
    group: Sequence[Across],
    levels: Sequence[float],
    x0: float,
    x1: float,
    words: Sequence[Word],
    used: set[int] | frozenset[int],
    heads: Sequence[Grid],
) -> list[Grid]:
    ys = list(levels)
    if len(ys) < 2:
        return []
    indices = [
        k
        for k, w in enumerate(words)
        if k not in used
        and not w.turned
        and x0 - 3 <= (w.x0 + w.x1) / 2 <= x1 + 3
        and ys[0] < (w.y0 + w.y1) / 2 < ys[-1]
    ]
    if not indices:
        return []
    bands = _bands(ys, words, indices)
    for at, band in enumerate(bands):
        kept = _before_blank(band, words, ys[at])
        if kept is not None:
            # Blank paper within: the table ends there, what comes next has its own head.
            top = max((words[k].y1 for k in kept), default=ys[at]) + 1
            above = _stretch(group, ys[: at + 1], bands[:at], kept, top, x0, x1, words, heads)
            return above + _group_grids(group, ys[at + 1 :], x0, x1, words, used, heads)
    rest = _open_rows(words, used, ys[-1], x0, x1)
    end = max((words[k].y1 for k in rest), default=0.0) + 1
    return _stretch(group, ys, bands, rest, end, x0, x1, words, heads)


def _before_blank(band: _Band, words: Sequence[Word], top: float) -> list[int] | None:
    """The words of a band above a stretch of blank paper in it; None where there is none."""
    bottom = top
    kept: list[int] = []
    for k in sorted(band.indices, key=lambda k: words[k].y0):
        word = words[k]
        if word.y0 - bottom > max(_BLANK, 1.6 * (word.y1 - word.y0)):
            return kept
        kept.append(k)
        bottom = max(bottom, word.y1)
    return None


def _stretch(
    group: Sequence[Across],
    levels: Sequence[float],
    closed: Sequence[_Band],
    rest: list[int],
    end: float,
    x0: float,
    x1: float,
    words: Sequence[Word],
    heads: Sequence[Grid],
) -> list[Grid]:
    """The tables in bands between rules, with what is left open under the last rule."""
    ys = list(levels)
    bands = list(closed)
    if rest:
        ys.append(end)
        bands.append(_Band(rest, words))
    if len(ys) < 3:
        return []
    if len(ys) == 3 and rest and not any(ys[1] + 3 < e[0] < end for e in group):
        # A head alone, with no rule under it: what follows is found by its lines.
        return []
    grids: list[Grid] = []
    for first, last in _runs_of_bands(bands, x0, x1, bool(rest)):
        hints = next((h.xs[1:-1] for h in heads if abs(h.ys[0] - ys[first]) < 4), [])
        grid = _across_grid(
            group, ys[first : last + 2], bands[first : last + 1], x0, x1, words, hints
        )
        if grid is not None:
            grids.append(grid)
    return grids


def _touch(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] - 1 and two[1] < one[3] - 1


def _groups(edges: Sequence[Across]) -> list[list[Across]]:
    """Rules that can be of one table: with the same ends, and those that lie within them."""
    groups: list[list[Across]] = []
    for edge in sorted(edges):
        y, x0, x1 = edge
        for group in reversed(groups):
            if (
                y - group[-1][0] <= _TALLEST
                and abs(x0 - group[0][1]) <= _SAME_END
                and abs(x1 - group[0][2]) <= _SAME_END
            ):
                group.append(edge)
                break
        else:
            groups.append([edge])
    tables = [g for g in groups if len(g) > 1 and g[0][2] - g[0][1] >= _SHORTEST]
    within: list[list[Across]] = [[] for _ in tables]
    for group in groups:
        for edge in group:
            around = [
                at
                for at, t in enumerate(tables)
                if t is not group
                and t[0][0] < edge[0] < t[-1][0] + _OPEN
                and t[0][1] - _SAME_END <= edge[1]
                and edge[2] <= t[0][2] + _SAME_END
            ]
            if around:
                within[min(around, key=lambda at: tables[at][0][2] - tables[at][0][1])].append(edge)
    return [sorted(t + w) for t, w in zip(tables, within, strict=True)]


def _levels(group: Sequence[Across]) -> list[float]:
    """The heights at which rules go all the way across."""
    x0, x1 = min(e[1] for e in group), max(e[2] for e in group)
    levels: list[float] = []
    at = 0
    while at < len(group):
        y = group[at][0]
        end = at
        while end < len(group) and group[end][0] - y < 1.5:
            end += 1
        covered = sum(e[2] - e[1] for e in group[at:end])
        if covered >= 0.85 * (x1 - x0):
            if levels and y - levels[-1] < 4:
                levels[-1] = y
            else:
                levels.append(y)
        at = end
    return levels


class _Band:
    """The words between two rules: their lines and the gaps that run through all of them."""

    __slots__ = ("gaps", "indices", "lines")

    def clear(self, x0: float, x1: float) -> list[Gap]:
        """The gaps and what is free left and right of all words."""
        return clear_gaps(self.lines, self.gaps, x0, x1)

    def __init__(self, indices: list[int], words: Sequence[Word]) -> None:
        self.indices = indices
        self.lines: list[Line] = group_lines([words[k] for k in indices]) if indices else []
        self.gaps: list[Gap] = []


def _bands(ys: Sequence[float], words: Sequence[Word], indices: Sequence[int]) -> list[_Band]:
    members: list[list[int]] = [[] for _ in range(len(ys) - 1)]
    for k in indices:
        word = words[k]
        at = bisect_right(ys, (word.y0 + word.y1) / 2) - 1
        if 0 <= at < len(members):
            members[at].append(k)
    return [_Band(m, words) for m in members]


def _open_rows(
    words: Sequence[Word], used: set[int] | frozenset[int], y: float, x0: float, x1: float
) -> list[int]:
    """The words of a row under the last rule, where the page ends before the row does.

    Only a block of lines close under the rule that starts with words in two columns; whether it
    keeps to the columns is seen with the other rows.
    """
    below = [
        k
        for k, w in enumerate(words)
        if k not in used and not w.turned and x0 - 3 <= w.x0 and w.x1 <= x1 + 3 and w.y0 > y - 2
    ]
    if not below:
        return []
    below.sort(key=lambda k: words[k].y0)
    block: list[int] = []
    bottom = y
    for k in below:
        word = words[k]
        height = word.y1 - word.y0
        if word.y0 - bottom > 0.6 * height:
            break
        if block and height < 0.72 * (words[block[0]].y1 - words[block[0]].y0):
            # Small print: the running foot.
            if word.y0 > bottom - 1:
                break
        block.append(k)
        bottom = max(bottom, word.y1)
    if not block:
        return []
    first = group_lines([words[k] for k in block])[0]
    return block if free_gaps([first], x0, x1) else []


def _runs_of_bands(
    bands: Sequence[_Band], x0: float, x1: float, open_end: bool
) -> list[tuple[int, int]]:
    """Stretches of bands, two or more, that share at least one gap; first and last band.

    ``open_end`` says that the last band is text under the last rule; it must share all gaps.
    """
    found: list[tuple[int, int]] = []
    start: int | None = None
    shared: list[Gap] = []
    for at, band in enumerate(bands):
        band.gaps = free_gaps(band.lines, x0, x1)
        # A single line may span all columns, but not as the first row under the head.
        single = len(band.lines) == 1 and len(band.gaps) == 0
        if start is None:
            if band.gaps:
                start, shared = at, band.gaps
            continue
        together = meet(shared, band.clear(x0, x1))
        if not meet(together, band.gaps) and len(band.lines) != 1:
            together = []
        if at - 1 == start:
            # The first band is the head: only between its words can columns part.
            together = _with_heads(together, bands[start], x0, x1)
        elif len(together) * 3 < len(shared) * 2:
            together = []
        if len(together) < len(shared) and at == len(bands) - 1 and open_end:
            together, single = [], False
        if band.lines and (together or (single and at > start + 1)):
            shared = together or shared
            continue
        if at - 1 > start:
            found.append((start, at - 1))
        start, shared = (at, band.gaps) if band.gaps else (None, [])
    if start is not None and len(bands) - 1 > start:
        found.append((start, len(bands) - 1))
    return found


def _across_grid(
    group: Sequence[Across],
    ys: Sequence[float],
    bands: Sequence[_Band],
    x0: float,
    x1: float,
    words: Sequence[Word],
    hints: Sequence[float],
) -> Grid | None:
    shared: list[Gap] | None = None
    for band in bands:
        if len(band.lines) == 1 and not band.gaps:
            continue
        shared = band.gaps if shared is None else meet(shared, band.clear(x0, x1))
    shared = _with_heads(shared or [], bands[0], x0, x1)
    shared = _hinted(hints, bands) or shared
    if not shared:
        return None
    middles = [(a + b) / 2 for a, b in shared]
    across: list[Across] = [(y, x0, x1) for y in ys]
    partial = False
    for y, left, right in group:
        if ys[0] + 3 < y < ys[-1] - 3 and all(abs(y - level) > 3 for level in ys):
            # A rule over some columns only, no underline within one.
            ends = [e for e in (left, right) if x0 + 6 < e < x1 - 6]
            if ends and all(any(a - 3 <= e <= b + 3 for a, b in shared) for e in ends):
                across.append((y, left, right))
                partial = True
    if not partial and len(bands) == 2 and len(bands[1].lines) > 2:
        across += [(y, x0, x1) for y in row_edges(bands[1].lines, middles)]
    down = [(x0, ys[0], ys[-1]), (x1, ys[0], ys[-1])]
    for at, band in enumerate(bands):
        if len(band.lines) == 1 and not band.gaps:
            continue
        down += [(x, ys[at], ys[at + 1]) for x in middles]
    grid = build_grid(Frame(across, down))
    if grid is None:
        return None
    grid.fill(words, [k for band in bands for k in band.indices])
    grid.write(words)
    grid.drop_empty()
    if len(grid.xs) < 3 or len(grid.ys) < 3:
        return None
    return grid


def _hinted(hints: Sequence[float], bands: Sequence[_Band]) -> list[Gap]:
    """The columns that the edges of shaded heads mark, if the words below keep to them."""
    words = [w for b in bands for line in b.lines for w in line]
    gaps: list[Gap] = []
    for hint in hints:
        crossed, shift = min(
            (sum(w.x0 < hint + d - 0.5 and w.x1 > hint + d + 0.5 for w in words), abs(d), d)
            for d in (0, -2, 2, -4, 4, -6, 6)
        )[::2]
        if crossed > len(words) // 100:
            return []
        gaps.append((hint + shift - 3, hint + shift + 3))
    return gaps


def _with_heads(gaps: Sequence[Gap], head: _Band, x0: float, x1: float) -> list[Gap]:
    """The gaps that have words of the head on both sides: a column without a head is none."""
    kept: list[Gap] = []
    for gap in gaps:
        left = kept[-1][1] if kept else x0 - 5
        inner = any(
            left - 1 <= (w.x0 + w.x1) / 2 <= gap[0] + 1 for line in head.lines for w in line
        )
        if inner:
            kept.append(gap)
        elif kept:
            kept[-1] = gap if gap[1] - gap[0] > kept[-1][1] - kept[-1][0] else kept[-1]
    while kept and not any(
        kept[-1][1] - 1 <= (w.x0 + w.x1) / 2 <= x1 + 5 for line in head.lines for w in line
    ):
        kept.pop()
    return kept
