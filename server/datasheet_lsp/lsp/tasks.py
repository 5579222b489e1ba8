"""Background work on the event loop: kept alive, logged when it fails, replaced when asked again.

asyncio holds only weak references to tasks, so one that nobody keeps may vanish half way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

logger = logging.getLogger(__name__)


class Tasks:
    """The background tasks of a server."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._named: dict[str, asyncio.Task[Any]] = {}

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Runs ``work`` in the background."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def replace(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Runs ``work`` in place of the task that runs under the same name, if one does."""
        self.cancel(name)
        task = self._named[name] = self.start(work, name)
        return task

    def cancel(self, name: str) -> None:
        """Cancels the task that runs under ``name``, if one does."""
        if (before := self._named.pop(name, None)) is not None:
            before.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if self._named.get(task.get_name()) is task:
            del self._named[task.get_name()]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s failed", task.get_name(), exc_info=error)
