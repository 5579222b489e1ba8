"""Field rows (bits and name) that were found in a manual, against its SVD file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from datasheet_lsp.documents.tables import FieldRow, FoundTable, field_paragraphs, field_rows
from datasheet_lsp.documents.tables.kinds import table_kind
from datasheet_lsp.documents.tables.text import join_lines
from datasheet_lsp.evaluation.described import field_key, is_reserved, real_fields
from datasheet_lsp.model.device import Device, Peripheral
from datasheet_lsp.model.document import FieldText

Row = tuple[str, int, int]
"""Name as it is compared, highest bit, lowest bit."""

Cells = tuple[str, ...]

_HEADS = 3
"""So many rows at the top of a table are tried as its header."""


class Score(msgspec.Struct, frozen=True, gc=False):
    """Different field rows found against those of the SVD.

    ``wanted`` are the SVD's rows, ``found`` the manual's, ``right`` those in both. Of the rows
    found, ``judged`` have a name that the SVD has too; the others cannot be told right or wrong.
    """

    wanted: int
    found: int
    right: int
    judged: int

    @property
    def recall(self) -> float | None:
        """The share of the SVD's rows that were found."""
        return self.right / self.wanted if self.wanted else None

    @property
    def precision(self) -> float | None:
        """The share of the rows with a name of the SVD that have its bits."""
        return self.right / self.judged if self.judged else None


def svd_rows(device: Device, scope: Collection[str]) -> set[Row]:
    """The rows of all fields of the peripherals in ``scope`` (all where it is empty)."""
    return {
        (field_key(field.name), field.msb, field.lsb)
        for peripheral in in_scope(device, scope)
        for register in peripheral.registers
        for field in real_fields(register)
    }


def in_scope(device: Device, scope: Collection[str]) -> list[Peripheral]:
    """The peripherals of these names, all where none is named."""
    return [p for p in device.peripherals if not scope or p.name in scope]


def rows_of(fields: Iterable[FieldText | FieldRow]) -> set[Row]:
    """The different rows among fields of a manual, reserved ones left out."""
    return {(field_key(f.name), f.msb, f.lsb) for f in fields if f.name and not is_reserved(f.name)}


def score(found: set[Row], wanted: set[Row], printed: Collection[str] | None = None) -> Score:
    """How ``found`` compares with ``wanted``, of which only names in ``printed`` count if given."""
    known = {row[0] for row in wanted}
    if printed is not None:
        wanted = {row for row in wanted if row[0] in printed}
    right = found & wanted
    return Score(len(wanted), len(found), len(right), sum(row[0] in known for row in found))


class RowReader:
    """Reads field rows in another tool's tables and lines, by the code that reads our own.

    Each of the first rows of a table is tried as its header, and the header of the last table of
    that width, for one that goes on from the page before; what gives most rows counts.
    """

    def __init__(self) -> None:
        self._headers: dict[int, Cells] = {}

    def read(
        self, tables: Iterable[Sequence[Sequence[str]]], lines: Sequence[str], page: int
    ) -> set[Row]:
        """The rows of a page."""
        found = rows_of(field_paragraphs(lines, page))
        for table in tables:
            found |= self._best([[_flat(cell) for cell in row] for row in table], page)
        return found

    def _best(self, table: list[list[str]], page: int) -> set[Row]:
        width = max((len(row) for row in table), default=0)
        if width < 2:
            return set()
        rows = [tuple(row + [""] * (width - len(row))) for row in table]
        ways = [(rows[at], rows[at + 1 :]) for at in range(min(_HEADS, len(rows) - 1))]
        if width in self._headers:
            ways.append((self._headers[width], rows))
        best: set[Row] = set()
        for header, body in ways:
            kind = table_kind(header, body, "")
            found = FoundTable(page, (0, 0, 0, 0), header, tuple(body), (), kind=kind)
            got = rows_of(field_rows(found))
            if len(got) > len(best):
                best = got
                self._headers[width] = header
        return best


def _flat(cell: str) -> str:
    return join_lines(cell.split("\n"))
