"""The words of a page, from what PyMuPDF's text page gives: words with boxes, lines with fonts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from datasheet_lsp.documents.page import Font, Word
from datasheet_lsp.documents.pdf.text import clean
from datasheet_lsp.documents.pdf.unmapped import UNKNOWN
from datasheet_lsp.model.document import Box

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f (PDF 32000-1, 8.3.3)."""
RawWord = tuple[float, float, float, float, str, int, int, int]
"""Box, text, and the numbers of block, line and word."""

# Font flags of PyMuPDF's spans.
_ITALIC = 2
_MONO = 8
_BOLD = 16
_BOLD_NAMES = ("bold", "black", "heavy", "demi")
_MONO_NAMES = ("courier", "mono", "consol", "typewriter")
# A turned word of this size, or a faint one, is a watermark. Points.
_WATERMARK = 24.0
_FAINT = 128
_WHITE = 0xF8
# A word printed again within this distance is the same word (bold made by printing twice). Points.
_AGAIN = 1.2
_BAND = 8.0
Decoder = Callable[[str, str], list[str]]
"""Numbers of unmapped characters and the font's name -> their signs, U+FFFD where not known."""


class Fonts:
    """The fonts of a document, numbered as they are met. ``found`` is the list."""

    def __init__(self, found: list[Font]) -> None:
        self.found = found
        self._numbers: dict[tuple[str, float, int], int] = {}
        self._bold: dict[int, int] = {}

    def number(self, name: str, size: float, flags: int) -> int:
        """The number of the font with PyMuPDF's name, size and flags."""
        key = (name, round(size, 1), flags)
        number = self._numbers.get(key)
        if number is None:
            name = name.rpartition("+")[2]
            low = name.lower()
            number = self._add(
                Font(
                    name=name,
                    size=key[1],
                    bold=bool(flags & _BOLD) or any(w in low for w in _BOLD_NAMES),
                    italic=bool(flags & _ITALIC) or "italic" in low or "oblique" in low,
                    mono=bool(flags & _MONO) or any(w in low for w in _MONO_NAMES),
                )
            )
            self._numbers[key] = number
        return number

    def bold(self, number: int) -> int:
        """The number of the same font in bold."""
        found = self._bold.get(number)
        if found is None:
            f = self.found[number]
            found = number if f.bold else self._add(Font(f.name, f.size, True, f.italic, f.mono))
            self._bold[number] = found
        return found

    def _add(self, font: Font) -> int:
        if font in self.found:
            return self.found.index(font)
        self.found.append(font)
        return len(self.found) - 1


class Lines:
    """The text lines of one page, in the order of ``TextPage.extractDICT``."""

    def __init__(self, blocks: Iterable[dict[str, Any]]) -> None:
        self._lines = [line for block in blocks for line in block.get("lines", ())]
        self._contents = ["".join([s["text"] for s in x["spans"]]) for x in self._lines]
        self._mended: dict[int, list[RawWord]] = {}

    def __len__(self) -> int:
        return len(self._lines)

    def unmapped(self) -> list[int]:
        """The lines with characters whose font does not say what they are."""
        return [i for i, content in enumerate(self._contents) if UNKNOWN in content]

    def mend(self, line: int, spans: Sequence[dict[str, Any]], decode: Decoder) -> None:
        """Puts signs into a line in place of unmapped characters, as far as ``decode`` tells.

        Args:
            line: The line's number.
            spans: The same line from ``extractRAWDICT`` with numbers for unmapped characters.
            decode: Gives the signs for numbers and the name of a font.
        """
        content = self._contents[line]
        chars = [c for s in spans for c in s["chars"]]
        if len(chars) != len(content):
            return
        signs: list[str] = []
        for span in spans:
            numbers = [c["c"] for c in span["chars"]]
            old = content[len(signs) : len(signs) + len(numbers)]
            unknown = [n for n, o in zip(numbers, old, strict=True) if o == UNKNOWN]
            told = iter(decode("".join(unknown), span["font"]))
            signs += [next(told) if o == UNKNOWN else o for o in old]
        self._mended[line] = list(_split(signs, chars))

    def having(self, text: str, start: int) -> int:
        """The first line from ``start`` on that holds the text, else ``start``."""
        for i in range(start, len(self._contents)):
            if text in self._contents[i]:
                return i
        return min(start, len(self._contents) - 1)

    def content(self, line: int) -> str:
        """The line's text."""
        return self._contents[line]

    def mended(self, line: int) -> list[RawWord]:
        """The words of a line that was mended, each with its place in the line, else []."""
        return self._mended.get(line, [])

    def spans(self, line: int) -> list[dict[str, Any]]:
        """The runs of one font in a line."""
        spans: list[dict[str, Any]] = self._lines[line]["spans"]
        return spans

    def direction(self, line: int) -> tuple[float, float]:
        """The direction of writing as a unit vector."""
        direction: tuple[float, float] = self._lines[line]["dir"]
        return direction


def page_words(
    raw: Sequence[RawWord],
    lines: Lines,
    fonts: Fonts,
    size: tuple[float, float],
    matrix: Matrix | None,
    backgrounds: Callable[[], Sequence[Box]],
) -> tuple[list[Word], list[Word]]:
    """The words of a page that can be seen, cleaned, with fonts, in the shown page's coordinates.

    Second come those of which no sign can be told.

    Args:
        raw: What ``TextPage.extractWORDS`` gives.
        lines: The lines of the same text page.
        fonts: The document's fonts; new ones are added.
        size: Width and height of the page as shown.
        matrix: From the coordinates of ``raw`` to those of the shown page, None when the same.
        backgrounds: Gives the boxes on which white text can be seen, in the coordinates of ``raw``.
    """
    width, height = size
    found: list[Word] = []
    lost: list[Word] = []
    seen = _Seen(found)
    at = -1
    start = 0
    count = len(raw)
    while start < count:
        block, number = raw[start][5:7]
        end = start + 1
        while end < count and raw[end][6] == number and raw[end][5] == block:
            end += 1
        at = lines.having(raw[start][4], at + 1)
        mended = lines.mended(at)
        group = mended or raw[start:end]
        start = end
        turned = _turned(lines.direction(at), matrix)
        runs = list(_runs(lines.spans(at), fonts, turned))
        content = lines.content(at)
        single = runs[0] if len(runs) == 1 else None
        offset = 0
        for x0, y0, x1, y1, word, _, _, place in group:
            if single is not None:
                _, font, name, look = single
            else:
                offset = place if mended else max(content.find(word, offset), 0)
                for run in runs:
                    if run[0] > offset:
                        break
                _, font, name, look = run
                offset += len(word)
            if look and (look == _DROPPED or not _on(backgrounds(), x0, y0, x1, y1)):
                continue
            if matrix is not None:
                x0, y0, x1, y1 = moved((x0, y0, x1, y1), matrix)
            if x1 <= 0 or y1 <= 0 or x0 >= width or y0 >= height:
                continue
            word = clean(word, name)
            if not word:
                continue
            if not word.strip(UNKNOWN):
                lost.append(Word(word, x0, y0, x1, y1, font, at, turned))
                continue
            again = seen.before(word, x0, y0, x1, y1)
            if again is not None:
                _embolden(found, again, x0, y0, fonts)
                continue
            found.append(Word(word, x0, y0, x1, y1, font, at, turned))
    return found, lost


_DROPPED = 2
_ON_DARK = 1


def _runs(
    spans: Sequence[dict[str, Any]], fonts: Fonts, turned: int
) -> Iterator[tuple[int, int, str, int]]:
    """End in characters, font number, font name, and whether it is white or a watermark."""
    end = 0
    for span in spans:
        end += len(span["text"])
        name = span["font"]
        size = span["size"]
        colour = span["color"]
        look = 0
        if size >= _WATERMARK and (turned % 90 or 0 < span.get("alpha", 255) <= _FAINT):
            look = _DROPPED
        elif colour >= 0xF8F8F8 and min(colour >> 16, (colour >> 8) & 255, colour & 255) >= _WHITE:
            look = _ON_DARK if span.get("alpha", 255) else 0
        yield end, fonts.number(name, size, span["flags"]), name, look


def _on(boxes: Sequence[Box], x0: float, y0: float, x1: float, y1: float) -> bool:
    x = (x0 + x1) / 2
    y = (y0 + y1) / 2
    return any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in boxes)


class _Seen:
    """Finds the words that stand on one place, by text and band of the page."""

    def __init__(self, found: list[Word]) -> None:
        self._found = found
        self._bands: dict[tuple[str, int], list[int]] = {}

    def before(self, text: str, x0: float, y0: float, x1: float, y1: float) -> int | None:
        """The number of the same word on the same place; without one, the next word is this."""
        first, last = int((y0 - _AGAIN) / _BAND), int((y0 + _AGAIN) / _BAND)
        for band in (first,) if first == last else (first, last):
            for number in self._bands.get((text, band), ()):
                w = self._found[number]
                if (
                    -_AGAIN < w.x0 - x0 < _AGAIN
                    and -_AGAIN < w.y0 - y0 < _AGAIN
                    and -_AGAIN < w.x1 - x1 < _AGAIN
                    and -_AGAIN < w.y1 - y1 < _AGAIN
                ):
                    return number
        self._bands.setdefault((text, int(y0 / _BAND)), []).append(len(self._found))
        return None


def _embolden(found: list[Word], i: int, x0: float, y0: float, fonts: Fonts) -> None:
    """A word printed twice side by side is bold; on the very same place it is a copy."""
    w = found[i]
    if abs(w.x0 - x0) > 0.05 or abs(w.y0 - y0) > 0.05:
        found[i] = Word(w.text, w.x0, w.y0, w.x1, w.y1, fonts.bold(w.font), w.line, w.turned)


def _split(signs: Sequence[str], chars: Sequence[dict[str, Any]]) -> Iterator[RawWord]:
    start = 0
    for end in range(len(signs) + 1):
        if end == len(signs) or signs[end].isspace():
            if end > start:
                boxes = [c["bbox"] for c in chars[start:end]]
                x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
                x1, y1 = max(b[2] for b in boxes), max(b[3] for b in boxes)
                # The word's number is where it starts in the line.
                yield (x0, y0, x1, y1, "".join(signs[start:end]), 0, 0, start)
            start = end + 1


def moved(box: Box, matrix: Matrix) -> Box:
    """A box in other coordinates, its corners sorted."""
    x0, y0, x1, y1 = box
    a, b, c, d, e, f = matrix
    px, qx = a * x0 + c * y0 + e, a * x1 + c * y1 + e
    py, qy = b * x0 + d * y0 + f, b * x1 + d * y1 + f
    return (min(px, qx), min(py, qy), max(px, qx), max(py, qy))


def _turned(direction: tuple[float, float], matrix: Matrix | None) -> int:
    x, y = direction
    if matrix is not None:
        a, b, c, d, _, _ = matrix
        x, y = a * x + c * y, b * x + d * y
    if y == 0 and x > 0:
        return 0
    return round(math.degrees(math.atan2(-y, x))) % 360
