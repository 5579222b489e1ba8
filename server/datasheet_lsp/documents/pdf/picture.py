"""Pictures of pages with places marked, and of drawings. For commands; the indexer makes none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.documents.pdf.errors import PdfError
from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.pdf.opening import open_document
from datasheet_lsp.documents.pdf.search import find_words
from datasheet_lsp.model.document import Box

_POINTS = 72
_MOST_PIXELS = 100_000_000
# What is marked is seen through yellow, in a frame of red. Pixels of the frame at 72 a inch.
_YELLOW = bytes(blue // 3 for blue in range(256))
_FRAME = (214, 40, 40)
_MARGIN = 2.0


class Picture(msgspec.Struct):
    """A PNG with its size in pixels and the boxes marked, in points of the page as it is shown."""

    png: bytes
    width: int
    height: int
    marked: list[Box]


def page_picture(
    path: Path,
    number: int,
    *,
    password: str | None = None,
    dots: int = 150,
    boxes: Sequence[Box] = (),
    find: str = "",
) -> Picture:
    """The picture of a page, ``dots`` pixels an inch, with ``boxes`` marked and where ``find`` is.

    Raises:
        PdfPasswordError: The file wants a password, and none or a wrong one was given.
        PdfError: It cannot be read or drawn, or has no such page.
    """
    doc, _ = open_document(path, password)
    try:
        if not 1 <= number <= doc.page_count:
            pages = "1 page" if doc.page_count == 1 else f"{doc.page_count:,} pages"
            raise PdfError(f"{path.name} has {pages}: there is no page {number}")
        try:
            page = doc[number - 1]
            marked = list(boxes)
            if find:
                marked += find_words(_words(path, number, password), find)
            return _drawn(page, dots, marked)
        except PdfError:
            raise
        except Exception as error:  # MuPDF's own, of many kinds
            raise PdfError(f"page {number} of {path.name} cannot be drawn: {error}") from error
    finally:
        doc.close()


def drawing_picture(svg: str, dots: int = 144) -> Picture:
    """An SVG drawing as a picture, ``dots`` pixels for 72 of its units."""
    with pymupdf.open(stream=svg.encode(), filetype="svg") as doc:
        return _drawn(doc[0], dots, [])


def _words(path: Path, number: int, password: str | None) -> Sequence[Any]:
    from datasheet_lsp.documents.pdf.reader import open_pdf

    with open_pdf(path, password) as pdf:
        return pdf.page(number).words


def _drawn(page: Any, dots: int, marked: list[Box]) -> Picture:
    scale = dots / _POINTS
    width, height = page.rect.width * scale, page.rect.height * scale
    if width * height > _MOST_PIXELS:
        scale *= (_MOST_PIXELS / (width * height)) ** 0.5
    drawn = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB)
    if marked:
        canvas = _Canvas(bytearray(drawn.samples), drawn.width, drawn.height)
        for box in marked:
            canvas.mark(box, scale)
        drawn = pymupdf.Pixmap(pymupdf.csRGB, drawn.width, drawn.height, canvas.data, False)
    return Picture(drawn.tobytes("png"), drawn.width, drawn.height, marked)


class _Canvas:
    """The pixels of a picture, three bytes each, row after row."""

    def __init__(self, data: bytearray, width: int, height: int) -> None:
        self.data = data
        self.width = width
        self.height = height

    def mark(self, box: Box, scale: float) -> None:
        """Lays yellow over ``box`` and draws a frame around it."""
        line = max(1, round(scale))
        x0 = max(0, int((box[0] - _MARGIN) * scale))
        y0 = max(0, int((box[1] - _MARGIN) * scale))
        x1 = min(self.width, int((box[2] + _MARGIN) * scale) + 1)
        y1 = min(self.height, int((box[3] + _MARGIN) * scale) + 1)
        if x0 >= x1 or y0 >= y1:
            return
        for y in range(y0, y1):
            start, end = (y * self.width + x0) * 3, (y * self.width + x1) * 3
            blue = slice(start + 2, end, 3)
            self.data[blue] = self.data[blue].translate(_YELLOW)
            frame = bytes(_FRAME)
            if y < y0 + line or y >= y1 - line:
                self.data[start:end] = frame * (x1 - x0)
            else:
                side = min(line, x1 - x0)
                self.data[start : start + 3 * side] = frame * side
                self.data[end - 3 * side : end] = frame * side
