"""The settings of the search."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Share = Annotated[float, Meta(ge=0, le=1)]


class WeightSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the words count, by the kind of a question; what is left to 1 counts the meaning."""

    symbol: Annotated[
        Share | None,
        Meta(description="For the name of a register or field. Default: as measured."),
    ] = None
    mixed: Annotated[
        Share | None, Meta(description="For names together with words. Default: as measured.")
    ] = None
    words: Annotated[Share | None, Meta(description="For words alone. Default: as measured.")] = (
        None
    )


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the manuals are searched, in the editor and on the command line."""

    hits: Annotated[int, Meta(ge=1, le=100, description="At most so many hits.")] = 5
    budget: Annotated[
        int,
        Meta(ge=64, le=65536, description="At most so many tokens in all hits together."),
    ] = 2_500
    mode: Annotated[
        Literal["keyword", "vector", "hybrid"],
        Meta(description="By words, by meaning, or by both."),
    ] = "hybrid"
    candidates: Annotated[
        int,
        Meta(
            ge=10, le=1000, description="So many passages are looked at, by words and by meaning."
        ),
    ] = 100
    weights: Annotated[
        WeightSettings, Meta(description="What words count against the meaning.")
    ] = WeightSettings()
    reranker: Annotated[
        str,
        Meta(
            description="The folder of a cross-encoder (sentence-transformers), relative to this "
            "file, that puts the best hits in order. Without one they are left as they are."
        ),
    ] = ""
    rerank_candidates: Annotated[
        int, Meta(ge=2, le=100, description="So many of the best hits are put in order by it.")
    ] = 25
