"""One run of the language model's process, as its parent sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import ClassVar

from datasheet_lsp import wire
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import frames
from datasheet_lsp.engine.run import Died, Run
from datasheet_lsp.wire import parent

CANCEL_SECONDS = 5.0
"""How long it may take to give up what is cancelled; then it is killed."""


Answer = frames.Reading | frames.Token | frames.Finished | frames.Counted


class Process(Run[frames.Loaded]):
    """A child process with its model."""

    end_seconds: ClassVar[float] = 1.0

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._waiting: dict[int, asyncio.Queue[frames.Reply | Died]] = {}
        self._cancelled: dict[int, asyncio.TimerHandle] = {}
        super().__init__(process, frames.Loaded, frames.decode_reply)

    @classmethod
    async def start(cls, command: Sequence[str], load: frames.Load) -> Process:
        """Start it; it begins to load at once."""
        process = await parent.spawn(command)
        await parent.send(process, load)
        return cls(process)

    async def ask(
        self, order: frames.Generate | frames.Count | frames.Measure, seconds: float
    ) -> AsyncGenerator[Answer, None]:
        """The replies to an order up to the last. Left early, the order is cancelled.

        Raises:
            Died: the process ended.
            TimeoutError: it took longer than so many seconds (0: there is no limit).
            EngineError: it could not do it.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        replies: asyncio.Queue[frames.Reply | Died] = asyncio.Queue()
        self._waiting[order.id] = replies
        done = False
        try:
            await self.send(order)
            while not done:
                left = max(end - loop.time(), 0.0) if seconds else None
                reply = await asyncio.wait_for(replies.get(), left)
                done = not isinstance(reply, frames.Token | frames.Reading)
                if isinstance(reply, Died):
                    raise reply
                if isinstance(reply, frames.Failed):
                    raise EngineError(reply.message)
                if not isinstance(reply, frames.Loaded):
                    yield reply
        finally:
            self._waiting.pop(order.id, None)
            if not done and self.alive:
                self._cancel(order.id)

    def take(self, reply: Answer | frames.Failed) -> None:  # type: ignore[override]
        """A reply to what is in work."""
        if isinstance(reply, frames.Finished):
            self.memory = max(self.memory, reply.memory)
        going_on = isinstance(reply, frames.Token | frames.Reading)
        if not going_on and reply.id in self._cancelled:
            self._cancelled.pop(reply.id).cancel()
        waiting = self._waiting.get(reply.id)
        if waiting is not None:
            waiting.put_nowait(reply)

    def lost(self, died: Died) -> None:
        """All who wait are told."""
        for timer in self._cancelled.values():
            timer.cancel()
        for waiting in self._waiting.values():
            waiting.put_nowait(died)

    def _cancel(self, number: int) -> None:
        stdin = self.process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(wire.encode(frames.Cancel(number)))
            loop = asyncio.get_running_loop()
            self._cancelled[number] = loop.call_later(CANCEL_SECONDS, self.kill)
