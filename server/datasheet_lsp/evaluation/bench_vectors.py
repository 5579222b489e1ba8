"""How fast vectors are made for an index, against the model by itself."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from datasheet_lsp.engine import BlockingEmbedder, EmbedModel
from datasheet_lsp.evaluation.process import cpu_so_far, measure
from datasheet_lsp.evaluation.search_corpus import BenchError, repeated
from datasheet_lsp.evaluation.tables import table
from datasheet_lsp.index import Index
from datasheet_lsp.index.vectors import VectorStore
from datasheet_lsp.indexing.vectors import fill_vectors

SHARE = 0.9
SECONDS = 7_200.0


class Spent(msgspec.Struct, frozen=True):
    """Seconds on the clock, and of the processors with all processes that take part."""

    wall: float
    cpu: float


class Report(msgspec.Struct, frozen=True):
    """The same chunks embedded into an index, and by the model alone before and after that.

    ``texts`` are those that went through the model: a long chunk is embedded in parts.
    """

    model: str
    chunks: int
    texts: int
    threads: int
    filled: Spent
    bare: list[Spent]

    @property
    def share(self) -> float:
        """The rate of the index against that of the model, by the time of the processors."""
        return sum(each.cpu for each in self.bare) / len(self.bare) / self.filled.cpu


def bench_vectors(
    source: Path,
    model: EmbedModel,
    chunks: int,
    threads: int,
    say: Callable[[str], None] = lambda line: None,
) -> Report:
    """Embed so many chunks of an index. Raises BenchError, EngineError and OSError."""
    if model.kind == "gguf":
        raise BenchError("bench vectors compares with sentence-transformers: name such a model.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        with Index(source) as original, Index(path) as index:
            for entry in repeated(original, chunks):
                index.put_document(entry)
            texts = _texts(index, model)
            if not texts:
                raise BenchError(f"{source} has no chunks: index some manuals first.")
            job = Path(folder) / "texts"
            job.write_bytes(msgspec.msgpack.encode((model.path, threads, texts)))
            say("the model alone")
            bare = [_bare(job)]
            say("into the index")
            filled, count = _fill(index, model, threads)
            say("the model alone once more")
            bare.append(_bare(job))
    say("")
    return Report(model.name, count, len(texts), threads, filled, bare)


def _texts(index: Index, model: EmbedModel) -> list[str]:
    """All that goes through the model, long chunks in their parts."""
    from datasheet_lsp.engine.parts import parts_of
    from datasheet_lsp.engine.tokens import offsets

    tokens = offsets(Path(model.path))
    store = VectorStore(index)
    which = store.open_set("texts", "texts", "", model.dimension)
    if which is None:
        raise BenchError(store.problem or index.problem or "The index takes no vectors.")
    found: dict[bytes, list[str]] = {}
    prefix = model.prefixes[1]
    room = model.max_tokens - (len(tokens(prefix)) if prefix else 0)
    for document in index.documents():
        for each in store.missing(which, document.id, 1_000_000):
            found[each.hash] = [
                prefix + part for part in parts_of(each.text, each.head, room, tokens)
            ]
    return [part for parts in found.values() for part in parts]


def _fill(index: Index, model: EmbedModel, threads: int) -> tuple[Spent, int]:
    with BlockingEmbedder(model, threads=threads, idle_seconds=0) as embedder:
        embedder.start()
        embedder.embed(["a first text"])
        pid = embedder.embedder.pid
        before = (cpu_so_far(pid) if pid is not None else None) or 0.0
        wall, cpu = time.perf_counter(), time.process_time()
        finished = fill_vectors(index, embedder)
        took = time.perf_counter() - wall
        own = time.process_time() - cpu
        after = (cpu_so_far(pid) if pid is not None else None) or 0.0
    if finished.stopped:
        raise BenchError(finished.stopped)
    return Spent(round(took, 2), round(own + after - before, 2)), finished.done


def _bare(job: Path) -> Spent:
    command = [sys.executable, "-m", "datasheet_lsp.evaluation.bare_encoder", str(job)]
    used = measure(command, seconds=SECONDS)
    if used.failure:
        raise BenchError(f"The model alone failed: {used.failure}")
    wall, cpu = used.stdout.split()[-2:]
    return Spent(round(float(wall), 2), round(float(cpu), 2))


def show(report: Report) -> str:
    """The report as text."""
    rows = [_row("into the index", report.filled, report.chunks)]
    rows += [_row("the model alone", each, report.chunks) for each in report.bare]
    reached = "reached" if report.share >= SHARE else "missed"
    return "\n".join(
        [
            f"{report.chunks:,} chunks, {report.texts:,} texts with the parts of long ones, by "
            f"{report.model}, {report.threads or 'any number of'} threads:",
            table(["", "s", "CPU s", "chunks/s", "chunks/CPU s"], rows),
            f"Into the index goes {report.share:.0%} of the model's own rate by CPU time, target "
            f"{SHARE:.0%}: {reached}",
        ]
    )


def _row(name: str, spent: Spent, chunks: int) -> list[str]:
    rates = [f"{chunks / seconds:.1f}" for seconds in (spent.wall, spent.cpu)]
    return [name, f"{spent.wall:.1f}", f"{spent.cpu:.1f}", *rates]
