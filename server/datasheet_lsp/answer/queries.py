"""What a language model thinks should be searched for, as far as the chip and index know of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.answer.types import Generate, Origin, SubQuery
from datasheet_lsp.search.names import squash

MOST = 4
_LONGEST = 90
_TOKENS = 160
_ALIKE = 0.7
_INSTANCE = re.compile(r"\b[A-Za-z]+\d+\b")
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_WORD = re.compile(r"\w{2,}")

SPLIT: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "queries": {
            "type": "array",
            "minItems": 2,
            "maxItems": MOST,
            "items": {"type": "string", "minLength": 3, "maxLength": _LONGEST},
        }
    },
    "required": ["queries"],
    "additionalProperties": False,
}
REWRITE: Mapping[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string", "minLength": 3, "maxLength": 120}},
    "required": ["query"],
    "additionalProperties": False,
}

# The same for every question, so that it stays warm in the model.
_PREFIX: tuple[tuple[str, str], ...] = (
    (
        "system",
        "Split a question about a microcontroller into 2 to 4 short search queries, one for each "
        "chapter of the manual that it takes. Answer in JSON.",
    ),
    ("user", "Blink an LED on pin B5 every 100 ms with a timer"),
    (
        "assistant",
        '{"queries":["port B clock enable","port B pin 5 output mode","timer prescaler and period '
        'registers","timer update interrupt enable"]}',
    ),
    ("user", "SPI master at 1 MHz, receive by DMA"),
    (
        "assistant",
        '{"queries":["SPI baud rate divider","SPI clock enable","DMA channel for SPI receive",'
        '"SPI DMA request enable"]}',
    ),
)
_REWRITE_PREFIX: tuple[tuple[str, str], ...] = (
    (
        "system",
        "Rewrite a question about a microcontroller as the words that its manual would use. "
        "Answer in JSON.",
    ),
    ("user", "my code hangs and I want the chip to start over by itself"),
    ("assistant", '{"query":"watchdog timer reset enable and reload"}'),
)


def split_by_model(
    question: str, generate: Generate, library: Library, device: str | None, plan: Plan | None
) -> list[SubQuery]:
    """The model's sub-queries that the device or the index knows, those of the plan left out.

    Raises whatever ``generate`` raises.
    """
    text = "".join(
        generate(
            [*_PREFIX, ("user", question)], max_tokens=_TOKENS, json_schema=SPLIT, temperature=0.0
        )
    )
    found = _strings(text, "queries")
    shown = [q for role, said in _PREFIX if role == "assistant" for q in _strings(said, "queries")]
    known = [step.query for step in plan.steps] if plan is not None else []
    return useful(found, question, library, device, known=known, shown=shown, origin="model")


def rewritten(
    question: str, generate: Generate, library: Library, device: str | None
) -> SubQuery | None:
    """The question in other words, None where these mean nothing here."""
    text = "".join(
        generate(
            [*_REWRITE_PREFIX, ("user", question)],
            max_tokens=_TOKENS,
            json_schema=REWRITE,
            temperature=0.0,
        )
    )
    said = _strings(text, "query")
    found = useful(
        said, question, library, device, shown=["watchdog timer reset"], origin="rewrite"
    )
    return found[0] if found else None


def useful(
    texts: Iterable[str],
    question: str,
    library: Library,
    device: str | None,
    *,
    known: Sequence[str] = (),
    shown: Sequence[str] = (),
    origin: Origin,
) -> list[SubQuery]:
    """The texts that name something, are not copied from an example, and are not said already."""
    is_known = _Known(library, device)
    kept: list[SubQuery] = []
    before = [question, *known]
    for text in texts:
        # A small model says the same word over and over.
        text = " ".join(dict.fromkeys(text.split()))[:_LONGEST].strip(" .,;:-")
        if not text or any(alike(text, other) for other in (*before, *shown)):
            continue
        if _invents(text, question, known) or _copies(text, question, shown):
            continue
        if not is_known(text):
            continue
        kept.append(SubQuery(text, origin))
        before.append(text)
    return kept[:MOST]


def alike(a: str, b: str) -> bool:
    """Whether two queries have most of their words in common."""
    first, second = ({squash(w) for w in _WORD.findall(text)} for text in (a, b))
    if not first or not second:
        return False
    return len(first & second) / len(first | second) >= _ALIKE


def _invents(text: str, question: str, known: Sequence[str]) -> bool:
    """Whether a numbered name is in it that neither the question nor the plan has."""
    said = {squash(w) for source in (question, *known) for w in _INSTANCE.findall(source)}
    return any(squash(word) not in said for word in _INSTANCE.findall(text))


def _copies(text: str, question: str, shown: Sequence[str]) -> bool:
    """Whether a name is in it that only the examples have."""
    said = set(_CAPITALS.findall(question.upper()))
    examples = {word for example in shown for word in _CAPITALS.findall(example)}
    return any(word in examples and word not in said for word in _CAPITALS.findall(text))


class _Known:
    """Whether a query means anything to the device or to its documents."""

    def __init__(self, library: Library, device: str | None) -> None:
        self.library = library
        self.device = device

    def __call__(self, text: str) -> bool:
        searcher = self.library.searcher
        if searcher is None:
            return False
        scoped = searcher.shelf.scope(text, self.device)
        query = searcher.analyse(text, scoped, searcher.settings)
        if query.mentions.targets or query.mentions.peripherals:
            return True
        met = sum(
            concept.weight
            for concept in query.concepts
            if any(searcher.keyword.is_known(e, scoped.documents) for e, _ in concept.expressions)
        )
        total = sum(concept.weight for concept in query.concepts)
        return bool(total) and met / total >= 0.6


def _strings(text: str, key: str) -> list[str]:
    """The strings under ``key`` of a JSON text that may be cut off."""
    try:
        value = msgspec.json.decode(text.encode()).get(key)
    except (msgspec.DecodeError, AttributeError, UnicodeEncodeError):
        value = re.findall(r'"((?:[^"\\]|\\.){3,})"', text.partition(":")[2])
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
