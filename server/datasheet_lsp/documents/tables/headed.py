"""Tables without rules between their rows: a head, and lines under it that keep to its columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from datasheet_lsp.documents.page import Font, Word
from datasheet_lsp.documents.tables.captions import Caption, is_figure, parse_caption
from datasheet_lsp.documents.tables.edges import Frame
from datasheet_lsp.documents.tables.gaps import Gap, clear_gaps, free_gaps, meet, row_edges
from datasheet_lsp.documents.tables.grid import Grid, build_grid
from datasheet_lsp.documents.tables.lines import PageLine
from datasheet_lsp.documents.tables.text import line_text
from datasheet_lsp.model.document import Box

_HEAD_WORDS = re.compile(
    r"^(?:bits?|bit no\.?|name|symbol|field|access|type|reset|reset value|default|description|"
    r"function|offset|address|register|register name|min\.?|typ\.?|max\.?|units?|parameter|"
    r"conditions?|test conditions?|value|pin|pin name|pin no\.?|signal|mnemonic|r/w)$",
    re.IGNORECASE,
)
_MOST_LINES = 120


class _Part:
    """The words of a page line that stand within a table's width and belong to nothing yet."""

    __slots__ = ("indices", "words", "y0", "y1")

    def __init__(self, words: list[Word], indices: list[int]) -> None:
        self.words = words
        self.indices = indices
        self.y0 = min(w.y0 for w in words)
        self.y1 = max(w.y1 for w in words)


def headed_grid(
    head: Grid, lines: Sequence[PageLine], words: Sequence[Word], used: set[int] | frozenset[int]
) -> Grid | None:
    """The table under a row of shaded or boxed head cells, None where no rows follow."""
    x0, top, x1, bottom = head.box
    parts = _parts(lines, used, x0, x1, bottom)
    edges = [_settled(x, parts[:10]) for x in head.xs[1:-1]]
    body: list[_Part] = []
    last = bottom
    widest = 0.0
    for part in parts:
        height = part.y1 - part.y0
        tallest = body[0].y1 - body[0].y0 if body else height
        gap = part.y0 - last
        # Rows stand as far apart as the first two do.
        most = max(7.0, 0.8 * height, 1.3 * widest) if len(body) > 1 else 1.6 * height
        if gap > most or height > 1.4 * tallest:
            break
        if body:
            widest = max(widest, gap)
        if _crosses(part.words, edges) or _title(part):
            break
        body.append(part)
        last = part.y1
    columns = [len({bisect_right(edges, (w.x0 + w.x1) / 2) for w in p.words}) for p in body]
    filled = sum(c > 1 for c in columns)
    if not filled or (filled * 3 < len(body) and columns[0] < max(3, len(edges))):
        return None
    across = [(y, x0, x1) for y in (top, bottom, last + 1)]
    across += [(y, x0, x1) for y in row_edges([p.words for p in body], edges)]
    down = [(x, top, last + 1) for x in (x0, *edges, x1)]
    grid = build_grid(Frame(across, down))
    if grid is None:
        return None
    grid.fill(
        words, [k for c in head.cells for k in c.words] + [k for p in body for k in p.indices]
    )
    grid.write(words)
    return grid


def captioned_grids(
    lines: Sequence[PageLine],
    words: Sequence[Word],
    used: set[int] | frozenset[int],
    captions: Sequence[Caption],
    fonts: Sequence[Font],
    taken: Sequence[Box],
) -> list[Grid]:
    """Tables without any rules: under a caption, or under a line of well-known column heads."""
    starts: list[tuple[int, bool]] = []
    for caption in captions:
        if any(b[1] < caption.bottom + 45 and b[3] > caption.bottom for b in taken):
            continue
        at = next((i for i, line in enumerate(lines) if line.y0 > caption.bottom - 3), None)
        if at is not None and lines[at].y0 - caption.bottom < 25:
            starts.append((at, True))
    for at, line in enumerate(lines):
        if len(line.words) < 3 or any(k in used for k in line.indices):
            continue
        runs = line.runs(0.8)
        if len(runs) >= 3:
            known = sum(bool(_HEAD_WORDS.match(r.text)) for r in runs)
            if known >= 3 and known * 3 >= len(runs) * 2:
                starts.append((at, False))
    grids: list[Grid] = []
    for at, captioned in starts:
        if any(k in used for k in lines[at].indices):
            continue
        grid = _gap_grid(lines, at, words, used, fonts, captioned)
        if grid is not None and not any(_touch(grid.box, g.box) for g in grids):
            grids.append(grid)
    return grids


def _touch(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _gap_grid(
    lines: Sequence[PageLine],
    at: int,
    words: Sequence[Word],
    used: set[int] | frozenset[int],
    fonts: Sequence[Font],
    captioned: bool,
) -> Grid | None:
    head = lines[at]
    runs = head.runs(0.8)
    if _title(_Part(head.words, head.indices)):
        return None
    if len(runs) < 2 or fonts[head.words[0].font].mono:
        return None
    if len(runs) == 2 and not all(r.bold(fonts) for r in runs):
        return None
    x0, x1 = head.x0 - 4, max(line.x1 for line in lines[at : at + 40])
    shared = free_gaps([head.words], x0, x1)
    parts = [_Part(head.words, head.indices)]
    last = head.y1
    for part in _parts(lines[at + 1 :], used, x0, x1, head.y0 + 3):
        height = part.y1 - part.y0
        if part.y0 - last > max(8.0, 1.1 * height) or height > 1.4 * (head.y1 - head.y0):
            break
        if _title(part) or len(parts) > _MOST_LINES or fonts[part.words[0].font].mono:
            break
        gaps = free_gaps([part.words], x0, x1)
        together = _separate(meet(shared, clear_gaps([part.words], gaps, x0, x1)), head.words)
        if len(together) < len(shared) and len(together) + 1 < len(runs):
            break
        shared = together
        parts.append(part)
        last = part.y1
    edges = [(a + b) / 2 for a, b in shared]
    if len(parts) < 3 or not edges or len(edges) + 1 < len(runs):
        return None
    filled = sum(
        len({bisect_right(edges, (w.x0 + w.x1) / 2) for w in p.words}) > 1 for p in parts[1:]
    )
    if filled < 2 or filled * 2 < len(parts) - 1:
        return None
    right = max(w.x1 for p in parts for w in p.words) + 4
    cuts = row_edges([p.words for p in parts], edges)
    across = [(y, x0, right) for y in (head.y0 - 1, *cuts, last + 1)]
    grid = build_grid(Frame(across, [(x, head.y0 - 1, last + 1) for x in (x0, *edges, right)]))
    if grid is None:
        return None
    grid.fill(words, [k for p in parts for k in p.indices])
    grid.write(words)
    return grid


def _separate(gaps: Sequence[Gap], head: Sequence[Word]) -> list[Gap]:
    """The gaps that part words of the head."""
    kept: list[Gap] = []
    for a, b in gaps:
        before = any((kept[-1][1] if kept else -1.0) - 1 <= w.x0 and w.x1 <= a + 1 for w in head)
        if before and any(w.x0 >= b - 1 for w in head):
            kept.append((a, b))
    return kept


def _parts(
    lines: Sequence[PageLine],
    used: set[int] | frozenset[int],
    x0: float,
    x1: float,
    top: float,
) -> list[_Part]:
    parts: list[_Part] = []
    for line in lines:
        if line.y0 < top - 2 or line.x1 < x0 or line.x0 > x1:
            continue
        mine = [
            (w, k)
            for w, k in zip(line.words, line.indices, strict=True)
            if k not in used and x0 - 6 <= (w.x0 + w.x1) / 2 <= x1 + 6
        ]
        if mine:
            parts.append(_Part([w for w, _ in mine], [k for _, k in mine]))
    return parts


def _settled(edge: float, parts: Sequence[_Part]) -> float:
    """A column's edge moved a little to where the fewest words of the rows go over it."""
    words = [w for p in parts for w in p.words]
    return edge + min(
        (0, -2, 2, -4, 4, -6, 6),
        key=lambda d: (sum(w.x0 < edge + d - 0.5 and w.x1 > edge + d + 0.5 for w in words), abs(d)),
    )


def _title(part: _Part) -> bool:
    text = line_text(part.words)
    return parse_caption(text) is not None or is_figure(text) or ". . ." in text


def _crosses(words: Sequence[Word], edges: Sequence[float]) -> bool:
    """Whether a line of words goes over an edge: in a word or with no more than a space."""
    for edge in edges:
        for at, word in enumerate(words):
            if word.x0 < edge - 2 and word.x1 > edge + 2:
                return True
            if at and word.x0 >= edge - 2 and words[at - 1].x1 <= edge + 2:
                if word.x0 - words[at - 1].x1 < 0.4 * (word.y1 - word.y0):
                    return True
    return False
