"""``datasheet-lsp ask`` and ``chat`` in a project."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.cli.command import answer, refused, run


@pytest.fixture
def indexed(project: Path) -> Path:
    (project / "docs").mkdir()
    (project / "docs" / "errata.md").write_text(
        "# Errata\n\n## Receiver\n\nA character that arrives during wake-up is lost.\n"
    )
    (project / "datasheet.toml").write_text("[embed]\nenabled = false\n\n[log]\nqueries = true\n")
    done = run("index", folder=project)
    assert done.returncode == 0, done.stderr
    return project


def test_a_fact_of_the_device_needs_no_index(project: Path) -> None:
    done = run("ask", "what", "is", "the", "address", "of", "UART1_CTRL?", folder=project)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("UART1.CTRL is at 0x")


def test_passages_are_laid_out_with_their_places(indexed: Path) -> None:
    found = answer("ask", "which character is lost during wake-up?", "--no-llm", folder=indexed)
    assert found["route"] == "documents" and found["model"] == ""
    errata = next(c for c in found["chunks"] if c["file"] == "docs/errata.md")
    assert errata["heading_path"] == ["Errata", "Receiver"]
    assert errata["uri"] == (indexed / "docs" / "errata.md").as_uri()
    assert f"[{errata['number']}] " in found["text"]
    assert found["sub_queries"][0]["origin"] == "question" and found["timings"]["all"] > 0
    logged = run("log", "--json", folder=indexed).stdout
    assert "which character is lost" in logged and '"answer"' in logged


def test_what_is_not_there_is_refused(indexed: Path) -> None:
    done = run("ask", "how do I set up the USB endpoints?", "--no-llm", folder=indexed)
    assert done.returncode == 1
    assert done.stdout.startswith("The documents do not answer this:")


def test_steps_are_explained_when_asked(indexed: Path) -> None:
    done = run(
        "ask", "lost character", "--no-llm", "--hint", "wake-up", "--explain", folder=indexed
    )
    assert "route: documents" in done.stdout and "wake-up (hint)" in done.stdout


def test_a_question_may_lean_on_the_one_before(project: Path) -> None:
    asked = "address of UART1_CTRL\nand for UART2?\n"
    done = run("chat", "--no-llm", folder=project, text=asked)
    assert done.returncode == 0, done.stderr
    assert "UART1.CTRL is at" in done.stdout and "UART2.CTRL is at" in done.stdout


def test_an_unknown_device_is_refused(project: Path) -> None:
    said = refused("ask", "address of UART1", "--device", "NOPE", folder=project)
    assert "nothing is known of the device NOPE" in said


def test_what_an_svd_file_says_leads_to_its_line(indexed: Path) -> None:
    found = answer("ask", "how do I configure UART1?", "--no-llm", folder=indexed)
    cited = [each for each in found["citations"] if each["file"].endswith(".svd")]
    assert cited
    for each in cited:
        path = Path(unquote(urlsplit(each["uri"]).path))
        line = path.read_text().splitlines()[each["line"] - 1]
        assert "<register" in line or "<peripheral" in line
