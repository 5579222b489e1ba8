"""The indexer process as its parent sees it, for a server with an asyncio loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar

from datasheet_lsp import wire
from datasheet_lsp.indexing import frames
from datasheet_lsp.indexing.events import Event, ProblemFound, RunFinished
from datasheet_lsp.indexing.job import Job
from datasheet_lsp.wire import parent

CANCEL_SECONDS = 3.0
"""How long a cancelled run may take to end by itself."""


class Indexer:
    """One run in a child process.

    ``run`` may be cancelled like any coroutine, and ``cancel`` ends it in good order. Either way
    what was finished stays in the index. The child ends with this process, however that ends.
    """

    command: ClassVar[Sequence[str]] = ("-P", "-m", "datasheet_lsp.indexing.child")

    def __init__(self, job: Job, on_event: Callable[[Event], None]) -> None:
        self._job = job
        self._on_event = on_event
        self._process: asyncio.subprocess.Process | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    async def run(self) -> RunFinished:
        """Run the job to its end, giving each event to ``on_event``; the last one is returned."""
        process = await parent.spawn(self.command)
        self._process = process
        try:
            await self._send(frames.Start(self._job))
            finished = await self._events()
            await process.wait()
        finally:
            if self._timer is not None:
                self._timer.cancel()
            self.kill()
        if finished is None and self._timer is not None:
            # It was ended for taking too long to end by itself, as was wanted.
            finished = RunFinished(cancelled=True)
            self._on_event(finished)
        elif finished is None:
            why = "The indexing process ended by itself; what it finished is in the index."
            self._on_event(ProblemFound("", why))
            finished = RunFinished(stopped=why)
            self._on_event(finished)
        return finished

    async def cancel(self) -> None:
        """Ask the run to end; after a few seconds it is ended."""
        if self.pid is None:
            return
        await self._send(frames.Cancel())
        self._timer = asyncio.get_running_loop().call_later(CANCEL_SECONDS, self.kill)

    def kill(self) -> None:
        """End the child at once, if it runs; nothing finished is lost by that."""
        if self._process is not None:
            parent.kill(self._process)

    async def _send(self, message: frames.Start | frames.Cancel) -> None:
        assert self._process is not None
        await parent.send(self._process, message)

    async def _events(self) -> RunFinished | None:
        assert self._process is not None and self._process.stdout is not None
        while (data := await wire.receive(self._process.stdout)) is not None:
            event = frames.decode_event(data)
            self._on_event(event)
            if isinstance(event, RunFinished):
                return event
        return None
