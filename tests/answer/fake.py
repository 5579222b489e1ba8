"""A language model that says what a test has it say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


class Fake:
    """Answers with ``text``, and with ``queries`` where JSON is wanted; keeps what it was given."""

    def __init__(self, text: str, queries: str = '{"queries":[]}', fails: str = "") -> None:
        self.text = text
        self.queries = queries
        self.fails = fails
        self.asked: list[list[tuple[str, str]]] = []
        self.closed = False

    def __call__(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
    ) -> Iterator[str]:
        self.asked.append(list(messages))
        text = self.queries if json_schema is not None else self.text
        try:
            for at in range(0, len(text), 3):
                yield text[at : at + 3]
            if self.fails and json_schema is None:
                raise RuntimeError(self.fails)
        finally:
            self.closed = True
