"""``datasheet-lsp ask``: an answer from the device, its manuals and a language model here."""

from __future__ import annotations

import argparse
import sys

DESCRIPTION = """Answers a question. Addresses, bits, reset values and the like come from the device
itself, at once. For everything else the registers that it takes are planned, the manuals are
searched, and a language model on this machine writes the answer, each number checked and each
statement with its page; without a model the plan and the passages are laid out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The question, and how it is answered."""
    from datasheet_lsp.cli.asking import add_asking

    parser.add_argument("question", nargs="+", metavar="QUESTION", help="in plain words")
    add_asking(parser)
    parser.add_argument(
        "--explain",
        action="store_true",
        help="also what was searched for, the passages, what was checked, and the whole prompt",
    )
    parser.add_argument("--json", action="store_true", help="print JSON with all of it")


def run(arguments: argparse.Namespace) -> int:
    """Prints the answer; 1 when the documents do not have it."""
    from datasheet_lsp.answer.types import silent
    from datasheet_lsp.assist.ask import answer_json
    from datasheet_lsp.assist.svd_lines import lead_to_svd
    from datasheet_lsp.cli.asking import open_asker
    from datasheet_lsp.cli.output import plain_style, print_json

    with open_asker(arguments, plain=not arguments.json) as asker:
        live = not arguments.json and sys.stdout.isatty()
        answer = asker.ask(
            " ".join(arguments.question),
            device=arguments.device,
            hints=arguments.hint,
            on_event=show if live else silent,
        )
        if arguments.json:
            file_of = asker.library.file_of if asker.library is not None else None
            data = answer_json(answer, file_of)
            lead_to_svd(data, asker.contexts)
            print_json(data)
        else:
            if live:
                print()
            else:
                print(answer.text)
            for note in answer.notes:
                print(f"datasheet-lsp: {note}", file=sys.stderr)
            if arguments.explain:
                from datasheet_lsp.render.answered import answered_text

                print()
                print(answered_text(answer, plain_style()))
    return 1 if answer.route == "refused" else 0


def show(kind: str, text: str) -> None:
    """Writes an answer as it comes; stages go to the error stream."""
    if kind == "stage":
        print(f"{text} ...", file=sys.stderr)
    elif kind == "replace":
        print(f"\n\n{text}", end="", flush=True)
    else:
        print(text, end="", flush=True)
