"""The settings of the language model: ``[model]`` of ``datasheet.toml``."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The model that writes answers: a GGUF file in a process of its own, or a local server."""

    enabled: Annotated[
        bool,
        Meta(description="Whether to use one. Without: plans, register tables and passages."),
    ] = True
    path: Annotated[
        str,
        Meta(
            description="The GGUF file, relative to this file, or the name of one in the folder "
            "for models (datasheet-lsp models). Default: the only one there, else the model of the "
            "demo-llm extra."
        ),
    ] = ""
    url: Annotated[
        str,
        Meta(
            description="Instead of a file: a server on this machine that speaks the OpenAI chat "
            "API (llama-server, Ollama), as in http://127.0.0.1:8080/v1. Any address that is no "
            "loopback address is refused."
        ),
    ] = ""
    name: Annotated[
        str,
        Meta(description="With a url: the model that is asked for. Default: the server's first."),
    ] = ""
    context: Annotated[
        int,
        Meta(
            ge=512,
            le=1_048_576,
            description="Tokens that question, passages and answer may have together; more take "
            "more memory.",
        ),
    ] = 8192
    threads: Annotated[
        int, Meta(ge=0, le=256, description="Threads that it uses; 0: by the processors.")
    ] = 0
    seed: Annotated[
        int,
        Meta(ge=0, le=4_294_967_294, description="The same seed gives the same answer again."),
    ] = 1
    temperature: Annotated[
        float,
        Meta(ge=0, le=2, description="0: always the likeliest word; more: more variety."),
    ] = 0.2
    top_p: Annotated[
        float,
        Meta(gt=0, le=1, description="Words are drawn from the likeliest that have this share."),
    ] = 0.95
    frequency_penalty: Annotated[
        float,
        Meta(ge=-2, le=2, description="Makes a word less likely each time that it was written."),
    ] = 0.0
    presence_penalty: Annotated[
        float, Meta(ge=-2, le=2, description="Makes a word less likely once it was written.")
    ] = 0.0
    max_tokens: Annotated[
        int, Meta(ge=16, le=32_768, description="An answer has at most so many tokens.")
    ] = 1024
    timeout: Annotated[
        float,
        Meta(ge=0, le=86_400, description="Seconds that one text may take; 0: without a limit."),
    ] = 600.0
    idle_minutes: Annotated[
        float,
        Meta(
            ge=0,
            le=1440,
            description="Its process ends after so many minutes without work; 0: never.",
        ),
    ] = 10.0
