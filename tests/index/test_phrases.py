"""Phrases that a question is compared with have their vectors beside those of the chunks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from datasheet_lsp.index import Index
from datasheet_lsp.index import vectors as vectors_module
from datasheet_lsp.index.phrases import PhraseVectors
from datasheet_lsp.index.vectors import VectorSet, VectorStore
from tests.index.test_vectors import DIMENSION, packed, vector


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".datasheet" / "index.sqlite"


def opened(store: VectorStore, key: str = "m") -> VectorSet:
    which = store.open_set(key, key, "", DIMENSION)
    assert which is not None
    return which


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def test_the_likeness_is_the_cosine(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index, "l2")
        phrases, which = PhraseVectors(store), opened(store)
        texts = ["pet the dog", "why did it restart", "Größe"]
        # The length of a vector says nothing.
        vectors = {text: packed([7 * x for x in vector(text)]) for text in texts}
        assert phrases.missing(which, texts) == texts
        assert phrases.put(which, vectors)
        assert phrases.missing(which, [*texts, "more"]) == ["more"]
        query = vector("question")
        found = phrases.alike(which, packed([0.2 * x for x in query]))
        assert found == {t: pytest.approx(cosine(query, vector(t)), abs=0.02) for t in texts}


def test_phrases_that_are_not_wanted_any_more_go(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        phrases, which = PhraseVectors(store), opened(store)
        phrases.put(which, {text: packed(vector(text)) for text in ("a", "b", "c")})
        phrases.keep(which, {"b", "d"})
        assert set(phrases.alike(which, packed(vector("q")))) == {"b"}


def test_each_set_has_its_own_and_they_go_with_it(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        phrases = PhraseVectors(store)
        one, two = opened(store, "one"), opened(store, "two")
        phrases.put(one, {"a": packed(vector("a"))})
        assert phrases.missing(two, ["a"]) == ["a"]
        assert store.finish(two)
        assert phrases.missing(one, ["a"]) == ["a"]


def test_a_query_of_another_size_finds_nothing(path: Path) -> None:
    with Index(path) as index:
        store = VectorStore(index)
        phrases, which = PhraseVectors(store), opened(store)
        phrases.put(which, {"a": packed(vector("a"))})
        assert phrases.alike(which, packed([1.0])) == {}


def test_without_sqlite_vec_there_are_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index(path) as index:
        which = opened(VectorStore(index))
    monkeypatch.setattr(vectors_module.importlib.util, "find_spec", lambda name: None)
    with Index(path) as index:
        store = VectorStore(index)
        assert PhraseVectors(store).alike(which, packed(vector("a"))) == {}
        assert "sqlite-vec" in store.problem and index.problem is None
