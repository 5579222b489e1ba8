"""What the project's own files say about the device: one reader for each kind of file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module

from datasheet_lsp.workspace.evidence.file import ProjectFile, Rank
from datasheet_lsp.workspace.types import Evidence

__all__ = ["ProjectFile", "Rank", "evidence_of", "is_wanted"]

Reader = Callable[[ProjectFile], Iterator[Evidence]]

# The file's name (with .vscode/ for the editor's own), the module that reads it, the function.
_READERS = [
    (re.compile(pattern, re.IGNORECASE), module, reader)
    for pattern, module, reader in (
        (r"[^/]+\.ioc", "ini", "read_ioc"),
        (r"platformio\.ini", "ini", "read_platformio"),
        (r"\.template", "ini", "read_template"),
        (r"sdkconfig(\.defaults)?|\.config|prj\.conf", "ini", "read_kconfig"),
        (r"\.vscode/launch\.json", "editor", "read_launch"),
        (r"\.vscode/(settings|c_cpp_properties)\.json", "editor", "read_settings_json"),
        (r"CMake(User)?Presets\.json|eide\.json", "editor", "read_settings_json"),
        (r"compile_commands\.json", "editor", "read_commands"),
        (r"CMakeLists\.txt|[^/]+\.cmake", "build", "read_cmake"),
        (r"(GNU)?Makefile(\.[\w-]+)?|[^/]+\.mk", "build", "read_make"),
        (r"\.cproject", "xml", "read_cproject"),
        (r"[^/]+\.uvprojx?", "xml", "read_keil"),
        (r"[^/]+\.ewp", "xml", "read_iar"),
        (r"[^/]+\.emProject", "xml", "read_segger"),
    )
]


_ANY = re.compile("|".join(pattern.pattern for pattern, _, _ in _READERS), re.IGNORECASE)


def is_wanted(name: str) -> bool:
    """Whether a file of this name may tell of the device."""
    return _ANY.fullmatch(name) is not None


def evidence_of(file: ProjectFile) -> list[Evidence]:
    """All that the file says about the device. Never raises."""
    name = file.path.name
    if file.path.parent.name == ".vscode":
        name = f".vscode/{name}"
    for pattern, module, reader in _READERS:
        if pattern.fullmatch(name):
            read: Reader = getattr(import_module(f"{__name__}.{module}"), reader)
            try:
                return list(read(file))
            except (RecursionError, MemoryError):
                return []
    return []
