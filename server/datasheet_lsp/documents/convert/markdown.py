"""Markdown (CommonMark with tables) by markdown-it-py."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.html import parse_html, walk_html
from datasheet_lsp.documents.convert.words import one_line
from datasheet_lsp.documents.errors import DocumentError

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_FRONT_KEY = re.compile(r"^([A-Za-z_-]+)[ \t]*:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_ALERT = re.compile(r"\A\[!([A-Za-z]+)\][ \t]*\n?")
_PARAGRAPH_LETTERS = 10_000
_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)


def read_markdown(text: str, builder: Builder) -> None:
    """Front matter gives title and revision; headings, lists, code and tables the rest."""
    front = _FRONT.match(text)
    if front:
        for key, value in _FRONT_KEY.findall(front[1][:8192]):
            value = value.strip("\"'")
            if key.lower() == "title":
                builder.title = value
            elif key.lower() in ("revision", "rev", "version") and not builder.revision:
                builder.revision = value
        # Line numbers stay those of the file.
        text = "\n" * front[0].count("\n") + text[front.end() :]
    parser = MarkdownIt("commonmark", {"maxNesting": 40}).enable("table")
    parser.core.ruler.at("inline", _inline_rule)
    try:
        tokens = parser.parse(text)
    except (RecursionError, ValueError, IndexError) as error:
        raise DocumentError(
            f"{builder.name} cannot be read as Markdown: things in it are nested too deep."
        ) from error
    _Walk(tokens, builder).run()


def _inline_rule(state: StateCore) -> None:
    """Emphasis and links as markdown-it-py reads them, in paragraphs of a usual length.

    Its time can grow with the square of the length, so what is far longer is taken as it stands.
    """
    for token in state.tokens:
        if token.type == "inline":
            token.children = token.children or []
            if len(token.content) > _PARAGRAPH_LETTERS:
                token.children.append(Token("text", "", 0, content=token.content))
            else:
                state.md.inline.parse(token.content, state.md, state.env, token.children)


class _Walk:
    """Goes over the flat list of tokens once."""

    def __init__(self, tokens: Sequence[Token], builder: Builder) -> None:
        self.tokens = tokens
        self.builder = builder
        self.at = 0
        self.quotes = 0

    def run(self) -> None:
        tokens = self.tokens
        while self.at < len(tokens):
            token = tokens[self.at]
            self.at += 1
            first, last = _lines(token)
            if token.type == "heading_open":
                self.builder.heading(int(token.tag[1:]), self.inline(), first)
            elif token.type == "paragraph_open":
                self.paragraph(first, last)
            elif token.type == "inline":
                self.builder.text(_text(token), first, last)
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                self.at -= 1
                self.listing(first, last)
            elif token.type in ("fence", "code_block"):
                self.builder.code(token.content, first, last)
            elif token.type == "table_open":
                self.table(first, last)
            elif token.type == "html_block":
                self.html(token.content, first)
            elif token.type == "blockquote_open":
                self.quotes += 1
            elif token.type == "blockquote_close":
                self.quotes -= 1

    def inline(self) -> str:
        """The text of the inline token that comes next."""
        token = self.tokens[self.at]
        self.at += 1
        return _text(token) if token.type == "inline" else ""

    def paragraph(self, first: int, last: int) -> None:
        text = self.inline()
        if self.quotes:
            alert = _ALERT.match(text)
            if alert:
                text = f"{alert[1].capitalize()}: {text[alert.end() :].lstrip()}"
                self.builder.text(text, first, last, kind="note")
                return
        self.builder.text(text, first, last)

    def html(self, content: str, first: int) -> None:
        root = parse_html(content, self.builder)
        if root is not None:
            walk_html(root, self.builder, first_line=first)

    def listing(self, first: int, last: int) -> None:
        """A list with all lists inside; tables and code in it are blocks of their own."""
        lines: list[str] = []
        later: list[tuple[Token, int, int]] = []
        numbers: list[int | None] = []
        mark = ""
        tokens = self.tokens
        while self.at < len(tokens):
            token = tokens[self.at]
            self.at += 1
            kind = token.type
            if kind == "bullet_list_open":
                numbers.append(None)
            elif kind == "ordered_list_open":
                numbers.append(int(token.attrGet("start") or 1) if token.attrs else 1)
            elif kind in ("bullet_list_close", "ordered_list_close"):
                numbers.pop()
                if not numbers:
                    break
            elif kind == "list_item_open":
                number = numbers[-1]
                mark = "- " if number is None else f"{number}. "
                if number is not None:
                    numbers[-1] = number + 1
            elif kind == "inline":
                pad = "  " * (len(numbers) - 1)
                hang = pad + " " * len(mark or "- ")
                text = _text(token).strip()
                lines.append((pad + mark if mark else hang) + text.replace("\n", "\n" + hang))
                mark = ""
            elif kind in ("fence", "code_block", "html_block"):
                later.append((token, *_lines(token)))
            elif kind == "table_open":
                # Reported in its place would cut the list: so the list ends here and goes on after.
                self.builder.lines(lines, first, _lines(token)[0])
                lines = []
                self.table(*_lines(token))
                first = _lines(token)[1]
        self.builder.lines(lines, first, last)
        for token, begin, end in later:
            if token.type == "html_block":
                self.html(token.content, begin)
            else:
                self.builder.code(token.content, begin, end)

    def table(self, first: int, last: int) -> None:
        rows: list[list[Cell]] = []
        tokens = self.tokens
        while self.at < len(tokens):
            token = tokens[self.at]
            self.at += 1
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(Cell(_text(token)))
        self.builder.table(rows, first, last, header_rows=1)


def _lines(token: Token) -> tuple[int, int]:
    """First and last line of a token, 1-based."""
    if token.map is None:
        return 0, 0
    return token.map[0] + 1, max(token.map[0] + 1, token.map[1])


def _text(token: Token) -> str:
    """What is read of inline content: emphasis, links and images without their marks."""
    out: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline", "text_special"):
            out.append(child.content)
        elif child.type == "softbreak":
            out.append("\n")
        elif child.type == "hardbreak":
            out.append("\n")
        elif child.type == "image":
            out.append(one_line(child.content))
        elif child.type == "html_inline":
            tag = child.content.lower()
            if _BREAK_TAG.fullmatch(tag):
                out.append("\n")
            elif tag == "<sup>" and out and out[-1][-1:].isdigit():
                # A power keeps its sign: 2^31.
                out.append("^")
    return "".join(out)
