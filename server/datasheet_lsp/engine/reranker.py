"""The reranker: a cross-encoder that reads the question together with each passage."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import ClassVar

from datasheet_lsp.engine import frames
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.models import RerankModel
from datasheet_lsp.engine.process import Blocking, ModelProcess


class Reranker(ModelProcess):
    """Scores passages for a question in a child process, for use within one asyncio loop."""

    role: ClassVar[str] = "reranker"
    without: ClassVar[str] = "hits stay in the order of the search"
    failure: ClassVar[str] = "The passages could not be put in order"

    def __init__(self, model: RerankModel, *, threads: int = 0, idle_seconds: float = 600) -> None:
        super().__init__(model, threads=threads, idle_seconds=idle_seconds)
        self.model: RerankModel = model

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers ``query``, the higher the better. May be cancelled.

        Raises:
            EngineError: it does not work; the text says why.
        """
        if not texts:
            return []
        answer = await self.ask(lambda number: frames.Rank(number, query, list(texts)))
        if not isinstance(answer, frames.Ranked) or len(answer.scores) != 4 * len(texts):
            raise EngineError(f"{self.model.name} gave other scores than were asked for.")
        return array("f", answer.scores).tolist()


class BlockingReranker(Blocking[Reranker]):
    """The reranker for code without an asyncio loop; a context manager.

    ``rank`` is what a search takes: ``Callable[[str, Sequence[str]], Sequence[float]]``.
    """

    def __init__(self, model: RerankModel, *, threads: int = 0, idle_seconds: float = 600) -> None:
        self.model = model
        self._options = (threads, idle_seconds)
        super().__init__()

    async def _made(self) -> Reranker:
        threads, idle_seconds = self._options
        return Reranker(self.model, threads=threads, idle_seconds=idle_seconds)

    def rank(
        self, query: str, texts: Sequence[str], cancelled: Callable[[], bool] | None = None
    ) -> list[float]:
        """As ``Reranker.rank``; raises Interrupted soon after ``cancelled`` says so."""
        return self.do(self.process.rank(query, texts), cancelled)
