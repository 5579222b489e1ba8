"""The stems of words, as the text index has them."""

from __future__ import annotations

from collections.abc import Callable

import apsw


def stemmer() -> Callable[[str], list[str]]:
    """Gives the stems of the words of a text: reset for Resets, resetting."""
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer(
        "porter", ["unicode61", "remove_diacritics", "2"]
    )

    def stems(text: str) -> list[str]:
        found = tokenizer(
            text.encode("utf-8", "replace"),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return [word for word in found if isinstance(word, str)]

    return stems
