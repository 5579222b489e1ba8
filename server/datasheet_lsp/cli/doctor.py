"""``datasheet-lsp doctor``: what was found, what was chosen and why, what is missing."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasheet_lsp.assist.session import LoadedContext, Session
    from datasheet_lsp.model import Device
    from datasheet_lsp.workspace import Context

DESCRIPTION = """Says which chip this folder is for and how that is known, what its SVD file holds,
and what is wrong or missing. It changes nothing and does not fail."""

_PARTS = (
    "pygls", "lsprotocol", "lxml", "msgspec", "apsw", "tree-sitter", "tree-sitter-c", "rapidfuzz",
    "pathspec",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder or file to look at."""
    parser.add_argument(
        "path",
        nargs="?",
        type=Path,
        default=Path(),
        metavar="PATH",
        help="a folder of the project, or a file: then the device for it (default: this folder)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Prints the findings; always 0."""
    from datasheet_lsp.cli.output import plain_style, print_json
    from datasheet_lsp.render.doctor import doctor_text

    findings = examine(Path(os.path.abspath(arguments.path)))
    if arguments.json:
        print_json(findings)
    else:
        print(doctor_text(findings, plain_style()))
    return 0


def examine(path: Path) -> dict[str, Any]:
    """All findings as plain data."""
    from datasheet_lsp import __version__

    findings: dict[str, Any] = {
        "version": __version__,
        "root": str(path),
        "settings": None,
        "contexts": [],
        "candidates": [],
        "documents": [],
        "vectors": None,
        "engines": None,
        "problems": [],
        "index": None,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "executable": sys.executable,
        "packages": _packages(),
    }
    if not path.exists():
        findings["problems"].append(_problem(None, None, f"{path} is not there."))
        return findings
    try:
        _look(findings, path)
    except Exception as error:  # what is wrong is what is asked for
        message = f"The workspace cannot be read: {type(error).__name__}: {error}"
        findings["problems"].append(_problem(path, None, message))
    return findings


def _look(findings: dict[str, Any], path: Path) -> None:
    from datasheet_lsp.cli.chip import load_workspace
    from datasheet_lsp.cli.engines import engine_facts
    from datasheet_lsp.workspace.settings import FILE_NAME

    session = load_workspace(path)
    root = session.root or path
    file = path if path.is_file() else None
    findings["root"] = str(root)
    if (root / FILE_NAME).is_file():
        findings["settings"] = str(root / FILE_NAME)
    discovery = session.discovery
    loaded = {id(context.context): context for context in session.contexts}
    applies = {id(lookup) for lookup in session.lookups_for(file)}
    for context in discovery.contexts:
        entry = _context(context, loaded.get(id(context)))
        if file is not None:
            found = loaded.get(id(context))
            entry["applies_to_file"] = found is not None and id(found.lookup) in applies
        findings["contexts"].append(entry)
    chosen = {(context.svd, context.member) for context in discovery.contexts}
    findings["candidates"] = [
        {
            "path": str(svd.path),
            "member": svd.member,
            "names": list(svd.names),
            "source": svd.source,
            "ignored": svd.ignored,
            "chosen": (svd.path, svd.member) in chosen,
        }
        for svd in discovery.svds
    ]
    findings["problems"] += [_problem(p.path, p.line, p.message) for p in session.problems]
    findings["index"] = _index(session)
    findings["engines"] = engine_facts(root, session.settings)
    _look_at_documents(findings, session, root)


def _look_at_documents(findings: dict[str, Any], session: Session, root: Path) -> None:
    from datasheet_lsp.assist.manuals import list_documents, manuals_of, vectors_of

    settings = session.settings
    path = root / Path(settings.index.path).expanduser() if settings.index.enabled else None
    documents, problem = list_documents(root, settings, path, session.discovery.contexts)
    findings["documents"] = manuals_of(documents)
    findings["vectors"] = vectors_of(path) if settings.embed.enabled else None
    if problem and all(problem != known["message"] for known in findings["problems"]):
        findings["problems"].append(_problem(path, None, problem))


def _context(context: Context, loaded: LoadedContext | None) -> dict[str, Any]:
    return {
        "name": context.name,
        "device": context.device,
        "svd": str(context.svd) if context.svd else None,
        "member": context.member,
        "reasons": list(context.reasons),
        "code": list(context.code),
        "documents": [str(path) for path in context.documents],
        "loaded": None if loaded is None else _device(loaded.device),
    }


def _device(device: Device) -> dict[str, Any]:
    own = [p for p in device.peripherals if not p.source]
    added = [p for p in device.peripherals if p.source]
    severities = [d.severity for d in device.diagnostics]
    return {
        "name": device.name,
        "vendor": device.vendor,
        "source": device.source,
        "sha256": device.sha256,
        "peripherals": len(own),
        "registers": sum(len(p.registers) for p in own),
        "fields": sum(len(r.fields) for p in own for r in p.registers),
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "notes": severities.count("information"),
        "cpu": device.cpu.name if device.cpu else None,
        "core_file": added[0].source if added else None,
        "core_added": list(dict.fromkeys(p.name for p in added)),
    }


def _index(session: Session) -> dict[str, Any] | None:
    path = session.index_path
    if path is None:
        return None
    try:
        size: int | None = path.stat().st_size
    except OSError:
        size = None
    return {"path": str(path), "bytes": size}


def _packages() -> dict[str, str | None]:
    from importlib import metadata

    found: dict[str, str | None] = {}
    for name in _PARTS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def _problem(path: Path | None, line: int | None, message: str) -> dict[str, Any]:
    return {"path": str(path) if path else None, "line": line, "message": message}
