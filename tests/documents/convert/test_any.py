"""Whatever is in a text file: a Document that keeps its promises, or one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasheet_lsp.documents.convert import convert
from datasheet_lsp.documents.errors import DocumentError
from tests.documents.convert.reading import check, grid, read

NAMES = ["e.md", "e.txt", "e.csv", "e.json", "e.xml", "e.html"]
PIECES = [
    "\n", "\n\n", " ", "  ", "\t", "|", "---", "|-|-|", "# ", "## 1.2 ", "1. ", "- ", "> ", "```",
    "Table 1. ", "Figure 2: ", "Note: ", "a", "CR", "0x00", "7:4", ",", ";", '"', "'", "=====",
    "<p>", "</p>", "<table>", "<tr>", "<td>", "<td rowspan=3 colspan=2>", "</table>", "<ul>",
    "<li>", "<pre>", "<h2>", "<br>", "<sup>", "<div class=note>", "<!--", "-->", "<![CDATA[", "&",
    "&nbsp;", "&#0;", "{", "}", "[", "]", ":", '{"a":', '"b"', "null", "1", "\\ud800", "[!NOTE]",
    "\x00", "\x0c", "\u2028", "\ufeff", "\u00ad", "\r", "Rev 2", "+--+", "<a b='c'>", "</a>",
]  # fmt: skip
SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def holds(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        document = convert(path)
    except DocumentError as error:
        assert str(error).endswith(".") and "\n" not in str(error)
        return
    check(document)
    assert document.source == str(path)


@pytest.mark.parametrize("name", NAMES)
@SETTINGS
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=40))
def test_pieces_of_formats(tmp_path: Path, name: str, pieces: list[str]) -> None:
    holds(tmp_path / name, "".join(pieces).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", NAMES)
@SETTINGS
@given(content=st.binary(max_size=300))
def test_bytes(tmp_path: Path, name: str, content: bytes) -> None:
    holds(tmp_path / name, content)


CELL = st.text(
    st.characters(categories=["L", "N"], exclude_characters="\u0149"), min_size=1, max_size=8
)


@SETTINGS
@given(
    rows=st.integers(2, 5).flatmap(
        lambda width: st.lists(
            st.lists(CELL, min_size=width, max_size=width), min_size=2, max_size=8
        )
    )
)
def test_a_table_goes_through_every_format_unchanged(tmp_path: Path, rows: list[list[str]]) -> None:
    width = len(rows[0])
    rows = [[f"H{at}" for at in range(width)], *rows]
    expected = [tuple(row) for row in rows]
    markdown = "\n".join(
        [
            "|" + "|".join(rows[0]) + "|",
            "|-" * width + "|",
            *("|" + "|".join(r) + "|" for r in rows[1:]),
        ]
    )
    html = "<table>" + "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows
    )
    for name, text in (
        ("e.md", markdown),
        ("e.txt", markdown),
        ("e.html", html),
        ("e.csv", "\n".join(",".join(row) for row in rows)),
    ):
        document = read(tmp_path, name, text)
        assert [grid(table) for table in document.tables] == [expected], name
