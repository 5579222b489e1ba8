"""The text index asked for single terms within some documents; chunks without their texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw
import msgspec

from datasheet_lsp.index.records import Brief, Span

WEIGHTS = (4.0, 1.0, 4.0)
"""What a word counts in the identifiers, the body and the headings."""

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

    Ranges of rows are what the text index can leave out by itself: a join with the chunks would
    look up every match of the whole index.
    """
    statement = "SELECT rowid, bm25(chunk_words, ?1, ?2, ?3) AS r FROM chunk_words"
    if scope is None:
        rows = connection.execute(
            f"{statement} WHERE chunk_words MATCH ?4 ORDER BY r, rowid LIMIT ?5",
            (*weights, expression, limit),
        )
        return [(chunk, -rank) for chunk, rank in rows]
    found = [
        (rank, chunk)
        for span in scope
        for chunk, rank in connection.execute(
            f"{statement} WHERE chunk_words MATCH ?4 AND rowid BETWEEN ?5 AND ?6",
            (*weights, expression, span.first, span.last),
        )
    ]
    found.sort()
    return [(chunk, -rank) for rank, chunk in found[:limit]]


def count(connection: apsw.Connection, expression: str, scope: Sequence[Span] | None = None) -> int:
    """How many chunks match an FTS5 expression."""
    statement = "SELECT count(*) FROM chunk_words WHERE chunk_words MATCH ?"
    if scope is None:
        return int(connection.execute(statement, (expression,)).get)
    return sum(
        int(
            connection.execute(
                f"{statement} AND rowid BETWEEN ? AND ?", (expression, span.first, span.last)
            ).get
        )
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
