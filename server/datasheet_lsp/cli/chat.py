"""``datasheet-lsp chat``: questions one after another, each with what was said before."""

from __future__ import annotations

import argparse
import sys

DESCRIPTION = """Answers questions one after another. A question may lean on the one before: "and
for USART3?", "which page?". An empty line or the end of the input ends it."""

_PROMPT = "> "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """As for ``ask``."""
    from datasheet_lsp.cli.asking import add_asking

    add_asking(parser)


def run(arguments: argparse.Namespace) -> int:
    """Reads questions and prints answers until there are no more."""
    from datasheet_lsp.answer.types import Turn, silent
    from datasheet_lsp.cli.ask import show
    from datasheet_lsp.cli.asking import open_asker

    live = sys.stdout.isatty()
    with open_asker(arguments, plain=True) as asker:
        history: list[Turn] = []
        while True:
            question = _question()
            if not question:
                return 0
            answer = asker.ask(
                question,
                device=arguments.device,
                hints=arguments.hint,
                history=history,
                on_event=show if live else silent,
            )
            print("\n" if live else f"{answer.text}\n", flush=True)
            for note in answer.notes:
                print(f"datasheet-lsp: {note}", file=sys.stderr)
            history.append(Turn(question, answer.text, answer.device, answer.chunks, answer.asked))


def _question() -> str:
    if sys.stdin.isatty():
        try:
            return input(_PROMPT).strip()
        except EOFError:
            return ""
    return sys.stdin.readline().strip()
