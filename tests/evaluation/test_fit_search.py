"""Fitting the numbers of the search: chosen without a manual, measured on it."""

from __future__ import annotations

from datasheet_lsp.evaluation.fit_search import candidates, folds, score
from datasheet_lsp.evaluation.questions import Question
from datasheet_lsp.evaluation.retrieval import Outcome
from datasheet_lsp.search import SearchSettings


def outcome(device: str, passed: bool, rank: int | None = 1) -> Outcome:
    return Outcome(Question("q", "register", device, "?"), passed, passed, rank, 1, 1, 0, 0, [])


def test_each_candidate_changes_one_number() -> None:
    base = SearchSettings()
    found = dict(candidates(base))
    assert found.pop("as it is") == base
    for name, settings in found.items():
        changed = [
            f for f in settings.__struct_fields__ if getattr(settings, f) != getattr(base, f)
        ]
        assert len(changed) == 1, name
        for weights in settings.arms.values():
            assert abs(weights.keyword + weights.vector - 1) < 1e-9


def test_a_score_counts_passes_then_ranks() -> None:
    found = score([outcome("a", True, 2), outcome("a", False, None), outcome("a", True, 1)])
    assert found == (2, 1.5)


def test_what_is_chosen_does_not_know_the_manual_it_is_measured_on() -> None:
    results = {
        "as it is": [outcome("a", True), outcome("b", False), outcome("c", False)],
        "other": [outcome("a", False), outcome("b", True), outcome("c", True)],
    }
    found = {
        manual: (chosen, fitted[0], kept[0]) for manual, chosen, fitted, kept in folds(results)
    }
    # Without a the other is better; without b both do one of two, and the first stays.
    assert found == {"a": ("other", 0, 1), "b": ("as it is", 0, 0), "c": ("as it is", 0, 0)}
