"""Documents read once for all tests of a run, and pages made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from datasheet_lsp.documents.page import Font, PageData, PdfInfo, Rule, Word
from datasheet_lsp.documents.pdf.reader import open_pdf
from datasheet_lsp.documents.structure import DeviceNames, build_document
from datasheet_lsp.model.document import Document
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import add_core
from tests.support import ROOT, shared

DEMO = ROOT / "data" / "demo"
FONTS = [
    Font("Sans", 10.0, False, False, False),
    Font("Sans-Bold", 10.0, True, False, False),
    Font("Sans-Bold", 14.0, True, False, False),
    Font("Mono", 9.0, False, False, True),
]
BODY, BOLD, TITLE, MONO = range(4)


@cache
def read(path: Path, svd: Path | None = None) -> Document:
    """The document of a PDF, read in this process."""
    names = DeviceNames(add_core(load_svd(svd))) if svd is not None else None
    with open_pdf(path) as file:
        pages = (file.page(n) for n in range(1, file.info.pages + 1))
        return build_document(pages, file.info, names=names, path=str(path), name=path.name)


def corpus(name: str, svd: str | None = None) -> Document:
    """A manual of the test material; skips the test where that is absent."""
    return read(shared(f"corpus/pdf/{name}"), shared(f"corpus/svd/{svd}") if svd else None)


def demo() -> Document:
    """The manual of the demo."""
    return read(DEMO / "manual" / "stm32f407-demo-manual.pdf", DEMO / "svd" / "STM32F407_demo.svd")


def line(text: str, x: float, y: float, font: int = BODY, number: int = 0, turned: int = 0) -> list:
    """The words of a line that begins at ``x`` with its top at ``y``."""
    size = FONTS[font].size
    words = []
    at = x
    for word in text.split():
        wide = 0.5 * size * len(word)
        words.append(Word(word, at, y, at + wide, y + 1.2 * size, font, number, turned))
        at += wide + 0.25 * size
    return words


def page(
    number: int,
    lines: Iterable[tuple],
    *,
    width: float = 600,
    height: float = 800,
    rules: Sequence[Rule] = (),
    pictures: Sequence[tuple] = (),
    label: str = "",
) -> PageData:
    """A page of lines, each (text, x, y) or (text, x, y, font)."""
    words = [w for i, given in enumerate(lines) for w in line(*given, **{"number": i})]
    return PageData(number, label, width, height, tuple(words), tuple(rules), (), tuple(pictures))


def build(pages: Sequence[PageData], **info: object) -> Document:
    """The document of pages made by hand."""
    given = {"title": "", "subject": "", "outline": (), **info}
    return build_document(pages, PdfInfo(pages=len(pages), fonts=FONTS, **given), name="made.pdf")
