"""SVD files on disk: plain, compressed, or in a CMSIS pack."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from datasheet_lsp.model import Device
from datasheet_lsp.svd.errors import SvdError
from datasheet_lsp.svd.reader import parse_svd

MAX_BYTES = 128 * 1024 * 1024
"""No SVD is larger. The largest known has about 20 MB."""


def load_svd(path: Path, member: str | None = None) -> Device:
    """The device of an ``.svd``, ``.xml``, ``.svd.gz`` or ``.pack`` file.

    ``member`` chooses from a pack: a device name or the path of an SVD inside.

    Raises:
        SvdError: the file cannot be read or is no SVD; the text says what to do.
    """
    if path.suffix.lower() in (".pack", ".zip"):
        from datasheet_lsp.svd.pack import read_member

        data, name = read_member(path, member)
        return parse_svd(data, f"{path.name}/{name}")
    return parse_svd(read_svd_bytes(path), path.name)


def read_svd_bytes(path: Path) -> bytes:
    """The SVD's bytes, decompressed.

    Raises:
        SvdError: the file cannot be read, is damaged or is too large.
    """
    try:
        with path.open("rb") as file:
            start = file.read(2)
            file.seek(0)
            data = _unpack(file, path) if start == b"\x1f\x8b" else file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SvdError(f"{path.name} cannot be read: {reason}.") from None
    if len(data) > MAX_BYTES:
        raise SvdError(
            f"{path.name} has more than {MAX_BYTES >> 20} MB, which no SVD file has: "
            "it is not read."
        )
    return data


def _unpack(file: BinaryIO, path: Path) -> bytes:
    import gzip
    import zlib

    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            return unpacked.read(MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SvdError(f"{path.name} is a damaged gzip file ({error}): get it anew.") from None
