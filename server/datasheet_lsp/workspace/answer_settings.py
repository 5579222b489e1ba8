"""The settings of answers: ``[answer]`` of ``datasheet.toml``."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class AnswerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How questions are answered, in the editor and on the command line."""

    preamble: Annotated[
        str,
        Meta(description="What the language model is told first. Default: to keep to passages."),
    ] = ""
    tone: Annotated[str, Meta(description="The tone of answers: plain, formal, friendly ...")] = (
        "plain"
    )
    verbosity: Annotated[
        Literal["concise", "normal", "detailed"], Meta(description="How much is said.")
    ] = "normal"
    citation_style: Annotated[
        Literal["numbers", "pages"],
        Meta(description="numbers: [1] alone; pages: the page is named in the text too."),
    ] = "numbers"
    language: Annotated[
        str, Meta(description="The language of answers. Default: that of the question.")
    ] = ""
    reread: Annotated[
        bool, Meta(description="Whether the model is given the question twice (Re2).")
    ] = False
    budget: Annotated[
        int, Meta(ge=256, le=65_536, description="At most so many tokens of passages.")
    ] = 3_000
    top: Annotated[
        int, Meta(ge=1, le=10, description="At most so many hits of each sub-query come first.")
    ] = 2
    hops: Annotated[
        int,
        Meta(
            ge=0,
            le=5,
            description="So many times what passages point to (a section, a table, a register) is "
            "looked up too.",
        ),
    ] = 2
    plan: Annotated[
        bool, Meta(description="Whether the registers that an aim takes are planned first.")
    ] = True
    subqueries: Annotated[
        bool, Meta(description="Whether the language model splits the question too.")
    ] = True
    rewrite: Annotated[
        bool,
        Meta(description="Whether the model may rewrite a question once that finds too little."),
    ] = True
    refuse: Annotated[
        bool, Meta(description="Whether to say so where the documents cannot answer.")
    ] = True
    hints: Annotated[
        tuple[str, ...],
        Meta(description="What to search for besides, with every question."),
    ] = ()
    provenance: Annotated[
        Literal["off", "similarity", "rerank", "model"],
        Meta(
            description="How it is measured how much of an answer comes from each passage: by "
            "words or vectors alike, by the reranker, by the language model."
        ),
    ] = "similarity"
    max_tokens: Annotated[
        int, Meta(ge=32, le=32_768, description="An answer has at most so many tokens.")
    ] = 600
    history: Annotated[
        int,
        Meta(ge=0, le=32_768, description="At most so many tokens of a conversation are kept."),
    ] = 800
