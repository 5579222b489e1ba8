"""The text index asked for single terms within some documents; chunks without their texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw
import msgspec

from datasheet_lsp.index.records import Brief, Span

WEIGHTS = (4.0, 1.0, 4.0)
"""What a word counts in the identifiers, the body and the headings."""

QUESTION_WEIGHT = 0.3
"""What the score by a model's questions counts: what a model made up never outweighs the text."""

_texts = msgspec.msgpack.Decoder(tuple[str, ...]).decode


def spans(connection: apsw.Connection, documents: Sequence[int]) -> list[Span]:
    """The numbers of the chunks of ``documents`` as ranges; a document is most often one."""
    rows = connection.execute(
        "SELECT document, min(id), max(id) FROM (SELECT document, id, id - row_number() OVER"
        " (PARTITION BY document ORDER BY id) AS island FROM chunks WHERE document IN"
        " (SELECT value FROM json_each(?))) GROUP BY document, island ORDER BY document, 2",
        (json.dumps(list(documents)),),
    )
    return [Span(*row) for row in rows]


def match(
    connection: apsw.Connection,
    expression: str,
    scope: Sequence[Span] | None = None,
    limit: int = 500,
    weights: tuple[float, float, float] = WEIGHTS,
) -> list[tuple[int, float]]:
    """The chunks that match an FTS5 expression with their scores, the best first.

    Questions that a model wrote for a chunk add a little to its score.
    """
    found = _ranked(connection, "chunk_words", expression, scope, limit, weights)
    if not _has_questions(connection):
        return [(chunk, -rank) for rank, chunk in found]
    scores = {chunk: -rank for rank, chunk in found}
    asked = _ranked(connection, "question_words", expression, scope, limit, weights)
    for rank, chunk in asked:
        scores[chunk] = scores.get(chunk, 0.0) - QUESTION_WEIGHT * rank
    return sorted(scores.items(), key=lambda each: (-each[1], each[0]))[:limit]


def _ranked(
    connection: apsw.Connection,
    table: str,
    expression: str,
    scope: Sequence[Span] | None,
    limit: int,
    weights: tuple[float, float, float],
) -> list[tuple[float, int]]:
    """Ranks, the least of which are the best, and chunks, by one of the text indexes.

    Ranges of rows are what the text index can leave out by itself: a join with the chunks would
    look up every match of the whole index.
    """
    statement = f"SELECT bm25({table}, ?1, ?2, ?3) AS r, rowid FROM {table}"
    if scope is None:
        rows = connection.execute(
            f"{statement} WHERE {table} MATCH ?4 ORDER BY r, rowid LIMIT ?5",
            (*weights, expression, limit),
        )
        return [(rank, chunk) for rank, chunk in rows]
    found = [
        (rank, chunk)
        for span in scope
        for rank, chunk in connection.execute(
            f"{statement} WHERE {table} MATCH ?4 AND rowid BETWEEN ?5 AND ?6",
            (*weights, expression, span.first, span.last),
        )
    ]
    found.sort()
    return found[:limit]


def _has_questions(connection: apsw.Connection) -> bool:
    return connection.execute("SELECT 1 FROM chunk_questions LIMIT 1").get is not None


def count(connection: apsw.Connection, expression: str, scope: Sequence[Span] | None = None) -> int:
    """How many chunks match an FTS5 expression, by their own words or by their questions."""
    where = "MATCH ?1" if scope is None else "MATCH ?1 AND rowid BETWEEN ?2 AND ?3"
    statement = f"SELECT rowid FROM chunk_words WHERE chunk_words {where}"
    if _has_questions(connection):
        statement += f" UNION SELECT rowid FROM question_words WHERE question_words {where}"
    statement = f"SELECT count(*) FROM ({statement})"
    if scope is None:
        return int(connection.execute(statement, (expression,)).get)
    return sum(
        int(connection.execute(statement, (expression, span.first, span.last)).get)
        for span in scope
    )


def size(connection: apsw.Connection) -> int:
    """How many chunks there are."""
    return int(connection.execute("SELECT count(*) FROM chunks").get)


def briefs(connection: apsw.Connection, chunks: Iterable[int]) -> list[Brief]:
    """What ranking needs of some chunks."""
    rows = connection.execute(
        "SELECT c.id, document, number, section, kind, tokens, heading_path, symbols"
        " FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value",
        (json.dumps(list(chunks)),),
    )
    return [
        Brief(
            id=row[0],
            document=row[1],
            number=row[2],
            section=row[3],
            kind=row[4],
            tokens=row[5],
            heading_path=_texts(row[6]),
            symbols=_texts(row[7]),
        )
        for row in rows
    ]
