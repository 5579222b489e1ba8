"""The process of an embedder or reranker as its parent sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, ClassVar, Generic, Self, TypeVar

from datasheet_lsp import wire
from datasheet_lsp.engine import frames
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.lifetime import Lifetime
from datasheet_lsp.engine.run import Died, Run
from datasheet_lsp.engine.threaded import Interrupted, LoopThread
from datasheet_lsp.wire import parent

T = TypeVar("T")


class Child(Run[frames.Loaded]):
    """One run of the child process; ``what`` is said of an order that it could not do."""

    end_seconds: ClassVar[float] = 3.0

    def __init__(self, process: asyncio.subprocess.Process, what: str) -> None:
        self._what = what
        self._waiting: dict[int, asyncio.Future[frames.Answer]] = {}
        super().__init__(process, frames.Loaded, frames.decode_reply)

    async def ask(self, order: Callable[[int], frames.Order]) -> frames.Answer:
        """The answer to the order that is made for a number.

        Raises Died, or EngineError where the child could not do it.
        """
        number = self.number()
        answer: asyncio.Future[frames.Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await self.send(order(number))
            return await answer
        except asyncio.CancelledError:
            if self.alive and self.process.stdin is not None:
                self.process.stdin.write(wire.encode(frames.Cancel(number)))
            raise
        finally:
            self._waiting.pop(number, None)

    def take(self, reply: frames.Answer | frames.Failed) -> None:  # type: ignore[override]
        """An answer, or why there is none."""
        waiting = self._waiting.get(reply.id)
        if not isinstance(reply, frames.Failed):
            self.memory = max(self.memory, reply.memory)
            if waiting is not None and not waiting.done():
                waiting.set_result(reply)
        elif waiting is not None and not waiting.done():
            waiting.set_exception(EngineError(f"{self._what} ({reply.message})."))

    def lost(self, died: Died) -> None:
        """All who wait are told."""
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(died)


class ModelProcess(Lifetime[Child, frames.Loaded]):
    """A model in a child process; what crashed it is asked once more."""

    start_seconds: ClassVar[float] = 180.0
    command: ClassVar[Sequence[str]] = ("-P", "-m", "datasheet_lsp.engine.embedder_child")
    role: ClassVar[str]
    without: ClassVar[str]
    """What happens where it does not work."""
    failure: ClassVar[str]

    def __init__(self, model: frames.Model, *, threads: int = 0, idle_seconds: float = 600) -> None:
        super().__init__(idle_seconds)
        self.model = model
        self._threads = threads

    async def ask(self, order: Callable[[int], frames.Order]) -> frames.Answer:
        """The child's answer to the order that is made for a number. May be cancelled.

        Raises:
            EngineError: it does not work; the text says why.
        """
        self._begin()
        try:
            while True:
                child = await self._ready()
                try:
                    answer = await child.ask(order)
                except Died as died:
                    self._crashed(child, died)
                    continue
                self._crashes = 0
                return answer
        finally:
            self._end()

    async def _started(self) -> Child:
        process = await parent.spawn(self.command)
        await parent.send(process, frames.Load(self.model, self._threads))
        return Child(process, self.failure)

    def _too_slow(self) -> str:
        seconds = f"{self.start_seconds:.0f} seconds"
        return f"{self.model.name} was not loaded after {seconds}: {self.without}."

    def _too_often(self, died: Died) -> str:
        return (
            f"The {self.role} with {self.model.name} ended by itself twice ({died}): "
            f"{self.without}; datasheet-lsp models check may tell more."
        )


P = TypeVar("P", bound=ModelProcess)


class Blocking(Generic[P]):
    """A model's process for code without an asyncio loop; a context manager.

    ``process`` lives in the loop of a thread.
    """

    def __init__(self) -> None:
        self._thread = LoopThread()
        self.process = self.do(self._made())

    async def _made(self) -> P:
        raise NotImplementedError

    def start(self) -> frames.Loaded:
        """As ``ModelProcess.start``."""
        return self.do(self.process.start())

    def close(self) -> None:
        """End the child and the thread."""
        if self._thread.open:
            self.do(self.process.close())
            self._thread.close()

    def do(self, work: Coroutine[Any, Any, T], cancelled: Callable[[], bool] | None = None) -> T:
        """What ``work`` gives; raises Interrupted soon after ``cancelled`` says so."""
        return self._thread.do(work, cancelled)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


__all__ = ["Blocking", "Child", "Died", "Interrupted", "ModelProcess"]
