"""``datasheet-lsp search`` by meaning, and with what is left where that fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasheet_lsp.cli.main import main
from datasheet_lsp.engine import Embedder, Reranker
from tests.assist.vectors import PYTHONPATH, fill, indexed
from tests.engine.test_models import write

LOST = "character lost at wakeup"
RECEIVER = ["Errata", "Receiver"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An indexed project, the current folder; its embedder counts letters in a real process."""
    indexed(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    for process in (Embedder, Reranker):
        monkeypatch.setattr(process, "command", ("-m", "tests.engine.small"))
    return tmp_path


def search(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["search", *arguments, "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return found


def settings(folder: Path, text: str) -> None:
    with (folder / "datasheet.toml").open("a") as file:
        file.write(text)


def test_both_arms_bring_a_hit(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(here)
    found = search(capsys, LOST)
    assert found["hits"][0]["heading_path"] == RECEIVER and found["notes"] == []
    assert set(found["hits"][0]["arms"]) == {"keyword", "vector"}


def test_by_meaning_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(here)
    # The letter is that of the other section; the word is nowhere.
    found = search(capsys, "fff", "--mode", "vector", "-k", "1")
    (hit,) = found["hits"]
    assert hit["arms"] == ["vector"] and hit["heading_path"] == ["Errata", "Clock"]
    assert -1 <= hit["scores"]["vector"] <= 1


def test_without_vectors_words_answer(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = search(capsys, LOST)
    assert found["hits"][0]["heading_path"] == RECEIVER
    assert found["notes"] == ["no vectors (none are made yet): found by words alone"]


def test_half_of_the_vectors(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fill(here, 1) > 0
    found = search(capsys, LOST)
    assert found["hits"][0]["heading_path"] == RECEIVER
    assert "of the vectors are made" in found["notes"][0]


def test_a_dead_embedder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(here)
    found = search(capsys, f"{LOST} crash")
    assert found["hits"][0]["heading_path"] == RECEIVER
    assert "ended by itself twice" in found["notes"][0]


def test_a_search_by_words_starts_no_model(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(here)
    monkeypatch.setattr(Embedder, "_started", None)
    assert search(capsys, LOST, "--mode", "keyword")["notes"] == []
    settings(here, "[search]\nmode = 'keyword'\n")
    assert search(capsys, LOST)["notes"] == []


def test_the_numbers_of_the_settings_are_used(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(here)
    settings(here, "[search]\nhits = 2\nbudget = 4000\n[search.weights]\nwords = 0.0\n")
    found = search(capsys, "fff")
    assert len(found["hits"]) == 2
    # Words count nothing here, so the order is that of the vectors.
    assert found["hits"][0]["heading_path"] == ["Errata", "Clock"]
    assert len(search(capsys, LOST, "-k", "1")["hits"]) == 1


def test_by_straight_distance_the_similarity_is_its_negative(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(here)
    text = (here / "datasheet.toml").read_text()
    (here / "datasheet.toml").write_text(text.replace("[embed]\n", "[embed]\ndistance = 'l2'\n"))
    found = search(capsys, "bad cafe", "--mode", "vector")
    assert found["hits"] and all(hit["scores"]["vector"] < 0 for hit in found["hits"])


def test_the_scope_is_said_and_how_to_lift_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", LOST, "--mode", "keyword"]) == 0
    said = "Searched for ALPHA (the only device here): 2 of 2 documents; --device any searches all."
    assert capsys.readouterr().out.splitlines()[0] == said
    assert main(["search", LOST, "--mode", "keyword", "--device", "any"]) == 0
    assert "Searched for" not in capsys.readouterr().out


@pytest.fixture
def reranker(here: Path) -> Path:
    """A folder as sentence-transformers saves a cross-encoder."""
    folder = write(here / "models" / "cross", architectures=["BertForSequenceClassification"])
    settings(here, "[search]\nmode = 'keyword'\nreranker = 'models/cross'\n")
    return folder


def paths(found: dict[str, Any]) -> list[list[str]]:
    return [hit["heading_path"] for hit in found["hits"]]


CLOCK = ["Errata", "Clock"]


def test_the_reranker_has_the_last_word_where_there_is_one(
    here: Path, reranker: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = search(capsys, f"{LOST} {LOST} puffins", "--no-rerank")
    assert paths(before)[0] == RECEIVER
    assert all("rerank" not in hit["scores"] for hit in before["hits"])
    found = search(capsys, f"{LOST} {LOST} puffins")
    assert paths(found)[0] == CLOCK
    assert found["hits"][0]["scores"]["rerank"] == 12.0
    assert found["notes"] == []


def test_a_reranker_that_dies_costs_its_order_alone(
    here: Path, reranker: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = search(capsys, f"{LOST} crash")
    assert paths(found)[0] == RECEIVER
    assert "not reranked" in found["notes"][0] and "ended by itself twice" in found["notes"][0]


def test_a_reranker_that_is_not_there_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = search(capsys, LOST, "--mode", "keyword", "--rerank")
    assert paths(found)[0] == RECEIVER
    assert found["notes"] == ["not reranked ([search] reranker names none)"]
