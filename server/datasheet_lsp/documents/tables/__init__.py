"""Tables, register pictures and field rows from the words and rules of a page."""

from datasheet_lsp.documents.tables.fields import (
    diagram_rows,
    field_rows,
    fill_from_diagram,
)
from datasheet_lsp.documents.tables.find import find_tables
from datasheet_lsp.documents.tables.paragraphs import field_paragraphs
from datasheet_lsp.documents.tables.stitch import Stitcher
from datasheet_lsp.documents.tables.types import (
    BitCell,
    BitDiagram,
    FieldRow,
    FoundTable,
    LooseLine,
    PageTables,
)

__all__ = [
    "BitCell",
    "BitDiagram",
    "FieldRow",
    "FoundTable",
    "LooseLine",
    "PageTables",
    "Stitcher",
    "diagram_rows",
    "field_paragraphs",
    "field_rows",
    "fill_from_diagram",
    "find_tables",
]
