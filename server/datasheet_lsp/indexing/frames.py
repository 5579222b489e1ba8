"""What the indexer process and its parent say to each other: length-prefixed msgpack."""

from __future__ import annotations

import struct
from typing import IO

import msgspec

from datasheet_lsp.indexing.events import Event
from datasheet_lsp.indexing.job import Job

LENGTH = struct.Struct("<I")


class Cancel(msgspec.Struct, tag=True):
    """To the child: end after what is in work is given up."""


class Start(msgspec.Struct, tag=True):
    """To the child, first and once: what to do."""

    job: Job


_orders = msgspec.msgpack.Decoder(Start | Cancel)
_events = msgspec.msgpack.Decoder(Event)


def encode(message: Start | Cancel | Event) -> bytes:
    """A message as it goes over a pipe."""
    data = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(data)) + data


def read_order(stream: IO[bytes]) -> Start | Cancel | None:
    """The parent's next message, None when there will be none."""
    data = _read(stream)
    return _orders.decode(data) if data is not None else None


def decode_event(data: bytes) -> Event:
    """An event from its bytes, without the length."""
    event: Event = _events.decode(data)
    return event


def _read(stream: IO[bytes]) -> bytes | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None
