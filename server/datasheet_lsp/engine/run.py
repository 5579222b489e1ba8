"""One run of a model's process, as its parent sees it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import ClassVar, Generic, Protocol, TypeVar

import msgspec

from datasheet_lsp import wire
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.frames import Failed
from datasheet_lsp.wire import parent


class Died(Exception):
    """The process ended by itself; the text says how."""


class Loaded(Protocol):
    """What a process says once its model is there."""

    @property
    def memory(self) -> int:
        """The most it has had so far, in bytes."""


L = TypeVar("L", bound=Loaded)


class Run(Generic[L]):
    """A child process with its model. ``loaded`` is set when it is ready, or why it is not."""

    end_seconds: ClassVar[float]
    """How long it may take to end by itself; then it is killed."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        loaded: type[L],
        decode: Callable[[bytes], msgspec.Struct],
    ) -> None:
        self.process = process
        self.loaded: asyncio.Future[L] = asyncio.get_running_loop().create_future()
        self.memory = 0
        self._loaded = loaded
        self._decode = decode
        self._numbers = itertools.count(1)
        self._reading = asyncio.create_task(self._read())

    @property
    def alive(self) -> bool:
        """Whether it still runs and answers."""
        return self.process.returncode is None and not self._reading.done()

    def number(self) -> int:
        """A number for the next order."""
        return next(self._numbers)

    async def send(self, order: msgspec.Struct) -> None:
        """Hand over an order. Raises Died where it has ended."""
        if self._reading.done():
            raise Died(parent.how(self.process))
        await parent.send(self.process, order)

    async def end(self) -> None:
        """Close its input and wait for its end; it is killed where it does not end soon."""
        await parent.end(self.process, self.end_seconds)
        await asyncio.gather(self._reading, return_exceptions=True)

    def kill(self) -> None:
        """End it at once."""
        parent.kill(self.process)

    def take(self, reply: msgspec.Struct) -> None:
        """A reply other than those about loading."""
        raise NotImplementedError

    def lost(self, died: Died) -> None:
        """It has ended: there will be no more replies."""
        raise NotImplementedError

    async def _read(self) -> None:
        assert self.process.stdout is not None
        lied = False
        try:
            while (data := await wire.receive(self.process.stdout)) is not None:
                self._take(self._decode(data))
        except OSError:
            pass
        except Exception:  # what it says is no reply
            lied = True
            self.kill()
        await self.process.wait()
        died = Died("it said what is no reply" if lied else parent.how(self.process))
        if not self.loaded.done():
            self.loaded.set_exception(died)
        if not self.loaded.cancelled():
            self.loaded.exception()  # looked at, so that asyncio does not speak of it
        self.lost(died)

    def _take(self, reply: msgspec.Struct) -> None:
        if isinstance(reply, self._loaded):
            self.memory = max(self.memory, reply.memory)
            if not self.loaded.done():
                self.loaded.set_result(reply)
        elif isinstance(reply, Failed) and reply.id == 0:
            if not self.loaded.done():
                self.loaded.set_exception(EngineError(reply.message))
        else:
            self.take(reply)
