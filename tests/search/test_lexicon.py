"""Abbreviations as the documents spell them out, misspelt words, and the list of the field."""

from __future__ import annotations

import pytest

from datasheet_lsp.search.lexicon import Lexicon, spelt_out
from datasheet_lsp.search.synonyms import phrases_in, read_table, table, words_of


@pytest.mark.parametrize(
    ("words", "short", "meaning"),
    [
        ("the direct memory access ", "DMA", "direct memory access"),
        ("Independent watchdog ", "IWDG", "independent watchdog"),
        ("an analog to digital converter ", "ADC", "analog to digital converter"),
        ("written in the manual ", "DMA", ""),
        ("see Table ", "RX", ""),
    ],
)
def test_the_words_of_an_abbreviation(words: str, short: str, meaning: str) -> None:
    assert spelt_out(words, short) == meaning


def test_abbreviations_go_both_ways() -> None:
    lexicon = Lexicon(["The direct memory access (DMA) moves data."])
    assert lexicon.meaning("dma") == "direct memory access"
    assert lexicon.abbreviations_in("a direct memory access channel") == ["dma"]
    assert lexicon.abbreviations_in("memory access") == []


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("wachdog", ("watchdog",)),
        ("interupt", ("interrupt",)),
        ("baudrate", ("baud", "rate")),
        ("xyzzyplugh", ()),
        ("adc", ()),
    ],
)
def test_a_word_that_stands_nowhere_is_read_as_a_near_one(
    word: str, meant: tuple[str, ...]
) -> None:
    lexicon = Lexicon(["watchdog interrupt baud rate WATCHDGO"] * 2)
    assert lexicon.correct(word) == meant


def test_entries_of_the_list_go_one_way_or_both() -> None:
    read = read_table("# note\nA, b c  # more\nd, e > f\n")
    assert read == {("a",): ("b c",), ("b", "c"): ("A",), ("d",): ("f",), ("e",): ("f",)}


def test_the_longest_phrase_goes_first() -> None:
    words = words_of("which clock source is it")
    found = {words[first:end] for first, end, _ in phrases_in(words)}
    assert ("clock", "source") in found


def test_the_list_names_no_chip() -> None:
    said = " ".join(" ".join(others) for others in table().values()).lower()
    for maker in ("stm32", "lpc8", "nrf5", "ch32", "kl25", "gd32"):
        assert maker not in said
