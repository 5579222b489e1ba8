"""``datasheet-lsp search``: the passages of the manuals and SVD files that answer a question."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.cli.library import Library
    from datasheet_lsp.engine import BlockingEmbedder
    from datasheet_lsp.model import Device
    from datasheet_lsp.search import Hit, Results

DESCRIPTION = """Finds the passages that answer a question, or describe a register, in the indexed
manuals and SVD files of this project. Where a device is given, or named in the question, only its
documents are searched; --device any searches all."""

ANY = "any"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The query, and what is to come back in which form."""
    from datasheet_lsp.cli.numbers import page_number

    parser.add_argument("query", nargs="+", metavar="QUERY", help="a question, names, an address")
    parser.add_argument(
        "-k", type=page_number, default=5, metavar="N", help="at most so many hits (default 5)"
    )
    parser.add_argument(
        "--mode",
        choices=("keyword", "vector", "hybrid"),
        default="hybrid",
        help="by words, by meaning, or both (default)",
    )
    parser.add_argument("--device", metavar="NAME", help="the chip that is asked about, or any")
    parser.add_argument(
        "--budget",
        type=page_number,
        default=2_500,
        metavar="N",
        help="at most so many tokens in all (default 2500)",
    )
    parser.add_argument(
        "--explain", action="store_true", help="also what was understood, and all scores"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with the whole passages")


def run(arguments: argparse.Namespace) -> int:
    """Prints the hits; 1 when nothing was found."""
    from datasheet_lsp.cli.library import Library

    with Library(Path.cwd()) as library:
        if library.index is None or not library.documents:
            raise CliError(
                f"nothing is indexed in {library.root}: datasheet-lsp index brings its manuals in."
            )
        results = _search(library, arguments)
    data = results_json(results)
    if arguments.json:
        from datasheet_lsp.cli.output import print_json

        print_json(data)
    else:
        from datasheet_lsp.cli.output import plain_style
        from datasheet_lsp.render.hits import results_text

        print(results_text(data, plain_style(), explain=arguments.explain))
    return 0 if results.hits else 1


def _search(library: Library, arguments: argparse.Namespace) -> Results:
    from datasheet_lsp.search import Searcher

    assert library.index is not None
    devices = _devices(library)
    device: str | None = arguments.device
    if device is None and len(devices) == 1:
        (device,) = devices
    elif device is not None and device.casefold() == ANY:
        device = None
    searcher = Searcher(library.index, devices)
    if device is not None and searcher.shelf.device(device) is None:
        known = sorted({each.device for doc in library.documents for each in doc.devices})
        there = f"; there is {', '.join(known)}" if known else ""
        raise CliError(f"nothing of the device {device} is indexed{there}.")
    with _embedder(library, arguments.mode) as embedder:
        if embedder is not None:
            from datasheet_lsp.search.vectors import IndexVectors

            searcher.vector = IndexVectors(
                library.index,
                embedder.model.key,
                lambda text: embedder.embed([text], "query")[0],
                library.settings.embed.distance,
            )
        return searcher.search(
            " ".join(arguments.query),
            device=device,
            k=arguments.k,
            budget=arguments.budget,
            mode=arguments.mode,
        )


def _embedder(library: Library, mode: str) -> AbstractContextManager[BlockingEmbedder | None]:
    """The embedder, where the index has vectors and the model is there; else none."""
    from datasheet_lsp.engine import BlockingEmbedder, EngineError, find_model
    from datasheet_lsp.index.vectors import VectorStore

    if mode == "keyword" or library.index is None or not VectorStore(library.index).sets():
        return nullcontext()
    embed = library.settings.embed
    try:
        model = find_model(embed.model, library.root, embed.dimensions, inside=library.root)
    except EngineError as error:
        print(f"datasheet-lsp: {error}", file=sys.stderr)
        return nullcontext()
    return BlockingEmbedder(model, threads=embed.threads)


def _devices(library: Library) -> dict[str, Device]:
    """The devices whose SVD is in the index and can be read, by the names that the index has."""
    from datasheet_lsp.index import load_device
    from datasheet_lsp.svd import SvdError

    found: dict[str, Device] = {}
    for document in library.documents:
        file = library.file_of(document) if document.format == "svd" else None
        if file is None or not document.devices:
            continue
        try:
            found[document.devices[0].device] = load_device(file, None, library.index)
        except SvdError as error:
            print(f"datasheet-lsp: {error}", file=sys.stderr)
    return found


def results_json(results: Results) -> dict[str, Any]:
    """The results as plain data."""
    return {
        "query": results.query,
        "mode": results.mode,
        "kind": results.kind,
        "device": results.device,
        "registers": list(results.registers),
        "peripherals": list(results.peripherals),
        "corrected": dict(results.corrected),
        "also": list(results.also),
        "notes": list(results.notes),
        "seconds": results.seconds,
        "hits": [hit_json(hit) for hit in results.hits],
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit as plain data; pages are physical, ``labels`` what is printed on them."""
    return {
        "id": hit.chunk,
        "chunks": list(hit.chunks),
        "file": hit.file,
        "title": hit.title,
        "revision": hit.revision,
        "document": hit.document,
        "devices": list(hit.devices),
        "kind": hit.kind,
        "page": hit.first_page,
        "last_page": hit.last_page,
        "labels": _labels(hit.first_label, hit.last_label),
        "heading_path": list(hit.heading_path),
        "text": hit.text,
        "tokens": hit.tokens,
        "symbols": list(hit.symbols),
        "places": [{"page": place.page, "box": list(place.box)} for place in hit.places],
        "arms": list(hit.arms),
        "score": hit.score,
        "scores": dict(hit.scores),
    }


def _labels(*labels: str) -> Sequence[str]:
    return list(dict.fromkeys(label for label in labels if label))
