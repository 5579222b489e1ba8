"""From addresses to what the device has there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from datasheet_lsp.firmware.conventions import plain_address, type_stem
from datasheet_lsp.firmware.locate import Place
from datasheet_lsp.firmware.names import names_of
from datasheet_lsp.firmware.reach import Reach
from datasheet_lsp.model import Field, Location, Lookup, Peripheral, Register

_WORD = re.compile(r"[A-Za-z_]\w*")
_PARTS = re.compile(r"[^A-Za-z0-9]+")
_MAX_PLACES = 256


def place_of(reach: Reach, lookup: Lookup, text: str) -> Place | None:
    """What ``reach`` is in a device; ``text`` is the code, by which those at one address rank.

    None where the device has nothing there.
    """
    words = _words(text, reach.through)
    if reach.vague:
        return _beginning(reach, lookup, words)
    if reach.kind == "address":
        return _pointed_at(reach, lookup, words)
    single = len(reach.addresses) == 1 and not reach.through
    locations: list[Location] = []
    for address in reach.addresses[:_MAX_PLACES]:
        at = ranked(registers_at(lookup, address), words)
        locations += at if single else at[:1]
    if not locations:
        return None
    if reach.through and not reach.several:
        locations = _fitting(locations, words)
    if reach.bits is not None:
        locations = [_with_field(location, reach.bits) for location in locations]
    unknown = reach.dynamic and not reach.several and len(locations) > 1 and not single
    return Place(
        "register",
        tuple(locations),
        index_unknown=unknown,
        any_of=_any_of(locations, reach) if reach.through and not single else "",
        beyond=_beyond(reach, lookup) if reach.through and len(locations) == 1 else (),
        several=reach.several,
    )


def registers_at(lookup: Lookup, address: int) -> list[Location]:
    """The registers at an address, at the one it is an alias of, or those it is inside of."""
    found = lookup.at(address)
    if found:
        return found
    plain = plain_address(lookup.device, address)
    if plain is not None and (found := lookup.at(plain) or lookup.containing(plain)):
        return found
    return lookup.containing(address)


def ranked(locations: Sequence[Location], words: frozenset[str]) -> list[Location]:
    """``locations`` with the one first that ``words`` name best."""
    if len(locations) < 2:
        return list(locations)
    return sorted(locations, key=lambda location: -_score(location, words))


def _words(text: str, further: str) -> frozenset[str]:
    found: set[str] = set()
    for word in _WORD.findall(f"{text} {further}"):
        upper = word.upper()
        found.add(upper)
        found.update(part for part in _PARTS.split(upper) if part)
        found.update(upper.split("_"))
    return frozenset(found)


def _score(location: Location, words: frozenset[str]) -> float:
    name = location.peripheral.name.upper()
    score = 4.0 if name in words else 2.0 if name.rstrip("0123456789") in words else 0.0
    if location.register is not None:
        path = location.register.path.upper()
        if location.register.name.upper() in words:
            score += 2.0
        parts = [part for part in re.split(r"[^A-Z0-9]+", path) if part]
        if parts:
            score += sum(part in words for part in parts) / len(parts)
    return score


def _fitting(locations: list[Location], words: frozenset[str]) -> list[Location]:
    """Of the instances of a struct those where the device has the same register."""
    if len(locations) < 2:
        return locations
    best = max(locations, key=lambda location: _score(location, words))
    assert best.register is not None
    offset = best.register.offset
    same = [
        at
        for at in locations
        if at.register is not None
        and (at.register.template == best.register.template or at.register.offset == offset)
    ]
    # Elements that are pointers of their own, DMA1_Stream0 and so on, have other offsets.
    return same if len(same) > len(locations) // 2 else locations


def kind_of(locations: Sequence[Location]) -> str:
    """``USART`` for registers of USART1, USART2 and so on; "" where they share no name."""
    names = list(dict.fromkeys(location.peripheral.name for location in locations))
    stems = {re.sub(r"\d+$|(?<=[A-Za-z]{3})[A-Z]$", "", name) for name in names}
    if len(names) > 1 and len(stems) == 1:
        return stems.pop()
    return ""


def _beyond(reach: Reach, lookup: Lookup) -> tuple[int, ...]:
    """Where other instances, which the device has, would have the register it has in one alone."""
    bases = {peripheral.base_address for peripheral in lookup.device.peripherals}
    return tuple(
        address
        for address in reach.addresses[:_MAX_PLACES]
        if not registers_at(lookup, address) and address - reach.offset in bases
    )


def _any_of(locations: Sequence[Location], reach: Reach) -> str:
    """What instances are called together: by their own names, else by the type of the struct."""
    if len(locations) < 2:
        return ""
    return kind_of(locations) or type_stem(reach.through)


def _with_field(location: Location, bits: tuple[int, int]) -> Location:
    field = field_at(location.register, bits)
    if field is None:
        return location
    return Location(location.device, location.peripheral, location.register, field)


def field_at(register: Register | None, bits: tuple[int, int]) -> Field | None:
    """The field of exactly these bits (lowest, width)."""
    if register is None:
        return None
    low, width = bits
    return next((f for f in register.fields if f.lsb == low and f.width == width), None)


def _beginning(reach: Reach, lookup: Lookup, words: frozenset[str]) -> Place | None:
    """Something further on from an address: the peripheral, or an array of registers."""
    if len(reach.addresses) != 1 or reach.through:
        return None
    address = reach.addresses[0]
    bases = [p for p in lookup.device.peripherals if p.base_address == address]
    locations = ranked([Location(lookup.device, p) for p in bases], words)
    if locations:
        return Place("peripheral", tuple(locations))
    at = ranked(lookup.at(address), words)
    if not at or at[0].register is None:
        return None
    first = at[0].register
    elements = [
        Location(lookup.device, at[0].peripheral, register)
        for register in _family(lookup, at[0].peripheral, first)
        if register.offset >= first.offset
    ]
    if len(elements) < 2:
        return None
    return Place("register", tuple(elements), index_unknown=True)


def _family(lookup: Lookup, peripheral: Peripheral, first: Register) -> list[Register]:
    """The registers of the array ``first`` is of, as the SVD has it or by their numbers."""
    same = [r for r in peripheral.registers if r.template == first.template]
    if len(same) > 1 or not first.path[-1:].isdigit():
        return same
    stem = first.path.rstrip("0123456789")
    family = names_of(lookup).members(peripheral).family(f"{stem}%s")
    if family is None:
        return same
    return [registers[0] for registers in family.elements.values()]


def _pointed_at(reach: Reach, lookup: Lookup, words: frozenset[str]) -> Place | None:
    """An address as a number or a pointer."""
    locations: list[Location] = []
    for address in reach.addresses[:_MAX_PLACES]:
        bases = [p for p in lookup.device.peripherals if p.base_address == address]
        at = [Location(lookup.device, p) for p in bases]
        locations += ranked(at or lookup.at(address), words)
    if not locations:
        return None
    kinds = {location.register is None for location in locations}
    if len(kinds) > 1 or (reach.through and True in kinds):
        return None
    any_of = _any_of(locations, reach) if reach.through else ""
    return Place("peripheral" if kinds.pop() else "register", tuple(locations), any_of=any_of)


def unique(locations: Iterable[Location]) -> list[Location]:
    """``locations`` without repetitions."""
    found: dict[tuple[int, int, int], Location] = {}
    for one in locations:
        found.setdefault((id(one.device), id(one.peripheral), id(one.register)), one)
    return list(found.values())
