"""How often the search brings the evidence: pass rates by kind, manual and mode."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

import msgspec

from datasheet_lsp.evaluation.ablation import changed, rows
from datasheet_lsp.evaluation.questions import (
    FEW,
    Passage,
    Question,
    QuestionKind,
    first_rank,
    groups_met,
)
from datasheet_lsp.search import Hit, Mode, Results, Searcher, SearchSettings

Count = Callable[[str], int]
"""Counts the tokens of a text as the embedding model does."""

FEW_K, FEW_TOKENS = 5, 2_500
MANY_K, MANY_TOKENS = 40, 3_000
STRICT_K = 6
RECALL = (1, 3, 5)
_TOP = 3


class Outcome(msgspec.Struct):
    """What came of one question."""

    question: Question
    passed: bool
    strict: bool
    rank: int | None
    groups: int
    met: int
    wrong: int
    top: int
    got: list[str]


class Tally(msgspec.Struct):
    """Passed questions of all, with the 95% interval of the rate and the mean reciprocal rank."""

    passed: int
    of: int
    rate: float
    low: float
    high: float
    mrr: float
    groups: float
    strict: float
    recall: dict[str, float]
    """Of how many questions any evidence is among the first so many passages."""


def wilson(passed: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """The Wilson score interval of a rate; 0 to 1 without any trial.

    E. B. Wilson, Probable inference, J. Am. Stat. Assoc. 22 (1927) 209.
    """
    if not of:
        return 0.0, 1.0
    rate = passed / of
    middle = (rate + z * z / (2 * of)) / (1 + z * z / of)
    spread = z * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def tally(outcomes: Sequence[Outcome]) -> Tally:
    """The figures of some outcomes."""
    of = len(outcomes)
    passed = sum(each.passed for each in outcomes)
    low, high = wilson(passed, of)
    groups = sum(each.groups for each in outcomes)
    return Tally(
        passed=passed,
        of=of,
        rate=_round(passed / of if of else 0.0),
        low=_round(low),
        high=_round(high),
        mrr=_round(sum(1 / each.rank for each in outcomes if each.rank) / of if of else 0.0),
        groups=_round(sum(each.met for each in outcomes) / groups if groups else 0.0),
        strict=_round(sum(each.strict for each in outcomes) / of if of else 0.0),
        recall={
            str(k): _round(sum(bool(o.rank and o.rank <= k) for o in outcomes) / of if of else 0.0)
            for k in RECALL
        },
    )


def _round(value: float) -> float:
    return round(value, 4)


def passages_of(results: Results, count: Count) -> list[Passage]:
    """What is handed over of each hit, its tokens counted with the heading above it."""
    return [
        Passage(
            file=hit.file.replace("\\", "/").rpartition("/")[2],
            first_page=hit.first_page,
            last_page=hit.last_page,
            text=hit.text,
            tokens=count(hit.heading) + count(hit.text),
            symbols=hit.symbols if hit.format == "svd" else (),
            label=label_of(hit),
        )
        for hit in results.hits
    ]


def label_of(hit: Hit) -> str:
    """Which document, pages and section a hit is of, in a line."""
    file = hit.file.replace("\\", "/").rpartition("/")[2]
    pages = f" p. {hit.first_page}" if hit.first_page else ""
    if hit.last_page > hit.first_page:
        pages += f"-{hit.last_page}"
    return f"{file}{pages}: {' > '.join(hit.heading_path)}"


def within(passages: Sequence[Passage], most: int, tokens: int) -> list[Passage]:
    """The first passages, at most so many of at most so many tokens together."""
    kept: list[Passage] = []
    used = 0
    for passage in passages[:most]:
        used += passage.tokens
        if used > tokens:
            break
        kept.append(passage)
    return kept


def ask(
    searcher: Searcher,
    question: Question,
    mode: Mode,
    count: Count,
    settings: SearchSettings | None = None,
) -> Outcome:
    """Search for a question within the budget of its kind and look for the evidence."""
    few = question.kind in FEW
    most, tokens = (FEW_K, FEW_TOKENS) if few else (MANY_K, MANY_TOKENS)
    results = searcher.search(
        question.question,
        device=question.device,
        k=most,
        budget=tokens,
        mode=mode,
        widened=None if few else False,
        settings=settings,
    )
    passages = within(passages_of(results, count), most, tokens)
    met = groups_met(passages, question)
    strict = passages if few else passages[:STRICT_K]
    top = results.hits[:_TOP]
    return Outcome(
        question=question,
        passed=all(met),
        strict=all(groups_met(strict, question)),
        rank=first_rank(passages, question),
        groups=len(met),
        met=sum(met),
        wrong=sum(is_of_other(hit, results.device) for hit in top),
        top=len(top),
        got=[passage.label for passage in passages],
    )


def is_of_other(hit: Hit, device: str | None) -> bool:
    """Whether a hit is of documents about other devices alone."""
    return device is not None and bool(hit.devices) and device not in hit.devices


def evaluate(
    searcher: Searcher,
    questions: Iterable[Question],
    modes: Sequence[Mode],
    count: Count,
    *,
    ablate: bool = False,
    on_done: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """All questions in all modes, as plain data; those without an answer are left aside."""
    begin = time.perf_counter()
    asked = [question for question in questions if question.kind != "unanswerable"]
    report: dict[str, Any] = {"kinds": {}, "manuals": {}, "wrong_device": {}, "failures": []}
    for mode in modes:
        outcomes = [ask(searcher, question, mode, count) for question in asked]
        on_done(mode)
        _enter(report, mode, outcomes)
    if ablate:
        report["ablation"] = ablation(searcher, asked, modes, count, on_done)
    report["seconds"] = round(time.perf_counter() - begin, 2)
    return report


def ablation(
    searcher: Searcher,
    asked: Sequence[Question],
    modes: Sequence[Mode],
    count: Count,
    on_done: Callable[[str], None] = lambda name: None,
) -> list[dict[str, Any]]:
    """What each part of the search brings, looked into in the last of ``modes``."""
    found = []
    with_vectors = searcher.vector is not None and modes[-1] != "keyword"
    for row in rows(with_vectors, searcher.rerank is not None):
        mode = row.mode or modes[-1]
        settings = changed(searcher.settings, row)
        outcomes = [ask(searcher, question, mode, count, settings) for question in asked]
        on_done(row.name)
        found.append({"part": row.name, "mode": mode, "kinds": _by_kind(outcomes)})
    return found


def _enter(report: dict[str, Any], mode: Mode, outcomes: Sequence[Outcome]) -> None:
    for kind, figures in _by_kind(outcomes).items():
        report["kinds"].setdefault(kind, {})[mode] = figures
    for device in dict.fromkeys(each.question.device for each in outcomes):
        own = [each for each in outcomes if each.question.device == device]
        for kind, figures in _by_kind(own).items():
            report["manuals"].setdefault(device, {}).setdefault(kind, {})[mode] = figures
    hits = sum(each.top for each in outcomes)
    wrong = sum(each.wrong for each in outcomes)
    report["wrong_device"][mode] = {
        "wrong": wrong,
        "of": hits,
        "rate": _round(wrong / hits if hits else 0.0),
    }
    report["failures"] += [
        {
            "id": each.question.id,
            "mode": mode,
            "question": each.question.question,
            "met": f"{each.met} of {each.groups}",
            "got": each.got,
        }
        for each in outcomes
        if not each.passed
    ]


def _by_kind(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    kinds = get_args(QuestionKind)
    found = {kind: [o for o in outcomes if o.question.kind == kind] for kind in kinds}
    return {kind: msgspec.to_builtins(tally(some)) for kind, some in found.items() if some}
