"""The project folder that a file belongs to."""

from __future__ import annotations

import os
from pathlib import Path

SETTINGS = "datasheet.toml"

_SURE = frozenset(
    (SETTINGS, ".git", "platformio.ini", "compile_commands.json", ".cproject", ".datasheet")
)
_SURE_ENDINGS = (".ioc", ".uvprojx", ".uvproj", ".ewp")
_LIKELY = frozenset(
    ("makefile", "gnumakefile", "cmakelists.txt", "meson.build", "sconstruct", "west.yml",
     ".vscode", ".project")
)  # fmt: skip
_LIKELY_ENDINGS = (".svd", ".svd.gz", ".pack")


def project_roots(path: Path) -> list[tuple[Path, bool]]:
    """The folders above ``path``, absolute, that may be its project, the nearest first.

    Each with whether it surely is one: a build file may stand in any folder of a project. A folder
    with our settings is the only one, and nothing counts above a repository's top. Lists folders.
    """
    found: list[tuple[Path, bool]] = []
    for folder in path.parents:
        names = _names(folder)
        if SETTINGS in names:
            return [(folder, True)]
        if not _SURE.isdisjoint(names) or _ending(names, _SURE_ENDINGS):
            found.append((folder, True))
        elif not _LIKELY.isdisjoint(name.lower() for name in names) or _ending(
            names, _LIKELY_ENDINGS
        ):
            found.append((folder, False))
        if ".git" in names:
            break
    return found


def _ending(names: set[str], endings: tuple[str, ...]) -> bool:
    return any(name.lower().endswith(endings) for name in names)


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()
