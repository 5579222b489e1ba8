"""``datasheet-lsp page``: the picture of a page, with a place marked."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.cli.library import Found
    from datasheet_lsp.model.document import Box

DESCRIPTION = """Draws a page of a PDF into a PNG file, with what --find or --chunk name marked. DOC
is its path, the name of its file, part of its title, or its id in the index. N is the physical
page, counted from 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The page, the picture, and what is marked in it."""
    from datasheet_lsp.cli.numbers import dots, page_number

    parser.add_argument("document", metavar="DOC", help="path, file name, part of title, or id")
    parser.add_argument("page", type=page_number, metavar="N", help="the physical page")
    parser.add_argument(
        "--png", type=Path, required=True, metavar="FILE", help="the picture to write"
    )
    parser.add_argument("--find", metavar="TEXT", help="mark where this stands")
    parser.add_argument("--chunk", type=int, metavar="ID", help="mark where this chunk is from")
    parser.add_argument(
        "--dpi", type=dots, default=150, metavar="N", help="pixels an inch (default: 150)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Writes the picture; 1 when there is no such page or the text is not on it."""
    from datasheet_lsp.cli.chunks import write_file
    from datasheet_lsp.cli.library import find_document

    found = find_document(arguments.document)
    with found.library as library:
        if found.file is None:
            raise CliError(f"{found.name} is no longer there.")
        boxes = [] if arguments.chunk is None else _chunk_boxes(found, arguments)
        from datasheet_lsp.documents.pdf.errors import PdfError
        from datasheet_lsp.documents.pdf.picture import page_picture

        try:
            picture = page_picture(
                found.file,
                arguments.page,
                password=library.password(found.file),
                dots=arguments.dpi,
                boxes=boxes,
                find=arguments.find or "",
            )
        except PdfError as error:
            raise CliError(f"{error}.") from None
    write_file(arguments.png, picture.png)
    if arguments.find and len(picture.marked) == len(boxes):
        raise CliError(
            f"{arguments.find!r} is not on page {arguments.page} of {found.file.name}; "
            f"{arguments.png} was written without it."
        )
    marked = f", {len(picture.marked)} marked" if picture.marked else ""
    print(f"{arguments.png}: {picture.width} x {picture.height} pixels{marked}")
    return 0


def _chunk_boxes(found: Found, arguments: argparse.Namespace) -> list[Box]:
    index = found.library.index
    stored = index.chunk(arguments.chunk) if index is not None else None
    if stored is None or found.stored is None or stored.document != found.stored.id:
        raise CliError(f"{found.name} has no chunk {arguments.chunk}.")
    chunk = stored.chunk
    boxes = [place.box for place in chunk.places if place.page == arguments.page]
    if not boxes:
        first, last = chunk.first_page, chunk.last_page
        where = f"page {first}" if first == last else f"pages {first} to {last}"
        raise CliError(f"chunk {arguments.chunk} is on {where} of {found.name}.")
    return boxes
