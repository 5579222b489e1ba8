"""The devices a command is about: of the workspace, or of the SVD file that was named."""

from __future__ import annotations

import os
from pathlib import Path

from datasheet_lsp.assist.root import project_roots
from datasheet_lsp.assist.session import LoadedContext, Session
from datasheet_lsp.cli.errors import CliError
from datasheet_lsp.model import Lookup

_PACKS = (".pack", ".zip")


class Chip:
    """The devices of one workspace, or the one that was named."""

    def __init__(self, path: Path, svd: Path | None, device: str | None) -> None:
        """Loads the devices for ``path``, a file or folder, which may not exist.

        Raises:
            CliError: the SVD or the device that was named cannot be used.
        """
        self._lookups: list[Lookup] | None = None
        if svd is not None:
            self.session, self._lookups = _named_svd(path, svd, device)
            return
        self.session = load_workspace(path)
        if device is not None:
            self.session, self._lookups = _named_device(path, self.session, device)

    def lookups(self, path: Path | None) -> list[Lookup]:
        """The devices that apply to a file, or those that were named.

        Raises:
            CliError: there is no device.
        """
        if self._lookups is not None:
            return self._lookups
        if not self.session.contexts:
            problems = " ".join(str(problem) for problem in self.session.problems)
            raise CliError(
                problems
                or f"no SVD file was found in {self.session.root}: put one there, or name it "
                "with --svd."
            )
        return self.session.lookups_for(path)


def _named_svd(path: Path, svd: Path, device: str | None) -> tuple[Session, list[Lookup]]:
    if not svd.is_file():
        raise CliError(f"{svd} is not there: name an SVD file with --svd.")
    root, sure = roots_of(path)[0]
    session = Session(root, svd=(svd,), use_index=sure)
    if svd.suffix.lower() in _PACKS:
        return session, [_of_pack(svd, device)]
    session.load()
    if not session.contexts:
        problems = " ".join(problem.message for problem in session.problems)
        raise CliError(problems or f"{svd} cannot be read as an SVD file.")
    return session, [context.lookup for context in session.contexts]


def _named_device(path: Path, session: Session, device: str) -> tuple[Session, list[Lookup]]:
    """The contexts of that device, else the SVD for it among all that were found."""
    found = _of_device(session, device)
    if found:
        return session, found
    for root, sure in roots_of(path):
        other = Session(root, use_index=sure, options={"context": [{"device": device}]})
        other.load()
        found = _of_device(other, device)
        if found:
            return other, found
    known = dict.fromkeys(context.device.name for context in session.contexts)
    there = f"; there is {', '.join(known)}" if known else ""
    raise CliError(f"no SVD file for the device {device} was found in {session.root}{there}.")


def _of_device(session: Session, device: str) -> list[Lookup]:
    """The devices called so, else those whose name fits it: STM32F407 for STM32F407VGT6."""
    from datasheet_lsp.workspace.names import Kind, fit

    wanted = device.casefold()
    named = [c.lookup for c in session.contexts if wanted in map(str.casefold, _names(c))]
    if named:
        return named
    fitting = []
    for context in session.contexts:
        fits = (fit(device, name) for name in _names(context))
        if any(found is not None and found.kind > Kind.SHORT for found in fits):
            fitting.append(context.lookup)
    return fitting


def load_workspace(path: Path) -> Session:
    """The workspace of a file or folder, loaded: the nearest project for which a device is found.

    Where only a build file makes a folder a project, the current folder goes before it if it is
    above: whoever calls from the top of a project means all of it. Without any device it is the
    nearest project.
    """
    nearest: Session | None = None
    roots = roots_of(path)
    here = Path.cwd()
    if here not in [root for root, _ in roots] and Path(os.path.abspath(path)).is_relative_to(here):
        inside = [r for r in roots if r[1] and r[0].is_relative_to(here)]
        roots = [*inside, (here, False), *(r for r in roots if r not in inside)]
    for root, sure in roots:
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


def _of_pack(svd: Path, device: str | None) -> Lookup:
    from datasheet_lsp.index import load_device
    from datasheet_lsp.svd import SvdError

    try:
        return Lookup(load_device(svd, device, None))
    except SvdError as error:
        raise CliError(str(error)) from None


def _names(context: LoadedContext) -> list[str]:
    names = (context.device.name, context.context.name, context.context.device)
    return [name for name in names if name]
