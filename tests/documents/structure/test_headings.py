"""Numbers, outlines, contents and headings without either."""

from __future__ import annotations

import pytest

from datasheet_lsp.documents.page import OutlineEntry
from datasheet_lsp.documents.structure.headings import is_caption, number_parts, split_number
from datasheet_lsp.documents.structure.numbering import follows

from .documents import BOLD, TITLE, build, page


@pytest.mark.parametrize(
    ("text", "number", "title"),
    [
        (
            "8.7.8 RCC configuration register (RCC_CFGR)",
            "8.7.8",
            "RCC configuration register (RCC_CFGR)",
        ),
        ("Chapter 13: LPC82x USART0/1/2", "13", "LPC82x USART0/1/2"),
        ("Chapter 12 Universal Receiver", "12", "Universal Receiver"),
        ("5. Global memory map", "5", "Global memory map"),
        ("17 2.4 GHz Radio (RADIO)", "17", "2.4 GHz Radio (RADIO)"),
        ("A.1 Implementation options", "A.1", "Implementation options"),
        ("Appendix B Revisions", "B", "Revisions"),
        ("Part identification", "", "Part identification"),
        ("Introduction", "", "Introduction"),
        ("32-bit timer", "", "32-bit timer"),
        ("Auto-wakeup register (PWR_ AWUWR)", "", "Auto-wakeup register (PWR_AWUWR)"),
        ("3.3 5.0", "", "3.3 5.0"),
    ],
)
def test_number_and_title(text: str, number: str, title: str) -> None:
    assert split_number(text) == (number, title)


def test_numbers_compare_by_their_parts() -> None:
    numbers = ["10", "9.2", "9.10", "A.1", "2"]
    assert sorted(numbers, key=number_parts) == ["2", "9.2", "9.10", "10", "A.1"]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((4, 1), (4, 2), True),
        ((4, 1), (4, 1, 1), True),
        ((4, 9, 3), (5,), True),
        ((4, 9, 3), (4, 10), True),
        ((4, 1), (4, 3), True),
        ((4, 1), (4, 9), False),
        ((4, 1), (4, 1, 5), False),
        ((4, 2), (4, 1), False),
        ((9,), (1001,), True),
    ],
)
def test_what_can_come_after_a_section(a: tuple, b: tuple, expected: bool) -> None:
    assert follows(a, b) is expected


def test_captions_and_notes_are_no_sections() -> None:
    assert is_caption("Table 2. Flash module organization")
    assert is_caption("Figure 12. Timing")
    assert is_caption("Note: This bit is read-only.")
    assert not is_caption("Table lookup")
    assert not is_caption("Notes on power")


TEXT = "This is text of the section that goes on for the rest of the line and ends here."


def pages_of(*pages: list[tuple]) -> list:
    made = []
    for number, given in enumerate(pages, 1):
        lines = []
        y = 60.0
        for item in given:
            text, font = item if isinstance(item, tuple) else (item, 0)
            lines.append((text, 60, y, font))
            y += 26
        made.append(page(number, lines))
    return made


def shown(document) -> list[tuple]:
    return [(s.level, s.number, s.title, s.page) for s in document.sections if s.origin != "file"]


def test_outline_entries_find_their_line() -> None:
    document = build(
        pages_of(
            [("1 Overview", TITLE), TEXT, ("1.1 Features of", TITLE), ("the chip", TITLE), TEXT],
            [("1.2 Registers", BOLD), TEXT],
        ),
        outline=(
            OutlineEntry(1, "1 Overview", 1, 55.0),
            OutlineEntry(2, "1.1 Features of the chip", 1, None),
            OutlineEntry(2, "1.2 Registers", 1, 700.0),  # the line moved to the next page
            OutlineEntry(2, "1.3 Not there", 2, None),
        ),
    )
    assert shown(document) == [
        (1, "1", "Overview", 1),
        (2, "1.1", "Features of the chip", 1),
        (2, "1.3", "Not there", 2),
        (2, "1.2", "Registers", 2),
    ]
    tops = {s.number: s.top for s in document.sections}
    assert tops["1.1"] == pytest.approx(112)
    assert tops["1.2"] == pytest.approx(60)
    assert [b.text for b in document.blocks if b.kind == "text"] == [TEXT] * 3


def test_entry_that_points_pages_away_is_found_near() -> None:
    filler = [TEXT] * 6
    document = build(
        pages_of(filler, filler, [*filler, ("2.1 Clock tree", TITLE), TEXT], filler),
        outline=(OutlineEntry(1, "2.1 Clock tree", 1, 60.0),),
    )
    assert [(s.number, s.page) for s in document.sections if s.origin == "outline"] == [("2.1", 3)]


def test_numbers_of_the_page_complete_the_outline() -> None:
    document = build(
        pages_of(
            [("10 UART", TITLE), ("10.4 Register description", TITLE), TEXT],
            [("10.4.1 utx_config", BOLD), TEXT, ("10.4.2 urx_config", BOLD), TEXT],
        ),
        outline=(
            OutlineEntry(1, "UART", 1, 60.0),
            OutlineEntry(2, "Register description", 1, 86.0),
        ),
    )
    assert shown(document) == [
        (1, "10", "UART", 1),
        (2, "10.4", "Register description", 1),
        (3, "10.4.1", "utx_config", 2),
        (3, "10.4.2", "urx_config", 2),
    ]


def test_headings_from_numbers_without_steps_and_values() -> None:
    document = build(
        pages_of(
            [
                ("7 Timers", TITLE),
                TEXT,
                ("7.1 Main features", TITLE),
                ("1. Set the bit", BOLD),
                TEXT,
            ],
            [("2. Wait", BOLD), TEXT, ("7.2 Counting", TITLE), ("7.25 V at most", BOLD), TEXT],
            [("7.2.1 Up counting", BOLD), TEXT, ("7.3 Registers", TITLE), TEXT],
        )
    )
    assert shown(document) == [
        (1, "7", "Timers", 1),
        (2, "7.1", "Main features", 1),
        (2, "7.2", "Counting", 2),
        (3, "7.2.1", "Up counting", 3),
        (2, "7.3", "Registers", 3),
    ]


def test_contents_are_no_headings_and_no_text() -> None:
    entries = [f"{n}.1 Section number {n} {'.' * 30} {n + 2}" for n in range(1, 7)]
    document = build(
        pages_of(
            ["Contents", *entries],
            [("1 First", TITLE), TEXT, ("1.1 Section number 1", BOLD), TEXT],
            [("2 Second", TITLE), ("2.1 Section number 2", BOLD), TEXT],
        )
    )
    assert [s.number for s in document.sections if s.number] == ["1", "1.1", "2", "2.1"]
    assert not any("......" in b.text for b in document.blocks)


def test_headings_from_fonts_alone() -> None:
    document = build(
        pages_of(
            [("Control register", TITLE), TEXT, TEXT, ("Status register", TITLE), TEXT, TEXT],
            [TEXT, TEXT, TEXT, ("Reset", TITLE), TEXT, TEXT],
        )
    )
    found = [(s.title, s.page, s.origin) for s in document.sections if s.origin != "file"]
    assert found == [
        ("Control register", 1, "font"),
        ("Status register", 1, "font"),
        ("Reset", 2, "font"),
    ]


def test_last_pages() -> None:
    document = build(
        pages_of(
            [("1 One", TITLE), TEXT],
            [TEXT, ("1.1 Inside", TITLE), TEXT],
            [("2 Two", TITLE), TEXT],
            [TEXT, ("3 Three", TITLE), TEXT],
        )
    )
    assert {s.number: (s.page, s.last_page) for s in document.sections if s.number} == {
        "1": (1, 2),
        "1.1": (2, 2),
        "2": (3, 4),
        "3": (4, 4),
    }
