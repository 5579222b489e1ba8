"""JSON, XML and CSV."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasheet_lsp.documents.convert.json import parse_path
from datasheet_lsp.documents.errors import DocumentError
from tests.documents.convert.reading import blocks, grid, lines, outline, read, troubles

ERRATA = """{"title": "XY errata", "revision": "2",
 "device": {"name": "XY100", "cores": [1, 2]},
 "errata": [{"id": "2.1.1", "title": "DMA", "text": "line one\\nline two"},
            {"id": "2.1.2", "title": "UART", "text": "bits get lost\\nat times"}],
 "registers": [{"name": "CR", "offset": "0x00", "reset": 0.10}, {"name": "SR", "offset": "0x04"}]}
"""


def test_json_with_keys_as_headings_and_records_as_tables(tmp_path: Path) -> None:
    document = read(tmp_path, "e.json", ERRATA)
    assert (document.title, document.revision) == ("XY errata", "2")
    assert outline(document) == [
        (1, "", "XY errata"),
        (1, "", "device"),
        (2, "", "cores"),
        (1, "", "errata"),
        (2, "2.1.1", "DMA"),
        (2, "2.1.2", "UART"),
        (1, "", "registers"),
    ]
    assert blocks(document) == [
        ("list", "title: XY errata\nrevision: 2"),
        ("list", "name: XY100"),
        ("list", "- 1\n- 2"),
        ("list", "id: 2.1.1\ntitle: DMA"),
        ("text", "text: line one\nline two"),
        ("list", "id: 2.1.2\ntitle: UART"),
        ("text", "text: bits get lost\nat times"),
        ("table", ""),
    ]
    # Numbers are not computed with: 0.10 stays 0.10.
    assert grid(document.tables[0]) == [
        ("name", "offset", "reset"),
        ("CR", "0x00", "0.10"),
        ("SR", "0x04", ""),
    ]


def test_json_paths_choose(tmp_path: Path) -> None:
    document = read(tmp_path, "e.json", ERRATA, json_paths=["errata[*].text", "registers[-1].name"])
    assert outline(document) == [(1, "2.1.1", "DMA"), (1, "2.1.2", "UART"), (1, "", "SR")]
    assert blocks(document) == [
        ("text", "line one\nline two"),
        ("text", "bits get lost\nat times"),
        ("text", "SR"),
    ]


def test_a_json_path_that_fits_nothing_or_is_none_is_told(tmp_path: Path) -> None:
    document = read(tmp_path, "e.json", ERRATA, json_paths=["errata[*].body", "errata["])
    assert troubles(document) == [
        '"errata[*].body" in documents.json_paths fits nothing in e.json.',
        '"errata[" in documents.json_paths is no path; write it as in errata[*].text.',
    ]


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("errata[*].text", ["errata", None, "text"]),
        ("$.a.b[0]", ["a", "b", 0]),
        ("$..title", ["..", "title"]),
        ('a["b.c"].*', ["a", "b.c", None]),
        ("[2][-1]", [2, -1]),
        ("$", []),
        ("", None),
        ("a[", None),
        ("a..", None),
        ("a[x]", None),
    ],
)
def test_json_path_language(path: str, steps: list[object] | None) -> None:
    assert parse_path(path) == steps


def test_json_deep_path(tmp_path: Path) -> None:
    text = json.dumps({"a": {"title": "one", "b": [{"title": "two"}]}})
    document = read(tmp_path, "e.json", text, json_paths=["$..title"])
    assert [text for _, text in blocks(document)] == ["one", "two"]


def test_json_repeated_keys_are_all_kept(tmp_path: Path) -> None:
    assert blocks(read(tmp_path, "e.json", '{"a": 1, "a": 2}')) == [("list", "a: 1\na: 2")]


def test_json_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "e.json", '{"n": "CR", "at": "0x0"}\n{"n": "SR", "at": "0x4"}\n')
    assert grid(document.tables[0]) == [("n", "at"), ("CR", "0x0"), ("SR", "0x4")]


def test_json_that_is_none_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(
        DocumentError, match=r"^e\.json is no valid JSON: .* at line 2, column 3\.$"
    ):
        read(tmp_path, "e.json", '{"a":\n  }')


XML = """<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE errata PUBLIC "-//X" "http://nowhere.invalid/x.dtd">
<errata xmlns="urn:x"><title>XY errata</title><revision>B</revision>
<items>
<item id="E1"><title>DMA</title><description>The <b>DMA</b> stalls&nbsp;at 25 \xb0C</description>
</item>
<item id="E2"><title>UART</title><description>Baud</description></item>
</items></errata>
""".encode("latin-1")


def test_xml_with_keys_as_headings_and_records_as_tables(tmp_path: Path) -> None:
    document = read(tmp_path, "e.xml", XML)
    assert (document.title, document.revision) == ("XY errata", "B")
    assert outline(document) == [(1, "", "XY errata"), (1, "", "items")]
    assert grid(document.tables[0]) == [
        ("id", "title", "description"),
        ("E1", "DMA", "The DMA stalls at 25 °C"),
        ("E2", "UART", "Baud"),
    ]
    assert lines(document) == [(3, 3), (5, 7)]


def test_xml_paths_choose(tmp_path: Path) -> None:
    document = read(tmp_path, "e.xml", XML, xml_paths=[".//item/description", "//item[2]/@id"])
    assert outline(document) == [(1, "", "E1 DMA"), (1, "", "E2 UART"), (1, "", "E2 UART")]
    assert blocks(document) == [
        ("text", "The DMA stalls at 25 °C"),
        ("text", "Baud"),
        ("text", "E2"),
    ]
    assert [b.places[0].box[1] for b in document.blocks] == [5, 7, 7]


def test_an_xml_path_that_fits_nothing_or_is_none_is_told(tmp_path: Path) -> None:
    document = read(tmp_path, "e.xml", XML, xml_paths=[".//body", "]]"])
    assert troubles(document) == [
        '".//body" in documents.xml_paths fits nothing in e.xml.',
        '"]]" in documents.xml_paths is no path; write it as in .//item/description.',
    ]


def test_damaged_xml_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    document = read(tmp_path, "e.xml", "<a><b>one</b><c>two</c>")
    assert blocks(document) == [("list", "b: one\nc: two")]
    assert len(troubles(document)) == 1 and "is damaged as XML" in troubles(document)[0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_of_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    rows = [
        ["Name", "Offset", "Text"],
        ["CR", "0x00", f'"a{delimiter}""b"""'],
        ["SR", "0x04", "1.5"],
    ]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    document = read(tmp_path, "map.csv", text)
    assert grid(document.tables[0]) == [
        ("Name", "Offset", "Text"),
        ("CR", "0x00", f'a{delimiter}"b"'.replace("\t", " ")),
        ("SR", "0x04", "1.5"),
    ]
    assert document.tables[0].kind == "registers"
    assert lines(document) == [(1, 3)]


def test_csv_with_title_remark_and_two_tables(tmp_path: Path) -> None:
    text = (
        "Register map,,\nName,Offset,\nCR,0,\nSR,4,\nNote: all are 32 bits.,,\n,,\n"
        "Pin,Use\nPA0,TX\n"
    )
    document = read(tmp_path, "map.csv", text)
    assert [(t.caption, grid(t)) for t in document.tables] == [
        ("Register map", [("Name", "Offset"), ("CR", "0"), ("SR", "4")]),
        ("", [("Pin", "Use"), ("PA0", "TX")]),
    ]
    assert ("note", "Note: all are 32 bits.") in blocks(document)
    assert lines(document) == [(2, 4), (5, 5), (7, 8)]


def test_csv_rows_of_unequal_length_lose_nothing(tmp_path: Path) -> None:
    document = read(tmp_path, "map.csv", "a,b\n1\n1,2,3\n")
    assert grid(document.tables[0]) == [("a", "b", ""), ("1", "", ""), ("1", "2", "3")]
