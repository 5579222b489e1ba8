"""Small manuals as PDF files, written for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datasheet_lsp.documents.pdf.library import pymupdf

A4 = (595, 842)
FIELDS = [
    ("31:16", "Reserved", "r", "Reads as 0."),
    ("15:4", "DIV", "rw", "Divider of the bus clock."),
    ("3:0", "FRAC", "rw", "Fraction of the divider, in sixteenths."),
]


def manual(path: Path, chip: str = "ALPHA", revision: str = "Rev 3", **options: Any) -> Path:
    """A manual of three pages: a title, a chapter about UART1, a table of BRR's fields."""
    doc = pymupdf.open()
    page = doc.new_page(width=A4[0], height=A4[1])
    _line(page, 120, f"{chip} reference manual", 24)
    _line(page, 160, revision, 12)
    _line(page, 200, f"This manual describes the registers of the {chip}.", 10)
    page = doc.new_page(width=A4[0], height=A4[1])
    _line(page, 100, "1 Serial port (UART1)", 18)
    for row in range(12):
        _line(page, 130 + 16 * row, f"The receiver samples each bit {row + 2} times.", 10)
    page = doc.new_page(width=A4[0], height=A4[1])
    _line(page, 100, "1.1 Baud rate register (UART1_BRR)", 14)
    _line(page, 124, "Address offset: 0x08", 10)
    _line(page, 142, "Reset value: 0x0000 0000", 10)
    _table(page, 160, [("Bits", "Name", "Access", "Description"), *FIELDS])
    doc.set_toc([[1, "1 Serial port (UART1)", 2], [2, "1.1 Baud rate register (UART1_BRR)", 3]])
    doc.set_metadata({"title": f"{chip} reference manual"})
    doc.save(path, **options)
    doc.close()
    return path


def long_manual(path: Path, pages: int, chip: str = "ALPHA") -> Path:
    """A manual of many pages full of text, which takes its time to read."""
    doc = pymupdf.open()
    for number in range(1, pages + 1):
        page = doc.new_page(width=A4[0], height=A4[1])
        if number == 1:
            _line(page, 60, f"{chip} reference manual", 20)
        text = "\n".join(
            f"Line {line} of page {number}: the divider of UART1 is {number * 7919 + line}."
            for line in range(60)
        )
        page.insert_text((60, 90), text, fontsize=9)
    doc.save(path)
    doc.close()
    return path


def _line(page: Any, y: float, text: str, size: float) -> None:
    page.insert_text((60, y), text, fontsize=size, fontname="hebo" if size > 12 else "helv")


def _table(page: Any, top: float, rows: list[tuple[str, ...]]) -> None:
    edges = [60, 120, 220, 280, 535]
    height = 18
    for number, row in enumerate(rows):
        y = top + number * height
        for x0, x1, text in zip(edges, edges[1:], row, strict=False):
            page.draw_rect((x0, y, x1, y + height), width=0.5)
            page.insert_text((x0 + 4, y + 13), text, fontsize=9, fontname="helv")
