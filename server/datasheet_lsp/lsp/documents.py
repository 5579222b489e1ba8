"""The open documents, as the client has them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from pygls.uris import to_fs_path

from datasheet_lsp.firmware import Source, tongue_of

LARGE_SOURCE = 8 * 1024
"""Bytes from which the first question about a text, which parses it, takes over 10 ms."""


def path_of(uri: str) -> Path | None:
    """The file a ``file:`` URI names, None for what is no file (``untitled:``, ``git:``)."""
    path = to_fs_path(uri)
    return Path(path) if path else None


class Document:
    """One version of a document's text. A change makes a new object, so none ever shifts."""

    def __init__(self, uri: str, version: int, text: str, before: Document | None = None) -> None:
        self.uri = uri
        self.version = version
        self.path = path_of(uri)
        # JSON can carry half of a surrogate pair; its place must count, its meaning cannot matter.
        data = text.encode("utf-8", "surrogatepass")
        tongue = tongue_of(self.path or "x.c", data)
        self.source: Source = Source(data, tongue, before.source if before is not None else None)
        self.prepared = False

    @property
    def quick(self) -> bool:
        """Whether a question about the text takes a few milliseconds at most."""
        return self.prepared or len(self.source.data) < LARGE_SOURCE


class Documents:
    """The open documents by URI, however the client escapes it."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def put(self, uri: str, version: int, text: str) -> Document:
        """Takes the text of a document that is opened or changed."""
        before = self._documents.get(unquote(uri))
        document = self._documents[unquote(uri)] = Document(uri, version, text, before)
        return document

    def get(self, uri: str) -> Document | None:
        """The document as it is now, None when it is not open."""
        return self._documents.get(unquote(uri))

    def all(self) -> list[Document]:
        """All open documents."""
        return list(self._documents.values())

    def close(self, uri: str) -> None:
        """Forgets a document."""
        self._documents.pop(unquote(uri), None)
