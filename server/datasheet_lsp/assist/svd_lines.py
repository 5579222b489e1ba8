"""From the name of a register to its line in an SVD file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from datasheet_lsp.model import Device

if TYPE_CHECKING:
    from datasheet_lsp.assist.session import LoadedContext


def line_of(device: Device, path: str) -> int | None:
    """The 1-based line of a peripheral or register (``USART2.BRR``, ``CH[%s].CFG``)."""
    name, _, register = path.partition(".")
    for peripheral in device.peripherals:
        if peripheral.name == name:
            if not register:
                return peripheral.line or None
            for each in peripheral.registers:
                if register in (each.path, each.template):
                    return each.line or None
    return None


def svd_place(
    file: str, symbols: Sequence[str], contexts: Iterable[LoadedContext]
) -> tuple[Path | None, int | None]:
    """The SVD file called ``file`` among those in use, and the line of the first of ``symbols``."""
    name = PurePosixPath(file.replace("\\", "/")).name
    for loaded in contexts:
        path = loaded.context.svd
        if path is not None and name in (path.name, loaded.device.source):
            lines = (line_of(loaded.device, symbol) for symbol in symbols)
            return path, next((line for line in lines if line is not None), None)
    return None, None


def lead_to_svd(data: dict[str, Any], contexts: Sequence[LoadedContext]) -> None:
    """Gives what is from an SVD file the address of that file and a line; others have none."""
    pieces = {piece["number"]: piece for piece in data["chunks"] if piece["format"] == "svd"}
    for each in (*data["chunks"], *data["citations"]):
        each["line"] = None
        piece = pieces.get(each["number"])
        if piece is not None:
            path, line = svd_place(each["file"], piece["symbols"], contexts)
            each["line"] = next((n for n in piece["lines"] if n), line)
            if path is not None:
                each["uri"] = path.as_uri()
