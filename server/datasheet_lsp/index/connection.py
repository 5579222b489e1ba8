"""Opening the index file, whatever state it and its folder are in."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import msgspec

from datasheet_lsp.index.lock import FileLock, LockTimeout
from datasheet_lsp.index.schema import VERSION, migrate, version_of

WAIT = 2.0
"""Seconds to wait for another process before doing without."""

MOST_BROKEN = 3
"""How many damaged files are kept; the oldest go."""

DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, apsw.FormatError)
"""What SQLite raises where the content of the file is wrong: our own statements are right."""


Identity = tuple[int, int]
"""Tells one file from another that came in its place: device and inode."""


class Opened(msgspec.Struct):
    """An open index, or why there is none. ``problem`` is one sentence for the user."""

    connection: apsw.Connection | None = None
    writable: bool = False
    problem: str | None = None


def real_place(path: Path) -> Path:
    """``path`` with the links of its folder followed, its own not. A loop of links stays."""
    return Path(os.path.realpath(path.parent), path.name)


def lock_path(path: Path) -> Path:
    """The lock file of the index at ``path``."""
    return path.with_suffix(".lock")


def open_index(path: Path) -> Opened:
    """Open or begin the index at ``path``. Never raises: what is wrong stands in ``problem``."""
    try:
        path = real_place(path)
        cannot_write = _prepare_folder(path.parent)
        if cannot_write is not None and not path.exists():
            return Opened(problem=_not_kept(path, cannot_write))
        found = identity(path)
        try:
            return _open(path)
        except DAMAGED as error:
            return begin_anew(path, found, error)
    except LockTimeout:
        return Opened(problem=f"{short_name(path)} is being written by another process: not used.")
    except (OSError, apsw.Error) as error:
        return Opened(problem=_not_kept(path, reason(error)))


def identity(path: Path) -> Identity | None:
    """Which file is at ``path`` now, links not followed; None where there is none."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def reason(error: Exception) -> str:
    """What went wrong, in a few words."""
    if isinstance(error, apsw.FullError):
        return "the disk is full"
    if isinstance(error, apsw.BusyError):
        return "another process is writing"
    if isinstance(error, LockTimeout):
        return "another process is writing"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def short_name(path: Path) -> str:
    """The file as the user knows it: ``.datasheet/index.sqlite``."""
    return f"{path.parent.name}/{path.name}"


def _not_kept(path: Path, why: str) -> str:
    return f"No index is kept in {short_name(path)} ({why}): files are read anew at each start."


def _prepare_folder(folder: Path) -> str | None:
    """Make the folder and its .gitignore; the reason where that cannot be done, else None."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="ascii")
    except OSError as error:
        return reason(error)
    return None


def _open(path: Path) -> Opened:
    try:
        connection = _connect(path)
        try:
            return _checked(path, connection)
        except BaseException:
            connection.close(True)
            raise
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
        # A file in WAL mode cannot be read in the plain way where its folder takes no -shm file.
        # As long as nothing waits in the -wal file it can be read as something that stays as is.
        wal = Path(f"{path}-wal")
        if not path.is_file() or path.is_symlink() or (wal.exists() and wal.stat().st_size):
            raise
        connection = _connect(path, fixed=True)
        try:
            return _checked(path, connection)
        except BaseException:
            connection.close(True)
            raise


def _connect(path: Path, *, fixed: bool = False) -> apsw.Connection:
    """A connection; ``fixed`` for a file that nobody can write."""
    # A link in the place of the file could make us write to a file that is not ours.
    if fixed:
        name = path.as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        name = f"file:{name}?immutable=1"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    else:
        name = str(path)
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_NOFOLLOW)
    connection.set_busy_timeout(int(WAIT * 1000))
    # The folder may come with a repository from anywhere: nothing in the file is to run.
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    return connection


def _checked(path: Path, connection: apsw.Connection) -> Opened:
    """Look at the file, bring it to the present form, and set the connection up."""
    version = version_of(connection)
    writable = not connection.readonly("main")
    if version is not None and version < VERSION:
        if not writable:
            connection.close()
            return Opened(
                problem=f"{short_name(path)} has an older form and cannot be written: not used."
            )
        with FileLock(lock_path(path), WAIT):
            migrate(connection)
        version = version_of(connection)
    if version is None:
        connection.close()
        return Opened(
            problem=f"{short_name(path)} is a database of another program: it is left alone, "
            "and no index is kept."
        )
    if version > VERSION:
        connection.close()
        return Opened(
            problem=f"{short_name(path)} was written by a newer datasheet-lsp (form {version}, "
            f"this one knows {VERSION}): it is left alone and not used; update, or delete it."
        )
    for table in ("devices", "documents", "chunks"):
        connection.execute(f"SELECT 1 FROM {table} LIMIT 1").get  # noqa: B018
    if writable:
        # In WAL mode this can lose the last transactions in a power failure, never the file.
        connection.pragma("synchronous", "normal")
        connection.pragma("journal_size_limit", 4 << 20)
    return Opened(connection=connection, writable=writable)


def begin_anew(path: Path, damaged: Identity | None, error: Exception) -> Opened:
    """Set the file aside that was found ``damaged`` and open a new one. Never raises.

    A file that another process has already put in its place is opened and not touched.
    """
    try:
        with FileLock(lock_path(path), WAIT):
            kept = _set_aside(path) if damaged is not None and identity(path) == damaged else None
        opened = _open(path)
    except (OSError, LockTimeout, apsw.Error) as failure:
        return Opened(
            problem=f"{short_name(path)} is damaged and cannot be replaced ({reason(failure)}): "
            "files are read anew at each start."
        )
    if kept is not None and opened.problem is None:
        opened.problem = (
            f"{short_name(path)} was damaged ({reason(error)}): it is kept as {kept}, "
            "and a new one is begun."
        )
    return opened


def _set_aside(path: Path) -> str:
    """Rename the file and what belongs to it; the new name. Raises OSError."""
    numbers = sorted(
        int(last)
        for file in path.parent.glob(f"{path.name}.broken-*")
        if (last := file.name.rpartition("-")[2]).isdecimal()
    )
    for number in numbers[: max(0, len(numbers) - MOST_BROKEN + 1)]:
        for part in ("", "-wal", "-shm"):
            Path(f"{path}.broken-{number}{part}").unlink(missing_ok=True)
    kept = f"{path.name}.broken-{(numbers or [0])[-1] + 1}"
    # A -wal file left behind would be taken for that of the new file. So it goes first, and once
    # more at the end, should another process have opened the damaged file meanwhile.
    for ending in ("-wal", "-shm", ""):
        try:
            os.replace(f"{path}{ending}", path.parent / f"{kept}{ending}")
        except FileNotFoundError:
            continue
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    return kept
