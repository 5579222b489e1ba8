"""What was put on a page afterwards or hangs on a word: highlighter strokes and footnote marks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import product

from datasheet_lsp.documents.page import Font, Rule, Word
from datasheet_lsp.model.document import Box

# A stroke of a highlighter ends where its words do; a cell leaves room beside its text.
_TIGHT = 1.3
_TRAILING = 3.4
_LEAST = 12.0
_LINE = 1.7
_TOUCH = 1.0
_SMALLEST, _WIDEST, _HIGHEST = 12.0, 250.0, 80.0
_MOST_RULES = 24
_MARKED = re.compile(r"^[A-Z][A-Z0-9_]{2,}[a-h]$")
_NOTE = re.compile(r"^[a-h][.)]$")


def without_strokes(fills: Sequence[Box], words: Sequence[Word]) -> list[Box]:
    """The fills without those that only highlight words: one line high and as long as its words."""
    low = [f for f in fills if f[2] - f[0] >= _LEAST and f[3] - f[1] < 30]
    if not low:
        return list(fills)
    upright = sorted((w for w in words if not w.turned), key=_middle)
    middles = [_middle(w) for w in upright]
    strokes = {f for f in low if _is_stroke(f, upright, middles)}
    if not strokes:
        return list(fills)
    # Shades that stand wall to wall are the cells of a row, however full they are.
    cells = {
        f
        for f in strokes
        if any(
            o != f
            and abs(o[1] - f[1]) < _TOUCH
            and abs(o[3] - f[3]) < _TOUCH
            and (abs(o[0] - f[2]) < _TOUCH or abs(o[2] - f[0]) < _TOUCH)
            for o in fills
        )
    }
    strokes -= cells
    return [f for f in fills if f not in strokes]


def _middle(word: Word) -> float:
    return (word.y0 + word.y1) / 2


def _is_stroke(fill: Box, words: Sequence[Word], middles: Sequence[float]) -> bool:
    x0, y0, x1, y1 = fill
    own = [
        w
        for w in words[bisect_left(middles, y0) : bisect_right(middles, y1)]
        if x0 - 1 < (w.x0 + w.x1) / 2 < x1 + 1
    ]
    if not own:
        return False
    left, right = min(w.x0 for w in own), max(w.x1 for w in own)
    height = max(w.y1 - w.y0 for w in own)
    return y1 - y0 < _LINE * height and abs(left - x0) < _TIGHT and -_TIGHT < x1 - right < _TRAILING


def without_marks(words: Sequence[Word]) -> Sequence[Word]:
    """The words with no footnote mark at the end of a name.

    A small raised mark that is one word with its name is known by two signs: the box of the word
    is higher than those of its font are, and a note on the page starts with the mark ("a. ...").
    """
    likely = [k for k, w in enumerate(words) if not w.turned and _MARKED.match(w.text)]
    if not likely:
        return words
    notes = {
        w.text[0]
        for last, w in zip((None, *words), words, strict=False)
        if _NOTE.match(w.text) and (last is None or last.line != w.line)
    }
    likely = [k for k in likely if words[k].text[-1] in notes]
    if not likely:
        return words
    fonts = {words[k].font for k in likely}
    heights: dict[int, Counter[float]] = {font: Counter() for font in fonts}
    for w in words:
        if w.font in fonts and not w.turned:
            heights[w.font][round(w.y1 - w.y0, 2)] += 1
    changed: list[Word] | None = None
    for k in likely:
        word = words[k]
        usual, often = heights[word.font].most_common(1)[0]
        if often < 4 or not 1.015 * usual < word.y1 - word.y0 < 1.6 * usual:
            continue
        changed = changed or list(words)
        changed[k] = Word(
            word.text[:-1],
            word.x0,
            word.y0,
            word.x1,
            word.y1,
            word.font,
            word.line,
            word.turned,
        )
    return changed or words


def stuck_words(words: Sequence[Word], rules: Sequence[Rule], fonts: Sequence[Font]) -> set[int]:
    """The words of notes that somebody put on the page: larger type in a small box of its own.

    Such a box stands beside two lines or more of the page's own text, of which none is in it.
    """
    across = [r for r in rules if r.y0 == r.y1 and _SMALLEST < r.x1 - r.x0 < _WIDEST]
    stuck: set[int] = set()
    if len(across) > _MOST_RULES:
        return stuck
    for top, bottom in product(across, across):
        if not _SMALLEST < bottom.y0 - top.y0 < _HIGHEST:
            continue
        if abs(top.x0 - bottom.x0) > _TOUCH or abs(top.x1 - bottom.x1) > _TOUCH:
            continue
        sides = [r for r in rules if r.x0 == r.x1 and abs(r.y0 - top.y0) < _TOUCH]
        sides = [r for r in sides if abs(r.y1 - bottom.y0) < _TOUCH]
        if not all(any(abs(r.x0 - x) < _TOUCH for r in sides) for x in (top.x0, top.x1)):
            continue
        level = [
            k
            for k, w in enumerate(words)
            if top.y0 - 1 < _middle(w) < bottom.y0 + 1 and not w.turned
        ]
        own = [k for k in level if top.x0 <= (words[k].x0 + words[k].x1) / 2 <= top.x1]
        beside = [k for k in level if k not in own]
        if not own or len({round(_middle(words[k])) for k in beside}) < 2:
            continue
        least = min(fonts[words[k].font].size for k in own)
        if least > 1.3 * max(fonts[words[k].font].size for k in beside):
            stuck.update(own)
    return stuck
