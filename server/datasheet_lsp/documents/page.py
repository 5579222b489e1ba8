"""A page as it is read from a PDF: words, rules and pictures with their boxes, nothing understood.

This is what the page reader (a process of its own, the only one with pymupdf) hands over. All
coordinates are in points from the top left corner of the page as it is shown (rotation applied).
"""

from __future__ import annotations

import msgspec

from datasheet_lsp.model.document import Box


class Font(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A font at a size as used in a document. ``size`` is in points, rounded to 0.1."""

    name: str
    size: float
    bold: bool
    italic: bool
    mono: bool


class Word(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A word: text between white space, ligatures and private-use glyphs already normalised.

    ``font`` is an index into ``PdfInfo.fonts`` (of the word's first character). ``line`` numbers
    the text line on the page as the PDF has it; words of one line are in reading order. ``turned``
    is the writing direction in degrees, counterclockwise: 0 for upright text, 90 for text that
    runs up the page, 270 for text that runs down.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    font: int
    line: int
    turned: int = 0


class Rule(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A ruled line or thin rectangle; horizontal when y0 == y1, else vertical (x0 == x1)."""

    x0: float
    y0: float
    x1: float
    y1: float


class PageData(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One page. ``number`` is physical, 1-based; ``label`` the PDF's own page label or "".

    ``rules`` are merged where they touch; ``fills`` are filled rectangles larger than a rule
    (shaded header rows); ``pictures`` the boxes of images and of vector drawings that are no table
    rules. ``trouble`` says why a page has no or no usable words (see ``pdf/troubles.py``).
    """

    number: int
    label: str
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Rule, ...]
    fills: tuple[Box, ...]
    pictures: tuple[Box, ...]
    trouble: str = ""


class OutlineEntry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A bookmark: 1-based level, title, physical page (0 when it leads nowhere), top or None."""

    level: int
    title: str
    page: int
    top: float | None = None


class PdfInfo(msgspec.Struct, gc=False):
    """What holds for the whole file. ``fonts`` grows while pages are read.

    ``troubles`` are sentences about the whole file (damage); one can be added while pages are read.
    """

    pages: int
    title: str
    subject: str
    outline: tuple[OutlineEntry, ...]
    fonts: list[Font]
    troubles: list[str] = msgspec.field(default_factory=list)
