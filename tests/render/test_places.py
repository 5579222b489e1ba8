"""The line of a hover about the manual, word for word."""

from __future__ import annotations

import pytest

from datasheet_lsp.render.places import missing_line, place_line
from datasheet_lsp.render.style import Markdown, Plain

HEADING = "30.6.3 Baud rate register"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            ("Manual", "Rev 19", 1010, "1010", HEADING),
            "Manual rev 19, p. 1010: *30.6.3 Baud rate register*.",
        ),
        (
            ("um.pdf", "V1.2", 11, "317", "11.4.1 Mode (GPIOx_MODER)"),
            "um.pdf V1.2, p. 11 (printed 317): *11.4.1 Mode (GPIOx_MODER)*.",
        ),
        (("notes.md", "", 0, "", "Clocks"), "notes.md: *Clocks*."),
        (("Manual", "", 3, "3", ""), "Manual, p. 3."),
    ],
)
def test_the_place_in_the_manual(given: tuple[str, str, int, str, str], line: str) -> None:
    assert place_line(*given, Markdown()) == line


def test_what_is_printed_on_a_page_is_no_markup() -> None:
    line = place_line("Manual", "", 3, "<img src=x>*[a](b)", "", Markdown())
    assert line == "Manual, p. 3 (printed \\<img src=x\\>\\*[a\\]\\(b))."


def test_plain_text_and_several_devices() -> None:
    line = place_line("Manual", "Rev 19", 1010, "1010", HEADING, Plain(), "STM32F407")
    assert line == "STM32F407: Manual rev 19, p. 1010: 30.6.3 Baud rate register."


def test_a_device_without_a_manual() -> None:
    said = "No manual indexed for STM32F407 (add one: datasheet-lsp index FILE)."
    assert missing_line("STM32F407", Plain()) == said
    assert missing_line("STM32F407", Markdown()) == said.replace(
        "datasheet-lsp index FILE", "`datasheet-lsp index FILE`"
    )
