"""What the user sees of a load: progress, what was chosen and why, and what is wrong."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from datasheet_lsp.lsp.features import code
from datasheet_lsp.lsp.features.status import problem_texts
from datasheet_lsp.lsp.progress import Token

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project
    from datasheet_lsp.lsp.projects import Load


async def around_load(ls: DatasheetServer, project: Project, load: Load) -> None:
    """Runs ``load`` with progress around it and reports what came of it."""
    work = asyncio.ensure_future(load(project))
    try:
        token = await Token.create(ls, work)
        if token is not None:
            token.begin(f"Reading the devices of {project.root.name}")
        await work
    except asyncio.CancelledError:
        work.cancel()
        raise
    summary = report(ls, project)
    if token is not None:
        token.end(summary)
    ls.indexing.soon(project)
    code.refresh(ls, project)


def report(ls: DatasheetServer, project: Project) -> str:
    """Logs what was chosen and why, shows new problems once; returns one line about it."""
    if project.session is not None:
        level = project.session.settings.log.level
        logging.getLogger("datasheet_lsp").setLevel(level.upper())
    lines = []
    for context, device in project.discovered():
        name = context.device or (device.name if device is not None else context.name)
        svd = context.svd.name if context.svd is not None else "no SVD"
        why = f": {'; '.join(context.reasons)}" if context.reasons else ""
        lines.append(f"{project.root}: {name} from {svd}{why}")
    if not lines:
        lines.append(f"{project.root}: no device, as no SVD file was found.")
    for line in lines:
        ls.log(line)
    ls.show_problems([one_line(problem) for problem in problem_texts(project)])
    names = [loaded.context.device or loaded.device.name for loaded in project.contexts]
    return ", ".join(names) or "no device"


def one_line(problem: dict[str, Any]) -> str:
    """A problem with its place, as compilers write it."""
    place = str(problem["path"] or "")
    if place and problem["line"]:
        place += f":{problem['line']}"
    return f"{place}: {problem['message']}" if place else str(problem["message"])
