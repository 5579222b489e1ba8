"""Numbers and the vocabulary of CMSIS-SVD as people read them."""

from __future__ import annotations

from typing import Literal

from datasheet_lsp.model import (
    EnumeratedValue,
    EnumeratedValues,
    Field,
    Peripheral,
    Register,
    WriteConstraint,
)

_ACCESS = {
    "read-only": "read-only",
    "write-only": "write-only",
    "read-write": "read-write",
    "writeOnce": "write-once",
    "read-writeOnce": "read, write once",
}
_SHORT_ACCESS = {
    "read-only": "r",
    "write-only": "w",
    "read-write": "rw",
    "writeOnce": "w once",
    "read-writeOnce": "r, w once",
}
_READ_ACTION = {
    "clear": "reading clears it",
    "set": "reading sets all its bits",
    "modify": "reading changes it",
    "modifyExternal": "reading acts on something else, such as a FIFO",
}
_WRITE = {
    "oneToClear": "writing 1 clears a bit, 0 leaves it",
    "oneToSet": "writing 1 sets a bit, 0 leaves it",
    "oneToToggle": "writing 1 toggles a bit, 0 leaves it",
    "zeroToClear": "writing 0 clears a bit, 1 leaves it",
    "zeroToSet": "writing 0 sets a bit, 1 leaves it",
    "zeroToToggle": "writing 0 toggles a bit, 1 leaves it",
    "clear": "any write clears it",
    "set": "any write sets all its bits",
}
_PROTECTION = {
    "s": "secure access only",
    "n": "secure and non-secure access",
    "p": "privileged access only",
}


def number(value: int) -> str:
    """A field's content: one digit as it is, else hexadecimal."""
    return str(value) if 0 <= value <= 9 else grouped(value)


def both(value: int) -> str:
    """A field's content in decimal, from 10 on in hexadecimal too: ``104 (0x68)``."""
    return str(value) if 0 <= value <= 9 else f"{value} ({grouped(value)})"


def grouped(value: int, digits: int = 1) -> str:
    """Hexadecimal of at least ``digits`` digits, in groups of four: ``0x4000 4408``."""
    text = f"{value:0{digits}X}"
    if len(text) > 4:
        text = text.zfill(-(-len(text) // 4) * 4)
    start = len(text) % 4 or 4
    return " ".join(["0x" + text[:start], *(text[i : i + 4] for i in range(start, len(text), 4))])


def address(value: int) -> str:
    """An address for the eye, eight digits or sixteen: ``0x4000 4408``."""
    return grouped(value, 8 if value <= 0xFFFFFFFF else 16)


def c_address(value: int) -> str:
    """An address as C takes it: ``0x40004408``."""
    return f"0x{value:0{8 if value <= 0xFFFFFFFF else 16}X}"


def offset(value: int) -> str:
    """An offset in bytes, two digits or more: ``0x08``."""
    return grouped(value, 2 if value <= 0xFF else 3 if value <= 0xFFF else 4)


def content(value: int, size: int) -> str:
    """The content of a register of ``size`` bits, with all its digits."""
    return grouped(value, max(1, (size + 3) // 4))


def bits(field: Field) -> str:
    """``15:4``, or ``3`` for one bit."""
    return str(field.lsb) if field.lsb == field.msb else f"{field.msb}:{field.lsb}"


def size_in_bytes(count: int) -> str:
    """``256 bytes``, ``1 KiB``, ``2 MiB``."""
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor and count % factor == 0:
            return f"{count // factor} {unit}"
    return plural(count, "byte")


def plural(count: int, noun: str) -> str:
    """``1 register``, ``1,540 registers``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def access(item: Register | Field) -> str:
    """Access rights in words, with what the file says where that is not in the standard."""
    words = _ACCESS[item.access]
    return f'{words} ("{item.access_text}" in the SVD)' if item.access_text else words


def short_access(item: Register | Field) -> str:
    """Access rights for a table: ``rw``."""
    return _SHORT_ACCESS[item.access]


def protection(text: str | None) -> str:
    """What must be so for an access, "" when nothing is known."""
    return "" if not text else _PROTECTION.get(text, f"protection {text}")


def read_effect(item: Register | Field) -> str:
    """What reading does besides, "" when nothing."""
    if not item.read_action:
        return ""
    return _READ_ACTION.get(item.read_action, f"read action {item.read_action}")


def write_effect(item: Register | Field) -> str:
    """What the bits written do, "" when they are simply stored."""
    how = item.modified_write_values
    if not how or how == "modify":
        return ""
    said = _WRITE.get(how, f"on writing {how}")
    if isinstance(item, Field) and item.width == 1:
        said = said.replace(" a bit, ", " it, ").replace("sets all its bits", "sets it")
    return said


def side_effects(item: Register | Field) -> list[str]:
    """What reading and writing do besides, and what may be written."""
    said = [read_effect(item), write_effect(item)]
    if item.write_constraint is not None:
        said += constraint(item.write_constraint)
    return [effect for effect in said if effect]


def constraint(constraint: WriteConstraint) -> list[str]:
    """What may be written."""
    said = []
    if constraint.write_as_read:
        said.append("write back what was read")
    if constraint.use_enumerated_values:
        said.append("write only the values listed")
    low, high = constraint.minimum, constraint.maximum
    if low is not None and high is not None:
        said.append(f"write only {number(low)} to {number(high)}")
    elif high is not None:
        said.append(f"write at most {number(high)}")
    elif low is not None:
        said.append(f"write at least {number(low)}")
    return said


def entry_value(entry: EnumeratedValue, width: int) -> str:
    """The value of an entry: ``1``, ``0x1F``, ``0b1xx`` with don't-care bits, ``others``."""
    if entry.value is None:
        return "others"
    if entry.mask is None:
        return number(entry.value)
    digits = (
        "x" if not entry.mask >> bit & 1 else str(entry.value >> bit & 1)
        for bit in reversed(range(max(width, 1)))
    )
    return "0b" + "".join(digits)


def entry_label(entry: EnumeratedValue) -> str:
    """What an entry means: its name, or its description where the name is but a number."""
    if entry.description and _is_number(entry.name):
        return entry.description
    return entry.name


def _is_number(name: str) -> bool:
    bare = name.casefold().strip("_")
    for prefix in ("value", "val", "enum", "b_0x", "b0x", "0x", "0b", "#"):
        if bare.startswith(prefix):
            bare = bare.removeprefix(prefix).strip("_")
            break
    else:
        return bare.isdigit()
    return all(c in "0123456789abcdefx_" for c in bare)


def usage(entries: EnumeratedValues) -> Literal["", "read", "write"]:
    """What a set of values is for, "" when for both."""
    return "" if entries.usage == "read-write" else entries.usage


def said_besides(description: str, *names: str) -> str:
    """The description, "" when it only repeats a name."""
    bare = description.strip().rstrip(".").casefold()
    return "" if bare in {name.casefold() for name in names} else description.strip()


def source(device_source: str, peripheral: Peripheral | None, line: int) -> str:
    """Where it is written: ``STM32F407.svd, line 13210``; the core's file for a core register."""
    name = device_source
    if peripheral is not None and peripheral.source:
        name = f"{peripheral.source} of datasheet-lsp"
    return f"{name}, line {line}" if line else name
