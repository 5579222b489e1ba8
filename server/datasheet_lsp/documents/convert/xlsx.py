"""Excel files: a sheet is a section and a page; the tables on it are found by their gaps."""

from __future__ import annotations

import datetime
import io
import re
import warnings
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries

from datasheet_lsp.documents.convert.builder import Builder, TooMuch
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.package import READ_ERRORS, Package
from datasheet_lsp.documents.convert.regions import Row, put_regions
from datasheet_lsp.documents.errors import DocumentError

_MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]{0,200}?ref=[\"']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})[\"']"
)
# A formula, then no value or an empty one, then the end of the cell.
_UNCOUNTED = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f\b[^>]{0,2000}/>)\s*+"
    rb"(?:<(?:\w+:)?v\s*+/>|<(?:\w+:)?v>\s*+</(?:\w+:)?v>)?\s*+</(?:\w+:)?c>"
)
_PIECE = 1 << 20
_OVERLAP = 512
_MOST_MERGED = 20_000
# Rows past this many empty ones in a row are not looked for.
_MOST_EMPTY = 10_000


def read_xlsx(package: Package, builder: Builder) -> None:
    """Values as they were last computed; formulas are not run. Raises DocumentError."""
    try:
        with warnings.catch_warnings():
            # openpyxl tells of what it leaves out (pictures, validation); none of it is text.
            warnings.simplefilter("ignore")
            book = load_workbook(
                io.BytesIO(package.data), read_only=True, data_only=True, keep_links=False
            )
    except Exception as error:
        # openpyxl fails in many ways on a file whose parts do not fit together.
        raise DocumentError(f"{builder.name} is damaged: its sheets cannot be found.") from error
    names = list(book.sheetnames)
    builder.pages = max(1, len(names))
    builder.labels = tuple(names)
    cells = 0
    for sheet in book.worksheets:
        number = names.index(sheet.title) + 1
        builder.page = number
        try:
            cells = _put_sheet(sheet, package, builder, cells)
        except TooMuch:
            raise
        except Exception:
            builder.trouble(f'Sheet "{sheet.title}" of {builder.name} is damaged.', number)


def _put_sheet(sheet: Any, package: Package, builder: Builder, cells: int) -> int:
    merged, uncounted = _look_through(package, sheet._worksheet_path)
    builder.heading(1, sheet.title)
    # What the file says about its size is often wrong.
    sheet.reset_dimensions()
    rows: list[Row] = []
    empty = 0
    full = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for given in sheet.iter_rows():
            line = [_cell(cell) for cell in given]
            while line and not line[-1].text:
                line.pop()
            cells += len(line)
            full = cells > builder.limits.cells
            empty = 0 if line else empty + 1
            if full or empty > _MOST_EMPTY:
                break
            rows.append(Row(0, 0, line))
    _spread(rows, merged)
    put_regions(rows, builder)
    page = builder.page
    if full:
        raise TooMuch(f"more than {builder.limits.cells:,} cells")
    if empty > _MOST_EMPTY:
        builder.trouble(
            f'Sheet "{sheet.title}" was read up to row {len(rows) - _MOST_EMPTY}: '
            f"more than {_MOST_EMPTY:,} empty rows follow.",
            page,
        )
    if uncounted:
        builder.trouble(
            f'On sheet "{sheet.title}", formulas without a saved value were left out '
            f"({uncounted}); open the file in a spreadsheet program and save it.",
            page,
        )
    return cells


def _look_through(package: Package, part: str) -> tuple[list[tuple[int, int, int, int]], int]:
    """What openpyxl does not tell while it reads in small memory.

    The merged ranges of a sheet (column and row from, column and row to, 1-based), and how many
    formulas stand there without a value.
    """
    merged: list[tuple[int, int, int, int]] = []
    uncounted = 0
    try:
        with package.zip.open(part.lstrip("/")) as source:
            rest = b""
            while piece := source.read(_PIECE):
                data = rest + piece
                end = 0
                for found in _MERGED.finditer(data):
                    end = found.end()
                    if len(merged) < _MOST_MERGED:
                        merged.append(range_boundaries(found[1].decode("ascii")))
                for found in _UNCOUNTED.finditer(data):
                    end = max(end, found.end())
                    uncounted += 1
                rest = data[max(end, len(data) - _OVERLAP) :]
    except (KeyError, *READ_ERRORS):
        pass
    return merged, uncounted


def _spread(rows: list[Row], merged: list[tuple[int, int, int, int]]) -> None:
    """Repeats merged cells in all places they cover, as far as other cells go."""
    width = max((len(row.cells) for row in rows), default=0)
    done = 0
    for left, top, right, bottom in merged:
        if top > len(rows) or left > width or left > len(rows[top - 1].cells):
            continue
        bottom, right = min(bottom, len(rows)), min(right, width)
        origin = rows[top - 1].cells[left - 1]
        if not origin.text:
            continue
        cell = Cell(origin.text, bottom - top + 1, right - left + 1)
        done += (bottom - top + 1) * (right - left + 1)
        if done > 1_000_000:
            return
        for row in rows[top - 1 : bottom]:
            row.cells.extend([Cell("")] * (right - len(row.cells)))
            for at in range(left - 1, right):
                row.cells[at] = cell


def _cell(cell: Any) -> Cell:
    value = cell.value
    if value is None:
        return Cell("")
    if isinstance(value, str):
        return Cell(value)
    return Cell(_written(value, cell.number_format or ""))


def _written(value: object, format: str) -> str:
    """A value about as the program shows it: percent, given decimals, dates."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime):
        if (value.hour, value.minute, value.second) == (0, 0, 0):
            return value.date().isoformat()
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (int, float)):
        shown = re.fullmatch(r"(0+|#,##0)(?:\.(0+))?(%?)", format)
        if shown:
            number = value * 100 if shown[3] else value
            decimals = len(shown[2] or "")
            width = len(shown[1]) + (decimals + 1 if decimals else 0) if shown[1][0] == "0" else 0
            return f"{number:0{width}.{decimals}f}{shown[3]}"
        if isinstance(value, float):
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    return str(value)
