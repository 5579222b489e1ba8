"""Passages for an answer: every part and planned register, the best hit first, in the budget."""

from __future__ import annotations

import msgspec

from datasheet_lsp.answer.collect import Collector, take
from datasheet_lsp.answer.gather import Gatherer
from datasheet_lsp.answer.hops import follow
from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.plan import plan_for_question
from datasheet_lsp.answer.registers import register_line
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.types import Piece, SubQuery

SETTINGS = AnswerSettings(mode="keyword")


def piece(name: str, tokens: int, chunk: int) -> Piece:
    return Piece(0, name, "", tokens, "m.pdf", "M", "", "pdf", "text", (name,), chunks=(chunk,))


def collector(library: Library, question: str, budget: int = 3_000) -> Collector:
    settings = msgspec.structs.replace(SETTINGS, budget=budget)
    searcher = library.searcher
    assert searcher is not None
    device = library.devices["ACME32F4"]
    plan = plan_for_question(question, device, searcher.index)
    return Collector(Gatherer(question, "ACME32F4", library, settings), plan, [])


def test_lanes_take_turns_within_the_budget() -> None:
    a = [piece("a1", 100, 1), piece("a2", 100, 2)]
    b = [piece("b1", 100, 3), piece("b2", 900, 4), piece("b3", 50, 5)]
    chosen = take([piece("lead", 100, 9)], [a, b], 460)
    assert [each.text for each in chosen] == ["lead", "a1", "b1", "a2", "b3"]


def test_what_is_there_already_is_left_out() -> None:
    chosen = take([piece("x", 10, 1)], [[piece("x again", 10, 1), piece("x", 10, 2)]], 100)
    assert [each.text for each in chosen] == ["x"]


def test_best_hit_comes_first_and_planned_registers_follow(library: Library) -> None:
    found = collector(library, "configure USART2 at 9600 baud").chosen()
    assert found[0].origin == "question"
    planned = {symbol for each in found if each.origin == "plan" for symbol in each.symbols}
    have = planned | set(found[0].symbols)
    assert {"RCC.APB1ENR", "USART2.BRR", "USART2.CR1"} <= have
    assert sum(each.tokens for each in found) <= 3_000


def test_small_budget_is_kept(library: Library) -> None:
    found = collector(library, "configure USART2 at 9600 baud", 300).chosen()
    assert found and sum(each.tokens for each in found) <= 300


def test_hit_in_the_svd_becomes_a_small_table(library: Library) -> None:
    gatherer = Gatherer("PPRE1 of RCC_CFGR", "ACME32F4", library, SETTINGS)
    tables = [p for p in gatherer.first().pieces if p.format == "svd"]
    table = next(p for p in tables if "RCC.CFGR" in p.symbols)
    assert "CFGR 0x40023808" in table.text and "PPRE1 12:10" in table.text
    assert table.tokens < 120 and table.lines and table.file.endswith("ACME32F4.svd")


def test_register_line_has_the_fields_that_are_asked_for(library: Library) -> None:
    at = library.location("ACME32F4", "USART2.CR1")
    assert at is not None
    line = register_line(at, {"ue"}, full=False)
    assert "UE 13 USART enable" in line and "TE" not in line
    assert "TE 3" in register_line(at)


def test_hint_is_a_search_of_its_own(library: Library) -> None:
    gatherer = Gatherer("how does it work", "ACME32F4", library, SETTINGS)
    made = Collector(gatherer, None, [SubQuery("channel 5 requests", "hint")])
    assert any("Channel 5 serves" in each.text for each in made.chosen())


def test_passage_that_points_on_is_followed(library: Library) -> None:
    gatherer = Gatherer("bus clocks of the receiver", "ACME32F4", library, SETTINGS)
    made = Collector(gatherer, None, [])
    made.lanes.clear()
    made.rest.clear()
    made.lead = [piece("The bus clocks of the receiver are enabled, see RCC_APB1ENR.", 30, 10_001)]
    hops = follow(made, 2)
    assert [(hop.round, hop.text, hop.passage) for hop in hops] == [(1, "RCC.APB1ENR", 1)]
    found = made.chosen()
    assert found[-1].origin == "hop" and "RCC.APB1ENR" in found[-1].symbols
