"""How a text is marked up: markdown for editors, or plain for terminals and poor clients.

What is said stands elsewhere and once; these two say how headings, numbers and tables look.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Protocol

from datasheet_lsp.render.escape import code, escape, one_line

PLAIN_WIDTH = 100
"""Columns of plain text."""

_NARROWEST = 24


class Style(Protocol):
    """Marked-up text from parts. All but ``text``, ``strong``, ``code`` take finished markup."""

    def text(self, text: str) -> str:
        """``text`` from outside, shown as it is."""

    def strong(self, text: str) -> str:
        """``text`` from outside, standing out."""

    def emphasis(self, text: str) -> str:
        """``text`` from outside, set apart: a heading, a title."""

    def code(self, text: str) -> str:
        """A number, or something as it is written in code."""

    def lines(self, *lines: str) -> str:
        """Lines of one paragraph; empty ones are left out."""

    def blocks(self, *blocks: str) -> str:
        """Paragraphs and tables one after another; empty ones are left out."""

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """A table, "" without rows. Code in its cells must have no ``|``."""

    def rule(self) -> str:
        """A line between two parts of equal rank."""


class Markdown:
    """CommonMark with GitHub's tables."""

    def text(self, text: str) -> str:
        """Escaped."""
        return escape(text)

    def strong(self, text: str) -> str:
        """Bold."""
        return f"**{escape(text)}**" if one_line(text) else ""

    def emphasis(self, text: str) -> str:
        """Italic."""
        return f"*{escape(text, starts=False)}*" if one_line(text) else ""

    def code(self, text: str) -> str:
        """A code span."""
        return code(text)

    def lines(self, *lines: str) -> str:
        """Hard line breaks."""
        return "  \n".join(line for line in lines if line)

    def blocks(self, *blocks: str) -> str:
        """Blank lines between."""
        return "\n\n".join(block for block in blocks if block)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """A pipe table."""
        if not rows:
            return ""
        lines = [header, ["---"] * len(header), *rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def rule(self) -> str:
        """A thematic break."""
        return "---"


class Plain:
    """Plain text of at most ``width`` columns where it can be broken, unlimited when None."""

    def __init__(self, width: int | None = PLAIN_WIDTH) -> None:
        self.width = width

    def text(self, text: str) -> str:
        """In one line, without control characters."""
        return one_line(text)

    def strong(self, text: str) -> str:
        """As ``text``."""
        return one_line(text)

    def emphasis(self, text: str) -> str:
        """As ``text``."""
        return one_line(text)

    def code(self, text: str) -> str:
        """As ``text``."""
        return one_line(text)

    def lines(self, *lines: str) -> str:
        """One line each, folded at the width."""
        return "\n".join(self._fold(line) for line in lines if line)

    def blocks(self, *blocks: str) -> str:
        """Blank lines between."""
        return "\n\n".join(block for block in blocks if block)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """Columns with two spaces between; the last one is folded at the width."""
        if not rows:
            return ""
        last = len(header) - 1
        widths = [max(len(row[i]) for row in (header, *rows)) for i in range(last)]
        indent = sum(widths) + 2 * last
        out = []
        for row in (header, *rows):
            start = "".join(f"{cell:{width}}  " for cell, width in zip(row, widths, strict=False))
            out.append((start + self._fold(row[last], indent, indent)).rstrip())
        return "\n".join(out)

    def rule(self) -> str:
        """A line of dashes."""
        return "-" * 24

    def _fold(self, line: str, taken: int = 0, indent: int = 2) -> str:
        if self.width is None or len(line) + taken <= self.width:
            return line
        wrapped = textwrap.wrap(
            line,
            max(self.width - taken, _NARROWEST),
            subsequent_indent="" if taken else " " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return ("\n" + " " * taken).join(wrapped)


MARKDOWN = Markdown()
