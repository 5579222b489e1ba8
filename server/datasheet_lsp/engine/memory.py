"""How much memory this machine has, and about how much a model takes."""

from __future__ import annotations

import os
import sys

from datasheet_lsp.engine.models import EmbedModel

LIBRARIES = 600 << 20
"""What the embedder process takes with torch and a batch in work, without weights."""

LIBRARIES_GGUF = 150 << 20

WORK = 1.5
"""Weights and what is computed with them, by the size of the weights, about."""


def total() -> int:
    """Bytes of memory in this machine, 0 where that is not told."""
    if sys.platform == "win32":
        return _windows()[0]
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 0


def available() -> int:
    """Bytes that could be used now without swapping; all of them where that is not told."""
    if sys.platform == "win32":
        return _windows()[1]
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return total()


def needed(model: EmbedModel) -> int:
    """Bytes that the embedder process has at its most with the model, about."""
    libraries = LIBRARIES_GGUF if model.kind == "gguf" else LIBRARIES
    return libraries + int(model.size * WORK)


def _windows() -> tuple[int, int]:
    if sys.platform != "win32":
        return 0, 0
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = [
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "c", "d", "e", "f", "g")),
        ]

    status = Status(length=ctypes.sizeof(Status))
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return 0, 0
    return int(status.total), int(status.free)
