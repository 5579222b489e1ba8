"""textDocument/references: all reads and writes of a register or peripheral in the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp import positions
from datasheet_lsp.lsp.documents import Document

if TYPE_CHECKING:
    from datasheet_lsp.assist.overview import FileUse
    from datasheet_lsp.assist.references import Reference
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.language_server import DatasheetServer


async def references(
    ls: DatasheetServer, params: types.ReferenceParams
) -> list[types.Location] | None:
    """The accesses in order by file, None where no register is meant.

    As far as the code was read: right after the start some files may be missing.
    """
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    position = params.position
    return await find(ls, document, position.line, position.character)


async def find(
    ls: DatasheetServer, document: Document, line: int, column: int
) -> list[types.Location] | None:
    """The accesses to what is at a position."""
    view = await ls.projects.view(document.path)
    if not view.lookups:
        return None
    from datasheet_lsp.assist.decode import reader_of
    from datasheet_lsp.assist.overview import use_of
    from datasheet_lsp.assist.references import meant_at
    from datasheet_lsp.assist.references import references as search

    overviews = ls.overviews.all()

    def look(source: Source) -> list[tuple[Reference, bytes]] | None:
        headers = view.headers(document.path, source)
        offset = positions.offset_at(source, line, column, ls.encoding)
        reader = reader_of(source, view.lookups, headers)
        meant = meant_at(reader, offset)
        if not meant:
            return None
        fresh: dict[str, FileUse] = {}
        if document.path is not None:  # as it is edited, not as it was saved
            own = use_of(document.path, (0, 0), source, reader)
            fresh[own.path] = own
        return _texts(search(meant, [one.with_files(fresh) for one in overviews]), fresh, source)

    found = await ls.ask(document, look)
    if found is None:
        return None
    return [
        types.Location(
            uri=one.path.as_uri(),
            range=types.Range(
                start=types.Position(one.line, positions.to_units(text, one.column, ls.encoding)),
                end=types.Position(one.line, positions.to_units(text, one.end, ls.encoding)),
            ),
        )
        for one, text in found
    ]


def _texts(
    found: list[Reference], fresh: dict[str, FileUse], own: Source
) -> list[tuple[Reference, bytes]]:
    """The references with their lines, of which columns are counted. Reads files."""
    from datasheet_lsp.assist.overview import read_file
    from datasheet_lsp.firmware import Source

    sources: dict[str, Source] = {path: own for path in fresh}
    result = []
    for one in found:
        key = str(one.path)
        if key not in sources:
            read = read_file(one.path)
            sources[key] = Source(read[0] if read is not None else b"")
        result.append((one, sources[key].line(one.line)))
    return result
