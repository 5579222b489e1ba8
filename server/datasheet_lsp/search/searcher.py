"""A search from the query to the passages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain, islice, zip_longest

import msgspec

from datasheet_lsp.index import Index, quote
from datasheet_lsp.model import Device
from datasheet_lsp.search.about import About, Library
from datasheet_lsp.search.functions import Alike
from datasheet_lsp.search.hits import Hit, Mode, Results, Scored
from datasheet_lsp.search.keyword import KeywordArm, Scope
from datasheet_lsp.search.lexicon import Lexicon
from datasheet_lsp.search.names import DeviceNames, family, squash
from datasheet_lsp.search.query import Query, analyse, parts_of
from datasheet_lsp.search.rank import boost, fuse, raise_topics, share
from datasheet_lsp.search.scope import Scoped, Shelf
from datasheet_lsp.search.select import Passage, Selector, widen
from datasheet_lsp.search.settings import SearchSettings

VectorArm = Callable[[str, Scope, int], Iterable[tuple[int, float]]]
"""Query, documents, number -> the nearest chunks with their similarity (higher is nearer)."""

Rerank = Callable[[str, Sequence[str]], Sequence[float]]
"""Query and passages -> how well each passage answers it, the higher the better."""

K = 5
BUDGET = 2_500
_SPELT = 2
_SHEET_DEPTH = 3
_READ = 6_000
"""Of about so many chunks the words of a scope are gathered: more would take too long."""


class Searcher:
    """Searches an index. ``devices`` are those whose names are known, by the index's names.

    ``vector`` is the arm of the embedding model; without one the keyword arm answers alone.
    ``rerank`` puts the best hits in a new order. Either may raise anything: the search goes on
    without it and says so.
    """

    def __init__(
        self,
        index: Index,
        devices: Mapping[str, Device] | None = None,
        vector: VectorArm | None = None,
        settings: SearchSettings | None = None,
        rerank: Rerank | None = None,
        alike: Alike | None = None,
    ) -> None:
        self.index = index
        self.settings = settings or SearchSettings()
        self.vector = vector
        self.rerank = rerank
        self.alike = alike
        self.keyword = KeywordArm(index)
        self.shelf = Shelf(index.documents())
        # The chapters of a datasheet are of all there is; those of a manual each of a peripheral.
        sheets = [each.id for each in self.shelf.documents.values() if not each.registers]
        self.library = Library(index, dict.fromkeys(sheets, _SHEET_DEPTH))
        self._devices = devices or {}
        self._names: dict[str, DeviceNames] = {}
        self._lexicons: dict[Scope, Lexicon] = {}

    def search(
        self,
        text: str,
        *,
        device: str | None = None,
        k: int = K,
        budget: int = BUDGET,
        mode: Mode = "hybrid",
        widened: bool | None = None,
        settings: SearchSettings | None = None,
    ) -> Results:
        """At most ``k`` passages of ``budget`` tokens together for ``text``, the best first.

        ``device`` is the one in use; a device that ``text`` names goes before it.
        """
        begin = time.perf_counter()
        settings = settings or self.settings
        scoped = self._scope(text, device)
        if not settings.scope:
            scoped = Scoped(scoped.device, None, "all documents are searched")
        if not settings.svd:
            scoped = self.shelf.without_svd(scoped)
        notes = [scoped.note] if scoped.note else []
        many = bool(settings.parts) and k >= settings.parts
        if many:
            # With room for many the best of each arm need no help.
            settings = msgspec.structs.replace(settings, first=0.0)
        parts = parts_of(text) if many else []
        # What several things in one sentence are about as a whole is nothing that has a name.
        plain = msgspec.structs.replace(settings, functions=0) if parts else settings
        query, order, chunks = self._ranked(text, scoped, mode, plain, notes)
        if parts:
            whole = {each.chunk: each.total for each in order}
            orders = [order]
            for part in parts:
                _, own, more = self._ranked(part, scoped, mode, settings, [])
                chunks |= more
                for each in own:
                    each.total = (each.total + whole.get(each.chunk, 0.0)) / 2
                    each.first = 0
                orders.append(sorted(own, key=lambda each: (-each.total, each.chunk)))
            order = in_turn(orders)
        if self.rerank is not None and settings.reranked:
            order = self._reranked(text, order, settings.reranked, notes)
        selector = Selector(self.library.chunk, k, budget, settings, self.shelf.devices)
        passages = selector.select(order, chunks)
        if settings.widen if widened is None else widened:
            widen(passages, self.library.chunk, budget, settings.longest)
        return Results(
            query=text,
            kind=query.kind,
            mode=mode,
            device=scoped.device,
            hits=tuple(self._hit(passage) for passage in passages),
            registers=tuple(target.path for target in query.mentions.targets if target.sure),
            peripherals=query.mentions.peripherals,
            corrected=query.corrected,
            also=query.also,
            notes=tuple(notes),
            seconds=round(time.perf_counter() - begin, 4),
        )

    def _scope(self, text: str, device: str | None) -> Scoped:
        """What is to be searched: of the device's core there may be a manual of its own."""
        scoped = self.shelf.scope(text, device)
        known = self._devices.get(scoped.device) if scoped.device else None
        if known is None or known.cpu is None or scoped.documents is None:
            return scoped
        cores = self.shelf.of_core(known.cpu.name)
        documents = tuple(sorted({*scoped.documents, *cores}))
        return msgspec.structs.replace(scoped, documents=documents)

    def _ranked(
        self, text: str, scoped: Scoped, mode: Mode, settings: SearchSettings, notes: list[str]
    ) -> tuple[Query, list[Scored], dict[int, About]]:
        """What ``text`` asks for, the best chunks in their order, and these chunks."""
        alike = self._alike(text, mode, settings)
        query = self.analyse(text, scoped, settings, alike)
        keyword, near = self._arms(query, scoped.documents, mode, settings, notes)
        order, chunks = self._order(keyword, near, query, mode if near else "keyword", settings)
        if mode == "hybrid" and near and settings.safe:
            # What is best by words alone, boosts and all, keeps a place whatever vectors say.
            own, more = self._order(keyword, [], query, "keyword", settings)
            chunks |= more
            order = with_places(order, own[: settings.safe])
        asked = tuple(concept for concept in query.concepts if not concept.extra)
        if settings.literal and len(asked) < len(query.concepts):
            # Nor is what the question says itself pushed out by what it is likely after.
            plain = msgspec.structs.replace(query, concepts=asked)
            words = self._by_words(plain, scoped.documents, settings)
            own, more = self._order(words, near, plain, mode if near else "keyword", settings)
            chunks |= more
            order = with_places(order, own[: settings.literal])
        return query, order, chunks

    def _order(
        self,
        keyword: Mapping[int, Scored],
        near: Sequence[tuple[int, float]],
        query: Query,
        mode: Mode,
        settings: SearchSettings,
    ) -> tuple[list[Scored], dict[int, About]]:
        """The best chunks of the arms in their order, and these chunks."""
        best = nlargest(3 * settings.candidates, keyword.values(), key=lambda each: each.keyword)
        mine = {
            each.chunk: Scored(each.chunk, each.keyword, boosts={**each.boosts}) for each in best
        }
        scored = fuse(mine, near, query, mode, settings)
        order = sorted(scored.values(), key=lambda each: (-each.total, each.chunk))
        chunks = self.library.abouts(each.chunk for each in order[: 2 * settings.candidates])
        scored = {number: scored[number] for number in chunks}
        if settings.topics:
            raise_topics(scored, chunks, settings.topics)
        boost(scored, chunks, query, settings, self.shelf.cores)
        return sorted(scored.values(), key=lambda each: (-each.total, each.chunk)), chunks

    def _alike(self, text: str, mode: Mode, settings: SearchSettings) -> Mapping[str, float] | None:
        """Which wordings of functions mean what ``text`` means; None where that is not known."""
        if self.alike is None or not settings.functions or mode == "keyword":
            return None
        try:
            return self.alike(text)
        except Exception:  # a model may fail in any way; the arm of meaning will say so
            return None

    def analyse(
        self,
        text: str,
        scoped: Scoped,
        settings: SearchSettings,
        alike: Mapping[str, float] | None = None,
    ) -> Query:
        """What ``text`` asks for within a scope."""
        names = self._device_names(scoped.device) if scoped.device else None
        return analyse(
            text,
            names,
            lambda: self.lexicon(scoped.documents, names),
            # A word that other manuals have is spelt rightly, and only not used in these.
            lambda expression: (
                self.keyword.is_known(expression, scoped.documents)
                or self.index.count(expression) >= _SPELT
            ),
            settings,
            alike,
        )

    def _device_names(self, device: str) -> DeviceNames | None:
        """The names of a device, gathered when it is first asked about."""
        if device not in self._names:
            known = self._devices.get(device)
            if known is None:
                return None
            self._names[device] = DeviceNames(known)
        return self._names[device]

    def lexicon(self, scope: Scope, names: DeviceNames | None = None) -> Lexicon:
        """The words and abbreviations of the documents in the scope, gathered once.

        With ``names`` also what the descriptions of a device's peripherals say these stand for.
        """
        if scope not in self._lexicons:
            texts = self._texts(scope)
            said = names.spelt_out() if names is not None else ()
            self._lexicons[scope] = Lexicon((*said, *texts))
        return self._lexicons[scope]

    def _texts(self, scope: Scope) -> Iterator[str]:
        """The texts of a scope, of a large one those of every so many chunks."""
        documents = list(self.shelf.documents if scope is None else scope)
        spans = self.index.spans(documents)
        step = -(-sum(span.size for span in spans) // _READ)
        if step <= 1:
            for document in documents:
                yield from (each.chunk.text for each in self.index.chunks(document))
            return
        numbers = chain.from_iterable(range(span.first, span.last + 1) for span in spans)
        for number in islice(numbers, 0, None, step):
            stored = self.index.chunk(number)
            if stored is not None:
                yield stored.chunk.text

    def _arms(
        self,
        query: Query,
        scope: Scope,
        mode: Mode,
        settings: SearchSettings,
        notes: list[str],
    ) -> tuple[dict[int, Scored], list[tuple[int, float]]]:
        """What the arms find: by words, and by meaning unless that cannot be had."""
        near: list[tuple[int, float]] = []
        if mode != "keyword":
            if self.vector is None:
                notes.append("no vectors: found by words alone")
            else:
                try:
                    near = list(self.vector(query.text, scope, settings.candidates))
                except Exception as error:  # a model may fail in any way, and search goes on
                    notes.append(f"no vectors ({error}): found by words alone")
        if mode == "vector" and near:
            return {}, near
        return self._by_words(query, scope, settings), near

    def _by_words(self, query: Query, scope: Scope, settings: SearchSettings) -> dict[int, Scored]:
        """What is found by words."""
        keyword = self.keyword.search(
            query.concepts, scope, settings.coverage, headings=settings.headings
        )
        self._with_registers(keyword, query, scope)
        if settings.shared:
            best = sorted(keyword.values(), key=lambda each: -each.keyword)
            chunks = self.library.abouts(each.chunk for each in best[: 3 * settings.candidates])
            share(keyword, chunks, settings.shared)
        return keyword

    def _with_registers(self, keyword: dict[int, Scored], query: Query, scope: Scope) -> None:
        """See to it that the registers that are named are among the candidates."""
        for target in query.mentions.targets:
            if not target.sure:
                continue
            register = squash(target.path.partition(".")[2])
            names = (target.path, target.template, family(target.peripheral) + register)
            for name in dict.fromkeys(map(squash, names)):
                expression = f"{{identifiers headings}} : {quote(name)}"
                for chunk, score in self.keyword.find(expression, scope).items():
                    each = keyword.setdefault(chunk, Scored(chunk))
                    each.keyword += score

    def _reranked(
        self, text: str, order: list[Scored], most: int, notes: list[str]
    ) -> list[Scored]:
        """The order with its best put in the order of the reranker; what is named stays first."""
        assert self.rerank is not None
        best = []
        for each in order[:most]:
            stored = self.library.chunk(each.chunk)
            if stored is not None:
                best.append((each, f"{stored.chunk.stamp}\n{stored.chunk.text}"))
        try:
            scores = self.rerank(text, [passage for _, passage in best])
        except Exception as error:  # a model may fail in any way, and search goes on
            notes.append(f"not reranked ({error})")
            return order
        for (each, _), score in zip(best, scores, strict=True):
            each.boosts["rerank"] = score
        ranked = sorted((each for each, _ in best), key=lambda each: -each.boosts["rerank"])
        return [*ranked, *order[most:]]

    def _hit(self, passage: Passage) -> Hit:
        best = passage.best
        chunk = best.chunk
        document = self.shelf.documents[best.document]
        parts = [part.chunk for part in passage.parts]
        first = min(part.first_page for part in parts)
        last = max(part.last_page for part in parts)
        scored = passage.scored
        arms = {"keyword": scored.keyword, "vector": scored.vector}
        return Hit(
            chunk=best.id,
            chunks=tuple(part.id for part in passage.parts),
            document=best.document,
            title=document.title,
            revision=document.revision,
            file=document.files[0] if document.files else "",
            format=document.format,
            devices=tuple(each.device for each in document.devices),
            kind=chunk.kind,
            heading_path=chunk.heading_path,
            heading=chunk.stamp,
            text="\n\n".join(part.text for part in parts),
            tokens=passage.tokens,
            first_page=first,
            last_page=last,
            first_label=document.label(first) if first else "",
            last_label=document.label(last) if last else "",
            places=tuple(place for part in parts for place in part.places),
            symbols=tuple(dict.fromkeys(s for part in parts for s in part.symbols)),
            arms=tuple(name for name, score in arms.items() if score),
            score=round(scored.total, 4),
            scores={
                name: round(score, 4) for name, score in {**arms, **scored.boosts}.items() if score
            },
        )


def with_places(order: Sequence[Scored], best: Sequence[Scored]) -> list[Scored]:
    """``order`` with places among its first for the ``best`` of another one."""
    known = {each.chunk: each for each in order}
    return in_turn([order, [known.get(each.chunk, each) for each in best]])


def in_turn(orders: Sequence[Sequence[Scored]]) -> list[Scored]:
    """The best of each order, then the second of each and so on, every chunk once."""
    found: dict[int, Scored] = {}
    for row in zip_longest(*orders):
        for each in row:
            if each is not None:
                found.setdefault(each.chunk, each)
    return list(found.values())


__all__ = ["BUDGET", "K", "Rerank", "Searcher", "VectorArm"]
