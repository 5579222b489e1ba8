"""workspace/symbol: registers of the chip by name and by address."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp.features.definition import line_range, locate

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project
    from datasheet_lsp.model import Device

KINDS = {
    "peripheral": types.SymbolKind.Module,
    "register": types.SymbolKind.Variable,
    "field": types.SymbolKind.Field,
}


async def symbols(
    ls: DatasheetServer, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """Symbols for a query, the likeliest first."""
    return await asyncio.to_thread(_search, params.query, await ls.projects.all_ready())


def _search(query: str, projects: list[Project]) -> list[types.SymbolInformation]:
    from datasheet_lsp.assist import symbols as assist

    tables = [table for project in projects for table in project.tables()]
    files: dict[tuple[int, str], Path | None] = {}
    found: list[types.SymbolInformation] = []
    for symbol in assist.symbols(query, tables):
        place = symbol.location
        key = (id(place.device), place.peripheral.source)
        if key not in files:
            files[key] = locate(place, projects)
        path = files[key]
        if path is None:
            continue
        found.append(
            types.SymbolInformation(
                name=symbol.label,
                kind=KINDS[symbol.kind],
                container_name=_container(place.device, place.address),
                location=types.Location(uri=path.as_uri(), range=line_range(symbol.line)),
            )
        )
    return found


def _container(device: Device, address: int) -> str:
    digits = f"{address:08X}"
    return f"{device.name} 0x{digits[:-4]} {digits[-4:]}"
