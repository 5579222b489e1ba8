"""Whether a language model works and how fast: for ``models check`` and ``bench model``."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from datasheet_lsp.cli.bench_report import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from datasheet_lsp.engine.language import LanguageModelFile, LoopbackServer
    from datasheet_lsp.evaluation.bench_model import ModelReport
    from datasheet_lsp.workspace import Settings

_BENCH_TEXT = """How soon a language model begins, how fast it writes, how soon it stops when it is
cancelled or ended, and what memory it takes beside what is reckoned from its file."""

_QUESTION = "In one sentence: what does a baud rate register hold?"
_TOKENS = 64
_PROMPT = "The baud rate register holds the mantissa and the fraction of the divider. " * 16


def language_of(
    name: str | None, wanted: bool, root: Path, settings: Settings
) -> LanguageModelFile | LoopbackServer | None:
    """The language model that is meant; None where an embedding model is.

    Raises:
        CliError: it is no model that can be used.
    """
    from datasheet_lsp.cli.errors import CliError
    from datasheet_lsp.engine import EngineError
    from datasheet_lsp.engine.language import find_language_model

    setting = settings.model
    if name is not None:
        is_url = "://" in name
        setting = msgspec.structs.replace(
            setting, path="" if is_url else name, url=name if is_url else ""
        )
        wanted = wanted or is_url
    elif not wanted:
        return None
    try:
        return find_language_model(setting, Path() if name is not None else root)
    except EngineError as error:
        if not wanted and not (name or "").endswith(".gguf"):
            return None
        if _embeds(Path(name or "")):
            return None
        raise CliError(str(error)) from error


def _embeds(path: Path) -> bool:
    """Whether it is a GGUF file of an embedding model."""
    from datasheet_lsp.engine import gguf

    try:
        return gguf.is_embedder(gguf.read_head(path))
    except (OSError, ValueError):
        return False


def check_language(
    language: LanguageModelFile | LoopbackServer, settings: Settings, as_json: bool
) -> int:
    """Loads the model, lets it write and prints how fast it is. Raises CliError."""
    from datasheet_lsp.cli.errors import CliError
    from datasheet_lsp.cli.output import print_json
    from datasheet_lsp.engine import EngineError
    from datasheet_lsp.engine.language import BlockingLanguageModel, LanguageOptions, Message
    from datasheet_lsp.render.engines import size_text

    try:
        with BlockingLanguageModel(language, LanguageOptions.of(settings.model)) as model:
            begin = time.monotonic()
            model.start()
            start = time.monotonic() - begin
            messages = [Message("user", f"{_PROMPT}\n\n{_QUESTION}")]
            begin = time.monotonic()
            first = 0.0
            text = ""
            for piece in model.generate(messages, max_tokens=_TOKENS):
                first = first or time.monotonic() - begin
                text += piece
            last = model.last
            memory = model.model.memory
            name, context = model.model.name, model.context
    except EngineError as error:
        raise CliError(str(error)) from error
    assert last is not None
    writing = last.seconds - last.prompt_seconds
    facts = {
        "name": name,
        "context": context,
        "start_seconds": round(start, 2),
        "prompt_tokens": last.prompt_tokens,
        "prompt_tokens_per_second": _rate(last.prompt_tokens, last.prompt_seconds),
        "first_token_seconds": round(first, 2),
        "tokens_per_second": _rate(last.tokens, writing),
        "memory": memory,
        "text": text,
    }
    if as_json:
        print_json(facts)
        return 0
    print(f"{name} works")
    print(f"context  {context:,} tokens")
    print(f"start    {start:.1f} s")
    print(f"reads    {facts['prompt_tokens_per_second']:g} tokens a second")
    print(f"writes   {facts['tokens_per_second']:g} tokens a second")
    if memory:
        print(f"memory   {size_text(memory)}")
    print(f"said     {' '.join(text.split())}")
    return 0


def _rate(tokens: int, seconds: float) -> float:
    return round(tokens / seconds, 1) if seconds > 0 else 0.0


def add_bench_arguments(kinds: argparse._SubParsersAction[Any]) -> None:
    """``bench model`` and its options."""
    model = kinds.add_parser("model", help="a language model", description=_BENCH_TEXT)
    model.add_argument(
        "model",
        nargs="?",
        metavar="MODEL",
        help="a GGUF file, name, or http address of a server here (default: that of the settings)",
    )
    model.add_argument(
        "--runs", type=count, default=3, metavar="N", help="texts of each kind (default: 3)"
    )
    model.add_argument(
        "--stand-in",
        action="store_true",
        help="a file of 4.5 GB with the shape of a 7B model, the words of MODEL and no meaning",
    )
    model.add_argument("--json", action="store_true", help="print JSON")


def measure_language(
    name: str | None, runs: int, stand_in: bool, say: Callable[[str], None]
) -> ModelReport:
    """What ``bench model`` measures of the model. Raises CliError."""
    from datasheet_lsp.cli.chip import roots_of
    from datasheet_lsp.cli.errors import CliError
    from datasheet_lsp.engine import EngineError
    from datasheet_lsp.engine.language import LanguageOptions, LoopbackServer
    from datasheet_lsp.engine.language.files import describe_language
    from datasheet_lsp.evaluation.bench_model import bench_model
    from datasheet_lsp.evaluation.stand_in import write_stand_in
    from datasheet_lsp.workspace import read_settings

    root = roots_of(Path())[0][0]
    settings, _problems = read_settings(root)
    language = language_of(name, True, root, settings)
    assert language is not None
    options = LanguageOptions.of(settings.model)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if stand_in:
                if isinstance(language, LoopbackServer):
                    raise CliError("--stand-in needs a model of a file, for its words")
                target = Path(folder, "stand-in-7b.gguf")
                write_stand_in(Path(language.path), target)
                language = describe_language(target)
            return bench_model(language, options, runs=runs, say=say)
        except (EngineError, OSError, ValueError) as error:
            raise CliError(str(error)) from None
