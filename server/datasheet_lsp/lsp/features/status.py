"""datasheet/status and datasheet/reload, and the commands of the same names."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from datasheet_lsp import __version__

if TYPE_CHECKING:
    from datasheet_lsp.assist.session import Session
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project
    from datasheet_lsp.lsp.protocol import ObjectRequest
    from datasheet_lsp.model import Device
    from datasheet_lsp.workspace import Context


def _context(context: Context, device: Device | None) -> dict[str, Any]:
    counts = {"error": 0, "warning": 0, "information": 0}
    peripherals = device.peripherals if device is not None else ()
    for diagnostic in device.diagnostics if device is not None else ():
        counts[diagnostic.severity] += 1
    return {
        "name": context.name,
        "device": context.device or (device.name if device is not None else None),
        "loaded": device is not None,
        "svd": str(context.svd) if context.svd is not None else None,
        "member": context.member,
        "documents": [str(path) for path in context.documents],
        "code": list(context.code),
        "reasons": list(context.reasons),
        "peripherals": len(peripherals),
        "registers": sum(len(peripheral.registers) for peripheral in peripherals),
        "diagnostics": counts,
    }


def problem_texts(project: Project) -> list[dict[str, Any]]:
    """What is wrong in a folder: path, 1-based line, and one sentence."""
    problems: list[dict[str, Any]] = []
    if project.failure:
        problems.append({"path": None, "line": None, "message": project.failure})
    for problem in project.session.problems if project.session is not None else ():
        path = str(problem.path) if problem.path is not None else None
        problems.append({"path": path, "line": problem.line, "message": problem.message})
    return problems


async def status_of(ls: DatasheetServer) -> dict[str, Any]:
    """What was found, chosen and why, for each folder. The shape both editor clients show."""
    found = ls.projects.all
    documents = await asyncio.gather(*(asyncio.to_thread(_documents, p.session) for p in found))
    return {
        "version": __version__,
        "positionEncoding": ls.encoding,
        "models": ls.models.state(),
        "loading": any(project.loading for project in found),
        "folders": [
            {
                "root": str(project.root),
                "loading": project.loading,
                "contexts": [_context(*found) for found in project.discovered()],
                "problems": problem_texts(project),
                "manuals": _manuals(ls, project, *listed),
            }
            for project, listed in zip(found, documents, strict=True)
        ],
    }


def _manuals(
    ls: DatasheetServer,
    project: Project,
    documents: list[dict[str, Any]],
    vectors: dict[str, Any] | None,
) -> dict[str, Any]:
    """The documents of a folder, ``summary`` of them in a line, and the run that goes on."""
    from datasheet_lsp.render.documents import manuals_line

    course = ls.indexing.course(project)
    reading = course.reading
    left = 0.0
    if course.running and reading.vectors is not None:
        vectors = {"name": "", **(vectors or {}), "done": reading.vectors.done}
        vectors["of"] = reading.vectors.of
        left = reading.vectors.seconds_left
    return {
        "summary": manuals_line(documents, vectors, left),
        "indexing": course.running,
        "message": reading.message if course.running else "",
        "percentage": reading.percentage if course.running else 100,
        "stopped": reading.finished.stopped if reading.finished is not None else "",
        "cancelled": course.cancelled,
        "vectors": vectors,
        "documents": documents,
    }


def _documents(session: Session | None) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """The manuals of a folder, indexed or not, and their vectors; reads the index: for a thread."""
    if session is None or session.root is None or session.index_path is None:
        return [], None
    from datasheet_lsp.assist.manuals import list_documents, manuals_of, vectors_of

    root, settings = session.root, session.settings
    documents, _ = list_documents(root, settings, session.index_path, session.discovery.contexts)
    wanted = session.index_path if settings.embed.enabled else None
    return manuals_of(documents), vectors_of(wanted)


async def status(ls: DatasheetServer, params: ObjectRequest) -> dict[str, Any]:
    """The state as it is now; does not wait for what is being loaded."""
    return await status_of(ls)


async def reload(ls: DatasheetServer, params: ObjectRequest) -> dict[str, Any]:
    """Reads everything anew, and returns the state after that."""
    ls.models.retry()
    ls.asking.forget()
    await ls.projects.reload()
    return await status_of(ls)


async def status_command(ls: DatasheetServer, *_: object) -> dict[str, Any]:
    """``datasheet.status``."""
    return await status_of(ls)


async def reload_command(ls: DatasheetServer, *_: object) -> dict[str, Any]:
    """``datasheet.reload``."""
    ls.models.retry()
    ls.asking.forget()
    await ls.projects.reload()
    return await status_of(ls)
