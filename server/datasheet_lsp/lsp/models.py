"""The model processes of the server: started on first need, ended when idle, one of each kind."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasheet_lsp.engine import Embedder, EmbedModel, Reranker
    from datasheet_lsp.engine.language import (
        AnyModel,
        LanguageModelFile,
        LanguageOptions,
        LoopbackServer,
    )
    from datasheet_lsp.engine.models import RerankModel
    from datasheet_lsp.workspace.settings import EmbedSettings


class Models:
    """Used on the event loop alone. The models themselves are in processes of their own."""

    def __init__(self) -> None:
        self._embedder: Embedder | None = None
        self._reranker: Reranker | None = None
        self._language: AnyModel | None = None
        self._meant: tuple[LanguageModelFile | LoopbackServer, LanguageOptions] | None = None
        self._closed = False

    @property
    def embedder(self) -> Embedder | None:
        """The one in use, running or idle."""
        return self._embedder

    async def vector(self, model: EmbedModel, text: str, settings: EmbedSettings) -> bytes:
        """The vector of a question. May be cancelled; what is being loaded is loaded all the same.

        Raises:
            EngineError: it does not work; the text says why.
        """
        from datasheet_lsp.engine import Embedder, EngineError

        if self._closed:
            raise EngineError("The server is ending.")
        if self._embedder is None or self._embedder.model.key != model.key:
            before, self._embedder = (
                self._embedder,
                Embedder(model, threads=settings.threads, idle_seconds=60 * settings.idle_minutes),
            )
            if before is not None:
                await before.close()
        return (await self._embedder.embed([text], "query"))[0]

    async def rank(
        self, model: RerankModel, query: str, texts: Sequence[str], settings: EmbedSettings
    ) -> list[float]:
        """How well each text answers ``query``. Raises EngineError."""
        from datasheet_lsp.engine import EngineError, Reranker

        if self._closed:
            raise EngineError("The server is ending.")
        if self._reranker is None or self._reranker.model != model:
            before, self._reranker = (
                self._reranker,
                Reranker(model, threads=settings.threads, idle_seconds=60 * settings.idle_minutes),
            )
            if before is not None:
                await before.close()
        return await self._reranker.rank(query, texts)

    async def language(
        self, file: LanguageModelFile | LoopbackServer, options: LanguageOptions
    ) -> AnyModel:
        """The language model, which is not started by this; another one before it is ended."""
        from datasheet_lsp.engine import EngineError
        from datasheet_lsp.engine.language import open_language_model

        if self._closed:
            raise EngineError("The server is ending.")
        if self._language is None or self._meant != (file, options):
            before, self._language = self._language, open_language_model(file, options)
            self._meant = (file, options)
            if before is not None:
                await before.close()
        return self._language

    async def unload(self) -> None:
        """Ends embedder and reranker, where their memory is needed; they come again."""
        embedder, self._embedder = self._embedder, None
        reranker, self._reranker = self._reranker, None
        for process in (embedder, reranker):
            if process is not None:
                await process.close()

    def state(self) -> list[dict[str, Any]]:
        """The models that were used so far: whether they run, their memory in bytes, what fails."""
        used: list[tuple[str, str, Embedder | Reranker | AnyModel]] = []
        if self._embedder is not None:
            used.append(("embedder", self._embedder.model.name, self._embedder))
        if self._reranker is not None:
            used.append(("reranker", self._reranker.model.name, self._reranker))
        if self._language is not None:
            used.append(("language model", self._language.name, self._language))
        return [
            {
                "role": role,
                "name": name,
                "running": model.pid is not None,
                "memory": model.memory,
                "problem": model.given_up,
            }
            for role, name, model in used
        ]

    def retry(self) -> None:
        """Lets a model that was given up be tried anew."""
        for model in (self._embedder, self._reranker, self._language):
            if model is not None:
                model.retry()

    def kill(self) -> None:
        """Ends all processes at once, for good."""
        self._closed = True
        for model in (self._embedder, self._reranker, self._language):
            if model is not None:
                with contextlib.suppress(ProcessLookupError, RuntimeError):
                    model.kill()
