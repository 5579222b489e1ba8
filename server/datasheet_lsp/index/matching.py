"""The text index asked for single terms, within some documents."""

from __future__ import annotations

import json
from collections.abc import Sequence

import apsw

from datasheet_lsp.index.records import Found

WEIGHTS = (4.0, 1.0, 4.0)
"""What a word counts in the identifiers, the body and the headings."""


def match(
    connection: apsw.Connection,
    expression: str,
    documents: Sequence[int] | None = None,
    limit: int = 500,
    weights: tuple[float, float, float] = WEIGHTS,
) -> list[Found]:
    """The chunks that match an FTS5 expression, the best first, of some ``documents`` alone."""
    scope = None if documents is None else json.dumps(list(documents))
    rows = connection.execute(
        "SELECT w.rowid, c.document, bm25(chunk_words, ?1, ?2, ?3) AS rank FROM chunk_words w"
        " JOIN chunks c ON c.id = w.rowid WHERE chunk_words MATCH ?4 AND (?5 IS NULL OR"
        " c.document IN (SELECT value FROM json_each(?5))) ORDER BY rank, w.rowid LIMIT ?6",
        (*weights, expression, scope, limit),
    )
    return [Found(row[0], row[1], -row[2]) for row in rows]


def count(
    connection: apsw.Connection, expression: str, documents: Sequence[int] | None = None
) -> int:
    """How many chunks match an FTS5 expression."""
    if documents is None:
        (number,) = connection.execute(
            "SELECT count(*) FROM chunk_words WHERE chunk_words MATCH ?", (expression,)
        ).fetchall()[0]
    else:
        (number,) = connection.execute(
            "SELECT count(*) FROM chunk_words w JOIN chunks c ON c.id = w.rowid"
            " WHERE chunk_words MATCH ?1 AND c.document IN (SELECT value FROM json_each(?2))",
            (expression, json.dumps(list(documents))),
        ).fetchall()[0]
    return int(str(number))


def size(connection: apsw.Connection, documents: Sequence[int] | None = None) -> int:
    """How many chunks there are, in some ``documents`` or in all."""
    scope = None if documents is None else json.dumps(list(documents))
    (number,) = connection.execute(
        "SELECT count(*) FROM chunks WHERE ?1 IS NULL OR document IN"
        " (SELECT value FROM json_each(?1))",
        (scope,),
    ).fetchall()[0]
    return int(str(number))
