"""A model in a child process: started when needed, ended when idle, survived when it crashes."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, ClassVar, Generic, Self, TypeVar

from datasheet_lsp import wire
from datasheet_lsp.engine import frames
from datasheet_lsp.engine.errors import EngineError

T = TypeVar("T")

START_SECONDS = 180.0
"""How long a model may take to load."""

END_SECONDS = 3.0
"""How long the child may take to end by itself."""

MOST_CRASHES = 2
"""After so many in a row it is given up."""


class Died(Exception):
    """The child ended by itself; the text says how."""


class Child:
    """One run of the child process; ``what`` is said of an order that it could not do."""

    def __init__(self, process: asyncio.subprocess.Process, what: str) -> None:
        self._what = what
        loop = asyncio.get_running_loop()
        self.process = process
        self.loaded: asyncio.Future[frames.Loaded] = loop.create_future()
        self.memory = 0
        self._waiting: dict[int, asyncio.Future[frames.Answer]] = {}
        self._numbers = itertools.count(1)
        self._reading = asyncio.create_task(self._read())

    @property
    def alive(self) -> bool:
        """Whether it still runs and answers."""
        return self.process.returncode is None and not self._reading.done()

    async def send(self, order: frames.Order) -> None:
        """Hand over an order; nothing happens where it has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(wire.encode(order))
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has ended: the reading task tells

    async def ask(self, order: Callable[[int], frames.Order]) -> frames.Answer:
        """The answer to the order that is made for a number.

        Raises Died, or EngineError where the child could not do it.
        """
        number = next(self._numbers)
        answer: asyncio.Future[frames.Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            if self._reading.done():
                raise Died(self._how())
            await self.send(order(number))
            return await answer
        except asyncio.CancelledError:
            if self.alive and self.process.stdin is not None:
                self.process.stdin.write(wire.encode(frames.Cancel(number)))
            raise
        finally:
            self._waiting.pop(number, None)

    async def end(self) -> None:
        """Close its input and wait for its end; it is killed where it does not end soon."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), END_SECONDS)
        except TimeoutError:
            self.kill()
            await self.process.wait()
        await asyncio.gather(self._reading, return_exceptions=True)

    def kill(self) -> None:
        """End it at once."""
        if self.process.returncode is None:
            try:
                self.process.kill()
            except ProcessLookupError:
                pass

    async def _read(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        try:
            while (data := await wire.receive(stream)) is not None:
                self._take(frames.decode_reply(data))
        except OSError:
            pass
        except Exception:
            self.kill()  # what it says is no reply
        await self.process.wait()
        died = Died(self._how())
        if not self.loaded.done():
            self.loaded.set_exception(died)
        if not self.loaded.cancelled():
            self.loaded.exception()  # looked at, so that asyncio does not speak of it
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(died)

    def _take(self, reply: frames.Reply) -> None:
        if isinstance(reply, frames.Loaded):
            self.memory = reply.memory
            if not self.loaded.done():
                self.loaded.set_result(reply)
            return
        if isinstance(reply, frames.Failed) and reply.id == 0:
            if not self.loaded.done():
                self.loaded.set_exception(EngineError(reply.message))
            return
        waiting = self._waiting.get(reply.id)
        if not isinstance(reply, frames.Failed):
            self.memory = max(self.memory, reply.memory)
            if waiting is not None and not waiting.done():
                waiting.set_result(reply)
        elif waiting is not None and not waiting.done():
            waiting.set_exception(EngineError(f"{self._what} ({reply.message})."))

    def _how(self) -> str:
        code = self.process.returncode
        if code is not None and code < 0:
            return f"signal {-code}"
        return f"exit code {code}"


class ModelProcess:
    """A model in a child process, for use within one asyncio loop.

    The child is started when it is first needed and ended ``idle_seconds`` after the last request
    (0: never). One that crashes is started once more and asked again; after the second crash, or
    where the model cannot be loaded, each request fails at once with the reason, until ``retry``.
    """

    command: ClassVar[Sequence[str]] = ("-P", "-m", "datasheet_lsp.engine.embedder_child")
    role: ClassVar[str]
    without: ClassVar[str]
    """What happens where it does not work."""
    failure: ClassVar[str]

    def __init__(self, model: frames.Model, *, threads: int = 0, idle_seconds: float = 600) -> None:
        self.model = model
        self._threads = threads
        self._idle_seconds = idle_seconds
        self._child: Child | None = None
        self._lock = asyncio.Lock()
        self._busy = 0
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._crashes = 0
        self._given_up = ""

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        child = self._child
        return child.process.pid if child is not None and child.alive else None

    @property
    def memory(self) -> int:
        """The most memory the child has had, in bytes; 0 while there is none."""
        return self._child.memory if self._child is not None else 0

    @property
    def given_up(self) -> str:
        """Why it does not work any more, "" where it does."""
        return self._given_up

    def retry(self) -> None:
        """Let the next request try anew."""
        self._crashes = 0
        self._given_up = ""

    async def start(self) -> frames.Loaded:
        """Start the child, if it does not run; what it says of the model. Raises EngineError."""
        self._begin()
        try:
            return await (await self._ready()).loaded
        finally:
            self._end()

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

    def kill(self) -> None:
        """End the child at once, without waiting for it."""
        if self._child is not None:
            self._child.kill()

    async def close(self) -> None:
        """End the child. A later request starts another one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        child, self._child = self._child, None
        if child is not None:
            await child.end()
        if self._ending:
            await asyncio.gather(*self._ending, return_exceptions=True)

    async def _ready(self) -> Child:
        """A child with its model loaded. Raises EngineError."""
        async with self._lock:
            while True:
                if self._given_up:
                    raise EngineError(self._given_up)
                child = self._child
                if child is None or not child.alive:
                    child = self._child = await self._start()
                try:
                    await asyncio.wait_for(asyncio.shield(child.loaded), START_SECONDS)
                    return child
                except Died as died:
                    self._crashed(child, died)
                except TimeoutError:
                    child.kill()
                    self._given_up = (
                        f"{self.model.name} was not loaded after {START_SECONDS:.0f} seconds: "
                        f"{self.without}."
                    )
                except EngineError as error:
                    self._given_up = str(error)

    async def _start(self) -> Child:
        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NO_WINDOW
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            **options,
        )
        child = Child(process, self.failure)
        await child.send(frames.Load(self.model, self._threads))
        return child

    def _crashed(self, child: Child, died: Died) -> None:
        """Count a crash, once for all who waited for the child."""
        if self._child is not child:
            return
        self._child = None
        self._crashes += 1
        if self._crashes >= MOST_CRASHES:
            self._given_up = (
                f"The {self.role} with {self.model.name} ended by itself twice ({died}): "
                f"{self.without}; datasheet-lsp models check may tell more."
            )

    def _begin(self) -> None:
        self._busy += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._busy -= 1
        if not self._busy and self._idle_seconds and self._child is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._idle_seconds, self._idle)

    def _idle(self) -> None:
        self._timer = None
        child, self._child = self._child, None
        if child is not None:
            task = asyncio.get_running_loop().create_task(child.end())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)


class Interrupted(Exception):
    """The caller did not want the answer any more."""


P = TypeVar("P", bound=ModelProcess)


class Blocking(Generic[P]):
    """A model's process for code without an asyncio loop; a context manager.

    ``process`` lives in the loop of a thread.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.process = self.do(self._made())

    async def _made(self) -> P:
        raise NotImplementedError

    def start(self) -> frames.Loaded:
        """As ``ModelProcess.start``."""
        return self.do(self.process.start())

    def close(self) -> None:
        """End the child and the thread."""
        if self._loop.is_closed():
            return
        self.do(self.process.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def do(self, work: Coroutine[Any, Any, T], cancelled: Callable[[], bool] | None = None) -> T:
        """What ``work`` gives; raises Interrupted soon after ``cancelled`` says so."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        if cancelled is None:
            return future.result()
        while True:
            try:
                return future.result(0.05)
            except TimeoutError:
                if future.done():
                    raise
                if cancelled():
                    future.cancel()
                    raise Interrupted from None
