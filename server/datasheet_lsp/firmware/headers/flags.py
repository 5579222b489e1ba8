"""What the compiler is told: macros and include folders, where the workspace says so."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

_NAMES = ("compile_commands.json", "build/compile_commands.json", "Debug/compile_commands.json",
          "out/compile_commands.json", "cmake-build-debug/compile_commands.json")  # fmt: skip
_EDITOR = ".vscode/c_cpp_properties.json"
_MAX_BYTES = 64 * 1024 * 1024
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.S)
_TRAILING = re.compile(r",\s*([\]}])")


class Flags(msgspec.Struct, frozen=True):
    """``defines`` and ``include`` folders; ``complete`` where nothing else is defined."""

    defines: dict[str, str] = {}
    include: tuple[str, ...] = ()
    complete: bool = False


class BuildFlags:
    """The flags of the files of a workspace. Reads files when it is made."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._files: dict[str, Flags] = {}
        self._some: Flags | None = None
        self._editor = Flags()
        for folder in folders:
            for name in _NAMES:
                self._read_database(folder / name)
            self._read_editor(folder)

    def of(self, path: str) -> Flags:
        """The flags of a file; for a header those of some file of the project."""
        known = self._files.get(os.path.realpath(path)) or self._files.get(path)
        if known is not None:
            return known
        if self._some is not None:
            return msgspec.structs.replace(self._some, complete=False)
        return self._editor

    def _read_database(self, path: Path) -> None:
        entries = _json(path)
        if not isinstance(entries, list):
            return
        for entry in entries:
            if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
                continue
            folder = str(entry.get("directory") or path.parent)
            words = entry.get("arguments")
            if not isinstance(words, list):
                try:
                    words = shlex.split(str(entry.get("command") or ""))
                except ValueError:
                    continue
            flags = flags_of([str(word) for word in words], folder)
            file = os.path.normpath(os.path.join(folder, entry["file"]))
            self._files.setdefault(file, flags)
            self._files.setdefault(os.path.realpath(file), flags)
            self._some = self._some or flags

    def _read_editor(self, folder: Path) -> None:
        found = _json(folder / _EDITOR)
        if not isinstance(found, dict):
            return
        defines: dict[str, str] = {}
        include: list[str] = []
        configurations = found.get("configurations")
        for one in configurations[:1] if isinstance(configurations, list) else ():
            if not isinstance(one, dict):
                continue
            for word in _strings(one.get("defines")):
                name, _, value = word.partition("=")
                defines[name] = value or "1"
            for word in _strings(one.get("includePath")):
                word = word.replace("${workspaceFolder}", str(folder)).rstrip("*/")
                if word and "$" not in word:
                    include.append(os.path.normpath(os.path.join(folder, word)))
        if defines or include:
            self._editor = Flags(defines, tuple(include))


def flags_of(words: Sequence[str], folder: str) -> Flags:
    """The flags on a compiler's command line that runs in ``folder``."""
    defines: dict[str, str] = {}
    include: list[str] = []
    waiting = iter(words)
    for word in waiting:
        for option in ("-D", "/D", "-U", "-I", "/I", "-isystem", "-iquote", "-imsvc"):
            if not word.startswith(option):
                continue
            rest = word[len(option) :] or next(waiting, "")
            if option in ("-D", "/D"):
                name, equal, value = rest.partition("=")
                defines[name] = value if equal else "1"
            elif option == "-U":
                defines.pop(rest, None)
            else:
                include.append(os.path.normpath(os.path.join(folder, rest)))
            break
    return Flags(defines, tuple(dict.fromkeys(include)), True)


def _strings(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _json(path: Path) -> Any:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        text = path.read_text("utf-8-sig", "replace")
    except OSError:
        return None
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:  # as editors write it, with comments
        text = _COMMENT.sub(lambda found: found[1] or " ", text)
        return json.loads(_TRAILING.sub(r"\1", text))
    except (ValueError, RecursionError):
        return None


def merged(flags: Flags, further: Mapping[str, str]) -> Flags:
    """``flags`` with macros that are not set there."""
    return msgspec.structs.replace(flags, defines={**further, **flags.defines})
