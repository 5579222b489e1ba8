"""Where a text stands on a page."""

from __future__ import annotations

import pytest

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.pdf.search import find_words


def words(*lines: str) -> list[Word]:
    """Words 10 points a letter wide, lines 20 points apart."""
    found = []
    for number, line in enumerate(lines):
        x = 0.0
        for text in line.split():
            width = 10.0 * len(text)
            found.append(Word(text, x, 20.0 * number, x + width, 20.0 * number + 12, 0, number))
            x += width + 10
    return found


PAGE = words("The baud rate", "register USART_BRR holds", "the divider CR 1")


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("baud", [(40, 0, 80, 12)]),
        ("BAUD   rate", [(40, 0, 130, 12)]),
        ("rate register", [(90, 0, 130, 12), (0, 20, 80, 32)]),
        ("brr", [(90, 20, 180, 32)]),
        ("the", [(0, 0, 30, 12), (0, 40, 30, 52)]),
        ("CR1", [(120, 40, 160, 52)]),
        ("USB", []),
        ("  ", []),
    ],
)
def test_a_text_is_found_in_its_words(text: str, boxes: list[tuple[float, ...]]) -> None:
    assert find_words(PAGE, text) == boxes
