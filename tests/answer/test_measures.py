"""What is measured of answers: passages side by side, refusals, and numbers that slip through."""

from __future__ import annotations

from collections.abc import Callable

from datasheet_lsp.answer.ask import Asking, ask
from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.plan import plan_for_question
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.types import SubQuery
from datasheet_lsp.evaluation.answers import evaluate_answers
from datasheet_lsp.evaluation.claims import figures, judge, questions_of, unmarked
from datasheet_lsp.evaluation.questions import Group, Question, Source
from datasheet_lsp.evaluation.refusals import evaluate_refusals
from datasheet_lsp.render.passages import passages_text
from datasheet_lsp.render.style import Plain
from tests.answer.fake import Fake

GOAL = Question(
    id="goal-1",
    kind="goal",
    device="ACME32F4",
    question="configure USART2 at 9600 baud",
    evidence=(
        Group("clock", (Source(svd="ACME32F4.svd", register="RCC.APB1ENR"),)),
        Group("divider", (Source(svd="ACME32F4.svd", register="USART2.BRR"),)),
    ),
)
MISSING = Question("no-1", "unanswerable", "ACME32F4", "which register holds the DAC value?")


def test_ways_to_find_passages_stand_side_by_side(library: Library) -> None:
    searcher = library.searcher
    assert searcher is not None
    report = evaluate_answers(
        [GOAL, MISSING],
        library,
        AnswerSettings(mode="keyword"),
        planner=lambda text, name: plan_for_question(text, library.devices[name], searcher.index),
        splitter=lambda text, name: [SubQuery("USART2 clock", "model")],
    )
    rates = {way["way"]: way["kinds"]["goal"]["rate"] for way in report["ways"]}
    assert {"single query", "plan alone, top 2", "model alone, top 3"} <= set(rates)
    assert rates["plan alone, top 2"] == rates["plan and model, top 3"] == 1.0
    assert all(way["kinds"]["goal"]["tokens"] <= 3_000 for way in report["ways"])
    text = passages_text({"answers": report}, Plain(200))
    assert "plan alone, top 2" in text and "1 of 1 (100 %)" in text


def test_refusals_are_counted_on_both_sides(library: Library) -> None:
    report = evaluate_refusals([GOAL, MISSING], library, "keyword")
    assert report["unanswerable"] == {"refused": 1, "of": 1, "rate": 1.0}
    assert report["answerable"] == {"refused": 0, "of": 1, "rate": 0.0}
    assert "without an answer: 1 of 1 questions (100.0 %)" in passages_text(
        {"refusals": report}, Plain(200)
    )


def test_a_wrong_number_without_a_mark_is_found(
    library: Library, asking: Callable[..., Asking]
) -> None:
    device = library.devices["ACME32F4"]
    answer = ask("how is an overrun of USART2 cleared", asking(Fake("USART2.BRR: 0x40004404.")))
    assert judge(answer, device).unmarked == ()
    assert list(unmarked("USART2.BRR is at 0x40004404.", answer, device)) == ["0x40004404"]
    assert list(unmarked("UE is bit 14 of USART2.CR1.", answer, device)) == ["bit 14"]
    assert list(unmarked("UE is bit 13, at 0x4000 440C.", answer, device)) == []
    assert list(unmarked("at ~~0x40004404~~ 0x40004408", answer, device)) == []
    assert figures([judge(answer, device)])["wrong and unmarked"] == 0


def test_questions_are_made_of_any_device(library: Library) -> None:
    made = list(questions_of(library.devices["ACME32F4"], 5))
    assert len(made) == 5 and all("." in q or "->" in q or " " in q for q in made)
