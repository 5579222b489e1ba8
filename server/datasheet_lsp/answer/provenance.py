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

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
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
    embed: Embed | None = None,
    rerank: Rerank | None = None,
    generate: Generate | None = None,
) -> list[Piece]:
    """The passages with their scores, 0 to 1. What is not at hand gives way to common words."""
    if how == "off" or not pieces or not answer:
        return list(pieces)
    texts = [piece.text for piece in pieces]
    scores: list[float]
    if how == "rerank" and rerank is not None:
        scores = _scaled(list(rerank(f"{question}\n{answer}", texts)))
    elif how == "model" and generate is not None:
        scores = [_by_model(piece, question, answer, generate) for piece in pieces]
    elif embed is not None:
        first, *rest = embed([f"{question}\n{answer}", *texts])
        scores = [_cosine(first, each) for each in rest]
    else:
        first_words = _counted(f"{question}\n{answer}")
        scores = [_alike(first_words, _counted(text)) for text in texts]
    return [
        msgspec.structs.replace(piece, provenance=round(min(1.0, max(0.0, score)), 3))
        for piece, score in zip(pieces, scores, strict=True)
    ]


def _scaled(scores: list[float]) -> list[float]:
    """Scores of a cross-encoder, of any range, as shares of the highest."""
    low, high = min(scores), max(scores)
    return [(s - low) / (high - low) if high > low else 1.0 for s in scores]


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


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    length = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / length if length else 0.0


def _counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w{3,}", text.lower()))


def _alike(a: Counter[str], b: Counter[str]) -> float:
    """The cosine of two bags of words."""
    length = math.hypot(*a.values()) * math.hypot(*b.values())
    return sum(n * b[word] for word, n in a.items()) / length if length else 0.0
