"""The zip that an office file is: looked over before anything else opens it."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib

from lxml import etree

from datasheet_lsp.documents.convert.limits import Limits
from datasheet_lsp.documents.errors import DocumentError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_START = re.compile(rb"<[A-Za-z_]")
_HEAD = 65536
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_CORE = "docProps/core.xml"
_CUSTOM = "docProps/custom.xml"
_FOLDER = {"docx": "word/", "pptx": "ppt/", "xlsx": "xl/"}
# What programs write as title by themselves.
_NO_TITLE = {"powerpoint presentation", "word document", "excel", "untitled", "presentation"}
READ_ERRORS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)
"""What zipfile raises on damaged, encrypted or oddly packed entries."""


class Package:
    """An office file that is safe to open: ``data`` are its bytes."""

    def __init__(self, data: bytes, format: str, name: str, limits: Limits) -> None:
        """Raises DocumentError for what is no such file, is protected, damaged or a bomb."""
        self.data = data
        self.name = name
        self.limits = limits
        if data.startswith(_OLE):
            raise DocumentError(
                f"{name} is protected by a password or is of the old binary format; "
                f"save it as {format.upper()} without a password."
            )
        try:
            self.zip = zipfile.ZipFile(io.BytesIO(data))
        except READ_ERRORS as error:
            raise DocumentError(f"{name} is no {format.upper()} file, or it is damaged.") from error
        entries = self.zip.infolist()
        if len(entries) > limits.parts:
            raise DocumentError(
                f"{name} is refused: it has more than {limits.parts:,} parts inside."
            )
        size = sum(entry.file_size for entry in entries)
        if size > limits.package_bytes:
            raise DocumentError(
                f"{name} is refused: unpacked it has {size >> 20:,} MB, "
                f"more than {limits.package_bytes >> 20:,} MB."
            )
        if any(entry.flag_bits & 1 for entry in entries):
            raise DocumentError(f"{name} is protected by a password; save it without one.")
        if any(entry.compress_type not in _PACKINGS for entry in entries):
            raise DocumentError(f"{name} is refused: it is packed as no office program does.")
        self.names = {entry.filename for entry in entries}
        if not any(n.lower().startswith(_FOLDER[format]) for n in self.names):
            raise DocumentError(f"{name} is no {format.upper()} file: its main part is missing.")
        for entry in entries:
            if entry.filename.lower().endswith((".xml", ".rels", ".vml")):
                self._look_over(entry)

    def _look_over(self, entry: zipfile.ZipInfo) -> None:
        """Office files have no document type; entities and outside files come with one."""
        try:
            with self.zip.open(entry) as part:
                head = part.read(_HEAD).replace(b"\0", b"")
        except READ_ERRORS as error:
            raise DocumentError(
                f"{self.name} is damaged: {entry.filename} inside cannot be unpacked."
            ) from error
        root = _START.search(head)
        if b"<!DOCTYPE" in head[: root.start() if root else len(head)] or (
            root is None and len(head) >= _HEAD // 2
        ):
            raise DocumentError(
                f"{self.name} is refused: {entry.filename} inside declares its own entities, "
                "which no office program writes."
            )

    def read(self, part: str) -> bytes | None:
        """The bytes of a part, None where there is none. Raises DocumentError for damage."""
        if part not in self.names:
            return None
        try:
            return self.zip.read(part)
        except READ_ERRORS as error:
            raise DocumentError(
                f"{self.name} is damaged: {part} inside cannot be unpacked."
            ) from error

    def tree(self, part: str) -> etree._Element | None:
        """A part as XML, None where there is none. Raises DocumentError."""
        data = self.read(part)
        if data is None:
            return None
        if len(data) > self.limits.part_bytes:
            raise DocumentError(
                f"{self.name} is refused: {part} inside has more than "
                f"{self.limits.part_bytes >> 20:,} MB."
            )
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            return etree.fromstring(data, parser)
        except (etree.LxmlError, ValueError) as error:
            raise DocumentError(f"{self.name} is damaged: {part} inside is no XML.") from error

    def main_part(self) -> str:
        """The part the file itself calls its main one; "" where it does not say."""
        relations = self._quiet("_rels/.rels")
        for relation in relations if relations is not None else ():
            if (relation.get("Type") or "").endswith("/officeDocument"):
                return (relation.get("Target") or "").lstrip("/")
        return ""

    def properties(self) -> tuple[str, str]:
        """Title and revision as the file's properties give them, "" where they do not.

        The property that office programs call revision counts how often the file was saved.
        """
        title = revision = ""
        core = self._quiet(_CORE)
        if core is not None:
            for element in core:
                text = " ".join((element.text or "").split())
                name = etree.QName(element).localname if isinstance(element.tag, str) else ""
                if name == "title" and text.lower() not in _NO_TITLE:
                    title = text
                elif name == "version":
                    revision = text
        custom = self._quiet(_CUSTOM)
        if custom is not None:
            for element in custom:
                name = " ".join((element.get("name") or "").lower().split())
                if name in ("revision", "rev", "version", "document version", "doc revision"):
                    revision = " ".join("".join(element.itertext()).split()) or revision  # type: ignore[arg-type]
        return title, revision

    def _quiet(self, part: str) -> etree._Element | None:
        try:
            return self.tree(part)
        except DocumentError:
            return None
