"""What neither the chip nor its documents have is told before anything is written."""

from __future__ import annotations

import re

import pytest

from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.refuse import refusal, vocabulary


def reason(question: str, library: Library) -> str:
    searcher = library.searcher
    assert searcher is not None
    hits = searcher.search(question, device="ACME32F4", k=12, mode="keyword").hits
    found = refusal(question, "ACME32F4", library, hits)
    return found.reason if found is not None else ""


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("CAN bus bit timing for 500 kbit/s", "nothing of CAN"),
        ("which register holds the DAC value", "nothing of DAC"),
        ("quadrature encoder position", "nothing of quadrature"),
        ("supply current in sleep in microamps", "a current"),
        ("how many erase cycles does the flash last", "an endurance"),
        ("baud rate of USART9", "no USART9"),
        ("what does RCC_APB9ENR enable", "no RCC_APB9ENR"),
        ("XYZZY mode of the port", "no XYZZY"),
    ],
)
def test_missing_things(question: str, says: str, library: Library) -> None:
    assert says in reason(question, library)


@pytest.mark.parametrize(
    "question",
    [
        "configure USART2 at 9600 baud",
        "how is an overrun cleared",
        "which DMA channel serves the receiver of USART2",
        "can I clear the overrun flag by software",  # no CAN bus
        "enable the clock of a serial port",
        "USART3 divider",
        "how do I set MA of the DMA",  # no milliamps
        "HAL_UART_Init fails, which clock is missing for USART2?",
    ],
)
def test_what_is_there_is_not_refused(question: str, library: Library) -> None:
    assert reason(question, library) == ""


def test_vocabulary_can_be_read() -> None:
    topics, quantities = vocabulary()
    assert len(topics) > 30 and len(quantities) >= 6
    assert all(isinstance(topic.asks, re.Pattern) and topic.words for topic in topics)
