"""The header files of a workspace: found by name, read once, kept in memory."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from datasheet_lsp.firmware.headers.chips import fit
from datasheet_lsp.firmware.headers.scan import FileFacts

_HEADER = (
    ".h",
    ".hh",
    ".hpp",
    ".hxx",
    ".inc",
    ".inl",
    ".ipp",
    ".def",
    ".h_",
    ".ld",
    ".lds",
    ".c",
    ".cpp",
)
_SKIPPED = frozenset(
    (".git", ".svn", ".hg", "node_modules", "__pycache__", ".venv", "venv", ".datasheet", ".cache",
     ".vs", ".idea", "doc", "docs", "html")
)  # fmt: skip
_STANDARD = frozenset(
    f"{name}.h"
    for name in (
        "assert", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale",
        "math", "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef",
        "stdint", "stdio", "stdlib", "stdnoreturn", "string", "strings", "tgmath", "threads",
        "time", "uchar", "wchar", "wctype", "unistd", "fcntl", "sys/types", "sys/cdefs",
        "sys/param", "sys/time", "sys/stat", "sys/lock", "sys/reent", "sys/queue", "malloc",
        "memory", "alloca", "intrinsics", "cmath", "new", "arm_acle", "pthread",
    )
)  # fmt: skip
MAX_FILES = 40_000
MAX_BYTES = 8 * 1024 * 1024
_LINKER_SYMBOL = re.compile(
    rb"(?:^|[;{}(\s])([A-Za-z_]\w*)\s*=\s*(?:ABSOLUTE\s*\(\s*)?(0[xX][0-9a-fA-F]+)\s*\)?\s*\)?\s*;"
)


class Store:
    """The files of a workspace. Reads files; one thread at a time does so.

    ``top`` is the folder beyond which no header is looked for.
    """

    def __init__(self, top: Path) -> None:
        self.top = os.path.abspath(top)
        self._facts: dict[str, tuple[tuple[int, int] | None, FileFacts | None]] = {}
        self._by_name: dict[str, list[str]] = {}
        self._levels: dict[str, str] = {}
        self._listed: set[str] = set()
        self._count = 0
        self._symbols: dict[str, dict[str, int]] = {}
        self.lock = threading.RLock()

    # -- files ------------------------------------------------------------------------------

    def facts(self, path: str) -> FileFacts | None:
        """What a file says, None where it cannot be read."""
        known = self._facts.get(path)
        if known is not None:
            return known[1]
        try:
            stat = os.stat(path)
            stamp = (stat.st_mtime_ns, stat.st_size)
            found = None
            if stat.st_size <= MAX_BYTES:
                with open(path, "rb") as file:
                    found = FileFacts(path, file.read(MAX_BYTES))
        except OSError:
            stamp, found = None, None
        self._facts[path] = (stamp, found)
        return found

    def changed(self) -> bool:
        """Whether a file that was read is another now; it is forgotten then."""
        gone = []
        for path, (stamp, _) in list(self._facts.items()):
            try:
                stat = os.stat(path)
                now = (stat.st_mtime_ns, stat.st_size)
            except OSError:
                now = None
            if now != stamp:
                gone.append(path)
        for path in gone:
            self._facts.pop(path, None)
        return bool(gone)

    def relist(self) -> None:
        """Forgets which files there are."""
        self._by_name.clear()
        self._listed.clear()
        self._levels.clear()
        self._symbols.clear()
        self._count = 0

    # -- listing ----------------------------------------------------------------------------

    def _list(self, folder: str) -> None:
        """Lists the files below ``folder`` that are not listed yet."""
        waiting = [folder]
        while waiting and self._count < MAX_FILES:
            now = waiting.pop()
            if now in self._listed:
                continue
            self._listed.add(now)
            try:
                entries = list(os.scandir(now))
            except OSError:
                continue
            for entry in entries:
                name = entry.name
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if name not in _SKIPPED:
                            waiting.append(entry.path)
                    elif name.endswith(_HEADER):
                        self._count += 1
                        self._by_name.setdefault(name, []).append(entry.path)
                except OSError:
                    continue

    def widen(self, main: str) -> bool:
        """Lists one folder more around the file ``main``; False where the top was reached."""
        start = os.path.dirname(main)
        level = self._levels.get(start)
        if level is None:
            level = start
        elif level == self.top or self._count >= MAX_FILES:
            return False
        else:
            parent = os.path.dirname(level)
            if parent == level or not (level + os.sep).startswith(self.top.rstrip(os.sep) + os.sep):
                return False
            level = parent
        self._levels[start] = level
        self._list(level)
        return True

    def named(self, name: str) -> list[str]:
        """The listed files called ``name``."""
        return self._by_name.get(name, [])

    def all_named(self, endings: tuple[str, ...]) -> Iterator[str]:
        """All listed files whose name ends so."""
        for name, paths in self._by_name.items():
            if name.endswith(endings):
                yield from paths

    # -- includes ---------------------------------------------------------------------------

    def resolve(
        self,
        name: str,
        quoted: bool,
        includer: str,
        main: str,
        chips: Sequence[str],
        include: Sequence[str] = (),
    ) -> str | None:
        """The file an ``#include`` means, None where there is none; "" for the C library's own.

        ``include`` are folders from the compiler's command line.
        """
        name = name.replace("\\", "/")
        beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
        if quoted and os.path.isfile(beside):
            return beside
        for folder in include:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                return path
        if name in _STANDARD:
            return ""
        while True:
            found = self._best(name, includer, main, chips)
            if found is not None:
                return found
            if not self.widen(main):
                return beside if os.path.isfile(beside) else None

    def _best(self, name: str, includer: str, main: str, chips: Sequence[str]) -> str | None:
        parts = [part for part in name.split("/") if part not in ("", ".", "..")]
        if not parts:
            return None
        tail = "/" + "/".join(parts)
        paths = [p for p in self.named(parts[-1]) if p.replace(os.sep, "/").endswith(tail)]
        if len(paths) < 2:
            return paths[0] if paths else None
        return max(paths, key=lambda path: nearness(path, includer, main, chips))

    # -- linker scripts ---------------------------------------------------------------------

    def symbol(self, name: str, near: str, chips: Sequence[str]) -> int | None:
        """The address a linker script gives a symbol, None where none does."""
        found: list[tuple[tuple[float, int, int, int], int]] = []
        for path in self.all_named((".ld", ".lds")):
            table = self._symbols.get(path)
            if table is None:
                table = self._symbols[path] = _linker_symbols(path)
            if name in table:
                found.append((nearness(path, near, near, chips), table[name]))
        if not found:
            return None
        best = max(found)[0]
        values = {value for score, value in found if score[:2] == best[:2]}
        return values.pop() if len(values) == 1 else None


def nearness(
    path: str, includer: str, main: str, chips: Sequence[str]
) -> tuple[float, int, int, int]:
    """How well a file fits: the chip in its path, then the folders it shares, then how deep."""
    folders = os.path.dirname(path).split(os.sep)
    chip = max((fit(folder, one) for folder in folders for one in chips), default=0.0)
    return (
        chip,
        _shared(folders, os.path.dirname(main).split(os.sep)),
        _shared(folders, os.path.dirname(includer).split(os.sep)),
        -len(folders),
    )


def _shared(a: list[str], b: list[str]) -> int:
    count = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        count += 1
    return count


def _linker_symbols(path: str) -> dict[str, int]:
    try:
        with open(path, "rb") as file:
            text = file.read(MAX_BYTES)
    except OSError:
        return {}
    text = re.sub(rb"/\*.*?\*/", b" ", text, flags=re.S)
    return {
        found[1].decode("ascii", "replace"): int(found[2], 16)
        for found in _LINKER_SYMBOL.finditer(text)
    }
