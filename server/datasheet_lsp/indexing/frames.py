"""What the indexer process and its parent say to each other, over ``wire``."""

from __future__ import annotations

from typing import IO

import msgspec

from datasheet_lsp import wire
from datasheet_lsp.indexing.events import Event
from datasheet_lsp.indexing.job import Job


class Cancel(msgspec.Struct, tag=True):
    """To the child: end after what is in work is given up."""


class Start(msgspec.Struct, tag=True):
    """To the child, first and once: what to do."""

    job: Job


_orders = msgspec.msgpack.Decoder(Start | Cancel)
_events = msgspec.msgpack.Decoder(Event)


def read_order(stream: IO[bytes]) -> Start | Cancel | None:
    """The parent's next message, None when there will be none."""
    data = wire.read(stream)
    return _orders.decode(data) if data is not None else None


def decode_event(data: bytes) -> Event:
    """An event from its bytes, without the length."""
    event: Event = _events.decode(data)
    return event
