"""The lines of a page and the runs of words in them, as captions and pictures are found from."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.documents.page import Font, Word
from datasheet_lsp.documents.tables.text import line_text
from datasheet_lsp.model.document import Box


class Run:
    """Words that stand together on a line, with the indices they have on the page."""

    __slots__ = ("indices", "words", "x0", "x1", "y0", "y1")

    def __init__(self, words: list[Word], indices: list[int]) -> None:
        self.words = words
        self.indices = indices
        self.x0 = words[0].x0
        self.x1 = max(w.x1 for w in words)
        self.y0 = min(w.y0 for w in words)
        self.y1 = max(w.y1 for w in words)

    @property
    def text(self) -> str:
        """The words with spaces between."""
        return line_text(self.words)

    def bold(self, fonts: Sequence[Font]) -> bool:
        """Whether all of it is bold."""
        return all(fonts[w.font].bold for w in self.words)


class PageLine:
    """A printed line of upright words, from left to right."""

    __slots__ = ("indices", "words", "x0", "x1", "y0", "y1")

    def __init__(self, words: list[Word], indices: list[int]) -> None:
        self.words = words
        self.indices = indices
        self.x0 = words[0].x0
        self.x1 = words[-1].x1
        self.y0 = min(w.y0 for w in words)
        self.y1 = max(w.y1 for w in words)

    def runs(self, gap: float) -> list[Run]:
        """The words of the line, apart where the space between is wider than ``gap`` heights."""
        runs: list[Run] = []
        start = 0
        words = self.words
        for at in range(1, len(words) + 1):
            if at < len(words):
                last, word = words[at - 1], words[at]
                if word.x0 - last.x1 <= gap * min(last.y1 - last.y0, word.y1 - word.y0):
                    continue
            runs.append(Run(words[start:at], self.indices[start:at]))
            start = at
        return runs


def page_lines(words: Sequence[Word], without: frozenset[int] | set[int]) -> list[PageLine]:
    """The upright words of a page as printed lines, from the top down."""
    lines: list[tuple[list[Word], list[int]]] = []
    bounds: list[tuple[float, float]] = []
    order = [k for k, w in enumerate(words) if not w.turned and k not in without]
    order.sort(key=lambda k: words[k].y0)
    for k in order:
        word = words[k]
        top, bottom = word.y0, word.y1
        middle = (top + bottom) / 2
        for at in range(len(lines) - 1, max(-1, len(lines) - 4), -1):
            above, below = bounds[at]
            if above < middle < below or top < (above + below) / 2 < bottom:
                lines[at][0].append(word)
                lines[at][1].append(k)
                if bottom - top > below - above:
                    bounds[at] = (top, bottom)
                break
        else:
            lines.append(([word], [k]))
            bounds.append((top, bottom))
    found: list[PageLine] = []
    for line, indices in lines:
        if len(line) > 1:
            places = sorted(range(len(line)), key=lambda i: line[i].x0)  # noqa: B023
            line = [line[i] for i in places]
            indices = [indices[i] for i in places]
        found.append(PageLine(line, indices))
    found.sort(key=lambda p: p.y0)
    return found


def inside(word: Word, box: Box) -> bool:
    """Whether the middle of a word is in a box."""
    return (
        box[0] <= (word.x0 + word.x1) / 2 <= box[2] and box[1] <= (word.y0 + word.y1) / 2 <= box[3]
    )
