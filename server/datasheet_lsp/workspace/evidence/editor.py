"""JSON files: the editor's, CMake's presets, Embedded IDE's, and the compilation database."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from datasheet_lsp.workspace import names
from datasheet_lsp.workspace.evidence.file import ProjectFile, Rank
from datasheet_lsp.workspace.evidence.jsonc import Entry, entries
from datasheet_lsp.workspace.types import Evidence

MAX_COMMANDS_BYTES = 64 * 1024 * 1024

_SVD_KEYS = frozenset(("svdfile", "svdpath", "definitionpath", "svd"))
_DEVICE_KEYS = frozenset(
    ("device", "devicename", "deviceid", "chip", "mcu", "targetid", "target_id", "targetdevice")
)
_DEFINE_KEYS = frozenset(("defines", "definelist", "definitions"))


def read_launch(file: ProjectFile) -> Iterator[Evidence]:
    """``launch.json``: cortex-debug, the Cortex debuggers of vendors, probe-rs, gdb front ends."""
    for entry in entries(file.text):
        key = entry.key.casefold()
        group = f"configuration {_position(entry)}"
        if key in _SVD_KEYS:
            yield from file.svd(entry.line, f"{entry.key}: {entry.value}", entry.value, group)
        elif key in _DEVICE_KEYS:
            says = f"{entry.key}: {entry.value}"
            yield from file.word(entry.line, says, Rank.DEBUG, entry.value, group)


def _position(entry: Entry) -> int:
    return next((key + 1 for key in entry.keys if isinstance(key, int)), 1)


def read_settings_json(file: ProjectFile) -> Iterator[Evidence]:
    """``settings.json``, ``c_cpp_properties.json``, ``CMakePresets.json``, ``eide.json``."""
    for entry in entries(file.text):
        path = [str(key).casefold() for key in entry.keys if isinstance(key, str)]
        last = entry.key.rpartition(".")[2]
        folded = last.casefold()
        says = f"{last}: {entry.value}"
        if folded in _SVD_KEYS and entry.value.lower().endswith((".svd", ".xml", ".svd.gz")):
            yield from file.svd(entry.line, says, entry.value)
        elif folded == "devicename" and file.path.name == "eide.json":
            yield from file.device(entry.line, says, Rank.IDE, entry.value)
        elif folded in _DEFINE_KEYS or any(key.endswith("defines") for key in path):
            yield from file.define(entry.line, entry.value, Rank.EDITOR)
        elif folded in _DEVICE_KEYS:
            yield from file.word(entry.line, says, Rank.EDITOR, entry.value)
        elif folded == "adaptertargetname" or folded == "idf_target":
            yield from file.device(entry.line, says, Rank.EDITOR, entry.value)
        elif last.isupper() or "cachevariables" in path:
            keys = [key for key in entry.keys if isinstance(key, str)]
            name = keys[-2] if last == "value" and len(keys) > 1 else last
            yield from file.variable(entry.line, name, entry.value, Rank.VARIABLE)


class _Command(msgspec.Struct):
    file: str = ""
    directory: str = ""
    command: str = ""
    arguments: list[str] = []


_OPTION = re.compile(r"(?:^|\s|[\"'])-D\s*\\?[\"']?(\w+(?:=[\w.\\\"'-]+)?)")
_CORE = re.compile(r"(?:-mcpu=|--cpu[= ])cortex-(m\d+(?:plus)?)", re.IGNORECASE)


def read_commands(file: ProjectFile) -> Iterator[Evidence]:
    """``compile_commands.json``: the defines and the core, for the folders of the files.

    One device speaks for the whole folder of the project; several each for the folder their
    files have in common, where these lie apart.
    """
    data = file.read(MAX_COMMANDS_BYTES)
    try:
        commands = msgspec.json.decode(data, type=list[_Command])
    except (msgspec.DecodeError, RecursionError):
        return
    seen: dict[str, list[str]] = {}
    cores: dict[str, int] = {}
    for command in commands:
        text = command.command or " ".join(command.arguments)
        for option in dict.fromkeys(_OPTION.findall(text)):
            seen.setdefault(option, []).append(
                os.path.normpath(os.path.join(command.directory, command.file))
            )
        for core in _CORE.findall(text):
            cores[f"C{core.upper()}"] = cores.get(f"C{core.upper()}", 0) + 1
    found = []
    for option, files in seen.items():
        for evidence in file.define(_line(data, option), option, Rank.COMMANDS):
            found.append((evidence, files))
    apart = _folders(file, [(e, files) for e, files in found if e.device])
    for evidence, _ in found:
        yield msgspec.structs.replace(evidence, folder=apart.get(evidence.device, file.folder))
    if len(cores) == 1:
        (core,) = cores
        yield Evidence(
            file.path,
            None,
            f"-mcpu=cortex-{core[1:].lower()}",
            Rank.COMMANDS,
            file.folder,
            core=core,
        )


def _line(data: bytes, option: str) -> int | None:
    at = data.find(option.encode())
    return data.count(b"\n", 0, at) + 1 if at >= 0 else None


def _folders(file: ProjectFile, found: list[tuple[Evidence, list[str]]]) -> dict[str | None, Path]:
    """The folder of each device where the files name several that do not agree."""
    devices = [evidence.device or "" for evidence, _ in found]
    if all(names.agree(one, other) for one in devices for other in devices):
        return {}
    folders: dict[str | None, Path] = {}
    for evidence, files in found:
        try:
            common = Path(os.path.commonpath([os.path.dirname(name) for name in files]))
        except ValueError:
            return {}
        if not common.is_relative_to(file.folder):
            return {}
        folders[evidence.device] = common
    return folders
