"""Rows of the manuals' lists as passages of an answer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.answer.gather import Gatherer
from datasheet_lsp.answer.plan.choose import is_shared
from datasheet_lsp.answer.plan.facts import facts_of
from datasheet_lsp.answer.plan.lists import ListKind, words_in
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.answer.rows import Excerpt, excerpts
from datasheet_lsp.answer.types import Piece

_TOLD_BY = 5
"""So many hits tell what the question is about where it names nothing."""
_LISTS: dict[str, ListKind] = {
    "irq": "interrupts",
    "nvic": "interrupts",
    "pin": "pins",
    "dma": "requests",
}
"""For these kinds of steps the manuals have lists."""
_ABOUT = ("register", "irq", "nvic", "pin", "dma")


def listed(gatherer: Gatherer, plan: Plan | None) -> list[Piece]:
    """The rows of the manuals' lists that have what the question is about."""
    searcher = gatherer.library.searcher
    device = gatherer.library.devices.get(gatherer.device) if gatherer.device is not None else None
    if searcher is None or device is None or gatherer.device is None:
        return []
    steps = plan.steps if plan is not None else ()
    names = {p.name for p in device.peripherals}
    about = {*gatherer.peripherals, *(s.target for s in steps if s.kind in _ABOUT)} & names
    about = {name for name in about if not is_shared(name)} or about
    if not about:
        symbols = [s for hit in gatherer.whole[:_TOLD_BY] for s in hit.symbols if "." in s]
        about = {symbol.partition(".")[0] for symbol in symbols} & names
    found = excerpts(
        gatherer.question,
        facts_of(searcher.index, device).rows,
        about,
        pins_in(gatherer.question),
        words_in(gatherer.question),
        {_LISTS[step.kind] for step in steps if step.kind in _LISTS},
        {str(step.interrupt) for step in steps if step.interrupt is not None},
    )
    made = (_excerpt(gatherer, each) for each in found)
    return [piece for piece in made if piece is not None]


def _excerpt(gatherer: Gatherer, excerpt: Excerpt) -> Piece | None:
    """The rows as a passage, under the heading of their page; None where nothing is kept of it."""
    searcher = gatherer.library.searcher
    assert searcher is not None
    chunks = list(searcher.index.chunks(excerpt.document, excerpt.page))
    if not chunks:
        return None
    tables = [c for c in chunks if c.chunk.kind == "table"]
    caption = excerpt.table.caption
    best = next((c for c in tables if caption and caption in c.chunk.text), None)
    label = searcher.shelf.documents[excerpt.document].label(excerpt.page)
    made = gatherer.of_chunk(best or (tables or chunks)[0], "plan")
    places = [place for place in excerpt.table.places if place.page == excerpt.page]
    return msgspec.structs.replace(
        made,
        text=excerpt.text,
        tokens=gatherer.library.count(made.heading) + gatherer.library.count(excerpt.text),
        kind="table",
        first_page=excerpt.page,
        last_page=excerpt.page,
        first_label=label,
        last_label=label,
        chunks=(),
        places=tuple((place.page, place.box) for place in places),
    )


def is_told(piece: Piece, excerpts: Sequence[Piece]) -> bool:
    """Whether rows of the same table are there already."""
    return piece.kind == "table" and any(
        piece.document == each.document
        and piece.first_page <= each.first_page <= piece.last_page
        and each.text.partition("\n")[0] in piece.text
        for each in excerpts
    )
