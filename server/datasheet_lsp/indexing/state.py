"""Files as they are, and what the index knows of them."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from datasheet_lsp.index import Entry, KnownFile
from datasheet_lsp.model.document import Document

SVD = "svd"


def stamp_of(path: Path) -> tuple[int, str] | None:
    """The size of a file in bytes and what changes when it does; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_size, f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


def is_gone(path: Path) -> bool:
    """Whether there is surely nothing at ``path``; not so where it cannot be looked at."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return True
    except OSError:
        return False
    return False


def sha256_of(path: Path) -> str | None:
    """The SHA-256 of a file's bytes in hexadecimal, None where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def suffix_of(path: Path) -> str:
    """The kind of a file: the end of its name in small letters."""
    return path.suffix.lower()


def known_file(entry: Entry, number: int) -> KnownFile:
    """What the index knows of a file whose document was just stored under ``number``."""
    file = entry.file
    return KnownFile(
        path=file.path,
        stamp=file.stamp,
        origin=file.origin,
        document=number,
        sha256=file.sha256,
        suffix=file.suffix,
        version=entry.version,
        state="failed" if entry.problem else "indexed",
        parts=entry.parts,
        title=entry.document.title,
        devices=entry.devices,
        undecided=entry.undecided,
    )


def nothing_of(path: Path) -> Document:
    """The document of a file of which nothing can be read."""
    return Document(
        format=path.suffix.lower().lstrip("."),
        title=path.stem,
        revision="",
        pages=0,
        labels=(),
        sections=(),
        blocks=(),
        tables=(),
        figures=(),
        registers=(),
        source=path.name,
    )
