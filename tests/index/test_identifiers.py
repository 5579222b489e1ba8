"""The words of identifiers are the same in what is stored and what is asked."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.index import identifiers, quote


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RCC_APB1ENR.USART2EN", "rcc apb1enr apb1 usart2en usart2 usart"),
        ("R32_USART1_BRR", "r32usart1brr r32 usart1 usart brr"),
        ("USART2", "usart2 usart"),
        ("USART2EN", "usart2en usart2 usart"),
        ("TIM3LPEN", "tim3lpen tim3 tim"),
        ("I2C1RST", "i2c1rst i2c1 i2c"),
        ("GPIOAEN", "gpioaen gpioa"),
        ("GPIOx_MODER", "gpioxmoder gpiox gpio moder"),
        ("TIMx", "timx tim"),
        ("DIV_Mantissa", "divmantissa div mantissa"),
        ("ClkDivider", "clkdivider clk divider"),
        ("AFR[1]", "afr"),
        ("USART2->BRR", "usart2brr usart2 usart brr"),
        ("0x40004408", "0x40004408"),
        ("0x4000 4408", "0x40004408"),
        ("NRF_UART0", "nrfuart0 nrf uart0 uart"),
    ],
)
def test_a_name_gives_its_whole_and_its_parts(text: str, expected: str) -> None:
    assert set(expected.split()) <= set(identifiers(text))


def test_plain_words_are_no_identifiers() -> None:
    assert identifiers("The baud rate of a receiver, bits [31:26] and 16 MHz.") == ["mhz"]


@given(st.text(max_size=80))
def test_the_same_words_come_of_a_name_wherever_it_stands(text: str) -> None:
    found = identifiers(text)
    assert len(found) == len(set(found))
    assert all(word == word.lower() and " " not in word for word in found)
    assert set(identifiers(f"{text} RCC_CR")) >= {"rcccr", "rcc", "cr"}


@given(st.text(max_size=60))
def test_any_name_is_valid_for_the_text_index(text: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (a)")
    expression = " OR ".join(map(quote, identifiers(text)))
    if expression:
        connection.execute("SELECT * FROM words WHERE words MATCH ?", (expression,)).fetchall()


@pytest.mark.parametrize("term", ['a"b', "AND", "[31:26]", "RCC_APB1ENR.USART2EN", "NEAR(", "*"])
def test_a_quoted_term_is_no_syntax(term: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (a)")
    connection.execute("INSERT INTO words VALUES (?)", (term,))
    rows = connection.execute("SELECT a FROM words WHERE words MATCH ?", (quote(term),)).fetchall()
    assert rows == ([(term,)] if any(map(str.isalnum, term)) else [])
