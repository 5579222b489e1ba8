"""Field rows: bits, name, access, reset value and meaning of a register's fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from datasheet_lsp.documents.tables.bits import (
    BitRange,
    bare_name,
    is_access,
    is_reserved,
    name_bits,
    parse_bits,
    parse_reset,
)
from datasheet_lsp.documents.tables.kinds import (
    LEADING_BITS,
    access_share,
    head_words,
    leading_bits,
    share_of_bits,
)
from datasheet_lsp.documents.tables.types import BitDiagram, FieldRow, FoundTable

_BITS = re.compile(r"^bit")
_NAMES = (
    "field name",
    "bit name",
    "bit symbol",
    "name",
    "symbol",
    "field",
    "mnemonic",
    "label",
    "bit",
    "function",
)
_VALUE = re.compile(r"^(?:value|values|value id|setting|settings|code|bit value|enum.*)$")
_ACCESS = re.compile(
    r"^(?:access|type|r ?/ ?w|rw|attributes?|permissions?|read ?/ ?write|acc\.?|dir)"
)
_RESET = re.compile(r"^(?:.*\breset|default|initial|init|por|value (?:after|at|on))")
_MEANING = re.compile(r"^(?:description|function|meaning|definition|remark|comment|content|note)s?")
_NAME_FIRST = re.compile(
    r"^([A-Z][A-Z0-9_]+(?:\[[\d:]+\])?)\s*(?::|-|–|—|\.|\()\s*(.*)$", re.DOTALL
)
_IDENTIFIER = re.compile(r"^[A-Za-z_][\w.]*(?:\s*[\[<(]\s*\w+\s*(?::\s*\w+\s*)?[\])>])*$")


class Columns:
    """Which column of a field table is what; None where there is none."""

    __slots__ = ("access", "bits", "meaning", "name", "reset", "values")

    def __init__(self) -> None:
        self.bits: int | None = None
        self.name: int | None = None
        self.access: int | None = None
        self.reset: int | None = None
        self.meaning: int | None = None
        self.values: list[int] = []


def field_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    """What the columns of a field table are, from their heads and what is in them."""
    found = Columns()
    heads = [head_words(h) for h in header]
    columns = [[row[i] for row in rows] for i in range(len(heads))]
    shares = [share_of_bits(c) for c in columns]
    told = [i for i, h in enumerate(heads) if _BITS.match(h) and shares[i] >= 0.5]
    found.bits = told[0] if told else None
    if found.bits is None:
        likely = [i for i, s in enumerate(shares) if s >= 0.8]
        found.bits = likely[0] if likely else (0 if heads and leading_bits(columns[0]) else None)
    if found.bits is None:
        return found
    for name in _NAMES:
        at = next(
            (i for i, h in enumerate(heads) if i != found.bits and _is_head(h, name)),
            None,
        )
        if at is not None and not (name == "function" and _long(columns[at])):
            found.name = at
            break
    for i, head in enumerate(heads):
        if i in (found.bits, found.name):
            continue
        if found.access is None and _ACCESS.match(head) and access_share(columns[i]) >= 0.5:
            found.access = i
        elif found.reset is None and _RESET.match(head):
            found.reset = i
        elif _VALUE.match(head):
            found.values.append(i)
        elif found.meaning is None and _MEANING.match(head):
            found.meaning = i
    if found.meaning is None:
        rest = [
            i
            for i in range(len(heads))
            if i not in (found.bits, found.name, found.access, found.reset, *found.values)
        ]
        if rest:
            found.meaning = max(rest, key=lambda i: sum(map(len, columns[i])))
    return found


def _is_head(head: str, name: str) -> bool:
    return head == name or head == name + "s" or head.startswith((name + " ", name + "/"))


def _long(column: Sequence[str]) -> bool:
    given = [c for c in column if c]
    return bool(given) and sum(" " in c.strip() for c in given) * 2 > len(given)


def field_rows(table: FoundTable) -> list[FieldRow]:
    """The fields that a table describes, in its order; [] when it is no field table.

    Rows with the same bits and name (one for each value) become one field, with the values' rows
    in its description.
    """
    if table.kind != "fields":
        return []
    columns = field_columns(table.header, table.rows)
    if columns.bits is None:
        return []
    fields: list[_Field] = []
    for at, row in enumerate(table.rows):
        page = table.row_pages[at] if at < len(table.row_pages) else table.page
        _add_row(fields, row, columns, page)
    return [row for field in fields for row in field.rows(table.diagram)]


class _Field:
    """A field while its rows are put together."""

    __slots__ = ("access", "key", "lines", "name", "page", "ranges", "reset")

    def __init__(
        self, ranges: tuple[BitRange, ...], name: str, access: str, reset: str, page: int, key: str
    ) -> None:
        self.ranges = ranges
        self.name = name
        self.access = access
        self.reset = reset
        self.page = page
        self.key = key
        self.lines: list[str] = []

    def rows(self, diagram: BitDiagram | None) -> list[FieldRow]:
        text = "\n".join(self.lines)
        reserved = is_reserved(self.name) and (
            self.name.strip(" -–—_") != ""
            or not text
            or bool(re.match(r"(?:reserved|unused|not used|-|–|—|n/?a)", text, re.IGNORECASE))
        )
        found = []
        for high, low in self.ranges:
            reset = parse_reset(self.reset, high - low + 1) if self.reset else None
            if reset is None and diagram is not None:
                reset = _drawn_reset(diagram, high, low)
            found.append(
                FieldRow(self.name, high, low, self.access, reset, text, self.page, reserved)
            )
        return found


def _drawn_reset(diagram: BitDiagram, high: int, low: int) -> int | None:
    digits: dict[int, str] = {}
    for cell in diagram.cells:
        if len(cell.reset) == cell.msb - cell.lsb + 1:
            for at, digit in enumerate(cell.reset):
                digits[cell.msb - at] = digit
    own = "".join(digits.get(b, "x") for b in range(high, low - 1, -1))
    return int(own, 2) if own and not own.strip("01") else None


def _add_row(fields: list[_Field], row: Sequence[str], columns: Columns, page: int) -> None:
    assert columns.bits is not None
    bits_text = row[columns.bits]
    name = clean_name(row[columns.name]) if columns.name is not None else ""
    meaning = row[columns.meaning] if columns.meaning is not None else ""
    access = row[columns.access] if columns.access is not None else ""
    reset = row[columns.reset] if columns.reset is not None else ""
    values = " ".join(row[i] for i in columns.values if row[i] and row[i] not in "-–—")
    if not bits_text:
        if fields and (meaning or values):
            _add_meaning(fields[-1], values, meaning)
        return
    if len(bits_text) > 12 and (found := LEADING_BITS.match(bits_text)):
        bits_text = found[1]
        name = name or found[2]
    ranges = parse_bits(bits_text)
    if not ranges:
        found = LEADING_BITS.match(bits_text)
        if found:
            ranges = parse_bits(found[1])
            name = name or found[2]
    if not ranges:
        if fields and fields[-1].key != bits_text and (meaning or values):
            _add_meaning(fields[-1], values, meaning)
        return
    if columns.name is None or (not name and meaning):
        if first := _NAME_FIRST.match(meaning):
            name, meaning = first[1], first[2]
        elif _IDENTIFIER.match(meaning) and meaning.upper() == meaning:
            name = meaning
    last = fields[-1] if fields else None
    key = bits_text
    if last is not None and last.ranges == ranges and last.name == name:
        _add_meaning(last, values, meaning)
        last.reset = last.reset or reset
        last.access = last.access or access
        return
    field = _Field(
        ranges, name, access if is_access(access) else access.strip("-–— "), reset, page, key
    )
    _add_meaning(field, values, meaning)
    fields.append(field)


def _add_meaning(field: _Field, values: str, meaning: str) -> None:
    text = f"{values}: {meaning}" if values and meaning else values or meaning
    if text and (not field.lines or field.lines[-1] != text):
        field.lines.append(text)


def clean_name(name: str) -> str:
    """A field's name as an identifier: notes away, pieces of a wrapped name put together."""
    name = re.sub(r"\s*(?:\((?:\d|note.*?)\)|\[\d\]$(?<=\]))\s*$", "", name.strip()) or name
    if " " in name and not re.search(r"[a-z]{3,}\s+[a-z]", name):
        whole = name.replace(" ", "")
        if (
            _IDENTIFIER.match(whole)
            and re.search(r"[A-Z0-9_]{2}", whole)
            and whole.upper() == whole
        ):
            return whole
        if re.match(r"^\w+\s\[[\d:]+\]$", name):
            return whole
    return name


def diagram_rows(diagram: BitDiagram) -> list[FieldRow]:
    """The fields that a picture shows; for registers that nothing else describes.

    Boxes that are parts of one field ("KEY[31:16]", "KEY[15:0]") become one.
    """
    rows: list[FieldRow] = []
    for cell in diagram.cells:
        if not cell.name and not cell.reset:
            continue
        reset = int(cell.reset, 2) if cell.reset and not cell.reset.strip("01") else None
        if cell.reset and len(cell.reset) != cell.msb - cell.lsb + 1:
            reset = None
        reserved = is_reserved(cell.name)
        part = name_bits(cell.name)
        name = bare_name(cell.name)
        if rows and rows[-1].lsb == cell.msb + 1 and not reserved:
            last = rows[-1]
            if part and last.name == name and last.description == str(part[0] + 1):
                joined = None
                if last.reset is not None and reset is not None:
                    joined = last.reset << (cell.msb - cell.lsb + 1) | reset
                rows[-1] = FieldRow(
                    name, last.msb, cell.lsb, last.access, joined, str(part[1]), diagram.page
                )
                continue
        # The description holds the lowest bit of the part while parts are put together.
        rows.append(
            FieldRow(
                name,
                cell.msb,
                cell.lsb,
                cell.access,
                reset,
                str(part[1]) if part else "",
                diagram.page,
                reserved,
            )
        )
    return [FieldRow(r.name, r.msb, r.lsb, r.access, r.reset, "", r.page, r.reserved) for r in rows]


def fill_from_diagram(rows: Iterable[FieldRow], diagram: BitDiagram) -> list[FieldRow]:
    """The rows with access and reset value taken from the picture where they have none."""
    access: dict[int, str] = {}
    for cell in diagram.cells:
        for bit in range(cell.lsb, cell.msb + 1):
            access[bit] = cell.access
    filled = []
    for r in rows:
        reset = r.reset if r.reset is not None else _drawn_reset(diagram, r.msb, r.lsb)
        filled.append(
            FieldRow(
                r.name,
                r.msb,
                r.lsb,
                r.access or access.get(r.msb, ""),
                reset,
                r.description,
                r.page,
                r.reserved,
            )
        )
    return filled
