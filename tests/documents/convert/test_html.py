"""HTML pages."""

from __future__ import annotations

from pathlib import Path

from tests.documents.convert.reading import blocks, grid, outline, read, troubles


def test_a_page(tmp_path: Path) -> None:
    page = """<!DOCTYPE html><html><head><title>XY errata</title><meta name="revision" content="4">
<script>evil()</script><style>p {}</style></head><body><nav>Home</nav>
<h1>Errata</h1><p>Value 2<sup>31</sup> of V<sub>DD</sub>.<br>line <b>two</b><p>para
<h2>2.1 DMA</h2>loose <i>text</i><ul><li>a<ul><li>b</ul><li><p>c<p>d</ul>
<pre>int x = 1;
  if (a &lt; b)</pre>
<div style="display: none">hidden</div><iframe src="http://x/">frame</iframe></body></html>"""
    document = read(tmp_path, "e.html", page)
    assert (document.title, document.revision) == ("XY errata", "4")
    assert outline(document) == [(1, "", "Errata"), (2, "2.1", "DMA")]
    assert blocks(document) == [
        ("text", "Value 2^31 of VDD.\nline two"),
        ("text", "para"),
        ("text", "loose text"),
        ("list", "- a\n  - b\n- c\n  d"),
        ("code", "int x = 1;\n  if (a < b)"),
    ]
    assert [s.top for s in document.sections] == [3, 4]


def test_spanning_cells_are_repeated(tmp_path: Path) -> None:
    page = """<table><caption>Table 4. Bits</caption><thead><tr><th>Bit<th>Name<th>Text</thead>
<tr><td rowspan="2">7:4<td>EN<td>on<tr><td colspan="2">res</table>"""
    table = read(tmp_path, "e.html", page).tables[0]
    assert grid(table) == [("Bit", "Name", "Text"), ("7:4", "EN", "on"), ("7:4", "res", "res")]
    assert (table.number, table.caption, table.kind) == ("4", "Bits", "fields")


def test_a_header_of_two_rows_is_joined_by_column(tmp_path: Path) -> None:
    page = """<table><tr><th rowspan="2">Pin<th colspan="2">Function<tr><th>AF0<th>AF1
<tr><td>PA0<td>TIM<td>USART</table>"""
    table = read(tmp_path, "e.html", page).tables[0]
    assert grid(table) == [("Pin", "Function AF0", "Function AF1"), ("PA0", "TIM", "USART")]


def test_a_table_of_names_and_values_has_no_header(tmp_path: Path) -> None:
    page = "<table><tr><th>Device<td>XY100<tr><th>Cut<td>Z</table>"
    assert grid(read(tmp_path, "e.html", page).tables[0]) == [
        ("", ""),
        ("Device", "XY100"),
        ("Cut", "Z"),
    ]


def test_a_layout_table_is_no_table(tmp_path: Path) -> None:
    page = """<table><tr><td><h2>Left</h2>text<td>
<table><tr><td>a<td>b<tr><td>1<td>2</table></table>"""
    document = read(tmp_path, "e.html", page)
    assert outline(document) == [(1, "", "Left")]
    assert [grid(t) for t in document.tables] == [[("a", "b"), ("1", "2")]]


def test_notes_and_figures(tmp_path: Path) -> None:
    page = """<div class="admonition warning"><p>Hot</p></div><div class="notebook">no</div>
<figure><img src="http://x/y.png"><figcaption>Figure 3: Clock tree</figcaption></figure>"""
    document = read(tmp_path, "e.html", page)
    assert blocks(document) == [("note", "Hot"), ("text", "no"), ("figure", "Clock tree")]
    assert document.figures[0].number == "3"


def test_declared_encoding(tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-1"><p>25 °C'.encode("cp1252")
    assert blocks(read(tmp_path, "e.html", page)) == [("text", "25 °C")]


def test_tags_that_are_never_closed_lose_no_text(tmp_path: Path) -> None:
    page = "<p>" + "<font>word " * 1500 + "<p>end"
    document = read(tmp_path, "e.html", page)
    assert "".join(text for _, text in blocks(document)).count("word") == 1500
    assert not troubles(document)


def test_deeper_than_can_be_read_is_told(tmp_path: Path) -> None:
    document = read(tmp_path, "e.html", "<p>start</p>" + "<b>" * 5000 + "x")
    assert troubles(document) == ["e.html was not read wholly: tags in it are nested too deep."]
    assert blocks(document)[0] == ("text", "start")


def test_a_span_for_all_of_memory_is_bounded(tmp_path: Path) -> None:
    page = '<table><tr><td colspan="1000" rowspan="65534">a' + "<tr><td>b" * 30 + "</table>"
    document = read(tmp_path, "e.html", page)
    assert sum(len(t.header) * (len(t.rows) + 1) for t in document.tables) <= 31 * 1000


def test_the_mark_of_a_link_to_a_heading_is_no_part_of_it(tmp_path: Path) -> None:
    page = '<h1>CR<a href="#cr">¶</a></h1><h2><a href="#x">§</a>Bits</h2>'
    assert outline(read(tmp_path, "e.html", page)) == [(1, "", "CR"), (2, "", "Bits")]
