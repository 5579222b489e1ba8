"""The documents of a workspace as they stand in its index, and those that wait to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from datasheet_lsp.index import Index, KnownFile, StoredDocument
from datasheet_lsp.indexing.find import find_files, path_of
from datasheet_lsp.indexing.run import stamp_of
from datasheet_lsp.workspace import Context, Settings

SVD = "svd"
"""The ``format`` of a device's registers, which are searched like a document."""


def list_documents(
    root: Path, settings: Settings, index_path: Path | None, contexts: Sequence[Context] = ()
) -> tuple[list[dict[str, Any]], str]:
    """The documents of the workspace ``root``, and what is wrong with its index, "" for nothing.

    Makes no index where there is none.
    """
    if index_path is None or not index_path.is_file():
        return documents_of(root, settings, None, contexts), ""
    with Index(index_path) as index:
        return documents_of(root, settings, index, contexts), index.problem or ""


def documents_of(
    root: Path, settings: Settings, index: Index | None, contexts: Sequence[Context] = ()
) -> list[dict[str, Any]]:
    """The documents of the index in order of their ids, then those found that are not in it.

    ``state`` is "indexed", "failed" (``problem`` says why), "changed" (the file is another by
    now), "gone" (it is no longer there) or "waiting". Looks through the workspace.
    """
    files = {key.path: key for key in index.known_files()} if index is not None else {}
    stored = index.documents() if index is not None else []
    rows = [_stored(each, _state(each, files, root)) for each in stored]
    if not contexts:
        contexts = _given(root, settings)
    waiting = find_files(root, settings.documents, contexts).files
    rows += [_waiting(file.key) for file in waiting if file.key not in files]
    return rows


def vectors_of(index_path: Path | None) -> dict[str, Any] | None:
    """How far the vectors of the index are; None where there are none.

    ``done`` of ``of`` chunks have one of the model ``name``, the last that was begun with. Makes no
    index where there is none.
    """
    if index_path is None or not index_path.is_file():
        return None
    from datasheet_lsp.index.vectors import VectorStore

    with Index(index_path) as index:
        store = VectorStore(index)
        sets = store.sets()
        if not sets:
            return None
        done, of = store.count(sets[-1])
    return {"name": sets[-1].name, "done": done, "of": of}


def manuals_of(documents: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that people wrote: no registers of an SVD."""
    return [each for each in documents if each["format"] != SVD]


def _given(root: Path, settings: Settings) -> list[Context]:
    """The contexts of the settings with their documents alone."""
    from datasheet_lsp.workspace.globs import expand_documents

    contexts = []
    for entry in settings.context:
        files = expand_documents(entry.documents, root)
        documents = tuple(path for found in files.values() for path in found)
        contexts.append(Context(entry.name, documents=documents))
    return contexts


def _state(document: StoredDocument, files: Mapping[str, KnownFile], root: Path) -> str:
    there = False
    for name in document.files:
        stamp = stamp_of(path_of(name, root))
        there = there or stamp is not None
        if stamp is None or name not in files:
            continue
        # A device is compared by its content, and the time of its file is not kept up to date.
        if document.format == SVD or stamp[1] == files[name].stamp:
            return document.state
    return "changed" if there else "gone"


def _stored(document: StoredDocument, state: str) -> dict[str, Any]:
    return {
        "id": document.id,
        "file": document.files[0] if document.files else "",
        "files": list(document.files),
        "title": document.title,
        "revision": document.revision,
        "format": document.format,
        "state": state,
        "devices": msgspec.to_builtins(document.devices),
        "undecided": document.undecided,
        "problem": document.problem,
        "troubles": msgspec.to_builtins(document.troubles),
        "pages": document.pages,
        "sections": document.sections,
        "chunks": document.chunks,
        "tables": document.tables,
        "figures": document.figures,
        "registers": document.registers,
        "sha256": document.sha256,
    }


def _waiting(key: str) -> dict[str, Any]:
    counts = dict.fromkeys(("pages", "sections", "chunks", "tables", "figures", "registers"), 0)
    return {
        "id": None,
        "file": key,
        "files": [key],
        "title": "",
        "revision": "",
        "format": "",
        "state": "waiting",
        "devices": [],
        "undecided": "",
        "problem": "",
        "troubles": [],
        **counts,
        "sha256": None,
    }
