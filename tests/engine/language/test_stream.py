"""Pieces of a model become text that can be shown."""

from __future__ import annotations

import pytest

from datasheet_lsp.engine.language.stream import TextStream


def shown(pieces: list[bytes] | list[str], *stop: str, thinking: bool = False) -> list[str]:
    stream = TextStream(stop, thinking=thinking)
    return [*(stream.feed(piece) for piece in pieces), stream.finish()]


def test_cut_characters_wait_for_their_rest() -> None:
    # The degree sign and the euro sign, in two and three bytes.
    assert shown([b"25 \xc2", b"\xb0C \xe2\x82", b"\xac"]) == ["25 ", "°C ", "€", ""]


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert "".join(shown([b"a\xff", b"b\xe2"])) == "a\ufffdb\ufffd"


def test_nothing_comes_of_a_stop_string_or_after_it() -> None:
    assert shown(["one <", "|e", "nd|", "> two", "three"], "<|end|>") == [
        "one ", "", "", "", "", ""
    ]  # fmt: skip


def test_what_only_begins_like_a_stop_string_is_shown() -> None:
    assert "".join(shown(["a <", "|else"], "<|end|>", "<|elser")) == "a <|else"
    assert "".join(shown(["a ", "##"], "###")) == "a ##"


def test_the_first_of_several_stop_strings_counts() -> None:
    stream = TextStream(["zwei", "eins"])
    assert stream.feed("null eins zwei") == "null " and stream.ended


def test_blanks_before_the_text_are_left_out() -> None:
    assert "".join(shown([" \n", " \n a", " b "])) == "a b "


@pytest.mark.parametrize(
    "pieces",
    [
        ["<think>the user wants</think>\n\nanswer"],
        ["<th", "ink>the user", " wants</th", "ink>", "\n", "answer"],
        ["\n<think></think>answer"],
    ],
)
def test_what_a_model_says_to_itself_is_left_out(pieces: list[str]) -> None:
    assert "".join(shown(pieces)) == "answer"


def test_thoughts_that_the_template_began_are_left_out() -> None:
    assert "".join(shown(["the user", " wants</think>answer"], thinking=True)) == "answer"


def test_thoughts_without_an_end_are_no_answer() -> None:
    assert "".join(shown(["<think>", "on and on"])) == ""


def test_only_at_the_beginning_are_they_thoughts() -> None:
    assert "".join(shown(["a <think>b</think>"])) == "a <think>b</think>"
    assert "".join(shown(["<thi"])) == "<thi"


def test_a_text_that_says_one_thing_over_and_over_is_known_for_it() -> None:
    stream = TextStream()
    for _ in range(30):
        stream.feed("Set the enable bit. ")
    assert stream.loops
    row = "| {0} | FIELD{0} | rw | field number {0} |\n"
    table = TextStream()
    for number in range(60):
        table.feed(row.format(number))
    assert not table.loops
    rule = TextStream()
    rule.feed("| Bits | Field | Access | Reset | Meaning |\n" + "| --- " * 5 + "|\n")
    assert not rule.loops
