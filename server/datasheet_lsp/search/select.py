"""From an order of chunks to the few passages that are handed over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec

from datasheet_lsp.index import StoredChunk
from datasheet_lsp.search.hits import Scored
from datasheet_lsp.search.settings import SearchSettings

_FIRST = 3
_DIGITS = re.compile(r"0x[0-9A-Fa-f]+(?: [0-9A-Fa-f]{4})*|\d+")
_SVD_END = re.compile(r"\n*`0x[^`]*`, [^\n]*$|\n*The same in [^\n]*")


class Passage(msgspec.Struct):
    """Neighbouring chunks of one section; ``best`` is the one that was found."""

    best: StoredChunk
    scored: Scored
    parts: list[StoredChunk]
    tokens: int

    def reaches(self, other: StoredChunk) -> bool:
        """Whether ``other`` stands right before or behind."""
        return (
            other.document == self.best.document
            and other.chunk.section == self.best.chunk.section
            and other.chunk.number
            in (self.parts[0].chunk.number - 1, self.parts[-1].chunk.number + 1)
        )

    def add(self, other: StoredChunk) -> None:
        """Take in a neighbour."""
        self.parts.append(other)
        self.parts.sort(key=lambda part: part.chunk.number)
        self.tokens += other.chunk.tokens


def select(
    order: Iterable[Scored],
    chunks: Mapping[int, StoredChunk],
    k: int,
    budget: int,
    settings: SearchSettings,
    devices: Mapping[int, tuple[str, ...]],
) -> list[Passage]:
    """At most ``k`` passages of at most ``budget`` tokens together, best first.

    Registers and texts of the same devices (those of each document are in ``devices``) that differ
    in numbers alone are shown once; of a section come at most as
    many chunks as the settings say; neighbours become one passage.
    """
    passages: list[Passage] = []
    seen: set[object] = set()
    sections: Counter[tuple[int, int]] = Counter()
    sorts: Counter[bool] = Counter()
    most = -(-k * settings.balance // 5)
    used = 0
    ranked = list(order)
    named = [each for each in ranked if each.first]
    lead = _leading(named, chunks)
    for each in [*lead, *(each for each in ranked if each not in lead)]:
        stored = chunks.get(each.chunk)
        if stored is None:
            continue
        section = (stored.document, stored.chunk.section)
        if settings.per_section and sections[section] >= settings.per_section:
            continue
        key = devices.get(stored.document, ()), same_key(stored)
        if settings.fold and key in seen:
            continue
        if used + stored.chunk.tokens > budget:
            continue
        sort = stored.chunk.kind in ("svd", "register")
        if settings.balance and not each.first and sorts[sort] >= most and len(passages) < k:
            continue
        near = next((p for p in passages if p.reaches(stored)), None)
        if near is None and len(passages) >= k:
            # Full, but a neighbour of what is there may still come in.
            if len(sections) > 4 * k:
                break
            continue
        seen.add(key)
        sections[section] += 1
        used += stored.chunk.tokens
        if near is not None:
            near.add(stored)
        else:
            sorts[sort] += 1
            passages.append(Passage(stored, each, [stored], stored.chunk.tokens))
        if len(passages) >= k and used >= budget * 0.9:
            break
    return passages


def _leading(named: list[Scored], chunks: Mapping[int, StoredChunk]) -> list[Scored]:
    """Of the chunks of the registers that are named those that come before all else.

    The SVD's own words and the manual's in turn, so that one does not keep out the other.
    """
    lead: list[Scored] = []
    kinds: Counter[str] = Counter()
    for each in named:
        stored = chunks.get(each.chunk)
        if stored is None:
            continue
        kind = "svd" if stored.chunk.kind == "svd" else "manual"
        if kinds[kind] < (_FIRST - 1 if kind == "manual" else 1) or len(named) <= _FIRST:
            kinds[kind] += 1
            lead.append(each)
        if len(lead) >= _FIRST:
            break
    return lead


def same_key(stored: StoredChunk) -> object:
    """Equal for chunks that differ in numbers alone: the like registers of several instances."""
    text = stored.chunk.text
    if stored.chunk.kind == "svd":
        text = _SVD_END.sub("", text)
    return stored.chunk.kind == "svd", _DIGITS.sub("#", " ".join(text.lower().split()))


def widen(
    passages: list[Passage],
    chunk: Callable[[int], StoredChunk | None],
    budget: int,
    most: int,
) -> None:
    """Take in neighbours of the same section while ``budget`` tokens last, the best hit first.

    No passage becomes longer than ``most`` tokens. What is in another passage is left there.
    """
    taken = {part.id for passage in passages for part in passage.parts}
    used = sum(passage.tokens for passage in passages)
    for passage in passages:
        sides = {1: True, -1: True}
        while any(sides.values()):
            for step, open_ in list(sides.items()):
                if not open_:
                    continue
                edge = passage.parts[-1 if step > 0 else 0]
                other = chunk(edge.id + step)
                if (
                    other is None
                    or other.id in taken
                    or not belongs_with(passage.best, other)
                    or used + other.chunk.tokens > budget
                    or passage.tokens + other.chunk.tokens > most
                ):
                    sides[step] = False
                    continue
                passage.add(other)
                taken.add(other.id)
                used += other.chunk.tokens


def belongs_with(best: StoredChunk, other: StoredChunk) -> bool:
    """Whether a neighbour is of the same section, or of one inside or around it.

    A chapter is no section in this sense, and a register stays by itself.
    """
    if other.document != best.document:
        return False
    if other.chunk.section == best.chunk.section:
        return True
    if {"register", "svd"} & {best.chunk.kind, other.chunk.kind}:
        return False
    short, long = sorted((best.chunk.heading_path, other.chunk.heading_path), key=len)
    return len(short) >= 2 and long[: len(short)] == short
