"""What the reader's process and its parent say to each other: length-prefixed msgpack."""

from __future__ import annotations

import struct
from typing import IO

import msgspec

from datasheet_lsp.documents.page import Font, PageData, PdfInfo

_LENGTH = struct.Struct("<I")


class Open(msgspec.Struct, tag=True):
    """To the child: read the pages of a file from ``first`` on.

    ``fonts`` are those known from an earlier try, so that numbers go on. ``limit`` is the time in
    seconds after which the child ends itself should a page hang and the parent be gone.
    """

    path: str
    password: str | None
    first: int
    fonts: list[Font]
    limit: float


class Opened(msgspec.Struct, tag=True):
    """From the child, before the first page."""

    info: PdfInfo


class Page(msgspec.Struct, tag=True):
    """From the child: a page, and the fonts that are new with it."""

    data: PageData
    fonts: list[Font]


class Done(msgspec.Struct, tag=True):
    """From the child, after the last page: all that is wrong with the whole file."""

    troubles: list[str]


class Refused(msgspec.Struct, tag=True):
    """From the child: the file cannot be read, for want of a password or for good."""

    message: str
    password: bool


Answer = Opened | Page | Done | Refused


def write(stream: IO[bytes], message: Open | Answer) -> None:
    """Sends a message at once."""
    data = msgspec.msgpack.encode(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read(stream: IO[bytes]) -> bytes | None:
    """The next message, encoded; None at the end of the stream, also within a message."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None
