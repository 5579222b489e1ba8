"""The benchmark of reading manuals: what it counts, and a run from end to end on our own manual."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from datasheet_lsp.cli.main import main
from datasheet_lsp.documents.page import Font, OutlineEntry, PageData, Word
from datasheet_lsp.evaluation import peer_pages
from datasheet_lsp.evaluation.bench_documents import (
    CatalogEntry,
    CorpusError,
    DocumentResult,
    Report,
    ToolScore,
    find_corpus,
)
from datasheet_lsp.evaluation.document_fields import RowReader, Score, score
from datasheet_lsp.evaluation.document_names import (
    NameScore,
    name_score,
    peer_name_score,
    printed_names,
)
from datasheet_lsp.evaluation.document_runs import ReadOne, ReadRun
from datasheet_lsp.evaluation.document_sections import (
    SeenLine,
    numbered_headings,
    numbered_score,
    outline_score,
    seen_lines,
    title_key,
)
from datasheet_lsp.evaluation.document_text import text_score
from datasheet_lsp.evaluation.process import can_measure
from datasheet_lsp.evaluation.show_documents import show
from datasheet_lsp.model.coverage import Count
from datasheet_lsp.model.document import Block, Document, Place, Section, Table
from tests.support import ROOT

needs_measure = pytest.mark.skipif(
    not can_measure(),
    reason="what a process uses is told by Linux and macOS alone: there is nothing to measure",
)
DEMO = ROOT / "data" / "demo"
TABLE_BOX = (40.0, 90.0, 300.0, 200.0)


def page(number: int, *lines: str, font: int = 0) -> PageData:
    """A page with a line of words every 20 points from 100 down, words 60 points apart."""
    words = [
        Word(text, 50.0 + 60 * i, 100.0 + 20 * at, 100.0 + 60 * i, 112.0 + 20 * at, font, at)
        for at, line in enumerate(lines)
        for i, text in enumerate(line.split(" "))
    ]
    return PageData(number, "", 600.0, 800.0, tuple(words), (), (), ())


def section(number: str, title: str, page_number: int, top: float = 100.0, id_: int = 0) -> Section:
    return Section(id_, None, 1, number, title, page_number, top, page_number, "outline")


def document(
    sections: tuple[Section, ...] = (),
    tables: tuple[Table, ...] = (),
    blocks: tuple[Block, ...] = (),
) -> Document:
    return Document("pdf", "Manual", "1", 3, (), sections, blocks, tables, (), ())


def table(*rows: tuple[str, ...], pages: tuple[int, ...] = (1,), number: str = "") -> Table:
    places = tuple(Place(p, TABLE_BOX) for p in pages)
    header = ("Bit",) * len(rows[0])
    return Table(0, 0, number, "", header, rows, (pages[0],) * len(rows), places, "fields")


# --- field rows


def test_the_share_of_rows_found_and_of_rows_with_the_right_bits() -> None:
    wanted = {("en", 0, 0), ("mode", 5, 4), ("key", 31, 16), ("div", 15, 0)}
    found = {("en", 0, 0), ("mode", 6, 4), ("key", 31, 16), ("other", 3, 3)}
    assert score(found, wanted) == Score(4, 4, 2, 3)
    assert score(found, wanted).recall == 0.5
    assert score(found, wanted).precision == pytest.approx(2 / 3)


def test_only_rows_whose_names_are_printed_are_wanted_of_some_pages() -> None:
    wanted = {("en", 0, 0), ("mode", 5, 4)}
    assert score({("en", 0, 0)}, wanted, {"en", "register"}) == Score(1, 1, 1, 1)


def test_another_tools_table_is_read_whatever_row_its_header_is() -> None:
    rows = [["Table 4. CR bits", "", ""], ["Bit", "Name", "Description"]]
    rows += [["31:16", "KEY", "Key"], ["15:1", "-", "Reserved"], ["0", "EN", "Enable"]]
    expected = {("key", 31, 16), ("en", 0, 0)}
    reader = RowReader()
    assert reader.read([rows[2:]], [], 1) == set()
    assert reader.read([rows], [], 1) == expected
    assert reader.read([rows[1:]], [], 1) == expected
    # Its rest on the next page has no header of its own.
    assert reader.read([[["2:1", "MODE", "Mode"]]], [], 2) == {("mode", 2, 1)}


def test_another_tools_lines_are_read_for_paragraphs_of_fields() -> None:
    lines = ["8.7.8 Register", "Bits 6:4 D2PPRE1[2:0]: prescaler", "Bits 3:0 Reserved."]
    assert RowReader().read([], lines, 1) == {("d2ppre1", 6, 4)}


def test_pipe_tables_of_markdown_are_tables_and_the_rest_lines() -> None:
    tables, lines = peer_pages._markdown(
        "# **3.1 Control** \n\n|**Bit**|**Name**|\n|---|---|\n|0|EN\\_ABLE<br>x|\n\n"
        "Bits 6:4 **MODE[2:0]** : _mode_\n"
    )
    assert tables == [[["Bit", "Name"], ["0", "EN_ABLE\nx"]]]
    assert [line for line in lines if line] == ["3.1 Control", "Bits 6:4 MODE[2:0] : mode"]


def test_words_of_a_cell_are_joined_line_by_line() -> None:
    words = [(10.0, 10.0, 30.0, 20.0, "R32_"), (10.0, 22.0, 30.0, 32.0, "BRR")]
    words += [(32.0, 10.0, 40.0, 20.0, "x"), (90.0, 10.0, 99.0, 20.0, "out")]
    assert peer_pages._inside(words, (0, 0, 50, 40)) == "R32_ x\nBRR"
    assert peer_pages._inside(words, None) == ""


# --- names, text


def test_names_are_kept_as_printed_or_as_pieces_of_a_whole_one() -> None:
    pages = [page(1, "R32_USART_BRR 0x08", "WAKEPAD_ DISABLE_N", "PLL1 R16_TIM_CNT")]
    found = document(tables=(table(("R32_USART_BRR WAKEPAD_DISABLE_N", "R16 TIM CNT")),))
    printed = printed_names(found, pages)
    assert [name for _, name in printed[1]] == ["R32_USART_BRR", "DISABLE_N", "R16_TIM_CNT"]
    assert name_score(found, printed) == NameScore(3, 2, (("R16_TIM_CNT", 1),))
    assert name_score(found, printed, [2]) == NameScore(0, 0, ())
    assert peer_name_score(printed, {1: ["R32 USART BRR", "R16_TIM_CNT"]}).kept == 1


def test_text_counts_as_kept_on_its_page() -> None:
    lines = ["Clock registers hold their values after reset", "Writing them takes several cycles"]
    block = Block("text", 0, (Place(1, TABLE_BOX),), lines[0])
    found = text_score(document(blocks=(block,)), [page(1, *lines), page(2, *lines * 3)])
    assert (found.words, found.kept) == (7 + 5 + 36, 7)
    assert found.low == ((2, 0.0),)


def test_lists_of_contents_do_not_count_as_text() -> None:
    found = text_score(document(), [page(1, "Introduction ............ 7", "Clock . . . . . . 9")])
    assert found.words == 0


# --- sections


def lines_of(*pages: PageData) -> dict[int, list[SeenLine]]:
    return {p.number: seen_lines(p, [Font("Sans", 10.0, False, False, False)]) for p in pages}


def test_an_outline_entry_is_placed_where_its_title_stands() -> None:
    lines = lines_of(
        page(1, "Text", "2.1 Baud rate", "register"),
        page(2, "Clocks"),
        page(3, "Nothing"),
    )
    outline = [
        OutlineEntry(1, "2.1 Baud rate register", 1),
        OutlineEntry(1, "Chapter 3: Clocks", 1),
        OutlineEntry(1, "Ports", 3),
        OutlineEntry(1, "Note: bits are cleared.", 3),
        OutlineEntry(1, "Nowhere", 0),
    ]
    right = (
        section("2.1", "Baud rate register", 1, 120.0),
        section("3", "Clocks", 2, 100.0),
        section("", "Ports", 3, 0.0),
    )
    found = outline_score(document(right), outline, lines)
    assert (found.entries, found.placed, found.unprinted) == (3, 3, 1)
    wrong = (
        section("2.1", "Baud rate register", 1, 300.0),
        section("3", "Clocks", 1, 100.0),
    )
    found = outline_score(document(wrong), outline, lines)
    assert found.placed == 0
    assert found.missed[0] == "2.1 Baud rate register (page 1)"


def test_an_outline_entry_of_a_table_is_placed_with_the_table() -> None:
    outline = [OutlineEntry(2, "Table 12. Pins", 1), OutlineEntry(2, "Table 13. Timing", 1)]
    found = outline_score(
        document(tables=(table(("0",), number="12"),)), outline, lines_of(page(1, "x"))
    )
    assert (found.entries, found.placed) == (2, 1)


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("8.7.1 Register map", "registermap"),
        ("Chapter 12: USART", "usart"),
        ("Appendix A Packages", "packages"),
        ("A.1 Names", "names"),
        ("2.4 GHz Radio", "ghzradio"),
        ("Clock (CLK)", "clockclk"),
        ("42", "42"),
    ],
)
def test_a_title_is_compared_without_its_number(title: str, key: str) -> None:
    assert title_key(title) == key


def seen(*texts: str, bold: bool = True) -> list[SeenLine]:
    return [SeenLine(100.0 + 20 * at, text, 10.0, bold) for at, text in enumerate(texts)]


def test_numbered_headings_follow_one_another() -> None:
    body = seen("8.9 is no heading here as it is plain " + "text " * 60, bold=False)
    pages = [
        (1, seen("8.1 Clocks", "8.1.1 Sources") + body),
        (2, seen("8.1.2 Trees", "9.9 of the table", "8.2 Registers", "8.2.1 Map", "3.3 V supply")),
    ]
    headings = numbered_headings(pages)
    assert headings == [("8.1", 1), ("8.1.1", 1), ("8.1.2", 2), ("8.2", 2), ("8.2.1", 2)]
    sections = tuple(
        section(number, "t", at)
        for number, at in [("8.1", 1), ("8.1.1", 1), ("8.2", 2), ("8.2.1", 3), ("3.3", 2)]
    )
    found = numbered_score(document(sections), headings)
    assert (found.headings, found.found, found.false) == (5, 3, 2)
    assert found.missed == ("8.1.2 (page 2)", "8.2.1 (page 2)")


# --- the catalog and the report


def corpus(folder: Path, **more: Any) -> Path:
    (folder / "svd").mkdir(parents=True)
    shutil.copy(DEMO / "manual" / "stm32f407-demo-manual.pdf", folder / "manual.pdf")
    shutil.copy(DEMO / "svd" / "STM32F407_demo.svd", folder / "svd" / "demo.svd")
    entry = {"file": "manual.pdf", "pages": 20, "svd": "svd/demo.svd", "vendor": "us", **more}
    gone = {"file": "gone.pdf", "pages": 3}
    (folder / "catalog.json").write_text(json.dumps([entry, gone]))
    return folder


def test_the_catalog_says_what_belongs_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpus(tmp_path / "corpus", svd_name_match="RCC only: regs 4/4, fields 95/100 (95%)")
    monkeypatch.setenv("DATASHEET_CORPUS", str(tmp_path))
    place, (entry,) = find_corpus(None)
    assert (place, entry.name, entry.scope, entry.fields_named) == (
        folder,
        "manual",
        ("RCC",),
        0.95,
    )
    assert CatalogEntry("a.pdf", svd_name_match="regs 1/2, fields 1/2").scope == ()
    monkeypatch.delenv("DATASHEET_CORPUS")
    with pytest.raises(CorpusError, match="--corpus"):
        find_corpus(None)
    with pytest.raises(CorpusError, match=r"catalog\.json"):
        find_corpus(tmp_path / "corpus" / "svd")


@needs_measure
def test_a_run_on_our_own_manual(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = corpus(tmp_path, svd_name_match="USART2 only: regs 7/7, fields 51/51 (100%)")
    # This Python has pymupdf and not the other two.
    words = ["--corpus", str(folder), "--peers", sys.executable, "--every", "1", "--copies", "2"]
    assert main(["bench", "documents", *words, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (one,) = report["documents"]
    assert (one["file"], one["troubles"], one["conflicts"]) == ("manual.pdf", 0, 0)
    assert one["in_registers"]["registers_found"] == 7
    assert one["in_registers"]["fields_found"] == 51
    assert one["rows"]["wanted"] == one["rows"]["right"]
    assert one["names"]["names"] == one["names"]["kept"] > 20
    assert one["outline"]["entries"] == one["outline"]["placed"] > 10
    assert one["text"]["kept"] > 0.9 * one["text"]["words"]
    tools = {tool["tool"]: tool for tool in one["compared"]}
    assert tools["datasheet-lsp"]["rows"]["right"] == one["rows"]["right"]
    assert tools["pymupdf"]["rows"]["right"] > 0
    assert "pdfplumber" in tools["pdfplumber"]["failure"]
    assert report["missing"] == ["pdfplumber", "pymupdf4llm"]
    run, all_ = report["run"], report["growth"]["all"]
    assert run["documents"][0]["pages"] == one["pages"]
    assert 0 < run["documents"][0]["cpu"] < run["cpu"]
    assert 30 << 20 < run["peak"] < 1 << 30
    assert [d["pages"] for d in all_["documents"]] == [one["pages"]] * 2


def test_the_report_says_what_was_missed() -> None:
    run = ReadRun((ReadOne("a.pdf", 100, 2.0),), 4.0, 5.0, 500 << 20)
    one = DocumentResult(
        file="a.pdf",
        pages=100,
        troubles=0,
        svd="a.svd",
        scope=(),
        fields_named=0.99,
        rows=Score(100, 90, 80, 85),
        in_registers=Count(10, 9, 100, 80, 5),
        conflicts=3,
        names=NameScore(10, 9, (("A_B", 7),)),
        text=None,
        tables=4,
        tables_over_pages=1,
        outline=None,
        numbered=None,
        compared=(
            ToolScore("datasheet-lsp", "", Score(10, 9, 8, 8), None, 0.02),
            ToolScore("pdfplumber", "0.11", Score(10, 9, 9, 9), None, 0.3),
        ),
    )
    said = show(Report(10, run, (one,)))
    assert "25 pages a second, target 50 MISSED" in said
    assert "500.0 MB, target 400.0 MISSED" in said
    assert "0.800" in said and ">= 0.90 MISSED" in said
    assert "names not kept: A_B (p. 7)" in said
    assert "15.0" in said and ">= 10 ok" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--files", "nothing.pdf"), "nothing"), (("--only", "colour"), "colour")],
)
def test_what_cannot_be_measured_is_said(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = corpus(tmp_path / "c")
    assert main(["bench", "documents", "--corpus", str(folder), *words]) in (1, 2)
    assert said in capsys.readouterr().err
