"""What a number in the code means as the content of a register."""

from __future__ import annotations

from datasheet_lsp.firmware.fields import FieldName
from datasheet_lsp.model import Location, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.decode import decode
from datasheet_lsp.render.fields import meaning
from datasheet_lsp.render.register import field_text, footer
from datasheet_lsp.render.style import Style
from datasheet_lsp.render.written import all_notations, value_name


def bits_text(
    expression: str, value: int, location: Location, register: Register, style: Style
) -> str:
    """A number used with a register: which of its fields the bits are in."""
    shown = value & ((1 << register.size) - 1)
    rows = [
        [
            words.bits(part.field),
            style.text(part.field.name),
            words.both(part.value),
            style.text(value_name(part.field, part.value) or meaning(part.field, register)),
        ]
        for part in decode(register, shown).parts
        if part.value
    ]
    return style.blocks(
        style.lines(
            f"{style.code(expression)} in {style.strong(location.path)}: "
            f"{all_notations(shown, register.size, style)}"
        ),
        style.table(["Bits", "Field", "Value", "Meaning"], rows),
        footer(location, style),
    )


def field_name_text(name: FieldName, number: int | None, style: Style) -> str:
    """A macro that stands for a field; ``number`` is what the code says it is worth."""
    first = name.locations[0]
    assert first.register is not None and first.field is not None
    field = first.field
    said = {
        "field": "",
        "mask": "the mask of the field",
        "position": "the position of the field's lowest bit",
        "top": "the position of the field's highest bit",
        "bit": f"bit {name.bit} of the field",
        "value": "a value of the field",
    }[name.part]
    if name.value is not None:
        said = f"the value {style.text(words.entry_label(name.value))} of the field"
    worth = ""
    if number is not None and number >= 0:
        worth = f"{style.code(name.name)} is {all_notations(number, first.register.size, style)}"
        worth += f", {said}" if said else ""
    elif said:
        worth = f"{style.code(name.name)}: {said}"
    others = [at.peripheral.name for at in name.locations[1:]]
    also = ""
    if others:
        more = len(others) - 8
        also = f"The same in {', '.join(style.text(other) for other in others[:8])}"
        also += f" and {more} more" if more > 0 else ""
    return field_text(first, first.register, field, style, notes=[worth, also])


def short_text(location: Location, value: int) -> str:
    """The fields of a number in a few words: ``UE TE RE``, ``SW = PLL``; "" without any."""
    if location.register is None:
        return ""
    items = []
    for part in decode(location.register, value).parts:
        if part.value and part.field.width == 1:
            items.append(part.field.name)
        elif part.value:
            label = value_name(part.field, part.value) or words.number(part.value)
            items.append(f"{part.field.name} = {label}")
    more = len(items) - 6
    return " ".join(items[:6]) + (f" and {more} more" if more > 0 else "")
