"""A few words beside each line that writes a register."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Literal

import msgspec

from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.render.written import hint

Show = Literal["off", "names", "values"]
_KEPT = 20_000


class Hint(msgspec.Struct, frozen=True):
    """A hint that stands at the byte ``offset``, behind the statement ``start`` to ``offset``."""

    start: int
    offset: int
    text: str


class Cache:
    """Hints of functions by their text, so that a change costs the function it is in alone.

    ``epoch`` stands for all that the meaning of a function depends on besides its text.
    """

    def __init__(self) -> None:
        self._epoch: object = None
        self._known: OrderedDict[bytes, tuple[tuple[int, int, str], ...]] = OrderedDict()

    def of(self, epoch: object) -> OrderedDict[bytes, tuple[tuple[int, int, str], ...]]:
        """What is known under ``epoch``; everything else is forgotten."""
        if epoch != self._epoch:
            self._epoch = epoch
            self._known.clear()
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return self._known


def hints(
    reader: Reader, start: int, end: int, show: Show, cache: Cache | None = None
) -> list[Hint]:
    """The hints of the lines from ``start`` to ``end``, in bytes; whole functions are worked out.

    ``cache`` is that of the file as it is edited.
    """
    if show == "off":
        return []
    known = (cache or Cache()).of((reader.epoch, show))
    found: list[Hint] = []
    data = reader.source.data
    for unit in reader.units(start, end):
        text = data[unit.start_byte : unit.end_byte]
        placed = known.get(text)
        if placed is None:
            made = _hints(reader, reader.unit(unit, reads=False), show)
            base = unit.start_byte
            placed = known[text] = tuple((a - base, b - base, said) for a, b, said in made)
        found += [
            Hint(a + unit.start_byte, b + unit.start_byte, said)
            for a, b, said in placed
            if start <= b + unit.start_byte <= end
        ]
    found.sort(key=lambda one: one.offset)
    return found


def _hints(
    reader: Reader, accesses: list[RegisterAccess], show: Show
) -> Iterator[tuple[int, int, str]]:
    """Start and end of a statement with what is said of it; several writes in one are joined."""
    by_statement: dict[tuple[int, int], list[str]] = {}
    for access in accesses:
        start, end = access.statement
        statement = reader.source.code[start:end].decode("ascii", "replace")
        said = hint(access, statement, values=show == "values")
        if said and said not in by_statement.setdefault(access.statement, []):
            by_statement[access.statement].append(said)
    for (start, end), texts in by_statement.items():
        if texts:
            yield start, end, "; ".join(texts[:2])
