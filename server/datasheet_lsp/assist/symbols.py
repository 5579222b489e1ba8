"""Finding peripherals, registers and fields of the chip by a name or an address typed in part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import msgspec
from rapidfuzz import fuzz, process

from datasheet_lsp.model import Device, Location, Lookup

LIMIT = 100
"""Symbols returned at most."""

CUTOFF = 70.0
"""Likeness in percent from which a name that does not contain the query is taken for it."""

Kind = Literal["peripheral", "register", "field"]

_ADDRESS = re.compile(r"(0x)?([0-9a-f]+)(?:u?l{0,2})", re.IGNORECASE)


class Symbol(msgspec.Struct, frozen=True):
    """Something found. ``label`` is what is listed: the name, with the address if it was asked."""

    kind: Kind
    label: str
    location: Location

    @property
    def line(self) -> int:
        """The 1-based line in the SVD file."""
        place = self.location
        return (place.field or place.register or place.peripheral).line


def fold(text: str) -> str:
    """A name without what people leave out: ``USART2->CR1`` and ``usart2.cr1`` are alike."""
    return re.sub(r"[^0-9a-z]+", "", text.casefold())


class SymbolTable:
    """The names of one device, made ready once."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup

    @cached_property
    def places(self) -> list[Location]:
        """Every peripheral, followed by its registers."""
        device = self.lookup.device
        found: list[Location] = []
        for peripheral in device.peripherals:
            found.append(Location(device, peripheral))
            found.extend(Location(device, peripheral, r) for r in peripheral.registers)
        return found

    @cached_property
    def folded(self) -> list[str]:
        """The folded name of each place."""
        return [fold(place.path) for place in self.places]

    @cached_property
    def by_name(self) -> dict[str, list[Location]]:
        """Registers by the folded last part of their name, whatever their peripheral."""
        table: dict[str, list[Location]] = {}
        for place in self.places:
            if place.register is not None:
                table.setdefault(fold(place.register.name), []).append(place)
        return table

    @cached_property
    def fields(self) -> dict[str, list[Location]]:
        """Fields by folded name."""
        table: dict[str, list[Location]] = {}
        device = self.lookup.device
        names: dict[str, str] = {}
        for peripheral, register in device.walk():
            for field in register.fields:
                key = names.get(field.name)
                if key is None:
                    key = names[field.name] = fold(field.name)
                table.setdefault(key, []).append(Location(device, peripheral, register, field))
        return table

    def prepare(self) -> SymbolTable:
        """Builds all tables now; some 30 ms for a large device."""
        _ = self.folded, self.by_name, self.fields
        return self

    def named(self, query: str, limit: int) -> list[tuple[float, Location]]:
        """Places whose name is like ``query``, each with a mark, the best mark highest.

        Marks: 400 the very name, 350 a register of that name in any peripheral, 300 a field of
        that name, 200 begins with it, 100 contains it, below that the likeness in percent;
        shorter names first within a mark.
        """
        folded = fold(query)
        if not folded:
            return []
        found: dict[int, tuple[float, Location]] = {}
        for index, name in enumerate(self.folded):
            if folded in name:
                mark = 400.0 if name == folded else 200.0 if name.startswith(folded) else 100.0
                found[index] = (mark - len(name) / 100, self.places[index])
        if len(found) < limit:
            for _, score, index in process.extract(
                folded, self.folded, scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=limit
            ):
                found.setdefault(index, (score, self.places[index]))
        registers = [(350.0, place) for place in self.by_name.get(folded, ())]
        fields = [(300.0, place) for place in self.fields.get(folded, ())]
        fields += [(400.0, place) for place in self.lookup.find(query) if place.field is not None]
        return [*registers, *found.values(), *fields]


def parse_address(query: str) -> int | None:
    """The address a query means, None where it is a name. Bare digits count from six on."""
    match = _ADDRESS.fullmatch(re.sub(r"[\s_']", "", query))
    if match is None:
        return None
    digits = match[2]
    if not match[1] and (len(digits) < 6 or not any(c.isdigit() for c in digits)):
        return None
    return int(digits, 16)


def _kind(place: Location) -> Kind:
    if place.field is not None:
        return "field"
    return "register" if place.register is not None else "peripheral"


def at_address(device: Device, lookup: Lookup, address: int) -> list[Symbol]:
    """What is at ``address``, labelled with it: peripherals that begin there, its registers.

    Where there is neither, the peripheral whose address range has it.
    """
    places = [Location(device, p) for p in device.peripherals if p.base_address == address]
    places += lookup.containing(address)
    if not places and (owner := lookup.owner(address)) is not None:
        places = [Location(device, owner)]
    label = f"0x{address:08X}"
    return [Symbol(_kind(place), f"{label} {place.path}", place) for place in places]


def symbols(query: str, tables: Sequence[SymbolTable], limit: int = LIMIT) -> list[Symbol]:
    """What ``query`` may mean in the devices of ``tables``, the likeliest first.

    An empty query lists the peripherals.
    """
    query = query.strip()
    if not query:
        places = [
            Location(table.lookup.device, peripheral)
            for table in tables
            for peripheral in table.lookup.device.peripherals
        ]
        return [Symbol("peripheral", place.path, place) for place in places[:limit]]
    found: list[Symbol] = []
    if (address := parse_address(query)) is not None:
        for table in tables:
            found.extend(at_address(table.lookup.device, table.lookup, address))
    marked = [hit for table in tables for hit in table.named(query, limit)]
    marked.sort(key=lambda hit: -hit[0])
    seen: set[tuple[int, str]] = set()
    for _, place in marked:
        key = (id(place.device), place.path)
        if key not in seen:
            seen.add(key)
            found.append(Symbol(_kind(place), place.path, place))
    return found[:limit]
