"""Model processes: each model in a child of its own, behind one small protocol."""

from datasheet_lsp.engine.embedder import BlockingEmbedder, Embedder
from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.models import EmbedModel, find_model, list_models
from datasheet_lsp.engine.places import models_folder

__all__ = [
    "BlockingEmbedder",
    "EmbedModel",
    "Embedder",
    "EngineError",
    "find_model",
    "list_models",
    "models_folder",
]
