"""What the device does not have: peripherals, registers, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from datasheet_lsp.assist.findings import Finding, Severity
from datasheet_lsp.firmware import resolve_at
from datasheet_lsp.firmware.accesses import Node, Reader
from datasheet_lsp.firmware.names import names_of
from datasheet_lsp.model import Location, Lookup
from datasheet_lsp.render import diagnostics as say

_FAMILY = re.compile(r"([A-Z]{2,}[A-Z0-9]*?)(\d{1,2}|[A-K])")
_LOWEST, _HIGHEST = 0x4000_0000, 0x5FFF_FFFF
_BIT_BAND = range(0x4200_0000, 0x4400_0000)
_ALIASES = 0x3000
"""The copies of the registers of some devices that set, clear and toggle bits."""


def check_unresolved(reader: Reader, node: Node, declared: set[str]) -> Iterator[Finding]:
    """The mistakes of an access that leads to no known register."""
    if node.type == "field_expression":
        yield from _member(reader, node, declared)
    elif node.type == "pointer_expression":
        yield from _address(reader, node)


def _member(reader: Reader, node: Node, declared: set[str]) -> Iterator[Finding]:
    base = node.child_by_field_name("argument")
    member = node.child_by_field_name("field")
    operator = node.child_by_field_name("operator")
    if base is None or member is None or operator is None or operator.type != "->":
        return
    name = reader.text(base)
    if base.type != "identifier" or name.islower() or name in declared:
        return
    if not reader.declares(name) and (known := _family(reader.lookups, name)):
        device = reader.lookups[0].device.name
        said = say.unknown_peripheral(name, device, known)
        yield Finding("unknown-peripheral", "warning", said, base.start_byte, base.end_byte)
        return
    word = reader.text(member)
    found = resolve_at(reader.source, base.start_byte, reader.lookups, reader.headers)
    if found is None or found.kind != "peripheral" or len(found.locations) != 1:
        return
    if not word.isupper() or len(word) < 2 or reader.has_member(name, word):
        return
    if any(names_of(lookup).bases(word) for lookup in reader.lookups):
        return  # code that is being written: USART2-> before a line that begins with GPIOA->
    location = found.locations[0]
    if location.peripheral.registers and not found.any_of:
        said = say.unknown_register(location, word)
        at = (member.start_byte, member.end_byte)
        yield Finding("unknown-register", "information", said, *at, location)


def _family(lookups: Sequence[Lookup], name: str) -> list[str]:
    """The peripherals that differ from ``name`` in the number alone, [] where it is one itself."""
    found = _FAMILY.fullmatch(name)
    if found is None:
        return []
    stem, last = found[1], found[2]
    kind = re.compile(re.escape(stem) + (r"\d{1,2}" if last.isdigit() else "[A-K]"))
    known: list[str] = []
    for lookup in lookups:
        if names_of(lookup).bases(name):
            return []
        same = [p.name for p in lookup.device.peripherals if kind.fullmatch(p.name)]
        if len(same) < 2:
            return []
        known = same
    return sorted(known, key=lambda one: (len(one), one))


def _address(reader: Reader, node: Node) -> Iterator[Finding]:
    """``*(volatile uint32_t *)0x40004444`` where nothing is."""
    pointer = node.child_by_field_name("argument")
    while pointer is not None and pointer.type == "parenthesized_expression":
        pointer = pointer.named_children[0] if pointer.named_child_count == 1 else None
    if pointer is None or pointer.type != "cast_expression":
        return
    value = pointer.child_by_field_name("value")
    kind = pointer.child_by_field_name("type")
    if value is None or kind is None or "*" not in reader.text(kind):
        return
    address = reader.value(reader.text(value))
    if address is None or not _LOWEST <= address <= _HIGHEST or address in _BIT_BAND:
        return
    owners = []
    for lookup in reader.lookups:
        if lookup.containing(address) or lookup.containing(address & ~_ALIASES):
            return
        owners.append((lookup, lookup.owner(address)))
    lookup, owner = owners[0]
    location = None if owner is None else Location(lookup.device, owner)
    severity: Severity = "information" if any(o is None for _, o in owners) else "warning"
    said = say.no_register(address, location, _near(lookup, address))
    yield Finding("no-register", severity, said, node.start_byte, node.end_byte, location)


def _near(lookup: Lookup, address: int) -> str:
    """The register just before, where one is near."""
    for distance in range(4, 0x44, 4):
        found = lookup.at(address - distance)
        if found:
            return f" ({found[0].path} is at {address - distance:#010x})"
    return ""
