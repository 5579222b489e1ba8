"""Values at a place in C code: what a line writes, what a macro or a number means there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from datasheet_lsp.firmware import Resolved, Source
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.fields import FieldName
from datasheet_lsp.firmware.numbers import Number, number_at
from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Location, Lookup

if TYPE_CHECKING:
    from datasheet_lsp.firmware.headers import Headers

_READERS: WeakKeyDictionary[Source, tuple[tuple[int, ...], Reader]] = WeakKeyDictionary()


def reader_of(source: Source, lookups: Sequence[Lookup], headers: Headers | None = None) -> Reader:
    """The reader of a text for these devices, kept as long as the text."""
    key = (id(headers), *(id(lookup) for lookup in lookups))
    known = _READERS.get(source)
    if known is None or known[0] != key:
        known = _READERS[source] = (key, Reader(source, lookups, headers))
    return known[1]


def written_at(reader: Reader, resolved: Resolved) -> RegisterAccess | None:
    """The write of the register that ``resolved`` names at its place, None where it is none."""
    found = [
        access
        for access in reader.near(resolved.start, reads=False)
        if access.writes and access.start < resolved.end and resolved.start < access.end
    ]
    first = resolved.locations[0]
    same = [a for a in found if a.resolved.locations[0].address == first.address]
    return same[0] if same else None


class Meant(msgspec.Struct, frozen=True):
    """A macro or number that stands for bits of a register, ``start`` to ``end`` of the file."""

    start: int
    end: int
    field: FieldName | None = None
    number: Number | None = None
    value: int | None = None

    @property
    def locations(self) -> tuple[Location, ...]:
        """The fields, or the register."""
        if self.field is not None:
            return self.field.locations
        assert self.number is not None
        return (self.number.location,)


def bits_at(reader: Reader, offset: int) -> Meant | None:
    """What the macro or number at ``offset`` means as bits, None where that is not sure."""
    leaf = reader.leaf(offset)
    if leaf is None:
        return None
    if leaf.type == "identifier":
        name = leaf.text.decode("ascii", "replace") if leaf.text else ""
        field = reader.field(name)
        if field is not None:
            value = reader.value(name)
            agrees = value is None or field.number is None or value == field.number
            if agrees:
                return Meant(leaf.start_byte, leaf.end_byte, field=field, value=value)
    number = number_at(reader, leaf, offset)
    if number is None:
        return None
    return Meant(number.start, number.end, number=number, value=number.value)
