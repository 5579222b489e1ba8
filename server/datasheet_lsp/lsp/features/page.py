"""datasheet.page: the manual's page of a register, in the viewer of the system."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from datasheet_lsp.lsp import positions
from datasheet_lsp.lsp.client import plain
from datasheet_lsp.lsp.features.search import failed

if TYPE_CHECKING:
    from datasheet_lsp.assist.places import Place
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.model import Location

SHOW_SECONDS = 60.0


async def page_command(ls: DatasheetServer, *arguments: object) -> dict[str, Any]:
    """``datasheet.page`` with a document and a range: ``{uri, page, label, heading}``.

    A client that can show documents is asked to open it outside; viewers that know ``#page=``
    open it there.
    """
    given: Any = plain(arguments[0]) if arguments else None
    try:
        uri = given["textDocument"]["uri"]
        start = given["range"]["start"]
        line, character = int(start["line"]), int(start["character"])
    except (KeyError, TypeError, ValueError):
        raise JsonRpcInvalidParams("A textDocument and a range are needed.") from None
    document = ls.documents.get(uri)
    if document is None:
        raise failed("the file is not open in the editor, so no register is known there.")
    view = await ls.projects.view(document.path)

    def find(source: Source) -> tuple[Location, Place | None] | None:
        from datasheet_lsp.firmware import resolve_at

        offset = positions.offset_at(source, line, character, ls.encoding)
        resolved = resolve_at(source, offset, view.lookups, view.headers(document.path, source))
        if resolved is None:
            return None
        location = resolved.locations[0]
        return location, view.places.of(location) if view.places is not None else None

    found = await ls.ask(document, find)
    if found is None:
        raise failed("there is no register here that is known for sure.")
    location, place = found
    if place is None:
        raise failed(f"no indexed manual describes {location.path}.")
    path = await asyncio.to_thread(file_of, ls, location, place.file)
    if path is None:
        raise failed(f"{place.file} is no longer where it was when it was indexed.")
    target = path.as_uri()
    if place.page and path.suffix.lower() == ".pdf":
        target += f"#page={place.page}"
    if ls.client.show_document:
        ls.tasks.start(_show(ls, target), "show the page")
    return {
        "uri": path.as_uri(),
        "page": place.page,
        "label": place.label,
        "heading": place.heading,
    }


def file_of(ls: DatasheetServer, location: Location, name: str) -> Path | None:
    """The file with this name in the index of the project of a device. Looks at the disk."""
    from datasheet_lsp.indexing.find import path_of

    for project in ls.projects.all:
        if any(each.device is location.device for each in project.contexts):
            path = path_of(name, project.root)
            if path.is_file():
                return path
    return None


async def _show(ls: DatasheetServer, uri: str) -> None:
    params = types.ShowDocumentParams(uri=uri, external=True)
    with contextlib.suppress(Exception):
        await asyncio.wait_for(ls.window_show_document_async(params), SHOW_SECONDS)
