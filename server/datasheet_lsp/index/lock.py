"""A lock on a file, so that of several processes on one folder one writes at a time.

The operating system drops it when the process ends, however that ends.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import TracebackType

_PAUSE = 0.01
"""Seconds between two attempts."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


class LockTimeout(Exception):
    """Another process kept the lock for longer than the time allowed."""


class FileLock:
    """Held within ``with``; waits at most ``seconds`` for it.

    Entering raises LockTimeout, or OSError where the lock file cannot be written.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._handle = -1

    def __enter__(self) -> FileLock:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(self._path, flags, 0o666)
        end = time.monotonic() + self._seconds
        try:
            while True:
                try:
                    _try_lock(handle)
                    break
                except (BlockingIOError, PermissionError):
                    if time.monotonic() >= end:
                        raise LockTimeout(str(self._path)) from None
                    time.sleep(_PAUSE)
        except BaseException:
            os.close(handle)
            raise
        self._handle = handle
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            _unlock(self._handle)
        finally:
            os.close(self._handle)
            self._handle = -1
