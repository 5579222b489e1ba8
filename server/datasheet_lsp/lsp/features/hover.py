"""textDocument/hover: the register under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp import positions

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer


async def hover(ls: DatasheetServer, params: types.HoverParams) -> types.Hover | None:
    """The hover for a position, None where nothing is sure."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    view = await ls.projects.view(document.path)
    if not view.lookups:
        return None
    from datasheet_lsp.assist.hover import hover as find

    line, column = params.position.line, params.position.character
    markup = ls.client.markdown
    found = await ls.ask(
        document,
        lambda source: find(
            source,
            positions.offset_at(source, line, column, ls.encoding),
            view.lookups,
            markup=markup,
            max_rows=view.max_rows,
            places=view.places,
            tell_missing=view.tell_missing,
            headers=view.headers(document.path, source),
        ),
    )
    if found is None:
        return None
    kind = types.MarkupKind.Markdown if markup else types.MarkupKind.PlainText
    return types.Hover(
        contents=types.MarkupContent(kind=kind, value=found.markdown),
        range=ls.range_of(document.source, found.start, found.end),
    )
