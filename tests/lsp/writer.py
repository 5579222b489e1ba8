"""A language model process without a model, for the server: it does what the question says."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from datasheet_lsp.engine.language import child as child_module
from datasheet_lsp.engine.language.files import LanguageModelFile
from datasheet_lsp.engine.language.frames import Finished, Generate, Load
from tests.engine.language.small import Words, file

CONTEXT = 8192
ANSWER = "The divider of the baud rate is in UART1.BRR at 0x40001008 [1]. "

SERVE = """
from datasheet_lsp.engine import language
from datasheet_lsp.engine.embedder import Embedder
from tests.lsp.writer import written_by
Embedder.command = ("-m", "tests.engine.small")
language.LanguageModel.command = ("-m", "tests.lsp.writer")
language.find_language_model = lambda setting, root=None: written_by()
from datasheet_lsp.lsp.server import main
main()
"""

TIGHT = """
from datasheet_lsp.engine import language
language.plan = lambda model, context, embedder, memory=None: language.Plan(
    8 << 30, 6 << 30, 1 << 30, True, False)
"""
"""Before SERVE: a machine on which embedder and language model do not fit together."""


def written_by() -> LanguageModelFile:
    return file("writer", trained=CONTEXT)


class Writing(Words):
    """In place of a loaded model."""

    context = CONTEXT
    trained = CONTEXT

    def generate(
        self,
        order: Generate,
        stopping: Callable[[], bool],
        show: Callable[[str], None],
        read: Callable[[int, int], None],
    ) -> Finished:
        text = order.messages[-1].content
        read(1, 4)
        if "crash" in text:
            os._exit(11)
        if order.json_schema:
            show("{}")
            return Finished(order.id, "stop")
        count = 0
        while "forever" in text and not stopping():
            count += 1
            show(f"w{'x' * (count % 7)}rd{'s' * (count % 5)} ")
            time.sleep(0.02)
        for word in ANSWER.split(" "):
            if stopping():
                return Finished(order.id, "cancelled")
            show(f"{word} ")
        return Finished(order.id, "stop")


def main() -> None:
    def load(order: Load) -> Writing:
        return Writing()

    child_module.load = load  # type: ignore[assignment]
    child_module.main()


if __name__ == "__main__":
    main()
