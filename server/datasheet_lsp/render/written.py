"""What a line of the code writes to a register: in a hover, and in a few words beside the line."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.firmware.bitvalues import Value
from datasheet_lsp.firmware.writes import Change, RegisterAccess, changes
from datasheet_lsp.model import Field, Register
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.fields import reset_of
from datasheet_lsp.render.style import Style

_MAX_ROWS = 16
_MAX_NAMES = 8
_HINT_LENGTH = 60
_FEW = 3
"""So many fields that are not known are named in a hint."""


def written_block(access: RegisterAccess, style: Style) -> str:
    """What a write does, in a sentence and a table of the fields; "" where nothing is known."""
    value, register = access.value, access.register
    if value is None or not value.known | value.flipped:
        return ""
    found = [change for change in changes(value, register) if _known(change)]
    return style.blocks(
        style.lines(_sentence(access, value, found, style), _unreached(access, value, style)),
        _table(access, found, register, style),
    )


def effect_text(access: RegisterAccess, style: Style) -> str:
    """What a write does to the fields in one line, "" for a read or where nothing is known."""
    value, register = access.value, access.register
    if value is None or not value.known | value.flipped:
        return "a value that is not known here" if access.writes else ""
    found = [change for change in changes(value, register) if _known(change)]
    whole = value.constant
    if access.how == "assign" and access.field is None and whole is not None:
        return f"{style.code(number_text(whole, register.size))}: {_contents(found, style)}"
    return _names(found, style) or "bits outside every field"


def number_text(value: int, size: int) -> str:
    """A number in hexadecimal as wide as it needs: ``0x0683``, ``0x0002 0000``."""
    digits = 2 if value <= 0xFF else 4 if value <= 0xFFFF else 8 if value <= 0xFFFFFFFF else 16
    return words.grouped(value, max(1, min(digits, (size + 3) // 4)))


def all_notations(value: int, size: int, style: Style) -> str:
    """A number in hexadecimal, decimal and binary: ``0x0683`` (1667, 0b110 1000 0011)."""
    said = style.code(number_text(value, size))
    if value > 9:
        said += f" ({value}, {binary_text(value)})"
    return said


def binary_text(value: int) -> str:
    """Binary digits in groups of four: ``0b110 1000 0011``."""
    digits = f"{value:b}"
    start = len(digits) % 4 or 4
    groups = [digits[:start], *(digits[i : i + 4] for i in range(start, len(digits), 4))]
    return "0b" + " ".join(groups)


def _known(change: Change) -> bool:
    return bool(change.certain or change.sets or change.clears or change.toggles)


def _sentence(access: RegisterAccess, value: Value, found: Sequence[Change], style: Style) -> str:
    size = access.register.size
    every = (1 << size) - 1
    through = f"{style.code(access.macro)} " if access.macro else "This line "
    whole = value.constant
    if access.field is not None:
        change = next(
            (c for c in found if c.field is access.field or c.field == access.field), None
        )
        if change is None:
            return ""
        return f"{through}writes {_said(change, style)}; the other fields stay"
    if access.how == "assign" and whole is not None:
        return f"{through}writes {all_notations(whole, size, style)}: {_contents(found, style)}"
    names = _names(found, style, flags=access.how in ("set", "clear"))
    if access.how == "assign":
        said = f"{through}writes {names}" if names else f"{through}writes the register"
        return f"{said}; the other bits are not known here"
    stays = "; the other bits stay" if value.kept else ""
    if value.unknown & every:
        stays = "; what becomes of the other bits is not known here"
    verb = {"set": "sets", "clear": "clears", "toggle": "toggles"}.get(access.how, "changes")
    bits = value.known | value.flipped
    if access.how == "modify":
        return f"{through}changes {names or 'bits outside every field'}{stays}"
    where = style.code(number_text(bits & every, size))
    return f"{through}{verb} {where}: {names or 'no field'}{stays}"


def _contents(found: Sequence[Change], style: Style) -> str:
    """The fields that are not 0: flags by name, others with their content."""
    items = []
    for change in found:
        if change.content and change.field.width == 1:
            items.append(style.text(change.field.name))
        elif change.content:
            items.append(_said(change, style))
    return _cut(items) if items else "all fields 0" if found else "the SVD describes no fields"


def _names(found: Sequence[Change], style: Style, *, flags: bool = False) -> str:
    """What becomes of each field; with ``flags`` those of one bit by their name alone."""
    return _cut(
        [
            style.text(change.field.name)
            if flags and change.field.width == 1
            else _said(change, style)
            for change in found
        ]
    )


def _cut(items: Sequence[str]) -> str:
    more = len(items) - _MAX_NAMES
    return ", ".join(items[:_MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def _said(change: Change, style: Style) -> str:
    """One field with what becomes of it: ``SW = 2 (PLL)``, ``bit 0 of MODER2``."""
    field = change.field
    name = style.text(field.name)
    if change.content is not None:
        label = value_name(field, change.content)
        said = f"{name} = {change.content}"
        return f"{said} ({style.text(label)})" if label else said
    if field.width == 1:
        return name
    bits = change.sets | change.clears | change.toggles
    places = [str(bit) for bit in range(field.width) if bits >> bit & 1]
    return f"bit {', '.join(places)} of {name}" if len(places) <= 4 else f"bits of {name}"


def value_name(field: Field, content: int) -> str:
    """The name of a field's content when written, "" without one or where it is but a number."""
    entry = field.named(content, "write")
    if entry is None or entry.is_default:
        return ""
    label = words.entry_label(entry)
    return "" if label.casefold() == field.name.casefold() else cut(label, 40)


def _unreached(access: RegisterAccess, value: Value, style: Style) -> str:
    """Bits that are set by the write, and that it does not reach."""
    if access.how not in ("assign", "set"):
        return ""
    names = [
        field.name
        for field in access.register.fields
        if field.access == "read-only" and value.value & field.mask
    ]
    if not names or access.register.access == "read-only":
        return ""
    several = "are read-only: the write does not reach them"
    one = "is read-only: the write does not reach it"
    said = ", ".join(style.text(name) for name in names[:_MAX_NAMES])
    return f"{said} {one if len(names) == 1 else several}"


def _table(
    access: RegisterAccess, found: Sequence[Change], register: Register, style: Style
) -> str:
    """Reset value and new content of the fields; what an assignment leaves at 0 is left out."""
    rows = []
    for change in found:
        field = change.field
        reset = reset_of(field, register)
        if access.how == "assign" and access.field is None and change.content == 0:
            if register.reset_value is None or field.extract(register.reset_value) == 0:
                continue
        label = "" if change.content is None else value_name(field, change.content)
        became = f"{reset or '?'} -> {_content(change)}"
        rows.append([words.bits(field), style.text(field.name), became, style.text(label)])
    if len(rows) < 2 and all(len(row[3]) == 0 for row in rows):
        return ""
    rows, more = rows[:_MAX_ROWS], len(rows) - _MAX_ROWS
    table = style.table(["Bits", "Field", "Reset -> written", "Value"], rows)
    return style.blocks(table, f"and {words.plural(more, 'field')} more" if more > 0 else "")


def _content(change: Change) -> str:
    if change.content is not None:
        return words.both(change.content)
    if change.toggles and not change.sets | change.clears | change.unknown:
        return "toggled"
    return "0b" + "".join(
        "1" if change.sets >> bit & 1 else "0" if change.clears >> bit & 1 else "?"
        for bit in reversed(range(change.field.width))
    )


# -- beside the line


def hint(access: RegisterAccess, statement: str, *, values: bool) -> str:
    """A few words beside a line that writes: ``UE TE RE``, ``+USART2EN``, ``MODER2: ? -> input``.

    "" where nothing is known, and where the line already says it all.
    """
    value, register = access.value, access.register
    if value is None or not register.fields:
        return ""
    items: list[str] = []
    said = True
    folded = statement.casefold()
    found = changes(value, register)
    open_ = [change for change in found if change.content is None]
    if access.how == "assign" and access.field is None and len(open_) == len(found):
        return ""
    for change in found:
        item = _hint_item(access, change, values)
        if item:
            items.append(item)
            content = change.content
            if change.field.name.casefold() not in folded or (content and not access.field):
                said = said and _names_it(change, folded)
    if not items or (said and not access.macro):
        return ""
    if access.how == "assign" and access.field is None and open_:
        few = len(open_) <= _FEW
        items += [f"{change.field.name}=?" for change in open_] if few else ["..."]
    head = ""
    if access.macro and access.resolved.kind == "register":
        head = f"{access.resolved.locations[0].peripheral.name}.{register.path}: "
    text = head + items[0]
    for at, item in enumerate(items[1:], 1):
        if len(text) + len(item) + 1 > _HINT_LENGTH:
            return f"{text} +{len(items) - at} more"
        text += f" {item}"
    return text


def _names_it(change: Change, folded: str) -> bool:
    """Whether the code names the field, and its content where that is more than a flag."""
    if change.field.name.casefold() not in folded:
        return False
    if change.field.width == 1 or change.content is None:
        return True
    label = value_name(change.field, change.content)
    return bool(label) and label.casefold() in folded


def _hint_item(access: RegisterAccess, change: Change, values: bool) -> str:
    field, content = change.field, change.content
    name = field.name
    if access.how == "assign" and access.field is None:
        if not content:
            return ""
        if field.width == 1 or not values:
            return name
        return f"{name}={value_name(field, content) or words.number(content)}"
    if not _known(change):
        return ""
    if change.toggles and not change.sets | change.clears:
        return f"^{name}"
    if content is not None and field.width == 1:
        return f"{'+' if content else '-'}{name}"
    if content is None:
        if change.sets and not change.clears:
            return f"+{name}" if not values else f"+{name}:{number_text(change.sets, field.width)}"
        return ""
    if not values:
        return f"-{name}" if content == 0 else name
    return f"{name}: ? -> {value_name(field, content) or words.number(content)}"
