"""``datasheet-lsp eval``: how often the search brings the evidence for questions."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasheet_lsp.cli.errors import CliError

if TYPE_CHECKING:
    from datasheet_lsp.engine import BlockingEmbedder
    from datasheet_lsp.evaluation.questions import Question
    from datasheet_lsp.index import Index
    from datasheet_lsp.model import Device
    from datasheet_lsp.search import Mode, Searcher
    from datasheet_lsp.search.vectors import IndexVectors

DESCRIPTION = """Indexes a folder of manuals with their SVD files, asks the questions of the sets,
and says how many were brought the evidence that they need, within five passages of 2,500 tokens
together (questions over several chapters: 3,000 tokens). The format of a set is described in
data/eval/README.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sets, what they are about, and the form of the report."""
    from datasheet_lsp.cli.numbers import page_number

    parser.add_argument("questions", nargs="*", type=Path, metavar="QUESTIONS", help="JSONL files")
    parser.add_argument("--documents", type=Path, metavar="DIR", help="the folder of the manuals")
    parser.add_argument(
        "--svd", type=Path, required=True, metavar="DIR", help="the folder of the SVD files"
    )
    parser.add_argument(
        "--mode",
        action="append",
        choices=("keyword", "vector", "hybrid"),
        help="by words (default), by meaning, or both; may be repeated. The latter two embed "
        "all chunks first",
    )
    parser.add_argument(
        "--index", type=Path, metavar="FILE", help="keep the index there, and use what it has"
    )
    parser.add_argument(
        "--ablate", action="store_true", help="also without each part of the search"
    )
    parser.add_argument(
        "--plain-tables",
        action="store_true",
        help="with --ablate: also with tables as plain text, which takes an index of its own",
    )
    parser.add_argument(
        "--registers",
        nargs="?",
        const=1_000,
        type=page_number,
        metavar="N",
        help="also N questions (default 1000) made from the SVD files, answered from these alone",
    )
    parser.add_argument(
        "--llm",
        action="store_true",
        help="also with the sub-queries of the language model, where there is one (slow)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a report")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rates by kind (PNG)")


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; 1 when the questions or documents cannot be used."""
    from datasheet_lsp.evaluation.questions import QuestionError, read_questions

    if not arguments.questions and not arguments.registers:
        raise CliError("there is nothing to ask: give question sets, or --registers.")
    if arguments.questions and arguments.documents is None:
        raise CliError("the questions are about manuals: --documents says where they are.")
    for path in (arguments.documents, arguments.svd):
        if path is not None and not path.exists():
            raise CliError(f"{path} is not there.")
    try:
        questions = read_questions(arguments.questions)
    except QuestionError as error:
        raise CliError(str(error)) from None
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        index = arguments.index or Path(folder) / "index.sqlite"
        report = _evaluate(arguments, questions, index) if questions else {}
        if arguments.registers:
            report["registers"] = _registers(arguments.svd, index, arguments.registers)
    report["seconds"] = round(time.perf_counter() - begin, 2)
    _write(arguments, report)
    return 0


def _registers(svd: Path, index_path: Path, count: int) -> dict[str, Any]:
    """What came of questions made from the SVD files."""
    from datasheet_lsp.evaluation.corpus import devices_in
    from datasheet_lsp.evaluation.register_questions import evaluate_registers
    from datasheet_lsp.index import Index

    with Index(index_path) as index:
        return evaluate_registers(devices_in(svd, index), count)


def _evaluate(
    arguments: argparse.Namespace, questions: list[Question], index_path: Path
) -> dict[str, Any]:
    from datasheet_lsp.documents.tokens import load_counter
    from datasheet_lsp.evaluation.corpus import build, devices_of
    from datasheet_lsp.evaluation.retrieval import evaluate
    from datasheet_lsp.index import Index
    from datasheet_lsp.search import Searcher

    stopped = build(arguments.documents, arguments.svd, index_path, _tell)
    if stopped:
        raise CliError(stopped)
    modes: list[Mode] = list(dict.fromkeys(arguments.mode or ["keyword"]))
    wanted = {each.device for each in questions}
    with Index(index_path) as index, _embedder(modes) as embedder:
        devices = devices_of(arguments.svd, wanted, index)
        searcher = Searcher(index, devices)
        for name in sorted(name for name in wanted if searcher.shelf.device(name) is None):
            print(
                f"{name}: there is no such SVD file in {arguments.svd} and no manual of it, so its "
                "questions are asked of all documents.",
                file=sys.stderr,
            )
        if embedder is not None:
            vectors = _vectors(index, embedder, list(devices))
            searcher.vector, searcher.alike = vectors, vectors.alike
        report = evaluate(
            searcher,
            questions,
            modes,
            load_counter(),
            ablate=arguments.ablate,
            on_done=lambda name: print(name, file=sys.stderr),
        )
        if arguments.ablate and arguments.plain_tables:
            plain = index_path.with_suffix(".plain.sqlite")
            report["ablation"].append(_plain_tables(arguments, questions, plain))
        report |= _answers(searcher, devices, questions, modes[-1], arguments.llm)
    return {"questions": len(questions), **report}


def _plain_tables(
    arguments: argparse.Namespace, questions: list[Question], path: Path
) -> dict[str, Any]:
    """The row of the ablation for tables that are written as plain text."""
    from datasheet_lsp.documents.tokens import load_counter
    from datasheet_lsp.evaluation.ablation import PLAIN_TABLES
    from datasheet_lsp.evaluation.corpus import build, devices_of
    from datasheet_lsp.evaluation.retrieval import evaluate
    from datasheet_lsp.index import Index
    from datasheet_lsp.search import Searcher

    options = {"documents": {"layout": "linear"}}
    stopped = build(arguments.documents, arguments.svd, path, _tell, options)
    if stopped:
        raise CliError(stopped)
    with Index(path) as index:
        devices = devices_of(arguments.svd, {each.device for each in questions}, index)
        report = evaluate(Searcher(index, devices), questions, ["keyword"], load_counter())
    kinds = {kind: modes["keyword"] for kind, modes in report["kinds"].items()}
    return {"part": PLAIN_TABLES, "mode": "keyword", "kinds": kinds}


def _answers(
    searcher: Searcher,
    devices: Mapping[str, Device],
    questions: list[Question],
    mode: Mode,
    with_model: bool,
) -> dict[str, Any]:
    """The passages of answers, and what is refused."""
    from datasheet_lsp.answer.library import Library
    from datasheet_lsp.answer.plan import plan_for_question
    from datasheet_lsp.answer.settings import AnswerSettings
    from datasheet_lsp.documents.tokens import load_counter
    from datasheet_lsp.evaluation.answers import evaluate_answers, model_splitter
    from datasheet_lsp.evaluation.refusals import evaluate_refusals

    library = Library(devices, searcher, load_counter())
    with ExitStack() as stack:
        splitter = None
        if with_model:
            from datasheet_lsp.cli.asking import open_model
            from datasheet_lsp.workspace.settings import Settings

            found = open_model(Settings(), Path.cwd(), stack)
            if found is None:
                raise CliError("there is no language model for --llm: see datasheet-lsp models.")
            splitter = model_splitter(found[0], library)
        return {
            "answers": evaluate_answers(
                questions,
                library,
                AnswerSettings(mode=mode),
                planner=lambda text, name: plan_for_question(text, devices[name], searcher.index),
                splitter=splitter,
                on_done=lambda name: print(name, file=sys.stderr),
            ),
            "refusals": evaluate_refusals(questions, library, mode),
        }


def _embedder(modes: list[Mode]) -> AbstractContextManager[BlockingEmbedder | None]:
    if modes == ["keyword"]:
        return nullcontext()
    from datasheet_lsp.engine import BlockingEmbedder, EngineError, find_model

    try:
        return BlockingEmbedder(find_model())
    except EngineError as error:
        raise CliError(f"only --mode keyword can be measured: {error}") from None


def _vectors(index: Index, embedder: BlockingEmbedder, devices: list[str]) -> IndexVectors:
    """The vector arm, once all chunks have their vectors. Raises CliError where they cannot."""
    from datasheet_lsp.indexing.vectors import VectorEvent, VectorsProgress, fill_vectors
    from datasheet_lsp.search.functions import functions
    from datasheet_lsp.search.vectors import IndexVectors

    def tell(event: VectorEvent) -> None:
        if isinstance(event, VectorsProgress):
            print(f"vectors: {event.done:,} of {event.of:,} chunks", file=sys.stderr)

    finished = fill_vectors(index, embedder, tell, devices=devices, phrases=functions().wordings)
    if finished.stopped:
        raise CliError(finished.stopped)
    return IndexVectors(index, embedder.model.key, lambda text: embedder.embed([text], "query")[0])


def _tell(event: object) -> None:
    from datasheet_lsp.indexing.events import DocumentDone, ProblemFound

    if isinstance(event, DocumentDone) and event.read:
        print(f"{event.path}: {event.chunks:,} chunks", file=sys.stderr)
    elif isinstance(event, ProblemFound):
        print(f"{event.path}: {event.message}", file=sys.stderr)


def _write(arguments: argparse.Namespace, report: dict[str, Any]) -> None:
    import msgspec

    from datasheet_lsp.cli.chunks import write_file
    from datasheet_lsp.cli.output import plain_style
    from datasheet_lsp.render.retrieval import retrieval_text

    if arguments.json is not None:
        write_file(arguments.json, msgspec.json.format(msgspec.json.encode(report), indent=2))
    if arguments.markdown is not None:
        write_file(arguments.markdown, (retrieval_text(report) + "\n").encode())
    if arguments.plot is not None and report.get("kinds"):
        _plot(arguments.plot, report["kinds"])
    short = {**report, "failures": []}
    print(retrieval_text(short, plain_style()))
    missed = {each["id"]: None for each in report.get("failures", ())}
    if missed:
        print(f"\nmissed: {', '.join(missed)}")


def _plot(path: Path, kinds: Mapping[str, Any]) -> None:
    from datasheet_lsp.cli.plot import bars

    series: dict[str, dict[str, tuple[float, float, float]]] = {}
    for kind, modes in kinds.items():
        for mode, each in modes.items():
            series.setdefault(mode, {})[kind] = (each["rate"], each["low"], each["high"])
    bars(path, series, title="Questions whose evidence was brought", axis="rate, 95% interval")
