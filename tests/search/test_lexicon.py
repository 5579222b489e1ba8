"""Abbreviations as the documents spell them out, misspelt words, and the list of the field."""

from __future__ import annotations

import pytest

from datasheet_lsp.search.lexicon import Lexicon, spelt_out
from datasheet_lsp.search.synonyms import (
    is_of_field,
    is_stop,
    is_weak,
    phrases_in,
    read_table,
    rules_in,
    table,
    words_of,
)


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
    read = read_table("# note\nA, b c  # more\nd, e > f\n").phrases
    assert read == {("a",): ("b c",), ("b", "c"): ("A",), ("d",): ("f",), ("e",): ("f",)}


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("why did the board restart today", True),
        ("the board restarted, why?", True),
        ("restarted by hand", False),
        ("why did it stop", False),
    ],
)
def test_a_rule_holds_where_all_of_its_parts_stand(question: str, meant: bool) -> None:
    found = [other for rule in rules_in(words_of(question)) for other in rule.said]
    assert ("reset status" in found) is meant


def test_a_rule_may_have_phrases_and_beginnings() -> None:
    (rule,) = read_table("start* over + by itself > reset").rules
    assert rule.parts == (("start*", "over"), ("by", "itself")) and rule.said == ("reset",)


def test_words_of_the_field_are_spelt_rightly() -> None:
    assert is_of_field("reboot") and is_of_field("watchdogs") and not is_of_field("wachdog")


def test_words_that_say_nothing() -> None:
    assert is_stop("what") and is_stop("welche") and not is_stop("IS") and not is_stop("clock")
    assert is_weak("practically") and not is_weak("what") and not is_weak("divider")


def test_the_longest_phrase_goes_first() -> None:
    words = words_of("which clock source is it")
    found = {words[first:end] for first, end, _ in phrases_in(words)}
    assert ("clock", "source") in found


def test_the_list_names_no_chip() -> None:
    known = table()
    others = [*known.phrases.values(), *(rule.said for rule in known.rules)]
    said = " ".join(" ".join(each) for each in others).lower()
    for maker in ("stm32", "lpc8", "nrf5", "ch32", "kl25", "gd32"):
        assert maker not in said
