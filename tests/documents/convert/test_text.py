"""Plain text, as release notes and errata come."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.convert.reading import blocks, grid, lines, outline, read

ERRATA = """\
XY100 Errata Sheet
==================
Rev. 1.2, March 2020

1  Overview ........ 3
2  Errata .......... 4

1. Overview

This sheet lists what is wrong. The device
has 3 problems.

1. first do this
2. then do that

2. Errata

2.1 DMA stalls when the FIFO is full

Device: XY100
Workaround: none.

Name      Offset   Reset
CR        0x00     0x0000
SR        0x04     0x00C0

    DMA->CR |= 1;
    while (x) {
    }

Note: keep the clock on.

2.2 UART
Text straight under.
"""


def test_an_errata_sheet(tmp_path: Path) -> None:
    document = read(tmp_path, "e.txt", ERRATA)
    assert (document.title, document.revision) == ("XY100 Errata Sheet", "Rev. 1.2")
    assert outline(document) == [
        (1, "", "XY100 Errata Sheet"),
        (1, "1", "Overview"),
        (1, "2", "Errata"),
        (2, "2.1", "DMA stalls when the FIFO is full"),
        (2, "2.2", "UART"),
    ]
    assert [s.top for s in document.sections] == [1, 8, 16, 18, 33]
    assert [s.origin for s in document.sections] == ["file", *["numbering"] * 4]
    assert blocks(document)[2:] == [
        ("text", "This sheet lists what is wrong. The device\nhas 3 problems."),
        ("list", "1. first do this\n2. then do that"),
        ("text", "Device: XY100\nWorkaround: none."),
        (
            "code",
            "Name      Offset   Reset\nCR        0x00     0x0000\nSR        0x04     0x00C0",
        ),
        ("code", "DMA->CR |= 1;\nwhile (x) {\n}"),
        ("note", "Note: keep the clock on."),
        ("text", "Text straight under."),
    ]
    assert lines(document)[2:] == [
        (10, 11),
        (13, 14),
        (20, 21),
        (23, 25),
        (27, 29),
        (31, 31),
        (34, 34),
    ]


def test_boxed_tables_are_tables(tmp_path: Path) -> None:
    text = """\
| A | B |
|---|---|
| 1 | 2 |

+---+------+
| A | B    |
+===+======+
| 1 | two  |
|   | more |
+---+------+
| 3 |      |
+---+------+
"""
    document = read(tmp_path, "e.txt", text)
    assert [grid(t) for t in document.tables] == [
        [("A", "B"), ("1", "2")],
        [("A", "B"), ("1", "two more"), ("3", "")],
    ]
    assert lines(document) == [(1, 3), (5, 12)]


@pytest.mark.parametrize(
    "line",
    [
        "3.3 V is the supply, and it must not rise above 3.6 V at any time.",
        "12 MHz crystal",
        "2.4 GHz radio with a range of 100 m,",
        "5. Switch the clock off.",
        "1.2  0x40  RW",
    ],
)
def test_what_begins_with_a_number_is_not_always_a_heading(tmp_path: Path, line: str) -> None:
    document = read(tmp_path, "e.txt", f"1 Start\n\ntext\n\n{line}\n\nmore\n")
    assert outline(document) == [(1, "1", "Start")]


def test_a_list_that_starts_again_makes_no_headings(tmp_path: Path) -> None:
    text = "4 Errata\n\n4.1 Timer\n\n1. Stop it\n\n2. Start it\n\n4.2 Clock\n\nx\n"
    assert outline(read(tmp_path, "e.txt", text)) == [
        (1, "4", "Errata"),
        (2, "4.1", "Timer"),
        (2, "4.2", "Clock"),
    ]


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\x00\x00"),
        ("cp1252", b""),
    ],
)
def test_encodings(tmp_path: Path, encoding: str, mark: bytes) -> None:
    words = "Betrieb bei 25 °C und 3 µA – “gut”"
    document = read(tmp_path, "e.txt", mark + words.encode(encoding))
    assert blocks(document) == [("text", words)]


def test_utf16_without_a_mark(tmp_path: Path) -> None:
    document = read(tmp_path, "e.txt", "Some plain words.".encode("utf-16-le"))
    assert blocks(document) == [("text", "Some plain words.")]


def test_line_ends_of_every_system_count_the_same(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        document = read(tmp_path, "e.txt", end.join(["one", "", "two", "three"]))
        assert lines(document) == [(1, 1), (3, 4)]


def test_a_form_feed_does_not_move_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "e.txt", "one\n\x0c\ntwo\u2028x\n\nthree\n")
    assert lines(document) == [(1, 1), (3, 3), (5, 5)]


def test_the_silicon_has_a_revision_of_its_own(tmp_path: Path) -> None:
    document = read(tmp_path, "e.txt", "XY100 silicon revision Z errata\n\nDocument version 4\n")
    assert document.revision == "version 4"
