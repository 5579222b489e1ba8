"""Where a text stands on a page, by its words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.model.document import Box


def find_words(words: Sequence[Word], text: str) -> list[Box]:
    """The boxes of the words with ``text``, one for each line that each place is on.

    Upper and lower case are the same, and so are all kinds and amounts of space. A text that the
    page breaks otherwise ("CR 1" for "CR1") is found without its spaces.
    """
    for space in (" ", ""):
        found = _find(words, space.join(text.casefold().split()), space)
        if found:
            return found
    return []


def _find(words: Sequence[Word], wanted: str, space: str) -> list[Box]:
    if not wanted:
        return []
    starts: list[int] = []
    parts: list[str] = []
    at = 0
    for word in words:
        part = word.text.casefold()
        starts.append(at)
        parts.append(part)
        at += len(part) + len(space)
    page = space.join(parts)
    boxes: list[Box] = []
    start = page.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        first = max(0, bisect_right(starts, start) - 1)
        last = bisect_right(starts, end - 1)
        boxes += _lines(words[first:last])
        start = page.find(wanted, end)
    return boxes


def _lines(words: Sequence[Word]) -> list[Box]:
    """One box for the words of each line."""
    boxes: list[Box] = []
    line = None
    for word in words:
        if word.line == line:
            x0, y0, x1, y1 = boxes[-1]
            boxes[-1] = (
                min(x0, word.x0),
                min(y0, word.y0),
                max(x1, word.x1),
                max(y1, word.y1),
            )
        else:
            boxes.append((word.x0, word.y0, word.x1, word.y1))
        line = word.line
    return boxes
