"""What chunks are about, without their texts: kept for the next query."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from datasheet_lsp.index import Brief, Index, StoredChunk
from datasheet_lsp.search.names import Target, family, squash

_KEPT = 8_000
_TEXTS = 2_000
_NUMBER = re.compile(r"[A-Za-z_](\d{1,2})$")


class About(msgspec.Struct, frozen=True):
    """A chunk with the names that ranking compares, in small letters without signs.

    ``topic`` is the kind of peripheral or the chapter; ``paths`` the SVD registers it describes
    ("USART2.BRR"); ``words`` are those of its headings with its peripheral, ``title`` those of the
    last heading alone.
    """

    brief: Brief
    topic: tuple[int, str] | str
    paths: tuple[str, ...]
    words: frozenset[str]
    kinds: frozenset[str]
    title: frozenset[str]
    numbers: frozenset[str]
    """The numbers at the ends of the last heading's words: 5 of GPIO5."""

    @property
    def is_register(self) -> bool:
        """Whether the chunk is the description of a register."""
        return self.brief.kind in ("svd", "register")

    @property
    def is_overview(self) -> bool:
        """Whether the chunk lists the registers of a peripheral."""
        return self.brief.kind == "svd" and len(self.brief.heading_path) == 1


def about(brief: Brief, depth: int = 1) -> About:
    """What a chunk is about. Of its headings the first ``depth`` tell the topic."""
    words = {squash(word) for title in brief.heading_path for word in _words(title)}
    words |= {squash(symbol.partition(".")[0]) for symbol in brief.symbols[-1:]}
    names = {word for title in brief.heading_path for word in _words(title)}
    last = brief.heading_path[-1] if brief.heading_path else ""
    described = brief.symbols if brief.kind in ("svd", "register") else ()
    return About(
        brief=brief,
        topic=_topic(brief, depth),
        paths=tuple(symbol for symbol in described if "." in symbol),
        words=frozenset(words),
        kinds=frozenset(words | {squash(family(word)) for word in names | set(words)}),
        title=frozenset(squash(word) for word in _words(last)),
        numbers=frozenset(found[1] for word in _words(last) if (found := _NUMBER.search(word))),
    )


def _topic(brief: Brief, depth: int) -> tuple[int, str] | str:
    if brief.kind == "svd":
        return squash(family(brief.heading_path[0].partition(",")[0]))
    if brief.symbols:
        return squash(family(brief.symbols[-1].partition(".")[0]))
    return brief.document, " > ".join(brief.heading_path[:depth])


def is_about(chunk: About, target: Target) -> bool:
    """Whether a chunk describes a register: of the SVD, matched with it in a manual, or by title.

    A title counts that has the register's name with the peripheral's or its family's before it.
    """
    symbols = chunk.brief.symbols
    if chunk.is_register:
        if target.path in symbols or target.template in symbols:
            return True
        register = target.path.partition(".")[2]
        if chunk.brief.kind == "svd":
            return register in symbols and target.peripheral in symbols
    register = squash(target.path.partition(".")[2])
    wanted = {squash(name) + register for name in (target.peripheral, family(target.peripheral))}
    return not wanted.isdisjoint(chunk.title)


def _words(title: str) -> list[str]:
    return title.replace("(", " ").replace(")", " ").replace(",", " ").replace("/", " ").split()


class Library:
    """The chunks of an index, the last ones that were looked at kept in memory.

    ``depths`` has for documents how many headings tell what a chunk is about, else the first does.
    """

    def __init__(self, index: Index, depths: Mapping[int, int] | None = None) -> None:
        self.index = index
        self._depths = depths or {}
        self._abouts: OrderedDict[int, About] = OrderedDict()
        self._chunks: OrderedDict[int, StoredChunk] = OrderedDict()

    def abouts(self, chunks: Iterable[int]) -> dict[int, About]:
        """What these chunks are about; those that are gone are left out."""
        wanted = list(chunks)
        missing = [number for number in wanted if number not in self._abouts]
        if missing:
            for brief in self.index.briefs(missing):
                self._abouts[brief.id] = about(brief, self._depths.get(brief.document, 1))
        found = {}
        for number in wanted:
            each = self._abouts.get(number)
            if each is not None:
                self._abouts.move_to_end(number)
                found[number] = each
        while len(self._abouts) > _KEPT:
            self._abouts.popitem(last=False)
        return found

    def chunk(self, number: int) -> StoredChunk | None:
        """A chunk with its text."""
        found = self._chunks.get(number)
        if found is None:
            found = self.index.chunk(number)
            if found is not None:
                self._chunks[number] = found
                if len(self._chunks) > _TEXTS:
                    self._chunks.popitem(last=False)
        else:
            self._chunks.move_to_end(number)
        return found
