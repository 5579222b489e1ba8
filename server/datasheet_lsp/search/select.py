"""From an order of chunks to the few passages that are handed over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec

from datasheet_lsp.index import Brief, StoredChunk
from datasheet_lsp.search.about import About
from datasheet_lsp.search.hits import Scored
from datasheet_lsp.search.settings import SearchSettings

_FIRST = 3
_FULL = 0.9
_DIGITS = re.compile(r"0x[0-9A-Fa-f]+(?: [0-9A-Fa-f]{4})*|\d+")
_SVD_END = re.compile(r"\n*`0x[^`]*`, [^\n]*$|\n*The same in [^\n]*")


class Passage(msgspec.Struct):
    """Neighbouring chunks of one section; ``best`` is the one that was found."""

    best: StoredChunk
    scored: Scored
    parts: list[StoredChunk]
    tokens: int

    def takes(self, other: Brief, most: int) -> bool:
        """Whether ``other`` may come into this passage, which has ``most`` tokens at the most.

        It does where it stands right before or behind in the same section or one next to it, and
        as another register of the same peripheral in an SVD file.
        """
        best = self.best.chunk
        if other.document != self.best.document or self.tokens + other.tokens > most:
            return False
        if best.kind == "svd":
            return not self.scored.first and best.heading_path[0] == other.heading_path[0]
        if other.number not in (self.parts[0].chunk.number - 1, self.parts[-1].chunk.number + 1):
            return False
        return other.section == best.section or (
            other.heading_path[:-1] == best.heading_path[:-1] and len(best.heading_path) > 1
        )

    def add(self, other: StoredChunk) -> None:
        """Take in a neighbour."""
        self.parts.append(other)
        # What was found of an SVD file stays first: registers are no running text.
        first = self.best.id if self.best.chunk.kind == "svd" else None
        self.parts.sort(key=lambda part: (part.id != first, part.chunk.number))
        self.tokens += other.chunk.tokens


class Selector:
    """Picks the passages for one query. ``chunk`` gives a chunk by its number."""

    def __init__(
        self,
        chunk: Callable[[int], StoredChunk | None],
        k: int,
        budget: int,
        settings: SearchSettings,
        devices: Mapping[int, tuple[str, ...]],
    ) -> None:
        self.chunk = chunk
        self.k = k
        self.budget = budget
        self.settings = settings
        self.devices = devices
        self.passages: list[Passage] = []
        self.used = 0
        self._seen: set[object] = set()
        self._sections: Counter[tuple[int, int]] = Counter()

    def select(self, order: Iterable[Scored], abouts: Mapping[int, About]) -> list[Passage]:
        """At most ``k`` passages of at most ``budget`` tokens together, best first.

        Registers and texts of the same devices that differ in numbers alone are shown once; of a
        section come at most as many chunks as the settings say; neighbours become one passage.
        """
        ranked = [each for each in order if each.chunk in abouts]
        if self.settings.twins:
            ranked = without_twins(ranked, abouts)
        lead = _leading([each for each in ranked if each.first], abouts)
        leading = {each.chunk for each in lead}
        for each in [*lead, *(each for each in ranked if each.chunk not in leading)]:
            if not self._take(each, abouts[each.chunk]):
                break
        return self.passages

    def _take(self, each: Scored, about: About) -> bool:
        """Take a chunk in if it may come; whether to go on."""
        brief = about.brief
        section = (brief.document, brief.section)
        settings = self.settings
        if len(self.passages) >= self.k and (
            self.used >= self.budget * _FULL or len(self._sections) > 4 * self.k
        ):
            return False
        if settings.per_section and self._sections[section] >= settings.per_section:
            return True
        if self.used + brief.tokens > self.budget:
            return True
        near = next((p for p in self.passages if p.takes(brief, settings.longest)), None)
        if near is None and len(self.passages) >= self.k:
            return True  # full, but a neighbour of what is there may still come in
        stored = self.chunk(each.chunk)
        if stored is None:
            return True
        key = self.devices.get(brief.document, ()), same_key(stored)
        if settings.fold and key in self._seen:
            return True
        self._seen.add(key)
        self._sections[section] += 1
        self.used += brief.tokens
        if near is not None:
            near.add(stored)
        else:
            self.passages.append(Passage(stored, each, [stored], brief.tokens))
        return True


def without_twins(ranked: list[Scored], abouts: Mapping[int, About]) -> list[Scored]:
    """The order with each register told once: by the manual, where that describes it too.

    What the SVD file says of it is in the manual most often, with more. Registers that the query
    names are left alone.
    """
    told: dict[str, Scored] = {}
    for each in ranked:
        if abouts[each.chunk].brief.kind == "register":
            for path in abouts[each.chunk].paths:
                told.setdefault(path, each)
    result: dict[int, Scored] = {}
    for each in ranked:
        about = abouts[each.chunk]
        twin = None
        if about.brief.kind == "svd" and not each.first:
            twin = next((told[path] for path in about.paths if path in told), None)
        if twin is None:
            result.setdefault(each.chunk, each)
        elif not twin.first:
            result.setdefault(twin.chunk, twin)
    return list(result.values())


def _leading(named: list[Scored], abouts: Mapping[int, About]) -> list[Scored]:
    """Of the chunks of the registers that are named those that come before all else.

    The SVD's own words and the manual's in turn, so that one does not keep out the other.
    """
    lead: list[Scored] = []
    kinds: Counter[str] = Counter()
    for each in named:
        kind = "svd" if abouts[each.chunk].brief.kind == "svd" else "manual"
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
