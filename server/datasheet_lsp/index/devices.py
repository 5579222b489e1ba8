"""The table of devices: rows in and out, and which go when it grows."""

from __future__ import annotations

import apsw

MAX_BYTES = 64 << 20
"""The blobs together have at most this many bytes, apart from the newest alone."""

MAX_IDLE = 90 * 86_400
"""Seconds after which an unused device is dropped."""

TOUCH_AFTER = 86_400
"""Seconds by which ``last_used`` may lag behind, so that a reader seldom has to write."""


def get(connection: apsw.Connection, key: str) -> tuple[bytes, int] | None:
    """The blob under ``key`` and when it was last used (Unix seconds), else None."""
    for blob, last_used in connection.execute(
        "SELECT blob, last_used FROM devices WHERE key = ?", (key,)
    ):
        return blob, last_used
    return None


def put(
    connection: apsw.Connection, key: str, name: str, source: str, blob: bytes, now: int
) -> None:
    """Store ``blob`` under ``key`` in place of what was there, and drop what is too old or much.

    ``now`` is in Unix seconds. The caller holds the transaction.
    """
    connection.execute(
        "INSERT OR REPLACE INTO devices (key, name, source, bytes, created, last_used, blob)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (key, name, source, len(blob), now, now, blob),
    )
    _prune(connection, key, now)


def touch(connection: apsw.Connection, key: str, now: int) -> None:
    """Note that the device under ``key`` was used at ``now`` (Unix seconds)."""
    connection.execute("UPDATE devices SET last_used = ? WHERE key = ?", (now, key))


def _prune(connection: apsw.Connection, newest: str, now: int) -> None:
    drop = []
    total = 0
    rows = connection.execute(
        "SELECT key, bytes, last_used FROM devices"
        " ORDER BY key = ? DESC, last_used DESC, created DESC",
        (newest,),
    )
    for key, size, last_used in rows:
        total += size
        if key != newest and (total > MAX_BYTES or last_used < now - MAX_IDLE):
            drop.append((key,))
            total -= size
    if drop:
        connection.executemany("DELETE FROM devices WHERE key = ?", drop)
