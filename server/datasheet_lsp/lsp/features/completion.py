"""textDocument/completion: registers after ``->``, field macros beside a register."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp import positions

if TYPE_CHECKING:
    from datasheet_lsp.assist.completion import Completion
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.language_server import DatasheetServer

OPTIONS = types.CompletionOptions(trigger_characters=[">"])


async def completion(
    ls: DatasheetServer, params: types.CompletionParams
) -> types.CompletionList | None:
    """What may be meant, None where that is not sure, or where it is switched off."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    view = await ls.projects.view(document.path)
    if not view.lookups or not view.settings.completion.enabled:
        return None
    from datasheet_lsp.assist.completion import completions
    from datasheet_lsp.assist.decode import reader_of

    line, column = params.position.line, params.position.character

    def find(source: Source) -> list[Completion]:
        reader = reader_of(source, view.lookups, view.headers(document.path, source))
        return completions(reader, positions.offset_at(source, line, column, ls.encoding))

    found = await ls.ask(document, find)
    if not found:
        return None
    source = document.source
    offset = positions.offset_at(source, line, column, ls.encoding)
    kinds = {
        "register": types.CompletionItemKind.Field,
        "field": types.CompletionItemKind.Constant,
    }
    items = [
        types.CompletionItem(
            label=one.label,
            kind=kinds[one.kind],
            detail=one.detail,
            documentation=one.documentation or None,
            sort_text=f"{one.order:05d}",
            text_edit=types.TextEdit(
                range=ls.range_of(source, one.start, offset), new_text=one.label
            ),
        )
        for one in found
    ]
    return types.CompletionList(is_incomplete=False, items=items)
