"""A query becomes ranked passages of the manuals and SVD files."""

from datasheet_lsp.search.hits import Hit, Mode, Results
from datasheet_lsp.search.searcher import BUDGET, K, Rerank, Searcher, VectorArm
from datasheet_lsp.search.settings import SearchSettings

__all__ = [
    "BUDGET",
    "K",
    "Hit",
    "Mode",
    "Rerank",
    "Results",
    "SearchSettings",
    "Searcher",
    "VectorArm",
]
