"""How often the passages of an answer carry it: one query, a model's, the plan's, and both."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from datasheet_lsp.answer.collect import Collector, take
from datasheet_lsp.answer.gather import Gatherer
from datasheet_lsp.answer.hops import follow
from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.queries import split_by_model
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.types import Generate, Piece, SubQuery
from datasheet_lsp.evaluation.questions import Passage, Question, QuestionKind, groups_met
from datasheet_lsp.evaluation.retrieval import wilson

KINDS: tuple[QuestionKind, ...] = ("cross-peripheral", "goal")
STRICT = 6
TOPS = (2, 3)

Planner = Callable[[str, str], Plan | None]
"""Question and device -> the plan."""
Splitter = Callable[[str, str], Sequence[SubQuery]]
"""Question and device -> the sub-queries of a language model."""


class Way(msgspec.Struct, frozen=True):
    """A way to find passages."""

    name: str
    parts: bool = True
    plan: bool = False
    model: bool = False
    top: int = 2
    hops: bool = False


class Result(msgspec.Struct, frozen=True):
    """What came of one question: groups met of all, within the budget and of the first six."""

    id: str
    kind: str
    device: str
    passed: bool
    strict: bool
    met: int
    groups: int
    tokens: int
    pieces: int
    missed: tuple[str, ...]
    got: tuple[str, ...]


def ways(with_plan: bool, with_model: bool) -> list[Way]:
    """All that can be compared."""
    found = [Way("single query", parts=False)]
    for top in TOPS:
        found.append(Way(f"split at its punctuation, top {top}", top=top))
        if with_model:
            found.append(Way(f"model alone, top {top}", model=True, top=top))
        if with_plan:
            found.append(Way(f"plan alone, top {top}", plan=True, top=top))
            found.append(Way(f"plan and hops, top {top}", plan=True, top=top, hops=True))
        if with_plan and with_model:
            found.append(Way(f"plan and model, top {top}", plan=True, model=True, top=top))
    return found


def passage_of(piece: Piece) -> Passage:
    """A passage as the questions' evidence is compared with it."""
    return Passage(
        file=piece.file.replace("\\", "/").rpartition("/")[2],
        first_page=piece.first_page,
        last_page=piece.last_page,
        text=piece.text,
        tokens=piece.tokens,
        symbols=piece.symbols if piece.format == "svd" else (),
        label=f"{piece.origin}: {' > '.join(piece.heading_path)[:60]} p.{piece.first_page}",
    )


def model_splitter(generate: Generate, library: Library) -> Splitter:
    """The sub-queries of a model, each question split once. The plan is not known to it."""
    kept: dict[tuple[str, str], Sequence[SubQuery]] = {}

    def split(question: str, device: str) -> Sequence[SubQuery]:
        key = (question, device)
        if key not in kept:
            kept[key] = split_by_model(question, generate, library, device, None)
        return kept[key]

    return split


def pieces_for(
    question: Question,
    way: Way,
    library: Library,
    settings: AnswerSettings,
    planner: Planner | None,
    splitter: Splitter | None,
) -> list[Piece]:
    """The passages that a way brings for a question."""
    settings = msgspec.structs.replace(settings, top=way.top)
    device = library.device(question.device) or question.device
    gatherer = Gatherer(question.question, device, library, settings)
    if not way.parts:
        return take([], [gatherer.first().pieces], settings.budget)
    plan = planner(question.question, device) if way.plan and planner is not None else None
    queries = splitter(question.question, device) if way.model and splitter is not None else ()
    collector = Collector(gatherer, plan, queries)
    if way.hops:
        follow(collector, settings.hops)
    return collector.chosen()


def ask(
    question: Question,
    way: Way,
    library: Library,
    settings: AnswerSettings,
    planner: Planner | None,
    splitter: Splitter | None,
) -> Result:
    """One question in one way."""
    pieces = pieces_for(question, way, library, settings, planner, splitter)
    passages = [passage_of(piece) for piece in pieces]
    met = groups_met(passages, question)
    return Result(
        id=question.id,
        kind=question.kind,
        device=question.device,
        passed=all(met),
        strict=all(groups_met(passages[:STRICT], question)),
        met=sum(met),
        groups=len(met),
        tokens=sum(passage.tokens for passage in passages),
        pieces=len(passages),
        missed=tuple(g.what for g, m in zip(question.evidence, met, strict=True) if not m),
        got=tuple(passage.label for passage in passages),
    )


def evaluate_answers(
    questions: Sequence[Question],
    library: Library,
    settings: AnswerSettings,
    *,
    planner: Planner | None = None,
    splitter: Splitter | None = None,
    on_done: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """All questions of the kinds over several chapters, in all ways, as plain data."""
    begin = time.perf_counter()
    asked = [question for question in questions if question.kind in KINDS]
    rows = []
    for way in ways(planner is not None, splitter is not None) if asked else ():
        results = [ask(q, way, library, settings, planner, splitter) for q in asked]
        on_done(way.name)
        rows.append(
            {
                "way": way.name,
                "kinds": {
                    kind: _figures([r for r in results if r.kind == kind])
                    for kind in KINDS
                    if any(r.kind == kind for r in results)
                },
                "missed": [
                    {"id": r.id, "missed": list(r.missed), "got": list(r.got)}
                    for r in results
                    if not r.passed
                ],
            }
        )
    return {"budget": settings.budget, "ways": rows, "seconds": time.perf_counter() - begin}


def _figures(results: Sequence[Result]) -> dict[str, Any]:
    of = len(results)
    passed = sum(r.passed for r in results)
    low, high = wilson(passed, of)
    return {
        "passed": passed,
        "of": of,
        "rate": round(passed / of, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "strict": round(sum(r.strict for r in results) / of, 4),
        "groups": round(sum(r.met for r in results) / (sum(r.groups for r in results) or 1), 4),
        "tokens": round(sum(r.tokens for r in results) / of),
        "passages": round(sum(r.pieces for r in results) / of, 1),
    }
