"""Rows of bit numbers: what tells the picture of a register from a table."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.lines import PageLine
from datasheet_lsp.model.document import Box

_NUMBER = re.compile(r"^(?:bit|b|d)?(\d{1,2})$", re.IGNORECASE)
_LEAST = 8


class BitRow:
    """A printed row of bit numbers, falling by one from left to right.

    ``bits`` and ``centres`` go together; ``indices`` are the words' on the page. ``sparse`` rows
    give only the ends of the fields ("31 17 16 15 2 1 0").
    """

    __slots__ = ("bits", "centres", "indices", "sparse", "words", "x0", "x1", "y0", "y1")

    def __init__(
        self, words: list[Word], indices: list[int], bits: list[int], sparse: bool = False
    ) -> None:
        self.words = words
        self.indices = indices
        self.bits = bits
        self.sparse = sparse
        self.centres = [(w.x0 + w.x1) / 2 for w in words]
        self.x0 = words[0].x0
        self.x1 = words[-1].x1
        self.y0 = min(w.y0 for w in words)
        self.y1 = max(w.y1 for w in words)

    @property
    def pitch(self) -> float:
        """The mean distance between two bits."""
        return (self.centres[-1] - self.centres[0]) / max(1, len(self.bits) - 1)

    def range(self, left: float, right: float) -> tuple[int, int] | None:
        """The highest and lowest bit whose numbers stand between ``left`` and ``right``."""
        centres = self.centres
        first = bisect_left(centres, left)
        last = bisect_left(centres, right) - 1
        if first > last:
            return None
        return self.bits[first], self.bits[last]


def find_bit_rows(lines: Sequence[PageLine]) -> list[BitRow]:
    """The full rows of bit numbers on a page (eight or more, each one less than the last)."""
    rows: list[BitRow] = []
    for line in lines:
        if len(line.words) < _LEAST:
            continue
        words: list[Word] = []
        indices: list[int] = []
        bits: list[int] = []
        for word, index in zip(line.words, line.indices, strict=True):
            text = word.text
            if text.lower() in ("bit", "bits") and bits:
                continue
            found = _NUMBER.match(text) if len(text) <= 5 else None
            bit = int(found[1]) if found else -1
            if bits and bit == bits[-1] - 1:
                words.append(word)
                indices.append(index)
                bits.append(bit)
                continue
            if len(bits) >= _LEAST:
                break
            words, indices, bits = ([word], [index], [bit]) if found else ([], [], [])
        if len(bits) >= _LEAST and bits[-1] % 8 == 0:
            rows.append(BitRow(words, indices, bits))
    return rows


def turned_bit_rows(words: Sequence[Word]) -> list[BitRow]:
    """The rows of bit numbers that are printed sideways, each number by itself."""
    turned = [
        (w, k) for k, w in enumerate(words) if w.turned and len(w.text) <= 2 and w.text.isdecimal()
    ]
    if len(turned) < _LEAST:
        return []
    levels: dict[int, list[tuple[Word, int]]] = {}
    for word, index in turned:
        levels.setdefault(round((word.y0 + word.y1) / 8), []).append((word, index))
    rows: list[BitRow] = []
    done: set[int] = set()
    for level in sorted(levels):
        if level in done:
            continue
        group = levels[level] + levels.get(level + 1, [])
        group.sort(key=lambda g: g[0].x0)
        bits = [int(w.text) for w, _ in group]
        falling = all(a == b + 1 for a, b in zip(bits, bits[1:], strict=False))
        if len(bits) >= _LEAST and falling and bits[-1] % 8 == 0:
            rows.append(BitRow([w for w, _ in group], [k for _, k in group], bits))
            done.add(level + 1)
    return rows


def sparse_bit_row(line: PageLine, box: Box) -> BitRow | None:
    """The row of bit numbers over the box of a picture where only the fields' ends are given."""
    words: list[Word] = []
    indices: list[int] = []
    bits: list[int] = []
    for word, index in zip(line.words, line.indices, strict=True):
        if word.x1 < box[0] - 4 or word.x0 > box[2] + 4:
            continue
        if not word.text.isdecimal() or len(word.text) > 2:
            return None
        bit = int(word.text)
        if bits and bit >= bits[-1]:
            return None
        words.append(word)
        indices.append(index)
        bits.append(bit)
    if len(bits) < 2 or bits[0] % 8 != 7 or bits[-1] % 8 or bits[0] > 127:
        return None
    if words[0].x0 > box[0] + 14 or words[-1].x1 < box[2] - 14:
        return None
    return BitRow(words, indices, bits, sparse=True)
