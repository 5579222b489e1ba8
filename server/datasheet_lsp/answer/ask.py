"""A question from the first look at it to the checked answer."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from datasheet_lsp.answer.besides import said_besides
from datasheet_lsp.answer.collect import Collector
from datasheet_lsp.answer.compose import Composer, cited_in
from datasheet_lsp.answer.followups import Followed, whole
from datasheet_lsp.answer.gather import Gatherer
from datasheet_lsp.answer.hops import follow
from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.numbers import Computed, computed
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.prompt import messages_for, plan_text
from datasheet_lsp.answer.provenance import with_provenance
from datasheet_lsp.answer.queries import rewritten, split_by_model
from datasheet_lsp.answer.refuse import Refusal, refusal
from datasheet_lsp.answer.route import Routed, route
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.types import (
    Answer,
    Cancelled,
    Citation,
    Event,
    Generate,
    Hop,
    Piece,
    SubQuery,
    Turn,
    silent,
)
from datasheet_lsp.answer.verify import Checker
from datasheet_lsp.render.answer import (
    cited_text,
    laid_out,
    left_out,
    refused_text,
    sources_text,
)
from datasheet_lsp.render.data import shown_json
from datasheet_lsp.render.routed import routed_text
from datasheet_lsp.render.style import MARKDOWN, Style

Planner = Callable[[str, str], Plan | None]
"""Question and device -> the plan."""

CONTEXT = 8_192
_POOR = 0.34
_MOST_FACTS = 32
_NEAREST = 3
_NEAR = 300
_MOST_WRONG = 3
_WEIGHTY = 0.5


class Asking(msgspec.Struct):
    """What an answer is made with, besides the question."""

    library: Library
    planner: Planner | None = None
    generate: Generate | None = None
    settings: AnswerSettings = AnswerSettings()
    model: str = ""
    context: int = CONTEXT
    style: Style = MARKDOWN
    near: bool = True
    """Whether passages may be compared with the answer by meaning, which takes the embedder."""


def ask(
    question: str,
    asking: Asking,
    *,
    device: str | None = None,
    hints: Sequence[str] = (),
    history: Sequence[Turn] = (),
    on_event: Event = silent,
) -> Answer:
    """The answer. ``device`` is the one in use; one that the question names goes before it.

    Never raises for what a model does; raises Cancelled, and whatever ``on_event`` raises.
    """
    return _Answering(question, asking, device, hints, history, on_event).run()


class _Answering:
    def __init__(
        self,
        question: str,
        asking: Asking,
        device: str | None,
        hints: Sequence[str],
        history: Sequence[Turn],
        on_event: Event,
    ) -> None:
        self.asking = asking
        self.settings = asking.settings
        self.library = asking.library
        self.hints = [*asking.settings.hints, *hints]
        self.history = history
        self.tell = on_event
        self.answer = Answer(question=question)
        self.notes: list[str] = []
        self._begin = self._mark = time.perf_counter()
        self.device = self._device(question, device)
        self.answer.device = self.device
        names = self.library.names(self.device) if self.device is not None else None
        self.followed: Followed = whole(question, history, names)
        self.question = self.followed.question
        self.answer.asked = self.question if self.question != question else ""

    def _device(self, question: str, device: str | None) -> str | None:
        found = self.library.named_in(question) or self.library.device(device)
        if found is None and device is None and self.history:
            found = self.library.device(self.history[-1].device)
        if found is None and device is None and len(self.library.devices) == 1:
            found = next(iter(self.library.devices))
        return found

    def run(self) -> Answer:
        if not self.followed.places:
            routed = self._routed()
            if routed:
                return self._by_device(routed)
        if self.followed.keeps and self.history[-1].chunks:
            return self._from_before()
        plan = self._plan()
        pieces = self._search(plan)
        if isinstance(pieces, Refusal):
            return self._refused(pieces)
        return self._answered(plan, pieces)

    def _step(self, name: str) -> None:
        """Keep the time since the last step under ``name``."""
        now = time.perf_counter()
        self.answer.timings[name] = round(now - self._mark, 4)
        self._mark = now

    def _finish(self) -> Answer:
        self.answer.notes = tuple(dict.fromkeys(self.notes))
        self.answer.timings["all"] = round(time.perf_counter() - self._begin, 4)
        return self.answer

    # -- the device alone

    def _routed(self) -> list[Routed]:
        devices = [self.device] if self.device is not None else list(self.library.devices)
        found = []
        for device in devices:
            routed = route(self.question, self.library.names(device))
            if routed is not None:
                found.append(routed)
        known = [each for each in found if "unknown" not in each.aspects]
        return known or found[:1]

    def _by_device(self, routed: Sequence[Routed]) -> Answer:
        answer, style = self.answer, self.asking.style
        answer.route = "device"
        texts = []
        for each in routed:
            text = routed_text(each, style)
            texts.append(style.blocks(style.strong(each.device), text) if len(routed) > 1 else text)
        answer.text = f"\n\n{style.rule()}\n\n".join(texts)
        answer.facts = tuple(
            shown_json(at) for each in routed for at in each.locations[:_MOST_FACTS]
        )
        if len(routed) == 1:
            answer.device = answer.device or routed[0].device
        self._step("device")
        self.tell("text", answer.text)
        return self._finish()

    # -- the documents

    def _plan(self) -> Plan | None:
        self.tell("stage", "planning")
        plan = None
        if self.asking.planner is not None and self.settings.plan and self.device is not None:
            plan = self.asking.planner(self.question, self.device)
            self.answer.plan = msgspec.to_builtins(plan)
        self._step("planning")
        return plan

    def _search(self, plan: Plan | None) -> list[Piece] | Refusal:
        self.tell("stage", "searching")
        gatherer = Gatherer(self.question, self.device, self.library, self.settings)
        queries = [SubQuery(hint, "hint") for hint in self.hints]
        if self.asking.generate is not None and self.settings.subqueries:
            queries += self._by_model(plan)
        collector = Collector(gatherer, plan, queries)
        if self.settings.refuse:
            refused = refusal(self.question, self.device, self.library, gatherer.whole)
            if refused is not None:
                self.answer.sub_queries = tuple(collector.queries)
                self.answer.chunks = _numbered(collector.chosen()[:_NEAREST])
                self.notes += gatherer.notes
                return refused
        self._rewrite(collector, plan)
        self._step("searching")
        self.tell("stage", "reading")
        hops = follow(collector, self.settings.hops)
        pieces = collector.chosen()
        self.answer.hops = tuple(_found(hops, pieces))
        self.notes += gatherer.notes
        if self.library.searcher is not None:
            self.answer.sub_queries = tuple(collector.queries)
        self._step("reading")
        return list(_numbered(pieces))

    def _by_model(self, plan: Plan | None) -> list[SubQuery]:
        assert self.asking.generate is not None
        try:
            return split_by_model(
                self.question, self.asking.generate, self.library, self.device, plan
            )
        except Cancelled:
            raise
        except Exception as error:  # a model may fail in any way, and the answer goes on
            self.notes.append(f"the model split no question: {error}")
            return []

    def _rewrite(self, collector: Collector, plan: Plan | None) -> None:
        """Once more in other words where the passages have little of the question."""
        generate = self.asking.generate
        if generate is None or not self.settings.rewrite or (plan is not None and plan.steps):
            return
        if self._met(collector) >= _POOR:
            return
        try:
            query = rewritten(self.question, generate, self.library, self.device)
        except Cancelled:
            raise
        except Exception as error:
            self.notes.append(f"the model rewrote no question: {error}")
            return
        if query is not None:
            collector.add(query)

    def _met(self, collector: Collector) -> float:
        """The share of the question's words that the best passages have."""
        searcher = self.library.searcher
        if searcher is None:
            return 1.0
        scoped = searcher.shelf.scope(self.question, self.device)
        query = searcher.analyse(self.question, scoped, searcher.settings)
        best = {n for piece in collector.chosen(filled=False)[:4] for n in piece.chunks}
        total = sum(concept.weight for concept in query.concepts) or 1.0
        met = sum(
            concept.weight
            for concept in query.concepts
            if any(
                best & searcher.keyword.find(e, scoped.documents).keys()
                for e, _ in concept.expressions
            )
        )
        return met / total

    def _refused(self, refused: Refusal) -> Answer:
        answer = self.answer
        answer.route = "refused"
        answer.text = refused_text(refused.reason, refused.near, answer.chunks, self.asking.style)
        answer.citations = citations(answer.chunks, [piece.number for piece in answer.chunks])
        self._step("searching")
        self.tell("text", answer.text)
        return self._finish()

    def _from_before(self) -> Answer:
        """Answered by the passages of the last turn."""
        pieces = list(self.history[-1].chunks)
        if self.followed.places:
            answer = self.answer
            answer.chunks = tuple(pieces)
            numbers = cited_in(self.history[-1].text) or [piece.number for piece in pieces]
            answer.citations = citations(pieces, numbers)
            answer.text = sources_text(answer.citations, self.asking.style)
            self.tell("text", answer.text)
            return self._finish()
        return self._answered(None, pieces)

    def _answered(self, plan: Plan | None, pieces: list[Piece]) -> Answer:
        self.tell("stage", "answering")
        answer = self.answer
        names = self.library.names(self.device) if self.device is not None else None
        numbers = computed(self.question, plan, names)
        text = ""
        if self.asking.generate is not None and pieces:
            text = self._generated(plan, pieces, numbers)
            if text:
                text = self._completed(text, plan, numbers)
        if not text:
            text = laid_out(
                self.question,
                self.answer.sub_queries,
                plan.steps if plan is not None else (),
                numbers,
                pieces,
                self.asking.style,
            )
            answer.chunks = tuple(pieces)
            if not pieces and not (plan is not None and plan.steps):
                answer.route = "refused"
                text = refused_text("nothing was found", (), (), self.asking.style)
            self.tell("replace" if answer.raw else "text", text)
        said = said_besides(plan, self.question) if answer.route == "documents" else ""
        if said:
            self.tell("text", f"\n\n{said}")
            text = f"{text}\n\n{said}"
        numbers_cited = cited_in(text)
        answer.citations = citations(answer.chunks, numbers_cited)
        if answer.citations:
            rest = cited_text(answer.citations, self.asking.style)
            self.tell("text", f"\n\n{rest}")
            text = f"{text}\n\n{rest}"
        answer.text = text
        self._step("answering")
        searcher = self.library.searcher
        answer.chunks = tuple(
            with_provenance(
                answer.chunks,
                self.question,
                answer.raw or text,
                self.settings.provenance,
                near=self._near if self._may_compare() else None,
                rerank=searcher.rerank if searcher is not None else None,
                generate=self.asking.generate,
            )
        )
        return self._finish()

    def _may_compare(self) -> bool:
        searcher = self.library.searcher
        by_meaning = searcher is not None and searcher.vector is not None
        return by_meaning and self.asking.near and self.settings.mode != "keyword"

    def _near(self, text: str) -> dict[int, float]:
        """How near the chunks of the documents in use are to a text."""
        searcher = self.library.searcher
        assert searcher is not None and searcher.vector is not None
        scoped = searcher.shelf.scope(self.question, self.device)
        return dict(searcher.vector(text, scoped.documents, _NEAR))

    def _generated(
        self, plan: Plan | None, pieces: Sequence[Piece], numbers: Sequence[Computed]
    ) -> str:
        """The model's text, checked; "" where it gave none that can be used."""
        answer, generate = self.answer, self.asking.generate
        assert generate is not None
        messages, kept, notes = messages_for(
            self.question, pieces, plan, self.settings, self.history, self.library.count,
            self.asking.context,
        )  # fmt: skip
        self.notes += notes
        answer.prompt = tuple(messages)
        answer.chunks = tuple(kept)
        answer.model = self.asking.model
        names = self.library.names(self.device) if self.device is not None else None
        values = (f"0x{n.value:X} {n.value} {n.how}" for n in numbers)
        stated = "\n".join([*values, plan_text(plan)])
        checker = Checker(names, kept, self.question, stated)
        composer = Composer(checker, kept, lambda text: self.tell("text", text))
        try:
            tokens = generate(messages, max_tokens=self.settings.max_tokens)
            composed = composer.run(tokens)
        except Cancelled:
            raise
        except Exception as error:  # whatever a model does, the passages are there
            self.notes.append(f"the model gave no answer: {error}")
            answer.raw = composer.raw
            return ""
        answer.raw = composed.raw
        self.notes += composed.notes
        numbers_said = [claim for claim in checker.claims if claim.kind != "name"]
        wrong = sum(claim.verdict == "wrong" for claim in numbers_said)
        if not composed.usable:
            self.notes.append("the model gave no answer that can be used")
            return ""
        if wrong >= _MOST_WRONG and wrong * 2 > len(numbers_said):
            self.notes.append(
                f"the model's answer contradicts the device in {wrong} places and is left out"
            )
            return ""
        answer.claims = tuple(checker.claims)
        if composed.text != composer.text.strip():
            self.tell("replace", composed.text)
        return composed.text

    def _completed(self, text: str, plan: Plan | None, numbers: Sequence[Computed]) -> str:
        """The text with what the plan has and the model left out."""
        steps = plan.steps if plan is not None else ()
        said = self.answer.raw
        left = [
            step
            for step in steps
            if step.weight >= _WEIGHTY and not _mentions(said, step.register, step.field)
        ]
        numbers = [n for n in numbers if f"{n.value:x}" not in said.lower()]
        if not left:
            return text
        more = left_out(left, numbers, self.answer.chunks, self.asking.style)
        self.tell("text", f"\n\n{more}")
        return f"{text}\n\n{more}"


def _found(hops: Sequence[Hop], pieces: Sequence[Piece]) -> Iterator[Hop]:
    """The hops with the numbers of the passages that they brought."""
    for hop in hops:
        numbers = [n for n, p in enumerate(pieces, 1) if p.origin == "hop" and p.query == hop.text]
        yield msgspec.structs.replace(hop, found=tuple(numbers))


def _mentions(text: str, register: str, field: str | None) -> bool:
    """Whether a text names a register, or the field of it that is meant."""
    name = register.rpartition(".")[2]
    return any(
        re.search(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", text)
        for word in (name, field)
        if word
    )


def _numbered(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(
        msgspec.structs.replace(piece, number=number) for number, piece in enumerate(pieces, 1)
    )


def citations(pieces: Sequence[Piece], numbers: Sequence[int]) -> tuple[Citation, ...]:
    """The places of the passages with these numbers."""
    by_number = {piece.number: piece for piece in pieces}
    return tuple(
        Citation(
            number=number,
            file=piece.file,
            title=piece.title,
            revision=piece.revision,
            page=piece.first_page,
            last_page=piece.last_page,
            label=piece.first_label,
            heading_path=piece.heading_path,
            lines=piece.lines,
        )
        for number in sorted(set(numbers))
        if (piece := by_number.get(number)) is not None
    )
