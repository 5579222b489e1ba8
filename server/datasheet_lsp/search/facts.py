"""What a device says for certain about the registers that a query names: no search, no model."""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from datasheet_lsp.model import Field, Register
from datasheet_lsp.search.names import DeviceNames, Target, squash

_MOST = 8
_ASKED = frozenset(("value", "reset", "bit", "bits", "address", "offset", "position", "access"))
"""Words by which something of a register is asked, though fields may be called so."""


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
    words = Counter(squash(word) for word in re.findall(r"\w+", text) if _may_name(word))
    found: list[Fact] = []
    for peripheral, register in names.device.walk():
        target = wanted.get(f"{peripheral.name}.{register.path}")
        if target is None:
            continue
        address = peripheral.base_address + register.offset
        fields: list[Field | None] = [f for f in register.fields if _is_named(f, target, words)]
        for field in fields or [None]:
            found.append(_fact(target.path, address, register, field, names.device.source))
    return found[:_MOST]


def _may_name(word: str) -> bool:
    """Not by the short words of a sentence: fields may be called OF and IS."""
    return not (len(word) < 3 and word.islower())


def _is_named(field: Field, target: Target, words: Counter[str]) -> bool:
    """Whether a field is named: with its register, or as a word of its own.

    A field called like its register is only meant where the word stands twice.
    """
    name = squash(field.name)
    if target.field:
        return name == squash(target.field)
    bare = re.sub(r"\[\w*\]", "", target.path)
    own = {squash(part) for path in (target.path, bare) for part in (path, *path.split("."))}
    return name not in _ASKED and words[name] > (name in own)


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
