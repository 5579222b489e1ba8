"""Names of fields in C: ``USART_CR1_UE``, ``RCC_APB1ENR_USART2EN_Pos``, by the SVD's names.

Headers say what such a macro is worth. Where there are none the SVD often tells as much: its names
are those of the headers for many vendors. What vendors do differently (a name without an ending
for a field of several bits is a mask to one, a function to the other) is left unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal
from weakref import WeakKeyDictionary

import msgspec

from datasheet_lsp.firmware.conventions import HW_ALIASES
from datasheet_lsp.firmware.families import flat
from datasheet_lsp.firmware.tokens import Body, Meaning
from datasheet_lsp.model import EnumeratedValue, Location, Lookup, Peripheral, Register

Part = Literal["field", "mask", "position", "top", "bit", "value"]

_ENDINGS: tuple[tuple[str, Part], ...] = (
    ("_Msk", "mask"), ("_MSK", "mask"), ("_MASK", "mask"), ("_BITS", "mask"), ("_Mask", "mask"),
    ("_Pos", "position"), ("_POS", "position"), ("_SHIFT", "position"), ("_LSB", "position"),
    ("_MSB", "top"), ("_M", "mask"), ("_S", "position"),
)  # fmt: skip
_PLACE = re.compile(r"%s|\d+")
_MOST = 64


class FieldName(msgspec.Struct, frozen=True):
    """A field that a name of C means, with the places it may be: one for each instance.

    ``part`` is what of the field the name stands for: its mask, its position, bit ``bit`` of it,
    an enumerated ``value``, or just the field. ``number`` is what it is worth, None where headers
    of different vendors have different numbers.
    """

    name: str
    locations: tuple[Location, ...]
    part: Part
    number: int | None
    bit: int = 0
    value: EnumeratedValue | None = None

    @property
    def meaning(self) -> Meaning:
        """The macro it is in C."""
        if self.number is not None:
            return Body(f"{self.number:#x}U")
        field = self.locations[0].field
        if self.part == "field" and field is not None:
            return Body(f"(((uint32_t)(x) << {field.lsb}) & {field.mask:#x}U)", ("x",))
        return None


class FieldNames:
    """The names of one device's fields, found when they are asked for."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._known: dict[str, FieldName | None] = {}
        self._blocks: dict[int, dict[str, list[Register]]] = {}
        self._owners: dict[str, list[Peripheral]] = {}
        for peripheral in lookup.device.peripherals:
            for name in called(peripheral):
                self._owners.setdefault(name, []).append(peripheral)

    def find(self, name: str) -> FieldName | None:
        """The field that ``name`` means, None where it is none or several that differ."""
        if name not in self._known:
            if len(self._known) > 50_000:
                self._known.clear()
            self._known[name] = self._find(name) if name.count("_") >= 1 else None
        return self._known[name]

    def _find(self, name: str) -> FieldName | None:
        found = self._exact(name)
        if found:
            field = found[0].field
            assert field is not None
            number = field.mask if field.width == 1 else None
            return FieldName(name, found, "field", number)
        for ending, part in _ENDINGS:
            if name.endswith(ending) and (found := self._exact(name.removesuffix(ending))):
                field = found[0].field
                assert field is not None
                number = {"mask": field.mask, "position": field.lsb, "top": field.msb}[part]
                return FieldName(name, found, part, number)
        return self._enumerated(name) or self._one_bit(name)

    def _one_bit(self, name: str) -> FieldName | None:
        """ST: FIELD_0 is the lowest bit of FIELD."""
        stem, _, last = name.rpartition("_")
        found = self._exact(stem)
        if not found or found[0].field is None or found[0].field.enumerated_values:
            return None
        field = found[0].field
        if not last.isdecimal() or len(last) > 2 or int(last) >= field.width or field.width == 1:
            return None
        return FieldName(name, found, "bit", 1 << (field.lsb + int(last)), bit=int(last))

    def _enumerated(self, name: str) -> FieldName | None:
        """PERIPHERAL_REGISTER_FIELD_VALUE: in place in some headers, counted from 0 in others.

        FIELD_VALUE_NAME of the pico-sdk and FIELD_NAME_Val of SAM count from 0.
        """
        bare = name.removesuffix("_Val")
        stem, marked, last = name.rpartition("_VALUE_")
        if marked and self._exact(stem):
            bare = f"{stem}_{last}"
        for cut in (i for i, letter in enumerate(bare) if letter == "_"):
            found = self._exact(bare[:cut])
            if not found or found[0].field is None:
                continue
            field = found[0].field
            wanted = bare[cut + 1 :].casefold()
            for entries in field.enumerated_values:
                for entry in entries.values:
                    if entry.name.casefold() == wanted and entry.value is not None:
                        plain = bare != name or field.lsb == 0 or self._nordic
                        number = entry.value if plain and entry.mask is None else None
                        return FieldName(name, found, "value", number, value=entry)
        return None

    @property
    def _nordic(self) -> bool:
        return self._lookup.device.header_definitions_prefix == "NRF_"

    def _exact(self, name: str) -> tuple[Location, ...]:
        """Places of PERIPHERAL_REGISTER_FIELD, [] where they do not all have the same bits."""
        found = list(self._places(name))
        if not found or len({(at.field.lsb, at.field.msb) for at in found if at.field}) != 1:
            return ()
        return tuple(found[:_MOST])

    def _places(self, name: str) -> Iterator[Location]:
        cuts = [i for i, letter in enumerate(name) if letter == "_" and i]
        for first in cuts:
            owners = self._owners.get(name[:first])
            if not owners:
                continue
            rest = name[first + 1 :]
            matched = False
            for owner in owners:
                table = self._registers(owner)
                for second in (c - first - 1 for c in cuts if c > first):
                    for register in table.get(rest[:second], ()):
                        field = register.field(rest[second + 1 :])
                        if field is not None and field.name.upper() == rest[second + 1 :].upper():
                            matched = True
                            yield Location(self._lookup.device, owner, register, field)
            if matched:
                return

    def _registers(self, peripheral: Peripheral) -> dict[str, list[Register]]:
        table = self._blocks.get(id(peripheral.block))
        if table is None:
            table = self._blocks[id(peripheral.block)] = {}
            for register in peripheral.registers:
                for name in spellings(peripheral, register):
                    table.setdefault(name, []).append(register)
        return table


def called(peripheral: Peripheral) -> set[str]:
    """What the macros of a peripheral's fields may begin with."""
    names = {peripheral.name, peripheral.group_name, peripheral.header_struct_name or ""}
    names |= {name.rstrip("0123456789") for name in names}
    names |= {stem.upper() for stem, known in HW_ALIASES.items() if peripheral.name in known}
    if len(bare := peripheral.name.rstrip("0123456789").rstrip("ABCDEFGHIJK")) > 2:
        names.add(bare)  # GPIO of GPIOA
    return {spelled for name in names if name for spelled in (name, name.upper())}


def spellings(peripheral: Peripheral, register: Register) -> set[str]:
    """What a register may be called in them: S0CR also SxCR, CCR1 also CCR."""
    whole = flat(register.path)
    names = {whole, whole.rpartition("_")[2] if "." in register.path else whole}
    for text in (flat(register.template.replace("[%s]", "%s")), whole):
        for instead in ("x", "n", ""):
            names.add(_PLACE.sub(instead, text).strip("_"))
    for start in (f"{peripheral.name}_", f"{peripheral.name.rstrip('0123456789')}_"):
        names |= {name.removeprefix(start) for name in names}
    names.discard("")
    return {spelled for name in names for spelled in (name, name.upper())}


_NAMES: WeakKeyDictionary[Lookup, FieldNames] = WeakKeyDictionary()


def field_names(lookup: Lookup) -> FieldNames:
    """The field names of ``lookup``, kept as long as it is."""
    known = _NAMES.get(lookup)
    if known is None:
        known = _NAMES[lookup] = FieldNames(lookup)
    return known
