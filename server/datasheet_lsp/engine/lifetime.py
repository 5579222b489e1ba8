"""When a model's process runs: started when needed, ended when idle, survived when it crashes."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Generic, TypeVar

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.run import Died, L, Run

MOST_CRASHES = 2
"""After so many in a row it is given up."""

R = TypeVar("R", bound=Run)  # type: ignore[type-arg]


class Lifetime(Generic[R, L]):
    """A process for use within one asyncio loop.

    It is started when it is first needed and ended ``idle_seconds`` after the last request (0:
    never). One that crashes is started once more; after the second crash in a row, or where the
    model cannot be loaded, each request fails at once with the reason, until ``retry``.
    """

    start_seconds: ClassVar[float]
    """How long the model may take to load."""

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._run: R | None = None
        self._starting = asyncio.Lock()
        self._busy = 0
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._crashes = 0
        self._given_up = ""

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        run = self._run
        return run.process.pid if run is not None and run.alive else None

    @property
    def memory(self) -> int:
        """The most memory the process has had, in bytes; 0 while there is none."""
        return self._run.memory if self._run is not None else 0

    @property
    def given_up(self) -> str:
        """Why it does not work any more, "" where it does."""
        return self._given_up

    def retry(self) -> None:
        """Let the next request try anew."""
        self._crashes = 0
        self._given_up = ""

    async def start(self) -> L:
        """Start the process, if it does not run; what it says of the model. Raises EngineError."""
        self._begin()
        try:
            loaded: L = await (await self._ready()).loaded
            return loaded
        finally:
            self._end()

    def kill(self) -> None:
        """End the process at once, without waiting for it; what is in work fails."""
        if self._run is not None:
            self._run.kill()

    async def close(self) -> None:
        """End the process, also amid work, which fails. A later request starts another one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        run, self._run = self._run, None
        if run is not None:
            await run.end()
        if self._ending:
            await asyncio.gather(*self._ending, return_exceptions=True)

    async def _started(self) -> R:
        """A new process that loads its model. Raises EngineError."""
        raise NotImplementedError

    def _too_slow(self) -> str:
        """What is said where the model was not loaded in time."""
        raise NotImplementedError

    def _too_often(self, died: Died) -> str:
        """What is said where the process has crashed too often."""
        raise NotImplementedError

    async def _ready(self) -> R:
        """A process with its model loaded. Raises EngineError."""
        async with self._starting:
            while True:
                if self._given_up:
                    raise EngineError(self._given_up)
                run = self._run
                if run is None or not run.alive:
                    run = self._run = await self._started()
                try:
                    await asyncio.wait_for(asyncio.shield(run.loaded), self.start_seconds)
                    return run
                except Died as died:
                    self._crashed(run, died)
                except TimeoutError:
                    run.kill()
                    self._given_up = self._too_slow()
                except EngineError as error:
                    self._given_up = str(error)

    def _crashed(self, run: R, died: Died) -> None:
        """Count a crash, once for all who waited for the process."""
        if self._run is not run:
            return
        self._run = None
        self._crashes += 1
        if self._crashes >= MOST_CRASHES:
            self._given_up = self._too_often(died)

    def _begin(self) -> None:
        self._busy += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._busy -= 1
        if not self._busy and self._idle_seconds and self._run is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._idle_seconds, self._idle)

    def _idle(self) -> None:
        self._timer = None
        run, self._run = self._run, None
        if run is not None:
            task = asyncio.get_running_loop().create_task(run.end())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
