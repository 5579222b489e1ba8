"""Register lists: the tables that name registers with offset or address and reset value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from datasheet_lsp.documents.structure.regtext import is_name, numbers, reset_value
from datasheet_lsp.documents.tables import BitDiagram, FieldRow, FoundTable, diagram_rows
from datasheet_lsp.model.document import Place

_NAME = re.compile(
    r"^(?:register\s*)?(?:name|symbol|acronym|mnemonic|register|abbreviation)s?$", re.I
)
_OFFSET = re.compile(r"offset", re.I)
_ADDRESS = re.compile(r"addr", re.I)
_RESET = re.compile(r"reset|default", re.I)
_TITLE = re.compile(r"^(?:description|function|meaning|register name|full name|remark)s?$", re.I)
_ABSOLUTE = 0x10000
# Lists of peripherals and memories have addresses too.
_OTHER_LIST = re.compile(
    r"\b(?:base|start|end|boundary)\b|^(?:size|bus|module|peripheral|block|memory|region)s?\b", re.I
)
_FOOTNOTE = re.compile(r"(?<=[A-Z0-9]{3})[a-d]$")
_DASH = re.compile(r"\s*([-–])\s*")


class ListRow(msgspec.Struct, frozen=True, gc=False):
    """A register as a list names it."""

    name: str
    title: str
    section: int
    table: int
    place: Place
    offset: int | None
    addresses: tuple[int, ...]
    reset: int | None
    reset_given: bool
    fields: tuple[FieldRow, ...] = ()


class _Columns(msgspec.Struct, gc=False):
    name: int = -1
    place: int = -1
    decimal: bool = False
    offset: bool = False
    reset: int = -1
    title: int = -1


def list_rows(
    table: FoundTable, table_id: int, section: int, diagrams: Mapping[str, BitDiagram]
) -> list[ListRow]:
    """The registers of a register list; [] for another table.

    ``diagrams`` are the register pictures drawn in it, by their labels.
    """
    columns = _columns(table)
    if columns is None:
        return []
    rows = []
    seen: list[int] = []
    for number, cells in enumerate(table.rows):
        name = cells[columns.name].strip() if columns.name >= 0 else ""
        where = cells[columns.place].strip()
        found = _place(where, columns)
        if not found or not name or not _is_register(name):
            continue
        page = table.row_pages[number] if number < len(table.row_pages) else table.page
        box = next((p.box for p in table.places if p.page == page), table.box)
        absolute = tuple(n for n in found if n >= _ABSOLUTE)
        reset = cells[columns.reset] if columns.reset >= 0 else ""
        drawn = diagrams.get(name) or diagrams.get(_clean(name))
        seen.append(found[0])
        rows.append(
            ListRow(
                name=_clean(name),
                title=" ".join(cells[columns.title].split()) if columns.title >= 0 else "",
                section=section,
                table=table_id,
                place=Place(page, box),
                offset=None if absolute else found[0],
                addresses=absolute[:1] if "-" in where or "to" in where else absolute,
                reset=reset_value(reset),
                reset_given=bool(reset.strip(" -–—")),
                fields=tuple(diagram_rows(drawn)) if drawn is not None else (),
            )
        )
    # One address again and again: these are the fields of registers.
    return rows if len(set(seen)) * 2 >= len(seen) else []


def is_register_list(table: FoundTable) -> bool:
    """Whether a table lists registers, whatever else it tells of them."""
    if table.kind == "registers":
        return True
    heads = [h.lower() for h in table.header]
    return any("register" in h for h in heads) and any("offset" in h for h in heads)


def _clean(name: str) -> str:
    """A register's name without footnote signs and spaces in a range."""
    return _FOOTNOTE.sub("", _DASH.sub(r"\1", " ".join(name.split())))


def _place(text: str, columns: _Columns) -> tuple[int, ...]:
    found = numbers(text)
    if found:
        return found
    bare = text.replace(" ", "")
    if columns.decimal and re.fullmatch(r"[0-9A-Fa-f]{2,4}", bare):
        return (int(bare, 16),)
    return ()


def _is_register(name: str) -> bool:
    parts = re.split(r"\s*(?:-|–|~|\bto\b|,|/)\s*", name)
    bare = re.sub(r"\([^)]*\)", "", parts[0]).strip()
    if re.match(r"^(?:reserved|res|unused|-)", bare, re.I):
        return False
    return is_name(bare) or bool(
        re.fullmatch(r"[A-Z]{2,}[A-Z0-9]*|[a-z][a-z0-9]*_\w+|[a-z]{3,}", bare)
    )


def _columns(table: FoundTable) -> _Columns | None:
    if any(_OTHER_LIST.search(h) for h in table.header):
        return None
    columns = _Columns()
    heads = [" ".join(h.split()) for h in table.header]
    for i, head in enumerate(heads):
        if _OFFSET.search(head) and columns.place < 0:
            columns.place, columns.offset = i, True
        elif _ADDRESS.search(head) and columns.place < 0 and "width" not in head.lower():
            columns.place = i
            columns.decimal = "hex" in head.lower()
        elif _RESET.search(head) and columns.reset < 0:
            columns.reset = i
        elif _NAME.match(head) and columns.name < 0:
            columns.name = i
        elif _TITLE.match(head) and columns.title < 0:
            columns.title = i
    if columns.place < 0:
        return None
    if columns.name < 0:
        columns.name = _named_column(table.rows, columns.place)
    if columns.name < 0:
        return None
    return columns


def _named_column(rows: Sequence[Sequence[str]], without: int) -> int:
    """The column most of whose cells are names."""
    if not rows:
        return -1
    for i in range(len(rows[0])):
        if i != without:
            named = sum(is_name(r[i].strip()) for r in rows)
            if named * 2 > len(rows):
                return i
    return -1
