"""textDocument/definition: the line of the SVD file that describes a register."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp import positions
from datasheet_lsp.model import Location

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project


def line_range(line: int) -> types.Range:
    """The start of the 1-based ``line`` as a range."""
    start = types.Position(line=max(0, line - 1), character=0)
    return types.Range(start=start, end=start)


def locate(place: Location, projects: list[Project]) -> Path | None:
    """The file that describes ``place``. Reads and writes files: not for the event loop."""
    from datasheet_lsp.assist.definition import readable

    for project in projects:
        for loaded in project.contexts:
            if loaded.device is place.device:
                index = project.session.index_path if project.session is not None else None
                folder = index.parent if index is not None else None
                return readable(place, loaded.context.svd, loaded.context.member, folder)
    return None


async def definition(
    ls: DatasheetServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Links to the SVD lines of what is at a position, None where nothing is sure."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    view = await ls.projects.view(document.path)
    if not view.lookups:
        return None
    from datasheet_lsp.assist.definition import definition as find
    from datasheet_lsp.assist.definition import line_of

    line, column = params.position.line, params.position.character
    found = await ls.ask(
        document,
        lambda source: find(
            source,
            positions.offset_at(source, line, column, ls.encoding),
            view.lookups,
            view.headers(document.path, source),
        ),
    )
    if found is None:
        return None
    projects = ls.projects.all
    targets: list[tuple[str, types.Range]] = []
    for place in found.locations:
        path = await asyncio.to_thread(locate, place, projects)
        if path is not None:
            targets.append((path.as_uri(), line_range(line_of(place))))
    if not targets:
        return None
    if not ls.client.definition_links:
        return [types.Location(uri=uri, range=span) for uri, span in targets]
    origin = ls.range_of(document.source, found.start, found.end)
    return [
        types.LocationLink(
            target_uri=uri,
            target_range=span,
            target_selection_range=span,
            origin_selection_range=origin,
        )
        for uri, span in targets
    ]
