"""Language model processes without a model: each does what it is told in the last message."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language import LanguageModel, LanguageModelFile, LanguageOptions
from datasheet_lsp.engine.language import child as child_module
from datasheet_lsp.engine.language.frames import Finished, Generate, Load, Message
from tests.engine.small import once

CONTEXT = 64


def file(name: str = "small", **more: object) -> LanguageModelFile:
    given: dict[str, object] = {
        "name": name,
        "path": f"/models/{name}.gguf",
        "size": 1,
        "architecture": "llama",
        "trained": CONTEXT,
        "layers": 1,
        "token_bytes": 4,
        "vocabulary": 8,
        "width": 8,
        "template": True,
    }
    return LanguageModelFile(**{**given, **more})  # type: ignore[arg-type]


class Words:
    """What a model without a model tells of itself: each word is a token."""

    context = CONTEXT
    trained = CONTEXT
    template = "model"

    def count(self, text: str) -> int:
        return len(text.split())

    def measure(self, messages: Sequence[Message]) -> int:
        return sum(self.count(each.content) for each in messages)


class Talking(Words):
    """In place of a loaded model: repeats the words of the last message, one for each token."""

    def __init__(self, repack: bool = True) -> None:
        self.repack = repack

    def generate(
        self,
        order: Generate,
        stopping: Callable[[], bool],
        show: Callable[[str], None],
        read: Callable[[int, int], None],
    ) -> Finished:
        text = order.messages[-1].content
        tokens = self.measure(order.messages)
        if tokens + order.max_tokens > CONTEXT:
            raise EngineError("more than the 64 tokens of the context")
        if "read" in text:  # a prompt that takes its time, and looks whether it is wanted
            for _ in range(1000):
                if stopping():
                    return Finished(order.id, "cancelled")
                time.sleep(0.02)
        if "hang" in text:
            time.sleep(1000)
        if "print" in text:
            print("what a library says")
            os.write(1, b"and one in C")
            os.write(2, b"and more")
        if "crash" in text and once(text):
            os._exit(11)
        if "bad build" in text and self.repack:
            os.abort()
        if "fail" in text:
            raise RuntimeError("no such text")
        if "long" in text:
            read(1, 2)
            read(2, 2)
        for count, word in enumerate(text.split()):
            if stopping():
                return Finished(order.id, "cancelled", tokens, 0, count)
            if word == "die":
                os._exit(12)
            if word == "slow":
                time.sleep(0.2)
            show(f"{word} ")
        return Finished(order.id, "stop", tokens, 0, len(text.split()))


class Small(LanguageModel):
    """A model whose child has ``Talking`` for its model."""

    command = ("-m", "tests.engine.language.small")

    def __init__(self, name: str = "small", **options: object) -> None:
        given: dict[str, object] = {"context": CONTEXT, "max_tokens": 8, **options}
        super().__init__(file(name), LanguageOptions(**given))  # type: ignore[arg-type]


def main() -> None:
    def load(order: Load) -> Talking:
        name = Path(order.path).stem
        if name == "unloadable":
            raise EngineError("unloadable cannot be loaded (its weights are cut).")
        if name == "dies":
            os._exit(3)
        return Talking(order.repack)

    child_module.load = load  # type: ignore[assignment]
    child_module.main()


def lie() -> None:
    """A child that says what is no reply."""
    sys.stdout.buffer.write(b"\x05\x00\x00\x00hello, this is no MessagePack")
    sys.stdout.buffer.flush()
    time.sleep(1000)


if __name__ == "__main__":
    lie() if "lie" in sys.argv else main()
