"""Which vectors of a set are near to another one, in SQL of sqlite-vec.

A large search goes through coarse vectors, one bit for each dimension, and compares the best of
these as a whole; a small one compares all as a whole. A text that is longer than its model reads
has several vectors: it is as near as the nearest of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from heapq import nsmallest
from typing import Any

import apsw

from datasheet_lsp.index.records import Near, VectorSet

CANDIDATES = 800
"""At least so many coarse hits are compared as a whole."""

PER_HIT = 8
"""So many coarse hits for each that is wanted."""

FIRST = 12
"""So many coarse hits tell where the others are."""

REACH = 0.05
"""By so much of all bits the others may be farther than the last of these."""

K_MOST = 4096
"""sqlite-vec gives no more at once."""

PART_BITS = 3
PARTS = 1 << PART_BITS
"""A chunk has at most so many vectors; its number and that of the part make a coarse vector's."""

_PARTS = json.dumps(list(range(PARTS)))


def bits_table(which: VectorSet) -> str:
    """The table with the coarse vectors of a set."""
    return f"vector_bits_{which.id}"


def scope_of(
    connection: apsw.Connection, device: str | None, documents: Sequence[int] | None
) -> list[int] | None:
    """The documents to search, None for all."""
    if device is None:
        return None if documents is None else sorted(set(documents))
    rows = connection.execute(
        "SELECT document FROM document_devices WHERE device = ? ORDER BY document", (device,)
    )
    mine = [document for (document,) in rows]
    return mine if documents is None else sorted(set(mine) & set(documents))


def size_of(
    connection: apsw.Connection, which: VectorSet, scope: list[int] | None, most: int
) -> int:
    """How many vectors are in scope; counted no further than just above ``most``."""
    count = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM chunk_vectors WHERE vector_set = ?1"
        " AND (?2 IS NULL OR document IN (SELECT value FROM json_each(?2))) LIMIT ?3)",
        (which.id, None if scope is None else json.dumps(scope), most + 1),
    ).get
    return int(count)


def nearest_plain(
    connection: apsw.Connection,
    which: VectorSet,
    function: str,
    query: bytes,
    k: int,
    scope: list[int] | None,
) -> list[Near]:
    """The ``k`` nearest of all, compared as a whole."""
    rows = connection.execute(
        f"SELECT c.chunk, c.document, {_distance(function)} AS distance"
        " FROM chunk_vectors c JOIN vectors v ON v.id = c.vector WHERE c.vector_set = ?2"
        " AND (?3 IS NULL OR c.document IN (SELECT value FROM json_each(?3)))"
        " ORDER BY distance, c.chunk LIMIT ?4",
        (query, which.id, None if scope is None else json.dumps(scope), k, *_sizes(which)),
    )
    return [Near(*row) for row in rows]


def nearest_coarse(
    connection: apsw.Connection,
    which: VectorSet,
    function: str,
    query: bytes,
    k: int,
    scope: list[int] | None,
) -> list[Near]:
    """The ``k`` nearest of those whose coarse vectors are."""
    many = min(K_MOST, max(CANDIDATES, PER_HIT * k))
    found = _coarse(connection, which, query, many, max(k, many // 4), scope)
    chunks = dict.fromkeys(number >> PART_BITS for _, number in found)
    rows = connection.execute(
        f"SELECT c.chunk, c.document, {_distance(function)} AS distance"
        # CROSS JOIN keeps this order: SQLite would begin with all chunks.
        " FROM json_each(?3) j CROSS JOIN chunk_vectors c ON c.chunk = j.value"
        " AND c.vector_set = ?2 CROSS JOIN vectors v ON v.id = c.vector"
        " ORDER BY distance, c.chunk LIMIT ?4",
        (query, which.id, json.dumps(list(chunks)), k, *_sizes(which)),
    )
    return [Near(*row) for row in rows]


def _distance(function: str) -> str:
    """The distance of the nearest of the vectors in ``v.vector``; most have one alone."""
    return (
        f"CASE length(v.vector) WHEN ?5 THEN {function}(v.vector, ?1) ELSE"
        f" (SELECT min({function}(substr(v.vector, 1 + p.value * ?5, ?5), ?1)) FROM json_each(?6) p"
        " WHERE p.value * ?5 < length(v.vector)) END"
    )


def _sizes(which: VectorSet) -> tuple[int, str]:
    return which.dimension * 4, _PARTS


def _coarse(
    connection: apsw.Connection,
    which: VectorSet,
    query: bytes,
    many: int,
    least: int,
    scope: list[int] | None,
) -> list[tuple[float, int]]:
    """The ``least`` to ``many`` coarse vectors nearest to ``query``: bits that differ, number.

    To choose many at once takes sqlite-vec far longer than to compare: it goes through all once for
    each. So a few are asked for, and then all within a distance that these tell, by which next to
    nothing is left to choose from.
    """

    def ask(k: int, within: float | None) -> list[tuple[float, int]]:
        statement = (
            f"SELECT distance, rowid FROM {bits_table(which)}"
            " WHERE bits MATCH vec_quantize_binary(?1) AND k = ?2"
        )
        values: tuple[Any, ...] = (query, k)
        if within is not None:
            statement += " AND distance <= ?3"
            values += (within,)
        found: list[Any] = []
        if scope is None:
            found += connection.execute(statement, values)
            return found
        statement += f" AND document = ?{len(values) + 1}"
        for document in scope:
            found += connection.execute(statement, (*values, document))
        return found

    first = nsmallest(FIRST, ask(FIRST, None))
    if len(first) < FIRST or many <= FIRST:
        return first
    for reach in (REACH, 2 * REACH, 4 * REACH):
        found = ask(K_MOST, first[-1][0] + reach * which.dimension)
        if len(found) >= least:
            return nsmallest(many, found)
    return nsmallest(many, ask(least, None))
