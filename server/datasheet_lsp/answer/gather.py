"""The searches for an answer, part by part, with what they find as passages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.registers import asked_fields, register_piece
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.trim import tight
from datasheet_lsp.answer.types import Origin, Piece, SubQuery
from datasheet_lsp.index import StoredChunk
from datasheet_lsp.model import Location
from datasheet_lsp.model.document import Table
from datasheet_lsp.search import Hit
from datasheet_lsp.search.names import squash
from datasheet_lsp.search.query import parts_of
from datasheet_lsp.search.synonyms import words_of

_WIDE = 40
_DEEP = 12
_ROOM = 60_000
_SHARE = 0.5
"""What of the budget the registers of a plan may take."""
_OF_A_PERIPHERAL = 9
_PLACES = 3
_WHOLE = 0.5
"""What the whole question counts beside a part of it together with what it is about."""
_LONGEST = 300
"""The most tokens of a passage where a question has several parts, so that there is room for all.
"""


class Arm(msgspec.Struct):
    """One search with its hits as passages, the best first."""

    query: SubQuery
    pieces: list[Piece]


class Gatherer:
    """Searches for one question. ``spoken`` are its words in small letters."""

    def __init__(
        self, question: str, device: str | None, library: Library, settings: AnswerSettings
    ) -> None:
        self.question = question
        self.device = device
        self.library = library
        self.settings = settings
        self.spoken = {squash(w) for w in question.replace("->", ".").split()} | set(
            words_of(question)
        )
        self.notes: list[str] = []
        self.whole: list[Hit] = []
        self._scores: dict[int, float] = {}
        self._tables: dict[int, list[Table]] = {}
        self.wanted: set[str] = set()
        self.parts = parts_of(question)
        self.peripherals: tuple[str, ...] = ()
        """Those that the question names, once it was searched for."""

    def first(self) -> Arm:
        """The question itself."""
        # What several things in one sentence are about as a whole is nothing that has a name.
        self.whole = self._search(self.question, _WIDE, not self.parts, first=True)
        self._scores = {hit.chunk: hit.score for hit in self.whole}
        return Arm(SubQuery(self.question, "question"), self._pieces(self.whole, "question", ""))

    def arm(self, query: SubQuery) -> Arm:
        """A part of it: by itself, with what the question is about, and by the whole question."""
        hits = self._search(query.text, _DEEP, query.origin not in ("plan", "hop"))
        own = {hit.chunk: hit.score for hit in hits}
        whole = dict(self._scores)
        if query.about:
            for hit in self._search(f"{query.text} {query.about}", _DEEP, True):
                whole[hit.chunk] = _WHOLE * whole.get(hit.chunk, 0.0) + hit.score
                if hit.chunk not in own:
                    hits.append(hit)
        hits.sort(key=lambda hit: -(own.get(hit.chunk, 0.0) + whole.get(hit.chunk, 0.0)))
        return Arm(query, self._pieces(hits, query.origin, query.text))

    def _search(self, text: str, k: int, in_plain_words: bool, *, first: bool = False) -> list[Hit]:
        searcher = self.library.searcher
        if searcher is None:
            return []
        given = searcher.settings
        settings = msgspec.structs.replace(
            given,
            parts=0,
            functions=given.functions if in_plain_words else 0,
            longest=min(given.longest, _LONGEST) if self.parts else given.longest,
        )
        results = searcher.search(
            text,
            device=self.device,
            k=k,
            budget=_ROOM,
            mode=self.settings.mode,
            widened=False,
            settings=settings,
        )
        self.notes += [note for note in results.notes if note not in self.notes]
        if first:
            self.peripherals = results.peripherals
        return list(results.hits)

    def _pieces(self, hits: Sequence[Hit], origin: Origin, query: str) -> list[Piece]:
        found = []
        for hit in hits:
            piece = self._of_device(hit, origin, query) if hit.format == "svd" else None
            if piece is None and hit.format == "svd" and len(hits) > 1 and not _paths(hit):
                continue
            found.append(piece or self._of_hit(hit, origin, query))
        return found

    def _of_hit(self, hit: Hit, origin: Origin, query: str) -> Piece:
        count = self.library.count
        piece = Piece(
            number=0,
            text=hit.text,
            heading=hit.heading,
            tokens=count(hit.heading) + count(hit.text),
            file=hit.file,
            title=hit.title,
            revision=hit.revision,
            format=hit.format,
            kind=hit.kind,
            heading_path=hit.heading_path,
            first_page=hit.first_page,
            last_page=hit.last_page,
            first_label=hit.first_label,
            last_label=hit.last_label,
            document=hit.document,
            chunks=hit.chunks,
            symbols=hit.symbols,
            places=tuple((p.page, p.box) for p in hit.places),
            origin=origin,
            query=query,
            score=hit.score,
        )
        return tight(piece, self.wanted, count)

    def _of_device(self, hit: Hit, origin: Origin, query: str) -> Piece | None:
        """The small table of the registers that a passage of the SVD file describes."""
        device = self.library.device(hit.devices[0]) if hit.devices else None
        searcher = self.library.searcher
        if device is None or searcher is None:
            return None
        places: list[Location] = []
        symbols: dict[str, None] = {}
        for number in hit.chunks:
            stored = searcher.index.chunk(number)
            at = self._place(device, stored.chunk.symbols) if stored is not None else None
            if stored is None or at is None:
                continue  # the list of a peripheral's registers beside them
            if at not in places:
                places.append(at)
            symbols.update(dict.fromkeys(stored.chunk.symbols))
        wanted = {
            name
            for at in places
            if at.register is not None
            for name in asked_fields(at.register, self.spoken)
        }
        if not places:
            return None
        made = register_piece(
            places, wanted, self.library.count, origin=origin, query=query, score=hit.score
        )
        return msgspec.structs.replace(
            made,
            chunks=hit.chunks,
            symbols=tuple(symbols),
            document=hit.document,
            file=hit.file,
        )

    def _place(self, device: str, symbols: Sequence[str]) -> Location | None:
        """The register that has these symbols: of the peripheral that is spoken of, or the first.

        The first symbols have the whole paths; an element stands for all of its array.
        """
        paths = [s for s in symbols if "." in s]
        own = [p for p in paths if squash(p.partition(".")[0]) in self.spoken]
        for path in (*own, *paths):
            peripheral, _, register = path.partition(".")
            element = register.partition("[")[0]
            names = [register, *(s for s in symbols if s.startswith(element) and s != element)]
            for name in names:
                at = self.library.location(device, f"{peripheral}.{name}")
                if at is not None and at.register is not None:
                    return at
        return None

    def planned(self, plan: Plan) -> list[Piece]:
        """The registers of a plan, those of a peripheral together, what matters most first."""
        if self.device is None:
            return []
        groups: dict[str, list[Location]] = {}
        fields: dict[str, set[str]] = {}
        queries: dict[str, str] = {}
        room = int(self.settings.budget * _SHARE)
        for step in plan.by_weight():
            at = self.library.location(self.device, step.register)
            if at is None or at.register is None:
                continue
            name = at.peripheral.name
            known = fields.setdefault(step.register, set())
            if step.field:
                known.add(step.field.lower())
            known |= asked_fields(at.register, self.spoken)
            group = groups.setdefault(name, [])
            queries.setdefault(name, step.query)
            if any(other.register is at.register for other in group):
                continue
            if len(group) >= _OF_A_PERIPHERAL:
                continue
            piece = self._group([at], known, "")
            if piece.tokens > room:
                break
            room -= piece.tokens
            group.append(at)
        return [
            self._group(
                places,
                set().union(*(fields.get(at.path, set()) for at in places)),
                queries[name],
            )
            for name, places in groups.items()
            if places
        ]

    def _group(self, places: Sequence[Location], wanted: Collection[str], query: str) -> Piece:
        made = register_piece(
            places, wanted, self.library.count, origin="plan", query=query, full=False
        )
        return self.library.filed(made, self.device)

    def placed(self, plan: Plan) -> list[Piece]:
        """The tables of the manuals that a plan was made from."""
        found: list[Piece] = []
        places = [step.place for step in plan.by_weight() if step.place is not None]
        searcher = self.library.searcher
        if searcher is None:
            return []
        for place in dict.fromkeys([*places, *plan.places]):
            chunks = list(searcher.index.chunks(place.document, place.page))
            named = [c for c in chunks if place.table and place.table in c.chunk.text]
            best = max(named or chunks, key=self._met, default=None)
            if best is not None:
                found.append(self.of_chunk(best, "plan"))
            if len(found) >= _PLACES:
                break
        return found

    def _met(self, stored: StoredChunk) -> tuple[bool, int]:
        text = stored.chunk.text.lower()
        words = sum(word in text for word in self.spoken if len(word) > 2)
        return stored.chunk.kind == "table", words

    def tables(self, document: int) -> list[Table]:
        """The tables of a document, read once."""
        searcher = self.library.searcher
        assert searcher is not None
        if document not in self._tables:
            self._tables[document] = searcher.index.tables(document)
        return self._tables[document]

    def piece(self, stored: StoredChunk, query: str) -> Piece:
        """A chunk that another passage points to."""
        return self.of_chunk(stored, "hop", query)

    def of_chunk(self, stored: StoredChunk, origin: Origin, query: str = "") -> Piece:
        """A chunk as a passage."""
        searcher = self.library.searcher
        assert searcher is not None
        document = searcher.shelf.documents[stored.document]
        chunk = stored.chunk
        count = self.library.count
        piece = Piece(
            number=0,
            text=chunk.text,
            heading=chunk.stamp,
            tokens=count(chunk.stamp) + count(chunk.text),
            file=document.files[0] if document.files else "",
            title=document.title,
            revision=document.revision,
            format=document.format,
            kind=chunk.kind,
            heading_path=chunk.heading_path,
            first_page=chunk.first_page,
            last_page=chunk.last_page,
            first_label=document.label(chunk.first_page) if chunk.first_page else "",
            last_label=document.label(chunk.last_page) if chunk.last_page else "",
            document=stored.document,
            chunks=(stored.id,),
            symbols=chunk.symbols,
            places=tuple((p.page, p.box) for p in chunk.places),
            origin=origin,
            query=query,
        )
        return tight(piece, self.wanted, count)


def _paths(hit: Hit) -> list[str]:
    """The registers that a passage of an SVD file is about, "USART2.BRR" first."""
    return [symbol for symbol in hit.symbols if "." in symbol]


def parts(gatherer: Gatherer) -> list[SubQuery]:
    """The parts that a question has by its own punctuation."""
    found = gatherer.parts
    return [SubQuery(text, "part", found[0] if at else "") for at, text in enumerate(found)]
