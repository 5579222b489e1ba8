"""Embedder processes without a model: each does one thing wrong, or what it is told in the text."""

from __future__ import annotations

import re
import struct
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from datasheet_lsp.engine.embedder import Embedder
from datasheet_lsp.engine.models import EmbedModel

DIMENSION = 8


def model(path: str = "/models/small", **more: object) -> EmbedModel:
    given: dict[str, object] = {
        "kind": "sentence-transformers",
        "name": "small",
        "path": path,
        "sha256": "0" * 64,
        "dimension": DIMENSION,
        "full": DIMENSION,
        "max_tokens": 16,
        "prefixes": ("query: ", "document: "),
        "layer_norm": False,
        "normalise": True,
        "size": 1,
    }
    return EmbedModel(**{**given, **more})  # type: ignore[arg-type]


def vector(text: str) -> bytes:
    """A vector that tells its text: how often each of eight letters is in it."""
    return struct.pack("<8f", *(float(text.count(letter)) for letter in "abcdefgh"))


class Counting:
    """In place of a loaded model. A text can make it crash, print, fail or take its time."""

    dimension = DIMENSION
    max_tokens = 16

    def encode(self, texts: list[str]) -> bytes:
        for text in texts:
            if "print" in text:
                print("what a library says")
                sys.stderr.write("and more\n")
            if "slow" in text:
                time.sleep(30.0 if "slow long" in text else 0.3)
            if "fail" in text:
                raise ValueError("no such text")
            if "crash" in text and once(text):
                import os

                os._exit(11)
        return b"".join(vector(text) for text in texts)

    def tokens(self, text: str) -> list[tuple[int, int]]:
        """Each word is one."""
        return [match.span() for match in re.finditer(r"\S+", text)]


class Ranking:
    """In place of a loaded reranker: a text is the better the more often the letter f is in it."""

    max_tokens = 16

    def score(self, query: str, texts: Sequence[str]) -> bytes:
        if "crash" in query:
            import os

            os._exit(11)
        return struct.pack(f"<{len(texts)}f", *(float(text.count("f")) for text in texts))


def once(text: str) -> bool:
    """For ``crash FILE``: the first time only; for ``crash`` alone: always."""
    name = text.partition("crash ")[2]
    if not name:
        return True
    path = Path(name)
    if path.exists():
        return False
    path.touch()
    return True


class Small(Embedder):
    """An embedder whose child has ``Counting`` for its model."""

    command = ("-m", "tests.engine.small")


def main() -> None:
    from datasheet_lsp.engine import embedder_child
    from datasheet_lsp.engine.errors import EngineError

    def load(model: EmbedModel, threads: int) -> Counting:
        if model.name == "unloadable":
            raise EngineError("unloadable cannot be loaded (its weights are cut).")
        if model.name == "dies":
            import os

            os._exit(3)
        return Counting()

    embedder_child.load = load  # type: ignore[assignment]
    embedder_child.load_reranker = lambda model, threads: Ranking()  # type: ignore[assignment]
    embedder_child.main()


if __name__ == "__main__":
    main()
