"""From a register in the code to the line of the SVD file that describes it."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.model import Location, Lookup

if TYPE_CHECKING:
    from datasheet_lsp.firmware.headers import Headers

logger = logging.getLogger(__name__)


class Definition(msgspec.Struct, frozen=True):
    """The places an expression means; ``start`` and ``end`` are its byte offsets."""

    locations: tuple[Location, ...]
    start: int
    end: int


def definition(
    source: Source, offset: int, lookups: Sequence[Lookup], headers: Headers | None = None
) -> Definition | None:
    """What is described for the register at ``offset``, None whenever that is not sure."""
    resolved = resolve_at(source, offset, lookups, headers)
    if resolved is None:
        return None
    # The elements of an array, and derived peripherals, come from one line of the file. Of a
    # cluster the first register is enough.
    seen: dict[tuple[int, str, int], Location] = {}
    for place in resolved.locations:
        line = line_of(place) if resolved.kind != "cluster" else 0
        seen.setdefault((id(place.device), place.peripheral.source, line), place)
    return Definition(tuple(seen.values()), resolved.start, resolved.end)


def line_of(place: Location) -> int:
    """The 1-based line of a place in its SVD file."""
    return (place.field or place.register or place.peripheral).line


def readable(
    place: Location, svd: Path | None, member: str | None, folder: Path | None
) -> Path | None:
    """A text file an editor can open in which the place's line counts, None when there is none.

    A plain ``.svd`` is that file itself, a core peripheral is in a file of this package. What is
    within a ``.pack`` or ``.gz`` is written to ``folder`` (the workspace's ``.datasheet``) once,
    under the hash of its contents. Reads and writes files.
    """
    if place.peripheral.source:
        inner = files("datasheet_lsp.svd.cores") / place.peripheral.source
        return inner if isinstance(inner, Path) and inner.is_file() else None
    if svd is None or svd.suffix.lower() in (".svd", ".xml"):
        return svd
    if folder is None:
        return None
    return _unpacked(svd, member, folder)


def _unpacked(svd: Path, member: str | None, folder: Path) -> Path | None:
    from datasheet_lsp.svd import SvdError
    from datasheet_lsp.svd.files import read_svd_bytes
    from datasheet_lsp.svd.pack import read_member

    try:
        if svd.suffix.lower() in (".pack", ".zip"):
            data, name = read_member(svd, member)
        else:
            data, name = read_svd_bytes(svd), svd.stem
        digest = hashlib.sha256(data).hexdigest()[:12]
        target = folder / "sources" / digest / PurePosixPath(name).name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f"{target.name}.{os.getpid()}.part")
            part.write_bytes(data)
            part.chmod(0o444)
            part.replace(target)
    except (OSError, SvdError) as error:
        logger.warning("No text of %s to show: %s", svd, error)
        return None
    return target
