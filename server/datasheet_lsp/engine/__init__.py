"""Model processes: each model in a child of its own, behind one small protocol."""

from datasheet_lsp.engine.embedder import BlockingEmbedder, Embedder
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.models import (
    EmbedModel,
    RerankModel,
    find_model,
    find_reranker,
    list_models,
)
from datasheet_lsp.engine.places import models_folder
from datasheet_lsp.engine.reranker import BlockingReranker, Reranker

__all__ = [
    "BlockingEmbedder",
    "BlockingReranker",
    "EmbedModel",
    "Embedder",
    "EngineError",
    "RerankModel",
    "Reranker",
    "find_model",
    "find_reranker",
    "list_models",
    "models_folder",
]
