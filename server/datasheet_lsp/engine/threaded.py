"""An asyncio loop in a thread, for code that has none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

LOOK_SECONDS = 0.05
"""How often it is looked whether an answer is still wanted."""


class Interrupted(Exception):
    """The caller did not want the answer any more."""


class LoopThread:
    """A loop in a thread of its own, or, given one that runs already in another thread, that."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._own: threading.Thread | None = None
        self.loop = loop or asyncio.new_event_loop()
        if loop is None:
            self._own = threading.Thread(target=self.loop.run_forever, daemon=True)
            self._own.start()

    @property
    def open(self) -> bool:
        """Whether it is its own and was not closed."""
        return self._own is not None and not self.loop.is_closed()

    def do(self, work: Coroutine[Any, Any, T], cancelled: Callable[[], bool] | None = None) -> T:
        """What ``work`` gives; raises Interrupted soon after ``cancelled`` says so."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        if cancelled is None:
            return future.result()
        while True:
            try:
                return future.result(LOOK_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
                if cancelled():
                    future.cancel()
                    raise Interrupted from None

    def close(self) -> None:
        """End the thread, where it is its own."""
        if self._own is None or self.loop.is_closed():
            return
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._own.join()
        self.loop.close()
