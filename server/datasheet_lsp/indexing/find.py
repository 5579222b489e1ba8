"""The documents of a workspace: those the settings name, and those that look like documents."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.index.records import Origin
from datasheet_lsp.workspace.globs import CodeMatcher, expand_documents
from datasheet_lsp.workspace.settings import DocumentsSettings
from datasheet_lsp.workspace.types import Context
from datasheet_lsp.workspace.walk import walk

PAPERS = frozenset(".pdf .docx .pptx .xlsx".split())
"""Taken wherever they lie."""

TEXTS = frozenset(".md .markdown .html .htm .txt .csv .tsv".split())
"""Taken where their name or folder says that they are about the hardware."""

DATA = frozenset(".json .xml".split())
"""Taken only where the settings name them."""

MAX_TEXTS = 300
MAX_TEXT_BYTES = 8 << 20

_ABOUT = re.compile(
    r"data[-_ ]?sheet|manual|errat|reference|user[-_ ]?guide|app(?:lication)?[-_ ]?note|pinout|"
    r"register|hardware|product[-_ ]?spec",
    re.IGNORECASE,
)
_FOLDERS = frozenset(
    "doc docs document documents documentation datasheet datasheets manual manuals errata "
    "reference references appnotes app_notes application_notes hardware specs".split()
)


class FoundFile(msgspec.Struct, frozen=True):
    """A document file. ``key`` is its path as the index has it."""

    path: Path
    key: str
    origin: Origin = "found"


class FoundFiles(msgspec.Struct):
    """The documents in order of their keys; ``whole`` says that the search missed nothing."""

    files: list[FoundFile]
    whole: bool
    problems: list[str]


def key_of(path: Path, root: Path) -> str:
    """The path from ``root`` with ``/``, absolute for a file that lies elsewhere."""
    try:
        name = path.relative_to(root).as_posix()
    except ValueError:
        name = path.as_posix()
    return name.encode("utf-8", "replace").decode()


def path_of(key: str, root: Path) -> Path:
    """The file with this key."""
    return root / key


def find_files(
    root: Path,
    settings: DocumentsSettings,
    contexts: Sequence[Context] = (),
    given: Iterable[Path] = (),
) -> FoundFiles:
    """The documents of the workspace ``root`` and those ``given``, each once."""
    found: dict[Path, Origin] = {}
    problems: list[str] = []
    whole = True
    named: list[Path] = [path for context in contexts for path in context.documents]
    patterns = [*settings.include]
    for listed in settings.devices.values():
        patterns += listed
    for pattern, fitting in expand_documents(patterns, root).items():
        named += fitting
        if not fitting:
            problems.append(f'The settings have the document "{pattern}", which fits no file.')
    for path in named:
        found[_plain(path)] = "found"
    if settings.search:
        searched = walk(root, _may_be_document)
        problems += [str(problem) for problem in searched.problems]
        whole = not searched.problems
        texts = 0
        for path, _ in searched.evidence:
            if path.suffix.lower() in TEXTS:
                if not _is_about_hardware(path, root):
                    continue
                texts += 1
                if texts > MAX_TEXTS:
                    continue
            found.setdefault(_plain(path), "found")
        if texts > MAX_TEXTS:
            problems.append(
                f"Of {texts} pages and texts in folders for documents {MAX_TEXTS} are indexed: "
                "name those you want in documents.include, or leave folders out by "
                "documents.exclude."
            )
    if settings.exclude:
        left_out = CodeMatcher(settings.exclude, root)
        keep = {_plain(path) for path in named}
        found = {
            path: origin
            for path, origin in found.items()
            if path in keep or not left_out.matches(path)
        }
    for path in given:
        found[_plain(path)] = "given"
    files = [FoundFile(path, key_of(path, root), origin) for path, origin in found.items()]
    files.sort(key=lambda file: file.key)
    return FoundFiles(files, whole, problems)


def _plain(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _may_be_document(name: str) -> bool:
    suffix = os.path.splitext(name)[1].lower()
    return (suffix in PAPERS or suffix in TEXTS) and not name.startswith(("~$", ".", "_"))


def _is_about_hardware(path: Path, root: Path) -> bool:
    """Whether name or folder of a text say so; what every project has is left out."""
    try:
        if path.stat().st_size > MAX_TEXT_BYTES:
            return False
        inside = path.relative_to(root).parts[:-1]
    except (OSError, ValueError):
        return False
    if _ABOUT.search(path.stem):
        return True
    return any(part.lower() in _FOLDERS for part in inside)
