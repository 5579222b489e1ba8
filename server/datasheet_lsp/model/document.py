"""The document model: what was understood of a manual, with the place of everything.

Pages are 1-based physical pages of the file; the printed label is beside them. Boxes are in
points (1/72 inch) from the top left corner of the page as it is shown. Everything is immutable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points from the top left corner of the shown page."""

BlockKind = Literal["text", "list", "code", "note", "table", "figure"]
TableKind = Literal["fields", "registers", "interrupts", "pins", "values", "other"]
SectionOrigin = Literal["outline", "numbering", "font", "file"]
ChunkKind = Literal["text", "list", "code", "note", "table", "register", "figure", "svd"]


class Place(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A box on a page."""

    page: int
    box: Box


class Trouble(msgspec.Struct, frozen=True, gc=False):
    """Something that could not be read, with the pages it is about and what can be done.

    ``first_page`` and ``last_page`` are None where the whole file is meant.
    """

    message: str
    first_page: int | None = None
    last_page: int | None = None


class Section(msgspec.Struct, frozen=True, gc=False):
    """A section of the document. ``id`` is its position in ``Document.sections``.

    ``number`` is the printed number ("7.3.13") or "". ``top`` is where the heading stands on
    ``page``, in points. ``peripheral`` is what the section is about as the SVD names it (or the
    manual, without an SVD), "" where it is about none; it holds for the sections inside too.
    """

    id: int
    parent: int | None
    level: int
    number: str
    title: str
    page: int
    top: float
    last_page: int
    origin: SectionOrigin
    peripheral: str = ""


class Table(msgspec.Struct, frozen=True, gc=False):
    """A table, stitched over page breaks. ``id`` is its position in ``Document.tables``.

    All rows have as many cells as ``header``; merged cells are repeated in each row they span,
    line breaks in a cell are spaces. ``row_pages`` has the page of each row.
    """

    id: int
    section: int
    number: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_pages: tuple[int, ...]
    places: tuple[Place, ...]
    kind: TableKind = "other"


class Figure(msgspec.Struct, frozen=True, gc=False):
    """A figure or timing diagram: its caption and the box of the picture."""

    id: int
    section: int
    number: str
    caption: str
    place: Place


class FieldText(msgspec.Struct, frozen=True, gc=False):
    """A field as the manual describes it; ``name`` is the printed spelling.

    ``reset`` is the field's own reset value, None where the manual gives none.
    """

    name: str
    msb: int
    lsb: int
    access: str
    reset: int | None
    description: str
    page: int


class RegisterText(msgspec.Struct, frozen=True, gc=False):
    """A register as the manual describes it, with printed spellings and values.

    ``addresses`` are the absolute addresses the manual gives (several where one description
    serves several instances), ``offset`` the one from the peripheral's base. ``matches`` are the
    SVD paths it was matched with ("USART2.BRR", array templates as "CH[%s].CFG").
    """

    name: str
    title: str
    section: int
    place: Place
    offset: int | None
    addresses: tuple[int, ...]
    reset: int | None
    fields: tuple[FieldText, ...]
    tables: tuple[int, ...] = ()
    matches: tuple[str, ...] = ()


class Block(msgspec.Struct, frozen=True, gc=False):
    """A piece of a section in reading order.

    ``text`` is the text of a paragraph, list or code (lines separated by newlines); for a table or
    figure it is "" and ``ref`` is its id.
    """

    kind: BlockKind
    section: int
    places: tuple[Place, ...]
    text: str = ""
    ref: int | None = None


class Document(msgspec.Struct, frozen=True, gc=False):
    """A document as it was understood. ``labels`` has the printed label of each page."""

    format: str
    title: str
    revision: str
    pages: int
    labels: tuple[str, ...]
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    registers: tuple[RegisterText, ...]
    troubles: tuple[Trouble, ...] = ()
    source: str = ""
    sha256: str = ""

    def ancestors(self, section: int) -> Iterator[Section]:
        """The section and those it is in, innermost first."""
        at: int | None = section
        while at is not None:
            found = self.sections[at]
            yield found
            at = found.parent

    def heading_path(self, section: int) -> tuple[str, ...]:
        """Titles from the outermost section in: ("RCC", "Clock configuration", "Prescaler")."""
        return tuple(s.title for s in self.ancestors(section))[::-1]

    def label(self, page: int) -> str:
        """The printed label of a page, its physical number where there is none."""
        if 1 <= page <= len(self.labels) and self.labels[page - 1]:
            return self.labels[page - 1]
        return str(page)


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """A piece of a document as it is searched.

    ``text`` is the body; what is embedded is ``stamp`` and body. ``tokens`` counts both by the
    embedding model's tokenizer. ``symbols`` are the names of peripherals, registers and fields it
    is about. ``number`` is its position in the document; neighbours are number - 1 and + 1 within
    the same ``section``.
    """

    number: int
    section: int
    kind: ChunkKind
    heading_path: tuple[str, ...]
    text: str
    stamp: str
    tokens: int
    first_page: int
    last_page: int
    places: tuple[Place, ...]
    symbols: tuple[str, ...] = ()
