"""CSV and TSV: one or more tables, divided by empty lines."""

from __future__ import annotations

import csv
import io

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.regions import Row, put_regions

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 50
_SAMPLE_LETTERS = 65_536


def read_delimited(text: str, builder: Builder) -> None:
    """The delimiter is the one that gives most lines the same number of cells, more than one."""
    # A field that is quoted may hold line ends; how long it may be is bounded by the file.
    csv.field_size_limit(max(len(text) + 1, 131_072))
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first.strip()) == 5:
        delimiter, text = first.strip()[4], "\n" + rest
    else:
        delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=False)
    rows: list[Row] = []
    cells = 0
    line = 1
    try:
        for record in reader:
            cells += len(record)
            if cells > builder.limits.cells:
                builder.trouble(
                    f"{builder.name} was read up to line {line - 1}: it has more than "
                    f"{builder.limits.cells:,} cells."
                )
                break
            rows.append(Row(line, reader.line_num, [Cell(value) for value in record]))
            line = reader.line_num + 1
    except csv.Error:
        builder.trouble(
            f"{builder.name} was read up to line {line - 1}: the next one is not written as CSV."
        )
    put_regions(rows, builder)


def _delimiter(text: str) -> str:
    sample = "\n".join(text[:_SAMPLE_LETTERS].split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES])
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = []
        try:
            widths = [
                len(r) for r in csv.reader(io.StringIO(sample), delimiter=delimiter) if any(r)
            ]
        except csv.Error:
            continue
        wide = [w for w in widths if w > 1]
        if not wide:
            continue
        usual = max(set(wide), key=lambda w: (wide.count(w), w))
        score = wide.count(usual) / len(widths) + min(usual, 20) / 1000
        if score > best_score:
            best, best_score = delimiter, score
    return best
