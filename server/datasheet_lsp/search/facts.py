"""What a device says for certain about the registers that a query names: no search, no model."""

from __future__ import annotations

import msgspec

from datasheet_lsp.model import Field, Register
from datasheet_lsp.search.names import DeviceNames, squash

_MOST = 8


class Fact(msgspec.Struct, frozen=True):
    """A register, or a field of it, as the SVD has it.

    Numbers are in bytes and bits; ``bits`` is (most, least significant), None for a whole register.
    ``reset`` is the register's reset value, the field's own where ``bits`` is given.
    """

    path: str
    address: int
    offset: int
    size: int
    access: str
    reset: int | None
    bits: tuple[int, int] | None
    source: str
    line: int


def facts(text: str, names: DeviceNames) -> list[Fact]:
    """The registers and fields that ``text`` names for certain, in the order of the device."""
    mentions = names.mentions(text, lambda word: True)
    wanted = {target.path: target for target in mentions.targets if target.sure}
    words = {squash(part) for word in mentions.names for part in _parts(word)}
    words |= {squash(word) for word in text.replace(".", " ").split()}
    found: list[Fact] = []
    for peripheral, register in names.device.walk():
        target = wanted.get(f"{peripheral.name}.{register.path}")
        if target is None:
            continue
        address = peripheral.base_address + register.offset
        named = [field for field in register.fields if squash(field.name) in words]
        own = squash(register.name)
        fields: list[Field | None] = [field for field in named if squash(field.name) != own]
        for field in fields or [None]:
            found.append(_fact(target.path, address, register, field, names.device.source))
    return found[:_MOST]


def _parts(word: str) -> list[str]:
    for sign in ("->", "::", "[", "]", "."):
        word = word.replace(sign, " ")
    return [word, *word.split()]


def _fact(path: str, address: int, register: Register, field: Field | None, source: str) -> Fact:
    reset = register.reset_value
    if field is not None and reset is not None:
        reset = field.extract(reset)
    return Fact(
        path=f"{path}.{field.name}" if field is not None else path,
        address=address,
        offset=register.offset,
        size=register.size,
        access=field.access if field is not None else register.access,
        reset=reset,
        bits=(field.msb, field.lsb) if field is not None else None,
        source=source,
        line=field.line if field is not None else register.line,
    )
