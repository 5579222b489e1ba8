"""One question of the log."""

from __future__ import annotations

from typing import Literal

import msgspec


class LoggedChunk(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passage that was found: its chunk's number in the index, its place, what brought it.

    ``page`` is physical, 0 where there are none. ``scores`` has the arms and boosts by name;
    "vector" is the similarity to the question: the cosine, or less the distance.
    """

    chunk: int
    file: str
    page: int = 0
    heading: str = ""
    score: float = 0.0
    scores: dict[str, float] = {}


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question with what came of it.

    ``time`` is UTC in ISO 8601. ``seconds`` has how long each step took by name, "all" the whole.
    ``answer``, ``prompt`` and ``model`` are those of a language model, "" without one.
    """

    time: str
    query: str
    kind: Literal["search", "answer"] = "search"
    device: str | None = None
    mode: str = ""
    chunks: tuple[LoggedChunk, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = {}
    answer: str = ""
    prompt: str = ""
    model: str = ""
