"""How often it is said that the documents do not answer: where they do not, and where they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.refuse import refusal
from datasheet_lsp.evaluation.questions import Question
from datasheet_lsp.search import Mode

_HITS = 12
_BUDGET = 60_000


def evaluate_refusals(
    questions: Sequence[Question], library: Library, mode: Mode
) -> dict[str, Any]:
    """Refused questions of those without an answer, and of the others, as plain data."""
    rows = []
    searcher = library.searcher
    assert searcher is not None
    for question in questions:
        device = library.device(question.device)
        hits = searcher.search(
            question.question, device=device, k=_HITS, budget=_BUDGET, mode=mode, widened=False
        ).hits
        refused = refusal(question.question, device, library, hits)
        rows.append((question, refused.reason if refused is not None else ""))
    without = [(q, reason) for q, reason in rows if q.kind == "unanswerable"]
    others = [(q, reason) for q, reason in rows if q.kind != "unanswerable"]
    return {
        "unanswerable": _figures(without),
        "answerable": _figures(others),
        "not_refused": [{"id": q.id, "question": q.question} for q, why in without if not why],
        "wrongly_refused": [
            {"id": q.id, "question": q.question, "reason": why} for q, why in others if why
        ],
    }


def _figures(rows: Sequence[tuple[Question, str]]) -> dict[str, Any]:
    refused = sum(bool(reason) for _, reason in rows)
    return {"refused": refused, "of": len(rows), "rate": round(refused / (len(rows) or 1), 4)}
