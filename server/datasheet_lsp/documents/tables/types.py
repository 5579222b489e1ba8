"""What is found on a page: tables, pictures of registers, and the field rows read from them.

Pages are physical and 1-based, boxes in points from the top left corner of the shown page.
"""

from __future__ import annotations

import msgspec

from datasheet_lsp.model.document import Box, Place, TableKind


class FieldRow(msgspec.Struct, frozen=True, gc=False):
    """A field of a register: bits, printed name, access, reset value and meaning.

    ``access`` is as printed ("RW0", "rc_w1"), "" where none is given. ``reset`` is None where none
    is given or it is no number. ``description`` holds the values' meanings, one a line
    ("0x1: PLL input"). ``reserved`` rows describe bits without a function.
    """

    name: str
    msb: int
    lsb: int
    access: str
    reset: int | None
    description: str
    page: int
    reserved: bool = False


class BitCell(msgspec.Struct, frozen=True, gc=False):
    """A box in the picture of a register. ``reset`` holds its digits, "" where none are drawn."""

    name: str
    msb: int
    lsb: int
    access: str = ""
    reset: str = ""


class BitDiagram(msgspec.Struct, frozen=True, gc=False):
    """The picture of a register: its boxes from the highest bit down.

    ``width`` is the number of bits drawn. ``label`` is the register's name or address where it
    stands in the picture itself.
    """

    page: int
    box: Box
    width: int
    cells: tuple[BitCell, ...]
    label: str = ""


class FoundTable(msgspec.Struct, frozen=True, gc=False):
    """A table as it was found, on one page or (from ``Stitcher``) on several.

    All rows have as many cells as ``header``. ``header`` is the column heads, those of two or more
    lines joined; ``headless`` says that the table has none of its own (its first row is already
    data) and ``header`` is empty strings. ``head_rows`` are the rows as printed that were made
    into ``header``; ``head_marked`` says that they are bold or shaded, so that they are the header
    beyond doubt. ``column_edges`` has one more entry than there are columns. ``continued`` says
    that the caption calls it a continuation. ``fragment`` is a single row without a caption: worth
    something only as a part of the table on the page before or after. ``diagram`` is the picture
    of the bits that stands in the table itself. ``header_repeated`` counts the parts after the
    first that repeated the header.
    """

    page: int
    box: Box
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    column_edges: tuple[float, ...]
    row_pages: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()
    caption: str = ""
    number: str = ""
    kind: TableKind = "other"
    head_rows: tuple[tuple[str, ...], ...] = ()
    headless: bool = False
    head_marked: bool = False
    continued: bool = False
    header_repeated: int = 0
    fragment: bool = False
    diagram: BitDiagram | None = None


class LooseLine(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A line of words outside every table, as far as stitching needs it."""

    top: float
    bottom: float
    text: str


class PageTables(msgspec.Struct, frozen=True, gc=False):
    """The tables and pictures of a page.

    ``used`` are the indices in ``PageData.words`` of all words in tables, their captions and
    pictures. ``loose`` are the lines that are left, from the top down.
    """

    page: int
    height: float
    tables: tuple[FoundTable, ...]
    diagrams: tuple[BitDiagram, ...]
    used: frozenset[int]
    loose: tuple[LooseLine, ...] = ()
