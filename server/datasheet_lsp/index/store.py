"""The index as the rest of the program knows it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import apsw
import msgspec

from datasheet_lsp.index import devices, homes, matching, reading, writing
from datasheet_lsp.index.codec import decode_device, encode_device
from datasheet_lsp.index.connection import (
    DAMAGED,
    WAIT,
    Opened,
    begin_anew,
    identity,
    lock_path,
    open_index,
    real_place,
    reason,
    short_name,
)
from datasheet_lsp.index.lock import FileLock, LockTimeout
from datasheet_lsp.index.records import (
    Belongs,
    Brief,
    Entry,
    KnownFile,
    RegisterPage,
    RegisterPlace,
    SourceFile,
    Span,
    StoredChunk,
    StoredDocument,
)
from datasheet_lsp.model.device import Device
from datasheet_lsp.model.document import Figure, RegisterText, Section, Table

T = TypeVar("T")

LONG_WAIT = 30.0
"""Seconds to wait for the lock with a document that took longer to read."""


class Index:
    """What was read before, kept in one SQLite file.

    No method raises for the sake of the file: where it is damaged, locked, read-only, full or of
    another version, nothing is found and nothing kept, and ``problem`` says why in one sentence.
    May be used from several threads, one at a time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem: str | None = None
        self._guard = threading.Lock()
        self._writable = False
        self._connection: apsw.Connection | None = None
        self._take(open_index(path))

    @property
    def is_open(self) -> bool:
        """Whether there is a file to read from."""
        return self._connection is not None

    def device(self, key: str) -> Device | None:
        """The device stored under ``key``, None where there is none that can be read."""
        with self._guard:
            connection = self._connection
            if connection is None:
                return None
            try:
                row = devices.get(connection, key)
            except (apsw.Error, OSError) as error:
                self._failed(error, "read")
                return None
            if row is None:
                return None
            blob, last_used = row
            if time.time() - last_used > devices.TOUCH_AFTER:
                self._touch(connection, key)
        return decode_device(blob)

    def put_device(self, key: str, device: Device) -> None:
        """Store ``device`` under ``key``, in place of what was there."""
        if not self._writable:
            return
        try:
            blob = encode_device(device)
        except ValueError as error:
            self.problem = f"{device.source or device.name} cannot be kept in the index: {error}."
            return
        with self._guard:
            connection = self._connection
            if connection is None:
                return
            try:
                with FileLock(lock_path(self._file), WAIT):
                    self._put(connection, key, device, blob)
            except (apsw.Error, OSError, LockTimeout) as error:
                self._failed(error, "written")

    @property
    def is_writable(self) -> bool:
        """Whether something can be kept."""
        return self._writable

    def put_document(self, entry: Entry) -> int | None:
        """Store a document in place of what its content or its file had; its number.

        All or nothing of it is written, in one transaction; None where it could not be, for the
        sake of the file. Raises ValueError for an entry that no index could store.
        """
        try:
            ready = writing.prepare(entry)
        except (ValueError, OverflowError, TypeError) as error:
            raise ValueError(f"{entry.file.path} cannot be kept in the index: {error}.") from error
        return self._write(lambda connection: writing.put(connection, ready))

    def link_file(self, file: SourceFile) -> bool:
        """Note that the content of a stored document lies at ``file``; whether it is stored."""
        return self._write(lambda connection: writing.link(connection, file)) is not None

    def drop_files(self, files: Sequence[tuple[str, str]]) -> bool:
        """Forget files, each path and suffix, and documents that are nowhere else."""

        def drop(connection: apsw.Connection) -> bool:
            for path, suffix in files:
                writing.drop_file(connection, path, suffix)
            return True

        return bool(self._write(drop, tidy=True)) if files else True

    def put_devices(self, document: int, devices: Sequence[Belongs], undecided: str) -> bool:
        """Set which devices a stored document belongs to."""

        def put(connection: apsw.Connection) -> bool:
            writing.put_devices(connection, document, devices, undecided)
            return True

        return bool(self._write(put))

    def known_files(self) -> list[KnownFile]:
        """All files whose documents are stored, in order of their paths."""
        return self._read(reading.known_files, [])

    def documents(self) -> list[StoredDocument]:
        """All documents, in the order in which they were stored."""
        return self._read(reading.documents, [])

    def document(self, number: int) -> StoredDocument | None:
        """The document with this number."""
        nothing: list[StoredDocument] = []
        found = self._read(lambda connection: reading.documents(connection, number), nothing)
        return found[0] if found else None

    def sections(self, document: int) -> list[Section]:
        """The sections of a document; each one's ``id`` is its position."""
        return self._read(lambda connection: reading.sections(connection, document), [])

    def chunks(self, document: int, page: int | None = None) -> list[StoredChunk]:
        """The chunks of a document in order, or those of one ``page``."""
        return self._read(lambda connection: list(reading.chunks(connection, document, page)), [])

    def chunk(self, number: int) -> StoredChunk | None:
        """The chunk with this number in the index."""
        return self._read(lambda connection: reading.chunk(connection, number), None)

    def around(self, chunk: int, reach: int = 1) -> list[StoredChunk]:
        """A chunk with up to ``reach`` neighbours of its section on each side, in order."""
        return self._read(lambda connection: reading.around(connection, chunk, reach), [])

    def tables(self, document: int, page: int | None = None) -> list[Table]:
        """The tables of a document, or those of one ``page``."""
        return self._read(lambda connection: reading.tables(connection, document, page), [])

    def figures(self, document: int, page: int | None = None) -> list[Figure]:
        """The figures of a document, or those of one ``page``."""
        return self._read(lambda connection: reading.figures(connection, document, page), [])

    def registers(self, document: int) -> list[RegisterText]:
        """The registers a document describes."""
        return self._read(lambda connection: reading.registers(connection, document), [])

    def register_places(self, path: str, device: str | None = None) -> list[RegisterPlace]:
        """Where the manuals (of ``device``) describe the SVD's register ``path``."""
        return self._read(lambda connection: reading.register_places(connection, path, device), [])

    def register_pages(self, device: str) -> list[RegisterPage]:
        """Where the manuals of ``device`` describe its registers, each at its best place."""
        return self._read(lambda connection: homes.register_pages(connection, device), [])

    def spans(self, documents: Sequence[int]) -> list[Span]:
        """The numbers of the chunks of ``documents``, as ranges."""
        return self._read(lambda c: matching.spans(c, documents), [])

    def match(
        self, expression: str, scope: Sequence[Span] | None = None, limit: int = 500
    ) -> list[tuple[int, float]]:
        """The chunks (within ``scope``) that match an FTS5 expression with scores, best first."""
        return self._read(lambda c: matching.match(c, expression, scope, limit), [])

    def count(self, expression: str, scope: Sequence[Span] | None = None) -> int:
        """How many chunks (within ``scope``) match an FTS5 expression."""
        return self._read(lambda c: matching.count(c, expression, scope), 0)

    def size(self) -> int:
        """How many chunks there are."""
        return self._read(matching.size, 0)

    def briefs(self, chunks: Iterable[int]) -> list[Brief]:
        """The chunks with these numbers without their texts."""
        return self._read(lambda c: matching.briefs(c, chunks), [])

    def close(self) -> None:
        """Close the file. Afterwards nothing is found and nothing kept."""
        with self._guard:
            self._close()

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _put(self, connection: apsw.Connection, key: str, device: Device, blob: bytes) -> None:
        def put(connection: apsw.Connection) -> None:
            devices.put(connection, key, device.name, device.source, blob, int(time.time()))

        _in_transaction(connection, put)
        _give_back(connection)

    def _read(self, work: Callable[[apsw.Connection], T], nothing: T) -> T:
        with self._guard:
            connection = self._connection
            if connection is None:
                return nothing
            try:
                return work(connection)
            except (apsw.Error, OSError) as error:
                self._failed(error, "read")
            except (msgspec.MsgspecError, ValueError, TypeError) as error:
                self.problem = f"{short_name(self.path)} has a row that cannot be read ({error})."
            return nothing

    def _write(self, work: Callable[[apsw.Connection], T], *, tidy: bool = False) -> T | None:
        """What ``work`` gives within a transaction; None, and ``problem``, where it failed."""
        with self._guard:
            connection = self._connection
            if connection is None or not self._writable:
                return None
            try:
                with FileLock(lock_path(self._file), LONG_WAIT):
                    result = _in_transaction(connection, work)
                    if tidy:
                        _give_back(connection)
                    return result
            except (apsw.Error, OSError, LockTimeout) as error:
                self._failed(error, "written")
                return None

    def _touch(self, connection: apsw.Connection, key: str) -> None:
        """Note the use, unless that would take waiting or writing is not possible."""
        if not self._writable:
            return
        try:
            connection.set_busy_timeout(0)
            with FileLock(lock_path(self._file), 0):
                devices.touch(connection, key, int(time.time()))
        except (apsw.Error, OSError, LockTimeout):
            pass
        finally:
            connection.set_busy_timeout(int(WAIT * 1000))

    def _take(self, opened: Opened) -> None:
        self._connection = opened.connection
        self._writable = opened.writable
        self.problem = opened.problem or self.problem
        self._file = real_place(self.path)
        self._identity = identity(self._file)

    def _close(self) -> None:
        connection, self._connection, self._writable = self._connection, None, False
        if connection is not None:
            try:
                connection.close(True)
            except apsw.Error:
                pass

    def _failed(self, error: Exception, what: str) -> None:
        """Note why the file could not be ``what``; begin it anew where it is damaged."""
        if isinstance(error, DAMAGED):
            damaged = self._identity
            self._close()
            self._take(begin_anew(self._file, damaged, error))
        else:
            self.problem = f"{short_name(self.path)} could not be {what} ({reason(error)})."


def _in_transaction(connection: apsw.Connection, work: Callable[[apsw.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
        return result
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _give_back(connection: apsw.Connection) -> None:
    """Make the file as small as its content; a page is freed for each row that is asked for."""
    connection.execute("PRAGMA incremental_vacuum").fetchall()
