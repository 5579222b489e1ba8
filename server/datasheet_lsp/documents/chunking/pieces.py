"""The pieces a section is cut into before they are packed into chunks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from datasheet_lsp.model.document import ChunkKind, Place

Count = Callable[[str], int]
"""Tokens of a text, additive over white space."""

Joint = Literal["\n\n", "\n", " "]
"""What stands between a piece and the one before it in the same chunk."""


class Head:
    """Lines that stand above each part of something that was cut: a table's caption and header."""

    __slots__ = ("text", "tokens")

    def __init__(self, text: str, tokens: int) -> None:
        self.text = text
        self.tokens = tokens


class Piece(msgspec.Struct):
    """Text that is not cut further.

    ``cost`` is what a break before it costs: 0 between paragraphs, 1 is as bad as a chunk of half
    the minimal length, from ``NEVER`` on it is not done without need. ``head`` is repeated where
    a chunk begins with the piece; pieces of one table share it.
    """

    text: str
    tokens: int
    kind: ChunkKind
    places: tuple[Place, ...]
    first_page: int
    last_page: int
    cost: float = 0.0
    joint: Joint = "\n\n"
    head: Head | None = None
    opens: bool = False  # the first piece under its head


NEVER = 50.0

_IN_PARAGRAPH = 1.5
_IN_SENTENCE = 4.0
_BETWEEN_ITEMS = 0.5
_IN_ITEM = 1.5
_IN_CODE = 0.8
_AFTER_INTRODUCTION = 3.0

_SENTENCE = re.compile(r"(?<=[.!?;])[\"')\]]?\s+(?=[\"'(\[]?[A-Z0-9])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|fig|figs|no|nos|vs|cf|rev|ref|refs|sec|sect|eq|tab|approx|max|min|typ|"
    r"resp|ch|chap|ver|vol|pp?)|\b[A-Za-z])\.$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:[-*+\u2022\u2013\u2014\u25cf\u25aa\u25cb\u25e6\u2023]|\(?\w{1,3}[.)])\s")


def pages_of(places: Sequence[Place]) -> tuple[int, int]:
    """The first and last page of some places, (0, 0) for none."""
    if not places:
        return 0, 0
    pages = [place.page for place in places]
    return min(pages), max(pages)


def sentences(text: str) -> list[str]:
    """``text`` cut after sentences; an abbreviation does not end one."""
    parts: list[str] = []
    start = 0
    for found in _SENTENCE.finditer(text):
        if _ABBREVIATED.search(text, max(start, found.start() - 12), found.start()):
            continue
        parts.append(text[start : found.end()].strip())
        start = found.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def words_within(text: str, most: int, count: Count) -> list[str]:
    """``text`` cut between words, or within those that are too long, into ``most`` tokens each."""
    parts: list[str] = []
    held: list[str] = []
    total = 0
    for word in _short_words(text.split(), most, count):
        tokens = count(word)
        if held and total + tokens > most:
            parts.append(" ".join(held))
            held, total = [], 0
        held.append(word)
        total += tokens
    if held:
        parts.append(" ".join(held))
    return parts


def _short_words(words: Iterable[str], most: int, count: Count) -> Iterable[str]:
    for word in words:
        if count(word) <= most or len(word) < 2:
            yield word
        else:
            # Halved until it fits: dots and dashes of a leader, base64, a whole file on one line.
            middle = len(word) // 2
            yield from _short_words((word[:middle], word[middle:]), most, count)


def text_pieces(
    text: str,
    kind: ChunkKind,
    places: tuple[Place, ...],
    count: Count,
    most: int,
    *,
    linear: bool = False,
) -> list[Piece]:
    """The pieces of a paragraph, list, note or code, each of at most ``most`` tokens.

    What is shorter than half of that stays whole.
    """
    if linear and kind != "code":
        text = " ".join(text.split()) if kind != "list" else _unwrapped(text)
    tokens = count(text)
    if not tokens:
        return []
    first, last = pages_of(places)
    if tokens <= most // 2:
        return [Piece(text, tokens, kind, places, first, last)]
    pieces: list[Piece] = []
    for part, cost, joint in _parts(text, kind):
        tokens = count(part)
        if tokens <= most:
            pieces.append(Piece(part, tokens, kind, places, first, last, cost, joint))
            continue
        for short in words_within(part, most, count):
            pieces.append(Piece(short, count(short), kind, places, first, last, cost, joint))
            cost, joint = _IN_SENTENCE, " "
    if pieces:
        pieces[0].cost, pieces[0].joint = 0.0, "\n\n"
    return pieces


def _parts(text: str, kind: ChunkKind) -> Iterable[tuple[str, float, Joint]]:
    """Where a text may be cut: parts with the cost of a break before each."""
    if kind == "code":
        for line in text.split("\n"):
            if line.strip():
                yield line, _IN_CODE if line[:1].isspace() else _IN_CODE / 2, "\n"
        return
    lines = text.split("\n") if kind == "list" else [text]
    for line in lines:
        begins = kind == "list" and _ITEM.match(line) is not None
        cost, joint = (_BETWEEN_ITEMS if begins else _IN_ITEM), "\n"
        for sentence in sentences(line):
            yield sentence, cost, "\n" if joint == "\n" else " "
            cost, joint = _IN_PARAGRAPH, " "


def _unwrapped(text: str) -> str:
    """A list with each item in one line."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and not _ITEM.match(line):
            lines[-1] += " " + line.strip()
        else:
            lines.append(" ".join(line.split()))
    return "\n".join(lines)


def price_joins(pieces: Sequence[Piece]) -> None:
    """Raise the cost of parting what belongs together: an introduction and what it introduces."""
    for before, piece in zip(pieces, pieces[1:], strict=False):
        if piece.joint != "\n\n" or (piece.head is not None and not piece.opens):
            continue
        if before.text.rstrip().endswith(":") or piece.kind == "note":
            extra = _AFTER_INTRODUCTION if piece.kind != "note" else _BETWEEN_ITEMS
            piece.cost = max(piece.cost, extra)
