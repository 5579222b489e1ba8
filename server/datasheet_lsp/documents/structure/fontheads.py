"""Headings known by their font alone, where a document has neither outline nor numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from datasheet_lsp.documents.structure.collect import PageText
from datasheet_lsp.documents.structure.headings import Heading
from datasheet_lsp.documents.structure.lines import Line, locate

_LARGER = 1.12
_LONGEST = 90
# Headings are a small part of what is written.
_SHARE = 0.12
_MOST_LEVELS = 3
_CAPTION = re.compile(r"^(?:Table|Figure|Fig\.)\s*\d", re.IGNORECASE)
_LABEL = re.compile(r"^(?:Note|Caution|Warning|Remark|Important|Type)\b", re.IGNORECASE)


def font_headings(pages: Sequence[PageText], body: float) -> list[Heading]:
    """Short lines that stand alone and are larger than the text, or bold, or in capitals."""
    found: list[tuple[PageText, int, tuple[float, bool, bool]]] = []
    written = 0
    for page in pages:
        for i, line in enumerate(page.lines):
            written += len(line.text)
            if not page.contents and _heading_like(page.lines, i, body):
                found.append((page, i, _look(line, body)))
    looks = Counter(look for _, _, look in found)
    length: Counter[tuple[float, bool, bool]] = Counter()
    for page, i, look in found:
        length[look] += len(page.lines[i].text)
    good = [x for x in sorted(looks, reverse=True) if length[x] < _SHARE * written]
    levels = {look: min(n + 1, _MOST_LEVELS) for n, look in enumerate(good)}
    headings = []
    for page, i, look in found:
        if look not in levels:
            continue
        line = page.lines[i]
        zone, column = locate(page.zones, line.box)
        heading = Heading(
            levels[look], "", line.text, page.number, (page.number, zone, column, line.y0), "font"
        )
        heading.boxes = (line.box,)
        headings.append(heading)
    return headings


def _look(line: Line, body: float) -> tuple[float, bool, bool]:
    size = round(line.size) if line.size > body * _LARGER else 0.0
    return (size, line.bold, line.text.isupper())


def _heading_like(lines: Sequence[Line], i: int, body: float) -> bool:
    line = lines[i]
    text = line.text
    letters = sum(c.isalpha() for c in text)
    if line.mono or len(text) > _LONGEST or letters < 4 or letters * 2 < len(text):
        return False
    if text[-1] in ".,;:" or _CAPTION.match(text) or _LABEL.match(text):
        return False
    larger = line.size > body * _LARGER
    capitals = text.isupper() and len(text.split()) > 1
    if not (larger or line.bold or capitals):
        return False
    height = line.y1 - line.y0
    before = lines[i - 1] if i else None
    free = (
        before is None
        or (before.zone, before.column) != (line.zone, line.column)
        or line.y0 - before.y1 > 0.3 * height
        or line.y0 < before.y0
    )
    return free and i + 1 < len(lines)
