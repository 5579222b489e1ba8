"""What the user sees of a load: progress, what was chosen and why, and what is wrong."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from datasheet_lsp.lsp.features.status import problem_texts

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project
    from datasheet_lsp.lsp.projects import Load

CREATE_SECONDS = 1.0
"""How long a client may take to make a progress token; then there is none for this load."""

_numbers = itertools.count(1)


async def around_load(ls: DatasheetServer, project: Project, load: Load) -> None:
    """Runs ``load`` with progress around it and reports what came of it."""
    work = asyncio.ensure_future(load(project))
    try:
        token = await _begin(ls, project, work) if ls.client.progress else None
        await work
    except asyncio.CancelledError:
        work.cancel()
        raise
    summary = report(ls, project)
    if token is not None:
        ls.work_done_progress.end(token, types.WorkDoneProgressEnd(message=summary))


async def _begin(ls: DatasheetServer, project: Project, work: asyncio.Future[None]) -> str | None:
    """A progress token, None where the client makes none while the work goes on."""
    token = f"datasheet-{next(_numbers)}"
    create = asyncio.ensure_future(ls.work_done_progress.create_async(token))
    waited: set[asyncio.Future[Any]] = {create, work}
    await asyncio.wait(waited, timeout=CREATE_SECONDS, return_when="FIRST_COMPLETED")
    if not create.done() or create.cancelled() or create.exception() is not None:
        create.cancel()
        return None
    title = f"Reading the devices of {project.root.name}"
    ls.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title))
    return token


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
    fresh = []
    for problem in problem_texts(project):
        text = one_line(problem)
        ls.log(text, types.MessageType.Warning)
        if text not in ls.shown:
            ls.shown.add(text)
            fresh.append(text)
    if fresh:
        more = f" And {len(fresh) - 1} more, see the log." if len(fresh) > 1 else ""
        ls.window_show_message(
            types.ShowMessageParams(
                type=types.MessageType.Warning, message=f"datasheet-lsp: {fresh[0]}{more}"
            )
        )
    names = [loaded.context.device or loaded.device.name for loaded in project.contexts]
    return ", ".join(names) or "no device"


def one_line(problem: dict[str, Any]) -> str:
    """A problem with its place, as compilers write it."""
    place = str(problem["path"] or "")
    if place and problem["line"]:
        place += f":{problem['line']}"
    return f"{place}: {problem['message']}" if place else str(problem["message"])
