"""What a write does to a register: the bits it sets, clears, toggles, and those left alone."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from datasheet_lsp.firmware import bitvalues as bv
from datasheet_lsp.firmware.bitvalues import Value
from datasheet_lsp.firmware.evaluate import binary
from datasheet_lsp.firmware.resolve import Resolved
from datasheet_lsp.model import Field, Register

How = Literal["read", "assign", "set", "clear", "toggle", "modify"]


class RegisterAccess(msgspec.Struct, frozen=True):
    """A read or a write of a register in the code.

    ``how``: ``assign`` replaces all bits, ``set``, ``clear`` and ``toggle`` do that to bits and
    leave the others alone, ``modify`` writes what was read with changes. ``value`` is what the
    register holds after it, ``operand`` what the code writes on the right side, in place for the
    member it writes to. ``start`` to ``end`` is the access, ``statement`` the expression it is a
    part of, in bytes of the file; for what a macro hides both are the call of the macro, named by
    ``macro``.
    """

    resolved: Resolved
    how: How
    value: Value | None
    operand: Value | None
    start: int
    end: int
    statement: tuple[int, int]
    macro: str = ""
    operator: str = ""

    @property
    def register(self) -> Register:
        """The register, the first where there are several."""
        register = self.resolved.locations[0].register
        assert register is not None
        return register

    @property
    def field(self) -> Field | None:
        """The field that a bit-field member names."""
        return self.resolved.locations[0].field

    @property
    def writes(self) -> bool:
        """Whether it writes."""
        return self.how != "read"


_ALIAS = (
    # pico-sdk's pointers to the copies of the registers that set, clear or toggle bits.
    (re.compile(r"\b\w+_hw_set\b|\bhw_set_alias(?:_untyped)?\s*\("), "|="),
    (re.compile(r"\b\w+_hw_clear\b|\bhw_clear_alias(?:_untyped)?\s*\("), "&=~"),
    (re.compile(r"\b\w+_hw_xor\b|\bhw_xor_alias(?:_untyped)?\s*\("), "^="),
)
_HOW: dict[str, How] = {"|=": "set", "&=": "clear", "&=~": "clear", "^=": "toggle"}


def alias_operator(text: str) -> str:
    """What an assignment to a register through an alias of it amounts to, ``=`` for none."""
    if "hw" in text:
        for pattern, operator in _ALIAS:
            if pattern.search(text):
                return operator
    return "="


def written(
    operator: str, operand: Value, key: str, register: Register, field: Field | None
) -> tuple[How, Value]:
    """How ``operator`` with ``operand`` writes the register ``key``, and what it then holds."""
    before = bv.before(key)
    if operator == "=":
        value = operand
        changed = value.kept | value.flipped and value.origin == key
        how: How = "modify" if changed else "assign"
    elif operator == "&=~":
        value, how = bv.both(before, bv.invert(operand)), "clear"
    elif operator in _HOW:
        value, how = binary(operator[:-1], before, operand), _HOW[operator]
    else:
        value, how = binary(operator[:-1], before, operand), "modify"
    if value.origin != key:
        value = Value(value.bits, value.signed, value.known, value.value, vague=value.vague)
    if field is not None:
        return how, in_place(value, field, register, key)
    return how, bv.convert(value, register.size, False)


def in_place(value: Value, field: Field, register: Register, key: str) -> Value:
    """The register once ``value`` was written to ``field`` of it alone."""
    content = (1 << field.width) - 1
    every = (1 << register.size) - 1
    kept = ((value.kept & content) << field.lsb) | (every & ~field.mask)
    return Value(
        register.size,
        False,
        (value.known & content) << field.lsb,
        (value.value & content) << field.lsb,
        kept=kept,
        flipped=(value.flipped & content) << field.lsb,
        origin=key,
    )


class Change(msgspec.Struct, frozen=True):
    """What a write does to one field.

    ``content`` is the field's new content, None where it is not known whole; ``sets``, ``clears``
    and ``toggles`` are bits of the field, counted from its lowest.
    """

    field: Field
    content: int | None
    sets: int
    clears: int
    toggles: int
    unknown: int

    @property
    def certain(self) -> bool:
        """Whether all bits of the field are known."""
        return self.content is not None


def changes(value: Value, register: Register) -> list[Change]:
    """The fields that a write may change, the highest first; those it leaves alone left out."""
    found = []
    for field in sorted(register.fields, key=lambda field: (-field.msb, -field.lsb)):
        content = (1 << field.width) - 1
        known = value.known >> field.lsb & content
        kept = value.kept >> field.lsb & content
        if kept == content:
            continue
        bits = value.value >> field.lsb & content
        toggles = value.flipped >> field.lsb & content
        found.append(
            Change(
                field,
                bits if known == content else None,
                sets=bits,
                clears=known & ~bits,
                toggles=toggles,
                unknown=content & ~(known | kept | toggles),
            )
        )
    return found
