"""Adding the core's peripherals to a device whose SVD leaves them out.

What the vendor's file says stays as it is and comes first. A core peripheral is added under its
CMSIS-Core name, so that C code finds ``SysTick->CTRL`` also where the vendor calls it ``STK``.
Where the vendor has a peripheral of that name at that place, a second one with the same name
holds just the registers it lacks, so that each register keeps the file it is from.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from msgspec.structs import replace

from datasheet_lsp.model import Cpu, Device, Peripheral, Register, RegisterBlock
from datasheet_lsp.svd.cores.names import Match, core_match

_PRIVATE = range(0xE000_0000, 0xE010_0000)
"""The private peripheral bus, where all core peripherals are."""

_NOT_CORTEX = re.compile(r"(E?CLIC|PLIC|CLINT|PFIC)\d*", re.IGNORECASE)
"""Interrupt controllers of RISC-V chips, some of whose files name a Cortex-M as the cpu."""


def add_core(device: Device) -> Device:
    """``device`` with the peripherals of its Cortex-M that its SVD lacks.

    The same object where nothing is to be added: no cpu in the file, no Cortex-M, or already done.
    Added peripherals come last and have the core file's name as ``source``.
    """
    match = core_match(device.cpu.name) if device.cpu else None
    if device.cpu is None or match is None:
        return device
    if any(p.source == match.file or _NOT_CORTEX.fullmatch(p.name) for p in device.peripherals):
        return device
    vendor = _Vendor(device)
    absent = _absent(device.cpu)
    added = []
    for peripheral in _core(match, device.cpu.vtor_present is not False):
        name = peripheral.name.removesuffix("_NS")
        if name in absent and not (name != "SysTick" and vendor.uses(_place(match, name))):
            continue
        if (rest := vendor.lacking(peripheral)) is not None:
            added.append(rest)
    if not added:
        return device
    return replace(device, peripherals=(*device.peripherals, *added))


def _absent(cpu: Cpu) -> set[str]:
    """What the cpu element says is not there."""
    flags = {
        "MPU": cpu.mpu_present is False,
        "FPU": cpu.fpu_present is False,
        "SysTick": cpu.vendor_systick_config is True,
    }
    return {name for name, off in flags.items() if off}


class _Vendor:
    """What the vendor's file has on the private peripheral bus."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._starts = {
            peripheral.base_address + register.offset
            for peripheral in device.peripherals
            if peripheral.base_address in _PRIVATE
            for register in peripheral.registers
        }

    def uses(self, place: range) -> bool:
        """Whether a register starts in ``place``: many files say mpuPresent false and have one."""
        return any(start in place for start in self._starts)

    def lacking(self, core: Peripheral) -> Peripheral | None:
        """``core`` with the registers that the vendor has not under the same names."""
        folded = core.name.casefold()
        named = [p for p in self._device.peripherals if p.name.casefold() == folded]
        here = [p for p in named if _meet(p, core)]
        exact = [p for p in here if p.name == core.name]
        has = {
            (p.base_address + r.offset, r.size, r.path) for p in exact or here for r in p.registers
        }
        base = core.base_address
        rest = tuple(r for r in core.registers if (base + r.offset, r.size, r.path) not in has)
        if rest and not exact:
            # In another spelling the vendor's name does not stand in for the one of CMSIS.
            rest = core.registers
        if not self._device.header_definitions_prefix:
            # Another peripheral of that name: what both have is the vendor's.
            other = {
                r.path for p in named if p.name == core.name and p not in here for r in p.registers
            }
            rest = tuple(r for r in rest if r.path not in other)
        if not rest:
            return None
        if len(rest) == len(core.registers):
            return core
        clusters = tuple(
            c for c in core.clusters if any(r.path.startswith(f"{c.path}.") for r in rest)
        )
        return replace(core, block=RegisterBlock(rest, clusters))


def _span(peripheral: Peripheral) -> range:
    """The addresses from the peripheral's base to its last register."""
    last = max((r.offset + r.size_bytes for r in peripheral.registers), default=1)
    return range(peripheral.base_address, peripheral.base_address + last)


def _meet(vendor: Peripheral, core: Peripheral) -> bool:
    """Whether the vendor's peripheral is at the place of the core's."""
    place = _span(core)
    if not vendor.registers:
        return vendor.base_address in place
    return any(vendor.base_address + r.offset in place for r in vendor.registers)


def _place(match: Match, name: str) -> range:
    """The addresses of a core peripheral, empty when the core has none of that name."""
    return next((_span(p) for p in _core(match, True) if p.name == name), range(0))


@cache
def _core(match: Match, vtor: bool) -> tuple[Peripheral, ...]:
    """The peripherals of a core file; without VTOR where the chip has none."""
    blocks: dict[int, RegisterBlock] = {}
    found = []
    for peripheral in _file(match.file):
        block = peripheral.block
        if id(block) not in blocks:
            blocks[id(block)] = _adapted(block, match, vtor)
        found.append(replace(peripheral, block=blocks[id(block)]))
    return tuple(found)


@cache
def _file(name: str) -> tuple[Peripheral, ...]:
    """A core file as it is. Reading it needs the SVD reader, which is loaded then only."""
    from datasheet_lsp.svd import parse_svd

    data = files("datasheet_lsp.svd.cores").joinpath(name).read_bytes()
    return tuple(replace(p, source=name) for p in parse_svd(data, name).peripherals)


def _adapted(block: RegisterBlock, match: Match, vtor: bool) -> RegisterBlock:
    registers = []
    for register in block.registers:
        if register.path == "VTOR" and not vtor and match.file in _OPTIONAL_VTOR:
            continue
        registers.append(register if match.exact else _common(register))
    if registers == list(block.registers):
        return block
    return RegisterBlock(tuple(registers), block.clusters)


_OPTIONAL_VTOR = ("cortex-m0plus.svd", "cortex-m23.svd")


def _common(register: Register) -> Register:
    """What of a register holds for another core of the same architecture, too."""
    if register.path in ("CPUID", "MVFR0", "MVFR1", "MVFR2"):
        return replace(register, reset_value=None, reset_mask=None)
    if register.path == "ACTLR":
        return replace(register, reset_value=None, reset_mask=None, fields=())
    return register
