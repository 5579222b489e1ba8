"""Files with the headers they include, for the tests: ``|`` marks the cursor."""

from __future__ import annotations

from pathlib import Path

from datasheet_lsp.assist.headers import WorkspaceHeaders
from datasheet_lsp.firmware import Resolved, Source, resolve_at, tongue_of
from datasheet_lsp.firmware.headers.scan import FileFacts
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.model import Lookup


def headers_of(text: str, **more: object) -> Headers:
    """What a file says by itself."""
    return Headers(FileFacts("a.h", text.encode()), **more)  # type: ignore[arg-type]


class Project:
    """A folder with files; ``at`` asks about the place ``|`` in a file that is in it too."""

    def __init__(self, folder: Path, files: dict[str, str], *lookups: Lookup) -> None:
        self.folder = folder
        self.lookups = lookups
        for name, text in files.items():
            self.write(name, text)
        self.headers = WorkspaceHeaders(folder)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if hasattr(self, "headers"):
            self.headers.forget()
        return path

    def at(self, code: str, name: str = "main.c") -> Resolved | None:
        data = code.encode()
        offset = data.index(b"|")
        data = data[:offset] + data[offset + 1 :]
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        source = Source(data, tongue_of(path, data))
        headers = self.headers.of(path, source, self.lookups)
        return resolve_at(source, offset, self.lookups, headers)

    def addresses(self, code: str, name: str = "main.c") -> list[int]:
        found = self.at(code, name)
        return [] if found is None else [location.address for location in found.locations]
