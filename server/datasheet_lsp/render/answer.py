"""An answer as people read it: the plan with its numbers, passages, sources, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from datasheet_lsp.render import words
from datasheet_lsp.render.documents import pages_text
from datasheet_lsp.render.escape import cut
from datasheet_lsp.render.hits import excerpt, titled
from datasheet_lsp.render.plan import KINDS, SURE
from datasheet_lsp.render.style import Style

_KINDS = KINDS | {"prescaler": "Bus clock"}
_PASSAGES = 3
_LINES = 5
_LETTERS = 420
_SEARCHED = 6
_ROWS = 8
_CELL = 160
_FEW = 3


class Searched(Protocol):
    """A sub-query."""

    @property
    def text(self) -> str:
        """What was searched for."""

    @property
    def origin(self) -> str:
        """Whose idea it was."""


class Step(Protocol):
    """A step of a plan."""

    @property
    def kind(self) -> str:
        """What it is for."""

    @property
    def target(self) -> str:
        """The peripheral it serves."""

    @property
    def register(self) -> str:
        """Its path."""

    @property
    def field(self) -> str | None:
        """The field that is meant, None for all of it."""

    @property
    def address(self) -> int:
        """Of the register."""

    @property
    def bits(self) -> tuple[int, int] | None:
        """Most and least significant."""

    @property
    def why(self) -> str:
        """In a few words."""

    @property
    def confidence(self) -> float:
        """0 to 1."""


class Number(Protocol):
    """A value that was worked out."""

    @property
    def path(self) -> str:
        """Of the register or field."""

    @property
    def register(self) -> str:
        """The register's path."""

    @property
    def value(self) -> int:
        """The value."""

    @property
    def how(self) -> str:
        """How it comes about."""


class Placed(Protocol):
    """Where a passage of a document stands."""

    @property
    def number(self) -> int:
        """From 1."""

    @property
    def title(self) -> str:
        """Of the document."""

    @property
    def revision(self) -> str:
        """Of the document."""

    @property
    def file(self) -> str:
        """Its path."""

    @property
    def heading_path(self) -> tuple[str, ...]:
        """Titles from the outermost in."""

    @property
    def last_page(self) -> int:
        """0 without pages, as of an SVD file."""


class Passage(Placed, Protocol):
    """A numbered passage."""

    @property
    def format(self) -> str:
        """``svd`` for a table made from the SVD file."""

    @property
    def text(self) -> str:
        """The passage."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Registers and fields."""

    @property
    def first_page(self) -> int:
        """0 without pages."""

    @property
    def first_label(self) -> str:
        """What is printed on it."""

    @property
    def last_label(self) -> str:
        """What is printed on it."""


class Source(Placed, Protocol):
    """A citation."""

    @property
    def page(self) -> int:
        """0 for an SVD file."""

    @property
    def label(self) -> str:
        """What is printed on the first page."""

    @property
    def lines(self) -> tuple[int, ...]:
        """Of the SVD file."""


def laid_out(
    question: str,
    queries: Sequence[Searched],
    steps: Sequence[Step],
    numbers: Sequence[Number],
    passages: Sequence[Passage],
    style: Style,
) -> str:
    """An answer without a language model: the plan, the numbers, the best passages."""
    lines = _steps(steps, numbers, _by_register(passages), style)
    shown = [p for p in passages if p.format != "svd"][:_PASSAGES]
    if not steps:
        shown = list(passages[: _PASSAGES + 1])
    blocks = [searched_text(queries, style)]
    blocks += ["\n".join(lines)] if lines else []
    blocks += [_quoted(passage, style) for passage in shown]
    return style.blocks(*blocks)


def left_out(
    steps: Sequence[Step], numbers: Sequence[Number], passages: Sequence[Passage], style: Style
) -> str:
    """What a plan has besides a text."""
    lines = _steps(steps, numbers, _by_register(passages), style)
    return style.blocks("Planned from the device besides:", "\n".join(lines))


def _by_register(passages: Sequence[Passage]) -> dict[str, int]:
    """The passage that describes each register of the SVD file."""
    return {
        symbol: passage.number
        for passage in reversed(passages)
        if passage.format == "svd"
        for symbol in passage.symbols
        if "." in symbol
    }


def searched_text(queries: Sequence[Searched], style: Style) -> str:
    """``Searched: USART2 baud rate · APB1 clock enable (planned from the device)``."""
    others = [q for q in queries if q.origin != "question"]
    if not others:
        return ""
    names = " · ".join(style.text(q.text) for q in others[:_SEARCHED])
    more = len(others) - _SEARCHED
    planned = " (planned from the device)" if all(q.origin == "plan" for q in others) else ""
    return f"Searched: {names}{f' and {more} more' if more > 0 else ''}{planned}"


def _steps(
    steps: Sequence[Step], numbers: Sequence[Number], cited: dict[str, int], style: Style
) -> list[str]:
    """The plan as numbered lines, the steps of one kind for one thing together."""
    values = {number.register: number for number in numbers}
    groups: dict[tuple[str, str, str], list[Step]] = {}
    for step in steps:
        groups.setdefault((step.kind, step.target, step.why), []).append(step)
    lines: list[str] = []
    for (kind, target, why), group in groups.items():
        names = []
        for step in group:
            path = f"{step.register}.{step.field}" if step.field else step.register
            where = style.code(words.address(step.address))
            if step.field and step.bits is not None:
                high, low = step.bits
                where = (f"bit {low}, " if high == low else f"bits {high}:{low}, ") + where
            number = cited.get(step.register)
            mark = f" [{number}]" if number else ""
            names.append(f"{style.code(path)} ({where}) ✓{mark}")
        perhaps = "perhaps " if max(step.confidence for step in group) < SURE else ""
        about = f" for {style.text(target)}" if target not in group[0].register.split(".") else ""
        line = f"{len(lines) + 1}. {_KINDS.get(kind, kind)}{about}: {perhaps}{', '.join(names)}"
        lines.append(f"{line}: {style.text(why)}" if why else line)
        for step in group:
            value = values.pop(step.register, None)
            if value is not None:
                lines[-1] += f". {_number(value, style)}"
    return lines


def _number(number: Number, style: Style) -> str:
    value = style.code(words.grouped(number.value, 4 if number.value > 0xFF else 2))
    return f"{style.code(number.path)} = {value}: {style.text(number.how)}"


def _quoted(passage: Passage, style: Style) -> str:
    """A passage under its place: its first lines, the first rows of its tables."""
    title = " > ".join(passage.heading_path[-2:])
    head = f"{style.strong(title)} [{passage.number}]"
    plain: list[str] = []
    split: list[list[str]] = []
    for line in passage.text.splitlines():
        if not line.startswith("|"):
            plain.append(line)
        elif set(line) - set("|-: "):
            split.append(re.split(r"(?<!\\)\|", line.strip().strip("|")))
    # Of few rows all is shown: they were picked.
    most = _CELL // 2 if len(split) > _FEW + 1 else 3 * _CELL
    rows = [
        [*(_cell(c, style, most) for c in cells), _cell(last, style, max(most, _CELL))]
        for *cells, last in split
    ]
    lines = excerpt("\n".join(plain), _LINES if not rows else 2, _LETTERS).splitlines()
    table = ""
    if len(rows) > 1:
        width = len(rows[0])
        body = [row for row in rows[1:] if len(row) == width]
        table = style.table(rows[0], body[:_ROWS])
        if len(body) > _ROWS:
            table += f"\n\nand {words.plural(len(body) - _ROWS, 'more row')}"
    return style.blocks(head, style.lines(*map(style.text, lines)), table)


def _cell(text: str, style: Style, most: int = _CELL) -> str:
    return style.text(cut(text.strip().replace("\\|", "|"), most))


def cited_text(sources: Sequence[Source], style: Style) -> str:
    """The list of sources: ``[1] Manual rev 19, p. 245, 7.3.13 RCC ...``."""
    return style.lines(*(f"[{s.number}] {style.text(place_text(s))}" for s in sources))


def place_text(source: Source) -> str:
    """Document, revision, page and heading path in a line."""
    path = " > ".join(source.heading_path[-3:])
    if not source.page:
        file = source.file.replace("\\", "/").rpartition("/")[2]
        lines = [str(line) for line in source.lines if line]
        where = f", line{'s' if len(lines) > 1 else ''} {', '.join(lines)}" if lines else ""
        return f"{file}{where}: {path}"
    pages = pages_text(source.page, source.last_page, source.label, source.label)
    return f"{titled(source.title, source.revision)}, {pages}: {path}"


def sources_text(sources: Sequence[Source], style: Style) -> str:
    """Where the last answer is from."""
    if not sources:
        return "The last answer cites nothing."
    return cited_text(sources, style)


def refused_text(
    reason: str, near: Sequence[str], passages: Sequence[Passage], style: Style
) -> str:
    """That the documents do not say it, why, and what comes nearest."""
    head = f"The documents do not answer this: {style.text(reason)}."
    if near:
        head += f" There is {', '.join(style.code(name) for name in near)}."
    if not passages:
        return head
    lines = ["The nearest places:"]
    for passage in passages:
        title = titled(passage.title, passage.revision)
        page = ""
        if passage.first_page:
            page = ", " + pages_text(
                passage.first_page, passage.last_page, passage.first_label, passage.last_label
            )
        path = " > ".join(passage.heading_path[-3:])
        lines.append(f"[{passage.number}] {style.text(f'{title}{page}: {path}')}")
    return style.blocks(head, style.lines(*lines))
