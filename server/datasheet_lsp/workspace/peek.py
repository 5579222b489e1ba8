"""What a file is called inside, from its first bytes: whether it is an SVD, and of which device."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

PEEK_BYTES = 4096
DEEP_BYTES = 64 * 1024
"""Some files begin with pages of comment."""

SUFFIXES = (".svd", ".svd.gz", ".xml", ".pack")

_ROOT = re.compile(rb"<(?:[\w.-]+:)?device(?=[\s>])[^>]*>")
_NAME = re.compile(r"<(?:[\w.-]+:)?name>\s*([^<]{1,200}?)\s*</")
_DESCRIPTION = re.compile(r"<(?:[\w.-]+:)?description>([^<]{1,2000})</")
_ONLY_SVD = (b"schemaVersion", b"<addressUnitBits", b"<peripherals")


def suffix_of(name: str) -> str | None:
    """Which of ``SUFFIXES`` a file name ends with, letter case aside, else None."""
    folded = name.lower()
    return next((suffix for suffix in SUFFIXES if folded.endswith(suffix)), None)


def stem_of(name: str) -> str:
    """The file name without its suffix, also a double one."""
    suffix = suffix_of(name)
    return name[: -len(suffix)] if suffix else name.rpartition(".")[0] or name


def svd_names(path: Path, *, sure: bool = True) -> tuple[str, ...] | None:
    """The names of the device of an SVD file: the file's own and its ``<name>``.

    With ``sure`` False, for a file that may be anything, None where it does not begin as an SVD.
    A file that cannot be read has its file name alone.
    """
    stem = stem_of(path.name)
    data = _start(path, PEEK_BYTES)
    root = _root(data)
    if root is None and data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        data = _start(path, DEEP_BYTES)
        root = _root(data)
    if not sure and (root is None or not any(word in data[root:] for word in _ONLY_SVD)):
        return None
    if root is None:
        return (stem,)
    text = data[root:].decode("utf-8", "replace")
    if _NAME.search(text) is None and len(data) >= PEEK_BYTES:
        data = _start(path, DEEP_BYTES)
        text = data[root:].decode("utf-8", "replace")
    head = text.partition("<peripherals")[0].partition("<cpu")[0]
    found = _NAME.search(head)
    if found is None:
        return (stem,)
    return _narrowed((stem, found[1]), head)


def _root(data: bytes) -> int | None:
    """Where the root element ``device`` begins, None where the root is another."""
    at = 0
    while True:
        start = data.find(b"<", at)
        if start < 0:
            return None
        for opening, ending in ((b"<!--", b"-->"), (b"<?", b"?>")):
            if data.startswith(opening, start):
                end = data.find(ending, start)
                if end < 0:
                    return None
                at = end + len(ending)
                break
        else:
            return start if _ROOT.match(data, start) else None


def _narrowed(names: tuple[str, ...], head: str) -> tuple[str, ...]:
    """The names, each lengthened where the description has it with a longer number.

    A file called nrf52 that describes itself as for the nRF52832 is for no other nRF52.
    """
    description = _DESCRIPTION.search(head)
    words = re.findall(r"[A-Za-z]+\d+\w*", description[1]) if description else []
    longer = []
    for name in names:
        more = [
            word
            for word in words
            if word.upper().startswith(name.upper()) and word[len(name) :].isdigit()
        ]
        longer.append(more[0] if more and name[-1:].isdigit() else name)
    return tuple(dict.fromkeys(longer))


def _start(path: Path, size: int) -> bytes:
    """The first ``size`` bytes, unpacked; as UTF-8 where it is UTF-16; b"" on any error."""
    try:
        with path.open("rb") as file:
            data = file.read(size)
            if data.startswith(b"\x1f\x8b"):
                file.seek(0)
                with gzip.GzipFile(fileobj=file) as unpacked:
                    data = unpacked.read(size)
    except (OSError, EOFError, zlib.error):
        return b""
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(codec, "replace").encode()
    return data
