"""One run of the language model's process, as its parent sees it."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from datasheet_lsp import wire
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import frames

END_SECONDS = 1.0
"""How long the process may take to end by itself; then it is killed."""

CANCEL_SECONDS = 5.0
"""How long it may take to give up what is cancelled; then it is killed."""


Answer = frames.Reading | frames.Token | frames.Finished | frames.Counted


class Died(Exception):
    """The process ended by itself; the text says how."""


class Process:
    """A child process with its model. ``loaded`` is set when it is ready."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        self.process = process
        self.loaded: asyncio.Future[frames.Loaded] = loop.create_future()
        self.memory = 0
        self._waiting: dict[int, asyncio.Queue[frames.Reply | Died]] = {}
        self._numbers = itertools.count(1)
        self._cancelled: dict[int, asyncio.TimerHandle] = {}
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], load: frames.Load) -> Process:
        """Start it; it begins to load at once."""
        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NO_WINDOW
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            **options,
        )
        made = cls(process)
        await made._send(load)
        return made

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self.process.returncode is None and not self._reading.done()

    def number(self) -> int:
        """A number for the next order."""
        return next(self._numbers)

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
            if self._reading.done():
                raise Died(self._how())
            await self._send(order)
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

    def _cancel(self, number: int) -> None:
        stdin = self.process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(wire.encode(frames.Cancel(number)))
            loop = asyncio.get_running_loop()
            self._cancelled[number] = loop.call_later(CANCEL_SECONDS, self.kill)

    async def _send(self, order: frames.Order) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(wire.encode(order))
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has ended: the reading task tells

    async def _read(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        lied = False
        try:
            while (data := await wire.receive(stream)) is not None:
                self._take(frames.decode_reply(data))
        except OSError:
            pass
        except Exception:  # what it says is no reply
            lied = True
            self.kill()
        await self.process.wait()
        died = Died("it said what is no reply" if lied else self._how())
        for timer in self._cancelled.values():
            timer.cancel()
        if not self.loaded.done():
            self.loaded.set_exception(died)
        if not self.loaded.cancelled():
            self.loaded.exception()  # looked at, so that asyncio does not speak of it
        for waiting in self._waiting.values():
            waiting.put_nowait(died)

    def _take(self, reply: frames.Reply) -> None:
        if isinstance(reply, frames.Loaded):
            self.memory = max(self.memory, reply.memory)
            if not self.loaded.done():
                self.loaded.set_result(reply)
            return
        if isinstance(reply, frames.Failed) and reply.id == 0:
            if not self.loaded.done():
                self.loaded.set_exception(EngineError(reply.message))
            return
        if isinstance(reply, frames.Finished):
            self.memory = max(self.memory, reply.memory)
        going_on = isinstance(reply, frames.Token | frames.Reading)
        if not going_on and reply.id in self._cancelled:
            self._cancelled.pop(reply.id).cancel()
        waiting = self._waiting.get(reply.id)
        if waiting is not None:
            waiting.put_nowait(reply)

    def _how(self) -> str:
        code = self.process.returncode
        if code is not None and code < 0:
            return f"signal {-code}"
        return f"exit code {code}"
