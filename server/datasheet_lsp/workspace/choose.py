"""Choosing the SVD for a device, and saying why."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.types import FoundSvd

MAX_LISTED = 5


_VAGUE = (names.Kind.WIDE, names.Kind.LONGER)


class Choice(msgspec.Struct, frozen=True):
    """The SVD chosen, None if none; ``why`` for people; ``tied`` those between which it hung."""

    svd: FoundSvd | None = None
    why: str = ""
    tied: tuple[FoundSvd, ...] = ()


def best_fit(device: str, svd: FoundSvd) -> tuple[names.Fit, str] | None:
    """How the SVD's best name fits the device, and that name; None for another device's SVD."""
    fits = [(found, name) for name in svd.names if (found := names.fit(device, name)) is not None]
    return max(fits, default=None)


def contradicts(device: str, svd: FoundSvd) -> bool:
    """Whether the SVD's names say that it is another chip's."""
    return best_fit(device, svd) is None and any(names.is_part(name) for name in svd.names)


class Pools:
    """The SVDs to choose from: the workspace's, those of further folders, those of tools.

    What lies in the workspace was put there for it, so it goes before a better name elsewhere.
    ``installed`` is called when it is needed.
    """

    def __init__(
        self,
        root: Path,
        workspace: Sequence[FoundSvd],
        further: Sequence[FoundSvd],
        installed: Callable[[], Sequence[FoundSvd]],
    ) -> None:
        self.root = root
        self.workspace = [svd for svd in workspace if not svd.ignored]
        self.further = further
        self._installed = installed
        self._listed: Sequence[FoundSvd] | None = None

    @property
    def installed(self) -> Sequence[FoundSvd]:
        """The SVDs that tools have installed, listed once."""
        if self._listed is None:
            self._listed = self._installed()
        return self._listed

    @property
    def listed(self) -> Sequence[FoundSvd]:
        """The installed SVDs where they were needed, else ()."""
        return self._listed or ()

    def choose(self, device: str, folder: Path, core: str | None = None) -> Choice:
        """The SVD for ``device`` (for its ``core`` if it has several) as seen from ``folder``."""
        weak: Choice | None = None
        for pool in self._in_turn():
            choice, kind = _from_pool(device, core, folder, pool)
            if choice.svd is None and not choice.tied:
                continue
            if kind == names.Kind.WIDE and pool is not self.workspace:
                continue  # of what lies elsewhere any chip of the family would do
            if kind > names.Kind.SHORT:
                return choice
            weak = weak or choice
        return weak or Choice()

    def _in_turn(self) -> Iterator[Sequence[FoundSvd]]:
        yield self.workspace
        yield self.further
        yield self.installed


def _from_pool(
    device: str, core: str | None, folder: Path, pool: Sequence[FoundSvd]
) -> tuple[Choice, int]:
    fits = []
    wanted = f"{device}_{core}" if core else device
    for svd in pool:
        found = best_fit(wanted, svd)
        if found is not None:
            fits.append((found[0], found[1], svd))
    if not fits:
        return Choice(), 0
    top = max(fit for fit, _, _ in fits)
    if top.kind in _VAGUE:
        # The project says less than the SVDs: several of them are as likely.
        same = [
            entry for entry in fits if entry[0].kind in _VAGUE and entry[0].literals == top.literals
        ]
        if len(_distinct(same)) > 1:
            rest = [e for e in fits if e[0].kind > names.Kind.LONGER]  # PREFIX and WHOLE
            if not rest:
                return Choice(tied=_distinct(same)), int(top.kind)
            top = max(fit for fit, _, _ in rest)
            same = [e for e in rest if e[0] == top]
    else:
        same = [entry for entry in fits if entry[0] == top]
    if len(_distinct(same)) > 1:
        return Choice(tied=_distinct(same)), int(top.kind)
    _, name, svd = min(same, key=lambda entry: _distance(folder, entry[2]))
    others = [entry[2] for entry in same if entry[2] is not svd and entry[2].path != svd.path]
    why = f"{svd.label} fits {device}"
    if name.casefold() not in svd.path.name.casefold():
        why += f" by its name {name}"
    if top.kind == names.Kind.SHORT:
        why += ", as the name of its family"
    elif top.kind in _VAGUE:
        why += ", as the only one here that does"
    if svd.source != "workspace":
        why += f" (from {svd.source})"
    if others:
        why += f"; of {len(others) + 1} files of that name it is the nearest"
    return Choice(svd, why), int(top.kind)


def _distinct(fits: Sequence[tuple[names.Fit, str, FoundSvd]]) -> tuple[FoundSvd, ...]:
    """One SVD of each name."""
    by_name = {entry[2].label.casefold(): entry[2] for entry in reversed(fits)}
    return tuple(by_name[name] for name in sorted(by_name))


def _distance(folder: Path, svd: FoundSvd) -> tuple[int, int, str]:
    """How far the SVD is from the folder: steps up and down, then the path itself."""
    steps = os.path.relpath(svd.path, folder).replace(os.sep, "/").split("/")
    up = steps.count("..")
    return up, len(steps), os.fspath(svd.path)


def listed(labels: Sequence[str]) -> str:
    """Names for a message, the rest counted."""
    shown = ", ".join(labels[:MAX_LISTED])
    more = len(labels) - MAX_LISTED
    return f"{shown} and {more} more" if more > 0 else shown
