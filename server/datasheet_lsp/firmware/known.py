"""What names mean by the device alone, where no header says it: USART2_BRR, USART_BRR(x)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.firmware.conventions import BASE_SUFFIX, type_stem
from datasheet_lsp.firmware.core_names import QINGKE, core_address
from datasheet_lsp.firmware.headers.facts import UNKNOWN, Type
from datasheet_lsp.firmware.headers.types import UINT, pointer
from datasheet_lsp.firmware.match import match
from datasheet_lsp.firmware.meaning.value import Spot, Value
from datasheet_lsp.firmware.members import Part
from datasheet_lsp.firmware.names import Base, Names, names_of
from datasheet_lsp.model import Location, Lookup, Peripheral, Register

_INTEGERS = {8: Type("int", "uint8_t", 1), 16: Type("int", "uint16_t", 2), 32: UINT}
_FILLING = frozenset(("O", "OFFSET", "OFF", "OFST", "REG", "R", "ADDR"))
"""Parts of an offset's name that say it is one."""
_MAX_PARTS = 6


class Known:
    """The names of one device, for a machine to ask.

    With ``types_only`` only the names of struct types count, not those of peripherals.
    """

    def __init__(self, lookup: Lookup, *, types_only: bool = False) -> None:
        self._lookup = lookup
        self._types_only = types_only
        self._names: Names = names_of(lookup)
        cpu = lookup.device.cpu
        self._core = QINGKE if self._names.has("PFIC") else cpu.name if cpu is not None else ""

    @property
    def whole(self) -> Known:
        """With the names of peripherals."""
        return Known(self._lookup) if self._types_only else self

    def name(self, name: str) -> Value | None:
        """A peripheral as a pointer, its base as a number, or a register: RCC_CR."""
        if self._types_only:
            return None
        found = self._peripheral(name)
        if found is not None:
            base = Spot("", found.base_address)
            return Value(pointer(Type("struct", f"={found.name}")), (base,))
        if name.endswith(BASE_SUFFIX):
            found = self._peripheral(name.removesuffix(BASE_SUFFIX))
            return None if found is None else Value(UINT, (Spot("", found.base_address),))
        at = self._joined(name, ())
        return None if at is None else at[0]

    def call(self, name: str, values: Sequence[Value]) -> tuple[Value, str] | None:
        """``USART_BRR(USART2)`` and ``NVIC_ISER(0)``, the way libopencm3 names registers.

        With the name of the kind where it is a register of any one of several.
        """
        if not values or len(values) > 2 or not name.isupper():
            return None
        first = values[0]
        indices = tuple(value.number for value in values[1:])
        for i, letter in enumerate(name):
            if letter != "_" or i < 2:
                continue
            kind, register = name[:i], name[i + 1 :]
            owners = self._instances(kind)
            if not owners:
                continue
            base = first.spots[0].offset if first.spots and len(first.spots) == 1 else None
            if first.spots is not None and first.spots[0].base:
                base = None
            parts = (Part(register, indices),)
            if base is not None:
                for owner in owners:
                    if owner.base_address == base:
                        return self._value(owner, parts)
                if len(owners) == 1 and base < 0x1000 and len(values) == 1:
                    return self._joined(name, (base,))
                continue
            every = [self._value(owner, parts) for owner in owners]
            spots = [s for one in every if one is not None for s in one[0].spots or ()]
            if spots and first.spots is None or spots and first.spots and first.spots[0].base:
                return Value(UINT, tuple(spots), True, len(spots) > 1), kind
        return self._joined(name, tuple(value.number for value in values))

    def kind(self, type_: str, parts: Sequence[Part]) -> tuple[Value, str] | None:
        """Members of any instance of a struct type that no header has: ``USART_TypeDef``."""
        kind = type_stem(type_)
        if kind == type_ or len(parts) > _MAX_PARTS:
            return None
        owners = self._instances(kind)
        owners += [p for p in self._lookup.device.peripherals if p.group_name == kind]
        owners = list({id(p): p for p in owners}.values())
        owners.sort(key=lambda p: (len(p.name), p.name))
        if not owners:
            owners = [b.peripheral for b in self._names.bases(kind) if b.alone]
        found = [self._value(owner, tuple(parts)) for owner in owners]
        values = [one[0] for one in found if one is not None]
        spots = tuple(s for value in values for s in value.spots or ())
        if not spots:
            return None
        return msgspec.structs.replace(values[0], spots=spots), kind

    def path(self, type_: Type, base: int, parts: Sequence[Part]) -> Value:
        """Members of a peripheral the headers have no struct for."""
        named = type_.name.startswith("=")
        device = self._lookup.device
        owners = self._lookup.peripherals(type_.name[1:]) if named else device.peripherals
        for one in owners:
            if one.base_address == base and len(parts) <= _MAX_PARTS:
                found = self._value(one, tuple(parts))
                if found is not None:
                    return found[0]
        return Value(UNKNOWN, None, True)

    def at_offset(self, words: Sequence[str], offset: int) -> list[Location]:
        """The registers ``offset`` bytes into each peripheral that one of ``words`` names with it.

        ``UART_O_DR``, ``USART_CR1``, ``STM32_I2C_CR1_OFFSET``: a kind of peripheral and a register,
        which must be at that offset in each of them.
        """
        for word in words:
            parts = [part for part in word.split("_") if part and part not in _FILLING]
            if len(parts) < 2 or not word.isupper():
                continue
            for start in range(min(2, len(parts) - 1)):
                for middle in range(start + 1, len(parts)):
                    kind = "_".join(parts[start:middle])
                    register = "_".join(parts[middle:])
                    found = self._each_at(kind, register, offset)
                    if found:
                        return found
        return []

    def _each_at(self, kind: str, register: str, offset: int) -> list[Location]:
        found: list[Location] = []
        for owner in self._instances(kind):
            match_ = match(owner, self._names.members(owner), (Part(register),), spelled=kind)
            if match_ is None or match_.cluster or match_.unknown:
                continue
            if match_.registers[0].offset != offset:
                return []
            found.append(Location(self._lookup.device, owner, match_.registers[0]))
        return found

    # -- names ------------------------------------------------------------------------------

    def _peripheral(self, name: str) -> Peripheral | None:
        if name.islower():
            return None
        alone = [base.peripheral for base in self._names.bases(name) if base.alone]
        return alone[0] if len(alone) == 1 else None

    def _instances(self, kind: str) -> list[Peripheral]:
        """The peripherals of a kind: USART1, USART2 and UART4 are none of UART."""
        found = []
        for peripheral in self._lookup.device.peripherals:
            name = peripheral.name
            rest = name[len(kind) :]
            if name.startswith(kind) and (not rest or rest.isdigit() or len(rest) == 1):
                found.append(peripheral)
        return found

    def _joined(self, name: str, indices: tuple[int | None, ...]) -> tuple[Value, str] | None:
        """``PERIPHERAL_REGISTER``, the peripheral's name as long as may be."""
        if not name.isupper():
            return None
        for i in range(len(name) - 1, 1, -1):
            if name[i] != "_":
                continue
            owner, register = name[:i], name[i + 1 :]
            bases = [base for base in self._names.bases(owner) if base.alone]
            for base in bases:
                found = self._value(base.peripheral, (Part(register, indices),), base)
                if found is not None:
                    return found
            index = indices[0] if indices else None
            address = core_address(self._core, owner, register, index)
            if address is not None and (at := self._lookup.at(address)):
                return _at(address, at[0].register), ""
        return None

    def _value(
        self, owner: Peripheral, parts: tuple[Part, ...], base: Base | None = None
    ) -> tuple[Value, str] | None:
        spelled = base.spelled if base is not None else owner.name
        found = match(owner, self._names.members(owner), parts, spelled=spelled)
        if found is None or found.cluster or not found.registers:
            return None
        spots = tuple(Spot("", owner.base_address + r.offset) for r in found.registers)
        if not found.unknown:
            spots = spots[:1]
        register = found.registers[0]
        bits = (found.field.lsb, found.field.width) if found.field is not None else None
        type_ = _INTEGERS.get(register.size, UNKNOWN)
        return Value(type_, spots, True, found.unknown, bits=bits), ""


def _at(address: int, register: Register | None) -> Value:
    size = register.size if register is not None else 32
    return Value(_INTEGERS.get(size, UNKNOWN), (Spot("", address),), True)
