"""What the language model's process and its parent say to each other, over ``wire``."""

from __future__ import annotations

from typing import IO, Literal

import msgspec

from datasheet_lsp import wire
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.frames import Cancel as Cancel
from datasheet_lsp.engine.frames import Failed as Failed

Role = Literal["system", "user", "assistant"]

Reason = Literal["stop", "length", "loop", "cancelled"]


LEAST_TOKENS = 64
"""Shorter texts are of no use."""


def room_for(prompt: int, context: int, max_tokens: int, exact: bool) -> int:
    """How many tokens a text may have after so many of its prompt.

    Raises:
        EngineError: there is not enough room for it.
    """
    most = max_tokens if exact else min(max_tokens, max(context - prompt, LEAST_TOKENS))
    if prompt + most > context:
        raise EngineError(
            f"The prompt has {prompt} tokens and the answer may have {most}: together they are "
            f"more than the {context} tokens of the context ([model] context)."
        )
    return most


class Message(msgspec.Struct, frozen=True):
    """One message of a conversation."""

    role: Role
    content: str


class Load(msgspec.Struct, tag=True):
    """To the child, first and once: the file, tokens of context, threads (0: it chooses).

    ``repack`` lets llama.cpp lay the weights out anew for this processor.
    """

    path: str
    context: int
    threads: int = 0
    repack: bool = True


class Generate(msgspec.Struct, tag=True):
    """To the child: go on from these messages.

    Where the context has no room for ``max_tokens``, it is refused, or, unless ``exact``, as long
    as there is room for ``LEAST_TOKENS``, the text has fewer. ``grammar`` is GBNF, ``json_schema``
    the JSON of a schema; at most one of both is given. The text ends before any of ``stop``.
    """

    id: int
    messages: list[Message]
    max_tokens: int
    exact: bool = True
    grammar: str = ""
    json_schema: str = ""
    temperature: float = 0.0
    top_p: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    seed: int = 0
    stop: list[str] = []


class Count(msgspec.Struct, tag=True):
    """To the child: how many tokens each text has."""

    id: int
    texts: list[str]


class Measure(msgspec.Struct, tag=True):
    """To the child: how many tokens the messages have, with all that the template adds."""

    id: int
    messages: list[Message]


class Loaded(msgspec.Struct, tag=True, frozen=True):
    """From the child: the model is there.

    ``context`` is what it has, in tokens, ``trained`` what it was trained for; ``template`` says
    whose form of a conversation is used; ``memory`` is the most it has had so far, in bytes.
    """

    context: int
    trained: int
    template: Literal["model", "chatml"]
    seconds: float
    memory: int


class Reading(msgspec.Struct, tag=True, frozen=True):
    """From the child, with a long prompt: so many of the tokens that are new in it are read."""

    id: int
    done: int
    total: int


class Token(msgspec.Struct, tag=True, frozen=True):
    """From the child: the next piece of the text."""

    id: int
    text: str


class Finished(msgspec.Struct, tag=True, frozen=True):
    """From the child: the text is at its end.

    Of ``prompt_tokens``, ``reused`` were known from before. ``prompt_seconds`` is what reading the
    prompt took, ``seconds`` the whole.
    """

    id: int
    reason: Reason
    prompt_tokens: int = 0
    reused: int = 0
    tokens: int = 0
    prompt_seconds: float = 0.0
    seconds: float = 0.0
    memory: int = 0


class Counted(msgspec.Struct, tag=True, frozen=True):
    """From the child: numbers of tokens, in the order of the texts."""

    id: int
    counts: list[int]


Order = Load | Generate | Count | Measure | Cancel
Reply = Loaded | Reading | Token | Finished | Counted | Failed

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
