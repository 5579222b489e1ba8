"""Markdown, as errata and notes are often written."""

from __future__ import annotations

from pathlib import Path

from tests.documents.convert.reading import blocks, grid, lines, outline, read


def test_headings_are_sections_with_number_and_line(tmp_path: Path) -> None:
    document = read(
        tmp_path, "e.md", "# XY errata\n\n## 2.1 DMA\n\ntext\n\nUART\n----\n### 2.2.1 RX\n"
    )
    assert outline(document) == [
        (1, "", "XY errata"),
        (2, "2.1", "DMA"),
        (2, "", "UART"),
        (3, "2.2.1", "RX"),
    ]
    assert [s.top for s in document.sections] == [1, 3, 7, 9]
    assert document.title == "XY errata"
    assert document.heading_path(3) == ("XY errata", "UART", "RX")


def test_front_matter_names_title_and_revision_and_keeps_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "e.md", '---\ntitle: "XY errata"\nrevision: 3.1\n---\ntext\n')
    assert (document.title, document.revision) == ("XY errata", "3.1")
    assert blocks(document) == [("text", "text")]
    assert lines(document) == [(5, 5)]


def test_names_and_code_keep_their_spelling(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "e.md",
        "Set `USART_CR1` and GPIO_ODR_x **now** in [MODER](http://x.y/z), 2<sup>31</sup>.\n",
    )
    assert blocks(document) == [("text", "Set USART_CR1 and GPIO_ODR_x now in MODER, 2^31.")]


def test_table_with_pipes_in_cells_and_caption_below(tmp_path: Path) -> None:
    text = (
        "| Name | Offset | Reset |\n|---|:-:|--|\n| CR | 0x00 | `0x0` |\n| A \\| B | 0x04 |\n\n"
        "Table 7. Map\n"
    )
    document = read(tmp_path, "e.md", text)
    table = document.tables[0]
    assert grid(table) == [
        ("Name", "Offset", "Reset"),
        ("CR", "0x00", "0x0"),
        ("A | B", "0x04", ""),
    ]
    assert (table.number, table.caption, table.kind) == ("7", "Map", "registers")
    assert blocks(document) == [("table", "Map")]
    assert lines(document) == [(1, 4)]


def test_lists_nest_and_go_on_counting(tmp_path: Path) -> None:
    document = read(tmp_path, "e.md", "- one\n  - inner\n    more\n- two\n\n3. three\n4. four\n")
    assert blocks(document) == [
        ("list", "- one\n  - inner\n    more\n- two"),
        ("list", "3. three\n4. four"),
    ]
    assert lines(document) == [(1, 5), (6, 7)]


def test_code_stays_as_it_is(tmp_path: Path) -> None:
    document = read(tmp_path, "e.md", "```c\nif (x) {\n    A->B  = 1;\n}\n```\n")
    assert blocks(document) == [("code", "if (x) {\n    A->B  = 1;\n}")]
    assert lines(document) == [(1, 5)]


def test_notes_are_notes(tmp_path: Path) -> None:
    text = (
        "> **Note:** keep\n> the clock\n\n> [!WARNING]\n> Hot\n\nCaution: wet\n\n"
        "Notes on this part follow.\n"
    )
    assert blocks(read(tmp_path, "e.md", text)) == [
        ("note", "Note: keep\nthe clock"),
        ("note", "Warning: Hot"),
        ("note", "Caution: wet"),
        ("text", "Notes on this part follow."),
    ]


def test_raw_html_in_markdown_is_read_with_its_lines(tmp_path: Path) -> None:
    text = (
        "text\n\n<table>\n<tr><th>Bit<th>Name\n<tr><td>7:4<td>EN\n</table>\n"
        "<script>alert(1)</script>\n"
    )
    document = read(tmp_path, "e.md", text)
    assert grid(document.tables[0]) == [("Bit", "Name"), ("7:4", "EN")]
    assert document.blocks[1].places[0].box[1] == 3
    assert "alert" not in str(document)


def test_text_before_the_first_heading_has_a_section(tmp_path: Path) -> None:
    document = read(tmp_path, "notes.md", "first\n\n# H\n")
    assert outline(document) == [(1, "", "notes.md"), (1, "", "H")]
    assert document.title == "H"


def test_a_caption_above_goes_to_the_table_below(tmp_path: Path) -> None:
    text = (
        "Table 1. One\n\n|a|b|\n|-|-|\n|1|2|\n\n"
        "Table 2. Two\n\n|a|b|\n|-|-|\n|3|4|\n\nTable 3 shows more.\n"
    )
    document = read(tmp_path, "e.md", text)
    assert [(t.number, t.caption, t.rows) for t in document.tables] == [
        ("1", "One", (("1", "2"),)),
        ("2", "Two", (("3", "4"),)),
    ]
    assert blocks(document)[-1] == ("text", "Table 3 shows more.")
