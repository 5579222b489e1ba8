"""The passages for an answer: searched part by part, taken in turn, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest

import msgspec

from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.answer.registers import asked_fields, register_piece
from datasheet_lsp.answer.rows import Excerpt, excerpts, rows_of, words_in
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.trim import tight, wanted_words
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
_LOOKED_AT = 4
_TOLD_BY = 5
"""So many hits tell what the question is about where it names nothing."""
_LISTS = {"irq": "interrupts", "nvic": "interrupts", "pin": "pins", "dma": "requests"}
"""For these kinds of steps the manuals have lists."""
_ABOUT = ("register", "irq", "nvic", "pin", "dma")
W_W=0.5
W_A=1.0
W_O=1.0


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

    def first(self) -> Arm:
        """The question itself."""
        # What several things in one sentence are about as a whole is nothing that has a name.
        named = not parts_of(self.question)
        self.whole = self._search(self.question, _WIDE, named)
        self._scores = {hit.chunk: hit.score for hit in self.whole}
        return Arm(SubQuery(self.question, "question"), self._pieces(self.whole, "question", ""))

    def arm(self, query: SubQuery) -> Arm:
        """A part of it: half the part itself, half the whole question."""
        hits = self._search(query.text, _DEEP, query.origin not in ("plan", "hop"))
        scores = dict(self._scores)
        if query.about:
            around = self._search(f"{query.text} {query.about}", _DEEP, True)
            known = {hit.chunk for hit in hits}
            for hit in around:
                scores[hit.chunk] = W_W * scores.get(hit.chunk, 0.0) + W_A * hit.score
            own = {hit.chunk: hit.score for hit in hits}
            hits += [hit for hit in around if hit.chunk not in known]
            hits.sort(key=lambda hit: -(W_O * own.get(hit.chunk, 0.0) + scores.get(hit.chunk, 0.0)))
        else:
            hits.sort(key=lambda hit: -(hit.score + scores.get(hit.chunk, 0.0)))
        return Arm(query, self._pieces(hits, query.origin, query.text))

    def _search(self, text: str, k: int, in_plain_words: bool) -> list[Hit]:
        searcher = self.library.searcher
        if searcher is None:
            return []
        settings = msgspec.structs.replace(searcher.settings, parts=0)
        if not in_plain_words:
            settings = msgspec.structs.replace(settings, functions=0)
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
            symbols=hit.symbols if hit.format == "svd" else hit.symbols,
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
                found.append(self._of_chunk(best, "plan"))
            if len(found) >= _PLACES:
                break
        return found

    def listed(self, plan: Plan | None) -> list[Piece]:
        """The rows of the manuals' lists that have what the question is about."""
        searcher = self.library.searcher
        device = self.library.devices.get(self.device) if self.device is not None else None
        if searcher is None or device is None or self.device is None:
            return []
        names = {p.name for p in device.peripherals}
        scoped = searcher.shelf.scope(self.question, self.device)
        plain = msgspec.structs.replace(searcher.settings, functions=0)
        mentions = searcher.analyse(self.question, scoped, plain).mentions
        about = {*mentions.peripherals} & names
        about |= {step.target for step in plan.steps if step.kind in _ABOUT} if plan else set()
        about &= names
        if not about:
            symbols = [s for hit in self.whole[:_TOLD_BY] for s in hit.symbols if "." in s]
            about = {symbol.partition(".")[0] for symbol in symbols} & names
        found = excerpts(
            self.question,
            rows_of(searcher.index, device),
            about,
            pins_in(self.question),
            words_in(self.question),
            {_LISTS[step.kind] for step in plan.steps if step.kind in _LISTS} if plan else (),
        )
        return [self._excerpt(each) for each in found]

    def _excerpt(self, excerpt: Excerpt) -> Piece:
        searcher = self.library.searcher
        assert searcher is not None
        chunks = list(searcher.index.chunks(excerpt.document, excerpt.page))
        tables = [c for c in chunks if c.chunk.kind == "table"]
        caption = excerpt.table.caption
        best = next((c for c in tables if caption and caption in c.chunk.text), None)
        made = self._of_chunk(best or (tables or chunks)[0], "plan")
        places = [place for place in excerpt.table.places if place.page == excerpt.page]
        return msgspec.structs.replace(
            made,
            text=excerpt.text,
            tokens=self.library.count(made.heading) + self.library.count(excerpt.text),
            kind="table",
            first_page=excerpt.page,
            last_page=excerpt.page,
            first_label=searcher.shelf.documents[excerpt.document].label(excerpt.page),
            last_label=searcher.shelf.documents[excerpt.document].label(excerpt.page),
            chunks=(),
            places=tuple((place.page, place.box) for place in places),
        )

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
        return self._of_chunk(stored, "hop", query)

    def _of_chunk(self, stored: StoredChunk, origin: Origin, query: str = "") -> Piece:
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


def parts(question: str) -> list[SubQuery]:
    """The parts that a question has by its own punctuation."""
    found = parts_of(question)
    return [SubQuery(text, "part", found[0] if at else "") for at, text in enumerate(found)]


def take(
    lead: Iterable[Piece], lanes: Sequence[Sequence[Piece]], budget: int, most: int | None = None
) -> list[Piece]:
    """Passages of at most ``budget`` tokens: the ``lead`` first, then of each lane in turn.

    What is in another already is left out.
    """
    chosen: list[Piece] = []
    chunks: set[int] = set()
    registers: set[str] = set()
    texts: set[str] = set()
    used = 0
    row_by_row = (piece for row in zip_longest(*lanes) for piece in row if piece is not None)
    for piece in (*lead, *row_by_row):
        own = {s for s in piece.symbols if "." in s} if piece.format == "svd" else set()
        if (piece.chunks and chunks.issuperset(piece.chunks)) or (own and own & registers):
            continue
        text = " ".join(piece.text.split()).lower()
        if text in texts or used + piece.tokens > budget:
            continue
        chosen.append(piece)
        chunks.update(piece.chunks)
        registers |= own
        texts.add(text)
        used += piece.tokens
        if most is not None and len(chosen) >= most:
            break
    return chosen


class Collector:
    """The arms of a question, and the passages chosen of them within the budget.

    What must be there comes first: the question's own best hit, then the plan's registers and
    tables. The best hit of each sub-query follows, then what passages point to, then the rest.
    """

    def __init__(self, gatherer: Gatherer, plan: Plan | None, queries: Sequence[SubQuery]) -> None:
        self.gatherer = gatherer
        self.settings = gatherer.settings
        steps_said = plan.steps if plan is not None else ()
        gatherer.wanted = wanted_words(
            gatherer.question, *(f"{s.target} {s.register} {s.field or ''}" for s in steps_said)
        )
        first = gatherer.first()
        planned: list[Piece] = []
        placed: list[Piece] = []
        listed = gatherer.listed(plan)
        steps: list[SubQuery] = []
        if plan is not None and plan.steps:
            planned = gatherer.planned(plan)
            placed = gatherer.placed(plan)
            steps = [SubQuery(text, "plan") for text in dict.fromkeys(_queries(plan)) if text]
        self.known = {symbol for piece in planned for symbol in piece.symbols}
        best = first.pieces[:1]
        if best and not self.known.isdisjoint(best[0].symbols):
            # Its fields are told by the table of the plan: the rest need not be.
            best = [tight(best[0], gatherer.wanted, gatherer.library.count, always=True)]
        self.lead = [*best, *planned, *listed, *placed]
        self.rest = first.pieces[1:]
        self.queries = [first.query]
        self.lanes: list[list[Piece]] = []
        self.late: list[list[Piece]] = []
        self.hopped: list[Piece] = []
        for query in (*parts(gatherer.question), *queries, *steps):
            self.add(query)

    def add(self, query: SubQuery) -> None:
        """Search for one more."""
        arm = self.gatherer.arm(query)
        pieces = arm.pieces
        if query.origin == "plan":
            # The register itself is there as a table: what else is said of it is wanted.
            pieces = [p for p in pieces[:_LOOKED_AT] if p.kind not in ("register", "svd")]
        elif self.known:
            # What the tables of the plan tell is not wanted again.
            pieces = [p for p in pieces[:_LOOKED_AT] if self.known.isdisjoint(p.symbols)]
        self.queries.append(query)
        if query.origin == "model" and self.known:
            # A plan is surer than a model: what the model wants comes with what is left.
            self.late.append(pieces[: self.settings.top])
        else:
            self.lanes.append(pieces[: self.settings.top])

    def chosen(self, filled: bool = True) -> list[Piece]:
        """The passages in their order; not ``filled`` up only what is surely wanted."""
        best = [lane[0] for lane in self.lanes if lane]
        lead = [*self.lead, *best]
        if filled:
            more = zip_longest(*(lane[1:] for lane in self.lanes))
            lead += [piece for row in more for piece in row if piece is not None]
        lead += self.hopped
        return take(lead, [self.rest, *self.late] if filled else [], self.settings.budget)


def _queries(plan: Plan) -> list[str]:
    """What a plan has searched for: what its registers hang on first, then they themselves."""
    steps = plan.by_weight()
    found: dict[str, None] = {}
    for kinds, text in _AROUND:
        if text.startswith("DMA") and not any(s.target.upper().startswith("DMA") for s in steps):
            continue
        for target in dict.fromkeys(step.target for step in steps if step.kind in kinds):
            if not target.upper().startswith("DMA"):
                found[text.format(target)] = None
    own = [step.query for step in steps if step.kind not in _TOLD]
    return [*list(found)[:_MOST_AROUND], *own[:_MOST_OWN]]


_TOLD = ("clock", "reset", "prescaler", "bus")
"""Of these kinds the table of the register says all that there is to say."""
_MOST_AROUND = 4
_MOST_OWN = 6
_AROUND: tuple[tuple[tuple[str, ...], str], ...] = (
    (("dma", "register"), "DMA request mapping {}"),
    (("pin",), "{} pins GPIO configuration mode"),
    (("irq", "nvic"), "{} event line interrupt mapping"),
)
"""What stands in the manual around the registers of some kinds of steps."""
