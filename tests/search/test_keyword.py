"""The keyword arm does a bounded amount of work, and leaves out what tells least."""

from __future__ import annotations

import pytest

from datasheet_lsp.index import quote
from datasheet_lsp.search import keyword
from datasheet_lsp.search.keyword import KeywordArm
from datasheet_lsp.search.query import Concept
from tests.search.conftest import Library


def concept(word: str, *, extra: bool = False) -> Concept:
    return Concept(word, 1.0, ((quote(word), 1.0),), extra)


def test_what_is_met_everywhere_is_left_out_first(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = KeywordArm(library[0])
    often, seldom = "register", "overrun"
    many, few = arm.count(quote(often), None), arm.count(quote(seldom), None)
    assert many > few > 0
    both = [concept(often), concept(seldom)]
    found = arm.search(both, None, 0.0)
    assert len(found) >= many
    monkeypatch.setattr(keyword, "_MOST_MATCHES", few)
    bounded = KeywordArm(library[0]).search(both, None, 0.0)
    assert len(bounded) == few and set(bounded) <= set(found)


def test_the_rarest_is_never_left_out(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword, "_MOST_MATCHES", 0)
    assert KeywordArm(library[0]).search([concept("register")], None, 0.0)


def test_counting_tells_what_is_known(library: Library) -> None:
    arm = KeywordArm(library[0])
    assert arm.is_known(quote("overrun"), None) and not arm.is_known(quote("nowherehere"), None)
    arm.find(quote("overrun"), None)
    assert arm.is_known(quote("overrun"), None)


def test_what_is_no_part_of_the_question_is_not_wanting(library: Library) -> None:
    arm = KeywordArm(library[0])
    asked = [concept("overrun")]
    alone = arm.search(asked, None, 1.0)
    more = arm.search([*asked, concept("nowherehere", extra=True)], None, 1.0)
    assert {c: s.keyword for c, s in more.items()} == {c: s.keyword for c, s in alone.items()}
    less = arm.search([*asked, concept("nowherehere")], None, 1.0)
    assert all(less[c].keyword < alone[c].keyword for c in alone)
