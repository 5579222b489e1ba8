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

from datasheet_lsp.documents.page import Font, OutlineEntry, PageData, PdfInfo, Rule, Word
from datasheet_lsp.documents.pdf.drawings import Drawings, pictures, transform
from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.text import clean

# PyMuPDF 2 imports a layout model (onnxruntime, 1 s, 90 MB) that nothing here uses; a None in
# sys.modules makes that import fail, which it takes for "not installed".
for _unused in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unused, None)  # type: ignore[arg-type]

pymupdf: Any = importlib.import_module("pymupdf")

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

# No TEXT_PRESERVE_LIGATURES: they come as their letters.
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CLIP
_BOLD = pymupdf.TEXT_FONT_BOLD
_ITALIC = pymupdf.TEXT_FONT_ITALIC
_MONO = pymupdf.TEXT_FONT_MONOSPACED


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
        self._fonts: dict[tuple[str, float, int], int] = {}
        metadata = self._doc.metadata or {}
        self.info = PdfInfo(
            pages=self._doc.page_count,
            title=(metadata.get("title") or "").strip(),
            subject=(metadata.get("subject") or "").strip(),
            outline=tuple(self._outline()),
            fonts=[],
        )

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
        box = page.rect
        width, height = box.width, box.height
        matrix: tuple[float, ...] | None = tuple(page.rotation_matrix) if page.rotation else None
        words = self._words(page, width, height, matrix)
        drawings = Drawings(page.get_cdrawings(), width, height)
        across, down = drawings.rules()
        images = [tuple(i["bbox"]) for i in page.get_image_info()]
        shown = pictures(drawings.parts, images)
        fills = drawings.fills
        rules = [*across, *down]
        if matrix is not None:
            a, b, c, d, e, f = matrix

            def move(x: float, y: float) -> tuple[float, float]:
                return (a * x + c * y + e, b * x + d * y + f)

            fills = [transform(r, move) for r in fills]
            shown = [transform(r, move) for r in shown]
            rules = [Rule(*transform((r.x0, r.y0, r.x1, r.y1), move)) for r in rules]
        return PageData(
            number=number,
            label=page.get_label().strip(),
            width=width,
            height=height,
            words=tuple(words),
            rules=tuple(rules),
            fills=tuple(fills),
            pictures=tuple(shown),
        )

    def _words(
        self, page: Any, width: float, height: float, matrix: tuple[float, ...] | None
    ) -> list[Word]:
        text = page.get_textpage(flags=_FLAGS)
        raw = text.extractWORDS()
        if not raw:
            return []
        lines = [line for block in text.extractDICT()["blocks"] for line in block.get("lines", ())]
        found: list[Word] = []
        at = -1
        number = -1
        last: tuple[int, int] | None = None
        starts: list[tuple[int, int, str]] = []
        content = ""
        offset = 0
        turned = 0
        for x0, y0, x1, y1, word, block, line_number, _ in raw:
            if (block, line_number) != last:
                last = (block, line_number)
                number += 1
                at = _line_with(lines, at + 1, word)
                line = lines[at]
                spans = line["spans"]
                content = "".join([s["text"] for s in spans])
                starts = []
                end = 0
                for span in spans:
                    end += len(span["text"])
                    starts.append((end, self._font(span), span["font"]))
                turned = _turned(line["dir"], matrix)
                offset = 0
            offset = content.find(word, offset)
            for end, font, name in starts:  # noqa: B007
                if end > offset:
                    break
            offset += len(word)
            if matrix is not None:
                a, b, c, d, e, f = matrix
                px, qx = a * x0 + c * y0 + e, a * x1 + c * y1 + e
                py, qy = b * x0 + d * y0 + f, b * x1 + d * y1 + f
                x0, x1 = (px, qx) if px <= qx else (qx, px)
                y0, y1 = (py, qy) if py <= qy else (qy, py)
            if x1 <= 0 or y1 <= 0 or x0 >= width or y0 >= height:
                continue
            word = clean(word, name)
            if word:
                found.append(Word(word, x0, y0, x1, y1, font, number, turned))
        return found

    def _font(self, span: dict[str, Any]) -> int:
        key = (span["font"], round(span["size"], 1), span["flags"])
        index = self._fonts.get(key)
        if index is None:
            name = key[0].rpartition("+")[2]
            low = name.lower()
            flags = key[2]
            bold = bool(flags & _BOLD) or any(w in low for w in ("bold", "black", "heavy", "demi"))
            italic = bool(flags & _ITALIC) or "italic" in low or "oblique" in low
            mono = bool(flags & _MONO) or any(w in low for w in ("courier", "mono", "consol"))
            index = self._fonts[key] = len(self.info.fonts)
            self.info.fonts.append(Font(name, key[1], bold, italic, mono))
        return index


def _line_with(lines: list[dict[str, Any]], at: int, word: str) -> int:
    """The first line from ``at`` on that has the word."""
    for i in range(at, len(lines)):
        if any(word in s["text"] for s in lines[i]["spans"]) or word in "".join(
            s["text"] for s in lines[i]["spans"]
        ):
            return i
    return min(at, len(lines) - 1)


def _turned(direction: tuple[float, float], matrix: tuple[float, ...] | None) -> int:
    x, y = direction
    if matrix is not None:
        a, b, c, d, _, _ = matrix
        x, y = a * x + c * y, b * x + d * y
    if y == 0 and x > 0:
        return 0
    return round(math.degrees(math.atan2(-y, x))) % 360
