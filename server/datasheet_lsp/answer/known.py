"""What the passages and the question say: the numbers, bits and names in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.answer.claims import literals_in
from datasheet_lsp.answer.types import Piece

_LITTLE = frozenset(
    """the and for with from that this are was were has have can may its not but you your will when
    which must set sets use used bit bits register field value write read into then than""".split()
)


def words_in(text: str) -> set[str]:
    """The words of ``text`` that say something, in small letters."""
    return {w for w in re.findall(r"[a-z0-9_]{3,}", text.lower()) if w not in _LITTLE}


class Known:
    """What the passages and the question say."""

    def __init__(self, pieces: Sequence[Piece], question: str) -> None:
        texts = [f"{p.heading}\n{p.text}" for p in pieces]
        self.lines = [line for text in texts for line in text.splitlines()]
        self.lines += question.splitlines()
        self.words = {w.lower() for line in self.lines for w in re.findall(r"[A-Za-z_]\w*", line)}
        self.plain = "\n".join(self.lines).lower()
        self.numbers = {
            literal.value
            for line in self.lines
            for literal in literals_in(line)
            if literal.bits is None
        }

    def has_number(self, value: int) -> bool:
        """Whether the number stands somewhere, in hexadecimal or, small ones, in decimal."""
        return value in self.numbers or bool(
            value > 9 and re.search(rf"(?<![\w.]){value}(?![\w.])", self.plain)
        )

    def has_bits(self, name: str, bits: tuple[int, int]) -> bool:
        """Whether a line has the name and these bits."""
        high, low = bits
        wanted = re.compile(
            rf"\b{high}\s*[:\-]\s*{low}\b" if high != low else rf"(?<![\w.:]){low}(?![\w.:])"
        )
        small = name.lower()
        return bool(small) and any(
            small in line.lower() and wanted.search(line) for line in self.lines
        )

    def has_name(self, word: str) -> bool:
        """Whether a name, or all its parts, stands somewhere."""
        small = word.lower()
        if small in self.plain:
            return True
        parts = [p for p in re.split(r"->|\.|\[|\]", small) if p and not p.isdigit()]
        return bool(parts) and all(p in self.words for p in parts)
