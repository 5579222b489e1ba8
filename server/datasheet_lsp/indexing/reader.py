"""Reading files one after the other, and matching what they describe with the devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType

import msgspec

from datasheet_lsp.documents.convert import convert
from datasheet_lsp.documents.pages import Worker
from datasheet_lsp.documents.read import read_document
from datasheet_lsp.documents.structure import Cancelled, DeviceNames, match_device
from datasheet_lsp.documents.version import DOCUMENT_VERSION
from datasheet_lsp.indexing.job import short_hash
from datasheet_lsp.model.device import Device
from datasheet_lsp.model.document import Document
from datasheet_lsp.workspace.settings import DocumentsSettings

__all__ = ["Cancelled", "Reader"]

_DATA = (".json", ".xml")


class Reader:
    """Reads files with one child process for their pages. A context manager."""

    def __init__(self, settings: DocumentsSettings) -> None:
        self._settings = settings
        self._worker = Worker()
        self._names: dict[int, tuple[Device, DeviceNames]] = {}

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._worker.close()

    def version(self, path: Path) -> str:
        """Names the reading code and the settings that a file's document depends on."""
        version = f"document {DOCUMENT_VERSION}"
        suffix = path.suffix.lower()
        if suffix in _DATA:
            paths = self._settings.json_paths if suffix == ".json" else self._settings.xml_paths
            version += f" paths {short_hash(paths)}"
        return version

    def read(
        self,
        path: Path,
        password: str | None,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> Document:
        """The document of a file, matched with no device. Raises DocumentError or Cancelled."""
        if path.suffix.lower() in _DATA:
            settings = self._settings
            return convert(path, json_paths=settings.json_paths, xml_paths=settings.xml_paths)
        return read_document(
            path,
            password=password,
            progress=progress,
            cancelled=cancelled,
            worker=self._worker,
        )

    def match(self, document: Document, devices: Iterable[Device]) -> Document:
        """The document with its registers and sections matched with each of the devices."""
        result = document
        for number, device in enumerate(devices):
            matched = match_device(document, self._names_of(device))
            result = matched if number == 0 else _both(result, matched)
        return result

    def _names_of(self, device: Device) -> DeviceNames:
        if id(device) not in self._names:
            self._names[id(device)] = (device, DeviceNames(device))
        return self._names[id(device)][1]


def _both(one: Document, other: Document) -> Document:
    """The matches of both; a section is about what the first says, if it says anything."""
    registers = [
        msgspec.structs.replace(a, matches=tuple(dict.fromkeys((*a.matches, *b.matches))))
        for a, b in zip(one.registers, other.registers, strict=True)
    ]
    sections = [
        msgspec.structs.replace(a, peripheral=a.peripheral or b.peripheral)
        for a, b in zip(one.sections, other.sections, strict=True)
    ]
    return msgspec.structs.replace(one, registers=tuple(registers), sections=tuple(sections))
