"""Long texts in parts: nothing is lost, the head is before each, lines stay whole."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.engine.parts import PARTS, SPECIAL, parts_of


def words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\S+", text)]


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert parts_of("a b c", 0, 5, words) == ["a b c"]
    assert parts_of("a b c d", 0, 5, words) != ["a b c d"]
    assert parts_of("a b c d", 0, 5, lambda text: []) == ["a b c d"]
    assert parts_of("", 0, 5, words) == [""]


def test_a_longer_one_is_cut_in_equal_parts_with_its_head() -> None:
    text = "head\n" + " ".join(f"w{i}" for i in range(12))
    assert parts_of(text, 5, 9, words) == [
        "head\n" + " ".join(f"w{i}" for i in range(first, first + 6)) for first in (0, 6)
    ]


def test_a_part_ends_with_a_line_where_one_is_near() -> None:
    rows = "\n".join("| 1 | 2 |" for _ in range(4))
    assert all(part.count("1") == part.count("2") for part in parts_of(rows, 0, 14, words))


@given(
    st.lists(st.sampled_from(["a", "b ", "c\n", "dd ", " "]), max_size=60).map("".join),
    st.integers(0, 12),
    st.integers(SPECIAL + 4, 20),
)
def test_every_word_is_in_some_part_and_no_part_is_too_long(
    text: str, head: int, room: int
) -> None:
    head = text[:head].rfind("\n") + 1
    parts = parts_of(text, head, room, words)
    assert 1 <= len(parts) <= PARTS
    if len(parts) > 1:
        assert all(part.startswith(text[:head]) for part in parts)
    if len(parts) < PARTS:
        body = [word for part in parts for word in part[head:].split()]
        assert text[:head].split() + body == text.split()
    if len(words(text[:head])) <= room // 2:
        assert all(len(words(part)) <= room - SPECIAL for part in parts)
