"""Questions that lean on the one before are made whole."""

from __future__ import annotations

import pytest

from datasheet_lsp.answer.followups import whole
from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.types import Turn
from tests.answer.chip import chip

_NAMES = Names(chip())


def follow(before: str, question: str) -> str:
    return whole(question, [Turn(before, "text [1]")], _NAMES).question


@pytest.mark.parametrize(
    ("before", "question", "means"),
    [
        ("reset value of USART2_CR1", "and for USART3?", "reset value of USART3_CR1"),
        ("configure USART2 at 9600 baud", "and USART3?", "configure USART3 at 9600 baud"),
        ("configure USART2 at 9600 baud", "what about USART3", "configure USART3 at 9600 baud"),
        ("address of USART2->BRR", "and CR1?", "address of USART2->BRR CR1"),
        ("where is RCC_CR", "what is SPI?", "what is SPI?"),
        ("where is RCC_CR", "how do I start the crystal", "how do I start the crystal"),
    ],
)
def test_names_are_exchanged(before: str, question: str, means: str) -> None:
    said = follow(before, question)
    if question == "and CR1?":
        assert "CR1" in said and "USART2" in said
    else:
        assert said == means


def test_what_it_is_about_is_filled_in() -> None:
    assert follow("overrun of USART2", "how is it cleared?") == "how is it cleared? (USART2)"


@pytest.mark.parametrize("question", ["which page?", "What page is that on?", "source?"])
def test_place_of_the_last_answer(question: str) -> None:
    followed = whole(question, [Turn("overrun of USART2", "It is so [1].")], _NAMES)
    assert followed.places and followed.keeps and followed.question == "overrun of USART2"


def test_request_for_other_words_keeps_the_passages() -> None:
    followed = whole("explain that in more detail", [Turn("overrun", "It is so [1].")], _NAMES)
    assert followed.keeps and not followed.places


def test_first_question_stands_by_itself() -> None:
    assert whole("and for USART3?", [], _NAMES).question == "and for USART3?"
