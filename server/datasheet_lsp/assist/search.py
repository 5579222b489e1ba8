"""The one search behind the editor's and the command line's: a request becomes plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from datasheet_lsp.assist.library import SVD, Library
from datasheet_lsp.assist.svd_lines import line_of
from datasheet_lsp.querylog import Entry, LoggedChunk, QueryLog
from datasheet_lsp.search import Hit, Results, SearchSettings

if TYPE_CHECKING:
    from datasheet_lsp.workspace.settings import Settings

ANY = "any"
"""In place of a device: all documents are searched."""


class SearchError(Exception):
    """A request that cannot be done. ``str()`` is one sentence for the user."""


class Request(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is asked; what is None is as the settings have it.

    ``device`` is the chip that is asked about, ``any`` lifts the scope; without one it is that of
    the place from which is asked. ``rerank`` asks for the reranker, or not.
    """

    query: str
    k: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    mode: Literal["keyword", "vector", "hybrid"] | None = None
    device: str | None = None
    budget: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    rerank: bool | None = None


class Place(msgspec.Struct, frozen=True):
    """From where is asked: the device in use there, and how that is known."""

    device: str | None = None
    why: str = ""


def search(library: Library, request: Request, place: Place | None = None) -> dict[str, Any]:
    """The results as ``search --json`` prints them. Blocks; keeps the question where wanted.

    Raises:
        NoIndex: nothing is indexed.
        SearchError: the device that is named is unknown, or nothing is asked.
    """
    if not request.query.strip():
        raise SearchError("nothing is asked: a search wants a question, a name or an address.")
    with library.lock:
        library.refresh()
        return _search(library, request, place or Place())


def _search(library: Library, request: Request, place: Place) -> dict[str, Any]:
    settings = library.settings
    searcher = library.searcher
    arm = _arm(library)
    device, why = _device(library, request, place)
    mode = request.mode or ("hybrid" if settings.embed.enabled else "keyword")
    if request.mode is None and settings.embed.enabled:
        mode = settings.search.mode
    results = searcher.search(
        request.query,
        device=device,
        k=request.k or settings.search.hits,
        budget=request.budget or settings.search.budget,
        mode=mode,
        settings=_settings(library, request),
    )
    scope, said = _scope(library, results, device, why)
    notes = [note for note in results.notes if note != said]
    if arm is not None and arm.note and mode != "keyword":
        notes.append(arm.note)
    results = msgspec.structs.replace(results, notes=tuple(notes))
    data = results_json(results)
    data["scope"] = scope
    for hit, found in zip(data["hits"], results.hits, strict=True):
        hit["uri"] = library.file_of(found.file).as_uri() if found.file else None
        hit["line"] = _line(library, found, results.registers)
    if settings.log.queries:
        seconds = {"all": results.seconds}
        if arm is not None and arm.seconds:
            seconds["embed"] = round(arm.seconds, 4)
        keep(settings, library, entry_of(results, seconds))
    return data


def _settings(library: Library, request: Request) -> SearchSettings:
    """The settings of the search, with or without the reranker as the request has it."""
    settings = library.searcher.settings
    if request.rerank is None:
        return settings
    most = library.settings.search.rerank_candidates if request.rerank else 0
    return msgspec.structs.replace(settings, reranked=most)


def _line(library: Library, hit: Hit, asked: Sequence[str]) -> int | None:
    """The line of an SVD file a hit is about, of a register that was ``asked`` for if one is.

    None in anything but an SVD file, or where that is not to be had any more.
    """
    if hit.format != SVD or not hit.devices:
        return None
    device = library.devices.get(hit.devices[0])
    stored = library.index.chunk(hit.chunk)
    if device is None or stored is None:
        return None
    named = [path for path in asked if path in hit.symbols]
    for path in (*named, *stored.chunk.symbols):
        if (line := line_of(device, path)) is not None:
            return line
    return None


def _arm(library: Library) -> Any:
    """The vector arm with what it told of the last search forgotten, None without one."""
    from datasheet_lsp.assist.meaning import MeaningArm

    arm = library.searcher.vector
    if not isinstance(arm, MeaningArm):
        return None
    arm.seconds, arm.note = 0.0, ""
    return arm


def _device(library: Library, request: Request, place: Place) -> tuple[str | None, str]:
    """The device to search for, as the index calls it, and how it is known."""
    shelf = library.searcher.shelf
    if request.device is not None:
        if request.device.casefold() == ANY:
            return None, ""
        found = shelf.device(request.device) or shelf.named_in(request.device)
        if found is None:
            known = sorted({each.device for doc in library.documents for each in doc.devices})
            there = f"; there is {', '.join(known)}" if known else ""
            raise SearchError(f"nothing of the device {request.device} is indexed{there}.")
        return found, "as asked"
    if place.device is not None:
        found = shelf.device(place.device) or shelf.named_in(place.device)
        return found, place.why if found else ""
    if len(library.devices) == 1:
        (found,) = library.devices
        return found, "the only device here"
    return None, ""


def _scope(
    library: Library, results: Results, device: str | None, why: str
) -> tuple[dict[str, Any], str]:
    """What was searched, of how much, and why; null for the device where it was all.

    Also the note of the search that says the same.
    """
    of = len(library.documents)
    scoped = library.searcher.shelf.scope(results.query, device)
    number = of if scoped.documents is None else len(scoped.documents)
    if scoped.device is not None and scoped.device != device:
        why = "the question names it"
    scope = {
        "device": scoped.device,
        "why": why if scoped.device is not None else "",
        "documents": number,
        "of": of,
    }
    return scope, scoped.note if scoped.device is not None else ""


def results_json(results: Results) -> dict[str, Any]:
    """The results as plain data."""
    return {
        "query": results.query,
        "mode": results.mode,
        "kind": results.kind,
        "device": results.device,
        "registers": list(results.registers),
        "peripherals": list(results.peripherals),
        "corrected": dict(results.corrected),
        "also": list(results.also),
        "notes": list(results.notes),
        "seconds": results.seconds,
        "hits": [hit_json(hit) for hit in results.hits],
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit as plain data; pages are physical, ``labels`` what is printed on them."""
    return {
        "id": hit.chunk,
        "chunks": list(hit.chunks),
        "file": hit.file,
        "title": hit.title,
        "revision": hit.revision,
        "document": hit.document,
        "devices": list(hit.devices),
        "format": hit.format,
        "kind": hit.kind,
        "page": hit.first_page,
        "last_page": hit.last_page,
        "labels": _labels(hit.first_label, hit.last_label),
        "heading_path": list(hit.heading_path),
        "text": hit.text,
        "tokens": hit.tokens,
        "symbols": list(hit.symbols),
        "places": [{"page": place.page, "box": list(place.box)} for place in hit.places],
        "arms": list(hit.arms),
        "score": hit.score,
        "scores": dict(hit.scores),
    }


def _labels(*labels: str) -> Sequence[str]:
    return list(dict.fromkeys(label for label in labels if label))


def entry_of(results: Results, seconds: Mapping[str, float]) -> Entry:
    """What the log keeps of a search."""
    return Entry(
        time=now(),
        query=results.query,
        device=results.device,
        mode=results.mode,
        chunks=tuple(
            LoggedChunk(
                chunk=hit.chunk,
                file=hit.file,
                page=hit.first_page,
                heading=" > ".join(hit.heading_path),
                score=hit.score,
                scores=hit.scores,
            )
            for hit in results.hits
        ),
        notes=results.notes,
        seconds=dict(seconds),
    )


def keep(settings: Settings, library: Library, entry: Entry) -> str:
    """Puts ``entry`` into the log; "" where that worked, else why not."""
    most = settings.log.queries_megabytes * 1_000_000
    return QueryLog(library.path.parent, most).add(entry)


def now() -> str:
    """The time in UTC as the log has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
