"""textDocument/inlayHint: what lines of code write, in a few words beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp import positions

if TYPE_CHECKING:
    from datasheet_lsp.assist.hints import Cache, Hint
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.language_server import DatasheetServer

_CACHES: dict[str, Cache] = {}
_MAX_CACHES = 64


async def inlay_hint(
    ls: DatasheetServer, params: types.InlayHintParams
) -> list[types.InlayHint] | None:
    """The hints of the lines asked about, None where there are no devices or none are wanted."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    view = await ls.projects.view(document.path)
    show = view.settings.hints.show
    if not view.lookups or show == "off":
        return None
    from datasheet_lsp.assist.decode import reader_of
    from datasheet_lsp.assist.hints import Cache, hints

    first, last = params.range.start, params.range.end
    if len(_CACHES) > _MAX_CACHES:
        _CACHES.clear()
    cache = _CACHES.setdefault(document.uri, Cache())

    def find(source: Source) -> list[Hint]:
        start = positions.offset_at(source, first.line, first.character, ls.encoding)
        end = positions.offset_at(source, last.line, last.character, ls.encoding)
        reader = reader_of(source, view.lookups, view.headers(document.path, source))
        return hints(reader, start, end, show, cache)

    found = await ls.ask(document, find)
    source = document.source
    shown = []
    for hint in found:
        line, column = positions.position_at(source, hint.offset, ls.encoding)
        shown.append(
            types.InlayHint(
                position=types.Position(line=line, character=column),
                label=hint.text,
                padding_left=True,
            )
        )
    return shown
