"""The process of an embedder or reranker: ``python -m datasheet_lsp.engine.embedder_child``.

It takes its orders from its standard input and answers on what was its standard output; what a
library prints goes nowhere. When its input closes it ends at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import BinaryIO, Protocol

from datasheet_lsp.engine import frames
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.loading import BATCH, CrossEncoder, Encoder, load, load_reranker, offline
from datasheet_lsp.engine.models import EmbedModel, RerankModel
from datasheet_lsp.engine.parts import parts_of
from datasheet_lsp.wire.child import memory, sender, take_over


class Job(Protocol):
    """An order in work."""

    id: int

    def step(self) -> frames.Answer | None:
        """Do the next few texts; the answer where they were the last."""
        ...


class EmbedJob:
    """Texts in work, longest first, so that those of one length go through together."""

    def __init__(self, order: frames.Embed, encoder: Encoder, model: EmbedModel) -> None:
        self.id = order.id
        self.encoder = encoder
        prefix = model.prefixes[0 if order.kind == "query" else 1]
        texts: list[list[str]] = [[text] for text in order.texts]
        if order.kind == "document":
            room = encoder.max_tokens - (len(encoder.tokens(prefix)) if prefix else 0)
            heads = order.heads or [0] * len(order.texts)
            texts = [
                parts_of(text, head, room, encoder.tokens)
                for text, head in zip(order.texts, heads, strict=True)
            ]
        self.parts = [len(parts) for parts in texts]
        self.texts = [prefix + part for parts in texts for part in parts]
        self.left = sorted(range(len(self.texts)), key=lambda i: -len(self.texts[i]))
        self.done: dict[int, bytes] = {}

    def step(self) -> frames.Answer | None:
        """Embed the next few."""
        now, self.left = self.left[:BATCH], self.left[BATCH:]
        if now:
            data = self.encoder.encode([self.texts[i] for i in now])
            size = self.encoder.dimension * 4
            for place, i in enumerate(now):
                self.done[i] = data[place * size : (place + 1) * size]
        if self.left:
            return None
        vectors = b"".join(self.done[i] for i in range(len(self.texts)))
        return frames.Embedded(self.id, vectors, memory(), self.parts)


class RankJob:
    """Passages in work."""

    def __init__(self, order: frames.Rank, encoder: CrossEncoder) -> None:
        self.id = order.id
        self.order = order
        self.encoder = encoder
        self.done = b""

    def step(self) -> frames.Answer | None:
        """Score the next few."""
        first = len(self.done) // 4
        texts = self.order.texts[first : first + BATCH]
        if texts:
            self.done += self.encoder.score(self.order.query, texts)
        if len(self.done) < 4 * len(self.order.texts):
            return None
        return frames.Ranked(self.id, self.done, memory())


class Orders:
    """What is to be done, as the listening thread hears of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._changed = threading.Condition()
        self._queries: deque[frames.Embed | frames.Rank] = deque()
        self._documents: deque[frames.Embed | frames.Rank] = deque()
        self._cancelled: set[int] = set()

    def listen(self) -> None:
        """Take orders until the input closes, then end the process."""
        while True:
            try:
                order = frames.read_order(self._stream)
            except Exception:
                order = None
            if order is None:
                os._exit(0)
            with self._changed:
                if isinstance(order, frames.Embed) and order.kind == "document":
                    self._documents.append(order)
                elif isinstance(order, frames.Embed | frames.Rank):
                    self._queries.append(order)
                elif isinstance(order, frames.Cancel):
                    self._cancelled.add(order.id)
                self._changed.notify()

    def next(self) -> frames.Embed | frames.Rank:
        """The order to go on with: a query before documents. Waits until there is one."""
        with self._changed:
            while True:
                for orders in (self._queries, self._documents):
                    while orders and orders[0].id in self._cancelled:
                        self._cancelled.discard(orders.popleft().id)
                    if orders:
                        return orders[0]
                self._cancelled.clear()
                self._changed.wait()

    def finished(self, order: frames.Embed | frames.Rank) -> None:
        """The order is done."""
        with self._changed:
            for orders in (self._queries, self._documents):
                if order in orders:
                    orders.remove(order)


def main() -> None:
    """Load the model and do what is asked until the input closes."""
    source, stream = take_over()

    send = sender(stream)
    first = frames.read_order(source)
    if not isinstance(first, frames.Load):
        os._exit(0)
    orders = Orders(source)
    threading.Thread(target=orders.listen, daemon=True).start()
    offline()
    begin = time.monotonic()
    try:
        jobs = ready(first)
    except EngineError as error:
        send(frames.Failed(0, str(error)))
        os._exit(1)
    send(frames.Loaded(jobs.dimension, jobs.max_tokens, time.monotonic() - begin, memory()))
    while True:
        order = orders.next()
        answer: frames.Answer | frames.Failed | None
        try:
            answer = jobs.step(order)
        except Exception as error:
            why = " ".join(str(error).split())[:300]
            answer = frames.Failed(order.id, f"{type(error).__name__}: {why}")
        if answer is not None:
            orders.finished(order)
            send(answer)


class Jobs:
    """The orders in work. ``make`` makes a job of one."""

    def __init__(
        self, dimension: int, max_tokens: int, make: Callable[[frames.Embed | frames.Rank], Job]
    ) -> None:
        self.dimension = dimension
        self.max_tokens = max_tokens
        self._make = make
        self._begun: dict[int, Job] = {}

    def step(self, order: frames.Embed | frames.Rank) -> frames.Answer | None:
        """Do a part of the order; its answer where that was the last one. Raises anything."""
        job = self._begun.pop(order.id, None) or self._make(order)
        answer = job.step()
        if answer is None:
            self._begun[order.id] = job
        return answer


def ready(first: frames.Load) -> Jobs:
    """The model loaded. Raises EngineError."""
    model = first.model
    if isinstance(model, RerankModel):
        cross = load_reranker(model, first.threads)

        def rank(order: frames.Embed | frames.Rank) -> Job:
            if not isinstance(order, frames.Rank):
                raise ValueError(f"{model.name} makes no vectors")
            return RankJob(order, cross)

        return Jobs(1, cross.max_tokens, rank)
    encoder = load(model, first.threads)
    if encoder.dimension != model.dimension:
        raise EngineError(
            f"{model.name} makes vectors of {encoder.dimension} dimensions, not of "
            f"{model.dimension} as its config says."
        )

    def embed(order: frames.Embed | frames.Rank) -> Job:
        if not isinstance(order, frames.Embed):
            raise ValueError(f"{model.name} is no reranker")
        return EmbedJob(order, encoder, model)

    return Jobs(encoder.dimension, encoder.max_tokens, embed)


if __name__ == "__main__":
    main()
