"""What an answer is made of: its sub-queries, passages, claims and the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

Route = Literal["device", "documents", "refused"]
Origin = Literal["question", "part", "plan", "model", "hint", "hop", "rewrite", "history"]
Verdict = Literal["right", "wrong", "unsupported"]
ClaimKind = Literal["address", "offset", "bits", "reset", "name", "value"]


class SubQuery(msgspec.Struct, frozen=True):
    """What was searched for besides, and whose idea it was."""

    text: str
    origin: Origin
    about: str = ""
    """What the whole question is about, which a part of it does not say again."""


class Hop(msgspec.Struct, frozen=True):
    """A search for what a passage points to: the passage's number, and those that came of it."""

    round: int
    text: str
    because: str
    passage: int
    found: tuple[int, ...] = ()


class Piece(msgspec.Struct, frozen=True):
    """A numbered passage as it is handed over.

    Pages are 1-based physical pages, 0 for a table of registers, which is made from the SVD file;
    ``chunks`` are the numbers in the index, none for such a table. ``tokens`` counts ``heading``
    and ``text``. ``origin`` and ``query`` tell what brought it, ``provenance`` how much of the
    answer comes from it.
    """

    number: int
    text: str
    heading: str
    tokens: int
    file: str
    title: str
    revision: str
    format: str
    kind: str
    heading_path: tuple[str, ...]
    first_page: int = 0
    last_page: int = 0
    first_label: str = ""
    last_label: str = ""
    document: int = 0
    chunks: tuple[int, ...] = ()
    symbols: tuple[str, ...] = ()
    places: tuple[tuple[int, tuple[float, float, float, float]], ...] = ()
    origin: Origin = "question"
    query: str = ""
    score: float = 0.0
    provenance: float | None = None
    lines: tuple[int, ...] = ()


class Citation(msgspec.Struct, frozen=True):
    """A passage that the text refers to as ``[number]``."""

    number: int
    file: str
    title: str
    revision: str
    page: int
    last_page: int
    label: str
    heading_path: tuple[str, ...]
    lines: tuple[int, ...] = ()


class Claim(msgspec.Struct, frozen=True):
    """A number or a name in the text, checked. ``subject`` is what it is said of.

    ``start`` and ``end`` are its place in the text as it was before marks were put in.
    """

    text: str
    kind: ClaimKind
    verdict: Verdict
    subject: str = ""
    right_value: str = ""
    start: int = 0
    end: int = 0


class Answer(msgspec.Struct):
    """All of an answer. ``text`` is markdown with marks; ``prompt`` what the model was given.

    ``asked`` is the question as it stands by itself, ``plan`` the plan as it was made, ``facts``
    what the device says. Times in seconds.
    """

    question: str
    device: str | None = None
    route: Route = "documents"
    sub_queries: tuple[SubQuery, ...] = ()
    hops: tuple[Hop, ...] = ()
    chunks: tuple[Piece, ...] = ()
    text: str = ""
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    timings: dict[str, float] = {}
    facts: tuple[dict[str, Any], ...] = ()
    prompt: tuple[tuple[str, str], ...] = ()
    raw: str = ""
    model: str = ""
    plan: Any = None
    asked: str = ""


class Turn(msgspec.Struct, frozen=True):
    """A question of a conversation with what was answered, and the passages it was answered by."""

    question: str
    text: str
    device: str | None = None
    chunks: tuple[Piece, ...] = ()
    asked: str = ""
    """The question as it stands by itself, what it leaves open filled in."""


class Cancelled(Exception):
    """The answer is not wanted any more."""


class Generate(Protocol):
    """A language model: tokens for messages of (role, text). May raise; the text says why."""

    def __call__(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
    ) -> Iterator[str]:
        """The answer piece by piece."""


Event = Callable[[str, str], None]
"""Is told ``("stage", name)``, ``("text", more)`` and ``("replace", all)``; may raise Cancelled."""

Count = Callable[[str], int]


def silent(kind: str, text: str) -> None:
    """Hears nothing."""
