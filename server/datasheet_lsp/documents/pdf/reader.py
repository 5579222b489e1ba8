"""The pages of a PDF as plain data (``documents/page.py``), read with PyMuPDF.

All coordinates are those of the page as it is shown. Runs in a process of its own in the product,
see ``worker.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from datasheet_lsp.documents.page import Font, OutlineEntry, PageData, PdfInfo, Rule, Word
from datasheet_lsp.documents.pdf.drawings import Drawings
from datasheet_lsp.documents.pdf.errors import PdfError
from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.pdf.opening import mended, open_document
from datasheet_lsp.documents.pdf.troubles import CRASHED, page_trouble
from datasheet_lsp.documents.pdf.unmapped import UNKNOWN, decode
from datasheet_lsp.documents.pdf.words import Fonts, Lines, Matrix, moved, page_words
from datasheet_lsp.model.document import Box

# What is clipped away is not read. No TEXT_PRESERVE_LIGATURES, so they come as their letters, and
# no TEXT_PRESERVE_WHITESPACE, so that every kind of space separates words.
_FLAGS = pymupdf.TEXT_CLIP
_NO_BLOCK = 99
# The file is opened anew after so many pages.
_REOPEN = 250
_MOST_ENTRIES = 100_000
# Of a page that cannot be read: A4, in points.
_SIZE = (595.0, 842.0)


def open_pdf(path: Path, password: str | None = None) -> PdfFile:
    """Opens a PDF file.

    Raises:
        PdfPasswordError: It wants a password, and none or a wrong one was given.
        PdfError: It is no PDF or has no pages that can be read.
    """
    return PdfFile(path, password)


class PdfFile:
    """An open PDF file. A context manager; ``info`` is what holds for the whole file."""

    def __init__(self, path: Path, password: str | None = None, fonts: Sequence[Font] = ()) -> None:
        self.path = path
        self._password = password
        self._doc, troubles = open_document(path, password)
        self._repaired = bool(self._doc.is_repaired)
        metadata = self._doc.metadata or {}
        self.info = PdfInfo(
            pages=self._doc.page_count,
            title=_line(metadata.get("title")),
            subject=_line(metadata.get("subject")),
            outline=tuple(self._outline(troubles)),
            fonts=list(fonts),
            troubles=troubles,
        )
        self._fonts = Fonts(self.info.fonts)
        self._read = 0
        self._has_gradients: bool | None = None

    def __enter__(self) -> PdfFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._doc.close()

    def _outline(self, troubles: list[str]) -> Iterator[OutlineEntry]:
        try:
            yield from _entries(self._doc.outline)
        except Exception:  # MuPDF's own, of many kinds
            troubles.append(f"the bookmarks of {self.path.name} are damaged and read in part")

    def page(self, number: int) -> PageData:
        """Reads page ``number``, 1-based. What cannot be read is said in its ``trouble``."""
        self._read += 1
        if self._read % _REOPEN == 0 and self._doc.name:
            self._reopen()
        try:
            data = self._page(number)
        except Exception:  # MuPDF's own, of many kinds, for any damage within the page
            data = PageData(number, "", *_SIZE, (), (), (), (), CRASHED)
        if not self._repaired and self._doc.is_repaired:
            self._repaired = True
            self.info.troubles.append(mended(self.path.name, self.info.pages))
        return data

    def _reopen(self) -> None:
        """Gives back the memory of what MuPDF keeps of a file, which grows with its pages."""
        try:
            doc, _ = open_document(self.path, self._password)
        except PdfError:  # the file is being replaced; the one that is open is still good
            return
        if doc.page_count == self.info.pages:
            self._doc.close()
            self._doc = doc
        pymupdf.TOOLS.store_shrink(100)

    def _page(self, number: int) -> PageData:
        page = self._doc[number - 1]
        shown = page.rect
        matrix: Matrix | None = tuple(page.rotation_matrix) if page.rotation else None
        text = page.get_textpage(flags=_FLAGS | pymupdf.TEXT_PRESERVE_IMAGES)
        images = _image_blocks(text)
        boxes = [(b.x0, b.y0, b.x1, b.y1) for b in (image.bbox for image in images)]
        drawings = Drawings(_paths(page), boxes, shown.width, shown.height)
        with _hidden(images):
            words, lost = self._words(page, text, drawings, matrix)
        rules = drawings.rules()
        fills = drawings.fills
        pictures = drawings.pictures(rules, bool(words))
        if matrix is not None:
            fills = [moved(b, matrix) for b in fills]
            pictures = [moved(b, matrix) for b in pictures]
            rules = [Rule(*moved((r.x0, r.y0, r.x1, r.y1), matrix)) for r in rules]
        trouble = page_trouble(words, lost, pictures, drawings, shown.width * shown.height)
        return PageData(
            number=number,
            label=page.get_label().strip(),
            width=shown.width,
            height=shown.height,
            words=tuple(words),
            rules=tuple(rules),
            fills=tuple(fills),
            pictures=tuple(pictures),
            trouble=trouble,
        )

    def _words(
        self, page: Any, text: Any, drawings: Drawings, matrix: Matrix | None
    ) -> tuple[list[Word], list[Word]]:
        raw = text.extractWORDS()
        if not raw:
            return [], []
        lines = Lines(text.extractDICT()["blocks"])
        unmapped = lines.unmapped()
        if unmapped:
            self._mend(page, lines, unmapped)
        size = (page.rect.width, page.rect.height)
        grounds: list[Box] = []

        def backgrounds() -> list[Box]:
            if not grounds:
                grounds.extend([*drawings.backgrounds(), *self._gradients(page)])
            return grounds

        return page_words(raw, lines, self._fonts, size, matrix, backgrounds)

    def _gradients(self, page: Any) -> list[Box]:
        """Boxes filled with a gradient, which are not among the drawings."""
        if self._has_gradients is None:
            self._has_gradients = any(
                "/ShadingType" in self._doc.xref_object(n, compressed=True)
                for n in range(1, self._doc.xref_length())
            )
        if not self._has_gradients:
            return []
        return [box for kind, box in page.get_bboxlog() if kind == "fill-shade"]

    def _mend(self, page: Any, lines: Lines, unmapped: list[int]) -> None:
        flags = _FLAGS | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
        raw = page.get_textpage(flags=flags).extractRAWDICT()["blocks"]
        spans = [line["spans"] for block in raw for line in block.get("lines", ())]
        if len(spans) != len(lines):
            return
        fonts = [(name.rpartition("+")[2], k, p) for _, p, k, name, _, _ in page.get_fonts()]
        # A simple font can have the name of a composite one, whose text is the unmapped one.
        fonts.sort(key=lambda f: f[1] != "Type0")

        def told(numbers: str, font: str) -> list[str]:
            for name, kind, program in fonts:
                if name.startswith(font):
                    return decode(numbers, font, kind, program)
            return [UNKNOWN] * len(numbers)

        for line in unmapped:
            lines.mend(line, spans[line], told)


def _entries(entry: Any) -> Iterator[OutlineEntry]:
    """The bookmarks from ``entry`` on in reading order.

    Not ``get_toc``: it leaves named destinations in PDF coordinates and takes ten times as long.
    """
    level = 1
    later: list[tuple[Any, int]] = []
    for _ in range(_MOST_ENTRIES):
        while not entry or not entry.this.m_internal:
            if not later:
                return
            entry, level = later.pop()
        page = entry.page + 1 if not entry.is_external and entry.page >= 0 else 0
        top = entry.y if page and math.isfinite(entry.y) else None
        yield OutlineEntry(level, _line(entry.title), page, top)
        below = entry.down
        if below and below.this.m_internal:
            later.append((entry.next, level))
            entry = below
            level += 1
        else:
            entry = entry.next


def _line(text: str | None) -> str:
    return " ".join((text or "").replace("\0", "").split())


def _paths(page: Any) -> list[dict[str, Any]]:
    try:
        paths: list[dict[str, Any]] = page.get_cdrawings()
    except Exception:  # the words are worth having without the lines
        return []
    return paths


def _image_blocks(text: Any) -> list[Any]:
    """The blocks of a text page that are images, as MuPDF's own structures."""
    found = []
    block = text.this.m_internal.first_block
    while block:
        if block.type == pymupdf.mupdf.FZ_STEXT_BLOCK_IMAGE:
            found.append(block)
        block = block.next
    return found


@contextmanager
def _hidden(images: list[Any]) -> Iterator[None]:
    """Keeps PyMuPDF from decoding images when it hands over the lines of their text page.

    It would give their pixels with the lines. The blocks get a type that it passes over, and their
    own again after that, by which MuPDF frees them.
    """
    for block in images:
        block.type = _NO_BLOCK
    try:
        yield
    finally:
        for block in images:
            block.type = pymupdf.mupdf.FZ_STEXT_BLOCK_IMAGE
