"""PDF files read with PyMuPDF: the only place that imports it.

Everything is handed over as plain data (``documents/page.py``) in the coordinates of the page as
it is shown. Runs in a process of its own in the product, see ``worker.py``.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasheet_lsp.documents.page import OutlineEntry, PageData, PdfInfo, Rule, Word
from datasheet_lsp.documents.pdf.drawings import Drawings
from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.troubles import page_trouble
from datasheet_lsp.documents.pdf.unmapped import decode
from datasheet_lsp.documents.pdf.words import Fonts, Lines, Matrix, moved, page_words
from datasheet_lsp.model.document import Box

# PyMuPDF 2 imports a layout model (onnxruntime, 1 s, 90 MB) that nothing here uses; a None in
# sys.modules makes that import fail, which it takes for "not installed".
for _unused in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unused, None)  # type: ignore[arg-type]

pymupdf: Any = importlib.import_module("pymupdf")

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

# What is clipped away is not read. No TEXT_PRESERVE_LIGATURES, so they come as their letters, and
# no TEXT_PRESERVE_WHITESPACE, so that every kind of space separates words.
_FLAGS = pymupdf.TEXT_CLIP


def open_pdf(path: Path, password: str | None = None) -> PdfFile:
    """Opens a PDF file.

    Raises:
        PdfPasswordError: It wants a password, and none or a wrong one was given.
        PdfError: It is no PDF or has no pages that can be read.
    """
    return PdfFile(path, password)


class PdfFile:
    """An open PDF file. A context manager; ``info`` is what holds for the whole file."""

    def __init__(self, path: Path, password: str | None = None) -> None:
        self.path = path
        try:
            self._doc = pymupdf.open(path, filetype="pdf")
        except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as e:
            raise PdfError(f"{path.name} cannot be opened as a PDF: {e}") from e
        if self._doc.needs_pass and not self._doc.authenticate(password or ""):
            raise PdfPasswordError(f"{path.name} wants a password")
        if not self._doc.page_count:
            raise PdfError(f"{path.name} has no pages")
        metadata = self._doc.metadata or {}
        self.info = PdfInfo(
            pages=self._doc.page_count,
            title=(metadata.get("title") or "").strip(),
            subject=(metadata.get("subject") or "").strip(),
            outline=tuple(self._outline()),
            fonts=[],
        )
        self._fonts = Fonts(self.info.fonts)

    def __enter__(self) -> PdfFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._doc.close()

    def _outline(self) -> Iterator[OutlineEntry]:
        # Not get_toc: it leaves named destinations in PDF coordinates and takes ten times as long.
        entry = self._doc.outline
        level = 1
        later: list[tuple[Any, int]] = []
        while entry or later:
            if not entry or not entry.this.m_internal:
                if not later:
                    return
                entry, level = later.pop()
                continue
            page = entry.page + 1 if not entry.is_external and entry.page >= 0 else 0
            top = entry.y if page and math.isfinite(entry.y) else None
            yield OutlineEntry(level, " ".join(entry.title.split()), page, top)
            below = entry.down
            if below and below.this.m_internal:
                later.append((entry.next, level))
                entry = below
                level += 1
            else:
                entry = entry.next

    def page(self, number: int) -> PageData:
        """Reads page ``number``, 1-based."""
        page = self._doc[number - 1]
        shown = page.rect
        matrix: Matrix | None = tuple(page.rotation_matrix) if page.rotation else None
        text = page.get_textpage(flags=_FLAGS | pymupdf.TEXT_PRESERVE_IMAGES)
        images = _images(text)
        if images:
            # With images in it, the text page would hand over their pixels with the lines.
            text = page.get_textpage(flags=_FLAGS)
        drawings = Drawings(page.get_cdrawings(), images, shown.width, shown.height)
        words = self._words(page, text, drawings, matrix)
        rules = drawings.rules()
        fills = drawings.fills
        pictures = drawings.pictures(rules, bool(words))
        if matrix is not None:
            fills = [moved(b, matrix) for b in fills]
            pictures = [moved(b, matrix) for b in pictures]
            rules = [Rule(*moved((r.x0, r.y0, r.x1, r.y1), matrix)) for r in rules]
        return PageData(
            number=number,
            label=page.get_label().strip(),
            width=shown.width,
            height=shown.height,
            words=tuple(words),
            rules=tuple(rules),
            fills=tuple(fills),
            pictures=tuple(pictures),
            trouble=page_trouble(words, drawings, shown.width, shown.height),
        )

    def _words(self, page: Any, text: Any, drawings: Drawings, matrix: Matrix | None) -> list[Word]:
        raw = text.extractWORDS()
        if not raw:
            return []
        lines = Lines(text.extractDICT()["blocks"])
        unmapped = lines.unmapped()
        if unmapped:
            self._mend(page, lines, unmapped)
        size = (page.rect.width, page.rect.height)
        return page_words(raw, lines, self._fonts, size, matrix, drawings.backgrounds)

    def _mend(self, page: Any, lines: Lines, unmapped: list[int]) -> None:
        flags = _FLAGS | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
        raw = page.get_textpage(flags=flags).extractRAWDICT()["blocks"]
        spans = [line["spans"] for block in raw for line in block.get("lines", ())]
        if len(spans) != len(lines):
            return
        fonts = {
            name.rpartition("+")[2]: (kind, program)
            for _, program, kind, name, _, _ in page.get_fonts()
        }

        def told(numbers: str, font: str) -> str:
            return decode(numbers, font, *fonts.get(font, ("", "")))

        for line in unmapped:
            lines.mend(line, spans[line], told)


def _images(text: Any) -> list[Box]:
    """The boxes of the images on a text page."""
    found: list[Box] = []
    block = text.this.m_internal.first_block
    while block:
        if block.type == pymupdf.mupdf.FZ_STEXT_BLOCK_IMAGE:
            box = block.bbox
            found.append((box.x0, box.y0, box.x1, box.y1))
        block = block.next
    return found
