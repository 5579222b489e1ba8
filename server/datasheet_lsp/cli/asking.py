"""What ``ask`` and ``chat`` have in common: the workspace, its language model, printing."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    import argparse

    from datasheet_lsp.answer.types import Generate
    from datasheet_lsp.assist.ask import Asker
    from datasheet_lsp.engine.language import BlockingLanguageModel
    from datasheet_lsp.workspace.settings import Settings


def add_asking(parser: argparse.ArgumentParser) -> None:
    """The options of both."""
    from datasheet_lsp.cli.choice import add_choice

    parser.add_argument(
        "--hint",
        action="append",
        default=[],
        metavar="TEXT",
        help="search for this too; may be repeated",
    )
    parser.add_argument(
        "--no-llm", action="store_true", help="without a language model: plan and passages"
    )
    add_choice(parser)


@contextmanager
def open_asker(arguments: argparse.Namespace, *, plain: bool) -> Iterator[Asker]:
    """The workspace around the current folder, ready for questions.

    Raises CliError where the device that was named is unknown, or there is nothing to ask about.
    """
    from datasheet_lsp.assist.ask import Asker
    from datasheet_lsp.cli.chip import Chip
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.cli.search import open_library
    from datasheet_lsp.render.style import MARKDOWN

    with ExitStack() as stack:
        library = stack.enter_context(open_library(Path.cwd()))
        settings = library.settings
        generate, model, context = None, "", settings.model.context
        if not arguments.no_llm and settings.model.enabled:
            found = open_model(settings, library.root, stack)
            if found is not None:
                generate, model, context = found
        chip = Chip(Path(), arguments.svd, None)
        if arguments.svd is not None:
            devices = [each.device for each in chip.lookups(None)]
        else:
            devices = [each.device for each in chip.session.contexts]
        asker = Asker(
            settings,
            library,
            lambda: devices,
            generate=generate,
            model=model,
            context=context,
            style=plain_style() if plain else MARKDOWN,
        )
        asker.contexts = chip.session.contexts
        if arguments.device is not None and not asker.has(arguments.device):
            known = ", ".join(sorted(asker.devices()))
            there = f"; there is {known}" if known else ""
            raise CliError(f"nothing is known of the device {arguments.device}{there}.")
        if not asker.devices() and library.path.is_file() is False:
            raise CliError(
                f"there is nothing to ask about in {library.root}: put an SVD file there or name "
                "it with --svd, and bring manuals in with datasheet-lsp index."
            )
        yield asker


def open_model(
    settings: Settings, root: Path, stack: ExitStack
) -> tuple[Generate, str, int] | None:
    """The language model of the workspace; None, with a line on why, where there is none."""
    from datasheet_lsp.engine import EngineError
    from datasheet_lsp.engine.language import (
        BlockingLanguageModel,
        LanguageOptions,
        find_language_model,
    )

    try:
        language = find_language_model(settings.model, root)
    except EngineError as error:
        if settings.model.path or settings.model.url:
            print(f"datasheet-lsp: {error}", file=sys.stderr)
        return None
    try:
        options = LanguageOptions.of(settings.model)
        model = stack.enter_context(BlockingLanguageModel(language, options))
    except EngineError as error:
        print(f"datasheet-lsp: {error}", file=sys.stderr)
        return None
    return generator(model), language.name, settings.model.context


def generator(model: BlockingLanguageModel) -> Generate:
    """A model as the function that answers take."""
    from datasheet_lsp.engine.language import Message

    def generate(
        messages: Sequence[tuple[str, str]],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
    ) -> Iterator[str]:
        said = [Message(role, text) for role, text in messages]  # type: ignore[arg-type]
        schema = dict(json_schema) if json_schema is not None else None
        return model.generate(
            said,
            max_tokens=max_tokens,
            json_schema=schema,
            temperature=temperature,
            stop=stop,
        )

    return generate
