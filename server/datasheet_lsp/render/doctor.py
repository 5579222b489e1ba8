"""What ``doctor`` found, worded for people."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from datasheet_lsp.render import words
from datasheet_lsp.render.documents import manuals_line, problems_of, undecided_lines
from datasheet_lsp.render.engines import engine_rows
from datasheet_lsp.render.escape import one_line
from datasheet_lsp.render.progress import problem_line
from datasheet_lsp.render.style import Plain

_LABEL = 11
_MAX_CANDIDATES = 8
_CORES = {"m0plus": "M0+"}
_STATES = {
    "waiting": "not indexed yet",
    "changed": "has changed since it was indexed",
    "gone": "is no longer there",
}


def doctor_text(findings: Mapping[str, Any], style: Plain) -> str:
    """The findings as labelled lines, what to do about them last.

    The keys of ``findings`` are those of ``doctor --json``.
    """
    rows: list[tuple[str, str]] = []
    contexts = findings["contexts"]
    root = findings["root"]
    for context in contexts:
        if len(contexts) > 1:
            rows.append(("", ""))
        rows += _context(context, root)
    if not contexts:
        rows.append(("device", "none: no SVD file was chosen"))
    if len(contexts) > 1:
        rows.append(("", ""))
    rows += _manuals(findings["documents"], contexts, findings.get("vectors"))
    if findings["engines"] is not None:
        rows += engine_rows(findings["engines"])
    rows.append(("", ""))
    rows.append(("workspace", root))
    rows.append(("settings", findings["settings"] or "none needed (datasheet.toml is not there)"))
    rows.append(("index", _index(findings["index"])))
    rows += _candidates(findings["candidates"], root)
    rows.append(("versions", _versions(findings)))
    problems = findings["problems"]
    if problems:
        rows.append(("", ""))
        rows += [("problem", _problem(problem, root)) for problem in problems]
    for said in missing(findings):
        rows.append(("to do", said))
    return "\n".join(_line(label, text, style.width) for label, text in rows)


def missing(findings: Mapping[str, Any]) -> list[str]:
    """What is not there and how to get it."""
    said = []
    loaded = [c["loaded"] for c in findings["contexts"] if c["loaded"]]
    if not loaded:
        said.append(
            "Put the chip's SVD file into the workspace, or name it in datasheet.toml: [[context]] "
            'svd = "FILE". The chip\'s vendor has it in its CMSIS pack (a .pack serves as it is); '
            "many are collected at github.com/cmsis-svd/cmsis-svd-data."
        )
    for device in loaded:
        if device["cpu"] is None:
            said.append(
                f"{device['source']} does not say which processor {device['name']} has: core "
                "registers such as SysTick are known only if the file has them."
            )
    if any(document["state"] in _STATES for document in findings["documents"]):
        said.append("To bring the index up to date: datasheet-lsp index. An editor does it too.")
    absent = [name for name, version in findings["packages"].items() if version is None]
    if absent:
        said.append(f"Not installed: {', '.join(absent)}. Install datasheet-lsp anew with pip.")
    return said


def _context(context: Mapping[str, Any], root: str) -> list[tuple[str, str]]:
    loaded = context["loaded"]
    name = _name(context)
    reasons = list(context["reasons"])
    rows = [("device", f"{name}  {reasons[0]}" if reasons else name)]
    rows += [("", reason) for reason in reasons[1:]]
    if context.get("applies_to_file"):
        rows.append(("", "used for this file"))
    if context["code"]:
        rows.append(("code", ", ".join(context["code"])))
    if context["svd"] is None:
        rows.append(("svd", "none found for it"))
        return rows
    file = _short(context["svd"], root) + (f" / {context['member']}" if context["member"] else "")
    if loaded is None:
        rows.append(("svd", f"{file}: cannot be read"))
        return rows
    counts = [
        words.plural(loaded["peripherals"], "peripheral"),
        words.plural(loaded["registers"], "register"),
        words.plural(loaded["fields"], "field"),
        words.plural(loaded["errors"], "error"),
        words.plural(loaded["warnings"], "warning"),
    ]
    sha = f" (sha {loaded['sha256'][:8]})" if loaded["sha256"] else ""
    rows.append(("svd", f"{file}{sha}: {', '.join(counts)}"))
    if loaded["errors"] or loaded["warnings"]:
        rows.append(("", f"to see them: datasheet-lsp registers {file} > {os.devnull}"))
    rows.append(("core", _core(loaded)))
    return rows


def _name(context: Mapping[str, Any]) -> str:
    loaded = context["loaded"]
    return str(context["device"] or (loaded["name"] if loaded else context["name"]))


def _manuals(
    documents: Sequence[Mapping[str, Any]],
    contexts: Sequence[Mapping[str, Any]],
    vectors: Mapping[str, Any] | None,
) -> list[tuple[str, str]]:
    """How many are indexed, then what is unclear or wrong with each."""
    if not documents:
        devices = [_name(context) for context in contexts]
        of = f" for {', '.join(dict.fromkeys(devices))}" if devices else ""
        return [("manuals", f"no manual found{of} (add one: datasheet-lsp index FILE)")]
    rows = [("manuals", manuals_line(documents, vectors))]
    for document in documents:
        said = _STATES.get(document["state"], "")
        rows += [
            ("", problem_line(document["file"], text))
            for text in (said, *problems_of(document))
            if text
        ]
    return rows + [("", line) for line in undecided_lines(documents)]


def _core(device: Mapping[str, Any]) -> str:
    if device["core_file"]:
        family = device["core_file"].removesuffix(".svd").rpartition("-")[2]
        name = _CORES.get(family, family.upper())
        return f"Cortex-{name}: {', '.join(device['core_added'])} added by datasheet-lsp"
    if device["cpu"] is None:
        return "not named in the SVD file: no core registers added"
    return f"{device['cpu']}: no core registers added"


def _candidates(candidates: Sequence[Mapping[str, Any]], root: str) -> list[tuple[str, str]]:
    others = [c for c in candidates if not c["chosen"]]
    rows = []
    for i, candidate in enumerate(others[:_MAX_CANDIDATES]):
        said = _short(candidate["path"], root)
        said += f" / {candidate['member']}" if candidate["member"] else ""
        if candidate["source"] != "workspace":
            said += f" ({candidate['source']})"
        if candidate["ignored"]:
            said += " (left out by an ignore file)"
        rows.append(("not used" if i == 0 else "", said))
    if len(others) > _MAX_CANDIDATES:
        rows.append(("", f"and {len(others) - _MAX_CANDIDATES:,} more SVD files"))
    return rows


def _index(index: Mapping[str, Any] | None) -> str:
    if index is None:
        return "none yet: written when the editor first opens this workspace, unless switched off"
    if index["bytes"] is None:
        return f"{index['path']}: not written yet"
    return f"{index['path']}, {index['bytes'] / 1024:,.0f} KiB"


def _versions(findings: Mapping[str, Any]) -> str:
    parts = [f"datasheet-lsp {findings['version']}", f"Python {findings['python']}"]
    parts.append(findings["platform"])
    parts += [f"{name} {version}" for name, version in findings["packages"].items() if version]
    return ", ".join(parts)


def _problem(problem: Mapping[str, Any], root: str) -> str:
    if not problem["path"]:
        return str(problem["message"])
    line = f":{problem['line']}" if problem["line"] else ""
    return f"{_short(problem['path'], root)}{line}: {problem['message']}"


def _short(path: str, root: str) -> str:
    """``path`` from the workspace's root where it is inside."""
    start = root.rstrip(os.sep) + os.sep
    return path.removeprefix(start) if path.startswith(start) else path


def _line(label: str, text: str, width: int | None) -> str:
    text = one_line(text)
    if not label and not text:
        return ""
    if width is None:
        return f"{label:{_LABEL}}{text}"
    return textwrap.fill(
        text,
        max(width, 2 * _LABEL + 20),
        initial_indent=f"{label:{_LABEL}}",
        subsequent_indent=" " * _LABEL,
        break_long_words=False,
        break_on_hyphens=False,
    )
