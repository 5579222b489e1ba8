"""Vectors in the index: of which model, of which chunk, and which are near to another.

A set belongs to one model. Its vectors are stored whole; from them come coarse ones, one bit for
each dimension, in a table of sqlite-vec that is parted by document. Everything here works without
sqlite-vec too, in that nothing is found and nothing kept.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import apsw

from datasheet_lsp.index.nearest import (
    PART_BITS,
    PARTS,
    bits_table,
    nearest_coarse,
    nearest_plain,
    scope_of,
    size_of,
)
from datasheet_lsp.index.records import Near, Unvectored, VectorSet
from datasheet_lsp.index.store import Index

T = TypeVar("T")

Distance = Literal["cosine", "l2"]

PLAIN_MOST = 1_000
"""Up to so many vectors are compared as a whole, all of them."""

ROOM = 256
"""Coarse vectors that stand together, all of one document; room for so many is taken at once."""

HASH_BYTES = 16


class _Failed(Exception):
    """sqlite-vec refused something. This says nothing about the state of the file."""


def embedded_text(stamp: str, text: str) -> str:
    """What is embedded of a chunk."""
    return f"{stamp}\n{text}" if stamp else text


def text_hash(text: str) -> bytes:
    """Tells texts from one another."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[:HASH_BYTES]


class VectorStore:
    """The vectors of an index. Like the index it raises nothing for the sake of the file.

    ``problem`` says why there are none, "" where there can be.
    """

    def __init__(self, index: Index, distance: Distance = "cosine") -> None:
        self.index = index
        self.problem = ""
        self._function = "vec_distance_cosine" if distance == "cosine" else "vec_distance_L2"
        self._loaded: apsw.Connection | None = None

    def sets(self) -> list[VectorSet]:
        """The sets there are, oldest first."""
        return self.index._read(_sets, [])

    def serving(self, key: str) -> VectorSet | None:
        """The set to search, where the model with this ``key`` is wanted.

        Its own once that is whole; before, another one that is; else its own as far as it is.
        """
        sets = self.sets()
        own = next((each for each in sets if each.key == key), None)
        if own is not None and own.whole:
            return own
        return next((each for each in reversed(sets) if each.whole), own)

    def open_set(self, key: str, name: str, source: str, dimension: int) -> VectorSet | None:
        """The set of a model, begun where there is none; None where it cannot be kept."""

        def work(connection: apsw.Connection) -> VectorSet | None:
            connection.execute(
                "INSERT INTO vector_sets (key, name, source, dimension, whole)"
                " VALUES (?, ?, ?, ?, 0) ON CONFLICT (key) DO UPDATE SET source = excluded.source",
                (key, name, source, dimension),
            )
            made = next(each for each in _sets(connection) if each.key == key)
            if made.dimension % 8 == 0:
                connection.execute(
                    f"CREATE VIRTUAL TABLE IF NOT EXISTS {bits_table(made)} USING vec0("
                    f"document integer partition key, bits bit[{made.dimension}],"
                    f" chunk_size={ROOM})"
                )
                _index_documents(connection, made)
            return made

        return self.write(work)

    def count(self, which: VectorSet) -> tuple[int, int]:
        """How many chunks have a vector of the set, and how many chunks there are."""

        def work(connection: apsw.Connection) -> tuple[int, int]:
            done = connection.execute(
                "SELECT count(*) FROM chunk_vectors WHERE vector_set = ?", (which.id,)
            ).get
            return done, connection.execute("SELECT count(*) FROM chunks").get

        return self.index._read(work, (0, 0))

    def missing(self, which: VectorSet, document: int, limit: int) -> list[Unvectored]:
        """The first chunks of a document that have no vector of the set."""

        def work(connection: apsw.Connection) -> list[Unvectored]:
            found = []
            for chunk, stamp, text in connection.execute(
                "SELECT id, stamp, text FROM chunks c WHERE document = ? AND NOT EXISTS"
                " (SELECT 1 FROM chunk_vectors v WHERE v.chunk = c.id AND v.vector_set = ?)"
                " ORDER BY number LIMIT ?",
                (document, which.id, limit),
            ):
                whole = embedded_text(stamp, text)
                head = len(whole) - len(text)
                found.append(Unvectored(chunk, document, whole, text_hash(whole), head))
            return found

        return self.index._read(work, [])

    def known(self, which: VectorSet, hashes: Sequence[bytes]) -> set[bytes]:
        """Those of the hashes whose texts have a vector in the set."""

        def work(connection: apsw.Connection) -> set[bytes]:
            return {
                each
                for each in hashes
                if connection.execute(
                    "SELECT 1 FROM vectors WHERE vector_set = ? AND hash = ?", (which.id, each)
                ).get
            }

        return self.index._read(work, set())

    def put(
        self, which: VectorSet, chunks: Sequence[Unvectored], vectors: dict[bytes, bytes]
    ) -> bool:
        """Give the chunks their vectors, by the hash of their text; whether that was stored.

        ``vectors`` has those that are not yet in the set: 32-bit floats, of one vector or, for a
        text that was embedded in parts, of up to PARTS one after another. A chunk that has gone
        meanwhile, or has another text now, is passed over.
        """

        def work(connection: apsw.Connection) -> bool:
            _clear_gone(connection)
            connection.executemany(
                "INSERT INTO vectors (vector_set, hash, vector) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                ((which.id, key, vector) for key, vector in vectors.items()),
            )
            for each in chunks:
                _put_chunk(connection, which, each)
            return True

        return bool(self.write(work))

    def finish(self, which: VectorSet) -> bool:
        """Note that the set is whole, and drop what nobody needs: the sets of other models."""

        def work(connection: apsw.Connection) -> bool:
            _clear_gone(connection)
            for other in _sets(connection):
                if other.id != which.id:
                    _drop(connection, other)
            connection.execute("UPDATE vector_sets SET whole = 1 WHERE id = ?", (which.id,))
            _drop_unused(connection, which)
            return True

        return bool(self.write(work, tidy=True))

    def search(
        self,
        which: VectorSet,
        query: bytes,
        k: int,
        *,
        device: str | None = None,
        documents: Sequence[int] | None = None,
        exact: bool = False,
    ) -> list[Near]:
        """The ``k`` chunks nearest to ``query`` (32-bit floats), nearest first.

        Of all documents, or of those of ``device``, or of ``documents``. ``exact`` compares all
        as a whole, however many there are.
        """
        if k <= 0 or len(query) != which.dimension * 4:
            return []

        def work(connection: apsw.Connection) -> list[Near]:
            scope = scope_of(connection, device, documents)
            if scope == []:
                return []
            count = size_of(connection, which, scope, PLAIN_MOST)
            plain = exact or count <= PLAIN_MOST or which.dimension % 8
            search = nearest_plain if plain else nearest_coarse
            return search(connection, which, self._function, query, k, scope)

        return self.read(work, [])

    def read(self, work: Callable[[apsw.Connection], T], nothing: T) -> T:
        """What ``work`` reads by sqlite-vec, ``nothing`` where that cannot be."""
        try:
            return self.index._read(self._guarded(work), nothing)
        except _Failed as error:
            self.problem = str(error)
            return nothing

    def write(self, work: Callable[[apsw.Connection], T], *, tidy: bool = False) -> T | None:
        """What ``work`` writes by sqlite-vec, None where that cannot be."""
        try:
            return self.index._write(self._guarded(work), tidy=tidy)
        except _Failed as error:
            self.problem = str(error)
            return None

    def _guarded(self, work: Callable[[apsw.Connection], T]) -> Callable[[apsw.Connection], T]:
        def guarded(connection: apsw.Connection) -> T:
            if self._loaded is not connection:
                _load_extension(connection)
                self._loaded = connection
            try:
                return work(connection)
            except apsw.SQLError as error:
                # The index would take it for damage and set the file aside.
                raise _Failed(f"Vectors cannot be used ({error}).") from error

        return guarded


def _load_extension(connection: apsw.Connection) -> None:
    if importlib.util.find_spec("sqlite_vec") is None:
        raise _Failed(
            "Vectors need sqlite-vec, which is not installed: pip install 'datasheet-lsp[embed]'."
        )
    import sqlite_vec

    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
    except apsw.Error as error:
        raise _Failed(f"sqlite-vec cannot be loaded ({error}).") from error
    finally:
        connection.enable_load_extension(False)


def _sets(connection: apsw.Connection) -> list[VectorSet]:
    return [
        VectorSet(number, key, name, source, dimension, bool(whole))
        for number, key, name, source, dimension, whole in connection.execute(
            "SELECT id, key, name, source, dimension, whole FROM vector_sets ORDER BY id"
        )
    ]


def _index_documents(connection: apsw.Connection, which: VectorSet) -> None:
    """Let sqlite-vec find a document's coarse vectors without going through those of all.

    It keeps them in tables of its own, which are not to be touched but for this.
    """
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    try:
        table = bits_table(which)
        connection.execute(
            f"CREATE INDEX IF NOT EXISTS {table}_documents ON {table}_chunks (partition00)"
        )
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)


def _put_chunk(connection: apsw.Connection, which: VectorSet, chunk: Unvectored) -> None:
    row = connection.execute(
        "SELECT stamp, text FROM chunks WHERE id = ? AND document = ?",
        (chunk.chunk, chunk.document),
    ).fetchone()
    if row is None or text_hash(embedded_text(*row)) != chunk.hash:
        return
    found = connection.execute(
        "SELECT id, vector FROM vectors WHERE vector_set = ? AND hash = ?", (which.id, chunk.hash)
    ).fetchone()
    if found is None:
        return
    number, vector = found
    fresh = connection.execute(
        "INSERT INTO chunk_vectors (chunk, vector_set, document, vector) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING RETURNING 1",
        (chunk.chunk, which.id, chunk.document, number),
    ).get
    if fresh and which.dimension % 8 == 0:
        size = which.dimension * 4
        connection.executemany(
            f"INSERT INTO {bits_table(which)} (rowid, document, bits)"
            " VALUES (?, ?, vec_quantize_binary(?))",
            (
                (chunk.chunk << PART_BITS | part, chunk.document, vector[at : at + size])
                for part, at in enumerate(range(0, min(len(vector), size * PARTS), size))
            ),
        )


def _clear_gone(connection: apsw.Connection) -> None:
    """Delete the coarse vectors of chunks that were deleted."""
    gone = [int(row[0]) for row in connection.execute("SELECT chunk FROM vectors_gone")]
    if not gone:
        return
    for which in _sets(connection):
        if which.dimension % 8 == 0:
            # A process without sqlite-vec may have given the number to another chunk meanwhile;
            # one that has a vector again is not there, since this runs before any is put.
            connection.executemany(
                f"DELETE FROM {bits_table(which)} WHERE rowid = ?",
                ((chunk << PART_BITS | part,) for chunk in gone for part in range(PARTS)),
            )
    connection.execute("DELETE FROM vectors_gone")


def _drop(connection: apsw.Connection, which: VectorSet) -> None:
    connection.execute(f"DROP TABLE IF EXISTS {bits_table(which)}")
    connection.execute("DELETE FROM chunk_vectors WHERE vector_set = ?", (which.id,))
    connection.execute("DELETE FROM vectors WHERE vector_set = ?", (which.id,))
    connection.execute("DELETE FROM phrase_vectors WHERE vector_set = ?", (which.id,))
    connection.execute("DELETE FROM vector_sets WHERE id = ?", (which.id,))


def _drop_unused(connection: apsw.Connection, which: VectorSet) -> None:
    """Delete vectors of texts that no chunk has any more, once they are more than the others."""
    total = connection.execute("SELECT count(*) FROM vectors WHERE vector_set = ?", (which.id,)).get
    used = connection.execute(
        "SELECT count(DISTINCT vector) FROM chunk_vectors WHERE vector_set = ?", (which.id,)
    ).get
    if total > 2 * used:
        connection.execute(
            "DELETE FROM vectors WHERE vector_set = ?1 AND id NOT IN"
            " (SELECT vector FROM chunk_vectors WHERE vector_set = ?1)",
            (which.id,),
        )


__all__ = [
    "PARTS",
    "Distance",
    "Near",
    "Unvectored",
    "VectorSet",
    "VectorStore",
    "embedded_text",
    "text_hash",
]
