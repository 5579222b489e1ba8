"""The embedder as the rest of the program knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import ClassVar

from msgspec.structs import replace

from datasheet_lsp.engine import frames
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.models import EmbedModel
from datasheet_lsp.engine.process import Blocking, Interrupted, ModelProcess


class Embedder(ModelProcess):
    """Embeds texts in a child process, for use within one asyncio loop."""

    role: ClassVar[str] = "embedder"
    without: ClassVar[str] = "search goes on by keywords"
    failure: ClassVar[str] = "A text could not be embedded"

    def __init__(self, model: EmbedModel, *, threads: int = 0, idle_seconds: float = 600) -> None:
        super().__init__(model, threads=threads, idle_seconds=idle_seconds)
        self.model: EmbedModel = model

    async def embed(
        self, texts: Sequence[str], kind: frames.Kind = "document", heads: Sequence[int] = ()
    ) -> list[bytes]:
        """The vector of each text: 32-bit floats in this machine's order. May be cancelled.

        A document that is longer than the model reads has several, one after another, of parts with
        its first ``heads`` characters before each.

        Raises:
            EngineError: it does not work; the text says why.
        """
        if not texts:
            return []
        order = frames.Embed(0, kind, list(texts), list(heads))
        answer = await self.ask(lambda number: replace(order, id=number))
        if not isinstance(answer, frames.Embedded) or len(answer.parts) != len(texts):
            raise EngineError(f"{self.model.name} gave other vectors than were asked for.")
        size = self.model.dimension * 4
        ends = list(accumulate(parts * size for parts in answer.parts))
        if ends[-1] != len(answer.vectors) or min(answer.parts) < 1:
            raise EngineError(f"{self.model.name} gave other vectors than were asked for.")
        return [answer.vectors[a:z] for a, z in zip([0, *ends], ends, strict=False)]


class BlockingEmbedder(Blocking[Embedder]):
    """The embedder for code without an asyncio loop; a context manager."""

    def __init__(self, model: EmbedModel, *, threads: int = 0, idle_seconds: float = 600) -> None:
        self.model = model
        self._options = (threads, idle_seconds)
        super().__init__()

    async def _made(self) -> Embedder:
        return await self._make(*self._options)

    async def _make(self, threads: int, idle_seconds: float) -> Embedder:
        return Embedder(self.model, threads=threads, idle_seconds=idle_seconds)

    @property
    def embedder(self) -> Embedder:
        """The embedder itself."""
        return self.process

    def embed(
        self,
        texts: Sequence[str],
        kind: frames.Kind = "document",
        cancelled: Callable[[], bool] | None = None,
        heads: Sequence[int] = (),
    ) -> list[bytes]:
        """As ``Embedder.embed``; raises Interrupted soon after ``cancelled`` says so."""
        return self.do(self.process.embed(texts, kind, heads), cancelled)


__all__ = ["BlockingEmbedder", "Embedder", "Interrupted"]
