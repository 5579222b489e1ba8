"""The file of the log: lines of JSON, never larger than it may be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from datasheet_lsp.querylog.entry import Entry

FILE_NAME = "queries.jsonl"
_OLDER = "queries.1.jsonl"
MEGABYTE = 1_000_000

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Entry).decode


class QueryLog:
    """The log in a folder. Nothing here raises: a question is answered without it too.

    It is kept in two files: where the newer one is half of ``most_bytes`` it takes the place of
    the older. Several processes may write at once.
    """

    def __init__(self, folder: Path, most_bytes: int = 10 * MEGABYTE) -> None:
        self.path = folder / FILE_NAME
        self.older = folder / _OLDER
        self.most_bytes = most_bytes

    def add(self, entry: Entry) -> str:
        """Write an entry; "" where that was done, else why not."""
        try:
            line = _encode(entry) + b"\n"
        except (UnicodeEncodeError, msgspec.MsgspecError, TypeError, ValueError) as error:
            return f"The question could not be kept in the log ({error})."
        half = self.most_bytes // 2
        if len(line) > half:
            return "The question was too long for its log."
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            handle = os.open(self.path, flags, 0o600)
            try:
                size = os.fstat(handle).st_size
                if size and size + len(line) > half and self._is_at_path(handle):
                    os.replace(self.path, self.older)
                    os.close(handle)
                    handle = os.open(self.path, flags, 0o600)
                # In one piece, so that the lines of two processes do not mix.
                os.write(handle, line)
            finally:
                os.close(handle)
        except OSError as error:
            return f"{self.path.name} could not be written ({error.strerror or error})."
        return ""

    def _is_at_path(self, handle: int) -> bool:
        """Whether no other process has put another file in its place meanwhile."""
        here, there = os.fstat(handle), os.stat(self.path)
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)

    def entries(self, most: int | None = None) -> list[Entry]:
        """The last ``most`` entries, the newest last. Lines that are none are passed over."""
        found = [*_entries(self.older), *_entries(self.path)]
        return found if most is None else found[-most:] if most > 0 else []


def _entries(path: Path) -> Iterator[Entry]:
    try:
        with path.open("rb") as file:
            for line in file:
                try:
                    yield _decode(line)
                except (msgspec.MsgspecError, UnicodeDecodeError):
                    continue
    except OSError:
        return
