"""Filling in vectors behind the keyword rows: in batches, so that it can end anywhere.

What is stored is never done again, nor is a text that stood in another chunk before. Where the
embedder does not work keyword search goes on, and the next fill goes on where this one ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence

from datasheet_lsp.engine.embedder import BlockingEmbedder, Interrupted
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.index import Index, StoredDocument
from datasheet_lsp.index.vectors import Unvectored, VectorSet, VectorStore
from datasheet_lsp.indexing.events import VectorsFinished, VectorsProgress

BATCH = 128
"""Chunks that are embedded and stored at once."""


VectorEvent = VectorsProgress | VectorsFinished

__all__ = ["VectorEvent", "VectorsFinished", "VectorsProgress", "fill_vectors", "in_order"]


class _Stop(Exception):
    """It cannot go on; the text says why."""


def fill_vectors(
    index: Index,
    embedder: BlockingEmbedder,
    on_event: Callable[[VectorEvent], None] = lambda event: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    devices: Collection[str] = (),
) -> VectorsFinished:
    """Give each chunk of the index its vector; those of ``devices``, which are in use, go first.

    Another model than before makes a new set: the old one serves until the new one is whole.
    Never raises for the sake of the embedder or of the file. The embedder is not started where
    nothing is missing.
    """
    fill = _Fill(index, embedder, on_event, cancelled)
    was_cancelled = False
    stopped = ""
    try:
        fill.go(devices)
    except Interrupted:
        was_cancelled = True
    except (_Stop, EngineError) as error:
        stopped = str(error)
    finished = fill.finished(was_cancelled, stopped)
    on_event(finished)
    return finished


class _Fill:
    """One fill."""

    def __init__(
        self,
        index: Index,
        embedder: BlockingEmbedder,
        on_event: Callable[[VectorEvent], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self.index = index
        self.store = VectorStore(index)
        self.embedder = embedder
        self.tell = on_event
        self.cancelled = cancelled
        self.begin = time.monotonic()
        self.working = 0.0
        self.embedded = 0
        self.linked = 0
        self.done = 0
        self.of = 0

    def go(self, devices: Collection[str]) -> None:
        """Raises Interrupted, _Stop or EngineError where it ends before its time."""
        model = self.embedder.model
        which = self.store.open_set(model.key, model.name, model.path, model.dimension)
        if which is None:
            raise _Stop(self._why())
        self.done, self.of = self.store.count(which)
        if self.done < self.of:
            self.tell(VectorsProgress(self.done, self.of, 0.0))
            for document in in_order(self.index.documents(), devices):
                self._document(which, document.id)
            self.done, self.of = self.store.count(which)
        if self.done >= self.of and self.of and not self.store.finish(which):
            raise _Stop(self._why())

    def finished(self, was_cancelled: bool, stopped: str) -> VectorsFinished:
        """What came of it."""
        return VectorsFinished(
            done=self.done,
            of=self.of,
            embedded=self.embedded,
            linked=self.linked,
            seconds=round(time.monotonic() - self.begin, 3),
            cancelled=was_cancelled,
            stopped=stopped,
        )

    def _document(self, which: VectorSet, document: int) -> None:
        before: list[int] = []
        while chunks := self.store.missing(which, document, BATCH):
            if self.cancelled():
                raise Interrupted
            now = [each.chunk for each in chunks]
            if now == before:
                raise _Stop(self._why())
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
            raise _Stop(self._why())
        self.working += time.monotonic() - begin if new else 0.0
        self.embedded += len(new)
        self.linked += len(chunks) - len(new)
        self.done += len(chunks)
        rate = self.embedded / self.working if self.working else 0.0
        self.tell(VectorsProgress(self.done, max(self.of, self.done), round(rate, 2)))

    def _why(self) -> str:
        return self.store.problem or self.index.problem or "The index takes no vectors."


def in_order(documents: Sequence[StoredDocument], devices: Collection[str]) -> list[StoredDocument]:
    """The documents of the devices in use first, of each part the small ones first."""

    def place(document: StoredDocument) -> tuple[bool, int, int]:
        in_use = any(each.device in devices for each in document.devices)
        return not in_use, document.chunks, document.id

    return sorted(documents, key=place)
