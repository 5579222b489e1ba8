"""The projects of the server: the folders of the workspace, and those of files from outside.

Devices are loaded off the event loop and swapped in whole. A file outside every folder belongs to
the nearest project above it, which is loaded when the file is first asked about.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from datasheet_lsp.lsp import project as projects
from datasheet_lsp.lsp.project import Project, Roots
from datasheet_lsp.lsp.tasks import Tasks
from datasheet_lsp.model import Lookup
from datasheet_lsp.workspace.settings import Settings

if TYPE_CHECKING:
    from datasheet_lsp.assist.headers import WorkspaceHeaders
    from datasheet_lsp.assist.places import Places
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.firmware.headers import Headers

logger = logging.getLogger(__name__)

LOAD_WAIT_SECONDS = 10.0
"""How long a request waits for its devices before it is answered with nothing."""

QUIET_SECONDS = 1.0
"""How long after a load what is not needed for a hover is made ready."""

Load = Callable[[Project], Coroutine[Any, Any, None]]
"""Loads the devices of a project."""


class View(msgspec.Struct, frozen=True):
    """What a question about a file is answered with."""

    lookups: list[Lookup]
    max_rows: int = 64
    places: Places | None = None
    tell_missing: bool = False
    """Whether all manuals are known, so that a device without one may be told of."""
    settings: Settings = Settings()
    workspace_headers: WorkspaceHeaders | None = None

    def headers(self, path: Path | None, source: Source) -> Headers | None:
        """The headers a file includes, None where they are not read yet. Reads no file."""
        if self.workspace_headers is None:
            return None
        return self.workspace_headers.of(path, source, self.lookups)


class Projects:
    """All projects. Used on the event loop alone; reads no file itself."""

    def __init__(
        self,
        tasks: Tasks,
        around_load: Callable[[Project, Load], Coroutine[Any, Any, None]],
        on_drop: Callable[[Project], None],
    ) -> None:
        self._tasks = tasks
        self._on_drop = on_drop
        self._around_load = around_load
        self._folders: dict[Path, Project] = {}
        self._outside: dict[Roots, Project] = {}
        self._roots: dict[Path, Roots] = {}
        self._started = False
        self.options: Mapping[str, Any] = {}

    @property
    def all(self) -> list[Project]:
        """The projects known now, the workspace's folders first."""
        return [*self._folders.values(), *self._outside.values()]

    def start(self) -> None:
        """Loads the folders known so far; folders added from now on are loaded at once."""
        self._started = True
        for project in self._folders.values():
            self.load(project)

    def add(self, root: Path) -> None:
        """Adds a folder of the workspace."""
        if root in self._folders:
            return
        project = self._folders[root] = Project(((root, True),))
        if self._started:
            self.load(project)
        self._roots.clear()
        for roots, other in list(self._outside.items()):
            if other.root.is_relative_to(root):
                self._drop(self._outside.pop(roots))

    def remove(self, root: Path) -> None:
        """Drops a folder and its devices."""
        self._roots.clear()
        if root in self._folders:
            self._drop(self._folders.pop(root))

    def _drop(self, project: Project) -> None:
        self._tasks.cancel(f"load {project.key}")
        self._tasks.cancel(f"names {project.key}")
        self._on_drop(project)
        project.ready.set()

    def load(self, project: Project) -> None:
        """Loads ``project`` anew in the background; what it had answers until that is done."""
        project.loading = True
        project.task = self._tasks.replace(
            self._around_load(project, self._fill), f"load {project.key}"
        )

    async def _fill(self, project: Project) -> None:
        try:
            project.swap(
                await asyncio.to_thread(projects.load, project.roots, self.options, project.session)
            )
            project.failure = ""
        except Exception as error:
            logger.exception("Loading %s failed", project.root)
            project.failure = f"The devices of {project.root} could not be loaded: {error}"
        project.loading = False
        project.ready.set()
        self._tasks.replace(self._prepare(project), f"names {project.key}")

    async def _prepare(self, project: Project) -> None:
        """Makes the names to search ready once the first questions are likely answered."""
        await asyncio.sleep(QUIET_SECONDS)
        await asyncio.to_thread(lambda: [table.prepare() for table in project.tables()])

    async def reload(self) -> None:
        """Loads everything anew and waits for the end of it, of loads that took its place too."""
        self._roots.clear()
        for project in self.all:
            self.load(project)
        while tasks := {p.task for p in self.all if p.task is not None and not p.task.done()}:
            await asyncio.wait(tasks)

    async def refresh(self, project: Project) -> bool:
        """Loads ``project`` anew if its files changed; whether they did."""
        session = project.session
        if session is None or project.loading:
            return False
        if not await asyncio.to_thread(projects.refresh, session) or project.session is not session:
            return False
        project.swap(session)
        return True

    async def project_of(self, path: Path | None) -> Project | None:
        """The project of a file, made and set to load if there is none yet."""
        if path is None:
            return next(iter(self._folders.values()), None)
        holding = [root for root in self._folders if path.is_relative_to(root)]
        if holding:
            return self._folders[max(holding, key=lambda root: len(root.parts))]
        if path.parent not in self._roots:
            folders = list(self._folders)
            found = await asyncio.to_thread(projects.roots_of, path, folders)
            self._roots[path.parent] = found
        roots = self._roots[path.parent]
        if not roots:
            return None
        project = self._folders.get(roots[0][0]) or self._outside.get(roots)
        if project is None:
            project = self._outside[roots] = Project(roots)
            self.load(project)
        return project

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
        inside = path is not None and own in self._folders.values()
        for project in dict.fromkeys([own] if inside else [own, *self._folders.values()]):
            if project is None or not await self.ready(project) or project.session is None:
                continue
            lookups = project.session.lookups_for(path if project is own else None)
            if lookups or inside:
                settings = project.session.settings
                tell = project.indexed or not settings.index.automatic
                return View(
                    lookups,
                    settings.hover.max_rows,
                    project.session.places,
                    tell and project.session.index_path is not None,
                    settings,
                    project.session.headers,
                )
        return View([])

    async def all_ready(self) -> list[Project]:
        """All projects, each waited for."""
        found = self.all
        await asyncio.gather(*(self.ready(project) for project in found))
        return found
