"""Small PDF files of our own."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from tests.documents.chunks.make import prose

REGISTERS = ("CR", "SR", "BRR")


def manual(path: Path, title: str, pages: int, *, password: str = "") -> Path:
    """A manual with a chapter every five pages, each with registers and their fields."""
    pdf = pymupdf.open()
    outline = []
    for number in range(1, pages + 1):
        page = pdf.new_page(width=595, height=842)
        y = 80.0
        if number % 5 == 1:
            chapter = f"{number // 5 + 1} Timer {number // 5} (TIM{number // 5})"
            page.insert_text((60, y), chapter, fontsize=18, fontname="hebo")
            outline.append([1, chapter, number])
            y += 40
        name = f"TIM{(number - 1) // 5}_{REGISTERS[number % 3]}"
        section = f"{(number - 1) // 5 + 1}.{(number - 1) % 5 + 1} Page {number} ({name})"
        page.insert_text((60, y), section, fontsize=13, fontname="hebo")
        outline.append([2, section, number])
        page.insert_text((60, y + 25), f"Address offset: 0x{4 * number:02X}", fontsize=10)
        box = pymupdf.Rect(60, y + 40, 535, 700)
        page.insert_textbox(box, prose(150, number * 11), fontsize=10)
    pdf.set_toc(outline)
    pdf.set_metadata({"title": title})
    if password:
        pdf.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="o")
    else:
        pdf.save(path)
    pdf.close()
    return path
