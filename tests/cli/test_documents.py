"""``index`` and ``documents``: manuals into the index, and what it has of them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from datasheet_lsp.documents.pdf.library import pymupdf
from tests.cli.command import answer, refused, run
from tests.manuals import long_manual, manual
from tests.support import ROOT

DEMO_MANUAL = ROOT / "data" / "demo" / "manual" / "stm32f407-demo-manual.pdf"


@pytest.fixture
def papers(project: Path) -> Path:
    """A project with two manuals."""
    manual(project / "manual.pdf", chip="GOLD1")
    (project / "docs").mkdir()
    shutil.copy(DEMO_MANUAL, project / "docs")
    return project


def rows(folder: Path) -> dict[str, dict[str, Any]]:
    return {each["file"]: each for each in answer("documents", folder=folder)}


def events(*arguments: object, folder: Path) -> list[dict[str, Any]]:
    done = run("index", *arguments, "--json", folder=folder)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_documents_wait_then_stand_in_the_index(papers: Path) -> None:
    before = rows(papers)
    assert {each["state"] for each in before.values()} == {"waiting"}
    assert not (papers / ".datasheet").exists()
    assert "datasheet-lsp index" in run("documents", folder=papers).stdout
    assert run("index", folder=papers).returncode == 0
    after = rows(papers)
    assert set(after) == {"chip.svd", "manual.pdf", "docs/stm32f407-demo-manual.pdf"}
    own = after["manual.pdf"]
    assert (own["title"], own["revision"], own["pages"]) == ("GOLD1 reference manual", "Rev 3", 3)
    assert [each["device"] for each in own["devices"]] == ["GOLD1"]
    demo = after["docs/stm32f407-demo-manual.pdf"]
    assert demo["pages"] == 18 and demo["revision"] == "Rev 2" and demo["chunks"] > 30
    assert demo["devices"] == [] and "STM32F407" in demo["undecided"]
    assert all(each["state"] == "indexed" for each in after.values())


def test_the_table_has_a_row_for_each_document(papers: Path) -> None:
    run("index", folder=papers)
    lines = run("documents", folder=papers).stdout.splitlines()
    assert lines[0].split() == ("Id Device Title Revision Pages Chunks State Problems File".split())
    (own,) = [line for line in lines if line.endswith(" manual.pdf")]
    assert own.split()[1:5] == ["GOLD1", "GOLD1", "reference", "manual"]
    (demo,) = [line for line in lines if "docs/stm32f407" in line]
    assert demo.split()[1] == "undecided"
    assert any(line.startswith("undecided: stm32f407-demo-manual.pdf: ") for line in lines)


def test_the_run_is_told_line_by_line(papers: Path) -> None:
    done = run("index", folder=papers)
    assert done.stderr == "" and "\r" not in done.stdout and "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert any(line.startswith("manual.pdf: 3 pages, ") and "GOLD1" in line for line in lines)
    assert lines[-1].startswith("3 indexed: 21 pages, ")
    assert run("index", folder=papers).stdout.splitlines() == ["3 unchanged"]
    (papers / "manual.pdf").unlink()
    lines = run("index", folder=papers).stdout.splitlines()
    assert lines == ["manual.pdf: dropped from the index", "2 unchanged, 1 dropped"]


def test_events_come_as_json_one_a_line(papers: Path) -> None:
    found = events(folder=papers)
    kinds = [each["type"] for each in found]
    assert kinds[0] == "RunStarted" and kinds[-1] == "RunFinished"
    assert found[0]["to_do"] == 2
    pages = [each for each in found if each["type"] == "PageDone"]
    assert (pages[-1]["page"], pages[-1]["pages"]) == (18, 18)
    done = {each["path"]: each for each in found if each["type"] == "DocumentDone"}
    assert done["manual.pdf"]["pages"] == 3
    assert found[-1]["indexed"] == 3 and found[-1]["failed"] == 0
    again = events("--again", folder=papers)[-1]
    assert again["indexed"] == 3 and again["unchanged"] == 0


def test_a_bar_on_a_terminal(papers: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("the terminal is a pseudo terminal, which Windows has not")
    import pty

    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "30"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "datasheet_lsp", "index"],
        cwd=papers,
        stdout=child,
        stderr=child,
        env=environment,
    )
    os.close(child)
    shown = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(parent)
    assert process.wait(30) == 0
    text = shown.decode()
    assert "\u2501" in text and "page 18 of 18" in text and "pages/s" in text
    assert "file 2 of 2" in text
    assert "3 indexed: 21 pages" in text.splitlines()[-1]


def test_a_document_from_elsewhere_is_taken_in_and_stays(project: Path, tmp_path: Path) -> None:
    other = manual(tmp_path / "elsewhere.pdf", chip="GOLD1")
    assert run("index", other, folder=project).returncode == 0
    assert set(rows(project)) == {"chip.svd", str(other)}
    assert run("index", folder=project).returncode == 0
    assert set(rows(project)) == {"chip.svd", str(other)}
    folder = tmp_path / "papers"
    folder.mkdir()
    manual(folder / "more.pdf", revision="Rev 9")
    assert run("index", folder, folder=project).returncode == 0
    assert str(folder / "more.pdf") in rows(project)
    other.unlink()
    assert run("index", folder=project).stdout.splitlines()[-1].endswith("1 dropped")


def test_the_project_that_is_named_is_indexed(papers: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run("index", papers, folder=elsewhere).returncode == 0
    assert not (elsewhere / ".datasheet").exists()
    assert rows(papers)["manual.pdf"]["state"] == "indexed"
    assert len(answer("documents", papers, folder=elsewhere)) == 3


def test_the_index_is_at_the_top_of_the_project(papers: Path) -> None:
    assert run("index", folder=papers / "src").returncode == 0
    assert (papers / ".datasheet" / "index.sqlite").is_file()
    assert not (papers / "src" / ".datasheet").exists()
    assert len(answer("documents", folder=papers / "docs")) == 3


def test_what_cannot_be_read_is_told_and_the_rest_is_indexed(papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    manual(
        papers / "secret.pdf",
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="open",
        owner_pw="own",
    )
    done = run("index", folder=papers)
    assert done.returncode == 0  # what was asked for could be done
    assert done.stdout.splitlines()[-1].startswith("3 indexed, 2 not readable")
    errors = done.stderr.splitlines()
    assert len(errors) == 2 and all(line.startswith("datasheet-lsp: ") for line in errors)
    assert any(
        "secret.pdf is protected" in line and "documents.password" in line for line in errors
    )
    found = rows(papers)
    assert found["secret.pdf"]["state"] == found["broken.pdf"]["state"] == "failed"
    assert found["manual.pdf"]["state"] == "indexed"
    assert run("index", papers / "broken.pdf", folder=papers).returncode == 1
    (papers / "datasheet.toml").write_text('[documents.password]\n"secret.pdf" = "open"\n')
    run("index", folder=papers)
    assert rows(papers)["secret.pdf"]["pages"] == 3


def test_pages_without_text_are_named(project: Path) -> None:
    doc = pymupdf.open()
    page = doc.new_page()
    page.insert_text((60, 100), "The first page has text, and enough words to be a page of text.")
    drawn = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 200, 280))
    drawn.clear_with(200)
    whole = page.rect
    doc.new_page().insert_image(whole, pixmap=drawn)
    doc.save(project / "scan.pdf")
    doc.close()
    done = run("index", folder=project)
    assert "page 2 has no text layer" in done.stderr and "ocrmypdf" in done.stderr
    (trouble,) = rows(project)["scan.pdf"]["troubles"]
    assert (trouble["first_page"], trouble["last_page"]) == (2, 2)


def test_a_changed_file_is_told_until_it_is_read_again(papers: Path) -> None:
    run("index", folder=papers)
    manual(papers / "manual.pdf", chip="GOLD1", revision="Rev 4")
    assert rows(papers)["manual.pdf"]["state"] == "changed"
    (papers / "docs" / "stm32f407-demo-manual.pdf").unlink()
    assert rows(papers)["docs/stm32f407-demo-manual.pdf"]["state"] == "gone"
    run("index", folder=papers)
    found = rows(papers)
    assert found["manual.pdf"]["revision"] == "Rev 4" and len(found) == 2


@pytest.mark.skipif(
    sys.platform == "win32", reason="the process is ended by signals that Windows has not"
)
def test_an_interrupted_run_keeps_what_it_did(project: Path) -> None:
    manual(project / "manual.pdf")
    long_manual(project / "long.pdf", 600)
    process = subprocess.Popen(
        [sys.executable, "-m", "datasheet_lsp", "index", "--json"],
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        event = json.loads(line)
        if event["type"] == "PageDone" and event["path"] == "long.pdf":
            break
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    last = process.stdout.read().splitlines()[-1]
    assert process.wait(10) == 130 and time.monotonic() - start < 5
    assert json.loads(last)["cancelled"] is True
    found = rows(project)
    assert found["manual.pdf"]["state"] == "indexed" and found["long.pdf"]["state"] == "waiting"


def test_what_is_called_wrongly_is_told_in_one_sentence(project: Path, tmp_path: Path) -> None:
    assert "is not there" in refused("index", "nothing.pdf", folder=project)
    assert "is not there" in refused("documents", "nothing", folder=project)
    (project / "datasheet.toml").write_text("[index]\nenabled = false\n")
    assert "index.enabled" in refused("index", folder=project)
    empty = tmp_path / "empty"
    empty.mkdir()
    done = run("documents", folder=empty)
    assert done.returncode == 0 and "datasheet-lsp index FILE" in done.stdout


def test_doctor_tells_of_manuals(papers: Path) -> None:
    assert "0 of 2 indexed" in " ".join(run("doctor", papers).stdout.split())
    run("index", folder=papers)
    said = " ".join(run("doctor", papers).stdout.split())
    (own,) = [each for each in answer("doctor", papers)["documents"] if "Rev 3" in each["revision"]]
    assert f"2 of 2 indexed: manual.pdf Rev 3, 3 pages, {own['chunks']} chunks" in said
    assert "undecided: stm32f407-demo-manual.pdf: its title names STM32F407" in said


def test_doctor_says_how_to_add_a_manual(project: Path) -> None:
    said = " ".join(run("doctor", project).stdout.split())
    assert "no manual found for GOLD1 (add one: datasheet-lsp index FILE)" in said
