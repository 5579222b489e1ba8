"""Vectors are filled in behind the keyword rows, and nothing is lost when that ends early."""

from __future__ import annotations

import importlib.util
import math
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from datasheet_lsp.engine import BlockingEmbedder, EngineError, find_model
from datasheet_lsp.engine.frames import Kind
from datasheet_lsp.index import Index
from datasheet_lsp.index.phrases import PhraseVectors
from datasheet_lsp.index.vectors import VectorStore
from datasheet_lsp.indexing import vectors as filling
from datasheet_lsp.indexing.vectors import VectorsProgress, fill_vectors
from tests.engine.small import Small, model
from tests.index.test_vectors import put
from tests.index.words import keyword_hits


class Counted(BlockingEmbedder):
    """An embedder that counts letters, and that notes which texts it was given."""

    def __init__(self, **more: object) -> None:
        self.asked: list[str] = []
        super().__init__(model(**more))  # type: ignore[arg-type]

    async def _make(self, threads: int, idle_seconds: float) -> Small:
        return Small(self.model)

    def embed(
        self,
        texts: Sequence[str],
        kind: Kind = "document",
        cancelled: Callable[[], bool] | None = None,
        heads: Sequence[int] = (),
    ) -> list[bytes]:
        made = super().embed(texts, kind, cancelled, heads)
        self.asked += texts
        return made


@pytest.fixture
def embedder() -> Iterator[Counted]:
    with Counted() as made:
        yield made


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path / ".datasheet" / "index.sqlite") as made:
        yield made


def test_every_chunk_gets_the_vector_of_its_text(index: Index, embedder: Counted) -> None:
    put(index, "a", ["aaa", "bbb", "aaa"])
    put(index, "b", ["ccc"])
    events: list[object] = []
    finished = fill_vectors(index, embedder, events.append)
    assert (finished.done, finished.of, finished.stopped) == (4, 4, "")
    assert (finished.embedded, finished.linked) == (3, 1)
    assert events[-1] is finished
    assert [e.done for e in events if isinstance(e, VectorsProgress)] == [0, 1, 4]
    store = VectorStore(index)
    which = store.serving(embedder.model.key)
    assert which is not None and which.whole and which.name == "small"
    query = array("f", [0, 0, 9, 0, 0, 0, 0, 0]).tobytes()
    best = index.chunk(store.search(which, query, 1)[0].chunk)
    assert best is not None and best.chunk.text == "ccc"


def test_nothing_is_done_twice_and_no_process_is_started_for_nothing(
    index: Index, embedder: Counted
) -> None:
    put(index, "a", ["aaa", "bbb"])
    fill_vectors(index, embedder)
    with Counted() as other:
        finished = fill_vectors(index, other)
        assert finished.done == 2 and other.asked == [] and other.embedder.pid is None
        put(index, "b", ["bbb"])
        assert fill_vectors(index, other).linked == 1
        assert other.asked == [] and other.embedder.pid is None


def test_the_device_in_use_goes_first(index: Index, embedder: Counted) -> None:
    put(index, "a", ["other"], "ACME1")
    put(index, "b", ["used", "used too"], "ACME2")
    fill_vectors(index, embedder, devices=["ACME2"])
    assert embedder.asked == ["stamp\nused", "stamp\nused too", "stamp\nother"]


def test_it_goes_on_where_it_was_cancelled(
    index: Index, embedder: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 4)
    put(index, "a", [f"text {i}" for i in range(12)])
    finished = fill_vectors(index, embedder, cancelled=lambda: len(embedder.asked) >= 8)
    assert finished.cancelled and finished.done == 8
    which = VectorStore(index).serving(embedder.model.key)
    assert which is not None and not which.whole
    finished = fill_vectors(index, embedder)
    assert finished.embedded == 4 and finished.done == 12
    assert len(embedder.asked) == len(set(embedder.asked)) == 12


def test_keyword_search_goes_on_when_the_embedder_dies(
    index: Index, embedder: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 1)
    put(index, "a", ["USART first", "USART crash", "USART third"])
    finished = fill_vectors(index, embedder)
    assert "ended by itself twice" in finished.stopped and finished.done == 1
    assert len(keyword_hits(index, "USART")) == 3 and index.problem is None
    which = VectorStore(index).serving(embedder.model.key)
    assert which is not None and VectorStore(index).count(which) == (1, 3)


def test_another_model_makes_a_new_set_and_the_old_one_serves_meanwhile(
    index: Index, embedder: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 1)
    put(index, "a", ["one", "two"])
    fill_vectors(index, embedder)
    with Counted(sha256="1" * 64) as other:
        key = other.model.key
        assert fill_vectors(index, other, cancelled=lambda: len(other.asked) == 1).cancelled
        serving = VectorStore(index).serving(key)
        assert serving is not None and serving.key == embedder.model.key
        fill_vectors(index, other)
        serving = VectorStore(index).serving(key)
        assert serving is not None and serving.key == key
        assert [each.key for each in VectorStore(index).sets()] == [key]


def test_phrases_are_embedded_once_behind_the_chunks(
    index: Index, embedder: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "WORTH", 2)
    put(index, "a", ["aaa"])
    fill_vectors(index, embedder, phrases=["one", "two"])
    assert embedder.asked == ["stamp\naaa"]  # too small to be worth it
    put(index, "b", ["bbb"])
    fill_vectors(index, embedder, phrases=["one", "two"])
    assert embedder.asked[1:] == ["stamp\nbbb", "one", "two"]
    fill_vectors(index, embedder, phrases=["two", "three"])
    assert embedder.asked[4:] == ["three"]
    store = VectorStore(index)
    which = store.serving(embedder.model.key)
    assert which is not None
    query = array("f", [1, 0, 0, 0, 0, 0, 0, 0]).tobytes()
    assert set(PhraseVectors(store).alike(which, query)) == {"two", "three"}


def test_a_read_only_index_is_told(tmp_path: Path, embedder: Counted) -> None:
    path = tmp_path / "no" / "index.sqlite"
    os.makedirs(path.parent.parent, exist_ok=True)
    path.parent.write_text("a file where the folder should be")
    with Index(path) as index:
        finished = fill_vectors(index, embedder)
        assert finished.stopped and finished.done == 0


def test_the_model_of_the_demo_extra_finds_by_meaning(index: Index) -> None:
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed: pip install 'datasheet-lsp[embed]'")
    try:
        found = find_model("all-MiniLM-L6-v2")
    except EngineError as error:
        pytest.skip(str(error))
    put(
        index,
        "a",
        [
            "Reset status flags: set by hardware when a watchdog reset occurs.",
            "The baud rate is the peripheral clock divided by sixteen times USARTDIV.",
            "The analog converter samples the input voltage on each trigger.",
        ],
    )
    with BlockingEmbedder(found) as embedder:
        loaded = embedder.start()
        assert (loaded.dimension, loaded.max_tokens) == (384, 256)
        finished = fill_vectors(index, embedder)
        assert finished.done == 3 and not finished.stopped
        (made,) = embedder.embed(["why did the chip reboot"], "query")
    values = array("f", made)
    assert math.hypot(*values) == pytest.approx(1, abs=1e-4)
    store = VectorStore(index)
    which = store.serving(found.key)
    assert which is not None
    best = index.chunk(store.search(which, made, 3)[0].chunk)
    assert best is not None and "watchdog" in best.chunk.text
