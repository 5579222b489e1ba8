"""Searches off the event loop: a library for each project, and threads of their own.

A search reads the index and counts words, for some 100 ms; hovers go on meanwhile. What it needs of
a model is asked for on the event loop, which owns the model's process.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from datasheet_lsp.lsp.models import Models

if TYPE_CHECKING:
    from datasheet_lsp.assist.library import Library
    from datasheet_lsp.assist.search import Place, Request
    from datasheet_lsp.assist.session import Session
    from datasheet_lsp.lsp.project import Project

Result = TypeVar("Result")

THREADS = 6
"""Searches and answers at once; those that wait for a model hold up no other."""

MODEL_SECONDS = 20.0
"""How long a search waits for its model to be loaded; then words alone count."""

POLL_SECONDS = 0.05


class Cancelled(Exception):
    """The search is not wanted any more."""


class Work(threading.local):
    """What the thread at hand works for."""

    cancelled: threading.Event | None = None


class Searching:
    """The searches of a server."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="search")
        self._libraries: dict[str, Library] = {}
        self._guard = threading.Lock()
        self._work = Work()
        self._closed = threading.Event()

    async def search(self, project: Project, request: Request, place: Place) -> dict[str, Any]:
        """The results as plain data. Raises NoIndex and SearchError; may be cancelled."""
        from datasheet_lsp.assist.search import search

        session = project.session
        assert session is not None
        return await self.run(lambda: search(self.library(project.key, session), request, place))

    async def run(self, work: Callable[[], Result]) -> Result:
        """What ``work`` gives, done in a thread. Where the caller is cancelled it soon ends too."""
        cancelled = threading.Event()

        def go() -> Result:
            self._work.cancelled = cancelled
            return work()

        try:
            return await self._loop.run_in_executor(self._pool, go)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def cancelled(self) -> bool:
        """Whether what the thread at hand works for is not wanted any more."""
        event = self._work.cancelled
        return self._closed.is_set() or (event is not None and event.is_set())

    def library(self, key: str, session: Session) -> Library:
        """The library of a project, opened anew where its settings changed. For a thread."""
        from datasheet_lsp.assist.library import Library, NoIndex

        path, root = session.index_path, session.root
        if path is None or root is None:
            raise NoIndex("this folder has no index: [index] enabled = true gives it one.")
        settings = session.settings
        with self._guard:
            library = self._libraries.get(key)
            if library is None or library.path != path or library.settings != settings:
                if library is not None:
                    self._pool.submit(_close, library)
                library = self._libraries[key] = Library(
                    root,
                    path,
                    settings,
                    lambda model, text: self._asked(
                        self._models.vector(model, text, settings.embed), model.name
                    ),
                    lambda: [loaded.device for loaded in session.contexts],
                    lambda model, query, texts: self._asked(
                        self._models.rank(model, query, texts, settings.embed), model.name
                    ),
                )
        return library

    def drop(self, project: Project) -> None:
        """Closes the library of a project that is gone."""
        with self._guard:
            library = self._libraries.pop(project.key, None)
        if library is not None:
            self._pool.submit(_close, library)

    def close(self) -> None:
        """Ends what goes on, for good; waits for nothing."""
        self._closed.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _asked(self, work: Coroutine[Any, Any, Result], name: str) -> Result:
        """What a model, called ``name``, answers to a thread. Raises EngineError, Cancelled."""
        from datasheet_lsp.engine import EngineError

        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        end = time.monotonic() + MODEL_SECONDS
        while True:
            try:
                return future.result(POLL_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
                if self.cancelled():
                    future.cancel()
                    raise Cancelled("it is not wanted any more") from None
                if time.monotonic() > end:
                    future.cancel()
                    raise EngineError(f"{name} is still being loaded") from None


def _close(library: Library) -> None:
    with library.lock:
        library.close()
