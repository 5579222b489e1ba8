"""$/progress: what a client shows of work that takes its time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer

CANCEL_SECONDS = 0.2
"""How often it is looked whether the user wants no more of it."""

CREATE_SECONDS = 1.0
"""How long a client may take to make a progress token; then there is none for this work."""

PATIENT_SECONDS = 30.0
"""The same where nothing waits for the token."""

SHOW_AFTER_SECONDS = 1.0
"""What is done sooner has no progress."""

_numbers = itertools.count(1)
Result = TypeVar("Result")


async def shown(ls: DatasheetServer, work: Coroutine[Any, Any, Result], title: str) -> Result:
    """What ``work`` gives; where it takes its time a progress that can be cancelled is shown.

    Where the caller is cancelled ``work`` is too.
    """
    task = asyncio.ensure_future(work)
    token: Token | None = None
    try:
        await asyncio.wait([task], timeout=SHOW_AFTER_SECONDS)
        if not task.done():
            token = await Token.create(ls, task, PATIENT_SECONDS)
        if token is not None:
            token.begin(title, can_cancel=True, counted=False)
        while not task.done():
            await asyncio.wait([task], timeout=CANCEL_SECONDS if token is not None else None)
            if token is not None and token.cancelled:
                task.cancel()
        return await task
    finally:
        task.cancel()
        if token is not None:
            token.end("")


class Token:
    """One progress of the client's."""

    def __init__(self, ls: DatasheetServer, name: str | int) -> None:
        self._ls = ls
        self._name = name

    @staticmethod
    async def create(
        ls: DatasheetServer, work: asyncio.Future[Any], seconds: float = CREATE_SECONDS
    ) -> Token | None:
        """A token; None where the client makes none in ``seconds``, or while ``work`` goes on."""
        if not ls.client.progress:
            return None
        name = f"datasheet-{next(_numbers)}"
        create = asyncio.ensure_future(ls.work_done_progress.create_async(name))
        waited: set[asyncio.Future[Any]] = {create, work}
        await asyncio.wait(waited, timeout=seconds, return_when="FIRST_COMPLETED")
        if not create.done() or create.cancelled() or create.exception() is not None:
            create.cancel()
            return None
        return Token(ls, name)

    @property
    def cancelled(self) -> bool:
        """Whether the user wants the work to end."""
        future = self._ls.work_done_progress.tokens.get(self._name)
        return future is not None and future.cancelled()

    def begin(self, title: str, *, can_cancel: bool = False, counted: bool = True) -> None:
        """The work has begun; with ``can_cancel`` reports have a percentage if it is counted."""
        self._ls.work_done_progress.begin(
            self._name,
            types.WorkDoneProgressBegin(
                title=title,
                cancellable=can_cancel or None,
                percentage=0 if can_cancel and counted else None,
            ),
        )

    def report(self, message: str, percentage: int | None = None) -> None:
        """How far it is, with the percentage where it is counted."""
        if percentage is not None:
            percentage = max(0, min(100, percentage))
        self._ls.work_done_progress.report(
            self._name, types.WorkDoneProgressReport(message=message, percentage=percentage)
        )

    def end(self, message: str) -> None:
        """The work has ended."""
        self._ls.work_done_progress.end(self._name, types.WorkDoneProgressEnd(message=message))
        self._ls.work_done_progress.tokens.pop(self._name, None)
