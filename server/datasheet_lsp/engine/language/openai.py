"""A language model behind the OpenAI chat API of a server here: llama-server, Ollama."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import chat, frames
from datasheet_lsp.engine.language.brief import brief
from datasheet_lsp.engine.language.exchange import Exchange
from datasheet_lsp.engine.language.files import LoopbackServer
from datasheet_lsp.engine.language.frames import Finished, Message, Reason
from datasheet_lsp.engine.language.model import LanguageOptions
from datasheet_lsp.engine.language.stream import TextStream

_ASK_SECONDS = 5.0
"""For the small questions: which models, how much context, how many tokens."""

_MESSAGE_TOKENS = 8
"""What a template adds to a message, about."""

_MOST_CHARACTERS = 24
"""A server that writes more for each token it was allowed does not keep to it."""

_PIECES = re.compile(r"[A-Z]{1,2}|[a-z]{1,4}|\s(?=\d)|\d|\n\s*| {2,}|[^\sA-Za-z\d]")


class ServerModel:
    """Writes texts by a server of the user's, with the methods of ``LanguageModel``.

    The server's process, its memory and its context are its own; where it tells its context
    (llama-server), no more than that is used.
    """

    def __init__(self, server: LoopbackServer, options: LanguageOptions | None = None) -> None:
        self.server = server
        self.options = options or LanguageOptions()
        self.last: Finished | None = None
        self.given_up = ""
        self._name = server.name
        self._context = self.options.context
        self._known = False
        self._counts = True
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        """What the model is called, by the server or the setting."""
        return self._name or self.server.url

    @property
    def context(self) -> int:
        """Tokens that prompt and answer may have together."""
        return self._context

    @property
    def pid(self) -> None:
        """There is no process of ours."""

    @property
    def memory(self) -> int:
        """None of it is ours."""
        return 0

    def retry(self) -> None:
        """Ask the server anew what it has."""
        self._known = False
        self._counts = True

    async def start(self) -> frames.Loaded:
        """Ask the server for its model and its context. Raises EngineError."""
        begin = time.monotonic()
        await self._look()
        seconds = time.monotonic() - begin
        return frames.Loaded(self._context, self._context, "model", seconds, 0)

    async def generate(
        self,
        messages: Sequence[Message],
        *,
        grammar: str | None = None,
        json_schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
        on_reading: Callable[[int, int], None] | None = None,
    ) -> AsyncGenerator[str, None]:
        """The text piece by piece; left early or cancelled, the connection is closed at once.

        A grammar is passed on as llama-server takes it; other servers do not heed it. None tells
        how much of a prompt it has read.

        Raises:
            EngineError: it does not work; the text says why.
        """
        options = self.options
        async with self._turn:
            await self._look()
            tokens = await self._measured(messages)
            most = frames.room_for(
                tokens,
                self._context,
                options.max_tokens if max_tokens is None else max_tokens,
                max_tokens is not None,
            )
            body: dict[str, Any] = {
                "model": self._name,
                "messages": [
                    {"role": each.role, "content": each.content}
                    for each in map(chat.defuse, messages)
                ],
                "max_tokens": most,
                "temperature": options.temperature if temperature is None else temperature,
                "top_p": options.top_p,
                "frequency_penalty": options.frequency_penalty,
                "presence_penalty": options.presence_penalty,
                "seed": options.seed,
                "stream": True,
                "stream_options": {"include_usage": True},
            }
            if grammar:
                body["grammar"] = grammar
            if json_schema is not None:
                schema = {"name": "answer", "strict": True, "schema": json_schema}
                body["response_format"] = {"type": "json_schema", "json_schema": schema}
            free = not grammar and json_schema is None
            texts = self._text(body, TextStream(stop), tokens, free)
            try:
                async for text in texts:
                    yield text
            finally:
                await texts.aclose()

    async def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has: by the server where it counts, else an estimate."""
        return [await self._count(text) for text in texts]

    async def measure(self, messages: Sequence[Message]) -> int:
        """How many tokens the messages have as a prompt, about."""
        return await self._measured(messages)

    def kill(self) -> None:
        """Nothing: the server is not ours."""

    async def close(self) -> None:
        """There is nothing to end."""

    async def _text(
        self, body: dict[str, Any], stream: TextStream, tokens: int, free: bool
    ) -> AsyncGenerator[str, None]:
        begin = time.monotonic()
        first = 0.0
        usage: dict[str, Any] = {}
        reason: Reason | None = None
        pieces = length = 0
        lines = Exchange(self.server, f"{self.server.path}/chat/completions", body).lines(
            self.options.timeout
        )
        try:
            async for line in lines:
                event = self._event(line)
                if event is None:
                    continue
                if event == "[DONE]":
                    reason = reason or "stop"
                    break
                usage = event.get("usage") or usage
                text, ended = _choice(event)
                reason = ended or reason
                if not text:
                    continue
                first = first or time.monotonic()
                pieces += 1
                length += len(text)
                if shown := stream.feed(text):
                    yield shown
                if stream.ended:
                    reason = "stop"
                    break
                if free and pieces % 16 == 0 and stream.loops:
                    reason = "loop"
                    break
                if length > body["max_tokens"] * _MOST_CHARACTERS:
                    reason = "length"
                    break
        except TimeoutError as error:
            seconds = self.options.timeout
            raise EngineError(
                f"{self.name} took longer than {seconds:g} seconds ([model] timeout)."
            ) from error
        finally:
            await lines.aclose()
        if reason is None:
            raise EngineError(
                f"The server at {self.server.url} closed the connection amid the text."
            )
        if shown := stream.finish():
            yield shown
        end = time.monotonic()
        self.last = Finished(
            0,
            reason,
            prompt_tokens=_number(usage, "prompt_tokens") or tokens,
            tokens=_number(usage, "completion_tokens") or pieces,
            prompt_seconds=(first or end) - begin,
            seconds=end - begin,
        )

    def _event(self, line: bytes) -> Any:
        """What a line of the stream says: an object, "[DONE]", or None for nothing."""
        text = line.strip()
        if text.startswith(b"data:"):
            text = text[5:].strip()
        elif text.startswith((b":", b"event:", b"id:", b"retry:")):
            return None
        if not text:
            return None
        if text == b"[DONE]":
            return "[DONE]"
        try:
            event = json.loads(text)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise EngineError(
                f"The server at {self.server.url} answers with what is no chat stream."
            )
        if "error" in event:
            found = event["error"]
            said = str(found.get("message", "")) if isinstance(found, dict) else str(found)
            said = brief(said)
            raise EngineError(f"The server at {self.server.url} failed ({said}).")
        return event

    async def _look(self) -> None:
        """Learn the model's name and the server's context, once."""
        if self._known:
            return
        found = await Exchange(self.server, f"{self.server.path}/models").json(_ASK_SECONDS)
        self._name = self._name or _first_name(found)
        properties = await Exchange(self.server, "/props").json(_ASK_SECONDS)
        context = _context(properties)
        self._context = min(self.options.context, context) if context else self.options.context
        self._known = found is not None or properties is not None

    async def _measured(self, messages: Sequence[Message]) -> int:
        counts = [await self._count(each.content) for each in messages]
        return sum(counts) + _MESSAGE_TOKENS * (len(counts) + 1)

    async def _count(self, text: str) -> int:
        if self._counts:
            body = {"content": text}
            found = await Exchange(self.server, "/tokenize", body).json(_ASK_SECONDS)
            if isinstance(found, dict) and isinstance(found.get("tokens"), list):
                return len(found["tokens"])
            self._counts = False
        return estimate(text)


def estimate(text: str) -> int:
    """About how many tokens a text has; rather too many than too few."""
    pieces = sum(1 if piece.isascii() else 2 for piece in _PIECES.findall(text))
    return pieces + pieces // 8


def _choice(event: dict[str, Any]) -> tuple[str, Reason | None]:
    """Text and end of an event, in a stream or not."""
    choices = event.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return "", None
    choice = choices[0]
    part = choice.get("delta") or choice.get("message") or {}
    text = part.get("content") if isinstance(part, dict) else None
    ended = choice.get("finish_reason")
    reason: Reason | None = None
    if ended:
        reason = "length" if ended == "length" else "stop"
    return text if isinstance(text, str) else "", reason


def _number(found: dict[str, Any], name: str) -> int:
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, int) else 0


def _first_name(found: Any) -> str:
    try:
        return str(found["data"][0]["id"])
    except (TypeError, KeyError, IndexError):
        return ""


def _context(found: Any) -> int:
    try:
        return max(int(found["default_generation_settings"]["n_ctx"]), 0)
    except (TypeError, KeyError, ValueError):
        return 0
