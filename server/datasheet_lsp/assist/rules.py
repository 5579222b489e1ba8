"""Mistakes in single reads and writes of registers. A rule is silent where it is not sure.

Where an access may be several registers (elements of an array, views of one address, instances of
a peripheral), a mistake must be one for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from datasheet_lsp.assist.findings import Edit, Finding, Fix, Severity
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.idioms import IDIOMS
from datasheet_lsp.firmware.tokens import Body, is_name, tokens
from datasheet_lsp.firmware.writes import RegisterAccess, changes
from datasheet_lsp.model import Field, Location, Register
from datasheet_lsp.render import diagnostics as say
from datasheet_lsp.render import words

_MANY = 8
"""So many reserved bits at once are a key, or a way to write all of a register."""

_WATCHING = re.compile(
    r"(?:^|_)(?:v?f?s?n?printf|printk?|log\w*|trace\w*|debug\w*|dbg\w*|assert\w*|dump\w*|puts)$"
    r"|_(?:LOG|DBG|INF|WRN|ERR)$|^LOG_|^ESP_LOG[A-Z]$|^configASSERT$|^ASSERT$",
    re.I,
)
_SHIFTED = re.compile(
    r"(?<![\w.])(?P<number>0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)?\s*<<\s*\(?\s*(?P<name>[A-Za-z_]\w*)"
)
_OPERATOR = re.compile(rb"\s*\)*\s*(\|=)")


def check_access(reader: Reader, access: RegisterAccess) -> Iterator[Finding]:
    """The mistakes of one access."""
    if access.resolved.several:
        return
    if access.writes:
        if all(_only_read(register) for register in _registers(access)):
            said = say.read_only_register(_whole(access.resolved.locations[0]))
            yield _finding(access, "read-only-register", "warning", said)
            return
        yield from _read_only(reader, access)
        wide = list(_too_wide(reader, access))
        yield from wide or _reserved(reader, access)
        yield from _clears_others(reader, access)
        yield from _unlisted(access)
    else:
        yield from _read_effect(reader, access)


def _registers(access: RegisterAccess) -> list[Register]:
    return [at.register for at in access.resolved.locations if at.register is not None]


def _finding(
    access: RegisterAccess, code: str, severity: Severity, message: str, *fixes: Fix
) -> Finding:
    return Finding(
        code, severity, message, access.start, access.end, access.resolved.locations[0], fixes
    )


def _read_only(reader: Reader, access: RegisterAccess) -> Iterator[Finding]:
    registers = _registers(access)
    value = access.value
    if value is None or any(register.access == "read-only" for register in registers):
        return
    fixed = -1
    for register in registers:
        fixed &= _read_only_bits(register)
    every = (1 << access.register.size) - 1
    if access.how == "clear":
        touched = value.known & ~value.value & every
        hit = touched & fixed
        alone = bool(hit) and hit == touched
        if not alone:
            return
    else:
        touched = (value.value | value.flipped) & every
        if _everything(touched, access.register):
            return
        hit = touched & fixed
        if access.how == "assign" and access.field is None:
            hit &= ~(access.register.reset_value or 0)
        alone = hit == touched and access.how != "assign"
    fields = [field for field in access.register.fields if field.mask & hit]
    if access.field is not None and access.field.mask & fixed == access.field.mask:
        fields, alone = [access.field], True
    if fields:
        said = say.read_only_fields(_whole(access.resolved.locations[0]), fields, alone=alone)
        masks = [reader.value(name) or 0 for name in _names_of(reader, access)]
        # One macro for these and other bits is there to write all that can be written.
        broad = any(mask & hit and mask & ~hit & every for mask in masks)
        yield _finding(access, "read-only-field", "information" if broad else "warning", said)


def _only_read(register: Register) -> bool:
    return register.access == "read-only" and all(
        field.access == "read-only" for field in register.fields
    )


def _read_only_bits(register: Register) -> int:
    fixed = written = 0
    for field in register.fields:
        if field.access == "read-only":
            fixed |= field.mask
        else:
            written |= field.mask
    return fixed & ~written


def _whole(location: Location) -> Location:
    return Location(location.device, location.peripheral, location.register)


def _everything(bits: int, register: Register) -> bool:
    """Whether all bits are written, or the lower half: then none of them is meant."""
    return any(bits == (1 << size) - 1 for size in (register.size, 16, 8) if size <= register.size)


def _reserved(reader: Reader, access: RegisterAccess) -> Iterator[Finding]:
    value, registers = access.value, _registers(access)
    if value is None or access.field is not None or access.how == "clear":
        return
    if any(not register.fields or register.unplaced_fields for register in registers):
        return
    every = (1 << access.register.size) - 1
    bits = (value.value | value.flipped) & every
    if _everything(bits, access.register):
        return
    for register in registers:
        for field in register.fields:
            bits &= ~field.mask
        if access.how == "assign":
            bits &= ~(register.reset_value or 0)
    if not bits or bits.bit_count() > _MANY:
        return
    if all(len(register.fields) == 1 for register in registers):
        return  # of such registers SVD files often have the one field at the wrong place
    # A header that has a name for the bit knows more than the SVD; and who writes every field
    # at once means all there is.
    written = value.value
    whole = access.how == "assign" and all(
        not field.mask & ~written for register in registers for field in register.fields
    )
    named = (
        whole
        or (access.macro and access.macro not in IDIOMS)
        or any(
            (reader.value(name) or 0) & bits
            for name in (*_names_of(reader, access), *_masks_of(access))
        )
    )
    severity: Severity = "information" if named else "warning"
    said = say.reserved_bits(_whole(access.resolved.locations[0]), access.register, bits)
    yield _finding(access, "reserved-bits", severity, said)


def _is_written_out(reader: Reader, access: RegisterAccess) -> bool:
    """Whether a value is made of numbers and macros alone: of variables it may never be used."""
    return bool(access.macro) or all(
        reader.value(name) is not None or name in ("uint32_t", "uint16_t", "uint8_t")
        or isinstance(reader.meanings(name), Body)
        for name in _names_of(reader, access)
    )  # fmt: skip


def _names_of(reader: Reader, access: RegisterAccess) -> list[str]:
    """The names in the statement besides those of the register."""
    start, end = access.statement
    data = reader.source.code
    text = data[start:end]
    if not access.macro:
        text = data[start : access.start] + b" " + data[access.end : end]
    return [token for token in dict.fromkeys(tokens(text.decode("ascii"))) if is_name(token)]


def _masks_of(access: RegisterAccess) -> Iterator[str]:
    """What headers call the mask of all bits of a register: TCC_INTFLAG_MASK."""
    for location in access.resolved.locations[:4]:
        if location.register is not None:
            name = location.peripheral.name
            for head in (name, name.rstrip("0123456789"), location.peripheral.group_name):
                yield f"{head}_{location.register.name}_MASK"


def _too_wide(reader: Reader, access: RegisterAccess) -> Iterator[Finding]:
    first = access.resolved.locations[0]
    number = access.operand.constant if access.operand is not None else None
    width = access.field.width if access.field is not None else access.register.size
    written = access.how in ("assign", "set") and access.operator in ("=", "|=")
    if number is not None and written and _is_written_out(reader, access):
        limit = (1 << width) - 1
        inverted = number | limit in (0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)
        if number > limit and not inverted and width < 64:
            yield _finding(access, "value-too-wide", "warning", say.too_wide(first, number, width))
            return
    start, end = access.statement
    text = reader.source.code[max(start, access.end) : end].decode("ascii")
    if "<<" not in text or access.macro:
        return
    for found in _SHIFTED.finditer(text):
        name = reader.field(found["name"])
        if name is None or name.part != "position":
            continue
        if reader.value(found["name"]) != name.number:
            continue
        field = name.locations[0].field
        shifted = int(found["number"], 0 if not found["number"].startswith("0") or "x" in
                      found["number"].lower() else 8)  # fmt: skip
        if field is not None and shifted >= 1 << field.width:
            at = Location(first.device, first.peripheral, first.register, field)
            yield _finding(
                access, "value-too-wide", "warning", say.too_wide(at, shifted, field.width)
            )


def _clears_others(reader: Reader, access: RegisterAccess) -> Iterator[Finding]:
    member = access.field is not None and access.how == "assign"
    if access.value is None or not (access.how == "set" or member):
        return
    if access.operator != "|=" and not member:
        return
    others: list[Field] = []
    for register in _registers(access):
        if register.access == "write-only" or register.access == "writeOnce":
            return
        flags = [field for field in register.fields if _one_clears(field, register)]
        others = [field for field in flags if not field.mask & access.value.known]
        if not others:
            return
    said = say.clears_others(_whole(access.resolved.locations[0]), others)
    fixes = []
    found = _OPERATOR.match(reader.source.code, access.end)
    only = all(_one_clears(field, access.register) for field in access.register.fields)
    if found is not None and only and not access.macro:
        fixes.append(Fix("Assign instead of |=", (Edit(found.start(1), found.end(1), "="),)))
    yield _finding(access, "clears-other-flags", "warning", said, *fixes)


def _one_clears(field: Field, register: Register) -> bool:
    how = field.modified_write_values or register.modified_write_values
    return how == "oneToClear" and field.access not in ("read-only", "write-only")


def _unlisted(access: RegisterAccess) -> Iterator[Finding]:
    if access.value is None or access.resolved.index_unknown:
        return
    for change in changes(access.value, access.register):
        field, content = change.field, change.content
        if content is None or content == 0 or field.width == 1:
            continue
        sets = [s for s in field.enumerated_values if s.usage in ("write", "read-write")]
        listed = [e.value for s in sets for e in s.values if e.value is not None]
        if len(listed) < 2 or field.named(content, "write") is not None:
            continue
        if any(
            other.field(field.name) is None or other.field(field.name).named(content, "write")  # type: ignore[union-attr]
            for other in _registers(access)
        ):
            continue
        constraint = field.write_constraint
        strict = constraint is not None and constraint.use_enumerated_values
        first = access.resolved.locations[0]
        at = Location(first.device, first.peripheral, first.register, field)
        severity: Severity = "warning" if strict else "information"
        said = say.unlisted_value(at, content, sorted(set(listed)))
        yield _finding(access, "unlisted-value", severity, said)


def _read_effect(reader: Reader, access: RegisterAccess) -> Iterator[Finding]:
    registers = _registers(access)
    if not all(_acts(register) for register in registers) or access.macro:
        return
    node = reader.source.root.descendant_for_byte_range(access.start, access.end - 1)
    for _ in range(30):
        if node is None or node.type.endswith("_statement"):
            return
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            if function is not None and _WATCHING.search(reader.text(function)):
                item = next((f for f in access.register.fields if f.read_action), access.register)
                effect = words.read_effect(item) or words.read_effect(access.register)
                said = say.read_effect(_whole(access.resolved.locations[0]), effect)
                yield _finding(access, "read-side-effect", "information", said)
                return
        node = node.parent


def _acts(register: Register) -> bool:
    return bool(register.read_action) or any(field.read_action for field in register.fields)
