"""How fast a large index is searched, what the coarse vectors miss, and what memory it takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.evaluation.process import measure
from datasheet_lsp.evaluation.search_corpus import BenchError, Built, build
from datasheet_lsp.evaluation.search_probe import Probed, Times
from datasheet_lsp.evaluation.tables import megabytes, table

P50 = 50.0
P95 = 100.0
RECALL = 0.99
PEAK = 200 << 20
SECONDS = 7_200.0
_SCOPES = {"device": "of one device", "all": "all documents"}


class Size(msgspec.Struct, frozen=True):
    """What was found at one size. ``peak`` is the memory of the searching process in bytes."""

    chunks: int
    documents: int
    dimension: int
    bytes: int
    peak: int
    probed: Probed


class Report(msgspec.Struct, frozen=True):
    """The sizes in order."""

    sizes: list[Size]


def bench_search(
    source: Path,
    folder: Path,
    sizes: Sequence[int],
    *,
    dimension: int = 768,
    queries: int = 300,
    exact: int = 100,
    say: Callable[[str], None] = lambda line: None,
) -> Report:
    """Search indexes of so many chunks, made in ``folder`` from the texts of ``source``.

    Raises BenchError and OSError.
    """
    found = []
    for chunks in sizes:
        path = folder / f"{chunks}.sqlite"
        built = build(source, path, chunks, dimension, queries, say)
        say(f"searching {chunks:,} chunks")
        found.append(_size(path, built, exact))
    say("")
    return Report(found)


def _size(path: Path, built: Built, exact: int) -> Size:
    command = [sys.executable, "-m", "datasheet_lsp.evaluation.search_probe", str(path), str(exact)]
    used = measure(command, seconds=SECONDS)
    if used.failure:
        raise BenchError(f"The searching process failed: {used.failure}")
    return Size(
        chunks=built.chunks,
        documents=built.documents,
        dimension=built.dimension,
        bytes=built.bytes,
        peak=used.peak,
        probed=msgspec.json.decode(used.stdout, type=Probed),
    )


def show(report: Report) -> str:
    """The report as text: the growth, then the parts at each size."""
    return "\n\n".join([_growth(report.sizes), *(_parts(size) for size in report.sizes)])


def _growth(sizes: Sequence[Size]) -> str:
    rows = []
    for size in sizes:
        row = [f"{size.chunks:,}", f"{size.documents:,}", f"{size.bytes / 1e9:.2f}"]
        for scope in _SCOPES:
            whole = _of(size, scope, "hybrid")
            row.append(f"{whole.wall[0]:.0f} / {whole.wall[1]:.0f}" if whole else "")
        row += [f"{size.probed.recall:.3f}", str(megabytes(size.peak))]
        rows.append(row)
    header = ["chunks", "documents", "GB"]
    header += [f"{name}, p50 / p95 ms" for name in _SCOPES.values()]
    said = table([*header, "recall@10", "memory MB"], rows)
    good = [
        f"p50 under {P50:.0f} ms, p95 under {P95:.0f} ms, recall@10 at least {RECALL},"
        f" memory under {megabytes(PEAK)} MB: {'reached' if _reached(size) else 'missed'}"
        f" at {size.chunks:,} chunks"
        for size in sizes
    ]
    return "\n".join([said, "", *good])


def _reached(size: Size) -> bool:
    whole = [_of(size, scope, "hybrid") for scope in _SCOPES]
    fast = all(each is None or (each.wall[0] < P50 and each.wall[1] < P95) for each in whole)
    return fast and size.probed.recall >= RECALL and size.peak < PEAK


def _parts(size: Size) -> str:
    rows = []
    for each in size.probed.times:
        rows.append(
            [
                _SCOPES[each.scope],
                each.part,
                each.sort or "all",
                f"{each.wall[0]:.1f}",
                f"{each.wall[1]:.1f}",
                f"{each.cpu[0]:.1f}",
                f"{each.cpu[1]:.1f}",
            ]
        )
    header = ["searched", "part", "questions", "p50 ms", "p95 ms", "p50 CPU", "p95 CPU"]
    first = ", ".join(f"{_SCOPES[s]} {ms:,.0f} ms" for s, ms in size.probed.first.items())
    probed = size.probed
    return "\n".join(
        [
            f"{size.chunks:,} chunks of {size.dimension} dimensions:",
            table(header, rows),
            f"The first search in a scope, at most: {first}.",
            f"Comparing all vectors as a whole takes {probed.exact_ms:,.0f} ms; of its nearest 10 "
            f"the search finds {probed.recall:.4f}, of its nearest {probed.many}"
            f" {probed.recall_many:.4f}.",
        ]
    )


def _of(size: Size, scope: str, part: str) -> Times | None:
    found = [t for t in size.probed.times if (t.scope, t.part, t.sort) == (scope, part, "")]
    return found[0] if found else None
