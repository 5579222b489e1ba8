"""Columns of every encoding, checked against Python's own codecs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.firmware import Source
from datasheet_lsp.lsp.positions import (
    Encoding,
    choose,
    offset_at,
    position_at,
    to_byte_column,
    to_units,
)

ENCODINGS: list[Encoding] = ["utf-8", "utf-16", "utf-32"]
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

lines = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))
texts = st.lists(
    st.one_of(
        lines, st.sampled_from(["\n", "\r\n", "\r", "\x0c", "\u2028", "\x85", "\t", "é", "😀"])
    )
).map("".join)


def units(text: str, encoding: str) -> int:
    codec, size = CODECS[encoding]
    return len(text.encode(codec)) // size


@given(line=lines, encoding=st.sampled_from(ENCODINGS))
def test_a_column_before_each_character_goes_there_and_back(line: str, encoding: Encoding) -> None:
    data = line.encode()
    for index in range(len(line) + 1):
        before = line[:index]
        column = len(before.encode())
        assert to_units(data, column, encoding) == units(before, encoding)
        assert to_byte_column(data, units(before, encoding), encoding) == column


@given(line=lines, encoding=st.sampled_from(ENCODINGS), column=st.integers(-3, 400))
def test_any_column_lands_on_a_character_of_the_line(
    line: str, encoding: Encoding, column: int
) -> None:
    data = line.encode()
    found = to_byte_column(data, column, encoding)
    assert 0 <= found <= len(data)
    data[:found].decode()  # raises within a character
    if column >= units(line, encoding):
        assert found == len(data)


@given(text=texts, encoding=st.sampled_from(ENCODINGS))
def test_every_character_of_a_text_has_its_own_position(text: str, encoding: Encoding) -> None:
    source = Source(text.encode())
    for index, character in enumerate(text):
        before = text[:index]
        if character == "\n" and before.endswith("\r"):
            continue  # within a line end
        parts = re.split(r"\r\n|\n|\r", before)
        expected = (len(parts) - 1, units(parts[-1], encoding))
        offset = len(before.encode())
        assert position_at(source, offset, encoding) == expected
        assert offset_at(source, *expected, encoding) == offset


def test_the_emoji_example_of_the_specification() -> None:
    line = "a𐐀b".encode()  # U+10400: 4 bytes, a surrogate pair, one code point
    assert [to_byte_column(line, n, "utf-16") for n in range(6)] == [0, 1, 1, 5, 6, 6]
    assert [to_byte_column(line, n, "utf-8") for n in range(8)] == [0, 1, 1, 1, 1, 5, 6, 6]
    assert [to_byte_column(line, n, "utf-32") for n in range(5)] == [0, 1, 5, 6, 6]


def test_form_feed_and_line_separator_end_no_line() -> None:
    source = Source("int a;\x0c\u2028int b;\r\nint c;\rint d;\nint e;".encode())
    assert source.line_count == 4
    assert offset_at(source, 1, 4, "utf-16") == source.data.index(b"c;")
    assert offset_at(source, 2, 4, "utf-16") == source.data.index(b"d;")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_positions_outside_the_text_are_moved_into_it(encoding: Encoding) -> None:
    source = Source("ä\nb\r\n".encode())
    assert offset_at(source, 0, 99, encoding) == 2
    assert offset_at(source, 1, 99, encoding) == 4
    assert offset_at(source, 99, 0, encoding) == len(source.data)
    assert offset_at(source, -1, 5, encoding) == 0
    assert position_at(source, 999, encoding) == (2, 0)


def test_half_a_surrogate_pair_counts_as_one_unit() -> None:
    line = "\ud800x".encode("utf-8", "surrogatepass")
    assert to_byte_column(line, 1, "utf-16") == 3
    assert to_units(line, 3, "utf-16") == 1


def test_bytes_are_preferred_and_utf_16_is_the_fallback() -> None:
    assert choose(["utf-16", "utf-8"]) == "utf-8"
    assert choose(["utf-32", "utf-16"]) == "utf-16"
    assert choose(["utf-32"]) == "utf-32"
    assert choose(["utf-7"]) == "utf-16"
    assert choose(None) == "utf-16"
