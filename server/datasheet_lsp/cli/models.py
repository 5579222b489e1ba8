"""``datasheet-lsp models``: the models of this machine, and whether one works."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasheet_lsp.engine import EmbedModel
    from datasheet_lsp.workspace import Settings

DESCRIPTION = """Lists the embedding and language models of this machine, where each is from and
whether it fits into the memory, or loads one and says how fast it is. Nothing is fetched from the
network."""

_SAMPLE = (
    "The baud rate register USART_BRR holds the mantissa and the fraction of the divider. "
    "The baud rate is the peripheral clock divided by sixteen times USARTDIV. "
) * 6
_TEXTS = 64
_ORIGINS = {
    "setting": "named by [embed] model",
    "folder": "in the folder for models",
    "demo": "of the demo extra",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``list`` or ``check``."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=("list", "check"),
        default="list",
        help="list: what is there (default); check: load one, use it, say how fast",
    )
    parser.add_argument(
        "model",
        nargs="?",
        default=None,
        metavar="MODEL",
        help="a folder, GGUF file, name, or http address of a server on this machine (default: the "
        "embedding model of the settings)",
    )
    parser.add_argument(
        "--language", action="store_true", help="with check: the language model of the settings"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Prints the models, or what the check found."""
    from datasheet_lsp.cli.chip import roots_of
    from datasheet_lsp.workspace import read_settings

    root = roots_of(Path())[0][0]
    settings, problems = read_settings(root)
    for problem in problems:
        print(f"datasheet-lsp: {problem}", file=sys.stderr)
    if arguments.what == "check":
        from datasheet_lsp.cli.language import check_language, language_of

        language = language_of(arguments.model, arguments.language, root, settings)
        if language is not None:
            return check_language(language, settings, arguments.json)
        return _check(arguments, root, settings)
    return _list(arguments, root, settings)


def _list(arguments: argparse.Namespace, root: Path, settings: Settings) -> int:
    from datasheet_lsp.cli.engines import engine_facts, listed_languages
    from datasheet_lsp.cli.output import path_text, print_json
    from datasheet_lsp.engine import EngineError, find_model, list_models, models_folder
    from datasheet_lsp.engine.memory import available, total
    from datasheet_lsp.render.engines import language_lines, memory_text, size_text

    used: EmbedModel | None = None
    why = ""
    try:
        used = find_model(settings.embed.model, root, settings.embed.dimensions, inside=root)
    except EngineError as error:
        why = str(error)
    models = list_models()
    found = [each for each in models if not isinstance(each, EngineError)]
    wrong = [str(each) for each in models if isinstance(each, EngineError)]
    if used is not None and used.path not in {each.path for each in found}:
        found.insert(0, used)
    facts = [_facts(each, used) for each in found]
    engines = engine_facts(root, settings)
    languages, language_problems = listed_languages(engines, settings.model.context)
    wrong += language_problems
    if arguments.json:
        print_json(
            {
                "models": facts,
                "used": used.path if used is not None else None,
                "language_models": languages,
                "language_model": engines["model"],
                "problems": [*([why] if why else []), *wrong],
                "folder": path_text(models_folder()),
                "memory": engines["memory"],
            }
        )
        return 0
    for each in facts:
        mark = "used" if each["used"] else "    "
        fits = "fits" if each["fits"] else "does not fit now"
        print(
            f"{mark}  {each['name']}  {each['dimension']} dimensions, {each['max_tokens']} tokens, "
            f"{size_text(each['size'])}, {_ORIGINS[each['origin']]}\n"
            f"      {each['path']}\n"
            f"      takes about {size_text(each['needs'])} of memory: {fits}"
        )
    for message in dict.fromkeys([*([why] if why else []), *wrong]):
        print(f"datasheet-lsp: {message}", file=sys.stderr)
    model = engines["model"]
    for line in language_lines(languages, model["path"] if model and "path" in model else None):
        print(line)
    if model and "url" in model:
        print(f"used  {model['name'] or 'the first model'} of the server at {model['url']}")
    print(f"memory: {size_text(available())} of {size_text(total())} are free")
    print(f"{memory_text(engines['memory'], model)}")
    print(f"folder for models: {path_text(models_folder())}")
    return 0


def _facts(model: EmbedModel, used: EmbedModel | None) -> dict[str, Any]:
    from datasheet_lsp.cli.output import path_text
    from datasheet_lsp.engine.memory import available, needed

    here = used is not None and model.path == used.path
    if here and used is not None:
        model = used
    return {
        "name": model.name,
        "kind": model.kind,
        "path": path_text(model.path),
        "origin": model.origin,
        "dimension": model.dimension,
        "max_tokens": model.max_tokens,
        "prefixes": {"query": model.prefixes[0], "document": model.prefixes[1]},
        "sha256": model.sha256,
        "size": model.size,
        "needs": needed(model),
        "fits": needed(model) <= available(),
        "used": here,
    }


def _check(arguments: argparse.Namespace, root: Path, settings: Settings) -> int:
    from datasheet_lsp.cli.errors import CliError
    from datasheet_lsp.cli.output import print_json
    from datasheet_lsp.engine import BlockingEmbedder, EngineError, find_model

    embed = settings.embed
    try:
        if arguments.model is None:
            model = find_model(embed.model, root, embed.dimensions, inside=root)
        else:
            model = find_model(arguments.model, Path(), embed.dimensions)
        with BlockingEmbedder(model, threads=embed.threads) as embedder:
            loaded = embedder.start()
            begin = time.monotonic()
            embedder.embed(["USART2 baud rate"], "query")
            query = time.monotonic() - begin
            begin = time.monotonic()
            embedder.embed([_SAMPLE] * _TEXTS)
            rate = _TEXTS / (time.monotonic() - begin)
            memory = embedder.embedder.memory
    except EngineError as error:
        raise CliError(str(error)) from error
    facts = {
        "name": model.name,
        "path": model.path,
        "sha256": model.sha256,
        "dimension": loaded.dimension,
        "max_tokens": loaded.max_tokens,
        "start_seconds": round(loaded.seconds, 2),
        "query_ms": round(query * 1000, 1),
        "chunks_per_second": round(rate, 1),
        "memory": memory,
    }
    from datasheet_lsp.render.engines import size_text

    if arguments.json:
        print_json(facts)
        return 0
    print(f"{model.name} works: {model.path}")
    print(f"sha256   {model.sha256}")
    print(f"vectors  {loaded.dimension} dimensions of at most {loaded.max_tokens} tokens")
    print(f"start    {loaded.seconds:.1f} s")
    print(f"query    {query * 1000:.0f} ms")
    print(f"rate     {rate:.0f} chunks of about 250 tokens a second")
    print(f"memory   {size_text(memory)}")
    return 0
