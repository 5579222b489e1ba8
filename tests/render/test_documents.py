"""Documents, chunks and index runs as people read them."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from datasheet_lsp.model.document import Chunk, Place, Table
from datasheet_lsp.render.documents import (
    chunk_text,
    manuals_line,
    pages_text,
    table_markdown,
    undecided_lines,
)
from datasheet_lsp.render.lengths import lengths_of, lengths_svg, lengths_text
from datasheet_lsp.render.progress import duration, problem_line, rate, summary_line
from datasheet_lsp.render.style import Plain


def document(file: str, **more: Any) -> dict[str, Any]:
    return {
        "id": 1,
        "file": file,
        "title": "",
        "revision": "",
        "pages": 0,
        "chunks": 0,
        "state": "indexed",
        "devices": [],
        "undecided": "",
        "problem": "",
        "troubles": [],
        **more,
    }


def chunk(tokens: int, text: str = "") -> Chunk:
    return Chunk(0, 0, "text", ("Clock", "Divider"), text, "", tokens, 3, 4, ())


def test_the_manuals_in_one_line() -> None:
    one = document("docs/manual.pdf", revision="rev 19", pages=1749, chunks=9812)
    waiting = document("docs/errata.pdf", state="waiting")
    assert manuals_line([one]) == ("1 of 1 indexed: manual.pdf rev 19, 1,749 pages, 9,812 chunks")
    assert manuals_line([waiting]) == "0 of 1 indexed"
    some = {"name": "small", "done": 610, "of": 1000}
    assert manuals_line([one], some, 240.0).endswith("9,812 chunks, vectors 61% (about 4 min left)")
    assert manuals_line([one], some).endswith("chunks, vectors 61%")
    assert manuals_line([one], {**some, "done": 1000}).endswith("chunks")
    many = [document(f"{n}.pdf", pages=10, chunks=20) for n in range(5)]
    assert manuals_line([*many, waiting]) == (
        "5 of 6 indexed: 0.pdf, 10 pages, 20 chunks; 1.pdf, 10 pages, 20 chunks; "
        "2.pdf, 10 pages, 20 chunks; and 2 more with 20 pages, 40 chunks"
    )


def test_undecided_documents_are_grouped_by_reason() -> None:
    found = [document(f"a/{n}.pdf", undecided="none is named") for n in range(5)]
    found.append(document("b.pdf", undecided="it names X1"))
    found.append(document("c.pdf", undecided="none is named", problem="c.pdf is empty"))
    assert undecided_lines(found) == [
        "undecided: 0.pdf, 1.pdf, 2.pdf and 2 more: none is named",
        "undecided: b.pdf: it names X1",
    ]


@pytest.mark.parametrize(
    ("pages", "labels", "said"),
    [
        ((12, 12), ("12", "12"), "p. 12"),
        ((12, 13), ("12", "13"), "p. 12-13"),
        ((12, 13), ("318", "319"), "p. 12-13 (printed 318-319)"),
        ((4, 4), ("iv", "iv"), "p. 4 (printed iv)"),
        ((0, 0), ("0", "0"), ""),
    ],
)
def test_pages_with_what_is_printed_on_them(
    pages: tuple[int, int], labels: tuple[str, str], said: str
) -> None:
    assert pages_text(*pages, *labels) == said


def test_a_chunk_keeps_its_lines_and_cannot_steer_a_terminal() -> None:
    text = "a  =  b\n    indented \u00b5\n\x1b[31mred\x07"
    said = chunk_text(chunk(7, text), 12, "rm.pdf", "p. 3-4", Plain(100))
    assert said == (
        "chunk 12, rm.pdf, p. 3-4, text, 7 tokens\nClock > Divider\n\n"
        "a  =  b\n    indented \u00b5\n [31mred "
    )


def test_a_table_is_a_pipe_table_whatever_is_in_it() -> None:
    place = Place(5, (0, 0, 1, 1))
    rows = (("1:0", "R32_A|B*"), ("-", "1. #x"))
    table = Table(0, 0, "7", "Modes", ("Bits", "Name"), rows, (5, 5), (place,))
    assert table_markdown(table, (5, 6), "Timer").splitlines() == [
        "**Table 7. Modes**  ",
        "The whole table is on pages 5 to 6.",
        "",
        "| Bits | Name |",
        "| --- | --- |",
        "| 1:0 | R32_A\\|B\\* |",
        "| - | 1. #x |",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.04, "0.0 s"), (3.14, "3.1 s"), (9.96, "10 s"), (59.4, "59 s"), (60, "1 min"),
     (200, "3 min 20 s"), (3600, "1 h"), (7500, "2 h 5 min")],
)  # fmt: skip
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_rates() -> None:
    assert rate(100, 2) == "50 pages/s" and rate(3, 2) == "1.5 pages/s"
    assert rate(0, 2) == "" and rate(3, 0) == ""


def test_a_problem_names_its_file_once() -> None:
    assert problem_line("docs/a.pdf", "a.pdf is empty") == "docs/a.pdf is empty"
    assert problem_line("docs/a.pdf", "page 2 is blank") == "docs/a.pdf: page 2 is blank"
    assert problem_line("", "the disk is full") == "the disk is full"


def test_what_came_of_a_run() -> None:
    nothing: dict[str, Any] = dict.fromkeys(
        ("indexed", "unchanged", "dropped", "failed", "pages", "chunks"), 0
    ) | {"seconds": 4.0, "cancelled": False, "stopped": ""}
    assert summary_line(**nothing) == "no documents were found"
    assert summary_line(**nothing | {"stopped": "The disk is full."}) == (
        "nothing was indexed; stopped: The disk is full."
    )
    done = nothing | {"indexed": 2, "unchanged": 1, "failed": 1, "pages": 200, "chunks": 1234}
    assert summary_line(**done) == (
        "2 indexed, 1 unchanged, 1 not readable: 200 pages, 1,234 chunks in 4.0 s (50 pages/s)"
    )
    assert summary_line(**done | {"cancelled": True}).endswith(
        "; stopped before the end, the next run goes on"
    )


def test_lengths_are_counted_in_bars_of_equal_width() -> None:
    lengths = lengths_of(map(chunk, [1, 8, 9, 16, 17]))
    assert [(bar.low, bar.high, bar.chunks) for bar in lengths.histogram] == [
        (1, 8, 2),
        (9, 16, 2),
        (17, 24, 1),
    ]
    assert (lengths.median, lengths.mean, lengths.tokens) == (9, 10.2, 51)
    wide = lengths_of(map(chunk, [512, 300, 1]))
    assert len({bar.high - bar.low for bar in wide.histogram}) == 1
    assert wide.histogram[-1].low <= 512 <= wide.histogram[-1].high
    assert sum(bar.chunks for bar in wide.histogram) == 3
    assert "shortest 1, median 9, mean 10.2, longest 17" in lengths_text(lengths, Plain())
    nothing = lengths_of([])
    assert lengths_text(nothing, Plain()) == "no chunks"
    ElementTree.fromstring(lengths_svg(nothing, "none"))


def test_the_drawing_has_a_bar_as_high_as_its_count() -> None:
    lengths = lengths_of(map(chunk, [1] * 10 + [9] * 5))
    root = ElementTree.fromstring(lengths_svg(lengths, "<title> & more"))
    space = "{http://www.w3.org/2000/svg}"
    first, second = [float(bar.attrib["height"]) for bar in root.iter(f"{space}rect")][1:]
    assert first == pytest.approx(2 * second, abs=0.2)
    assert "<title> & more" in [each.text for each in root.iter(f"{space}text")]
