"""How a process and its child speak: MessagePack, each message with its length before it.

The length has four bytes, the least significant first. What the messages are is said where they
are used (``engine/frames.py``, ``indexing/frames.py``, ``documents/pdf/frames.py``).
"""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from asyncio import StreamReader

_LENGTH = struct.Struct("<I")


def encode(message: msgspec.Struct) -> bytes:
    """A message as it goes over a pipe."""
    data = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(data)) + data


def read(stream: IO[bytes]) -> bytes | None:
    """The next message, still encoded; None at the end of the stream, also within a message."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


async def receive(stream: StreamReader) -> bytes | None:
    """As ``read``, within an asyncio loop."""
    from asyncio import IncompleteReadError

    try:
        (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
        return await stream.readexactly(length)
    except IncompleteReadError:
        return None
