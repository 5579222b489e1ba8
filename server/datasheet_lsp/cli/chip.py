"""The devices a command is about: of the workspace, or of the SVD file that was named."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from datasheet_lsp.assist.root import project_roots
from datasheet_lsp.assist.session import LoadedContext, Session
from datasheet_lsp.cli.errors import CliError
from datasheet_lsp.model import Lookup
from datasheet_lsp.workspace import Context

_PACKS = (".pack", ".zip")


class Chip:
    """The devices of one workspace, or the one that was named."""

    def __init__(self, path: Path, svd: Path | None, device: str | None) -> None:
        """Loads the devices for ``path``, a file or folder, which may not exist.

        Raises:
            CliError: the SVD that was named cannot be used.
        """
        if svd is not None and not svd.is_file():
            raise CliError(f"{svd} is not there: name an SVD file with --svd.")
        self._device = device
        self._pack = svd is not None and svd.suffix.lower() in _PACKS
        if svd is None:
            self.session = load_workspace(path)
        else:
            root, sure = roots_of(path)[0]
            given = () if self._pack else (svd,)
            self.session = Session(root, svd=given, use_index=sure and not self._pack)
            if not self._pack:
                self.session.load()
        self._contexts: Sequence[LoadedContext] = self.session.contexts
        if svd is not None and self._pack:
            self._contexts = [_of_pack(svd, device)]
        elif svd is not None and not self._contexts:
            problems = " ".join(problem.message for problem in self.session.problems)
            raise CliError(problems or f"{svd} cannot be read as an SVD file.")

    @property
    def root(self) -> Path | None:
        """The workspace's folder."""
        return self.session.root

    def lookups(self, path: Path | None) -> list[Lookup]:
        """The devices that apply to a file, or those called as ``device`` says.

        Raises:
            CliError: there is no device, or none of that name.
        """
        if not self._contexts:
            problems = " ".join(str(problem) for problem in self.session.problems)
            raise CliError(
                problems
                or f"no SVD file was found in {self.root}: put one there, or name it with --svd."
            )
        if self._pack:
            return [context.lookup for context in self._contexts]
        if self._device is None:
            return self.session.lookups_for(path)
        wanted = self._device.casefold()
        named = [context.lookup for context in self._contexts if wanted in _names(context)]
        if not named:
            known = ", ".join(dict.fromkeys(context.device.name for context in self._contexts))
            raise CliError(f"no device here is called {self._device}; there is {known}.")
        return named

    def tell_problems(self) -> None:
        """Says on standard error what is wrong in the workspace."""
        for problem in self.session.problems:
            print(f"datasheet-lsp: {problem}", file=sys.stderr)


def load_workspace(path: Path) -> Session:
    """The workspace of a file or folder, loaded: the nearest project for which a device is found.

    Without any device it is the nearest project.
    """
    nearest: Session | None = None
    for root, sure in roots_of(path):
        session = Session(root, use_index=sure)
        session.load()
        if session.contexts:
            return session
        nearest = nearest or session
    assert nearest is not None
    return nearest


def roots_of(path: Path) -> list[tuple[Path, bool]]:
    """The folders that may be the project of a file or folder, at least one.

    Each with whether it surely is a project: others get no index file of ours.
    """
    path = Path(os.path.abspath(path))
    folder = path if path.is_dir() else path.parent
    return project_roots(folder / "x") or [(folder, False)]


def _of_pack(svd: Path, device: str | None) -> LoadedContext:
    from datasheet_lsp.index import load_device
    from datasheet_lsp.svd import SvdError

    try:
        loaded = load_device(svd, device, None)
    except SvdError as error:
        raise CliError(str(error)) from None
    return LoadedContext(Context(loaded.name, svd=svd, member=device), loaded, Lookup(loaded))


def _names(context: LoadedContext) -> set[str]:
    names = (context.device.name, context.context.name, context.context.device or "")
    return {name.casefold() for name in names if name}
