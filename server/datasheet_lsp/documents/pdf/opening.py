"""Opening a PDF file, also one that wants a password or is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.library import pymupdf

# A text decode puts U+FFFD in place of the bytes that it cannot read.
_REPLACED = "\ufffd".encode()
_REPLACED_LEAST = 10
# Of so many pages found in a damaged file one must have text, else they are taken for rubble.
_TRIED = 30


def open_document(path: Path, password: str | None) -> tuple[Any, list[str]]:
    """The open PyMuPDF document and what is wrong with the file, in sentences.

    Raises:
        PdfPasswordError: It wants a password, and none or a wrong one was given.
        PdfError: It cannot be read, is no PDF or has no pages that can be read.
    """
    name = path.name
    try:
        with path.open("rb") as file:
            if not file.read(1):
                raise PdfError(f"{name} is empty: get the file again")
    except OSError as e:
        raise PdfError(f"{name} cannot be read: {e.strerror or e}") from e
    try:
        doc = pymupdf.open(path, filetype="pdf")
    except Exception as e:
        raise PdfError(_why_unreadable(path)) from e
    if doc.needs_pass and not doc.authenticate(password or ""):
        raise PdfPasswordError(
            f"{name} is protected and the password given for it is wrong: "
            "put the right one under documents.password in datasheet.toml"
            if password
            else f"{name} is protected: put its password under documents.password in datasheet.toml"
        )
    if doc.is_repaired and _went_through_text(path):
        raise PdfError(_why_unreadable(path))
    if doc.page_count:
        return doc, [mended(name, doc.page_count)] if doc.is_repaired else []
    found = _loose_pages(doc)
    if found is None:
        raise PdfError(_why_unreadable(path))
    return found, [
        f"{name} is damaged and ends too early: {found.page_count} pages were found in it, "
        "without bookmarks; get the file again for the rest"
    ]


def mended(name: str, pages: int) -> str:
    """What is said of a file whose table of objects had to be built anew."""
    return (
        f"{name} is damaged; it was mended as far as possible, with {pages} pages: "
        "get the file again if some are missing"
    )


def _why_unreadable(path: Path) -> str:
    try:
        with path.open("rb") as file:
            start = file.read(2048)
    except OSError as e:
        return f"{path.name} cannot be read: {e.strerror or e}"
    if b"%PDF-" not in start:
        return f"{path.name} is not a PDF: it has no PDF header"
    if _went_through_text(path):
        return (
            f"{path.name} was destroyed by a conversion as text, which replaced its binary parts: "
            "get the file again from its source, as a binary file"
        )
    return f"{path.name} is damaged and none of its pages can be read: get the file again"


def _went_through_text(path: Path) -> bool:
    """Whether the file is UTF-8 text with replacements, which no whole PDF is.

    Its compressed parts are no UTF-8, save by a chance that is none after a few of them.
    """
    try:
        data = path.read_bytes()
        data.decode()
    except (OSError, UnicodeDecodeError):
        return False
    return data.count(_REPLACED) >= _REPLACED_LEAST


def _loose_pages(doc: Any) -> Any | None:
    """The pages that stand in a file whose page tree is lost, in the order of their objects."""
    try:
        pages = [
            n for n in range(1, doc.xref_length()) if doc.xref_get_key(n, "Type")[1] == "/Page"
        ]
        if not pages:
            return None
        tree, root = doc.get_new_xref(), doc.get_new_xref()
        kids = " ".join(f"{n} 0 R" for n in pages)
        doc.update_object(
            tree, f"<</Type/Pages/Count {len(pages)}/MediaBox[0 0 595 842]/Kids[{kids}]>>"
        )
        doc.update_object(root, f"<</Type/Catalog/Pages {tree} 0 R>>")
        for n in pages:
            doc.xref_set_key(n, "Parent", f"{tree} 0 R")
        doc.xref_set_key(-1, "Root", f"{root} 0 R")
        found = pymupdf.open(stream=doc.tobytes(), filetype="pdf")
        tried = range(min(_TRIED, found.page_count))
        return found if any(found[n].get_text().strip() for n in tried) else None
    except Exception:  # of a file in this state nothing can be expected
        return None
