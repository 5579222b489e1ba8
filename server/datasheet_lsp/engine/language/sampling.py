"""Which token comes next: llama.cpp's samplers in a chain."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language.brief import brief
from datasheet_lsp.engine.language.frames import Generate
from datasheet_lsp.engine.language.library import Library

TOP_K = 40
"""Of how many tokens at most one is drawn."""

PENALTY_TOKENS = 256
"""How far back tokens count for the penalties."""


class Sampler:
    """The chain for one text; a context manager. Only what is generated counts for penalties.

    Raises:
        EngineError: the grammar or schema is not understood.
    """

    def __init__(self, library: Library, vocabulary: Any, size: int, order: Generate) -> None:
        self._functions = functions = library.functions
        grammar = order.grammar
        if order.json_schema:
            grammar = _grammar_of(order.json_schema)
        self._chain = functions.llama_sampler_chain_init(
            functions.llama_sampler_chain_default_params()
        )
        if grammar:
            made = functions.llama_sampler_init_grammar(vocabulary, grammar.encode(), b"root")
            if not made:
                raise EngineError(f"llama.cpp does not understand the grammar{library.why()}.")
            self._add(made)
        if order.frequency_penalty or order.presence_penalty:
            self._add(
                functions.llama_sampler_init_penalties(
                    size, PENALTY_TOKENS, 1.0, order.frequency_penalty, order.presence_penalty
                )
            )
        if order.temperature <= 0:
            self._add(functions.llama_sampler_init_greedy())
            return
        self._add(functions.llama_sampler_init_top_k(TOP_K))
        if order.top_p < 1:
            self._add(functions.llama_sampler_init_top_p(order.top_p, 1))
        self._add(functions.llama_sampler_init_temp(order.temperature))
        self._add(functions.llama_sampler_init_dist(order.seed))

    def next(self, context: Any) -> int:
        """A token after what was decoded last."""
        return int(self._functions.llama_sampler_sample(self._chain, context, -1))

    def __enter__(self) -> Sampler:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._functions.llama_sampler_free(self._chain)

    def _add(self, sampler: Any) -> None:
        self._functions.llama_sampler_chain_add(self._chain, sampler)


def _grammar_of(schema: str) -> str:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    try:
        json.loads(schema)
        return str(json_schema_to_gbnf(schema))
    except Exception as error:  # whatever is not known of schemas
        why = brief(error)
        raise EngineError(f"The JSON schema cannot be used ({why}).") from error
