"""Pages to find tables on: from the manuals, and drawn for a test."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.pdf.reader import open_pdf
from datasheet_lsp.documents.tables import FoundTable, PageTables, Stitcher, find_tables
from tests.support import shared


@cache
def page_of(name: str, number: int) -> PageTables:
    """What is found on one page of a manual."""
    with open_pdf(shared(f"corpus/pdf/{name}.pdf")) as pdf:
        page = pdf.page(number)
        return find_tables(page, pdf.info)


@cache
def stitched(name: str, first: int = 1, last: int = 0) -> tuple[FoundTable, ...]:
    """The tables of a manual's pages, put together over page breaks."""
    with open_pdf(shared(f"corpus/pdf/{name}.pdf")) as pdf:
        stitcher = Stitcher()
        found: list[FoundTable] = []
        for number in range(first, (last or pdf.info.pages) + 1):
            found += stitcher.feed(find_tables(pdf.page(number), pdf.info))
        return tuple(found + stitcher.finish())


class Sheet:
    """A page to draw on; coordinates in points from the top left corner."""

    def __init__(self, pages: int = 1) -> None:
        self.doc = pymupdf.open()
        for _ in range(pages):
            self.doc.new_page(width=595, height=842)
        self.at = 0

    def text(self, x: float, y: float, text: str, size: float = 9, bold: bool = False) -> Sheet:
        """Writes a line with its baseline at ``y``."""
        font = "hebo" if bold else "helv"
        self.doc[self.at].insert_text((x, y), text, fontsize=size, fontname=font)
        return self

    def line(self, x0: float, y0: float, x1: float, y1: float) -> Sheet:
        """Rules a line."""
        self.doc[self.at].draw_line((x0, y0), (x1, y1), width=0.5)
        return self

    def fill(self, x0: float, y0: float, x1: float, y1: float) -> Sheet:
        """Shades a box."""
        self.doc[self.at].draw_rect((x0, y0, x1, y1), color=None, fill=(0.8, 0.8, 0.8))
        return self

    def grid(self, xs: list[float], ys: list[float]) -> Sheet:
        """Rules a grid."""
        for x in xs:
            self.line(x, ys[0], x, ys[-1])
        for y in ys:
            self.line(xs[0], y, xs[-1], y)
        return self

    def pages(self, tmp_path: Path) -> list[PageTables]:
        """What is found on the pages."""
        path = tmp_path / "sheet.pdf"
        self.doc.save(path)
        with open_pdf(path) as pdf:
            return [find_tables(pdf.page(n), pdf.info) for n in range(1, pdf.info.pages + 1)]

    def page(self, tmp_path: Path) -> PageTables:
        """What is found on the first page."""
        return self.pages(tmp_path)[0]
