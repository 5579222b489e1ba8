"""Documents and devices cut into the chunks that are searched."""

from datasheet_lsp.documents.chunking.devices import svd_chunks, svd_document
from datasheet_lsp.documents.chunking.make import make_chunks
from datasheet_lsp.documents.chunking.settings import CHUNK_VERSION, ChunkSettings

__all__ = ["CHUNK_VERSION", "ChunkSettings", "make_chunks", "svd_chunks", "svd_document"]
