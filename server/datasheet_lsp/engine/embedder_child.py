"""The embedder process: ``python -m datasheet_lsp.engine.embedder_child``.

It takes its orders from its standard input and answers on what was its standard output; what a
library prints goes nowhere. When its input closes it ends at once.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from typing import BinaryIO

from datasheet_lsp import wire
from datasheet_lsp.engine import frames
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.loading import BATCH, Encoder, load, offline
from datasheet_lsp.engine.models import EmbedModel


class Job:
    """Texts in work, longest first, so that those of one length go through together."""

    def __init__(self, order: frames.Embed) -> None:
        self.order = order
        self.left = sorted(range(len(order.texts)), key=lambda i: -len(order.texts[i]))
        self.done: dict[int, bytes] = {}

    def step(self, encoder: Encoder, model: EmbedModel) -> None:
        """Embed the next few."""
        now, self.left = self.left[:BATCH], self.left[BATCH:]
        prefix = model.prefixes[0 if self.order.kind == "query" else 1]
        data = encoder.encode([prefix + self.order.texts[i] for i in now])
        size = encoder.dimension * 4
        for place, i in enumerate(now):
            self.done[i] = data[place * size : (place + 1) * size]

    def vectors(self) -> bytes:
        """All of them in the order of the texts."""
        return b"".join(self.done[i] for i in range(len(self.order.texts)))


class Orders:
    """What is to be done, as the listening thread hears of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._changed = threading.Condition()
        self._queries: deque[Job] = deque()
        self._documents: deque[Job] = deque()
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
                if isinstance(order, frames.Embed):
                    jobs = self._queries if order.kind == "query" else self._documents
                    jobs.append(Job(order))
                elif isinstance(order, frames.Cancel):
                    self._cancelled.add(order.id)
                self._changed.notify()

    def next(self) -> Job:
        """The job to go on with: a query before documents. Waits until there is one."""
        with self._changed:
            while True:
                for jobs in (self._queries, self._documents):
                    while jobs and jobs[0].order.id in self._cancelled:
                        self._cancelled.discard(jobs.popleft().order.id)
                    if jobs:
                        return jobs[0]
                self._cancelled.clear()
                self._changed.wait()

    def finished(self, job: Job) -> None:
        """The job is done."""
        with self._changed:
            for jobs in (self._queries, self._documents):
                if job in jobs:
                    jobs.remove(job)


def main() -> None:
    """Load the model and do what is asked until the input closes."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    source = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    os.dup2(nowhere, sys.stdin.fileno())

    def send(reply: frames.Reply) -> None:
        try:
            stream.write(wire.encode(reply))
            stream.flush()
        except OSError:
            os._exit(0)

    first = frames.read_order(source)
    if not isinstance(first, frames.Load):
        os._exit(0)
    orders = Orders(source)
    threading.Thread(target=orders.listen, daemon=True).start()
    offline()
    begin = time.monotonic()
    try:
        encoder = load(first.model, first.threads)
        if encoder.dimension != first.model.dimension:
            raise EngineError(
                f"{first.model.name} makes vectors of {encoder.dimension} dimensions, not of "
                f"{first.model.dimension} as its config says."
            )
    except EngineError as error:
        send(frames.Failed(0, str(error)))
        os._exit(1)
    seconds = time.monotonic() - begin
    send(frames.Loaded(encoder.dimension, encoder.max_tokens, seconds, memory()))
    while True:
        job = orders.next()
        try:
            if job.left:
                job.step(encoder, first.model)
            if not job.left:
                orders.finished(job)
                send(frames.Embedded(job.order.id, job.vectors(), memory()))
        except Exception as error:
            orders.finished(job)
            why = " ".join(str(error).split())[:300]
            send(frames.Failed(job.order.id, f"{type(error).__name__}: {why}"))


def memory() -> int:
    """The most memory this process has had so far, in bytes; 0 where that is not told."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


if __name__ == "__main__":
    main()
