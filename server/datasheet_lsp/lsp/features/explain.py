"""datasheet/explain and the command of the same name: what a stretch of code sets up."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from datasheet_lsp.lsp import positions
from datasheet_lsp.lsp.client import plain
from datasheet_lsp.lsp.features.definition import locate
from datasheet_lsp.lsp.features.page import file_of
from datasheet_lsp.lsp.features.search import failed
from datasheet_lsp.lsp.protocol import ANSWER_CHUNK

if TYPE_CHECKING:
    from datasheet_lsp.assist.cited import Cited
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.language_server import DatasheetServer

TITLE = "Explain this set-up"
_numbers = itertools.count(1)


async def explain(ls: DatasheetServer, params: Any) -> dict[str, Any]:
    """What the code in ``range`` does to the registers, with its places. Can be cancelled.

    ``{title, text, citations, id}`` as in ``datasheet/ask``; no model is asked.
    """
    return await _explain(ls, plain(params))


async def explain_command(ls: DatasheetServer, *arguments: Any) -> dict[str, Any]:
    """``datasheet.explain``: the explanation in a file, which the client is asked to show."""
    told = await _explain(ls, plain(arguments[0]) if arguments else None)
    path = await asyncio.to_thread(_write, told)
    if ls.client.show_document:
        params = types.ShowDocumentParams(uri=path.as_uri(), take_focus=True)
        ls.tasks.start(_show(ls, params), "show the explanation")
    return {**told, "uri": path.as_uri()}


async def _show(ls: DatasheetServer, params: types.ShowDocumentParams) -> None:
    await ls.window_show_document_async(params)


def _write(told: dict[str, Any]) -> Path:
    path = Path(tempfile.mkdtemp(prefix="datasheet-")) / "explanation.md"
    path.write_text(f"# {told['title']}\n\n{told['text']}\n", encoding="utf-8", errors="replace")
    return path


async def _explain(ls: DatasheetServer, params: Any) -> dict[str, Any]:
    try:
        uri = params["textDocument"]["uri"]
        ends = (params["range"]["start"], params["range"]["end"])
        (first, left), (last, right) = ((int(at["line"]), int(at["character"])) for at in ends)
    except (KeyError, TypeError, ValueError):
        raise JsonRpcInvalidParams("A textDocument and a range are needed.") from None
    document = ls.documents.get(uri)
    if document is None:
        raise failed("the file is not open in the editor, so there is nothing to explain.")
    name = str(params.get("id") or f"explanation-{next(_numbers)}")
    view = await ls.projects.view(document.path)
    if not view.lookups:
        raise failed("no device is known for this file: see the status.")
    ls.protocol.notify(ANSWER_CHUNK, {"id": name, "kind": "stage", "text": "reading"})
    overview = ls.overviews.of(document.path, view.lookups)

    def find(source: Source) -> tuple[str, tuple[Cited, ...]]:
        from datasheet_lsp.assist.cited import cited
        from datasheet_lsp.assist.decode import reader_of
        from datasheet_lsp.assist.explain import explain as told_of
        from datasheet_lsp.assist.places import Places
        from datasheet_lsp.render.setup import explained_text
        from datasheet_lsp.render.style import MARKDOWN

        low = positions.offset_at(source, first, left, ls.encoding)
        high = positions.offset_at(source, last, right, ls.encoding)
        if low == high:  # a cursor stands for its line
            low = source.offset(first, 0)
            high = (
                source.offset(first + 1, 0) if first + 1 < source.line_count else len(source.data)
            )
        reader = reader_of(source, view.lookups, view.headers(document.path, source))
        told = told_of(reader, low, high, overview)
        numbers, places = cited(told, view.places or Places(), view.lookups)
        lines = [(one.line, one.access) for one in told.lines]
        text = explained_text(lines, told.peripherals, told.missing, MARKDOWN, numbers)
        return text, places

    text, places = await ls.ask(document, find)
    citations = await asyncio.to_thread(_citations, ls, places)
    from datasheet_lsp.render.setup import sources_text
    from datasheet_lsp.render.style import MARKDOWN

    if places:
        listed = [(one.number, _source(one, MARKDOWN)) for one in places]
        text = f"{text}\n\n{sources_text(listed)}"
    ls.protocol.notify(ANSWER_CHUNK, {"id": name, "kind": "text", "text": text})
    return {"title": TITLE, "text": text, "citations": citations, "notes": [], "id": name}


def _source(one: Cited, style: Any) -> str:
    from datasheet_lsp.render.places import place_line

    place = one.place
    if place is None:
        path = f"{one.location.peripheral.name}.{one.location.register.path}"  # type: ignore[union-attr]
        return f"{style.text(one.source)}, line {one.line}: {style.text(path)}"
    return place_line(place.manual, place.revision, place.page, place.label, place.heading, style)


def _citations(ls: DatasheetServer, places: tuple[Cited, ...]) -> list[dict[str, Any]]:
    """The citations as plain data. Looks for files: not for the event loop."""
    found = []
    for one in places:
        place = one.place
        register = one.location.register
        assert register is not None
        path: Path | None
        if place is None:
            path = locate(one.location, ls.projects.all)
            heading = [one.location.peripheral.name, register.path]
        else:
            path = file_of(ls, one.location, place.file)
            heading = [place.heading] if place.heading else []
        found.append(
            {
                "number": one.number,
                "title": place.manual if place is not None else one.source,
                "revision": place.revision if place is not None else "",
                "file": place.file if place is not None else one.source,
                "uri": path.as_uri() if path is not None else None,
                "page": place.page if place is not None else 0,
                "label": place.label if place is not None else "",
                "heading_path": heading,
                "line": one.line if place is None else None,
            }
        )
    return found
