"""The few numbers of the search, fitted on some manuals and measured on another one.

For each manual the settings that do best on all others are chosen among those in use and their
neighbours (one number more or less), and asked about the manual that was left out:

    python -m datasheet_lsp.evaluation.fit_search data/eval/*.jsonl data/eval/further/*.jsonl \
        --index FILE --svd DIR

The index is one that ``datasheet-lsp eval --index FILE --mode hybrid`` has made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.documents.tokens import load_counter
from datasheet_lsp.evaluation.corpus import devices_of
from datasheet_lsp.evaluation.questions import FEW, Question, read_questions
from datasheet_lsp.evaluation.retrieval import Outcome, ask
from datasheet_lsp.index import Index
from datasheet_lsp.search import Mode, Searcher, SearchSettings
from datasheet_lsp.search.keyword import Scope
from datasheet_lsp.search.settings import Weights

NUMBERS: dict[str, tuple[Any, ...]] = {
    "words against meaning": (-0.1, 0.1),
    "function": (0.6, 1.5),
    "likely": (0.4, 0.5),
    "first": (0.0, 0.2),
    "coverage": (0.6, 1.0),
    "shared": (0.3, 0.7),
    "topics": (0.2, 0.5),
    "longest": (600, 900),
}
"""The numbers with what is tried beside what is in use."""

Score = tuple[int, float]
"""Questions passed, and the sum of the reciprocal ranks."""


def candidates(base: SearchSettings) -> Iterator[tuple[str, SearchSettings]]:
    """What is in use, then with one number changed."""
    yield "as it is", base
    for name, values in NUMBERS.items():
        for value in values:
            if name == "words against meaning":
                arms = {
                    kind: Weights(
                        min(1.0, each.keyword + value), max(0.0, round(each.vector - value, 3))
                    )
                    for kind, each in base.arms.items()
                }
                yield f"{name} {value:+}", msgspec.structs.replace(base, arms=arms)
            else:
                yield f"{name} {value}", msgspec.structs.replace(base, **{name: value})


def score(outcomes: Sequence[Outcome]) -> Score:
    """The figure that is the greater the better."""
    return sum(o.passed for o in outcomes), sum(1 / o.rank for o in outcomes if o.rank)


def folds(results: Mapping[str, Sequence[Outcome]]) -> Iterator[tuple[str, str, Score, Score]]:
    """For each manual: what was chosen without it, its score so, and as the settings are."""
    first = next(iter(results))
    for manual in dict.fromkeys(o.question.device for o in results[first]):

        def of(name: str, inside: bool, manual: str = manual) -> Score:
            return score([o for o in results[name] if (o.question.device == manual) is inside])

        chosen = max(results, key=lambda name: of(name, False))
        yield manual, chosen, of(chosen, True), of(first, True)


def measure(
    searcher: Searcher, questions: Sequence[Question], mode: Mode, tell: Callable[[str], None]
) -> dict[str, list[Outcome]]:
    """The outcomes of all questions with each candidate."""
    count = load_counter()
    results: dict[str, list[Outcome]] = {}
    for name, settings in candidates(searcher.settings):
        results[name] = [ask(searcher, each, mode, count, settings) for each in questions]
        passed, ranks = score(results[name])
        tell(f"{name}: {passed} of {len(questions)}, MRR {ranks / len(questions):.3f}")
    return results


def main(argv: Sequence[str] | None = None) -> int:
    """Prints what each candidate reaches, then the folds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--svd", type=Path, required=True)
    parser.add_argument("--mode", choices=("keyword", "hybrid"), default="hybrid")
    arguments = parser.parse_args(argv)
    questions = [each for each in read_questions(arguments.questions) if each.kind in FEW]
    with Index(arguments.index) as index:
        devices = devices_of(arguments.svd, {each.device for each in questions}, index)
        searcher = Searcher(index, devices)
        if arguments.mode == "keyword":
            results = measure(searcher, questions, "keyword", print)
        else:
            from datasheet_lsp.engine import BlockingEmbedder, find_model
            from datasheet_lsp.search.vectors import IndexVectors

            with BlockingEmbedder(find_model()) as embedder:
                arm = IndexVectors(
                    index, embedder.model.key, lambda text: embedder.embed([text], "query")[0]
                )
                known: dict[tuple[str, Scope, int], list[tuple[int, float]]] = {}

                def near(text: str, scope: Scope, k: int) -> list[tuple[int, float]]:
                    if (text, scope, k) not in known:
                        known[text, scope, k] = arm(text, scope, k)
                    return known[text, scope, k]

                searcher.vector = near
                searcher.alike = lru_cache(maxsize=None)(arm.alike)
                results = measure(searcher, questions, "hybrid", print)
    fitted = kept = 0
    for manual, chosen, with_chosen, as_is in folds(results):
        print(f"without {manual}: {chosen}; on it {with_chosen[0]}, as it is {as_is[0]}")
        fitted += with_chosen[0]
        kept += as_is[0]
    print(f"left out, fitted: {fitted} of {len(questions)}; as it is: {kept}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
