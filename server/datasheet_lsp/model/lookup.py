"""Finding registers of a device by name and by address, in memory."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import msgspec

from datasheet_lsp.model.device import Device, Field, Peripheral, Register


class Location(msgspec.Struct, frozen=True, gc=False):
    """A register (or, with ``register`` None, a peripheral) at its place in a device."""

    device: Device
    peripheral: Peripheral
    register: Register | None = None
    field: Field | None = None

    @property
    def address(self) -> int:
        """Absolute address in bytes."""
        return self.peripheral.base_address + (self.register.offset if self.register else 0)

    @property
    def path(self) -> str:
        """``USART2``, ``USART2.BRR`` or ``USART2.CR1.UE``."""
        parts = [self.peripheral.name]
        if self.register is not None:
            parts.append(self.register.path)
            if self.field is not None:
                parts.append(self.field.name)
        return ".".join(parts)


class Lookup:
    """Name and address tables of one device, built on first use and then kept."""

    def __init__(self, device: Device) -> None:
        self.device = device

    @cached_property
    def _sorted(self) -> list[tuple[int, int, Peripheral, Register]]:
        rows = [(p.base_address + r.offset, -r.size, p, r) for p, r in self.device.walk()]
        rows.sort(key=lambda row: row[:2])
        return rows

    @cached_property
    def _starts(self) -> list[int]:
        return [row[0] for row in self._sorted]

    @cached_property
    def _widest(self) -> int:
        return max((-row[1] for row in self._sorted), default=8) // 8

    @cached_property
    def _peripherals(self) -> dict[str, list[Peripheral]]:
        table: dict[str, list[Peripheral]] = {}
        for peripheral in self.device.peripherals:
            table.setdefault(peripheral.name.casefold(), []).append(peripheral)
        return table

    def peripherals(self, name: str) -> list[Peripheral]:
        """The peripherals called ``name``: exact spelling first, else letter case aside."""
        found = self._peripherals.get(name.casefold(), [])
        exact = [p for p in found if p.name == name]
        return exact or list(found)

    def at(self, address: int) -> list[Location]:
        """The registers that start at ``address``; several may share it."""
        starts = self._starts
        rows = self._sorted
        found = []
        i = bisect_right(starts, address) - 1
        while i >= 0 and starts[i] == address:
            found.append(Location(self.device, rows[i][2], rows[i][3]))
            i -= 1
        found.reverse()
        return found

    def containing(self, address: int) -> list[Location]:
        """The registers of which a byte is at ``address``, those that start there first."""
        starts = self._starts
        rows = self._sorted
        found = []
        i = bisect_right(starts, address) - 1
        while i >= 0 and address - starts[i] < self._widest:
            peripheral, register = rows[i][2], rows[i][3]
            if address < starts[i] + register.size_bytes:
                found.append(Location(self.device, peripheral, register))
            i -= 1
        found.sort(key=lambda location: address - location.address)
        return found

    def owner(self, address: int) -> Peripheral | None:
        """The peripheral whose base address or address block ``address`` lies in, else None."""
        for peripheral in self.device.peripherals:
            for block in peripheral.address_blocks:
                start = peripheral.base_address + block.offset
                if start <= address < start + block.size:
                    return peripheral
        return next((p for p in self.device.peripherals if p.base_address == address), None)

    def find(self, path: str) -> list[Location]:
        """What ``PERIPHERAL[.REGISTER[.FIELD]]`` names, letter case aside; [] when nothing."""
        name, _, rest = path.replace("->", ".").partition(".")
        found: list[Location] = []
        for peripheral in self.peripherals(name):
            if not rest:
                found.append(Location(self.device, peripheral))
            else:
                found.extend(self._within(peripheral, rest))
        return found

    def _within(self, peripheral: Peripheral, rest: str) -> list[Location]:
        folded = rest.casefold()
        registers = [
            Location(self.device, peripheral, register)
            for register in peripheral.registers
            if folded in (register.path.casefold(), peripheral.c_path(register).casefold())
        ]
        if registers:
            exact = [at for at in registers if at.register and at.register.path == rest]
            return exact or registers
        parent, dot, last = rest.rpartition(".")
        if not dot:
            return []
        return [
            Location(self.device, peripheral, at.register, field)
            for at in self._within(peripheral, parent)
            if at.register is not None and (field := at.register.field(last)) is not None
        ]
