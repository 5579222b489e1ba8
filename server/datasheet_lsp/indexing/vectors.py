"""Filling in vectors behind the keyword rows: in batches, so that it can end anywhere.

What is stored is never done again, nor is a text that stood in another chunk before. Where the
embedder does not work keyword search goes on, and the next fill goes on where this one ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence

from datasheet_lsp.engine.embedder import BlockingEmbedder, Interrupted
from datasheet_lsp.index import Index
from datasheet_lsp.index.phrases import PhraseVectors
from datasheet_lsp.index.vectors import Unvectored, VectorSet, VectorStore
from datasheet_lsp.indexing.events import VectorsFinished, VectorsProgress
from datasheet_lsp.indexing.fill import Fill, Stop, in_order

BATCH = 128
"""Chunks that are embedded and stored at once."""

WORTH = 300
"""An index with fewer chunks is not worth the vectors of phrases."""


VectorEvent = VectorsProgress | VectorsFinished

__all__ = ["VectorEvent", "VectorsFinished", "VectorsProgress", "fill_vectors"]


def fill_vectors(
    index: Index,
    embedder: BlockingEmbedder,
    on_event: Callable[[VectorEvent], None] = lambda event: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    devices: Collection[str] = (),
    phrases: Collection[str] = (),
) -> VectorsFinished:
    """Give each chunk of the index its vector; those of ``devices``, which are in use, go first.

    At the end those of ``phrases`` that have none yet get one too, as questions, if the index is
    not so small that this would take longer than all the rest.

    Another model than before makes a new set: the old one serves until the new one is whole.
    Never raises for the sake of the embedder or of the file. The embedder is not started where
    nothing is missing.
    """
    fill = _Fill(index, embedder, on_event, cancelled, phrases)
    outcome = fill.run(devices)
    finished = VectorsFinished(embedded=fill.embedded, **outcome)
    on_event(finished)
    return finished


class _Fill(Fill):
    """One fill."""

    def __init__(
        self,
        index: Index,
        embedder: BlockingEmbedder,
        on_event: Callable[[VectorEvent], None],
        cancelled: Callable[[], bool],
        phrases: Collection[str],
    ) -> None:
        super().__init__(cancelled)
        self.phrases = phrases
        self.index = index
        self.store = VectorStore(index)
        self.embedder = embedder
        self.tell = on_event
        self.embedded = 0

    def go(self, devices: Collection[str]) -> None:
        """Raises Interrupted, Stop or EngineError where it ends before its time."""
        model = self.embedder.model
        which = self.store.open_set(model.key, model.name, model.path, model.dimension)
        if which is None:
            raise Stop(self._why())
        self.done, self.of = self.store.count(which)
        if self.done < self.of:
            self.tell(VectorsProgress(self.done, self.of, 0.0))
            for document in in_order(self.index.documents(), devices):
                self._document(which, document.id)
            self.done, self.of = self.store.count(which)
        if self.done >= self.of and self.of and not self.store.finish(which):
            raise Stop(self._why())
        if self.of >= WORTH:
            self._phrases(which)

    def _phrases(self, which: VectorSet) -> None:
        store = PhraseVectors(self.store)
        missing = store.missing(which, list(self.phrases))
        if not missing:
            return
        store.keep(which, frozenset(self.phrases))
        for at in range(0, len(missing), BATCH):
            if self.cancelled():
                raise Interrupted
            batch = missing[at : at + BATCH]
            made = self.embedder.embed(batch, "query", self.cancelled)
            if not store.put(which, dict(zip(batch, made, strict=True))):
                raise Stop(self._why())
            self.tell(VectorsProgress(self.done, self.of, round(self.rate(self.embedded), 2)))

    def _document(self, which: VectorSet, document: int) -> None:
        before: list[int] = []
        while chunks := self.store.missing(which, document, BATCH):
            if self.cancelled():
                raise Interrupted
            now = [each.chunk for each in chunks]
            if now == before:
                raise Stop(self._why())
            before = now
            self._batch(which, chunks)

    def _batch(self, which: VectorSet, chunks: Sequence[Unvectored]) -> None:
        texts = {each.hash: each for each in chunks}
        known = self.store.known(which, list(texts))
        new = [key for key in texts if key not in known]
        begin = time.monotonic()
        made = self.embedder.embed(
            [texts[key].text for key in new],
            "document",
            self.cancelled,
            [texts[key].head for key in new],
        )
        if not self.store.put(which, chunks, dict(zip(new, made, strict=True))):
            raise Stop(self._why())
        self.working += time.monotonic() - begin if new else 0.0
        self.embedded += len(new)
        self.linked += len(chunks) - len(new)
        self.done += len(chunks)
        rate = round(self.rate(self.embedded), 2)
        self.tell(VectorsProgress(self.done, max(self.of, self.done), rate))

    def _why(self) -> str:
        return self.store.problem or self.index.problem or "The index takes no vectors."
