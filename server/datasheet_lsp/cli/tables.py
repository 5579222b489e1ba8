"""``datasheet-lsp tables``: the tables of a document as markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.cli.library import Found
    from datasheet_lsp.model.document import Document, Section, Table

DESCRIPTION = """Prints the tables of a document as markdown: with --page what of them is on that
page, under their header. DOC is a file, the name of a file of the index, part of its title, or its
id. A file that is not in the index is read for it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The document, the page and the form."""
    from datasheet_lsp.cli.numbers import page_number

    parser.add_argument("document", metavar="DOC", help="path, file name, part of title, or id")
    parser.add_argument(
        "--page", type=page_number, metavar="N", help="only what is on this physical page"
    )
    parser.add_argument(
        "--whole", action="store_true", help="with --page: also the rows on other pages"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Prints the tables; 1 when the document cannot be read or has no such page."""
    from datasheet_lsp.cli.library import find_document
    from datasheet_lsp.cli.output import print_json
    from datasheet_lsp.render.documents import table_markdown
    from datasheet_lsp.render.style import MARKDOWN

    page = arguments.page
    found = find_document(arguments.document)
    with found.library:
        pages, sections, tables = _content(found)
    if page is not None and not 1 <= page <= max(pages, 1):
        raise CliError(f"{found.name} has no page {page}: it has {pages:,}.")
    if page is not None:
        tables = [table for table in tables if any(at.page == page for at in table.places)]
    shown = [
        (table, _on(table, page) if page is not None and not arguments.whole else table)
        for table in tables
    ]
    if arguments.json:
        print_json([_json(whole, part, sections) for whole, part in shown])
    elif shown:
        texts = []
        for whole, part in shown:
            title = (_heading_path(part.section, sections) or [""])[-1]
            texts.append(table_markdown(part, pages_of(whole), title))
        print(MARKDOWN.blocks(*texts))
    else:
        where = f"page {page} of {found.name}" if page is not None else found.name
        print(f"no tables on {where}" if page is not None else f"no tables in {where}")
    return 0


def _content(found: Found) -> tuple[int, Sequence[Section], Sequence[Table]]:
    """Pages, sections and tables: out of the index where it has the file as it is now."""
    index, stored = found.library.index, found.stored
    known = stored is not None and stored.state == "indexed" and not found.outdated
    if index is not None and stored is not None and (known or found.file is None):
        return stored.pages, index.sections(stored.id), index.tables(stored.id)
    if found.file is None:
        raise CliError(f"{found.name} is no longer there.")
    document = _read(found.file, found.library.password(found.file))
    return document.pages, document.sections, document.tables


def _read(file: Path, password: str | None) -> Document:
    from datasheet_lsp.documents.errors import DocumentError
    from datasheet_lsp.documents.read import read_document

    live = sys.stderr.isatty()

    def progress(page: int, pages: int) -> None:
        print(f"\r\x1b[Kreading page {page:,} of {pages:,}", end="", file=sys.stderr, flush=True)

    try:
        document = read_document(file, password=password, progress=progress if live else None)
    except DocumentError as error:
        raise CliError(f"{str(error).rstrip('.')}.") from None
    finally:
        if live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    for trouble in document.troubles:
        print(f"datasheet-lsp: {trouble.message}", file=sys.stderr)
    return document


def _on(table: Table, page: int) -> Table:
    """The part of a table that is on a page."""
    import msgspec

    kept = [i for i, at in enumerate(table.row_pages) if at == page]
    return msgspec.structs.replace(
        table,
        rows=tuple(table.rows[i] for i in kept),
        row_pages=tuple(table.row_pages[i] for i in kept),
        places=tuple(place for place in table.places if place.page == page),
    )


def pages_of(table: Table) -> tuple[int, int]:
    """First and last page of a table, 0 where it has none."""
    pages = [place.page for place in table.places] or [0]
    return min(pages), max(pages)


def _json(whole: Table, part: Table, sections: Sequence[Section]) -> dict[str, Any]:
    first, last = pages_of(whole)
    return {
        "number": part.number,
        "caption": part.caption,
        "kind": part.kind,
        "heading_path": _heading_path(part.section, sections),
        "page": first,
        "last_page": last,
        "header": list(part.header),
        "rows": [list(row) for row in part.rows],
        "row_pages": list(part.row_pages),
        "places": [{"page": place.page, "box": list(place.box)} for place in part.places],
    }


def _heading_path(section: int, sections: Sequence[Section]) -> list[str]:
    path: list[str] = []
    at: int | None = section
    while at is not None and 0 <= at < len(sections) and len(path) < len(sections):
        path.append(sections[at].title)
        at = sections[at].parent
    return path[::-1]
