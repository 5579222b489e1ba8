"""Search by meaning: the vector of a question by the model that made those of the index.

And the reranker, which reads the question together with the best passages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from datasheet_lsp.engine import EmbedModel, EngineError, find_model, find_reranker
from datasheet_lsp.engine.models import RerankModel
from datasheet_lsp.index import Index
from datasheet_lsp.index.phrases import PhraseVectors
from datasheet_lsp.index.vectors import VectorSet, VectorStore
from datasheet_lsp.search.keyword import Scope
from datasheet_lsp.search.vectors import VectorsMissing
from datasheet_lsp.workspace.settings import EmbedSettings

Embed = Callable[[EmbedModel, str], bytes]
"""The vector of a question by a model. May raise anything: words alone count then."""


Rank = Callable[[RerankModel, str, Sequence[str]], Sequence[float]]
"""How well each text answers a question by a model. May raise anything."""


class Reranking:
    """The reranker of a workspace's settings, found when it is first needed."""

    def __init__(self, root: Path, name: str, rank: Rank) -> None:
        self._root = root
        self._name = name
        self._rank = rank
        self._model: RerankModel | None = None

    def __call__(self, text: str, passages: Sequence[str]) -> Sequence[float]:
        """A score for each passage. Raises what hinders it, in a sentence."""
        try:
            if self._model is None:
                if not self._name:
                    raise EngineError("[search] reranker names none")
                self._model = find_reranker(self._name, self._root)
            return self._rank(self._model, text, passages)
        except EngineError as error:
            raise EngineError(str(error).rstrip(".")) from error


class MeaningArm:
    """The vector arm of a workspace's index.

    Until the set of the model that the settings name is whole, a set that is answers, by its own
    model. ``seconds`` is what embedding took since it was last set to 0, ``note`` what a user
    should know of the vectors.
    """

    def __init__(self, index: Index, root: Path, settings: EmbedSettings, embed: Embed) -> None:
        self._store = VectorStore(index, settings.distance)
        self._root = root
        self._settings = settings
        self._embed = embed
        self._phrases = PhraseVectors(self._store)
        self._models: dict[str, EmbedModel] = {}
        self._last: tuple[str, str, bytes] | None = None
        self._failed: tuple[str, str, Exception] | None = None
        self.seconds = 0.0
        self.note = ""

    def __call__(self, text: str, scope: Scope, k: int) -> list[tuple[int, float]]:
        """The ``k`` nearest chunks with their similarity. Raises what hinders it, in a sentence."""
        try:
            which, model = self._serving()
            self.note = self._half(which)
            found = self._store.search(which, self._vector(model, text), k, documents=scope)
        except EngineError as error:
            raise VectorsMissing(str(error).rstrip(".")) from error
        if not found and self._store.problem:
            raise VectorsMissing(self._store.problem.rstrip("."))
        whole = 1.0 if self._settings.distance == "cosine" else 0.0
        return [(near.chunk, whole - near.distance) for near in found]

    def alike(self, text: str) -> dict[str, float]:
        """The wordings of functions with their likeness to ``text``, none where none are made.

        Raises what hinders it.
        """
        which, model = self._serving()
        return self._phrases.alike(which, self._vector(model, text))

    def _serving(self) -> tuple[VectorSet, EmbedModel]:
        sets = self._store.sets()
        if not sets:
            raise VectorsMissing(self._store.problem.rstrip(".") or "none are made yet")
        wanted = self._model(self._settings.model)
        which = self._store.serving(wanted.key)
        if which is not None and which.key == wanted.key:
            return which, wanted
        own = next((each for each in sets if each.key == wanted.key), None)
        which = which or sets[-1]
        try:
            model = self._model(which.source)
        except EngineError:
            model = None
        if model is not None and model.key == which.key:
            return which, model
        if own is not None:
            return own, wanted
        raise VectorsMissing(f"those there are were made by {which.name}, which is not there")

    def _model(self, name: str) -> EmbedModel:
        if name not in self._models:
            settings = self._settings
            self._models[name] = find_model(
                name, self._root, settings.dimensions, inside=self._root
            )
        return self._models[name]

    def _half(self, which: VectorSet) -> str:
        if which.whole:
            return ""
        done, of = self._store.count(which)
        if done >= of:
            return ""
        return f"{100 * done // of}% of the vectors are made: the rest is found by words alone"

    def _vector(self, model: EmbedModel, text: str) -> bytes:
        """The vector of a question, which is asked for twice: also what hinders it is kept."""
        key = (model.key, text)
        if self._last is not None and self._last[:2] == key:
            return self._last[2]
        failed, self._failed = self._failed, None
        if failed is not None and failed[:2] == key:
            raise failed[2]
        begin = time.perf_counter()
        try:
            vector = self._embed(model, text)
            self._last = (*key, vector)
            return vector
        except Exception as error:
            self._failed = (*key, error)
            raise
        finally:
            self.seconds += time.perf_counter() - begin
