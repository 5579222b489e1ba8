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


def _documents(connection: apsw.Connection) -> None:
    """Documents by the hash of their content, with all that belongs to them.

    ``files`` has the paths at which a content lies; times of files are apart from it, since they
    differ between copies of one workspace. Lists and structs are MessagePack. ``chunk_words`` is
    the text index, which stores no text itself; its rows are those of ``chunks``.
    """
    connection.execute(
        """
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL,
            suffix TEXT NOT NULL,
            version TEXT NOT NULL,
            state TEXT NOT NULL,
            problem TEXT NOT NULL,
            undecided TEXT NOT NULL,
            format TEXT NOT NULL,
            title TEXT NOT NULL,
            revision TEXT NOT NULL,
            pages INTEGER NOT NULL,
            sections INTEGER NOT NULL,
            chunks INTEGER NOT NULL,
            tables INTEGER NOT NULL,
            figures INTEGER NOT NULL,
            registers INTEGER NOT NULL,
            parts BLOB NOT NULL,
            troubles BLOB NOT NULL,
            labels BLOB NOT NULL,
            UNIQUE (sha256, suffix)
        ) STRICT;
        CREATE TABLE files (
            path TEXT NOT NULL,
            suffix TEXT NOT NULL,
            document INTEGER NOT NULL,
            origin TEXT NOT NULL,
            PRIMARY KEY (path, suffix)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX files_document ON files (document);
        CREATE TABLE file_stamps (
            path TEXT NOT NULL,
            suffix TEXT NOT NULL,
            stamp TEXT NOT NULL,
            PRIMARY KEY (path, suffix)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE document_devices (
            document INTEGER NOT NULL,
            device TEXT NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (document, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX document_devices_device ON document_devices (device);
        CREATE TABLE sections (
            document INTEGER NOT NULL,
            id INTEGER NOT NULL,
            parent INTEGER,
            level INTEGER NOT NULL,
            number TEXT NOT NULL,
            title TEXT NOT NULL,
            page INTEGER NOT NULL,
            top REAL NOT NULL,
            last_page INTEGER NOT NULL,
            origin TEXT NOT NULL,
            peripheral TEXT NOT NULL,
            PRIMARY KEY (document, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE chunks (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL,
            number INTEGER NOT NULL,
            section INTEGER NOT NULL,
            kind TEXT NOT NULL,
            tokens INTEGER NOT NULL,
            first_page INTEGER NOT NULL,
            last_page INTEGER NOT NULL,
            stamp TEXT NOT NULL,
            text TEXT NOT NULL,
            heading_path BLOB NOT NULL,
            symbols BLOB NOT NULL,
            places BLOB NOT NULL,
            UNIQUE (document, number)
        ) STRICT;
        CREATE VIRTUAL TABLE chunk_words USING fts5 (
            identifiers, body, headings,
            content = '', contentless_delete = 1,
            tokenize = "porter unicode61 remove_diacritics 2"
        );
        CREATE TABLE tables (
            document INTEGER NOT NULL,
            id INTEGER NOT NULL,
            first_page INTEGER NOT NULL,
            last_page INTEGER NOT NULL,
            number TEXT NOT NULL,
            caption TEXT NOT NULL,
            kind TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (document, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE figures (
            document INTEGER NOT NULL,
            id INTEGER NOT NULL,
            section INTEGER NOT NULL,
            page INTEGER NOT NULL,
            number TEXT NOT NULL,
            caption TEXT NOT NULL,
            place BLOB NOT NULL,
            PRIMARY KEY (document, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE registers (
            document INTEGER NOT NULL,
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            title TEXT NOT NULL,
            section INTEGER NOT NULL,
            page INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (document, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE register_matches (
            path TEXT NOT NULL COLLATE NOCASE,
            document INTEGER NOT NULL,
            register INTEGER NOT NULL,
            PRIMARY KEY (path, document, register)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX register_matches_document ON register_matches (document);
        """
    )


def _vectors(connection: apsw.Connection) -> None:
    """Vectors by the model they are of and by the hash of their text, and whose chunks they are.

    A text that stands in several chunks has one vector. The coarse vectors of a set are in a
    virtual table of their own, ``vector_bits_`` and the set's id, which only a process with
    sqlite-vec can touch: ``vectors_gone`` has the chunks whose rows there are to go, since a chunk
    may be deleted without it.
    """
    connection.execute(
        """
        CREATE TABLE vector_sets (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            source TEXT NOT NULL,
            dimension INTEGER NOT NULL,
            whole INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE vectors (
            id INTEGER PRIMARY KEY,
            vector_set INTEGER NOT NULL,
            hash BLOB NOT NULL,
            vector BLOB NOT NULL,
            UNIQUE (vector_set, hash)
        ) STRICT;
        CREATE TABLE chunk_vectors (
            chunk INTEGER NOT NULL,
            vector_set INTEGER NOT NULL,
            document INTEGER NOT NULL,
            vector INTEGER NOT NULL,
            PRIMARY KEY (chunk, vector_set)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX chunk_vectors_document ON chunk_vectors (vector_set, document, vector);
        CREATE TABLE vectors_gone (
            chunk INTEGER PRIMARY KEY
        ) STRICT;
        CREATE TRIGGER chunk_gone AFTER DELETE ON chunks BEGIN
            INSERT OR IGNORE INTO vectors_gone
                SELECT DISTINCT chunk FROM chunk_vectors WHERE chunk = old.id;
            DELETE FROM chunk_vectors WHERE chunk = old.id;
        END;
        """
    )


def _register_pages(connection: apsw.Connection) -> None:
    """The best place of each register in each manual, so that a hover has it without a search."""
    connection.execute(
        """
        CREATE TABLE register_pages (
            document INTEGER NOT NULL,
            path TEXT NOT NULL,
            page INTEGER NOT NULL,
            heading TEXT NOT NULL,
            fields INTEGER NOT NULL,
            PRIMARY KEY (document, path)
        ) STRICT, WITHOUT ROWID
        """
    )
    # Of what is stored already the longest description is taken, which has the most fields.
    connection.execute(
        "INSERT INTO register_pages SELECT document, path, page, heading, 0 FROM ("
        "SELECT m.document, m.path, r.page, trim(s.number || ' ' || s.title) AS heading,"
        " max(length(r.body)) FROM register_matches m"
        " JOIN registers r ON r.document = m.document AND r.id = m.register"
        " JOIN sections s ON s.document = r.document AND s.id = r.section"
        " GROUP BY m.document, m.path)"
    )


def _questions(connection: apsw.Connection) -> None:
    """What a language model said that texts answer, by the hash of the text and the model.

    ``questions`` has them for good, so that no text is asked twice; ``text`` is "" where nothing
    fit came back. ``question_words`` is a text index beside ``chunk_words`` with the same columns,
    of which ``body`` has the questions: the same expressions work on both. Its rows are those of
    ``chunk_questions``, which says of which model they are.
    """
    connection.execute(
        """
        CREATE TABLE IF NOT EXISTS questions (
            hash BLOB NOT NULL,
            model TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (hash, model)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS chunk_questions (
            chunk INTEGER PRIMARY KEY,
            model TEXT NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE IF NOT EXISTS question_words USING fts5 (
            identifiers, body, headings,
            content = '', contentless_delete = 1,
            tokenize = "porter unicode61 remove_diacritics 2"
        );
        """
    )


def _phrases(connection: apsw.Connection) -> None:
    """Vectors, one byte for each dimension, of phrases that belong to no document."""
    connection.execute(
        """
        CREATE TABLE IF NOT EXISTS phrase_vectors (
            vector_set INTEGER NOT NULL,
            phrase TEXT NOT NULL,
            vector BLOB NOT NULL,
            PRIMARY KEY (vector_set, phrase)
        ) STRICT, WITHOUT ROWID;
        """
    )


MIGRATIONS: list[Callable[[apsw.Connection], None]] = [
    _devices,
    _documents,
    _vectors,
    _register_pages,
    _questions,
    _phrases,
]
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
