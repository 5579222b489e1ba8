"""The head of a GGUF file: what a model is, read without loading it.

The format is described in ggml's ``docs/gguf.md``; numbers have the least significant byte first.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

MAGIC = b"GGUF"
_MOST_KEYS = 4096
_SHORT = 1024
_MOST_BYTES = 64 << 20
_NUMBERS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING = 8
_ARRAY = 9


_EMBEDDERS = ("bert", "t5encoder", "embedding")


def is_embedder(head: dict[str, Any]) -> bool:
    """Whether the model makes vectors of texts, and does not go on with them."""
    architecture = str(head.get("general.architecture", ""))
    return f"{architecture}.pooling_type" in head or architecture.endswith(_EMBEDDERS)


def read_head(path: Path) -> dict[str, Any]:
    """The keys of the file with their values.

    A short array of numbers is a tuple; of another one it is only told how many it has.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no GGUF file.
    """
    with path.open("rb") as file:
        return dict(read_keys(file))


def read_keys(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Key by key of an open file, which is then just after it. Raises as ``read_head``."""
    if file.read(4) != MAGIC:
        raise ValueError("it is no GGUF file")
    version = _number(file, "<I")
    if version not in (2, 3):
        raise ValueError(f"version {version} of the format is not known")
    _number(file, "<Q")
    count = _number(file, "<Q")
    if count > _MOST_KEYS:
        raise ValueError("its head is broken")
    for _ in range(count):
        key = _text(file)
        yield key, _value(file, _number(file, "<I"))


def _value(file: IO[bytes], kind: int) -> Any:
    if kind in _NUMBERS:
        return _number(file, _NUMBERS[kind])
    if kind == _STRING:
        return _text(file)
    if kind != _ARRAY:
        raise ValueError("its head is broken")
    inner = _number(file, "<I")
    count = _number(file, "<Q")
    if count > _MOST_BYTES:
        raise ValueError("its head is broken")
    if inner in _NUMBERS and count <= _SHORT:
        return tuple(_number(file, _NUMBERS[inner]) for _ in range(count))
    if inner in _NUMBERS:
        file.seek(struct.calcsize(_NUMBERS[inner]) * count, 1)
    elif inner == _STRING:
        for _ in range(count):
            file.seek(_length(file), 1)
    else:
        raise ValueError("its head is broken")
    return count


def _text(file: IO[bytes]) -> str:
    return file.read(_length(file)).decode("utf-8", "replace")


def _length(file: IO[bytes]) -> int:
    length: int = _number(file, "<Q")
    if length > _MOST_BYTES:
        raise ValueError("its head is broken")
    return length


def _number(file: IO[bytes], form: str) -> Any:
    data = file.read(struct.calcsize(form))
    if len(data) < struct.calcsize(form):
        raise ValueError("it ends too early")
    return struct.unpack(form, data)[0]
