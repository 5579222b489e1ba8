"""What is said of mistakes in code, in plain text."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.model import Field, Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.written import number_text


def _place(location: Location) -> str:
    item = location.field or location.register or location.peripheral
    return words.source(location.device.source, location.peripheral, item.line)


def _about(location: Location, text: str) -> str:
    return f"{location.path}: {text} ({_place(location)})"


def read_only_register(location: Location) -> str:
    """A write to a register that can only be read."""
    return _about(location, "the register is read-only; this write has no effect")


def read_only_fields(location: Location, fields: Sequence[Field], *, alone: bool) -> str:
    """A write of fields that can only be read; ``alone`` when the write does nothing else."""
    named = ", ".join(f"{words.bits(field)} ({field.name})" for field in fields[:6])
    one = len(fields) == 1 and fields[0].width == 1
    what = f"bit {named} is" if one else f"bits {named} are"
    effect = "this write has" if alone else f"writing {'it' if one else 'them'} has"
    at = Location(location.device, location.peripheral, location.register, fields[0])
    return f"{location.path}: {what} read-only; {effect} no effect ({_place(at)})"


def reserved_bits(location: Location, register: Register, bits: int) -> str:
    """Bits set outside every field."""
    shown = number_text(bits, register.size)
    return _about(location, f"sets reserved bits {shown}, which are in no field")


def too_wide(location: Location, value: int, width: int) -> str:
    """A value that does not fit."""
    fits = number_text((1 << width) - 1, width)
    what = "field" if location.field is not None else "register"
    return _about(
        location,
        f"{number_text(value, 64)} does not fit into {words.plural(width, 'bit')} "
        f"of the {what} (at most {fits})",
    )


def clears_others(location: Location, fields: Sequence[Field]) -> str:
    """A read-modify-write of flags that writing 1 clears."""
    named = ", ".join(field.name for field in fields[:6])
    more = f" and {len(fields) - 6} more" if len(fields) > 6 else ""
    return _about(
        location,
        f"writing 1 clears flags here, so this also clears those that are set ({named}{more}); "
        "assign the one bit instead",
    )


def read_effect(location: Location, effect: str) -> str:
    """A read that changes something, in a message or check."""
    return _about(location, f"{effect}, so reading it in a message or check changes the program")


def unknown_peripheral(name: str, device: str, known: Sequence[str]) -> str:
    """A peripheral that the device does not have."""
    there = ", ".join(known[:12])
    return f"{name}: {device} has no such peripheral (it has {there})"


def unknown_register(location: Location, name: str) -> str:
    """A register that a peripheral does not have."""
    return _about(location, f"the SVD has no register {name}")


def no_register(address: int, location: Location | None, near: str) -> str:
    """An address at which no register is."""
    shown = words.address(address)
    where = f" within {location.path}" if location is not None else ""
    return f"{shown}: no register is at this address{where}{near}"


def unlisted_value(location: Location, value: int, listed: Sequence[int]) -> str:
    """A value that the SVD does not list."""
    there = ", ".join(words.number(one) for one in listed[:10])
    return _about(location, f"{words.number(value)} is none of the values listed ({there})")


def clock_not_enabled(location: Location, gate: Location) -> str:
    """A peripheral whose clock nothing enables."""
    assert gate.field is not None
    return (
        f"{location.peripheral.name} is used here, but nothing in the workspace sets {gate.path} "
        f"(bit {words.bits(gate.field)}, {words.address(gate.address)}): "
        "until then its registers do not answer"
    )


def irq_not_enabled(location: Location, interrupt: str, number: int) -> str:
    """An interrupt that is on in the peripheral and off in the NVIC."""
    assert location.field is not None
    return (
        f"{location.path} is set here, but nothing in the workspace enables interrupt {number} "
        f"({interrupt}) in the NVIC (ISER{number // 32} bit {number % 32})"
    )
