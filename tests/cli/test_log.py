"""``datasheet-lsp log``: what is kept of questions, where it is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.querylog import Entry, LoggedChunk, QueryLog
from tests.cli.command import answer, refused, run

KEEP = "[log]\nqueries = true\n"


@pytest.fixture
def indexed(project: Path) -> Path:
    done = run("index", folder=project)
    assert done.returncode == 0, done.stderr
    return project


def test_nothing_is_kept_unless_it_is_wanted(indexed: Path) -> None:
    assert run("search", "UART1.CTRL", folder=indexed).returncode == 0
    assert not (indexed / ".datasheet" / "queries.jsonl").exists()
    said = refused("log", folder=indexed)
    assert "no questions are kept" in said and "[log] queries = true" in said
    assert answer("log", folder=indexed)["questions"] == []


def test_questions_are_kept_and_listed(indexed: Path) -> None:
    (indexed / "datasheet.toml").write_text(KEEP)
    found = answer("search", "UART1.CTRL", "--mode", "keyword", folder=indexed)
    assert run("search", "zzzz", "--mode", "keyword", folder=indexed).returncode == 1
    first, second = answer("log", folder=indexed)["questions"]
    assert (first["query"], first["device"], first["mode"]) == ("UART1.CTRL", "GOLD1", "keyword")
    assert [each["chunk"] for each in first["chunks"]] == [hit["id"] for hit in found["hits"]]
    assert first["chunks"][0]["scores"] == found["hits"][0]["scores"]
    assert first["seconds"]["all"] > 0 and first["time"].endswith("+00:00")
    assert second["query"] == "zzzz" and "chunks" not in second
    lines = run("log", folder=indexed).stdout.splitlines()
    assert "UART1.CTRL" in lines[1] and "chip.svd" in lines[1] and "zzzz" in lines[2]
    assert "UART1.CTRL" not in run("log", "-n", "1", folder=indexed).stdout


def test_a_log_that_cannot_be_written_costs_no_answer(indexed: Path) -> None:
    (indexed / "datasheet.toml").write_text(KEEP)
    (indexed / ".datasheet" / "queries.jsonl").mkdir()
    assert run("search", "UART1.CTRL", "--mode", "keyword", folder=indexed).returncode == 0


def test_the_similarities_are_drawn(indexed: Path) -> None:
    log = QueryLog(indexed / ".datasheet")
    for number in range(1, 6):
        chunks = [LoggedChunk(n, "a.pdf", scores={"vector": n / 10}) for n in range(number)]
        log.add(Entry("2026-01-01T00:00:00+00:00", "x", chunks=tuple(chunks)))
    done = run("log", "--plot", "near.png", folder=indexed)
    assert done.stdout == "near.png: 15 hits of 5 questions, similarity 0.000 to 0.400\n"
    assert (indexed / "near.png").read_bytes().startswith(b"\x89PNG")
    assert "is to end in .png" in refused("log", "--plot", "near.txt", folder=indexed, code=2)


def test_without_vectors_there_is_nothing_to_draw(indexed: Path) -> None:
    QueryLog(indexed / ".datasheet").add(Entry("2026-01-01T00:00:00+00:00", "x"))
    said = refused("log", "--plot", "near.png", folder=indexed)
    assert "none of the questions that are kept was searched for by meaning" in said
