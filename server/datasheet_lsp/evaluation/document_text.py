"""Whether the words of the pages are in the document that was made of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from datasheet_lsp.documents.page import PageData, Word
from datasheet_lsp.model.document import Box, Document

_WORD = re.compile(r"[^\W\d_]{4,}")
_LOW = 0.7
_FEW = 20
_DOTS = 4


class TextScore(msgspec.Struct, frozen=True, gc=False):
    """Words of at least four letters on all pages, and how many of them the document has.

    Lines with dots that lead to a page number do not count, nor do words in the boxes of the
    document's figures. Running headers and footers are left out of a document: all of it is never
    reached. ``low`` are pages of 20 such words or more of which less than 70% are kept, with the
    share, lowest first, up to 20.
    """

    words: int
    kept: int
    low: tuple[tuple[int, float], ...]


def text_score(document: Document, pages: Iterable[PageData]) -> TextScore:
    """How much of the text of the pages the document has on that page."""
    own = _words_by_page(document)
    words = kept = 0
    low = []
    figures: dict[int, list[Box]] = {}
    for figure in document.figures:
        figures.setdefault(figure.place.page, []).append(figure.place.box)
    for page in pages:
        dots = Counter(round(w.y1) for w in page.words if w.text == ".")
        leading = {y for y, n in dots.items() if n > _DOTS}
        leading |= {round(w.y1) for w in page.words if "....." in w.text}
        drawn = figures.get(page.number, [])
        printed = Counter(
            w
            for word in page.words
            if round(word.y1) not in leading and not any(_inside(word, box) for box in drawn)
            for w in _WORD.findall(word.text.casefold())
        )
        there = own.get(page.number, Counter())
        # A hyphenated word stands in the document as a whole.
        joined = {w for w in printed if w not in there and any(w in whole for whole in there)}
        total = printed.total()
        found = sum(n if w in joined else min(n, there[w]) for w, n in printed.items())
        words += total
        kept += found
        if total >= _FEW and found < _LOW * total:
            low.append((page.number, round(found / total, 2)))
    low.sort(key=lambda one: one[1])
    return TextScore(words, kept, tuple(low[:20]))


def _inside(word: Word, box: Box) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _words_by_page(document: Document) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}

    def add(pages: Iterable[int], text: str) -> None:
        words = _WORD.findall(text.casefold())
        for page in set(pages):
            found.setdefault(page, Counter()).update(words)

    for section in document.sections:
        add([section.page], f"{section.number} {section.title}")
    for block in document.blocks:
        add((place.page for place in block.places), block.text)
    for table in document.tables:
        pages = [place.page for place in table.places]
        add(pages, f"{table.number} {table.caption} table")
        add(pages, " ".join(table.header))
        # A row that goes on over a page break is one row, on the page where it begins.
        for row in table.rows:
            add(pages, " ".join(row))
    for figure in document.figures:
        add([figure.place.page], f"figure {figure.caption}")
    for register in document.registers:
        for field in register.fields:
            add([field.page], field.name)
    return found
