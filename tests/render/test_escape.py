"""Text of an SVD stays text in every place of a hover. Checked with a real CommonMark parser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from datasheet_lsp.render.escape import code, cut, escape, one_line
from datasheet_lsp.render.style import Markdown

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TEXTUAL = {"text", "text_special", "softbreak"}

# Pieces that markdown gives a meaning, put together in every way, among letters of any kind.
PIECES = [
    *"\\`*_{}[]()<>#+-.!|~&:@$=^\"'/?%;, \t\n\r\x0b\x0c\x00\x1b\x7f\u2028\u202e\ufeff",
    "a", "B", "0", "12", "é", "中", "\ud800", "](", "][", "]:", "![", "[^1]", "<b>", "</b>",
    "<!--", "-->", "<script>", "&lt;", "&#60;", "&amp;", "http://a.b", "www.a.b", "a@b.c",
    "mailto:", "command:x", "<command:x>", "[a](command:x)", "```", "~~~", "~~", "**", "__",
    "***", "---", "===", "| --- |", "\n\n", "    ", "  \n", "- [ ] ", "1. ", "1) ", "> ", "# ",
    "$(bug)", "$$", "\\|", "\\", ": ---", ":-:",
]  # fmt: skip
TEXT = st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=30))


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def inline(markdown: str) -> tuple[set[str], str]:
    """The kinds of inline tokens, and the text a reader sees."""
    tokens = [t for t in flat(PARSER.parse(markdown)) if t.type != "inline" and not t.block]
    return {t.type for t in tokens}, "".join(t.content for t in tokens)


def blocks(markdown: str) -> list[str]:
    return [t.type for t in PARSER.parse(markdown) if t.type != "inline"]


@given(TEXT)
@example("[x]: http://a.b")
@example("<command:evil>")
@example("a\\`b")
@example("1986. A great year")
def test_escaped_text_is_one_paragraph_of_the_same_text(text: str) -> None:
    markdown = escape(text)
    if not one_line(text):
        assert markdown == ""
        return
    assert blocks(markdown) == ["paragraph_open", "paragraph_close"]
    kinds, seen = inline(markdown)
    assert kinds <= TEXTUAL
    assert seen == one_line(text)


@given(TEXT, TEXT)
def test_escaped_text_stays_in_its_table_cell(one: str, other: str) -> None:
    style = Markdown()
    table = style.table(["A", "B"], [[style.text(one), style.text(other)], ["x", "y"]])
    tokens = PARSER.parse(table)
    assert tokens[0].type == "table_open" and tokens[-1].type == "table_close"
    cells = [token for token in tokens if token.type == "inline"]
    assert [cell.content for cell in cells[-2:]] == ["x", "y"]
    assert len(cells) == 6
    for cell, text in zip(cells[2:4], (one, other), strict=True):
        children = [child for child in cell.children or [] if child.content or child.type != "text"]
        assert {child.type for child in children} <= TEXTUAL
        assert "".join(child.content for child in children) == one_line(text)


@given(TEXT, TEXT)
def test_escaped_text_stays_bold_and_no_more(name: str, text: str) -> None:
    style = Markdown()
    markdown = " ".join(part for part in (style.strong(name), style.text(text)) if part)
    kinds, seen = inline(markdown)
    assert kinds <= TEXTUAL | {"strong_open", "strong_close"}
    assert seen == " ".join(part for part in (one_line(name), one_line(text)) if part)
    assert blocks(markdown) in (["paragraph_open", "paragraph_close"], [])


@given(TEXT)
def test_code_shows_its_text_as_it_is(text: str) -> None:
    markdown = f"x {code(text)} y"
    tokens = [t for t in flat(PARSER.parse(markdown)) if t.type == "code_inline"]
    expected = [one_line(text)] if one_line(text) else []
    assert [token.content for token in tokens] == expected


@given(TEXT)
def test_one_line_has_no_control_or_direction_characters(text: str) -> None:
    line = one_line(text)
    assert not any(ord(c) < 0x20 or c in "\x7f\u2028\u2029\u202e\u2066\ufeff" for c in line)
    assert line == line.strip() and "  " not in line
    line.encode()


@pytest.mark.parametrize("name", ["TIM1_CH2", "AFR[1]", "CH[0..7].EEP", "a < b", "0x4000 4408"])
def test_names_are_left_readable(name: str) -> None:
    assert escape(name).replace("\\<", "<") == name


@pytest.mark.parametrize(
    ("hostile", "markdown"),
    [
        ("[x](command:evil)", r"\[x\]\(command\:evil)"),
        ("see ![i](http://a)", r"see \![i\]\(http\://a)"),
        ("<a href=x>", r"\<a href=x\>"),
        ("`code` | cell", r"\`code\` \| cell"),
        ("a@b.c or www.b.c", r"a\@b.c or www\.b.c"),
        ("# title\n\n| a |", r"\# title \| a \|"),
        ("[x]: http://a", r"\[x\]: http\://a"),
    ],
)
def test_links_are_broken_in_the_source_too(hostile: str, markdown: str) -> None:
    """For clients whose markdown goes beyond CommonMark, with autolinks of GitHub's kind."""
    assert escape(hostile) == markdown


def test_long_text_is_cut_between_words() -> None:
    assert cut("one two three four", 11) == "one two ..."
    assert cut("one two", 11) == "one two"
    assert cut("x" * 50, 10) == "x" * 10 + " ..."
