"""A file that is no PDF -> a Document."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from datasheet_lsp.documents.convert.builder import Builder, TooMuch
from datasheet_lsp.documents.convert.decode import decode
from datasheet_lsp.documents.convert.limits import Limits
from datasheet_lsp.documents.errors import DocumentError
from datasheet_lsp.model.document import Document

FORMATS = {
    ".docx": "docx",
    ".docm": "docx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".xml": "xml",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
    ".text": "txt",
}
"""File name endings, in lower case, and the format they stand for."""

_OFFICE = ("docx", "pptx", "xlsx")
_MARKUP = ("json", "xml", "html", "md")
INSTALL = "pip install datasheet-lsp[office]"


def can_convert(path: Path) -> bool:
    """Whether the name of a file says that it is of a format read here."""
    return path.suffix.lower() in FORMATS


def convert(
    path: Path,
    *,
    json_paths: Sequence[str] = (),
    xml_paths: Sequence[str] = (),
    limits: Limits | None = None,
) -> Document:
    """The Document of a DOCX, PPTX, XLSX, CSV, JSON, XML, HTML, Markdown or text file.

    ``json_paths`` (``errata[*].text``) and ``xml_paths`` (``.//item/description``) say what to
    take of JSON and XML files; without them it is everything. Nothing in the file is run and
    nothing outside it is opened. ``pages`` counts slides or sheets; places in text formats are
    boxes without width whose top and bottom are the first and last line, 1-based.

    What can be read is read, with troubles for the rest; so are office files where the packages
    for them are not installed. Raises DocumentError where nothing can be read.
    """
    limits = limits or Limits()
    path = Path(path)
    format = FORMATS.get(path.suffix.lower())
    if format is None:
        raise DocumentError(f"{path.name} is of no format that can be read.")
    builder = Builder(path.name, limits)
    data, sha256 = _read(path, format, builder)
    try:
        if format in _OFFICE:
            _read_office(data, format, builder)
        else:
            _read_text(data, format, builder, json_paths, xml_paths)
    except TooMuch as reason:
        builder.trouble(f"Only the beginning of {path.name} was read: it has {reason}.")
    except (RecursionError, MemoryError) as error:
        raise DocumentError(f"{path.name} cannot be read: it is too large or too deep.") from error
    return builder.finish(format, str(path), sha256)


def _read(path: Path, format: str, builder: Builder) -> tuple[bytes, str]:
    """The bytes to read, and the SHA-256 of the whole file."""
    limits = builder.limits
    most = limits.markup_bytes if format in _MARKUP else limits.file_bytes
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
            digest = hashlib.sha256(data)
            size = len(data)
            if size > most:
                while piece := file.read(1 << 20):
                    digest.update(piece)
                    size += len(piece)
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise DocumentError(f"{path.name} cannot be read: {reason}.") from error
    if size > most:
        if format not in ("csv", "txt", "md"):
            raise DocumentError(
                f"{path.name} is refused: it has {size >> 20:,} MB, more than {most >> 20:,} MB."
            )
        # The last line may be cut in two.
        data = data[:most]
        data = data[: data.rfind(b"\n") + 1] or data
        builder.trouble(f"Only the first {most >> 20:,} MB of {path.name} were read.")
    return data, digest.hexdigest()


def _read_text(
    data: bytes,
    format: str,
    builder: Builder,
    json_paths: Sequence[str],
    xml_paths: Sequence[str],
) -> None:
    text = decode(data, builder.name)
    if not text.strip():
        return
    # Each format imports what it needs alone.
    if format == "txt":
        from datasheet_lsp.documents.convert.text import read_text

        read_text(text, builder)
    elif format == "md":
        from datasheet_lsp.documents.convert.markdown import read_markdown

        read_markdown(text, builder)
    elif format == "csv":
        from datasheet_lsp.documents.convert.delimited import read_delimited

        read_delimited(text, builder)
    elif format == "json":
        from datasheet_lsp.documents.convert.json import read_json

        read_json(text, builder, json_paths)
    elif format == "xml":
        from datasheet_lsp.documents.convert.xml import read_xml

        read_xml(text, builder, xml_paths)
    else:
        from datasheet_lsp.documents.convert.html import read_html

        read_html(text, builder)


def _read_office(data: bytes, format: str, builder: Builder) -> None:
    from datasheet_lsp.documents.convert.package import Package

    package = Package(data, format, builder.name, builder.limits)
    builder.title, builder.revision = package.properties()
    try:
        if format == "docx":
            from datasheet_lsp.documents.convert.docx import read_docx as read
        elif format == "pptx":
            from datasheet_lsp.documents.convert.pptx import read_pptx as read
        else:
            from datasheet_lsp.documents.convert.xlsx import read_xlsx as read
    except ImportError:
        builder.trouble(
            f"{builder.name} was not read: for {format.upper()} files, install what reads them "
            f"with `{INSTALL}`."
        )
        return
    read(package, builder)
