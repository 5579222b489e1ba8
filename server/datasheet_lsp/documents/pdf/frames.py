"""What the reader's process and its parent say to each other, over ``wire``."""

from __future__ import annotations

from typing import IO

import msgspec

from datasheet_lsp import wire
from datasheet_lsp.documents.page import Font, PageData, PdfInfo


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
    stream.write(wire.encode(message))
    stream.flush()


read = wire.read
