"""Where the tokens of a text are, by the tokenizer of a model's folder, without the model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def offsets(folder: Path) -> Callable[[str], list[tuple[int, int]]]:
    """What gives the place of each token of a text; for a model with a tokenizer.json."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def places(text: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = tokenizer.encode(text, add_special_tokens=False).offsets
        return found

    return places
