"""Headings found by their numbers and fonts, where there is no outline or it leaves some out.

Lines that begin with a section number and are set larger or bold are candidates. Section numbers
only ever go up, so the heaviest chain of candidates that goes up is taken; numbers in tables,
steps and list items do not fit into it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import msgspec

from datasheet_lsp.documents.structure.headings import number_parts, split_number
from datasheet_lsp.documents.structure.lines import Line

_TITLE = re.compile(r"^[\"“‘'(\[]?[^\W\d_]|^[\"“‘'(\[]?\d?[^\W\d_]|^0x|^\d+-")
_SENTENCE = re.compile(r"[.;,]$|\.\s+[A-Z][a-z]+\s+[a-z]")
_LONGEST = 160
_MOST_LINES = 3


class Candidate(msgspec.Struct, gc=False):
    """A line that may be a heading. ``lines`` are its line indices on the page."""

    page: int
    lines: tuple[int, ...]
    number: str
    parts: tuple[int, ...]
    title: str
    style: tuple[float, bool]
    weight: float
    known: int = -1
    order: tuple[int, int, int, float] | None = None
    listed: bool = False


def candidates(page: int, lines: Sequence[Line], body: float) -> list[Candidate]:
    """The lines of a page that begin with a section number and look like headings.

    Args:
        page: Physical page, 1-based.
        lines: The page's lines.
        body: Font size of the text in points.
    """
    found = []
    for i, line in enumerate(lines):
        text = line.text
        first = text[:1]
        if not (first.isdigit() or first in "CAS") or line.mono:
            continue
        if not (line.bold or line.size > body * 1.07):
            continue
        number, title = split_number(text)
        if not number or not _TITLE.match(title) or len(text) > _LONGEST:
            continue
        used = [i]
        while len(used) < _MOST_LINES and _continues(lines, used[-1], line):
            used.append(used[-1] + 1)
            title = _join(title, lines[used[-1]].text)
        if _SENTENCE.search(title) and len(title) > 60:
            continue
        size = line.size / body
        weight = 1.0 + min(2.0, 4 * max(0.0, size - 1)) + 0.5 * line.bold + 0.4 * number.count(".")
        found.append(
            Candidate(page, tuple(used), number, number_parts(number), title, _style(line), weight)
        )
    return found


def _style(line: Line) -> tuple[float, bool]:
    return (round(line.size * 2) / 2, line.bold)


def _continues(lines: Sequence[Line], i: int, head: Line) -> bool:
    """Whether the line behind ``i`` is the rest of a wrapped heading."""
    if i + 1 >= len(lines):
        return False
    a, b = lines[i], lines[i + 1]
    if (b.zone, b.column) != (a.zone, a.column) or b.bold != head.bold:
        return False
    if abs(b.size - head.size) > 0.3:
        return False
    height = a.y1 - a.y0
    if not -0.5 * height < b.y0 - a.y1 < 0.32 * height:
        return False
    if b.x0 > a.x1 or (b.x0 < head.x0 - 3):
        return False
    return not split_number(b.text)[0]


def _join(a: str, b: str) -> str:
    if a.endswith("-") and b[:1].islower():
        return a[:-1] + b
    if a.endswith(("_", "/")) or b.startswith("_"):
        return a + b
    return f"{a} {b}"


def chain(found: list[Candidate]) -> list[Candidate]:
    """The heaviest subsequence whose numbers go up and follow one another."""
    if not found:
        return []
    ranks = sorted({c.parts for c in found})
    size = len(ranks)
    # Fenwick tree: heaviest chain that ends with a number of rank below.
    tree: list[tuple[float, int]] = [(0.0, -1)] * (size + 1)
    before = [-1] * len(found)
    best = (0.0, -1)
    for at, c in enumerate(found):
        rank = bisect_left(ranks, c.parts)
        i = rank
        weight, last = 0.0, -1
        while i > 0:
            if tree[i][0] > weight:
                weight, last = tree[i]
            i -= i & -i
        weight += c.weight
        before[at] = last
        i = rank + 1
        while i <= size:
            if weight > tree[i][0]:
                tree[i] = (weight, at)
            i += i & -i
        if weight > best[0]:
            best = (weight, at)
    taken = []
    at = best[1]
    while at >= 0:
        taken.append(found[at])
        at = before[at]
    taken.reverse()
    return _plausible(taken)


def _plausible(taken: list[Candidate]) -> list[Candidate]:
    """Without those whose number does not follow from the ones before and behind."""
    kept: list[Candidate] = []
    for i, c in enumerate(taken):
        ahead = taken[i + 1] if i + 1 < len(taken) else None
        before = kept[-1] if kept else None
        if c.known >= 0:
            kept.append(c)
            continue
        good = before is None or follows(before.parts, c.parts)
        if not good and ahead is not None and before is not None:
            # A gap in the numbers: believed when the next goes on from here, not from before.
            good = follows(c.parts, ahead.parts) and not follows(before.parts, ahead.parts)
        if good:
            kept.append(c)
    return kept


def follows(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether section ``b`` can come right after ``a``, a few left out at most."""
    k = 0
    while k < len(a) and k < len(b) and a[k] == b[k]:
        k += 1
    if k == len(a):
        return len(b) > k and len(b) - k <= 2 and all(n <= 2 for n in b[k:])
    if k >= len(b):
        return False
    step = b[k] - a[k]
    if a[k] < 1000 <= b[k]:
        step = 1
    return 1 <= step <= 3 and len(b) - k <= 3 and all(n <= 2 for n in b[k + 1 :])


def same_style(kept: list[Candidate]) -> list[Candidate]:
    """Without those that are set in another style than the other headings of their depth."""
    styles: dict[int, Counter[tuple[float, bool]]] = {}
    for c in kept:
        styles.setdefault(len(c.parts), Counter())[c.style] += 1
    result = []
    for c in kept:
        counts = styles[len(c.parts)]
        total = counts.total()
        if c.known >= 0 or c.listed or total < 4 or counts[c.style] >= max(2, 0.08 * total):
            result.append(c)
    return result
