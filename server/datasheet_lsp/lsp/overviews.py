"""What the code of each project does as a whole, read in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from datasheet_lsp.model import Lookup

if TYPE_CHECKING:
    from datasheet_lsp.assist.overview import Overview
    from datasheet_lsp.lsp.project import Project
    from datasheet_lsp.lsp.tasks import Tasks

logger = logging.getLogger(__name__)

QUIET_SECONDS = 2.0
"""How long after a load, or a saved file, the code is read: what is asked first goes first."""
_PAUSE = 0.002


class Overviews:
    """The overviews of all projects, one for each device."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._known: dict[tuple[str, int], Overview] = {}
        self._roots: dict[str, Path] = {}
        self._ended = False

    def of(self, path: Path | None, lookups: Sequence[Lookup]) -> Overview | None:
        """What the project of a file does with its device, None until it was read."""
        if path is None or len(lookups) != 1:
            return None
        holding = [key for key, root in self._roots.items() if path.is_relative_to(root)]
        for key in sorted(holding, key=len, reverse=True):
            found = self._known.get((key, id(lookups[0].device)))
            if found is not None:
                return found if found.complete else None
        return None

    def all(self) -> list[Overview]:
        """Every overview, complete or not."""
        return list(self._known.values())

    def stop(self) -> None:
        """Ends reading."""
        self._ended = True

    def soon(self, project: Project, done: Callable[[], None]) -> None:
        """Reads what changed in the code of a project, in the background."""

        async def later() -> None:
            await asyncio.sleep(QUIET_SECONDS)
            await asyncio.to_thread(self._read, project)
            done()

        if project.session is not None and project.session.contexts:
            self._tasks.replace(later(), f"overview {project.key}")

    def _read(self, project: Project) -> None:
        from datasheet_lsp.assist.headers import WorkspaceHeaders
        from datasheet_lsp.assist.overview import MAX_FILES, Overview, code_files, scan

        session = project.session
        if session is None or self._ended:
            return
        root = project.root
        paths = code_files(root)
        self._roots[project.key] = root
        headers = WorkspaceHeaders(root)
        present = set()
        for context in session.contexts:
            key = (project.key, id(context.device))
            present.add(key)
            overview = self._known.get(key)
            if overview is None:
                overview = self._known[key] = Overview(context.device)
            scan(
                overview,
                paths,
                session.lookups_for,
                headers.of,
                pause=_PAUSE,
                cancelled=lambda: self._ended or project.session is not session,
            )
            if len(paths) >= MAX_FILES:
                overview.complete = False  # there is more than was read
        for key in [k for k in self._known if k[0] == project.key and k not in present]:
            del self._known[key]

    def drop(self, project: Project) -> None:
        """Forgets a project."""
        self._tasks.cancel(f"overview {project.key}")
        self._roots.pop(project.key, None)
        for key in [k for k in self._known if k[0] == project.key]:
            del self._known[key]
