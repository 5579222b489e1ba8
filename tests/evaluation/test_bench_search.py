"""The benchmark of the search: a large index made of a small one, and what is said of it."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from datasheet_lsp.evaluation.bench_search import bench_search, show
from datasheet_lsp.evaluation.search_corpus import MadeUp, build
from datasheet_lsp.index import Index
from datasheet_lsp.index.vectors import VectorStore
from tests.index.test_vectors import put


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source" / "index.sqlite"
    with Index(path) as index:
        put(index, "a", [f"The receiver {i} of the USART waits for {i} bits" for i in range(40)])
        put(index, "b", [f"The watchdog {i} counts" for i in range(30)], "ACME2")
    return path


def test_texts_are_repeated_with_vectors_of_their_own(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "big.sqlite"
    built = build(source, target, 500, 64, 20)
    assert (built.chunks, built.dimension, len(built.queries)) == (500, 64, 20)
    assert {query.sort for query in built.queries} == {"symbol", "words", "long"}
    with Index(target) as index:
        store = VectorStore(index)
        (which,) = store.sets()
        assert which.whole and store.count(which) == (500, 500)
        devices = {each.device for document in index.documents() for each in document.devices}
        assert {"ACME1", "ACME2", "ACME1v2", "ACME2v7"} <= devices
        # The chunk that a question is about is near to it, and no two chunks are alike.
        near = store.search(which, built.queries[3].vector, 2, exact=True)
        assert near[0].distance < near[1].distance
    stamp = target.stat().st_mtime_ns
    assert build(source, target, 500, 64, 20) == built and target.stat().st_mtime_ns == stamp


def test_chunks_of_a_section_are_nearer_than_strangers() -> None:
    made = MadeUp(128)
    first, second = made.document([0] * 4 + [1] * 4), made.document([0] * 4)
    a, b, c, d = (
        array("f", made.vectors(rows)[at])
        for rows, at in ((first, 0), (first, 1), (first, 5), (second, 0))
    )

    def alike(x: array[float], y: array[float]) -> float:
        return sum(p * q for p, q in zip(x, y, strict=True))

    assert alike(a, a) == pytest.approx(1, abs=1e-4)
    assert alike(a, b) > alike(a, c) > alike(a, d)


def test_the_report_has_times_recall_and_memory(source: Path, tmp_path: Path) -> None:
    report = bench_search(source, tmp_path, [300], dimension=64, queries=12, exact=12)
    (size,) = report.sizes
    assert size.chunks == 300 and size.peak > 10 << 20
    # So few are compared as a whole, all of them.
    assert size.probed.recall == size.probed.recall_many == 1.0
    parts = {(each.scope, each.part) for each in size.probed.times}
    assert parts == {(s, p) for s in ("device", "all") for p in ("vector", "keyword", "hybrid")}
    text = show(report)
    assert "recall@10" in text and "300 chunks of 64 dimensions" in text
