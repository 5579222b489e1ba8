"""The index as the rest of the program knows it."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType

import apsw

from datasheet_lsp.index import devices
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
from datasheet_lsp.model.device import Device


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
        connection.execute("BEGIN IMMEDIATE")
        try:
            devices.put(connection, key, device.name, device.source, blob, int(time.time()))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        # Frees a page for each row it is asked for.
        connection.execute("PRAGMA incremental_vacuum").fetchall()

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
