"""What a search gives."""

from __future__ import annotations

from typing import Literal

import msgspec

from datasheet_lsp.model.document import Place

Mode = Literal["keyword", "vector", "hybrid"]
Kind = Literal["symbol", "mixed", "words"]


class Scored(msgspec.Struct):
    """A chunk on its way through the search, with what each step gave it."""

    chunk: int
    keyword: float = 0.0
    vector: float = 0.0
    boosts: dict[str, float] = {}
    total: float = 0.0
    first: int = 0
    """Above 0 for the chunks of a register that the query names: these come before all else."""


class Hit(msgspec.Struct, frozen=True):
    """A passage that answers, with where it stands and why it was brought.

    ``text`` is the passage with its neighbours, ``chunks`` their numbers in the index, the best
    one being ``chunk``. Pages are 1-based physical pages, 0 for a passage of an SVD file; labels
    are what is printed on them. ``tokens`` counts ``text`` and ``heading`` as the embedding model
    does. ``scores`` has the arms and boosts by name.
    """

    chunk: int
    chunks: tuple[int, ...]
    document: int
    title: str
    revision: str
    file: str
    format: str
    devices: tuple[str, ...]
    kind: str
    heading_path: tuple[str, ...]
    heading: str
    text: str
    tokens: int
    first_page: int
    last_page: int
    first_label: str
    last_label: str
    places: tuple[Place, ...]
    symbols: tuple[str, ...]
    arms: tuple[str, ...]
    score: float
    scores: dict[str, float]


class Results(msgspec.Struct, frozen=True):
    """The hits, best first, with what was understood of the query and what was missing."""

    query: str
    kind: Kind
    mode: Mode
    device: str | None
    hits: tuple[Hit, ...]
    registers: tuple[str, ...] = ()
    peripherals: tuple[str, ...] = ()
    corrected: dict[str, str] = {}
    also: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
