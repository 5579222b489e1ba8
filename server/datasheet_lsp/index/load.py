"""A file to its device, by way of the index where it was read before."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import msgspec

from datasheet_lsp.index.store import Index
from datasheet_lsp.model.device import Cpu, Device


def load_device(
    path: Path,
    member: str | None = None,
    index: Index | None = None,
    *,
    core: str | None = None,
) -> Device:
    """The device of an SVD file or pack, with the core's peripherals added.

    ``member`` chooses from a pack, as in ``load_svd``. ``core`` is the processor (CM3) that the
    project builds for; it counts where the file itself names none.

    A file whose content is in ``index`` is not parsed; one that is not is added to it.

    Raises:
        SvdError: the file cannot be read or is no SVD; the text says what to do.
    """
    before = _state(path)
    sha256 = _sha256(path) if before is not None else None
    key = device_key(sha256, path.name, member, core) if sha256 is not None else None
    if index is not None and key is not None:
        device = index.device(key)
        if device is not None:
            return device

    # Only here: these load lxml, which a warm start does without.
    from datasheet_lsp.svd import load_svd
    from datasheet_lsp.svd.cores import add_core

    device = load_svd(path, member)
    if device.cpu is None and core:
        device = msgspec.structs.replace(device, cpu=Cpu(name=core))
    device = add_core(device)
    if sha256 is not None and not device.sha256:
        device = msgspec.structs.replace(device, sha256=sha256)
    # A file that changed while it was read may not be what the hash says.
    if index is not None and key is not None and _state(path) == before:
        index.put_device(key, device)
    return device


def device_key(sha256: str, name: str, member: str | None = None, core: str | None = None) -> str:
    """The key of a device in the index.

    Made of the hash and the name of the file, the ``member`` of a pack, the ``core`` for files
    that name none, and the versions of all that has a part in the result.
    """
    from datasheet_lsp.svd.cores import CORE_VERSION
    from datasheet_lsp.svd.version import READER_VERSION

    return "\n".join(
        (sha256, name, member or "", core or "", f"reader {READER_VERSION} core {CORE_VERSION}")
    )


def _state(path: Path) -> tuple[int, int, int] | None:
    """What changes when the file does; None where there is no regular file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _sha256(path: Path) -> str | None:
    """The SHA-256 of the file's bytes in hexadecimal, None where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
