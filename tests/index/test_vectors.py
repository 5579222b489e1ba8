"""Vectors in the index: near ones found, the same text once, none left of what is gone."""

from __future__ import annotations

import importlib.util
import math
import random
import struct
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from datasheet_lsp.index import Belongs, Entry, Index, SourceFile
from datasheet_lsp.index import nearest as nearest_module
from datasheet_lsp.index import vectors as vectors_module
from datasheet_lsp.index.vectors import VectorSet, VectorStore, text_hash
from datasheet_lsp.model.document import Chunk
from tests.index.test_documents import manual
from tests.index.words import keyword_hits

DIMENSION = 64


def put(index: Index, name: str, texts: Sequence[str], device: str = "ACME1") -> int:
    """A document of these chunks; its number."""
    chunks = tuple(
        Chunk(i, 0, "text", ("USART",), text, "stamp", 10, 1, 1, ()) for i, text in enumerate(texts)
    )
    number = index.put_document(
        Entry(
            file=SourceFile(name, name * 8, ".pdf", name),
            version="1",
            document=manual(name),
            chunks=chunks,
            devices=(Belongs(device, "it says so"),),
        )
    )
    assert number is not None
    return number


def vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """A unit vector made at random from the text."""
    chance = random.Random(text)
    made = [chance.gauss(0, 1) for _ in range(dimension)]
    length = math.sqrt(sum(x * x for x in made))
    return [x / length for x in made]


def packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"{len(values)}f", *values)


def fill(store: VectorStore, which: VectorSet, document: int) -> int:
    """Give the chunks of a document their vectors; how many texts were new."""
    chunks = store.missing(which, document, 10_000)
    known = store.known(which, [each.hash for each in chunks])
    new = {e.hash: packed(vector(e.text, which.dimension)) for e in chunks if e.hash not in known}
    assert store.put(which, chunks, new), store.problem
    return len(new)


def opened(store: VectorStore, key: str = "model", dimension: int = DIMENSION) -> VectorSet:
    which = store.open_set(key, key, f"/models/{key}", dimension)
    assert which is not None, store.problem
    return which


def nearest(
    texts: dict[int, str], query: Sequence[float], k: int, *, straight: bool = False
) -> list[tuple[int, float]]:
    """The right answer: computed here, from the definition of the distance."""
    found = []
    for chunk, text in texts.items():
        other = vector(f"stamp\n{text}", len(query))
        if straight:
            distance = math.dist(query, other)
        else:
            dot = sum(a * b for a, b in zip(query, other, strict=True))
            distance = 1 - dot / math.hypot(*query) / math.hypot(*other)
        found.append((chunk, distance))
    return sorted(found, key=lambda each: each[1])[:k]


def texts_of(index: Index, *documents: int) -> dict[int, str]:
    return {each.id: each.chunk.text for d in documents for each in index.chunks(d)}


@pytest.mark.parametrize("distance", ["cosine", "l2"])
def test_the_nearest_are_found_with_their_distance(path: Path, distance: str) -> None:
    with Index(path) as index:
        store = VectorStore(index, "l2" if distance == "l2" else "cosine")
        which = opened(store)
        document = put(index, "a", [f"text {i}" for i in range(200)])
        assert fill(store, which, document) == 200
        query = vector("query")
        right = nearest(texts_of(index, document), query, 10, straight=distance == "l2")
        found = store.search(which, packed(query), 10)
        assert [each.chunk for each in found] == [chunk for chunk, _ in right]
        assert [each.distance for each in found] == pytest.approx([d for _, d in right], abs=1e-5)


def test_a_large_search_finds_what_comparing_all_does(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        numbers = [put(index, f"{d}", [f"{d} {i}" for i in range(400)]) for d in range(3)]
        for number in numbers:
            fill(store, which, number)
        query = vector("query")
        right = [chunk for chunk, _ in nearest(texts_of(index, *numbers), query, 10)]
        monkeypatch.setattr(vectors_module, "PLAIN_MOST", 100)
        # Of 1,200 the coarse pass keeps 900, so that none of the ten can be lost.
        monkeypatch.setattr(nearest_module, "CANDIDATES", 900)
        monkeypatch.setattr(nearest_module, "REACH", 1.0)
        assert [each.chunk for each in store.search(which, packed(query), 10)] == right
        assert [e.chunk for e in store.search(which, packed(query), 10, exact=True)] == right
        one = [chunk for chunk, _ in nearest(texts_of(index, numbers[1]), query, 10)]
        found = store.search(which, packed(query), 10, documents=[numbers[1]])
        assert [each.chunk for each in found] == one


@pytest.mark.parametrize("plain_most", [0, 1_000])
def test_a_chunk_in_parts_is_as_near_as_its_nearest_part(
    path: Path, monkeypatch: pytest.MonkeyPatch, plain_most: int
) -> None:
    monkeypatch.setattr(vectors_module, "PLAIN_MOST", plain_most)
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        document = put(index, "a", [f"text {i}" for i in range(30)])
        chunks = store.missing(which, document, 99)
        assert chunks[0].text[: chunks[0].head] == "stamp\n"
        parts = {each.hash: [f"{each.text} {n}" for n in range(3)] for each in chunks}
        parts[chunks[7].hash] = [chunks[7].text]
        made = {
            key: b"".join(packed(vector(text)) for text in texts) for key, texts in parts.items()
        }
        assert store.put(which, chunks, made), store.problem
        query = vector("query")

        def distance(text: str) -> float:
            return 1 - sum(a * b for a, b in zip(query, vector(text), strict=True))

        right = sorted((min(map(distance, parts[e.hash])), e.chunk) for e in chunks)
        found = store.search(which, packed(query), 10)
        assert [each.chunk for each in found] == [chunk for _, chunk in right[:10]]
        assert [each.distance for each in found] == pytest.approx(
            [d for d, _ in right[:10]], abs=1e-5
        )
        assert index.drop_files([("a", ".pdf")])
        other = put(index, "b", ["one"])
        fill(store, which, other)
        assert len(store.search(which, packed(query), 10)) == 1


def test_vectors_of_a_document_are_found_without_those_of_all(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        fill(store, which, put(index, "a", ["one"]))

        def plan(connection: apsw.Connection) -> str:
            rows = connection.execute(
                f"EXPLAIN QUERY PLAN SELECT * FROM vector_bits_{which.id}_chunks"
                " WHERE partition00 = 1"
            )
            return " ".join(str(row[3]) for row in rows)

        assert "USING INDEX" in store.read(plan, "")
        assert opened(store) == which and store.problem == ""


def test_a_device_is_searched_alone(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        one = put(index, "a", ["same", "other"], "ACME1")
        two = put(index, "b", ["same", "third"], "ACME2")
        fill(store, which, one)
        fill(store, which, two)
        query = packed(vector("stamp\nsame"))
        assert {e.document for e in store.search(which, query, 9, device="ACME2")} == {two}
        assert {e.document for e in store.search(which, query, 9)} == {one, two}
        assert store.search(which, query, 9, device="ACME3") == []
        assert store.search(which, query, 9, device="ACME1", documents=[two]) == []


def test_a_text_has_one_vector_and_keeps_it_when_its_document_is_read_again(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        assert fill(store, which, put(index, "a", ["same", "same", "first"])) == 2
        assert fill(store, which, put(index, "b", ["same", "second"])) == 1
        again = put(index, "a", ["same", "first", "new"])
        assert len(store.missing(which, again, 99)) == 3
        assert fill(store, which, again) == 1
        assert store.count(which) == (5, 5)


def test_nothing_is_found_of_a_document_that_is_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "PLAIN_MOST", 0)
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        fill(store, which, put(index, "a", ["kept"]))
        gone = put(index, "b", ["gone"])
        fill(store, which, gone)
        query = packed(vector("stamp\ngone"))
        assert store.search(which, query, 1)[0].document == gone
    # Deleted, and its chunk's number given anew, without sqlite-vec being loaded.
    with Index(path) as index:
        assert index.drop_files([("b", ".pdf")])
        new = put(index, "c", ["new"])
    with Index(path) as index:
        store = VectorStore(index)
        assert new not in {each.document for each in store.search(which, query, 9)}
        fill(store, which, new)
        found = store.search(which, packed(vector("stamp\nnew")), 1)
        assert found[0].document == new and found[0].distance == pytest.approx(0, abs=1e-6)
        assert len(store.search(which, query, 9)) == 2


def test_the_old_model_serves_until_the_new_one_is_whole(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        document = put(index, "a", ["one", "two"])
        old = opened(store, "old")
        assert store.serving("old") == old, "half a set is better than none"
        fill(store, old, document)
        assert store.finish(old)
        new = opened(store, "new", 32)
        serving = store.serving("new")
        assert serving is not None and serving.key == "old"
        assert len(store.search(serving, packed(vector("x")), 9)) == 2
        fill(store, new, document)
        assert store.finish(new)
        serving = store.serving("new")
        assert serving is not None and (serving.key, serving.whole) == ("new", True)
        assert [each.key for each in store.sets()] == ["new"]
        assert len(store.search(serving, packed(vector("x", 32)), 9)) == 2


def test_a_chunk_that_changed_meanwhile_gets_no_wrong_vector(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        before = store.missing(which, put(index, "a", ["before"]), 9)
        document = put(index, "a", ["after"])
        made = {each.hash: packed(vector(each.text)) for each in before}
        assert store.put(which, before, made)
        assert [each.hash for each in store.missing(which, document, 9)] == [
            text_hash("stamp\nafter")
        ]


def test_vectors_that_do_not_fit_cost_no_index(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store)
        document = put(index, "a", ["one"])
        chunks = store.missing(which, document, 9)
        assert not store.put(which, chunks, {chunks[0].hash: b"odd"})
        assert "Vectors cannot be used" in store.problem
        assert index.problem is None and index.document(document) is not None
        assert store.search(which, b"odd", 9) == []
        assert fill(store, which, document) == 1
    assert not list(path.parent.glob("*.broken-*"))


def test_a_dimension_that_is_no_multiple_of_eight_is_searched_plainly(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        which = opened(store, "odd", 13)
        document = put(index, "a", ["one", "two"])
        fill(store, which, document)
        found = store.search(which, packed(vector("stamp\ntwo", 13)), 1)
        assert index.chunks(document)[1].id == found[0].chunk


def test_without_sqlite_vec_all_else_works(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with Index(path) as index:
        store = VectorStore(index)
        put(index, "a", ["USART"])
        assert store.open_set("model", "model", "", DIMENSION) is None
        assert "pip install 'datasheet-lsp[embed]'" in store.problem
        assert store.search(VectorSet(1, "m", "m", "", 2, True), packed([1.0, 0.0]), 5) == []
        assert keyword_hits(index, "USART") and index.problem is None
