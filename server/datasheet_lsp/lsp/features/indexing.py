"""datasheet/reindex and the command of the same name: the index brought up to date."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from datasheet_lsp.lsp.client import plain
from datasheet_lsp.lsp.features.status import status_of

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer


async def reindex(ls: DatasheetServer, params: object) -> dict[str, Any]:
    """Brings the index up to date and returns the state after that; ``again`` reads all anew."""
    return await _reindex(ls, plain(params))


async def reindex_command(ls: DatasheetServer, *arguments: object) -> dict[str, Any]:
    """``datasheet.reindex``."""
    return await _reindex(ls, plain(arguments[0]) if arguments else None)


async def _reindex(ls: DatasheetServer, options: Any) -> dict[str, Any]:
    again = isinstance(options, dict) and options.get("again") is True
    projects = await ls.projects.all_ready()
    await asyncio.gather(*(ls.indexing.now(project, again) for project in projects))
    return await status_of(ls)
