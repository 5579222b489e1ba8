"""Small PDFs for the tests, written with PyMuPDF or by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from datasheet_lsp.documents.pdf.library import pymupdf


def new_pdf() -> Any:
    return pymupdf.open()


def new_page(doc: Any, width: float = 400, height: float = 600) -> Any:
    return doc.new_page(width=width, height=height)


def save(doc: Any, path: Path, **options: Any) -> Path:
    doc.save(path, **options)
    doc.close()
    return path


def text_pdf(path: Path, pages: Iterable[str], **options: Any) -> Path:
    """A PDF with one line of text on each page."""
    doc = new_pdf()
    for text in pages:
        new_page(doc).insert_text((50, 100), text, fontsize=11)
    return save(doc, path, **options)


def raw_pdf(path: Path, content: bytes, resources: str, objects: Iterable[bytes] = ()) -> Path:
    """A page of 400 by 600 points from its content stream; ``objects`` are numbered from 10 on."""
    numbered = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Contents 4 0 R/Resources<<"
        + resources.encode()
        + b">>>>",
        4: b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        **{10 + i: body for i, body in enumerate(objects)},
    }
    data = b"%PDF-1.7\n"
    places = {}
    for number, body in numbered.items():
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    last = max(numbered)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (last + 1)
    for number in range(1, last + 1):
        if number in places:
            data += b"%010d 00000 n \n" % places[number]
        else:
            data += b"0000000000 00000 f \n"
    data += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (last + 1, start)
    path.write_bytes(data)
    return path


def to_unicode(pairs: dict[int, str]) -> bytes:
    """A ToUnicode stream for one-byte codes."""
    lines = b"".join(
        b"<%02X> <%s>\n" % (code, sign.encode("utf-16-be").hex().encode())
        for code, sign in pairs.items()
    )
    body = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
        b"/CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"%d beginbfchar\n%sendbfchar endcmap end end" % (len(pairs), lines)
    )
    return b"<</Length %d>>stream\n%s\nendstream" % (len(body), body)
