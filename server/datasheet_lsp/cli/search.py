"""``datasheet-lsp search``: the passages of the manuals and SVD files that answer a question."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.assist.library import Library
    from datasheet_lsp.engine import BlockingEmbedder, BlockingReranker, EmbedModel
    from datasheet_lsp.engine.models import RerankModel

DESCRIPTION = """Finds the passages that answer a question, or describe a register, in the indexed
manuals and SVD files of this project. Where a device is given, or named in the question, only its
documents are searched; --device any searches all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The query, and what is to come back in which form."""
    from datasheet_lsp.cli.numbers import page_number

    parser.add_argument("query", nargs="+", metavar="QUERY", help="a question, names, an address")
    parser.add_argument(
        "-k",
        type=page_number,
        metavar="N",
        help="at most so many hits (default: [search] hits of the settings, 5)",
    )
    parser.add_argument(
        "--mode",
        choices=("keyword", "vector", "hybrid"),
        help="by words, by meaning, or both (default: [search] mode of the settings, hybrid)",
    )
    parser.add_argument("--device", metavar="NAME", help="the chip that is asked about, or any")
    parser.add_argument(
        "--budget",
        type=page_number,
        metavar="N",
        help="at most so many tokens in all (default: [search] budget of the settings, 2500)",
    )
    parser.add_argument(
        "--rerank",
        action=argparse.BooleanOptionalAction,
        help="put the best in order by the cross-encoder of [search] reranker, or do not",
    )
    parser.add_argument(
        "--explain", action="store_true", help="also what was understood, and all scores"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with the whole passages")


def run(arguments: argparse.Namespace) -> int:
    """Prints the hits; 1 when nothing was found."""
    data = _search(arguments)
    if arguments.json:
        from datasheet_lsp.cli.output import print_json

        print_json(data)
    else:
        from datasheet_lsp.cli.output import plain_style
        from datasheet_lsp.render.hits import results_text

        print(results_text(data, plain_style(), explain=arguments.explain, lift="--device any"))
    return 0 if data["hits"] else 1


def _search(arguments: argparse.Namespace) -> dict[str, Any]:
    from datasheet_lsp.assist.library import NoIndex
    from datasheet_lsp.assist.search import Request, SearchError, search

    request = Request(
        query=" ".join(arguments.query),
        k=arguments.k,
        mode=arguments.mode,
        device=arguments.device,
        budget=arguments.budget,
        rerank=arguments.rerank,
    )
    with open_library(Path.cwd()) as library:
        try:
            return search(library, request)
        except (NoIndex, SearchError) as error:
            raise CliError(str(error)) from None


@contextmanager
def open_library(folder: Path) -> Iterator[Library]:
    """The library of the workspace around ``folder``; models are started when they are needed."""
    from datasheet_lsp.assist.library import Library
    from datasheet_lsp.cli.library import workspace_of

    root, settings, path = workspace_of(folder)
    started: dict[str, BlockingEmbedder] = {}
    rankers: dict[str, BlockingReranker] = {}

    def embed(model: EmbedModel, text: str) -> bytes:
        from datasheet_lsp.engine import BlockingEmbedder

        if model.key not in started:
            started[model.key] = BlockingEmbedder(model, threads=settings.embed.threads)
        return started[model.key].embed([text], "query")[0]

    def rank(model: RerankModel, query: str, texts: Sequence[str]) -> Sequence[float]:
        from datasheet_lsp.engine import BlockingReranker

        if model.path not in rankers:
            rankers[model.path] = BlockingReranker(model, threads=settings.embed.threads)
        return rankers[model.path].rank(query, texts)

    try:
        with Library(root, path, settings, embed, rank=rank) as library:
            yield library
    finally:
        for embedder in started.values():
            embedder.close()
        for ranker in rankers.values():
            ranker.close()
