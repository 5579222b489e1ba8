"""A language model for code without an asyncio loop."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar

from datasheet_lsp.engine.language.files import Language
from datasheet_lsp.engine.language.frames import Finished, Message
from datasheet_lsp.engine.language.model import LanguageModel, LanguageOptions
from datasheet_lsp.engine.language.openai import ServerModel
from datasheet_lsp.engine.threaded import LOOK_SECONDS, Interrupted, LoopThread

T = TypeVar("T")

AnyModel = LanguageModel | ServerModel


def open_language_model(language: Language, options: LanguageOptions | None = None) -> AnyModel:
    """A model for use within one asyncio loop; nothing is started yet."""
    from datasheet_lsp.engine.language.files import LoopbackServer

    if isinstance(language, LoopbackServer):
        return ServerModel(language, options)
    return LanguageModel(language, options)


class BlockingLanguageModel:
    """A language model as an iterator of pieces of text; a context manager.

    It has a loop in a thread of its own, or, through ``within``, uses one that runs already.
    """

    def __init__(self, language: Language, options: LanguageOptions | None = None) -> None:
        self._thread = LoopThread()
        self._cancelled = threading.Event()
        self.model: AnyModel = self._do(self._make(language, options))

    @classmethod
    def within(cls, model: AnyModel, loop: asyncio.AbstractEventLoop) -> BlockingLanguageModel:
        """The same for a model of a loop that runs in another thread, which stays its owner."""
        made = cls.__new__(cls)
        made._thread = LoopThread(loop)
        made._cancelled = threading.Event()
        made.model = model
        return made

    async def _make(self, language: Language, options: LanguageOptions | None) -> AnyModel:
        return open_language_model(language, options)

    @property
    def context(self) -> int:
        """Tokens that prompt and answer may have together."""
        return self.model.context

    @property
    def last(self) -> Finished | None:
        """Why the last text ended and what it took."""
        return self.model.last

    def start(self) -> None:
        """Start the model now. Raises EngineError."""
        self._do(self.model.start())

    def generate(
        self,
        messages: Sequence[Message],
        *,
        grammar: str | None = None,
        json_schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
        cancelled: Callable[[], bool] | None = None,
        on_reading: Callable[[int, int], None] | None = None,
    ) -> Iterator[str]:
        """As ``LanguageModel.generate``; ``on_reading`` is called in the loop's thread.

        Raises:
            EngineError: it does not work; the text says why.
            Interrupted: ``cancel`` was called, or ``cancelled`` said that it is not wanted.
        """
        self._cancelled.clear()
        pieces: queue.Queue[str | None] = queue.Queue()

        async def pump() -> None:
            texts: AsyncGenerator[str, None] = self.model.generate(
                messages,
                grammar=grammar,
                json_schema=json_schema,
                max_tokens=max_tokens,
                temperature=temperature,
                stop=stop,
                on_reading=on_reading,
            )
            try:
                async for text in texts:
                    pieces.put(text)
            finally:
                await texts.aclose()
                pieces.put(None)

        future = asyncio.run_coroutine_threadsafe(pump(), self._thread.loop)
        try:
            while True:
                try:
                    piece = pieces.get(timeout=LOOK_SECONDS)
                except queue.Empty:
                    piece = ""
                    if self._thread.loop.is_closed():
                        raise Interrupted from None
                if piece is None:
                    break
                if self._cancelled.is_set() or (cancelled is not None and cancelled()):
                    raise Interrupted
                if piece:
                    yield piece
            future.result()
        finally:
            future.cancel()

    def cancel(self) -> None:
        """End the text that is being written; may be called from any thread."""
        self._cancelled.set()

    def count(self, texts: Sequence[str]) -> list[int]:
        """As ``LanguageModel.count``."""
        return self._do(self.model.count(texts))

    def measure(self, messages: Sequence[Message]) -> int:
        """As ``LanguageModel.measure``."""
        return self._do(self.model.measure(messages))

    def close(self) -> None:
        """End the model's process and the thread, where they are its own."""
        if self._thread.open:
            self._do(self.model.close())
            self._thread.close()

    def __enter__(self) -> BlockingLanguageModel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.do(work)
