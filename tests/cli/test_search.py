"""``datasheet-lsp search`` in a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import answer, refused, run


@pytest.fixture
def indexed(project: Path) -> Path:
    (project / "docs").mkdir()
    (project / "docs" / "errata.md").write_text(
        "# Errata\n\n## Receiver\n\nA character that arrives during wake-up is lost.\n"
    )
    done = run("index", folder=project)
    assert done.returncode == 0, done.stderr
    return project


def test_a_register_is_found_with_its_place(indexed: Path) -> None:
    found = answer("search", "UART1->CTRL", folder=indexed)
    assert found["registers"] == ["UART1.CTRL"]
    first = found["hits"][0]
    assert first["file"] == "chip.svd" and "UART1.CTRL" in first["symbols"]
    assert first["text"].startswith("**UART1.CTRL**") and first["page"] == 0


def test_plain_words_find_a_passage_and_say_where(indexed: Path) -> None:
    done = run("search", "character", "lost", "at", "wakeup", "--mode", "keyword", folder=indexed)
    assert done.returncode == 0, done.stderr
    assert "1. Errata > Receiver" in done.stdout
    assert "is lost" in done.stdout


def test_scores_are_explained_when_asked(indexed: Path) -> None:
    done = run("search", "UART1.CTRL", "--explain", folder=indexed)
    assert "registers: UART1.CTRL" in done.stdout
    assert "score " in done.stdout and "tokens" in done.stdout


def test_nothing_found_is_said(indexed: Path) -> None:
    done = run("search", "zzzz", "--mode", "keyword", folder=indexed)
    assert done.returncode == 1 and "nothing was found" in done.stdout


def test_an_unknown_device_is_refused(indexed: Path) -> None:
    assert "nothing of the device NOPE is indexed" in refused(
        "search", "x", "--device", "NOPE", folder=indexed
    )


def test_without_an_index_it_says_what_to_do(project: Path) -> None:
    assert "datasheet-lsp index brings its manuals in" in refused("search", "x", folder=project)
