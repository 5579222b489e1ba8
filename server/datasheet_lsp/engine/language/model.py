"""The language model as the rest of the program knows it: started on need, ended when idle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, ClassVar

import msgspec

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import frames
from datasheet_lsp.engine.language.files import LanguageModelFile
from datasheet_lsp.engine.language.frames import Finished, Message
from datasheet_lsp.engine.language.memory import has_plenty, shortage
from datasheet_lsp.engine.language.process import Answer, Process
from datasheet_lsp.engine.lifetime import Lifetime
from datasheet_lsp.engine.run import Died


class LanguageOptions(msgspec.Struct, frozen=True):
    """How a language model is used; ``[model]`` of ``datasheet.toml`` has the same names.

    ``timeout`` is for one text, in seconds; its process ends ``idle_seconds`` after the last one
    (0: never).
    """

    context: int = 8192
    threads: int = 0
    seed: int = 1
    temperature: float = 0.2
    top_p: float = 0.95
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    max_tokens: int = 1024
    timeout: float = 600.0
    idle_seconds: float = 600.0

    @classmethod
    def of(cls, setting: Any) -> LanguageOptions:
        """From ``[model]`` of the settings."""
        names = [name for name in cls.__struct_fields__ if name != "idle_seconds"]
        values = {name: getattr(setting, name) for name in names}
        return cls(**values, idle_seconds=setting.idle_minutes * 60)


class LanguageModel(Lifetime[Process, frames.Loaded]):
    """Writes texts in a child process, one after another, for use within one asyncio loop.

    A child that crashes is started once more with weight repacking off, which some builds of
    llama.cpp cannot do, and asked again.
    """

    start_seconds: ClassVar[float] = 600.0
    command: ClassVar[Sequence[str]] = ("-P", "-m", "datasheet_lsp.engine.language.child")

    def __init__(self, file: LanguageModelFile, options: LanguageOptions | None = None) -> None:
        self.file = file
        self.options = options or LanguageOptions()
        super().__init__(self.options.idle_seconds)
        self.last: Finished | None = None
        self._turn = asyncio.Lock()
        self._closes = 0
        self._repack = True

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.file.name

    @property
    def context(self) -> int:
        """Tokens that prompt and answer may have together."""
        return min(self.options.context, self.file.trained)

    def retry(self) -> None:
        """Let the next request try anew."""
        super().retry()
        self._repack = True

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
        """The text piece by piece; left early or cancelled, the child stops at once.

        ``last`` says afterwards why the text ended and what it took. Without ``max_tokens`` it may
        be as long as the options say, or what the context has room for. At most one of
        ``grammar`` (GBNF) and ``json_schema`` may be given. Before the first piece ``on_reading``
        is told how many of the tokens of a long prompt are read, and of how many.

        Raises:
            EngineError: it does not work; the text says why.
        """
        options = self.options
        order = frames.Generate(
            id=0,
            messages=list(messages),
            max_tokens=options.max_tokens if max_tokens is None else max_tokens,
            exact=max_tokens is not None,
            grammar=grammar or "",
            json_schema=json.dumps(json_schema) if json_schema is not None else "",
            temperature=options.temperature if temperature is None else temperature,
            top_p=options.top_p,
            frequency_penalty=options.frequency_penalty,
            presence_penalty=options.presence_penalty,
            seed=options.seed,
            stop=list(stop),
        )
        async with self._turn:
            replies = self._replies(order, options.timeout)
            try:
                async for reply in replies:
                    if isinstance(reply, frames.Token):
                        yield reply.text
                    elif isinstance(reply, frames.Reading):
                        if on_reading is not None:
                            on_reading(reply.done, reply.total)
                    elif isinstance(reply, Finished):
                        self.last = reply
            finally:
                await replies.aclose()

    async def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has as the content of a message. Raises EngineError."""
        return await self._counts(frames.Count(0, list(texts))) if texts else []

    async def measure(self, messages: Sequence[Message]) -> int:
        """How many tokens the messages have as a prompt. Raises EngineError."""
        return (await self._counts(frames.Measure(0, list(messages))))[0]

    def kill(self) -> None:
        """End the child at once, without waiting for it; a text in work fails."""
        self._closes += 1
        super().kill()

    async def close(self) -> None:
        """End the child, also amid a text, which fails. A later request starts another one."""
        self._closes += 1
        await super().close()

    async def _counts(self, order: frames.Count | frames.Measure) -> list[int]:
        async with self._turn:
            replies = self._replies(order, self.options.timeout)
            try:
                async for reply in replies:
                    if isinstance(reply, frames.Counted):
                        return reply.counts
            finally:
                await replies.aclose()
        raise EngineError(f"{self.name} did not count.")

    async def _replies(
        self, order: frames.Generate | frames.Count | frames.Measure, seconds: float
    ) -> AsyncGenerator[Answer, None]:
        """Ask, once more after a crash before the first token."""
        self._begin()
        closes = self._closes
        try:
            while True:
                process = await self._ready()
                order.id = process.number()
                given = False
                replies = process.ask(order, seconds)
                try:
                    async for reply in replies:
                        given = not isinstance(reply, frames.Reading)
                        yield reply
                except TimeoutError as error:
                    raise EngineError(
                        f"{self.name} took longer than {seconds:g} seconds ([model] timeout)."
                    ) from error
                except Died as died:
                    if self._closes != closes:
                        raise EngineError(f"{self.name} was ended amid the text.") from died
                    self._crashed(process, died)
                    if given:
                        raise EngineError(
                            f"The language model ended by itself amid the text ({died})."
                        ) from died
                    continue
                finally:
                    await replies.aclose()
                self._crashes = 0
                return
        finally:
            self._end()

    async def _started(self) -> Process:
        if short := shortage(self.file, self.context):
            raise EngineError(short)
        repack = self._repack and has_plenty(self.file, self.context)
        load = frames.Load(self.file.path, self.context, self.options.threads, repack)
        return await Process.start(self.command, load)

    def _crashed(self, run: Process, died: Died) -> None:
        self._repack = False
        super()._crashed(run, died)

    def _too_slow(self) -> str:
        return f"{self.name} was not loaded after {self.start_seconds:.0f} seconds."

    def _too_often(self, died: Died) -> str:
        return (
            f"The language model {self.name} ended by itself twice ({died}){_hint(died)}: "
            "answers go on without it; datasheet-lsp models check may tell more."
        )


def _hint(died: Died) -> str:
    return ", perhaps for want of memory" if str(died) == "signal 9" else ""
