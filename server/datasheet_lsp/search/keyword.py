"""The keyword arm: the chunks in which what is asked for stands."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from datasheet_lsp.index import Index, Span
from datasheet_lsp.search.hits import Scored
from datasheet_lsp.search.query import Concept

_KEPT = 200_000
"""So many hits of single expressions are kept, which takes about 20 MB."""
_LIMIT = 600
_MOST_MATCHES = 30_000
"""So many matches of one query are ranked, which takes about 30 ms.

Words that stand nearly everywhere tell little and take the longest: they are left out first.
"""

Scope = tuple[int, ...] | None
"""The numbers of the documents that are searched, None for all."""


class KeywordArm:
    """Scores of single expressions, kept for the next query."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._found: OrderedDict[tuple[str, Scope], dict[int, float]] = OrderedDict()
        self._hits = 0
        self._counts: dict[tuple[str, Scope], int] = {}
        self._spans: dict[Scope, list[Span] | None] = {None: None}
        self._size: int | None = None

    def spans(self, scope: Scope) -> list[Span] | None:
        """The chunks of a scope as ranges, None for all."""
        if scope not in self._spans:
            self._spans[scope] = self.index.spans(scope or ())
        return self._spans[scope]

    def size(self, scope: Scope) -> int:
        """How many chunks the scope has."""
        spans = self.spans(scope)
        if spans is not None:
            return sum(span.size for span in spans)
        if self._size is None:
            self._size = self.index.size()
        return self._size

    def is_known(self, expression: str, scope: Scope) -> bool:
        """Whether an expression is met in the scope."""
        found = self._found.get((expression, scope))
        return bool(self.count(expression, scope) if found is None else found)

    def count(self, expression: str, scope: Scope) -> int:
        """How many chunks of the scope match an expression."""
        key = (expression, scope)
        if key not in self._counts:
            if len(self._counts) > _KEPT:
                self._counts.clear()
            self._counts[key] = self.index.count(expression, self.spans(scope))
        return self._counts[key]

    def find(self, expression: str, scope: Scope) -> dict[int, float]:
        """The chunks with their scores, by how rare the expression is within the scope."""
        key = (expression, scope)
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        spans = self.spans(scope)
        found = dict(self.index.match(expression, spans, _LIMIT))
        if found and spans is not None:
            here = len(found)
            if here >= _LIMIT:
                here = self.count(expression, scope)
            everywhere = self.count(expression, None)
            ratio = rarity(here, self.size(scope)) / rarity(everywhere, self.size(None))
            found = {chunk: score * ratio for chunk, score in found.items()}
        self._found[key] = found
        self._hits += len(found) + 1
        while self._hits > _KEPT:
            self._hits -= len(self._found.popitem(last=False)[1]) + 1
        return found

    def search(
        self,
        concepts: Sequence[Concept],
        scope: Scope,
        coverage: float,
        *,
        headings: bool = True,
    ) -> dict[int, Scored]:
        """The chunks that meet any of the concepts, with their scores.

        A chunk gets the best expression of each concept. ``coverage`` is the share of the score
        that goes with how much of the query is met. Without ``headings`` these do not count.
        """
        concepts = self._affordable(concepts, scope)
        total = sum(concept.weight for concept in concepts if not concept.extra) or 1.0
        result: dict[int, Scored] = {}
        met: dict[int, float] = {}
        for concept in concepts:
            for chunk, score in self._concept(concept.expressions, scope, headings).items():
                scored = result.get(chunk)
                if scored is None:
                    scored = result[chunk] = Scored(chunk)
                scored.keyword += concept.weight * score
                met[chunk] = met.get(chunk, 0.0) + concept.weight
        for chunk, scored in result.items():
            scored.keyword *= 1 - coverage + coverage * min(1.0, met[chunk] / total)
        return result

    def _affordable(self, concepts: Sequence[Concept], scope: Scope) -> Sequence[Concept]:
        """The concepts without those that are met so often that ranking them takes too long."""
        if len(concepts) * self.size(scope) <= _MOST_MATCHES:
            return concepts
        counts = [
            sum(self.count(expression, scope) for expression, _ in concept.expressions)
            for concept in concepts
        ]
        left = _MOST_MATCHES
        kept: set[int] = set()
        for count, number in sorted(zip(counts, range(len(concepts)), strict=True)):
            left -= count
            if left < 0 and kept:
                break
            kept.add(number)
        return [concept for number, concept in enumerate(concepts) if number in kept]

    def _concept(
        self, expressions: Iterable[tuple[str, float]], scope: Scope, headings: bool
    ) -> dict[int, float]:
        best: dict[int, float] = {}
        for expression, weight in expressions:
            if not headings and " : " not in expression:
                expression = f"{{identifiers body}} : ({expression})"
            for chunk, score in self.find(expression, scope).items():
                if best.get(chunk, 0.0) < score * weight:
                    best[chunk] = score * weight
        return best


def rarity(count: int, size: int) -> float:
    """The inverse document frequency as BM25 has it, at least a little."""
    return max(0.1, math.log((size - count + 0.5) / (count + 0.5)))
