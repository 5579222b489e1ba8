"""Vectors of phrases that belong to no document: wordings that a question is compared with.

They are kept beside the vectors of a set, of the same model, with one byte for each dimension.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import apsw

from datasheet_lsp.index.records import VectorSet
from datasheet_lsp.index.vectors import VectorStore

_COARSE = "vec_quantize_int8(vec_normalize({}), 'unit')"


class PhraseVectors:
    """The phrases of the sets of an index. Like the index it raises nothing for the file's sake."""

    def __init__(self, store: VectorStore) -> None:
        self._store = store

    def missing(self, which: VectorSet, phrases: Sequence[str]) -> list[str]:
        """Those of the phrases that have no vector in the set."""

        def work(connection: apsw.Connection) -> list[str]:
            rows = connection.execute(
                "SELECT phrase FROM phrase_vectors WHERE vector_set = ?", (which.id,)
            )
            known = {phrase for (phrase,) in rows}
            return [phrase for phrase in phrases if phrase not in known]

        return self._store.read(work, [])

    def put(self, which: VectorSet, vectors: Mapping[str, bytes]) -> bool:
        """Keep vectors (32-bit floats) of phrases; whether that was stored."""

        def work(connection: apsw.Connection) -> bool:
            connection.executemany(
                "INSERT OR REPLACE INTO phrase_vectors (vector_set, phrase, vector)"
                f" VALUES (?, ?, {_COARSE.format('?')})",
                ((which.id, phrase, vector) for phrase, vector in vectors.items()),
            )
            return True

        return bool(self._store.write(work))

    def keep(self, which: VectorSet, phrases: Collection[str]) -> None:
        """Delete all but these phrases from the set."""

        def work(connection: apsw.Connection) -> None:
            rows = connection.execute(
                "SELECT phrase FROM phrase_vectors WHERE vector_set = ?", (which.id,)
            )
            gone = [phrase for (phrase,) in rows if phrase not in phrases]
            connection.executemany(
                "DELETE FROM phrase_vectors WHERE vector_set = ? AND phrase = ?",
                ((which.id, phrase) for phrase in gone),
            )

        self._store.write(work)

    def alike(self, which: VectorSet, query: bytes) -> dict[str, float]:
        """The cosine of each phrase of the set with ``query`` (32-bit floats)."""
        if len(query) != which.dimension * 4:
            return {}

        def work(connection: apsw.Connection) -> dict[str, float]:
            coarse = connection.execute(f"SELECT {_COARSE.format('?')}", (query,)).get
            rows = connection.execute(
                "SELECT phrase, 1 - vec_distance_cosine(vec_int8(vector), vec_int8(?))"
                " FROM phrase_vectors WHERE vector_set = ?",
                (coarse, which.id),
            )
            return {phrase: near for phrase, near in rows}

        return self._store.read(work, {})
