"""What goes into the index of a document and what comes out."""

from __future__ import annotations

from typing import Literal

import msgspec

from datasheet_lsp.model.document import Chunk, Document, Place, Trouble

State = Literal["indexed", "failed"]
Origin = Literal["found", "given"]


class SourceFile(msgspec.Struct, frozen=True):
    """A file of the workspace as it was when it was read.

    ``path`` is relative to the workspace with ``/``, absolute outside of it; ``stamp`` tells by
    size and times whether it may have changed; ``suffix`` is the kind of file, for an SVD in a
    pack with the member. A file that was ``given`` stays in the index though no search finds it.
    """

    path: str
    sha256: str
    suffix: str
    stamp: str
    origin: Origin = "found"


class Belongs(msgspec.Struct, frozen=True):
    """A device that a document is about, and why."""

    device: str
    reason: str


class Entry(msgspec.Struct, frozen=True):
    """All that is stored of a document.

    ``version`` names everything but the file that has a part in the result. ``undecided`` says
    why the document belongs to no device, ``problem`` why it could not be read.
    """

    file: SourceFile
    version: str
    document: Document
    chunks: tuple[Chunk, ...]
    devices: tuple[Belongs, ...] = ()
    undecided: str = ""
    problem: str = ""
    parts: tuple[str, ...] = ()
    """Names of chips that the title and the first pages speak of."""


class KnownFile(msgspec.Struct, frozen=True):
    """A file of the index with what decides whether it must be read again."""

    path: str
    stamp: str
    origin: Origin
    document: int
    sha256: str
    suffix: str
    version: str
    state: State
    parts: tuple[str, ...]
    title: str
    devices: tuple[Belongs, ...]
    undecided: str


class StoredDocument(msgspec.Struct, frozen=True):
    """A document of the index. ``files`` are the paths it is at, the first in order first."""

    id: int
    files: tuple[str, ...]
    sha256: str
    version: str
    state: State
    problem: str
    format: str
    title: str
    revision: str
    pages: int
    labels: tuple[str, ...]
    troubles: tuple[Trouble, ...]
    devices: tuple[Belongs, ...]
    undecided: str
    sections: int
    chunks: int
    tables: int
    figures: int
    registers: int

    def label(self, page: int) -> str:
        """The printed label of a page, its physical number where there is none."""
        if 1 <= page <= len(self.labels) and self.labels[page - 1]:
            return self.labels[page - 1]
        return str(page)


class StoredChunk(msgspec.Struct, frozen=True):
    """A chunk with its number in the index and that of its document."""

    id: int
    document: int
    chunk: Chunk


class Span(msgspec.Struct, frozen=True):
    """Chunks of one document that have numbers in a row, both ends included."""

    document: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """How many chunks these are."""
        return self.last - self.first + 1


class Brief(msgspec.Struct, frozen=True):
    """A chunk without its text: what ranking needs. ``number`` is its place in the document."""

    id: int
    document: int
    number: int
    section: int
    kind: str
    tokens: int
    heading_path: tuple[str, ...]
    symbols: tuple[str, ...]


class RegisterPage(msgspec.Struct, frozen=True):
    """The best place of an SVD register (``path``: "USART2.BRR", "CH[%s].CFG") in the manuals."""

    path: str
    document: int
    page: int
    heading: str


class RegisterPlace(msgspec.Struct, frozen=True):
    """Where a manual describes a register of the SVD."""

    document: int
    register: int
    name: str
    title: str
    section: int
    place: Place


class VectorSet(msgspec.Struct, frozen=True):
    """The vectors of one model. ``key`` is the model's, ``source`` where it was.

    A ``whole`` set has once had a vector for every chunk.
    """

    id: int
    key: str
    name: str
    source: str
    dimension: int
    whole: bool


class Unvectored(msgspec.Struct, frozen=True):
    """A chunk without a vector; ``text`` is what is embedded, ``hash`` tells it from others.

    Its first ``head`` characters belong before each part of a text that is embedded in parts.
    """

    chunk: int
    document: int
    text: str
    hash: bytes
    head: int = 0


class Unasked(msgspec.Struct, frozen=True):
    """A chunk without a language model's questions; ``hash`` tells its ``text`` from others."""

    chunk: int
    document: int
    text: str
    hash: bytes


class Near(msgspec.Struct, frozen=True):
    """A hit of the vector search: the smaller the distance the better."""

    chunk: int
    document: int
    distance: float
