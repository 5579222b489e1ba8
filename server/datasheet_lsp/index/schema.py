"""The tables of the index, and how an older file comes to have them.

A migration is never changed once released; a new form of the tables is a new function at the end.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

APPLICATION_ID = 0x44534C50
"""``DSLP``, in the header of every index file: tells it from other people's SQLite files."""


def _devices(connection: apsw.Connection) -> None:
    """Devices by key; ``blob`` stands last, so that the rest is read without it."""
    connection.execute(
        """
        CREATE TABLE devices (
            key TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            source TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            created INTEGER NOT NULL,
            last_used INTEGER NOT NULL,
            blob BLOB NOT NULL
        ) STRICT
        """
    )


MIGRATIONS: list[Callable[[apsw.Connection], None]] = [_devices]
"""The functions that, one after another, make an empty file an index."""

VERSION = len(MIGRATIONS)
"""The ``user_version`` of a file that has them all."""


def version_of(connection: apsw.Connection) -> int | None:
    """How many migrations the file has had, 0 for an empty one; None where it is no index."""
    version = int(connection.pragma("user_version"))
    application = int(connection.pragma("application_id"))
    if application == APPLICATION_ID:
        return version
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").get
    return 0 if version == 0 and application == 0 and tables == 0 else None


def migrate(connection: apsw.Connection) -> None:
    """Bring the file to ``VERSION``, each step in a transaction of its own.

    The caller holds the file lock and has seen that ``version_of`` is less than VERSION.
    """
    if version_of(connection) == 0:
        # Both can only be chosen before the first table.
        connection.pragma("auto_vacuum", "incremental")
        connection.pragma("journal_mode", "wal")
    while (version := version_of(connection)) is not None and version < VERSION:
        connection.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[version](connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", version + 1)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
