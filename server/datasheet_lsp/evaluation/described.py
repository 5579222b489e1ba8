"""The registers of a device that a description in a manual is about, and its fields in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from datasheet_lsp.model.coverage import Bits, FieldState
from datasheet_lsp.model.device import Device, Field, Peripheral, Register
from datasheet_lsp.model.document import Document, FieldText, RegisterText

Found = tuple[FieldState, int | None, str]
"""State, page and printed name of a field."""

_RESERVED = re.compile(r"^(?:reserved|res|rsvd|rsv|rfu|unused|-+|–|—|_+)?[\d_.]*$", re.IGNORECASE)
_BITS = re.compile(r"[\[<(]\s*[\dxyn]+\s*(?:(?::|\.+|-|–)\s*[\dxyn]+\s*)?[\])>]?$")
_LAST_INDEX = re.compile(r"^(.*?)_?(\d+|[xyn])$")


class Target(msgspec.Struct, frozen=True, gc=False):
    """A register of the device in its peripheral."""

    peripheral: Peripheral
    register: Register

    @property
    def path(self) -> str:
        """``USART2.BRR``."""
        return f"{self.peripheral.name}.{self.register.path}"

    @property
    def address(self) -> int:
        """Absolute address in bytes."""
        return self.peripheral.base_address + self.register.offset


class Description(msgspec.Struct, frozen=True):
    """A register of a manual with the registers of the device it is about."""

    text: RegisterText
    targets: tuple[Target, ...]


class Targets:
    """Finds the registers of a device that a description was matched with."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._paths: dict[str, dict[str, Target]] = defaultdict(dict)
        self._peripherals: dict[str, Peripheral] = {}
        for peripheral in device.peripherals:
            self._peripherals.setdefault(peripheral.name.casefold(), peripheral)
            for register in peripheral.registers:
                target = Target(peripheral, register)
                for parent in (peripheral.name, peripheral.template):
                    for path in (register.path, register.template):
                        self._paths[f"{parent}.{path}"].setdefault(target.path, target)

    def resolve(self, matches: Iterable[str]) -> tuple[Target, ...]:
        """The registers with these paths; a path with ``%s`` stands for all elements."""
        found: dict[str, Target] = {}
        for match in matches:
            found.update(self._paths.get(match, {}))
        return tuple(found.values())

    def peripheral(self, name: str) -> Peripheral | None:
        """The peripheral of that name, letter case aside."""
        return self._peripherals.get(name.casefold())

    def at_offset(self, document: Document, text: RegisterText) -> bool:
        """Whether a register of the chapter's peripheral stands at the description's offset.

        So it is for the elements that a list names one by one where the SVD has an array.
        """
        peripheral = self.peripheral(document.sections[text.section].peripheral)
        if peripheral is None or text.offset is None:
            return False
        return any(register.offset == text.offset for register in peripheral.registers)

    def within(self, peripheral: Peripheral, path: str) -> Target | None:
        """The register with that path in that peripheral."""
        return self._paths.get(f"{peripheral.name}.{path}", {}).get(f"{peripheral.name}.{path}")


def is_reserved(name: str) -> bool:
    """Whether a field's name says that its bits have no function."""
    return bool(_RESERVED.match(name.strip()))


def real_fields(register: Register) -> list[Field]:
    """The register's fields without those that are called reserved."""
    return [field for field in register.fields if not is_reserved(field.name)]


def field_key(name: str) -> str:
    """A field's name as it is compared: bits behind it away, letter case and blanks aside."""
    bare = _BITS.sub("", name.strip())
    return re.sub(r"\s+", "", bare or name).casefold()


def bits_of(row: FieldText | Field) -> Bits:
    """Highest and lowest bit."""
    return row.msb, row.lsb


class Rows:
    """The fields of one description or several, to be asked for by name and bits."""

    def __init__(self, rows: Iterable[FieldText]) -> None:
        self.rows = [row for row in rows if not is_reserved(row.name)]
        self.named: dict[str, list[FieldText]] = defaultdict(list)
        self.placed: dict[Bits, list[FieldText]] = defaultdict(list)
        for row in self.rows:
            self.named[field_key(row.name)].append(row)
            self.placed[bits_of(row)].append(row)

    def exactly(self, field: Field) -> FieldText | None:
        """The row with the field's name and bits."""
        for row in self.named.get(field_key(field.name), ()):
            if bits_of(row) == bits_of(field):
                return row
        return None

    def in_parts(self, field: Field) -> FieldText | None:
        """The first of the rows that have the field's name, or it and a number, and make it up."""
        key = field_key(field.name)
        parts = [
            row
            for row in self.rows
            if field.lsb <= row.lsb
            and row.msb <= field.msb
            and (field_key(row.name) == key or _stem(field_key(row.name)) == key)
        ]
        covered = 0
        for row in parts:
            covered |= _mask(bits_of(row))
        return parts[0] if parts and covered == _mask(bits_of(field)) else None

    def as_part(self, field: Field, siblings: Sequence[Field]) -> FieldText | None:
        """The row that stands for the field and all others of its array: ``PINx`` for ``PIN7``."""
        stem = _stem(field_key(field.name))
        if not stem:
            return None
        for row in self.rows:
            key = field_key(row.name)
            if row.lsb <= field.lsb and field.msb <= row.msb and stem in (key, _open_stem(key)):
                covered = 0
                for other in siblings:
                    if _stem(field_key(other.name)) == stem:
                        covered |= _mask(bits_of(other))
                if covered & _mask(bits_of(row)) == _mask(bits_of(row)):
                    return row
        return None


def field_states(register: Register, descriptions: Sequence[Description]) -> list[Found]:
    """For each field of the register what the descriptions say of it, in the order of the SVD."""
    rows = Rows(row for description in descriptions for row in description.text.fields)
    fields = real_fields(register)
    known = {field_key(field.name) for field in fields}
    states: list[Found] = []
    for field in fields:
        row = rows.exactly(field) or rows.in_parts(field) or rows.as_part(field, fields)
        if row is not None:
            states.append(("found", row.page, row.name))
            continue
        others = [
            row for row in rows.placed.get(bits_of(field), ()) if field_key(row.name) not in known
        ]
        if others:
            states.append(("renamed", others[0].page, others[0].name))
            continue
        elsewhere = rows.named.get(field_key(field.name), [])
        if elsewhere:
            states.append(("conflict", elsewhere[0].page, elsewhere[0].name))
        else:
            states.append(("missed", None, ""))
    return states


def _stem(key: str) -> str:
    """A name without the index at its end, "" where it has none."""
    found = _LAST_INDEX.match(key)
    return found[1] if found else ""


def _open_stem(key: str) -> str:
    """``pin`` of ``pinx``; "" for a name with a number."""
    return "" if key[-1:].isdigit() else _stem(key)


def _mask(bits: Bits) -> int:
    return ((1 << (bits[0] - bits[1] + 1)) - 1) << bits[1]
