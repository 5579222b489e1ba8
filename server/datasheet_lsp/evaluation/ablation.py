"""What each part of the search brings: built up from one arm alone, and left out one at a time."""

from __future__ import annotations

from typing import Any

import msgspec

from datasheet_lsp.search import Mode, SearchSettings

BARE: dict[str, Any] = {
    "boosts": False,
    "registers_first": False,
    "topics": 0.0,
    "overview": 0.0,
    "core": 0.0,
    "twins": False,
    "longest": 1,
    "widen": False,
    "functions": 0,
    "reranked": 0,
}
"""Both arms fused, and nothing else."""

_BOOSTS = ("boosts", "registers_first", "topics", "overview", "core")
_NEIGHBOURS = ("twins", "longest", "widen")


class Row(msgspec.Struct, frozen=True):
    """A way of searching: what is changed of the settings that are in use."""

    name: str
    change: dict[str, Any] = {}
    mode: Mode | None = None
    """Another mode than the one that is looked into."""


def _without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in BARE.items() if name not in names}


LADDER: tuple[Row, ...] = (
    Row("vectors alone", BARE, "vector"),
    Row("words alone", BARE, "keyword"),
    Row("both, fused", BARE),
    Row("+ boosts", _without(*_BOOSTS)),
    Row("+ functions that are likely meant", _without(*_BOOSTS, "functions")),
    Row("+ reranking", _without(*_BOOSTS, "functions", "reranked")),
    Row("+ neighbours: all parts", {}),
)
"""Each with what the one before has."""

LEFT_OUT: tuple[Row, ...] = (
    Row("without chunks of SVD files", {"svd": False}),
    Row("without the headings' words", {"headings": False}),
    Row("without device scope", {"scope": False}),
    Row("without synonyms and abbreviations", {"synonyms": False}),
    Row("without functions that are likely meant", {"functions": 0}),
    Row("without places for the question's own words", {"literal": 0}),
    Row("without mended spellings", {"corrections": False}),
    Row("without the share of words met", {"coverage": 0.0}),
    Row("without scores shared by a register's chunks", {"shared": 0.0}),
    Row("without the first of each arm", {"first": 0.0}),
    Row("without topics", {"topics": 0.0}),
    Row("without boosts", {"boosts": False}),
    Row("without named registers first", {"registers_first": False}),
    Row("without lists of registers lowered", {"overview": 0.0}),
    Row("without the core's manual lowered", {"core": 0.0}),
    Row("without registers told once", {"twins": False}),
    Row("without folding of what is nearly equal", {"fold": False}),
    Row("any number of chunks of a section", {"per_section": 0}),
    Row("without the parts of a question", {"parts": 0}),
    Row("without passages that take in neighbours", {"longest": 1, "widen": False}),
)
"""All parts but one."""

PLAIN_TABLES = "tables as plain text, words alone"
"""A row of an index of its own."""


def rows(modes_with_vectors: bool, with_reranker: bool) -> list[Row]:
    """The rows that can be measured: some need vectors, one a reranker."""
    found = [
        row
        for row in (*LADDER, *LEFT_OUT)
        if (modes_with_vectors or (row.mode != "vector" and row.change is not BARE))
        and (with_reranker or "+ reranking" != row.name)
    ]
    if not modes_with_vectors:
        found.insert(0, Row("words alone", BARE, "keyword"))
        found = [row for row in found if row.change.get("first") != 0.0]
    return found


def changed(settings: SearchSettings, row: Row) -> SearchSettings:
    """The settings of a row."""
    return msgspec.structs.replace(settings, **row.change)
