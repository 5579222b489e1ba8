"""A folder with its devices, and how they are loaded: in a thread, for files are read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.model import Device

if TYPE_CHECKING:
    from datasheet_lsp.assist.session import LoadedContext, Session
    from datasheet_lsp.assist.symbols import SymbolTable
    from datasheet_lsp.workspace import Context

Roots = tuple[tuple[Path, bool], ...]
"""Folders that may be the project's, each with whether it surely is one."""


class Project:
    """What is known of a folder. ``session`` is None until the first load ended.

    A folder of the workspace has one root. For a file outside there may be several, of which the
    first with a device is taken.
    """

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.session: Session | None = None
        self.failure = ""
        self.loading = True
        self.indexed = False
        """Whether a look for manuals has ended, so that what is not there is known."""
        self.task: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()
        self._tables: list[SymbolTable] | None = None

    @property
    def root(self) -> Path:
        """The folder."""
        if self.session is not None and self.session.root is not None:
            return self.session.root
        return self.roots[0][0]

    @property
    def key(self) -> str:
        """What tells this project from others in the names of tasks."""
        return "|".join(str(root) for root, _ in self.roots)

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


def load(roots: Roots, options: Mapping[str, Any], before: Session | None) -> Session:
    """Loads the devices of the first of ``roots`` that has any, else of the first.

    A session with the same options is loaded anew, and keeps the devices that did not change.
    Blocks, so for a thread; tables are built here, not when the first question comes.
    """
    from datasheet_lsp.assist.session import Session

    if before is not None and before.options == options and (before.contexts or len(roots) == 1):
        before.load()
        return _warmed(before)
    nearest: Session | None = None
    for root, sure in roots:
        session = Session(root, options=options, use_index=sure)
        session.load()
        if session.contexts:
            return _warmed(session)
        nearest = nearest or session
    assert nearest is not None
    return nearest


def refresh(session: Session) -> bool:
    """Loads anew what changed on disk; whether anything did. Blocks, so for a thread."""
    if not session.refresh():
        return False
    _warmed(session)
    return True


def _warmed(session: Session) -> Session:
    from datasheet_lsp.firmware import warm

    session.headers.background()
    warm([context.lookup for context in session.contexts])
    return session


def roots_of(path: Path, folders: Sequence[Path]) -> Roots:
    """The folders that may be the project of a file in none of ``folders`` as it is spelled.

    That of ``folders`` it really is in; else the nearest that surely are projects. Only a file
    with no workspace at all is looked for further, in folders that just may be one: a header of a
    compiler, for example, is no reason to search the compiler. Reads folders.
    """
    from datasheet_lsp.assist.root import project_roots

    real = path.resolve()
    for folder in folders:
        if real.is_relative_to(folder.resolve()):
            return ((folder, True),)
    return tuple(
        (root, sure) for root, sure in project_roots(path.absolute()) if sure or not folders
    )
