"""The macros of the code that stand for the bits of a register: 0x2000 is USART_CR1_UE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasheet_lsp.firmware.fields import called, spellings
from datasheet_lsp.firmware.tokens import Body
from datasheet_lsp.model import Field, Location, Peripheral, Register

if TYPE_CHECKING:
    from datasheet_lsp.firmware.accesses import Reader

_MASKS = ("", "_Msk", "_MASK", "_BITS")
_POSITIONS = ("_Pos", "_SHIFT", "_LSB")


def names_for(reader: Reader, location: Location, value: int) -> str | None:
    """``value`` in names that the code defines, joined by ``|``; None unless all of it has some."""
    register = location.register
    if register is None or value <= 0:
        return None
    parts: list[str] = []
    left = value
    for field in sorted(register.fields, key=lambda field: -field.lsb):
        bits = value & field.mask
        if not bits or not left & field.mask:
            continue
        name = _field(reader, location.peripheral, register, field, bits)
        if name is None:
            return None
        parts.append(name)
        left &= ~field.mask
    return " | ".join(parts) if parts and not left else None


def _field(
    reader: Reader, peripheral: Peripheral, register: Register, field: Field, bits: int
) -> str | None:
    heads = _heads(reader, peripheral, register)
    if bits == field.mask:
        for head in heads:
            for ending in _MASKS:
                name = f"{head}_{field.name}{ending}"
                if _is(reader, name, bits):
                    return name
    for head in heads:
        for ending in _POSITIONS:
            name = f"{head}_{field.name}{ending}"
            if field.width > 1 and _is(reader, name, field.lsb):
                return f"({bits >> field.lsb}u << {name})"
    return None


def _heads(reader: Reader, peripheral: Peripheral, register: Register) -> list[str]:
    """What the macros of the register's fields may begin with."""
    heads = [f"{p}_{r}" for p in called(peripheral) for r in spellings(peripheral, register)]
    return sorted(set(heads), key=lambda head: (len(head), head))


def _is(reader: Reader, name: str, value: int) -> bool:
    """Whether the code defines ``name`` as just this number."""
    return isinstance(reader.meanings.defined(name), Body) and reader.value(name) == value


def register_text(reader: Reader, location: Location) -> str | None:
    """How the code's own headers write the register, ``USART2->BRR``; None where they do not."""
    register, name = location.register, location.peripheral.name
    if register is None or not isinstance(reader.meanings.defined(name), Body):
        return None
    member = location.peripheral.c_path(register)
    return f"{name}->{member}" if reader.has_member(name, member) else None
