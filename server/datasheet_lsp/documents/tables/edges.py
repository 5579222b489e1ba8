"""Rules and the edges of fills put together to frames: what belongs to one table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from datasheet_lsp.documents.page import Rule
from datasheet_lsp.model.document import Box

Across = tuple[float, float, float]
"""A horizontal edge: y, x from, x to."""
Down = tuple[float, float, float]
"""A vertical edge: x, y from, y to."""

TOUCH = 3.0
_STRIP = 120.0
_MOST_EDGES = 2500


class Frame:
    """Edges that touch one another, and the box around them.

    ``fills`` are the shades within; ``ruled`` says that vertical rules are drawn, not only the
    edges of shades.
    """

    __slots__ = ("across", "box", "down", "fills", "ruled")

    def __init__(self, across: list[Across], down: list[Down]) -> None:
        self.across = across
        self.down = down
        self.fills: list[Box] = []
        self.ruled = True
        lefts = [a[1] for a in across] + [d[0] for d in down]
        rights = [a[2] for a in across] + [d[0] for d in down]
        tops = [a[0] for a in across] + [d[1] for d in down]
        bottoms = [a[0] for a in across] + [d[2] for d in down]
        self.box: Box = (min(lefts), min(tops), max(rights), max(bottoms))


def frames(rules: Iterable[Rule], fills: Sequence[Box]) -> tuple[list[Frame], list[Across]]:
    """The frames on a page, and the horizontal rules that touch no vertical one.

    The edges of fills count where fills make up the table or widen it (shaded heads, tables of
    coloured cells); shades within a ruled frame count only where they reach from side to side.
    """
    across: list[Across] = []
    down: list[Down] = []
    for r in rules:
        if r.y0 == r.y1:
            across.append((r.y0, r.x0, r.x1))
        else:
            down.append((r.x0, r.y0, r.y1))
    if len(across) + len(down) > _MOST_EDGES:
        return [], []
    ruled = _connect(across, down)
    outer = [f for f in ruled if f.down and f.across]
    free: list[Box] = []
    for fill in outermost(fills) if len(fills) <= _MOST_EDGES else ():
        x0, y0, x1, y1 = fill
        for frame in outer:
            fx0, fy0, fx1, fy1 = frame.box
            if fx0 - 4 <= x0 and x1 <= fx1 + 4 and fy0 - 4 <= y0 and y1 <= fy1 + 4:
                frame.fills.append(fill)
                if x1 - x0 >= 0.93 * (fx1 - fx0):
                    frame.across += [(y, fx0, fx1) for y in (y0, y1) if fy0 + 4 < y < fy1 - 4]
                break
        else:
            free.append(fill)
    if not free:
        return _split(ruled)
    for frame in ruled:
        frame.fills.clear()
    across = [a for f in ruled for a in f.across]
    down = [d for f in ruled for d in f.down]
    drawn = set(down)
    for x0, y0, x1, y1 in free:
        across += [(y0, x0, x1), (y1, x0, x1)]
        down += [(x0, y0, y1), (x1, y0, y1)]
    joined = _connect(across, down)
    for frame in joined:
        frame.ruled = not drawn.isdisjoint(frame.down)
        fx0, fy0, fx1, fy1 = frame.box
        frame.fills = [
            f
            for f in fills
            if fx0 - 4 <= f[0] and f[2] <= fx1 + 4 and fy0 - 4 <= f[1] and f[3] <= fy1 + 4
        ]
    return _split(joined)


def outermost(fills: Sequence[Box]) -> list[Box]:
    """The fills without those that lie in another (the shades of lines within a shaded cell)."""
    kept: list[Box] = []
    active: list[Box] = []
    for fill in sorted(set(fills), key=lambda f: f[1]):
        y0 = fill[1]
        active = [f for f in active if f[3] > y0]
        if any(_within(fill, f) for f in active):
            continue
        if active and y0 - active[-1][1] < 1:
            # Of fills that start level the smaller may come first.
            inner = [f for f in active if _within(f, fill)]
            if inner:
                active = [f for f in active if f not in inner]
                kept = [f for f in kept if f not in inner]
        active.append(fill)
        kept.append(fill)
    return kept


def _within(inner: Box, outer: Box) -> bool:
    return (
        outer[0] - 1 <= inner[0]
        and inner[2] <= outer[2] + 1
        and outer[1] - 1 <= inner[1]
        and inner[3] <= outer[3] + 1
    )


def _split(found: list[Frame]) -> tuple[list[Frame], list[Across]]:
    alone: list[Across] = []
    framed: list[Frame] = []
    for frame in found:
        x0 = frame.box[0]
        if frame.down and frame.across:
            framed.append(frame)
            if len(frame.down) == 2 and len(frame.across) == 2 and frame.box[2] - x0 >= _STRIP:
                # A single strip may be the shaded row of a table whose other rows are not shaded.
                alone += frame.across
        else:
            alone += frame.across
    framed.sort(key=lambda f: (f.box[1], f.box[0]))
    alone.sort()
    return framed, alone


def _connect(across: list[Across], down: list[Down]) -> list[Frame]:
    """Groups of edges that touch: a horizontal and a vertical that cross or meet."""
    across = sorted(across)
    ys = [a[0] for a in across]
    parent = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    count = len(across)
    for at, (x, y0, y1) in enumerate(down):
        mine = root(count + at)
        for k in range(bisect_left(ys, y0 - TOUCH), bisect_right(ys, y1 + TOUCH)):
            edge = across[k]
            if edge[1] - TOUCH <= x <= edge[2] + TOUCH:
                other = root(k)
                if other != mine:
                    parent[other] = mine
    groups: dict[int, tuple[list[Across], list[Down]]] = {}
    for k, edge in enumerate(across):
        groups.setdefault(root(k), ([], []))[0].append(edge)
    for k, edge in enumerate(down):
        groups.setdefault(root(count + k), ([], []))[1].append(edge)
    return [Frame(a, d) for a, d in groups.values()]


def snap(values: Iterable[float], near: float) -> list[float]:
    """Positions put together where they are within ``near`` of the first of a group."""
    snapped: list[float] = []
    group: list[float] = []
    for value in sorted(values):
        if group and value - group[0] > near:
            snapped.append(sum(group) / len(group))
            group = []
        group.append(value)
    if group:
        snapped.append(sum(group) / len(group))
    return snapped


def nearest(positions: Sequence[float], value: float) -> int:
    """The index of the position nearest to ``value``."""
    at = bisect_left(positions, value)
    if at == len(positions):
        return at - 1
    if at and value - positions[at - 1] < positions[at] - value:
        return at - 1
    return at
