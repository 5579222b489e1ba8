"""The indexer process with an embedder that counts letters, and that can be slow or crash."""

from __future__ import annotations

from datasheet_lsp.engine.embedder import Embedder
from datasheet_lsp.indexing import child, embedding, vectors
from datasheet_lsp.indexing.client import Indexer
from tests.engine.small import Small, model


def install() -> None:
    """From here on this process makes vectors of letters, in batches of a few."""
    Embedder.command = Small.command
    embedding.find_model = lambda *_, **__: model()  # type: ignore[assignment]
    embedding.what_is_missing = lambda settings: ""
    vectors.BATCH = 4


class SmallIndexer(Indexer):
    """An indexer whose process does so."""

    command = ("-m", "tests.indexing.small_child")


if __name__ == "__main__":
    install()
    child.main()
