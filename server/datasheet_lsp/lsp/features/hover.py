"""textDocument/hover: the register under the cursor."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp import positions

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer

PLAIN_WIDTH = 100
"""Columns of the text for clients that show no markdown."""


async def hover(ls: DatasheetServer, params: types.HoverParams) -> types.Hover | None:
    """The hover for a position, None where nothing is sure."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    lookups = await ls.projects.lookups_for(document.path)
    if not lookups:
        return None
    from datasheet_lsp.assist.hover import hover as find

    line, column = params.position.line, params.position.character
    found = await ls.ask(
        document,
        lambda source: find(
            source, positions.offset_at(source, line, column, ls.encoding), lookups
        ),
    )
    if found is None:
        return None
    kind, text = types.MarkupKind.Markdown, found.markdown
    if not ls.client.markdown:
        kind, text = types.MarkupKind.PlainText, plain_text(text)
    return types.Hover(
        contents=types.MarkupContent(kind=kind, value=text),
        range=ls.range_of(document.source, found.start, found.end),
    )


def plain_text(markdown: str) -> str:
    """Markdown as plain text, tables drawn with lines."""
    from rich.console import Console
    from rich.markdown import Markdown

    out = io.StringIO()
    console = Console(file=out, width=PLAIN_WIDTH, color_system=None, force_terminal=False)
    console.print(Markdown(markdown))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")
