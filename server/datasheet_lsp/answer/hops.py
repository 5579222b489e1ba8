"""What passages point to and nothing covers yet: sections, tables, registers; searched again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import msgspec

from datasheet_lsp.answer.collect import Collector
from datasheet_lsp.answer.gather import Gatherer
from datasheet_lsp.answer.registers import register_piece
from datasheet_lsp.answer.types import Hop, Piece, SubQuery
from datasheet_lsp.index import StoredChunk
from datasheet_lsp.model import Location
from datasheet_lsp.search.names import squash
from datasheet_lsp.search.synonyms import words_of

_REFERENCE = re.compile(
    r"\b(?P<kind>section|chapter|table|tab\.|figure|fig\.)\s*(?P<number>\d+(?:[.\-]\d+)*[a-z]?)\b",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"\b[A-Z][A-Za-z0-9]*(?:(?:_|->|\.)[A-Za-z0-9]+(?:\[\w*\])?)+")
_AROUND = 160
_MOST = 3
_LEAST = 80
_SAYING = frozenset("see refer described shown given listed according details".split())


class Lead(msgspec.Struct, frozen=True):
    """Something that a passage points to, and how much it has to do with the question."""

    text: str
    passage: int
    weight: float
    because: str
    pieces: tuple[Piece, ...]


def leads(
    gatherer: Gatherer, pieces: Sequence[Piece], followed: Collection[str], spoken: Collection[str]
) -> list[Lead]:
    """What the passages point to that is not among them, the most to the point first."""
    covered = {n for piece in pieces for n in piece.chunks}
    registers = {squash(s) for piece in pieces for s in piece.symbols if "." in s}
    found: dict[str, Lead] = {}
    for number, piece in enumerate(pieces):
        for lead in (
            *_references(gatherer, piece, number, spoken, covered),
            *_registers(gatherer, piece, number, spoken, registers),
        ):
            if lead.text in followed:
                continue
            old = found.get(lead.text)
            if old is None or old.weight < lead.weight:
                found[lead.text] = lead
    ranked = sorted(found.values(), key=lambda lead: -lead.weight)
    return [lead for lead in ranked if lead.weight > 0][:_MOST]


def _weight(text: str, start: int, end: int, spoken: Collection[str]) -> float:
    """How many words of the question stand around a place; more where the reader is sent on."""
    around = words_of(text[max(0, start - _AROUND) : end + _AROUND])
    near = {w for w in around if w in spoken and len(w) > 2 and w not in _SAYING}
    sent = not _SAYING.isdisjoint(words_of(text[max(0, start - 40) : start]))
    return len(near) * (1.5 if sent else 1.0)


def _references(
    gatherer: Gatherer, piece: Piece, number: int, spoken: Collection[str], covered: Collection[int]
) -> Iterator[Lead]:
    if not piece.document or not piece.first_page:
        return
    for match in _REFERENCE.finditer(piece.text):
        kind = match["kind"].lower()
        if kind.startswith("fig"):
            continue
        is_table = kind.startswith("tab")
        stored = _table(gatherer, piece, match["number"]) if is_table else None
        if stored is None and not is_table:
            stored = _section(gatherer, piece, match["number"], spoken)
        if stored is None or stored.id in covered:
            continue
        name = f"{'Table' if is_table else 'Section'} {match['number']}"
        title = stored.chunk.heading_path[-1] if stored.chunk.heading_path else ""
        text = f"{name} {title}".strip()
        weight = _weight(piece.text, match.start(), match.end(), spoken)
        about = words_of(f"{' '.join(stored.chunk.heading_path[-2:])} {stored.chunk.text}")
        weight *= len({w for w in about if w in spoken and len(w) > 2})
        yield Lead(text, number, weight, f"it says {match[0]}", (gatherer.piece(stored, text),))


def _section(
    gatherer: Gatherer, piece: Piece, number: str, spoken: Collection[str]
) -> StoredChunk | None:
    """The chunk of the section with this number that has most of the question's words."""
    searcher = gatherer.library.searcher
    assert searcher is not None
    section = next((s for s in searcher.index.sections(piece.document) if s.number == number), None)
    if section is None:
        return None
    inside = [
        stored
        for page in range(section.page, min(section.last_page, section.page + 4) + 1)
        for stored in searcher.index.chunks(piece.document, page)
        if stored.chunk.section == section.id
    ]
    return max(inside, key=lambda stored: _met(stored, spoken), default=None)


def _table(gatherer: Gatherer, piece: Piece, number: str) -> StoredChunk | None:
    """The chunk with the table of this number."""
    searcher = gatherer.library.searcher
    assert searcher is not None
    for table in gatherer.tables(piece.document):
        if table.number == number and table.places:
            page = table.places[0].page
            chunks = list(searcher.index.chunks(piece.document, page))
            wanted = re.compile(rf"\btable\s*{re.escape(number)}\b", re.IGNORECASE)
            own = [c for c in chunks if wanted.search(c.chunk.text) and c.chunk.kind == "table"]
            own = own or [c for c in chunks if wanted.search(c.chunk.text)]
            return own[0] if own else None
    return None


def _met(stored: StoredChunk, spoken: Collection[str]) -> int:
    return len({w for w in words_of(stored.chunk.text) if w in spoken and len(w) > 2})


def _registers(
    gatherer: Gatherer, piece: Piece, number: int, spoken: Collection[str], known: Collection[str]
) -> Iterator[Lead]:
    """Registers that a text of a manual names with their peripherals."""
    device = gatherer.device
    if device is None or piece.format == "svd" or device not in gatherer.library.devices:
        return
    names = gatherer.library.names(device)
    for match in _SYMBOL.finditer(piece.text):
        places = names.read(match[0]).paths
        if not places or len({at.path for at in places}) > 1 or places[0].register is None:
            continue
        at = Location(places[0].device, places[0].peripheral, places[0].register)
        if squash(at.path) in known:
            continue
        assert at.register is not None
        said = {w for w in words_of(f"{at.register.description} {at.path}") if len(w) > 2}
        weight = _weight(piece.text, match.start(), match.end(), spoken)
        weight *= len({w for w in said if w in spoken})
        made = register_piece([at], set(), gatherer.library.count, origin="hop", query=at.path)
        made = gatherer.library.filed(made, device)
        yield Lead(at.path, number, weight, f"it names {match[0]}", (made,))


def follow(collector: Collector, rounds: int) -> list[Hop]:
    """At most so many rounds of bringing in what the passages point to; what was followed."""
    gatherer = collector.gatherer
    hops: list[Hop] = []
    followed: set[str] = set()
    for number in range(1, rounds + 1):
        pieces = collector.chosen(filled=False)
        left = gatherer.settings.budget - sum(piece.tokens for piece in pieces)
        found = leads(gatherer, pieces, followed, gatherer.spoken) if left > _LEAST else []
        for lead in found:
            followed.add(lead.text)
            fitting = [piece for piece in lead.pieces if piece.tokens <= left]
            if not fitting:
                continue
            left -= sum(piece.tokens for piece in fitting)
            collector.hopped += fitting
            collector.queries.append(as_query(lead))
            hops.append(Hop(number, lead.text, lead.because, lead.passage + 1))
        if not found:
            break
    return hops


def as_query(lead: Lead) -> SubQuery:
    """A lead as a sub-query of the answer."""
    return SubQuery(lead.text, "hop")
