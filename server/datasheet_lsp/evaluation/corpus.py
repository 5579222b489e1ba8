"""A folder of manuals and SVD files brought into one index, for questions about them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from datasheet_lsp.index import Index, load_device
from datasheet_lsp.indexing.events import Event
from datasheet_lsp.indexing.job import Job
from datasheet_lsp.indexing.workspace import run_job
from datasheet_lsp.model import Device
from datasheet_lsp.svd import SvdError

_SVD = (".svd", ".xml")


def svd_files(folder: Path) -> list[Path]:
    """The SVD files of a folder, or the one file that was named."""
    if folder.is_file():
        return [folder]
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SVD)


def build(
    documents: Path,
    svd: Path,
    index: Path,
    on_event: Callable[[Event], None] = lambda event: None,
    options: Mapping[str, Any] | None = None,
) -> str:
    """Bring all of it into ``index``, what is there already left as it is; "" or what stopped it.

    Nothing is looked for around the index: the documents are those of the folder alone. No vectors
    are made. ``options`` are settings as in the file of a workspace.
    """
    index.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as empty:
        job = Job(
            root=empty,
            index=str(index.absolute()),
            options={**(options or {}), "embed": {"enabled": False}},
            svd=tuple(str(path.absolute()) for path in svd_files(svd)),
            paths=(str(documents.absolute()),),
        )
        return run_job(job, on_event).stopped


def devices_in(svd: Path, index: Index) -> list[Device]:
    """The devices of all SVD files that can be read."""
    found = []
    for path in svd_files(svd):
        try:
            found.append(load_device(path, None, index))
        except SvdError:
            continue
    return found


def devices_of(svd: Path, wanted: set[str], index: Index) -> dict[str, Device]:
    """The devices of the SVD files called as wanted, by their own names."""
    found: dict[str, Device] = {}
    for path in svd_files(svd):
        if path.stem not in wanted:
            continue
        try:
            device = load_device(path, None, index)
        except SvdError:
            continue
        found[device.name] = device
    return found
