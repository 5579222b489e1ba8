"""Words to lines and lines to the text of a cell, with names kept whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from datasheet_lsp.documents.page import Word

Line = list[Word]
"""Words of one printed line, from left to right."""


def group_lines(words: Iterable[Word]) -> list[Line]:
    """Upright words grouped to printed lines, from the top down.

    A subscript or superscript belongs to the line it hangs on: two words share a line when the
    middle of one is within the height of the other.
    """
    lines: list[Line] = []
    tops: list[float] = []
    bottoms: list[float] = []
    for word in sorted(words, key=_top):
        middle = (word.y0 + word.y1) / 2
        for at in range(len(lines) - 1, max(-1, len(lines) - 4), -1):
            top, bottom = tops[at], bottoms[at]
            if top < middle < bottom or word.y0 < (top + bottom) / 2 < word.y1:
                lines[at].append(word)
                if word.y1 - word.y0 > bottom - top:
                    tops[at], bottoms[at] = word.y0, word.y1
                break
        else:
            lines.append([word])
            tops.append(word.y0)
            bottoms.append(word.y1)
    for line in lines:
        if len(line) > 1:
            line.sort(key=_left)
    return lines


def _top(word: Word) -> float:
    return word.y0


def _left(word: Word) -> float:
    return word.x0


def line_text(line: Sequence[Word]) -> str:
    """The words of a line with spaces between, without one where the print has none (V + DD)."""
    parts = [line[0].text]
    last = line[0]
    for word in line[1:]:
        gap = word.x0 - last.x1
        height = min(word.y1 - word.y0, last.y1 - last.y0)
        # A space is a quarter of the font size; a word box is about 1.2 times it high.
        if last.text[-1] == "_" and gap < 0.5 * height and len(last.text) > 1:
            # A name set apart at its underscore by kerning.
            if not word.text[0].isalnum():
                parts.append(" ")
        elif gap > 0.11 * height or (word.line == last.line and gap > 0.06 * height):
            parts.append(" ")
        parts.append(word.text)
        last = word
    return "".join(parts)


_HYPHEN = re.compile(r"[a-z]{2}-$")
_OPEN_END = re.compile(r"[_/\[(:]$")
_OPEN_START = re.compile(r"^[_\])/:]")
_SHORT_WORDS = frozenset("a to of in on is at by or as an if it be no up we so do".split())
_NAME_PIECE = re.compile(r"^[A-Z0-9_\[\]:.]+$")


def join_lines(texts: Sequence[str], full: Sequence[bool] = ()) -> str:
    """Lines of a cell as one text.

    A hyphenated word is mended, a name cut at an underscore, bracket or slash is made whole.
    ``full`` says which lines fill their cell to its edge: there a name of capitals is cut without
    any sign.
    """
    text = ""
    for at, piece in enumerate(texts):
        if not text:
            text = piece
            continue
        if _HYPHEN.search(text) and piece[:1].islower():
            text = text[:-1] + piece
            continue
        last = text.rsplit(" ", 1)[-1]
        first = piece.split(" ", 1)[0]
        glue = " "
        filled = at - 1 < len(full) and full[at - 1]
        if _cut_name(last, first) or (filled and _cut_word(text, last, first)):
            glue = ""
        text = text + glue + piece
    return text


def _cut_word(text: str, last: str, first: str) -> bool:
    """Whether a word is cut where a narrow cell ends: a lone name, or a rest of a letter or two."""
    if " " not in text and _NAME_PIECE.match(last) and _NAME_PIECE.match(first):
        return True
    if len(first) > 2 or not first.isalpha() or not last[-1:].isalpha():
        return False
    if first.islower():
        return first not in _SHORT_WORDS and last[-1].islower()
    return first.isupper() and last[-1].isupper() and not last.isupper()


def _cut_name(last: str, first: str) -> bool:
    """Whether a name or range goes on from the end of one line to the start of the next."""
    if last.endswith("_") and (first[:1].isalnum()):
        return True
    if first.startswith("_") and last[-1:].isalnum():
        return True
    if last.count("[") > last.count("]") and len(last) > 1 and re.match(r"^[\d:.\]]", first):
        return True
    if (
        first[:1] == "["
        and re.match(r"^\[\d+(:\d+)?\]$", first)
        and re.match(r"^\w*[A-Z]\w*$", last)
    ):
        return True
    if last.endswith("/") and len(last) > 1 and first[:1].isalnum():
        return True
    return bool(first.startswith("/") and len(first) > 1 and last[-1:].isalnum())


def cell_text(words: list[Word], right: float = 0.0, left: float = 0.0) -> str:
    """The text of the words in a cell; ``left`` and ``right`` are its edges, 0 where unknown."""
    if not words:
        return ""
    if len(words) == 1:
        return words[0].text
    turned = words[0].turned
    if turned in (90, 270):
        words = [w for w in words if w.turned == turned] or words
        return _turned_text(words, turned)
    lines = group_lines(words)
    if len(lines) == 1:
        return line_text(lines[0])
    texts = [line_text(line) for line in lines]
    full: list[bool] = []
    if right > left:
        for line in lines:
            glyph = (line[-1].x1 - line[-1].x0) / max(1, len(line[-1].text))
            spare = (right - left) - (line[-1].x1 - line[0].x0)
            full.append(spare < 2.2 * glyph + 4)
    return join_lines(texts, full)


def _turned_text(words: list[Word], turned: int) -> str:
    """Words that run up (90) or down (270) the page."""
    turned_words = []
    for w in words:
        if turned == 90:
            turned_words.append(Word(w.text, -w.y1, w.x0, -w.y0, w.x1, w.font, w.line, 0))
        else:
            turned_words.append(Word(w.text, w.y0, -w.x1, w.y1, -w.x0, w.font, w.line, 0))
    return join_lines([line_text(line) for line in group_lines(turned_words)])
