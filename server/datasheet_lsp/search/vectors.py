"""The vector arm over the vectors of an index."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from datasheet_lsp.index import Index
from datasheet_lsp.index.phrases import PhraseVectors
from datasheet_lsp.index.vectors import Distance, VectorSet, VectorStore
from datasheet_lsp.search.keyword import Scope

_KEPT = 8
"""The vectors of so many questions are kept: one is asked for more than once."""


class VectorsMissing(Exception):
    """There is nothing to search; the text says why."""


class IndexVectors:
    """Finds the chunks nearest to a query by the vectors of one model.

    ``embed`` gives the query's vector (32-bit floats) by the model that has the ``key``. As long
    as some chunks have none, those that have are found.
    """

    def __init__(
        self,
        index: Index,
        key: str,
        embed: Callable[[str], bytes],
        distance: Distance = "cosine",
    ) -> None:
        self.store = VectorStore(index, distance)
        self.phrases = PhraseVectors(self.store)
        self.key = key
        self.embed = lru_cache(maxsize=_KEPT)(embed)
        self.distance = distance

    def __call__(self, text: str, scope: Scope, k: int) -> list[tuple[int, float]]:
        """The ``k`` nearest chunks with their similarity, the higher the nearer.

        Raises VectorsMissing, and whatever ``embed`` raises.
        """
        which = self._serving()
        found = self.store.search(which, self.embed(text), k, documents=scope)
        if not found and self.store.problem:
            raise VectorsMissing(self.store.problem)
        if self.distance == "cosine":
            return [(near.chunk, 1.0 - near.distance) for near in found]
        return [(near.chunk, -near.distance) for near in found]

    def alike(self, text: str) -> dict[str, float]:
        """The wordings of functions with their likeness to ``text``, none where none are made.

        Raises VectorsMissing, and whatever ``embed`` raises.
        """
        return self.phrases.alike(self._serving(), self.embed(text))

    def _serving(self) -> VectorSet:
        which = self.store.serving(self.key)
        if which is None or which.key != self.key:
            raise VectorsMissing(self.store.problem or "none of this model are made yet")
        return which
