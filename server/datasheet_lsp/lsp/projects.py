"""The folders of the workspace with their devices, loaded off the event loop and swapped in whole.

A file outside every folder belongs to the nearest folder above it that looks like a project; that
one is loaded when the file is first asked about.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from datasheet_lsp.lsp.tasks import Tasks
from datasheet_lsp.model import Device, Lookup

if TYPE_CHECKING:
    from datasheet_lsp.assist.session import LoadedContext, Session
    from datasheet_lsp.assist.symbols import SymbolTable
    from datasheet_lsp.workspace import Context

logger = logging.getLogger(__name__)

LOAD_WAIT_SECONDS = 10.0
"""How long a request waits for its devices before it is answered with nothing."""


class Project:
    """A folder and what was loaded for it. ``session`` is None until the first load ended."""

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self.session: Session | None = None
        self.failure = ""
        self.loading = True
        self.task: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()
        self._tables: list[SymbolTable] | None = None

    def tables(self) -> list[SymbolTable]:
        """The names to search, one table a device; made on first use, not for the event loop."""
        if self._tables is None:
            from datasheet_lsp.assist.symbols import SymbolTable

            self._tables = [SymbolTable(context.lookup) for context in self.contexts]
        return self._tables

    def swap(self, session: Session) -> None:
        """Puts newly loaded devices in place of those before."""
        self.session = session
        self._tables = None

    @property
    def name(self) -> str:
        """The folder's name, for messages."""
        return str(self.root) if self.root is not None else "(no folder)"

    @property
    def contexts(self) -> list[LoadedContext]:
        """The devices loaded so far."""
        return list(self.session.contexts) if self.session is not None else []

    def discovered(self) -> list[tuple[Context, Device | None]]:
        """All contexts of the folder, with None where no device could be loaded."""
        if self.session is None:
            return []
        loaded = {id(one.context): one.device for one in self.session.contexts}
        return [(one, loaded.get(id(one))) for one in self.session.discovery.contexts]

    def holds(self, path: Path) -> bool:
        """Whether ``path`` lies in this folder."""
        return self.root is not None and path.is_relative_to(self.root)


def nearest_root(path: Path) -> Path | None:
    """The project folder of a file that is in no folder of the workspace, None if there is none.

    Where no settings and no tool's files make one, it is the file's own folder, but only with a
    device description beside the file: a compiler's folders, for example, are not searched.
    """
    from datasheet_lsp.assist.root import project_roots

    if (sure := next((folder for folder, is_sure in project_roots(path) if is_sure), None)) is None:
        beside = any(any(path.parent.glob(pattern)) for pattern in ("*.svd", "*.svd.gz", "*.pack"))
        return path.parent if beside else None
    return sure


Load = Callable[[Project], Coroutine[Any, Any, None]]
"""Loads the devices of a project."""


def _load(root: Path | None, options: Mapping[str, Any], before: Session | None) -> Session:
    """Loads the devices of ``root``; blocks, so for a thread. Tables are built here, not later.

    A session with the same options is loaded anew, and keeps the devices that did not change.
    """
    from datasheet_lsp.assist.session import Session

    session = before
    if session is None or session.options != options:
        session = Session(root, options=options)
    session.load()
    _warm(session)
    return session


def _refresh(session: Session) -> bool:
    """Loads anew what changed on disk; whether anything did. Blocks, so for a thread."""
    if not session.refresh():
        return False
    _warm(session)
    return True


def _warm(session: Session) -> None:
    from datasheet_lsp.firmware import warm

    warm([context.lookup for context in session.contexts])


class View(msgspec.Struct, frozen=True):
    """What a question about a file is answered with."""

    lookups: list[Lookup]
    max_rows: int = 64


class Projects:
    """All projects of the server. Everything but ``_load`` runs on the event loop."""

    def __init__(
        self, tasks: Tasks, around_load: Callable[[Project, Load], Coroutine[Any, Any, None]]
    ) -> None:
        self._tasks = tasks
        self._around_load = around_load
        self._folders: dict[Path, Project] = {}
        self._detached: dict[Path, Project] = {}
        self._roots: dict[Path, Path | None] = {}
        self._started = False
        self.options: Mapping[str, Any] = {}

    @property
    def all(self) -> list[Project]:
        """The projects known now, the workspace's folders first."""
        return [*self._folders.values(), *self._detached.values()]

    def start(self) -> None:
        """Loads the folders known so far; folders added from now on are loaded at once."""
        self._started = True
        for project in self._folders.values():
            self.load(project)

    def add(self, root: Path) -> None:
        """Adds a folder of the workspace."""
        self._roots.clear()
        if root not in self._folders:
            project = self._detached.pop(root) if root in self._detached else Project(root)
            self._folders[root] = project
            if self._started and project.task is None:
                self.load(project)
            self._forget_detached_below(root)

    def remove(self, root: Path) -> None:
        """Drops a folder and its devices."""
        self._roots.clear()
        if (project := self._folders.pop(root, None)) is not None:
            self._tasks.cancel(f"load {project.name}")
            project.ready.set()

    def _forget_detached_below(self, root: Path) -> None:
        for path in [path for path in self._detached if path.is_relative_to(root)]:
            del self._detached[path]

    def load(self, project: Project) -> None:
        """Loads ``project`` anew in the background; what it had answers until that is done."""
        project.loading = True
        project.task = self._tasks.replace(
            self._around_load(project, self._fill), f"load {project.name}"
        )

    async def reload(self) -> None:
        """Loads everything anew and waits for the end of it, of loads that took its place too."""
        for project in self.all:
            self.load(project)
        while tasks := {p.task for p in self.all if p.task is not None and not p.task.done()}:
            await asyncio.wait(tasks)

    async def _fill(self, project: Project) -> None:
        try:
            project.swap(
                await asyncio.to_thread(_load, project.root, self.options, project.session)
            )
            project.failure = ""
        except Exception as error:
            logger.exception("Loading %s failed", project.name)
            project.failure = f"The devices of {project.name} could not be loaded: {error}"
        project.loading = False
        project.ready.set()

    async def refresh(self, project: Project) -> bool:
        """Loads ``project`` anew if its files changed; whether they did."""
        session = project.session
        if session is None or project.loading:
            return False
        if not await asyncio.to_thread(_refresh, session) or project.session is not session:
            return False
        project.swap(session)
        return True

    async def project_of(self, path: Path | None) -> Project | None:
        """The project of a file, made and set to load if there is none yet."""
        if path is None:
            return next(iter(self._folders.values()), None)
        holding = [project for project in self._folders.values() if project.holds(path)]
        if holding:
            return max(holding, key=lambda project: len(project.root.parts if project.root else ()))
        if path.parent not in self._roots:
            self._roots[path.parent] = await asyncio.to_thread(self._outside, path)
        root = self._roots[path.parent]
        if root is None:
            return None
        project = self._folders.get(root) or self._detached.get(root)
        if project is None:
            project = self._detached[root] = Project(root)
            self.load(project)
        return project

    def _outside(self, path: Path) -> Path | None:
        """The root for a file in no folder as spelled: by its real path, else the nearest."""
        real = path.resolve()
        for folder in list(self._folders):
            if real.is_relative_to(folder.resolve()):
                return folder
        return nearest_root(path)

    async def ready(self, project: Project) -> bool:
        """Waits until ``project`` was loaded once; False where that takes too long."""
        try:
            await asyncio.wait_for(project.ready.wait(), LOAD_WAIT_SECONDS)
        except TimeoutError:
            return False
        return project.session is not None

    async def view(self, path: Path | None) -> View:
        """The devices that apply to a file, none where there are none or none in time.

        A file from outside, a vendor's header for example, without a device of its own is seen
        with the device of the workspace.
        """
        own = await self.project_of(path)
        inside = path is not None and own is not None and own.root in self._folders
        for project in dict.fromkeys([own] if inside else [own, *self._folders.values()]):
            if project is None or not await self.ready(project) or project.session is None:
                continue
            lookups = project.session.lookups_for(path if project is own else None)
            if lookups or inside:
                return View(lookups, project.session.settings.hover.max_rows)
        return View([])

    async def contexts(self) -> list[LoadedContext]:
        """The devices of all projects, each project waited for."""
        projects = self.all
        await asyncio.gather(*(self.ready(project) for project in projects))
        return [context for project in projects for context in project.contexts]
