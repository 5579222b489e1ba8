"""The parts of a section: each of its registers, and what is before or about none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.model.document import Block, Document, RegisterText, Table


class Unit:
    """Blocks that may share a chunk: those of one register, or of none."""

    __slots__ = ("blocks", "register")

    def __init__(self, register: RegisterText | None, blocks: list[Block]) -> None:
        self.register = register
        self.blocks = blocks


def units_of(
    document: Document, section: int, blocks: Sequence[Block], has_registers: bool
) -> list[Unit]:
    """The units of a section in reading order.

    A table belongs to the register that names it, other blocks to the register whose heading
    stands last before them; all of a section with a single register is about that.
    """
    if not has_registers:
        return [Unit(None, list(blocks))] if blocks else []
    registers = [
        register
        for register in document.registers
        if register.section == section and not _is_listed(document, register)
    ]
    if len(registers) < 2:
        return [Unit(registers[0] if registers else None, list(blocks))]
    registers.sort(key=_top)
    owner = {table: at for at, register in enumerate(registers) for table in register.tables}
    units = [Unit(None, []), *(Unit(register, []) for register in registers)]
    at = -1
    for block in blocks:
        if block.kind == "table" and block.ref in owner:
            at = max(at, owner[block.ref])
            units[owner[block.ref] + 1].blocks.append(block)
            continue
        if block.places:
            where = (block.places[0].page, block.places[0].box[1] + 2.0)
            while at + 1 < len(registers) and _top(registers[at + 1]) <= where:
                at += 1
        units[at + 1].blocks.append(block)
    return [unit for unit in units if unit.blocks or unit.register is not None]


def _is_listed(document: Document, register: RegisterText) -> bool:
    """Whether a register is but a row in a table of registers, described elsewhere if at all."""
    tables = document.tables
    return bool(register.tables) and all(
        0 <= table < len(tables) and tables[table].kind == "registers" for table in register.tables
    )


def _top(register: RegisterText) -> tuple[int, float]:
    return register.place.page, register.place.box[1]


def lead_of(register: RegisterText) -> str:
    """Name, title, offset, address and reset value of a register in one line."""
    titled = register.title and register.title != register.name
    facts = [f"{register.name}: {register.title}" if titled else register.name]
    if register.offset is not None:
        facts.append(f"offset 0x{register.offset:02X}")
    if register.addresses:
        listed = [f"0x{address:08X}" for address in register.addresses[:8]]
        more = len(register.addresses) - len(listed)
        word = "address" if len(listed) == 1 else "addresses"
        facts.append(f"{word} {', '.join(listed)}" + (f" and {more} more" if more else ""))
    if register.reset is not None:
        facts.append(f"reset value 0x{register.reset:08X}")
    return f"Register {'; '.join(facts)}"


def field_table(register: RegisterText, text: str) -> Table | None:
    """The fields as a table where the text of the register does not have them, else None.

    So it is where they were read from a picture of the bits.
    """
    if register.tables or not register.fields:
        return None
    said = set(re.findall(r"\w+", text))
    there = sum(field.name in said or field.name in text for field in register.fields)
    if there * 2 >= len(register.fields):
        return None
    header = ["Bits", "Field"]
    with_access = any(field.access for field in register.fields)
    with_reset = any(field.reset is not None for field in register.fields)
    header += ["Access"] * with_access + ["Reset"] * with_reset + ["Meaning"]
    rows = []
    for field in register.fields:
        bits = str(field.msb) if field.msb == field.lsb else f"{field.msb}:{field.lsb}"
        row = [bits, field.name]
        row += [field.access] if with_access else []
        row += ["" if field.reset is None else f"0x{field.reset:X}"] if with_reset else []
        rows.append((*row, field.description))
    return Table(
        id=-1,
        section=register.section,
        number="",
        caption="",
        header=tuple(header),
        rows=tuple(rows),
        row_pages=tuple(field.page for field in register.fields),
        places=(register.place,),
        kind="fields",
    )
