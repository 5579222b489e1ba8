"""``datasheet-lsp chunks``: how a document was cut into the pieces that are searched."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.cli.library import Found
    from datasheet_lsp.index import StoredChunk, StoredDocument
    from datasheet_lsp.render.lengths import Lengths

DESCRIPTION = """Prints the chunks of a document of the index: id, text, file, page and heading
path. DOC is its path, the name of its file, part of its title, or its id."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The document, and what of it in which form."""
    from datasheet_lsp.cli.numbers import page_number

    parser.add_argument("document", metavar="DOC", help="path, file name, part of title, or id")
    parser.add_argument(
        "--page", type=page_number, metavar="N", help="only those of this physical page"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--stats", action="store_true", help="how long they are, in tokens, instead of their text"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw their lengths into a .png or .svg file"
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the chunks; 1 when there is no such document in the index."""
    from datasheet_lsp.cli.library import find_document

    if arguments.plot is not None and arguments.plot.suffix.lower() not in (".png", ".svg"):
        raise CliError(f"{arguments.plot} is to end in .png or .svg.", code=2)
    found = find_document(arguments.document)
    with found.library as library:
        stored = found.stored
        if stored is None or library.index is None:
            raise CliError(
                f"{found.name} is not in the index of {library.root}: "
                f"datasheet-lsp index {found.name} brings it in."
            )
        if stored.state == "failed":
            raise CliError(stored.problem)
        if arguments.page is not None and not 1 <= arguments.page <= max(stored.pages, 1):
            raise CliError(f"{found.name} has no page {arguments.page}: it has {stored.pages:,}.")
        if found.outdated:
            say = f"{found.name} has changed since it was indexed: these chunks are of before."
            print(f"datasheet-lsp: {say}", file=sys.stderr)
        _print(found, stored, library.index.chunks(stored.id, arguments.page), arguments)
    return 0


def _print(
    found: Found,
    stored: StoredDocument,
    chunks: Sequence[StoredChunk],
    arguments: argparse.Namespace,
) -> None:
    from datasheet_lsp.cli.output import plain_style, print_json
    from datasheet_lsp.render.lengths import lengths_of, lengths_text

    if arguments.stats or arguments.plot is not None:
        lengths = lengths_of(each.chunk for each in chunks)
        if arguments.plot is not None:
            _plot(lengths, stored, found.name, arguments.plot)
        if arguments.json:
            print_json(lengths)
        elif arguments.stats:
            print(lengths_text(lengths, plain_style()))
        else:
            print(f"{arguments.plot}: {lengths.chunks:,} chunks")
    elif arguments.json:
        print_json([chunk_json(each, stored, found.name) for each in chunks])
    else:
        _print_texts(found, stored, chunks)


def chunk_json(stored_chunk: StoredChunk, stored: StoredDocument, file: str) -> dict[str, Any]:
    """A chunk as plain data; pages are physical, ``labels`` what is printed on them."""
    chunk = stored_chunk.chunk
    return {
        "id": stored_chunk.id,
        "text": chunk.text,
        "file": file,
        "page": chunk.first_page,
        "last_page": chunk.last_page,
        "labels": [stored.label(page) for page in dict.fromkeys(_pages(chunk))],
        "heading_path": list(chunk.heading_path),
        "kind": chunk.kind,
        "tokens": chunk.tokens,
        "stamp": chunk.stamp,
        "symbols": list(chunk.symbols),
        "document": stored.id,
        "number": chunk.number,
        "section": chunk.section,
        "places": [{"page": place.page, "box": list(place.box)} for place in chunk.places],
    }


def _pages(chunk: Any) -> list[int]:
    return [chunk.first_page, chunk.last_page] if chunk.first_page else []


def _print_texts(found: Found, stored: StoredDocument, chunks: Sequence[StoredChunk]) -> None:
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.documents import chunk_text, pages_text

    style = plain_style()
    for number, each in enumerate(chunks):
        chunk = each.chunk
        first, last = chunk.first_page, chunk.last_page
        pages = pages_text(first, last, stored.label(first), stored.label(last))
        if number:
            print(f"\n{style.rule()}\n")
        print(chunk_text(chunk, each.id, found.name, pages, style))
    if not chunks:
        print("no chunks")


def _plot(lengths: Lengths, stored: StoredDocument, file: str, path: Path) -> None:
    from datasheet_lsp.render.documents import name_of
    from datasheet_lsp.render.lengths import lengths_svg

    name = name_of({"title": stored.title, "revision": stored.revision, "file": file})
    svg = lengths_svg(lengths, name)
    if path.suffix.lower() == ".svg":
        data = svg.encode()
    else:
        from datasheet_lsp.documents.pdf.picture import drawing_picture

        data = drawing_picture(svg).png
    write_file(path, data)


def write_file(path: Path, data: bytes) -> None:
    """Writes a file that was asked for; raises CliError."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror or error}.") from None
