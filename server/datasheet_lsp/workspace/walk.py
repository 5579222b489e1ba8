"""One bounded walk through the workspace: SVD files, and the files that tell of the device.

Ignore files count at each level for folders and SVD files. Files that tell of the device are
read even where git ignores them (compile_commands.json often is), but not below ignored folders.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from datasheet_lsp.workspace.peek import suffix_of, svd_names
from datasheet_lsp.workspace.types import FoundSvd, Problem

MAX_ENTRIES = 200_000
MAX_DEPTH = 24
MAX_LINKED_ENTRIES = 5_000
MAX_LINKED_DEPTH = 4
MAX_XML_PEEKS = 2_000
MAX_PACKS = 32
MAX_IGNORE_BYTES = 256 * 1024

IGNORE_FILES = (".gitignore", ".ignore")

CODE = (".c", ".h", ".cpp", ".cc", ".cxx", ".hpp", ".C", ".H", ".ino")

SKIPPED = frozenset(
    ".git .hg .svn .jj node_modules __pycache__ .venv venv .tox .pio .pioenvs .cache .datasheet "
    ".mypy_cache .pytest_cache .ruff_cache .idea .vs build _build .build out dist".split()
)
SKIPPED_STARTS = ("build-", "build_", "cmake-build-", "bazel-")

BUILD_MARKS = ("CMakeCache.txt", "build.ninja")
BUILD_FILES = ("compile_commands.json", ".config", "zephyr/.config")
"""What is read of a build folder, which is not walked."""


class Found:
    """What the walk came by."""

    def __init__(self) -> None:
        self.svds: list[FoundSvd] = []
        self.packs: list[tuple[Path, bool]] = []
        self.evidence: list[tuple[Path, Path]] = []  # file, the folder it speaks for
        self.ignore_files: list[Path] = []
        self.folders: list[Path] = []
        self.code_folders: set[str] = set()
        self.problems: list[Problem] = []
        self.entries = 0


class _Ignore:
    """The patterns of one ignore file and the folder they count from."""

    def __init__(self, base: str, spec: Any) -> None:
        self.base = base
        self.spec = spec

    def says(self, path: str, folder: bool) -> bool | None:
        """True: ignored, False: taken back by ``!``, None: not spoken of."""
        relative = path[len(self.base) + 1 :].replace(os.sep, "/")
        result: bool | None = self.spec.check_file(relative + "/" if folder else relative).include
        return result


def walk(root: Path, wanted: Callable[[str], bool], *, source: str = "workspace") -> Found:
    """Walks ``root`` breadth first; ``wanted`` says which file names tell of the device.

    Folders that are links are followed late and not far, and never twice.
    """
    found = Found()
    rules = IGNORE_FILES if source == "workspace" else ()
    seen: set[tuple[int, int]] = set()
    queue: deque[tuple[str, int, tuple[_Ignore, ...]]] = deque([(os.fspath(root), 0, ())])
    links: deque[tuple[str, int, tuple[_Ignore, ...]]] = deque()
    peeks = 0
    linked = 0
    while queue or links:
        through_link = not queue
        path, depth, ignores = (queue or links).popleft()
        if through_link and (linked > MAX_LINKED_ENTRIES or not _new(path, seen, root)):
            continue
        if not through_link:
            _note(path, seen)
        entries = _list(path, found)
        if entries is None:
            continue
        found.entries += len(entries)
        linked += len(entries) if through_link else 0
        if found.entries > MAX_ENTRIES:
            found.problems.append(
                Problem(
                    root,
                    None,
                    f"{root.name} has more than {MAX_ENTRIES:,} files: what lies deeper was not "
                    "searched. Name the SVD in datasheet.toml.",
                )
            )
            break
        names = {entry.name for entry in entries}
        if depth and any(mark in names for mark in BUILD_MARKS):
            _build_folder(Path(path), found)
            continue
        found.folders.append(Path(path))
        ignores += tuple(_read_ignores(path, names, rules, found))
        for entry in entries:
            if _is_folder(entry):
                if entry.name in SKIPPED or entry.name.startswith(SKIPPED_STARTS):
                    if "build" in entry.name or entry.name == "out":
                        _build_folder(Path(entry.path), found)
                elif entry.name == ".vscode":
                    _editor_folder(Path(entry.path), wanted, found)
                    if not _ignored(entry.path, True, ignores):
                        queue.append((entry.path, depth + 1, ignores))
                elif not _ignored(entry.path, True, ignores):
                    if entry.is_symlink():
                        links.append((entry.path, MAX_DEPTH - MAX_LINKED_DEPTH, ignores))
                    elif depth >= MAX_DEPTH:
                        _too_deep(Path(entry.path), found)
                    else:
                        (links if through_link else queue).append((entry.path, depth + 1, ignores))
                continue
            if wanted(entry.name):
                folder = Path(path)
                # .eide/eide.json speaks for the folder above.
                folder = folder.parent if folder.name.startswith(".") and depth else folder
                found.evidence.append((Path(entry.path), folder))
            if entry.name.endswith(CODE):
                found.code_folders.add(path)
            suffix = suffix_of(entry.name)
            if suffix is None or not _is_file(entry):
                continue
            ignored = _ignored(entry.path, False, ignores)
            if suffix == ".pack":
                if len(found.packs) < MAX_PACKS:
                    found.packs.append((Path(entry.path), ignored))
                continue
            if suffix == ".xml":
                peeks += 1
                if peeks > MAX_XML_PEEKS or ignored:
                    continue
            svd = svd_names(Path(entry.path), sure=suffix != ".xml")
            if svd is not None:
                found.svds.append(FoundSvd(Path(entry.path), svd, source, ignored=ignored))
    return found


def _list(path: str, found: Found) -> list[os.DirEntry[str]] | None:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        reason = error.strerror or str(error)
        found.problems.append(Problem(Path(path), None, f"The folder cannot be read: {reason}."))
        return None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _note(path: str, seen: set[tuple[int, int]]) -> None:
    try:
        stat = os.stat(path)
        seen.add((stat.st_dev, stat.st_ino))
    except OSError:
        pass


def _new(path: str, seen: set[tuple[int, int]], root: Path) -> bool:
    """Whether a linked folder was not walked yet and does not hold the workspace itself."""
    try:
        stat = os.stat(path)
        real = Path(os.path.realpath(path))
    except OSError:
        return False
    key = (stat.st_dev, stat.st_ino)
    if key in seen or Path(os.path.realpath(root)).is_relative_to(real):
        return False
    seen.add(key)
    return True


def _read_ignores(
    path: str, names: set[str], rules: Iterable[str], found: Found
) -> Iterable[_Ignore]:
    for rule in rules:
        if rule not in names:
            continue
        file = Path(path, rule)
        found.ignore_files.append(file)
        try:
            with file.open("rb") as stream:
                lines = stream.read(MAX_IGNORE_BYTES).decode("utf-8", "replace").splitlines()
        except OSError:
            continue
        spec = _spec(lines)
        if spec is not None:
            yield _Ignore(path, spec)


def _spec(lines: list[str]) -> Any:
    """The patterns, a wrong one left out as git does; None where there are none."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        good = []
        for line in lines:
            try:
                GitIgnoreSpec.from_lines([line])
            except (ValueError, re.error):
                continue
            good.append(line)
        return GitIgnoreSpec.from_lines(good) if good else None


def _ignored(path: str, folder: bool, ignores: tuple[_Ignore, ...]) -> bool:
    """The innermost ignore file that speaks of the path decides."""
    for ignore in reversed(ignores):
        said = ignore.says(path, folder)
        if said is not None:
            return said
    return False


def _build_folder(path: Path, found: Found) -> None:
    """Takes what is known to tell of the device from a build folder, without walking it."""
    for place in [path, *_presets(path)]:
        for name in BUILD_FILES:
            file = place / name
            if file.is_file():
                found.evidence.append((file, path.parent))


def _presets(path: Path) -> list[Path]:
    """The folders in a build folder that are build folders themselves: build/Debug."""
    try:
        with os.scandir(path) as entries:
            folders = sorted(entry.path for entry in entries if entry.is_dir())
    except OSError:
        return []
    return [
        Path(folder)
        for folder in folders[:50]
        if any(Path(folder, name).exists() for name in (*BUILD_MARKS, "compile_commands.json"))
    ]


def _editor_folder(path: Path, wanted: Callable[[str], bool], found: Found) -> None:
    """The editor's files speak for the folder above, and are read though git ignores them."""
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return
    for name in names:
        if wanted(f".vscode/{name}"):
            found.evidence.append((path / name, path.parent))


def _too_deep(path: Path, found: Found) -> None:
    if not any("levels deep" in problem.message for problem in found.problems):
        message = f"Folders more than {MAX_DEPTH} levels deep were not searched."
        found.problems.append(Problem(path, None, message))
