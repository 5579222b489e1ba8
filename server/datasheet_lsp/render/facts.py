"""What a register or field is asked for, as one sentence each: its address, bits, reset value."""

from __future__ import annotations

from collections.abc import Callable

from datasheet_lsp.model import Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.fields import defined_bits, reset_of
from datasheet_lsp.render.style import Style


def said(aspect: str, at: Location, style: Style) -> str:
    """One sentence that answers."""
    register, field = at.register, at.field
    assert register is not None
    name = style.strong(at.path)
    says = _FIELD if field is not None else _REGISTER
    return f"{name} {says[aspect](at, register, style)}." if aspect in says else f"{name}:"


def _address(at: Location, register: Register, style: Style) -> str:
    base = style.code(words.address(at.peripheral.base_address))
    offset = style.code(words.offset(register.offset))
    name = style.text(at.peripheral.name)
    return f"is at {style.code(words.address(at.address))}: {name} {base} + {offset}"


def _offset(at: Location, register: Register, style: Style) -> str:
    base = style.code(words.address(at.peripheral.base_address))
    return (
        f"has the offset {style.code(words.offset(register.offset))} from "
        f"{style.text(at.peripheral.name)} ({base}): it is at "
        f"{style.code(words.address(at.address))}"
    )


def _reset(at: Location, register: Register, style: Style) -> str:
    if register.reset_value is None:
        return "has no reset value in the SVD"
    mask, whole = defined_bits(register)
    if mask == 0:
        return "has no defined reset value (the SVD's mask has no bit set)"
    said = f"resets to {style.code(words.content(register.reset_value, register.size))}"
    if not whole:
        said += f", of which {style.code(words.content(mask, register.size))} are the defined bits"
    return said


def _access(at: Location, register: Register, style: Style) -> str:
    said = f"is {style.text(words.access(register))}"
    effects = words.side_effects(register)
    return f"{said} ({'; '.join(effects)})" if effects else said


def _size(at: Location, register: Register, style: Style) -> str:
    return f"has {words.plural(register.size, 'bit')}"


def _fields(at: Location, register: Register, style: Style) -> str:
    return f"has {words.plural(len(register.fields), 'field')}"


def _field_bits(at: Location, register: Register, style: Style) -> str:
    field = at.field
    assert field is not None
    which = f"bit {field.lsb}" if field.width == 1 else f"bits {words.bits(field)}"
    mask = style.code(words.content(field.mask, register.size))
    width = "" if field.width == 1 else f", {words.plural(field.width, 'bit')} wide"
    return (
        f"is {which} of {style.text(f'{at.peripheral.name}.{register.path}')}{width}, mask {mask}"
    )


def _field_reset(at: Location, register: Register, style: Style) -> str:
    assert at.field is not None
    value = reset_of(at.field, register)
    if not value:
        return "has no defined reset value in the SVD"
    return f"resets to {style.code(value)} (bits {words.bits(at.field)} of the register's value)"


def _field_access(at: Location, register: Register, style: Style) -> str:
    field = at.field
    assert field is not None
    said = f"is {style.text(words.access(field))}"
    effects = words.side_effects(field) or words.side_effects(register)
    return f"{said} ({'; '.join(effects)})" if effects else said


def _field_values(at: Location, register: Register, style: Style) -> str:
    assert at.field is not None
    return f"({_field_bits(at, register, style).removeprefix('is ')}) takes these values"


_Says = Callable[[Location, Register, Style], str]
_REGISTER: dict[str, _Says] = {
    "address": _address,
    "offset": _offset,
    "reset": _reset,
    "access": _access,
    "size": _size,
    "bits": _size,
    "fields": _fields,
}
_FIELD: dict[str, _Says] = {
    "address": lambda at, r, s: "is " + _in_register(at, r, s),
    "bits": _field_bits,
    "reset": _field_reset,
    "access": _field_access,
    "values": _field_values,
}


def _in_register(at: Location, register: Register, style: Style) -> str:
    path = style.text(f"{at.peripheral.name}.{register.path}")
    assert at.field is not None
    bits = words.bits(at.field)
    return f"in {path} at {style.code(words.address(at.address))}, bits {bits}"
