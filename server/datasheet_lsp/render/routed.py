"""An answer from the device alone: what was asked in the first line, then detail, then the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from datasheet_lsp.model import Field, Interrupt, Location, Peripheral, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.decode import decode_text
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.facts import said
from datasheet_lsp.render.fields import field_table, reset_of, value_table
from datasheet_lsp.render.peripheral import fold
from datasheet_lsp.render.register import facts, field_text, footer, register_text
from datasheet_lsp.render.style import Style

_MOST_ROWS = 32
_MOST_REGISTERS = 64
_LONGEST = 160
_VECTORS = 16
_WORD = 4


class Asked(Protocol):
    """What was asked and what it is about, as the answer's routing says it."""

    @property
    def aspects(self) -> tuple[str, ...]:
        """What is asked for."""

    device: str
    locations: tuple[Location, ...]
    peripherals: tuple[Peripheral, ...]
    interrupts: tuple[tuple[Peripheral, Interrupt], ...]
    value: int | None
    bits: tuple[int, int] | None
    yes_no: bool
    listed: bool
    unknown: str
    near: tuple[str, ...]
    cpu: str
    source: str
    claimed: str


def routed_text(asked: Asked, style: Style) -> str:
    """The whole answer."""
    first = asked.aspects[0]
    if first == "unknown":
        return _unknown(asked, style)
    if first == "interrupt":
        return _interrupts(asked, style)
    if first == "at":
        return _at(asked, style)
    if not asked.locations:
        return _peripherals(asked, style)
    if len(asked.locations) > 1:
        return _several(asked, style)
    return _one(asked, asked.locations[0], style)


def _one(asked: Asked, at: Location, style: Style) -> str:
    register, field = at.register, at.field
    assert register is not None
    aspects = asked.aspects
    if aspects[0] == "decode" and asked.value is not None:
        if field is None:
            return decode_text(at, register, asked.value, style)
        return _field_value(at, field, asked.value, style)
    if aspects[0] == "bit" and asked.bits is not None:
        return _bit(at, register, asked.bits, style)
    if aspects[0] == "summary":
        if field is not None:
            return field_text(at, register, field, style)
        return register_text(at, register, style)
    lines = [_verdict(asked, at) + said(aspect, at, style) for aspect in aspects]
    detail = ""
    if field is not None:
        detail = value_table(field, style) if "values" in aspects else ""
    elif "fields" in aspects:
        detail = field_table(register, style, _MOST_REGISTERS)
    elif "access" in aspects:
        detail = _unlike(register, style)
    about = style.text(cut(words.said_besides((field or register).description, at.path), _LONGEST))
    if field is None:
        about = ", ".join(part for part in (about, facts(at, register, style)) if part)
    return style.blocks(style.lines(*lines), about, detail, footer(at, style))


def _verdict(asked: Asked, at: Location) -> str:
    """``Yes: `` or ``No: `` where a value is compared; "" where that is not certain."""
    if not asked.yes_no or at.register is None:
        return ""
    aspect, value = asked.aspects[0], asked.value
    field = at.field
    if aspect == "access":
        return _access_verdict(asked.claimed, (field or at.register).access)
    if value is None:
        return ""
    known: int | None = None
    if aspect == "address":
        known = at.address
    elif aspect == "offset":
        known = at.register.offset
    elif aspect == "reset" and at.register.reset_value is not None:
        reset = at.register.reset_value
        known = field.extract(reset) if field is not None else reset
    elif aspect == "bits" and field is not None and field.width == 1:
        known = field.lsb
    if known is None:
        return ""
    return "Yes: " if known == value else "No: "


def _access_verdict(claimed: str, access: str) -> str:
    if not claimed:
        return ""
    if claimed in ("read", "write"):
        holds = access != {"read": "write-only", "write": "read-only"}[claimed]
        holds = holds and not (claimed == "read" and access == "writeOnce")
    else:
        holds = claimed == access
    return "Yes: " if holds else "No: "


def _unlike(register: Register, style: Style) -> str:
    """The fields whose access is not that of the register."""
    rows = [
        [words.bits(f), style.text(f.name), words.access(f)]
        for f in sorted(register.fields, key=lambda f: -f.lsb)
        if f.access != register.access
    ]
    return style.table(["Bits", "Field", "Access"], rows)


def _field_value(at: Location, field: Field, value: int, style: Style) -> str:
    read, write = field.named(value, "read"), field.named(value, "write")
    said = []
    for usage, entry in (("read", read), ("written", write)):
        if entry is None or (usage == "written" and entry is read):
            continue
        label = style.text(words.entry_label(entry))
        besides = style.text(words.said_besides(entry.description, words.entry_label(entry)))
        when = f"{usage}: " if read is not write and read and write else ""
        said.append(f"{when}{label}" + (f" ({besides})" if besides else ""))
    first = f"{style.strong(at.path)} = {words.both(value)} means {'; '.join(said)}."
    return style.blocks(first, value_table(field, style), footer(at, style))


def _bit(at: Location, register: Register, bits: tuple[int, int], style: Style) -> str:
    high, low = bits
    which = f"Bit {low}" if high == low else f"Bits {high}:{low}"
    path = style.strong(at.path)
    if high >= register.size:
        size = words.plural(register.size, "bit")
        return style.blocks(f"{path} has no bit {high}: it is {size} wide.", footer(at, style))
    inside = [f for f in register.fields if f.lsb <= high and f.msb >= low]
    if not inside:
        why = "no field" if register.fields else "not described: the SVD gives no fields"
        return style.blocks(f"{which} of {path} is {why} in the SVD.", footer(at, style))
    names = ", ".join(style.strong(f.name) for f in inside)
    if len(inside) == 1:
        field = inside[0]
        where = Location(at.device, at.peripheral, register, field)
        head = f"{which} of {path} is {'' if field.width == high - low + 1 else 'in '}{names}."
        return style.blocks(head, field_text(where, register, field, style))
    rows = [
        [
            words.bits(f),
            style.text(f.name),
            words.access(f),
            style.text(cut(f.description, _LONGEST)),
        ]
        for f in sorted(inside, key=lambda f: -f.lsb)
    ]
    table = style.table(["Bits", "Field", "Access", "Meaning"], rows)
    return style.blocks(f"{which} of {path}: {names}.", table, footer(at, style))


def _several(asked: Asked, style: Style) -> str:
    """What was named by itself, or all that may be meant, each with what was asked."""
    places = asked.locations
    if asked.aspects[0] == "decode" and asked.value is not None and len(places) <= 2:
        return f"\n\n{style.rule()}\n\n".join(_one(asked, at, style) for at in places)
    last = places[0].path.rpartition(".")[2]
    head = ""
    if not asked.listed:
        owners = {at.peripheral.name for at in places}
        device = style.text(asked.device)
        if len(owners) == len(places):
            where = f"{words.plural(len(owners), 'peripheral')} of {device}"
        elif places[0].field is not None:
            registers = len({(at.peripheral.name, id(at.register)) for at in places})
            where = f"{words.plural(registers, 'register')} of {device}"
        else:
            where = f"{len(places)} places of {device}"
        head = f"{style.strong(last)} is in {where}: name one of them."
    columns: list[str] = [a for a in asked.aspects if a in _COLUMNS]
    if not columns or columns == ["fields"]:
        columns = ["address", "bits"] if places[0].field is not None else ["address"]
    for more in ("bits", "address"):
        if more == "bits" and places[0].field is None:
            continue
        if more not in columns:
            columns.append(more)
    header = ["Name", *(_COLUMNS[c][0] for c in columns)]
    rows = [
        [style.text(at.path), *(_COLUMNS[c][1](at, style) for c in columns)]
        for at in places[:_MOST_ROWS]
    ]
    more_rows = len(places) - len(rows)
    rest = f"and {more_rows} more" if more_rows else ""
    return style.blocks(head, style.table(header, rows), rest, footer(places[0], style))


def _column_reset(at: Location, style: Style) -> str:
    assert at.register is not None
    if at.field is not None:
        return reset_of(at.field, at.register) or "not defined"
    if at.register.reset_value is None or at.register.reset_mask == 0:
        return "not defined"
    return words.content(at.register.reset_value, at.register.size)


def _column_values(at: Location, style: Style) -> str:
    if at.field is None:
        return ""
    entries = [e for each in at.field.enumerated_values for e in each.values]
    shown = [f"{words.entry_value(e, at.field.width)} {words.entry_label(e)}" for e in entries]
    return style.text(cut(", ".join(shown), _LONGEST))


_COLUMNS: dict[str, tuple[str, Callable[[Location, Style], str]]] = {
    "address": ("Address", lambda at, style: style.code(words.address(at.address))),
    "offset": (
        "Offset",
        lambda at, style: style.code(words.offset(at.register.offset)) if at.register else "",
    ),
    "bits": ("Bits", lambda at, style: words.bits(at.field) if at.field else ""),
    "reset": ("Reset", _column_reset),
    "access": (
        "Access",
        lambda at, style: words.access(at.field or at.register) if at.register else "",
    ),
    "size": ("Bits", lambda at, style: str(at.register.size) if at.register else ""),
    "values": ("Values", _column_values),
}


def _at(asked: Asked, style: Style) -> str:
    value = asked.value or 0
    if not asked.locations:
        return _nothing_at(asked, value, style)
    first = asked.locations[0]
    assert first.register is not None
    here = [at for at in asked.locations if at.address == first.address]
    lines = []
    for at in asked.locations[:_MOST_ROWS]:
        assert at.register is not None
        inside = value - (at.address if value >= 0x1000 else at.register.offset)
        byte = f", byte {inside} of it" if inside else ""
        lines.append(
            f"{style.strong(at.path)} is at {style.code(words.address(at.address))}"
            f" (offset {style.code(words.offset(at.register.offset))}){byte}."
        )
    if len(here) == 1 and len(asked.locations) == 1:
        detail = register_text(first, first.register, style)
        return style.blocks(lines[0], detail)
    return style.blocks(style.lines(*lines), footer(first, style))


def _nothing_at(asked: Asked, value: int, style: Style) -> str:
    number = style.code(words.address(value) if value >= 0x1000 else words.offset(value))
    device = style.text(asked.device)
    if asked.peripherals:
        owner = asked.peripherals[0]
        base = style.code(words.address(owner.base_address))
        name = style.strong(owner.name)
        return f"No register of {device} is at {number}: it lies in {name}, which begins at {base}."
    return f"Nothing of {device} is at {number}."


def _peripherals(asked: Asked, style: Style) -> str:
    blocks = []
    for peripheral in asked.peripherals[:_MOST_ROWS]:
        name = style.strong(peripheral.name)
        base = style.code(words.address(peripheral.base_address))
        says = style.text(
            cut(words.said_besides(peripheral.description, peripheral.name), _LONGEST)
        )
        count = words.plural(len(peripheral.registers), "register")
        blocks.append(f"{name} is at {base}" + (f", {says}" if says else "") + f", {count}.")
    first = style.text(_line_of(asked))
    if len(asked.peripherals) > 1:
        return style.blocks(style.lines(*blocks), first)
    table = ""
    if asked.aspects[0] in ("registers", "summary"):
        folded = fold(asked.peripherals[0].registers)
        rows = [
            [
                style.code(words.offset(e.first.offset)),
                style.text(e.label),
                style.text(cut(e.first.description, _LONGEST)),
            ]
            for e in folded[:_MOST_REGISTERS]
        ]
        table = style.table(["Offset", "Register", "Meaning"], rows)
        if len(folded) > len(rows):
            table += f"\n\nand {len(folded) - len(rows)} more"
    return style.blocks(blocks[0], table, first)


def _line_of(asked: Asked) -> str:
    """The line of the file about the first peripheral."""
    peripheral = asked.peripherals[0]
    return words.source(asked.source, peripheral, peripheral.line)


def _interrupts(asked: Asked, style: Style) -> str:
    device = style.text(asked.device)
    if not asked.interrupts:
        if asked.value is not None:
            return f"The SVD of {device} names no interrupt {asked.value}."
        names = ", ".join(style.strong(p.name) for p in asked.peripherals[:8])
        return f"The SVD of {device} gives {names} no interrupt."
    lines = [_interrupt(p, i, asked.cpu, style) for p, i in asked.interrupts[:_MOST_ROWS]]
    peripheral, interrupt = asked.interrupts[0]
    place = style.text(words.source(asked.source, peripheral, interrupt.line))
    return style.blocks(style.lines(*lines), place)


def _interrupt(peripheral: Peripheral, interrupt: Interrupt, cpu: str, style: Style) -> str:
    name = style.strong(interrupt.name)
    besides = style.text(cut(words.said_besides(interrupt.description, interrupt.name), _LONGEST))
    said = f"{name} is interrupt {interrupt.value}"
    if besides:
        said += f" ({besides})"
    if peripheral.name != interrupt.name:
        said += f", of {style.text(peripheral.name)}"
    if cpu.upper().startswith("CM"):
        word, bit = divmod(interrupt.value, 32)
        vector = style.code(words.offset(_WORD * (interrupt.value + _VECTORS)))
        said += (
            f": exception {interrupt.value + _VECTORS}, vector at {vector} of the table, "
            f"enabled by bit {bit} of NVIC ISER{word}"
        )
    return f"{said}."


def _unknown(asked: Asked, style: Style) -> str:
    device = style.text(asked.device)
    word = style.strong(asked.unknown)
    said = f"{device} has no {word}."
    if asked.peripherals and not any(c in asked.unknown for c in "._>"):
        said = f"{style.text(asked.peripherals[0].name)} of {device} has no {word}."
    if asked.near:
        names = [style.code(path) for path in asked.near]
        said += f" Did you mean {' or '.join(names)}?"
    return said


__all__: Sequence[str] = ["routed_text"]
