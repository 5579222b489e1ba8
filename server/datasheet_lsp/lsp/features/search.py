"""datasheet/search and the command of the same name: the passages that answer a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from datasheet_lsp.lsp import positions
from datasheet_lsp.lsp.client import plain
from datasheet_lsp.lsp.documents import path_of
from datasheet_lsp.lsp.progress import shown

if TYPE_CHECKING:
    from datasheet_lsp.assist.search import Place
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project


async def search(ls: DatasheetServer, params: Any) -> dict[str, Any]:
    """The hits for ``query``, in the form of ``datasheet-lsp search --json``. Can be cancelled.

    ``textDocument`` tells the device; ``position`` in it what is asked where ``query`` is empty:
    the register there. ``device`` is another one, "any" all of them.
    """
    return await _search(ls, plain(params))


async def search_command(ls: DatasheetServer, *arguments: object) -> dict[str, Any]:
    """``datasheet.search``: the same for clients that have only commands, or the query alone."""
    given = plain(arguments[0]) if arguments else None
    return await _search(ls, {"query": given} if isinstance(given, str) else given)


async def _search(ls: DatasheetServer, params: Any) -> dict[str, Any]:
    from datasheet_lsp.assist.library import NoIndex
    from datasheet_lsp.assist.search import Request, SearchError

    try:
        request = msgspec.convert(params, Request)
    except msgspec.ValidationError as error:
        raise JsonRpcInvalidParams(f"A search is asked otherwise: {error}.") from None
    uri, line, character = _where(params)
    if not request.query.strip() and uri is not None and line is not None:
        name = await register_at(ls, uri, line, character)
        request = msgspec.structs.replace(request, query=name)
    project = await project_for(ls, uri)
    if project is None or project.session is None:
        raise failed("no folder is open, so there is nothing to search.")
    try:
        work = ls.searching.search(project, request, place_of(project, uri))
        return await shown(ls, work, "Searching the manuals")
    except (NoIndex, SearchError) as error:
        raise failed(str(error)) from None


def failed(sentence: str) -> JsonRpcException:
    """What cannot be done, in a sentence that the client shows."""
    code = int(types.LSPErrorCodes.RequestFailed)
    return JsonRpcException(f"{sentence[:1].upper()}{sentence[1:]}", code)


def _where(params: Any) -> tuple[str | None, int | None, int]:
    """The document and the position in it that a request was made from, as far as it says."""
    uri = uri_of(params)
    position = params.get("position")
    if uri is None or not isinstance(position, dict):
        return uri, None, 0
    line, character = position.get("line"), position.get("character")
    if not isinstance(line, int) or not isinstance(character, int):
        return uri, None, 0
    return uri, line, character


def uri_of(params: Any) -> str | None:
    """The document that a request names, None where it names none."""
    document = params.get("textDocument")
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else None


async def project_for(ls: DatasheetServer, uri: str | None) -> Project | None:
    """The project of a document; without one the first that has an index, else the first."""
    if uri is not None:
        project = await ls.projects.project_of(path_of(uri))
        if project is not None and await ls.projects.ready(project):
            return project
    found = [each for each in ls.projects.all if await ls.projects.ready(each)]
    for project in found:
        path = project.session.index_path if project.session is not None else None
        if path is not None and path.is_file():
            return project
    return found[0] if found else None


def place_of(project: Project, uri: str | None) -> Place:
    """The device in use in a document, or in its folder, where there is one."""
    from datasheet_lsp.assist.search import Place

    session = project.session
    assert session is not None
    path = path_of(uri) if uri is not None else None
    names = {lookup.device.name for lookup in session.lookups_for(path)}
    if len(names) != 1:
        return Place()
    what = path.name if path is not None else project.root.name
    return Place(names.pop(), f"the device of {what}")


async def register_at(ls: DatasheetServer, uri: str, line: int, character: int) -> str:
    """The register at a position as a name to search for, "" where none is sure."""
    document = ls.documents.get(uri)
    if document is None:
        return ""
    view = await ls.projects.view(document.path)
    from datasheet_lsp.firmware import resolve_at

    resolved = await ls.ask(
        document,
        lambda source: resolve_at(
            source, positions.offset_at(source, line, character, ls.encoding), view.lookups
        ),
    )
    return resolved.locations[0].path if resolved is not None else ""
