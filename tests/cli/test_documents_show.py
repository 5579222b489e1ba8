"""``chunks``, ``tables`` and ``page``: looking into a manual."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from datasheet_lsp.documents.pdf.library import pymupdf
from tests.cli.command import answer, refused, run
from tests.manuals import FIELDS, manual
from tests.support import ROOT

DEMO_MANUAL = ROOT / "data" / "demo" / "manual" / "stm32f407-demo-manual.pdf"
BITS = ["Bits", "Name", "Access", "Description"]
FRAME = (214, 40, 40)


@pytest.fixture
def papers(project: Path) -> Path:
    """A project with two manuals, indexed."""
    manual(project / "manual.pdf", chip="GOLD1")
    (project / "docs").mkdir()
    shutil.copy(DEMO_MANUAL, project / "docs")
    assert run("index", folder=project).returncode == 0
    return project


def picture(path: Path) -> Any:
    return pymupdf.Pixmap(str(path))


def test_chunks_have_id_text_file_page_and_heading_path(papers: Path) -> None:
    found = answer("chunks", "manual.pdf", folder=papers)
    assert len({each["id"] for each in found}) == len(found)
    assert {each["file"] for each in found} == {"manual.pdf"}
    (register,) = [each for each in found if each["kind"] == "register"]
    assert (register["page"], register["last_page"]) == (3, 3)
    assert register["heading_path"] == [
        "Serial port (UART1)",
        "Baud rate register (UART1_BRR)",
    ]
    for bits, name, access, text in FIELDS:
        assert f"| {bits} | {name} | {access} | {text} |" in register["text"]
    assert register["stamp"].splitlines() == [
        "[Document: GOLD1 reference manual Rev 3]",
        "Section: Serial port (UART1) > Baud rate register (UART1_BRR)",
    ]
    assert {place["page"] for place in register["places"]} == {3}


def test_chunks_of_a_page_alone(papers: Path) -> None:
    found = answer("chunks", "manual.pdf", "--page", 2, folder=papers)
    assert found and all(each["page"] <= 2 <= each["last_page"] for each in found)
    said = run("chunks", "manual.pdf", "--page", 2, folder=papers).stdout
    assert said.startswith(f"chunk {found[0]['id']}, manual.pdf, p. 2, text, ")
    assert "Serial port (UART1)" in said and "samples each bit 2 times." in said
    assert "BRR" not in said


@pytest.mark.parametrize(
    "word",
    ["manual.pdf", "MANUAL.PDF", "./manual.pdf", "GOLD1 reference", "gold1 REFERENCE manual rev 3"],
)
def test_a_document_has_many_names(papers: Path, word: str) -> None:
    found = answer("chunks", word, folder=papers)
    assert {each["file"] for each in found} == {"manual.pdf"}
    number = found[0]["document"]
    assert answer("chunks", number, folder=papers) == found
    assert answer("chunks", papers / "manual.pdf", folder=papers.parent) == found


def test_what_is_not_known_is_told_with_what_may_be_meant(papers: Path) -> None:
    assert "manual.pdf" in refused("chunks", "manul.pdf", folder=papers)
    assert "Did you mean docs/stm32f407-demo-manual.pdf" in refused(
        "chunks", "stm32f407-demo-manaul.pdf", folder=papers
    )
    said = refused("chunks", "manual", "--page", 1, folder=papers.parent)
    assert "no document is indexed" in said and "datasheet-lsp index" in said
    shutil.copy(papers / "manual.pdf", papers / "copy.pdf")
    said = refused("chunks", "copy.pdf", folder=papers)
    assert "not in the index" in said and "datasheet-lsp index copy.pdf" in said
    assert "no page 4: it has 3" in refused("chunks", "manual.pdf", "--page", 4, folder=papers)
    refused("chunks", "manual.pdf", "--page", 0, folder=papers, code=2)
    (papers / "copy.pdf").unlink()
    manual(papers / "docs" / "other.pdf", chip="GOLD1", revision="Rev 8")
    run("index", folder=papers)
    said = refused("chunks", "gold1 reference", folder=papers)
    assert "manual.pdf" in said and "docs/other.pdf" in said and "by its id" in said


def test_lengths_of_chunks_in_numbers_and_as_a_picture(papers: Path) -> None:
    chunks = answer("chunks", "stm32f407-demo-manual", folder=papers)
    tokens = sorted(each["tokens"] for each in chunks)
    lengths = answer("chunks", "stm32f407-demo-manual", "--stats", folder=papers)
    assert lengths["chunks"] == len(tokens) and lengths["tokens"] == sum(tokens)
    assert (lengths["shortest"], lengths["longest"]) == (tokens[0], tokens[-1])
    for bar in lengths["histogram"]:
        assert bar["chunks"] == sum(bar["low"] <= count <= bar["high"] for count in tokens)
    said = run("chunks", "stm32f407-demo-manual", "--stats", folder=papers).stdout
    assert said.startswith(f"{len(tokens)} chunks, {sum(tokens):,} tokens: shortest {tokens[0]}, ")
    for name in ("lengths.png", "lengths.svg"):
        done = run("chunks", "stm32f407-demo-manual", "--plot", name, folder=papers)
        assert done.returncode == 0
    drawn = picture(papers / "lengths.png")
    assert drawn.width > 600 and drawn.color_count() > 2
    root = ElementTree.parse(papers / "lengths.svg").getroot()
    bars = [each for each in root.iter("{http://www.w3.org/2000/svg}rect")][1:]
    assert len(bars) == sum(bar["chunks"] > 0 for bar in lengths["histogram"])
    said = refused("chunks", "manual.pdf", "--plot", "lengths.gif", folder=papers, code=2)
    assert ".png or .svg" in said


def test_a_table_as_markdown(papers: Path) -> None:
    said = run("tables", "manual.pdf", "--page", 3, folder=papers).stdout
    lines = said.strip().splitlines()
    assert lines[-5:] == [
        f"| {' | '.join(BITS)} |",
        "| --- | --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in FIELDS),
    ]
    (table,) = answer("tables", "manual.pdf", folder=papers)
    assert table["header"] == BITS and table["rows"] == [list(row) for row in FIELDS]
    assert table["heading_path"][-1] == "Baud rate register (UART1_BRR)"
    assert run("tables", "manual.pdf", "--page", 1, folder=papers).stdout == (
        "no tables on page 1 of manual.pdf\n"
    )


def test_a_file_that_is_not_indexed_is_read_for_its_tables(tmp_path: Path) -> None:
    path = manual(tmp_path / "manual.pdf")
    (table,) = answer("tables", path, "--page", 3, folder=tmp_path)
    assert table["rows"] == [list(row) for row in FIELDS]
    assert list(tmp_path.iterdir()) == [path]  # and nothing is left behind
    (tmp_path / "broken.pdf").write_bytes(b"no PDF at all")
    assert "broken.pdf" in refused("tables", tmp_path / "broken.pdf")


def test_a_table_that_goes_on_has_the_header_on_each_page(papers: Path) -> None:
    """The fields of RCC_PLLCFGR begin on page 5 of the demo's manual and end on page 6."""
    demo = "stm32f407-demo-manual"
    first = answer("tables", demo, "--page", 5, folder=papers)[-1]
    assert first["header"] == BITS and [row[1] for row in first["rows"]] == ["PLLQ"]
    second = answer("tables", demo, "--page", 6, folder=papers)[0]
    assert second["header"] == BITS
    assert [row[1] for row in second["rows"]] == ["PLLSRC", "PLLP", "PLLN", "PLLM"]
    whole = answer("tables", demo, "--page", 6, "--whole", folder=papers)[0]
    assert whole["rows"] == first["rows"] + second["rows"]
    said = run("tables", demo, "--page", 6, folder=papers).stdout
    assert said.startswith("**RCC PLL configuration register (RCC_PLLCFGR)**")
    assert "The whole table is on pages 5 to 6." in said


def test_the_picture_of_a_page_with_a_place_marked(papers: Path) -> None:
    done = run("page", "manual.pdf", 3, "--png", "page.png", "--dpi", 72, folder=papers)
    assert done.stdout == "page.png: 595 x 842 pixels\n"
    plain = picture(papers / "page.png")
    command = ("page", "manual.pdf", 3, "--png", "found.png", "--dpi", 72)
    done = run(*command, "--find", "div", folder=papers)
    assert done.stdout == "found.png: 595 x 842 pixels, 3 marked\n"  # DIV, Divider, divider
    found = picture(papers / "found.png")
    # DIV stands in the second row below the header: written from x = 124 on, baseline y = 209.
    inside = {found.pixel(x, y) for x in range(126, 140) for y in range(202, 209)}
    assert any(red > 240 and blue < 120 for red, _, blue in inside)
    assert FRAME in {found.pixel(x, 205) for x in range(116, 126)}
    changed = [
        y for y in range(842) if any(plain.pixel(x, y) != found.pixel(x, y) for x in range(595))
    ]
    assert min(changed) > 190 and max(changed) < 240


def test_a_rotated_page_is_marked_where_it_shows_the_text(tmp_path: Path) -> None:
    doc = pymupdf.open()
    page = doc.new_page(width=400, height=600)
    page.insert_text((50, 100), "Baudrate", fontsize=20)
    page.set_rotation(90)
    doc.save(tmp_path / "turned.pdf")
    doc.close()
    command = ("page", tmp_path / "turned.pdf", 1, "--dpi", 72, "--png", tmp_path / "out.png")
    assert run(*command, "--find", "baudrate").returncode == 0
    drawn = picture(tmp_path / "out.png")
    assert (drawn.width, drawn.height) == (600, 400)
    # Turned clockwise, what was at (50, 100) is at (600 - 100, 50), and the text runs down.
    seen = {(x, y): drawn.pixel(x, y) for x in range(600) for y in range(400)}
    yellow = [place for place, (red, _, blue) in seen.items() if blue < 120 < red]
    assert min(x for x, _ in yellow) > 480 and max(x for x, _ in yellow) < 530
    assert min(y for _, y in yellow) > 40 and max(y for _, y in yellow) < 150


def test_the_place_of_a_chunk_is_marked(papers: Path) -> None:
    (register,) = [
        each for each in answer("chunks", "manual.pdf", folder=papers) if each["kind"] == "register"
    ]
    command = ("page", "manual.pdf", 3, "--png", "chunk.png", "--chunk", register["id"])
    assert "marked" in run(*command, folder=papers).stdout
    said = refused("page", "manual.pdf", 1, *command[3:], folder=papers)
    assert "page 3" in said
    assert "no chunk 999999" in refused(*command[:-1], 999999, folder=papers)


def test_what_is_not_on_a_page_is_told(papers: Path) -> None:
    said = refused("page", "manual.pdf", 3, "--png", "x.png", "--find", "USB", folder=papers)
    assert "'USB' is not on page 3 of manual.pdf" in said
    assert (papers / "x.png").is_file()
    said = refused("page", "manual.pdf", 4, "--png", "y.png", folder=papers)
    assert "3 pages" in said and "no page 4" in said
    assert not (papers / "y.png").exists()
    refused("page", "manual.pdf", 3, folder=papers, code=2)
    assert "cannot be written" in refused(
        "page", "manual.pdf", 3, "--png", "no/such/folder.png", folder=papers
    )


def test_a_protected_file_is_read_with_the_password_of_the_settings(project: Path) -> None:
    manual(
        project / "secret.pdf",
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="open",
        owner_pw="own",
    )
    for command in (("tables", "secret.pdf"), ("page", "secret.pdf", 3, "--png", "x.png")):
        assert "documents.password" in refused(*command, folder=project)
    (project / "datasheet.toml").write_text('[documents.password]\n"secret.pdf" = "open"\n')
    (table,) = answer("tables", "secret.pdf", folder=project)
    assert table["rows"] == [list(row) for row in FIELDS]
    assert run("page", "secret.pdf", 3, "--png", "x.png", folder=project).returncode == 0
