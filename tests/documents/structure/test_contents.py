"""Which pages look like lists of contents."""

from __future__ import annotations

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.structure.contents import looks_like_contents


def words(*texts: str) -> list[Word]:
    return [Word(text, 0, 0, 10, 10, 0, line) for line, text in enumerate(texts)]


def test_leaders_of_dots_or_ellipses_are_a_list_of_contents() -> None:
    assert looks_like_contents(words("Clock", "........", "7") * 4)
    assert looks_like_contents(words("Clock", "………………", "7") * 4)
    assert looks_like_contents(words("Clock", "…", "…", "7") * 4)


def test_ranges_of_addresses_in_a_table_are_none() -> None:
    assert not looks_like_contents(words("0xF7…0xF9", "0xFA…0xFC", "0x88…0xA1") * 9)
