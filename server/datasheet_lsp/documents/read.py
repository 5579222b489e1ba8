"""A file -> a Document, whatever it is: the one way in for everybody else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from datasheet_lsp.documents.errors import DocumentError
from datasheet_lsp.documents.pages import PageSource, Worker
from datasheet_lsp.documents.pdf.errors import PdfError
from datasheet_lsp.documents.structure import DeviceNames, build_document
from datasheet_lsp.model.document import Document

_BLOCK = 1 << 20


def read_document(
    path: Path,
    *,
    names: DeviceNames | None = None,
    password: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    worker: Worker | None = None,
) -> Document:
    """Reads a manual, or a note in another format.

    What can be read is read; what cannot is told in ``Document.troubles``.

    Args:
        path: The file. Its first bytes say whether it is a PDF, its name which other format.
        names: The names of the device it is about, if that is known already.
        password: What a protected PDF is opened with.
        progress: Called with the number of pages that are done and of all pages.
        cancelled: Asked after each page.
        worker: A child process that reads pages, to be used again for the next file.

    Raises:
        DocumentError: Nothing can be read; one sentence says why and what to do.
        Cancelled: ``cancelled`` said so.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            start = file.read(1024)
    except OSError as e:
        reason = e.strerror or "it cannot be opened"
        raise DocumentError(f"{path.name} cannot be read: {reason}.") from e
    if b"%PDF-" not in start and path.suffix.lower() != ".pdf":
        from datasheet_lsp.documents.convert import convert
        from datasheet_lsp.documents.structure import match_device

        document = convert(path)
        return document if names is None else match_device(document, names)
    try:
        with PageSource(path, password, worker=worker) as source:
            total = source.info.pages
            return build_document(
                source,
                source.info,
                names=names,
                path=str(path),
                name=path.name,
                sha256=_sha256(path),
                progress=None if progress is None else lambda page: progress(page, total),
                cancelled=cancelled,
            )
    except PdfError as e:
        raise DocumentError(str(e)) from e


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
