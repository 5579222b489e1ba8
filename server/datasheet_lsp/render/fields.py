"""The table of a register's fields, and one field with all that is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.model import EnumeratedValue, EnumeratedValues, Field, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.style import Style

MAX_ROWS = 64
"""Rows of a table when nothing else is set."""

MAX_VALUES = 8
_VALUES_LENGTH = 160
_LABEL_LENGTH = 60
_MEANING_LENGTH = 200


def field_table(register: Register, style: Style, max_rows: int = MAX_ROWS) -> str:
    """Bits, name, access, reset and meaning, the highest bits first.

    Access has a column only where a field differs from the register, reset only where the file
    gives one. Says so where the file describes no fields.
    """
    if not register.fields:
        return "" if register.unplaced_fields else "The SVD describes no fields."
    fields = sorted(register.fields, key=lambda field: (-field.msb, -field.lsb))
    shown = fields[:max_rows]
    with_access = any(f.access != register.access or f.access_text for f in fields)
    with_reset = register.reset_value is not None and register.reset_mask != 0
    header = ["Bits", "Field"]
    header += ["Access"] * with_access + ["Reset"] * with_reset + ["Meaning"]
    rows = []
    for field in shown:
        row = [words.bits(field), style.text(field.name)]
        if with_access:
            row.append(words.short_access(field))
        if with_reset:
            row.append(reset_of(field, register) or "undefined")
        rows.append([*row, style.text(meaning(field, register))])
    more = len(fields) - len(shown)
    return style.blocks(
        style.table(header, rows), f"and {words.plural(more, 'more field')}" if more else ""
    )


def unplaced(register: Register, style: Style) -> str:
    """The fields the file gives no usable position for, "" without any."""
    if not register.unplaced_fields:
        return ""
    names = ", ".join(style.text(field.name) for field in register.unplaced_fields)
    return f"Without a usable bit position in the SVD: {names}"


def defined_bits(register: Register) -> tuple[int, bool]:
    """A mask of the bits that have a reset value, and whether these are all."""
    every = (1 << register.size) - 1
    mask = every if register.reset_mask is None else register.reset_mask & every
    return mask, mask == every


def reset_of(field: Field, register: Register) -> str:
    """The field's reset value, "" where it is not (wholly) defined."""
    if register.reset_value is None:
        return ""
    if register.reset_mask is not None and field.mask & ~register.reset_mask:
        return ""
    return words.number(field.extract(register.reset_value))


def meaning(field: Field, register: Register | None = None) -> str:
    """Description, named values and side effects in one line, not marked up.

    Side effects that ``register`` has as a whole are left out.
    """
    said = cut(words.said_besides(field.description, field.name), _MEANING_LENGTH)
    values = "; ".join(filter(None, (values_of(entries) for entries in field.enumerated_values)))
    if said and values:
        said = f"{_without_stop(said)}: {values}"
    else:
        said = said or values
    effects = []
    if register is None or field.read_action != register.read_action:
        effects.append(words.read_effect(field))
    if register is None or field.modified_write_values != register.modified_write_values:
        effects.append(words.write_effect(field))
    limits = field.write_constraint
    if limits is not None and not limits.use_enumerated_values:
        effects += words.constraint(limits)
    effects = [effect for effect in effects if effect]
    if effects:
        said = f"{said} ({'; '.join(effects)})".strip()
    return said


def values_of(entries: EnumeratedValues) -> str:
    """``0 input, 1 output``, cut with a count; not marked up."""
    ordered = sorted(entries.values, key=_by_value)
    labels = [_without_stop(cut(words.entry_label(entry), _LABEL_LENGTH)) for entry in ordered]
    numbers = [words.entry_value(entry, _width(entries)) for entry in ordered]
    unclear = any(label[:1].isdigit() for label in labels) or any(" " in n for n in numbers)
    equals = " = " if unclear else " "
    items = [
        f"{value}{equals if label else ''}{label}"
        for value, label in zip(numbers, labels, strict=True)
    ]
    shown: list[str] = []
    for item in items:
        full = len(items) > MAX_VALUES and len(shown) == MAX_VALUES - 1
        if shown and (full or sum(map(len, shown)) + len(item) > _VALUES_LENGTH):
            break
        shown.append(item)
    more = len(items) - len(shown)
    if more:
        shown.append(f"... {more} more")
    separator = "; " if any("," in item for item in shown) else ", "
    use = words.usage(entries)
    return f"{use}: {separator.join(shown)}" if use and shown else separator.join(shown)


def _without_stop(text: str) -> str:
    """``text`` without a full stop or the like at its end, the mark of a cut left."""
    return text if text.endswith("...") else text.rstrip(".:; ")


def _by_value(entry: EnumeratedValue) -> tuple[bool, int]:
    return entry.value is None, entry.value or 0


def _width(entries: EnumeratedValues) -> int:
    """Bits that the don't-care values of a set speak of."""
    known = [(e.value or 0) | (e.mask or 0) for e in entries.values]
    return max((value.bit_length() for value in known), default=1)


def value_table(field: Field, style: Style) -> str:
    """All named values of a field with their descriptions, "" without any."""
    return style.blocks(*(_values(entries, field, style) for entries in field.enumerated_values))


def _values(entries: EnumeratedValues, field: Field, style: Style) -> str:
    rows: list[Sequence[str]] = []
    for entry in sorted(entries.values, key=_by_value):
        value = words.entry_value(entry, field.width)
        if entry.is_default and entry.value is not None:
            value += " and others"
        besides = words.said_besides(entry.description, entry.name)
        rows.append([value, style.text(entry.name), style.text(besides)])
    titles = {"": "Value", "read": "Value read", "write": "Value written"}
    return style.table([titles[words.usage(entries)], "Name", "Meaning"], rows)
