"""How much of an answer comes from each passage."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from datasheet_lsp.answer.prompt import quoted
from datasheet_lsp.answer.types import Generate, Piece

Near = Callable[[str], Mapping[int, float]]
"""A text -> how near the chunks of the index are to it by meaning, 1 for the same."""

Rerank = Callable[[str, Sequence[str]], Sequence[float]]

_SCORE: Mapping[str, Any] = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 3}},
    "required": ["score"],
    "additionalProperties": False,
}
_TASK = (
    "How much of the answer comes from the passage? 1: nothing, 2: some, 3: most. Answer in JSON."
)


def with_provenance(
    pieces: Sequence[Piece],
    question: str,
    answer: str,
    how: Literal["off", "similarity", "rerank", "model"],
    *,
    near: Near | None = None,
    rerank: Rerank | None = None,
    generate: Generate | None = None,
) -> list[Piece]:
    """The passages with their scores, 0 to 1. What is not at hand gives way to common words."""
    if how == "off" or not pieces or not answer:
        return list(pieces)
    said = f"{question}\n{answer}"
    scores: list[float] = []
    if how == "model" and generate is not None:
        scores = [_by_model(piece, question, answer, generate) for piece in pieces]
    elif how == "rerank" and rerank is not None:
        scores = _reranked(said, pieces, rerank)
    elif near is not None:
        scores = _near(said, pieces, near)
    if not scores:
        words = _counted(said)
        scores = [_alike(words, _counted(piece.text)) for piece in pieces]
    return [
        msgspec.structs.replace(piece, provenance=round(min(1.0, max(0.0, score)), 3))
        for piece, score in zip(pieces, scores, strict=True)
    ]


def _reranked(said: str, pieces: Sequence[Piece], rerank: Rerank) -> list[float]:
    """The scores of a cross-encoder as shares of the highest; [] where it fails."""
    try:
        scores = list(rerank(said, [piece.text for piece in pieces]))
    except Exception:  # a model may fail in any way, and the answer stands
        return []
    low, high = min(scores), max(scores)
    return [(s - low) / (high - low) if high > low else 1.0 for s in scores]


def _near(said: str, pieces: Sequence[Piece], near: Near) -> list[float]:
    """How near the nearest chunk of each passage is; [] where the model fails or knows none."""
    try:
        found = near(said)
    except Exception:  # as above
        return []
    if not any(chunk in found for piece in pieces for chunk in piece.chunks):
        return []
    words = _counted(said)
    return [
        max((found.get(chunk, 0.0) for chunk in piece.chunks), default=0.0)
        if piece.chunks
        else _alike(words, _counted(piece.text))
        for piece in pieces
    ]


def _by_model(piece: Piece, question: str, answer: str, generate: Generate) -> float:
    text = "".join(
        generate(
            [("system", _TASK), ("user", f"{quoted(piece)}\n\nQ: {question}\nA: {answer[:1500]}")],
            max_tokens=16,
            json_schema=_SCORE,
            temperature=0.0,
        )
    )
    number = re.search(r"[123]", text)
    return (int(number[0]) - 1) / 2 if number is not None else 0.0


def _counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w{3,}", text.lower()))


def _alike(a: Counter[str], b: Counter[str]) -> float:
    """The cosine of two bags of words."""
    length = math.hypot(*a.values()) * math.hypot(*b.values())
    return sum(n * b[word] for word, n in a.items()) / length if length else 0.0
