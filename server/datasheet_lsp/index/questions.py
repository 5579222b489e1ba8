"""Questions that a language model wrote for texts, and which chunks are found by them.

They are words to search, and no text to show. By the hash of the text and the model they stay for
good, also when the chunk goes: a text that comes again is not asked again.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from datasheet_lsp.index.records import Unasked
from datasheet_lsp.index.store import Index
from datasheet_lsp.index.vectors import embedded_text, text_hash
from datasheet_lsp.index.writing import clean

_OF_DOCUMENTS = "FROM chunks c JOIN documents d ON d.id = c.document WHERE d.format <> 'svd'"


class QuestionStore:
    """The questions of an index by one ``model``. Raises nothing for the sake of the file."""

    def __init__(self, index: Index, model: str) -> None:
        self.index = index
        self.model = model

    def count(self) -> tuple[int, int]:
        """How many chunks of documents have their questions, and how many there are."""

        def work(connection: apsw.Connection) -> tuple[int, int]:
            done = connection.execute(
                f"SELECT count(*) {_OF_DOCUMENTS} AND EXISTS"
                " (SELECT 1 FROM chunk_questions q WHERE q.chunk = c.id AND q.model = ?)",
                (self.model,),
            ).get
            return done, connection.execute(f"SELECT count(*) {_OF_DOCUMENTS}").get

        return self.index._read(work, (0, 0))

    def missing(self, document: int) -> list[Unasked]:
        """The chunks of a document without questions, in order; none of an SVD file."""

        def work(connection: apsw.Connection) -> list[Unasked]:
            found = []
            for chunk, stamp, text in connection.execute(
                f"SELECT c.id, stamp, text {_OF_DOCUMENTS} AND document = ? AND NOT EXISTS"
                " (SELECT 1 FROM chunk_questions q WHERE q.chunk = c.id AND q.model = ?)"
                " ORDER BY number",
                (document, self.model),
            ):
                whole = embedded_text(stamp, text)
                found.append(Unasked(chunk, document, whole, text_hash(whole)))
            return found

        return self.index._read(work, [])

    def known(self, hashes: Sequence[bytes]) -> set[bytes]:
        """Those of the hashes whose texts were asked about before."""

        def work(connection: apsw.Connection) -> set[bytes]:
            return {each for each in hashes if _text(connection, each, self.model) is not None}

        return self.index._read(work, set())

    def put(self, chunks: Sequence[Unasked], made: dict[bytes, Sequence[str]]) -> bool:
        """Give the chunks their questions, by the hash of their text; whether that was stored.

        ``made`` has those that are not known yet. A chunk that has gone meanwhile, or has another
        text now, is passed over.
        """

        def work(connection: apsw.Connection) -> bool:
            connection.executemany(
                "INSERT INTO questions (hash, model, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                ((key, self.model, clean("\n".join(texts))) for key, texts in made.items()),
            )
            for each in chunks:
                self._put(connection, each)
            return True

        return bool(self.index._write(work))

    def _put(self, connection: apsw.Connection, chunk: Unasked) -> None:
        row = connection.execute(
            "SELECT stamp, text FROM chunks WHERE id = ? AND document = ?",
            (chunk.chunk, chunk.document),
        ).fetchone()
        text = _text(connection, chunk.hash, self.model)
        if row is None or text is None or text_hash(embedded_text(*row)) != chunk.hash:
            return
        connection.execute("DELETE FROM question_words WHERE rowid = ?", (chunk.chunk,))
        if text:
            connection.execute(
                "INSERT INTO question_words (rowid, identifiers, body, headings)"
                " VALUES (?, '', ?, '')",
                (chunk.chunk, text),
            )
        connection.execute(
            "INSERT OR REPLACE INTO chunk_questions (chunk, model) VALUES (?, ?)",
            (chunk.chunk, self.model),
        )


def _text(connection: apsw.Connection, key: bytes, model: str) -> str | None:
    text: str | None = connection.execute(
        "SELECT text FROM questions WHERE hash = ? AND model = ?", (key, model)
    ).get
    return text


__all__ = ["QuestionStore", "Unasked"]
