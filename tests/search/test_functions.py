"""What a question is after is told by how people ask, and leads to what documents call it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from datasheet_lsp.search import Searcher
from datasheet_lsp.search.functions import Function, Functions, functions, read_functions
from tests.search.conftest import Library
from tests.support import shared

SMALL = Functions(
    (
        Function("reset cause", ("why did the board restart", "reboot reason"), ("RCAUSE",)),
        Function("watchdog feed", ("pet the dog", "service the watchdog"), ("WDRELOAD",)),
        Function("dead time", ("gap between both switches",), ("DTG",)),
    )
)


def test_the_list_is_well_formed() -> None:
    known = functions().known
    assert len(known) > 600
    assert len({each.name for each in known}) == len(known)
    for each in known:
        assert len(each.asks) >= 3 and len(each.said) >= 3, each.name
        assert all(line.strip() == line and line for line in (*each.wordings, *each.said))


def test_the_list_names_no_device() -> None:
    parts = [path.stem for path in shared("corpus/svd").glob("*.svd")]
    stems = {re.match(r"[a-z]+\d*", part.lower())[0] for part in parts} - {"arm"}  # type: ignore[index]
    lines = "\n".join(
        line for each in functions().known for line in (*each.wordings, *each.said)
    ).lower()
    assert not [stem for stem in stems if re.search(rf"\b{re.escape(stem)}\b", lines)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the board rebooted, what was the reason?", "reset cause"),
        ("how do I pet the dog", "watchdog feed"),
        ("WATCHDOGS serviced", "watchdog feed"),
        ("where is the gap of my two switches set", "dead time"),
    ],
)
def test_words_in_common_tell(text: str, name: str) -> None:
    [(best, near)] = SMALL.meant(text, None, 1)
    assert best.name == name and 0 < near <= 1


@pytest.mark.parametrize("text", ["Watchdog füttern", "watchdog fuettern", "WATCHDOG FÜTTERN"])
def test_german_is_written_either_way(text: str) -> None:
    [(best, near)] = functions().meant(text, None, 1)
    assert best.name == "watchdog feed" and near > 0.9


def test_the_wording_itself_is_nearest() -> None:
    [(best, near)] = SMALL.meant("pet the dog", None, 1)
    assert best.name == "watchdog feed" and near == pytest.approx(1)


def test_meaning_counts_more_than_words() -> None:
    alike = {"pet the dog": 0.1, "gap between both switches": 0.8, "reset cause": 0.2}
    [(best, near), *_] = SMALL.meant("service interval", alike, 2)
    assert best.name == "dead time" and near == pytest.approx(0.8 / 1.5)


def test_nothing_in_common_is_nothing() -> None:
    assert SMALL.meant("the of and", None, 3) == [] and SMALL.meant("", None, 3) == []


@given(st.text(max_size=80))
def test_any_text_has_a_likeness_of_at_most_one(text: str) -> None:
    assert all(0 < near < 1.000001 for _, near in SMALL.meant(text, None, 3))


def test_of_two_texts_all_functions_are_read() -> None:
    found = read_functions(
        ('["a"]\nasks=["x y"]\nsaid=["B"]', '["c d"]\nasks=["z"]\nsaid=["E", "f g"]')
    )
    assert [each.name for each in found] == ["a", "c d"] and found[1].said == ("E", "f g")


def test_a_question_that_shares_no_word_with_the_register_finds_it(library: Library) -> None:
    text = "my gadget came alive again on its own, who is the culprit?"
    searcher = Searcher(*library, vector=lambda *_: [(1, 0.1)])
    searcher.alike = lambda asked: {"reset cause": 0.9}
    found = searcher.search(text, device="STM32F410")
    assert "reset cause" in found.also
    assert "flag that tells its source" in found.hits[0].text
    plain = replace(searcher.settings, functions=0)
    without = searcher.search(text, device="STM32F410", settings=plain)
    assert "flag that tells its source" not in without.hits[0].text


def test_what_the_question_says_itself_keeps_places(library: Library) -> None:
    def tops(literal: int) -> list[str]:
        searcher = Searcher(*library, vector=lambda *_: [(1, 0.1)])
        searcher.alike = lambda asked: {"reset cause": 1.0}
        # A function that is far too sure of itself.
        settings = replace(searcher.settings, function=60.0, literal=literal, safe=0, twins=False)
        text = "baud rate of the serial port"
        hits = searcher.search(text, device="STM32F410", settings=settings, widened=False).hits
        return [hit.heading.lower() + hit.text.lower() for hit in hits[:2]]

    assert any("baud" in top for top in tops(3))
    assert not any("baud" in top for top in tops(0))


def test_a_question_of_several_parts_has_no_function_of_its_own(library: Library) -> None:
    text = "baud rate of USART2, overrun flag of USART2"
    searcher = Searcher(*library, vector=lambda *_: [(1, 0.1)])
    searcher.alike = lambda asked: {"reset cause": 1.0} if asked == text else {}
    assert "reset cause" in searcher.search(text, device="STM32F410", k=5).also
    assert "reset cause" not in searcher.search(text, device="STM32F410", k=9).also


def test_a_model_that_fails_is_done_without(searcher: Searcher) -> None:
    def fails(text: str) -> dict[str, float]:
        raise RuntimeError("no")

    searcher.alike = fails
    assert searcher.search("baud rate", device="STM32F410").hits


def test_the_names_of_the_files_are_those_of_the_folder() -> None:
    from datasheet_lsp.search import functions as module

    folder = Path(module.__file__).with_name("functions")
    assert sorted(path.stem for path in folder.glob("*.toml")) == sorted(module.FILES)
