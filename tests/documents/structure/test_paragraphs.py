"""Paragraphs, lists, notes, code and figures of pages made by hand."""

from __future__ import annotations

import pytest

from datasheet_lsp.documents.page import Rule
from datasheet_lsp.documents.structure.paragraphs import Vocabulary

from .documents import BODY, BOLD, MONO, TITLE, build, page

LONG = "words of a line that fills the whole width of the text from left to right here now"


def blocks(*lines: tuple, **more: object) -> list[tuple[str, str]]:
    return [(b.kind, b.text) for b in build([page(1, lines, **more)]).blocks]


@pytest.fixture
def words() -> Vocabulary:
    return Vocabulary(
        {
            "interrupt": 3,
            "read-only": 2,
            "low": 5,
            "power": 5,
            "the": 9,
            "half-word": 1,
            "default": 1,
        }
    )


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("the inter-", "rupt line", "the interrupt line"),  # the word is known
        ("a read-", "only bit", "a read-only bit"),  # the compound is known
        ("in low-", "power mode", "in low-power mode"),  # both words are
        ("the pre-", "scaler", "the prescaler"),  # neither
        ("GPIO_INT_-", "MASK register", "GPIO_INT_MASK register"),
        ("register RCC_", "CFGR", "register RCC_CFGR"),
        ("AHB-", "APB bridge", "AHB-APB bridge"),
        ("bits 31-", "16 are", "bits 31-16 are"),
        ("minus -", "one", "minus - one"),
        ("two words", "and more", "two words and more"),
        ("TX/", "RX pins", "TX/RX pins"),
    ],
)
def test_lines_joined(words: Vocabulary, first: str, second: str, joined: str) -> None:
    assert words.join(first, second, hard=False) == joined


def test_paragraphs_are_told_by_their_distance() -> None:
    assert blocks(
        (f"First {LONG}", 60, 60),
        ("and its second line.", 60, 73),
        (f"Second {LONG}", 60, 96),
        ("and its second line.", 60, 109),
    ) == [
        ("text", f"First {LONG} and its second line."),
        ("text", f"Second {LONG} and its second line."),
    ]


def test_line_breaks_that_are_meant_stay() -> None:
    assert blocks(
        (f"Full {LONG}", 60, 60),
        (f"again {LONG}", 60, 73),
        ("00: input mode", 60, 86),
        ("01: output mode", 60, 99),
    ) == [("text", f"Full {LONG} again {LONG} 00: input mode\n01: output mode")]


def test_lists_with_levels() -> None:
    assert blocks(
        (f"Before {LONG}", 60, 40),
        ("• Memories", 60, 60),
        ("– 512 kB of flash", 75, 73),
        (f"– 128 kB with {LONG[:59]}", 75, 86),
        ("and more", 87.5, 99),
        ("• Clocks", 60, 112),
        ("1. Set the bit.", 60, 140),
        ("2. Wait.", 60, 153),
    )[1:] == [
        (
            "list",
            "- Memories\n  - 512 kB of flash\n"
            f"  - 128 kB with {LONG[:59]}\n    and more\n- Clocks\n1. Set the bit.\n2. Wait.",
        ),
    ]


def test_notes_and_code() -> None:
    assert blocks(
        ("Note: Do not write it.", 60, 60),
        ("if (x)", 60, 100, MONO),
        ("y = 1;", 81.6, 112, MONO),
        ("Text again.", 60, 150),
    ) == [
        ("note", "Note: Do not write it."),
        ("code", "if (x)\n    y = 1;"),
        ("text", "Text again."),
    ]


def test_field_and_its_values_are_one_block() -> None:
    found = blocks(
        ("Bits 31:2 Reserved, must be kept.", 60, 60),
        ("Bits 1:0 MODE[1:0]: mode of the pin", 60, 80),
        ("00: input", 110, 98),
        ("01: output", 110, 111),
        ("Text behind it.", 60, 150),
    )
    assert found == [
        ("text", "Bits 31:2 Reserved, must be kept."),
        ("text", "Bits 1:0 MODE[1:0]: mode of the pin\n00: input\n01: output"),
        ("text", "Text behind it."),
    ]


def test_sentence_goes_on_over_a_page() -> None:
    document = build(
        [
            page(1, [(f"It begins {LONG}", 60, 60), (f"and {LONG}", 60, 73)]),
            page(2, [("goes on here.", 60, 60), ("Another.", 60, 100)]),
        ]
    )
    assert [(b.text, [p.page for p in b.places]) for b in document.blocks] == [
        (f"It begins {LONG} and {LONG} goes on here.", [1, 2]),
        ("Another.", [2]),
    ]


def test_figure_with_its_labels() -> None:
    drawing = [Rule(100, 150, 400, 150), Rule(100, 250, 400, 250), Rule(100, 150, 100, 250)]
    document = build(
        [
            page(
                1,
                [
                    ("2 Clocks", 60, 40, TITLE),
                    (f"Text {LONG}", 60, 100),
                    ("HSE", 120, 180),
                    ("PLL", 300, 180),
                    ("Figure 3. Clock tree", 200, 265, BOLD),
                    (f"Below {LONG}", 60, 300),
                ],
                rules=drawing,
            )
        ]
    )
    [figure] = document.figures
    assert (figure.number, figure.caption, figure.place.box) == (
        "3",
        "Clock tree",
        (100, 150, 400, 250),
    )
    assert [(b.kind, b.text) for b in document.blocks] == [
        ("text", f"Text {LONG}"),
        ("figure", ""),
        ("text", f"Below {LONG}"),
    ]


def test_sentence_about_a_figure_is_no_caption() -> None:
    document = build(
        [
            page(
                1,
                [("Figure 3 shows the clock tree of the chip.", 60, 100, BODY)],
                pictures=[(100, 150, 400, 300)],
            )
        ]
    )
    assert document.figures == ()
    assert [b.text for b in document.blocks] == ["Figure 3 shows the clock tree of the chip."]


def test_two_figures_side_by_side() -> None:
    document = build(
        [
            page(
                1,
                [
                    ("Figure 1. Left", 100, 265, BOLD),
                    ("Figure 2. Right", 400, 265, BOLD),
                    (f"Below {LONG}", 60, 300),
                ],
                pictures=[(80, 100, 250, 250), (380, 100, 550, 250)],
            )
        ]
    )
    assert [(f.number, f.caption, f.place.box) for f in document.figures] == [
        ("1", "Left", (80, 100, 250, 250)),
        ("2", "Right", (380, 100, 550, 250)),
    ]
