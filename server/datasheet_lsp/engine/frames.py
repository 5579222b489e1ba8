"""What the process of an embedder or reranker and its parent say to each other, over ``wire``."""

from __future__ import annotations

from typing import IO, Literal

import msgspec

from datasheet_lsp import wire
from datasheet_lsp.engine.models import EmbedModel, RerankModel

Kind = Literal["document", "query"]


Model = EmbedModel | RerankModel


class Load(msgspec.Struct, tag=True):
    """To the child, first and once: the model. ``threads`` 0 leaves their number to it."""

    model: Model
    threads: int = 0


class Embed(msgspec.Struct, tag=True):
    """To the child: texts to embed. A query goes before documents that wait or are in work.

    A document that is longer than the model reads is embedded in parts, each with the first so many
    characters of it (``heads``) before it.
    """

    id: int
    kind: Kind
    texts: list[str]
    heads: list[int] = []


class Rank(msgspec.Struct, tag=True):
    """To the child: passages to score for a query."""

    id: int
    query: str
    texts: list[str]


class Cancel(msgspec.Struct, tag=True):
    """To the child: the answer to ``id`` is not wanted any more."""

    id: int


class Loaded(msgspec.Struct, tag=True, frozen=True):
    """From the child: the model is there. ``memory`` is the most it has had so far, in bytes.

    ``dimension`` is that of its vectors, 1 for a reranker.
    """

    dimension: int
    max_tokens: int
    seconds: float
    memory: int


class Embedded(msgspec.Struct, tag=True, frozen=True):
    """From the child: the vectors of the texts in order, 32-bit floats, one after another.

    ``parts`` says how many each text has.
    """

    id: int
    vectors: bytes
    memory: int
    parts: list[int]


class Ranked(msgspec.Struct, tag=True, frozen=True):
    """From the child: the scores of the passages in order, 32-bit floats, one after another."""

    id: int
    scores: bytes
    memory: int


class Failed(msgspec.Struct, tag=True, frozen=True):
    """From the child: why ``id`` could not be done, for 0 why the model could not be loaded."""

    id: int
    message: str


Order = Load | Embed | Rank | Cancel
Answer = Embedded | Ranked
Reply = Loaded | Answer | Failed

_orders = msgspec.msgpack.Decoder(Order)
_replies = msgspec.msgpack.Decoder(Reply)


def read_order(stream: IO[bytes]) -> Order | None:
    """The parent's next message, None when there will be none."""
    data = wire.read(stream)
    return _orders.decode(data) if data is not None else None


def decode_reply(data: bytes) -> Reply:
    """A reply from its bytes, without the length."""
    reply: Reply = _replies.decode(data)
    return reply
