"""Plain text: numbered and underlined headings, lists, boxed tables; aligned columns stay code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.grid import Cell
from datasheet_lsp.documents.convert.words import clean_layout, split_number

_RULE = re.compile(r"^\s*(=|-|~|\*|_|#|\^|\+)\1{3,}\s*$")
_BULLET = re.compile(r"^\s*(?:[-*•·▪o‣–+]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_LEADERS = re.compile(r"(?:\.{4,}|(?:\s\.){4,})\s*\d*\s*$")
_BOXED = re.compile(r"^\s*[|+].*[|+]\s*$")
_GAP = re.compile(r"\S(?: {2,}|\t)\S")
_CODE_END = re.compile(r"[;{}\\]\s*$|^\s*(?:#\s*(?:define|include|if|endif)\b|/[/*]|\*/)")
_HEADING_LETTERS = 100
# So many headings between two may have been taken for something else.
_MOST_MISSED = 5

Numbers = tuple[int, ...]


def read_text(text: str, builder: Builder) -> None:
    """Paragraphs are divided by empty lines, and by headings."""
    lines = clean_layout_lines(text)
    headings = _headings(lines)
    paragraph: list[str] = []
    start = 0
    at = 0

    def put() -> None:
        if paragraph:
            _paragraph(paragraph, start + 1, builder)
            paragraph.clear()

    while at < len(lines):
        line = lines[at]
        if at in headings:
            put()
            level, used = headings[at]
            numbered = bool(split_number(line.strip())[0])
            builder.heading(level, line.strip(), at + 1, origin="numbering" if numbered else "file")
            at += used
            continue
        if not line.strip():
            put()
        else:
            if not paragraph:
                start = at
            paragraph.append(line)
        at += 1
    put()


def clean_layout_lines(text: str) -> list[str]:
    """The lines of the file, their number unchanged: a form feed is an empty line's worth."""
    return [clean_layout(line.replace("\f", " ")).replace("\n", " ") for line in text.split("\n")]


def _headings(lines: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Line -> level and how many lines the heading takes (an underline belongs to it)."""
    found: dict[int, tuple[int, int]] = {}
    numbered: list[tuple[int, Numbers]] = []
    marks: list[str] = []
    for at, line in enumerate(lines):
        text = line.strip()
        if not text or len(text) > _HEADING_LETTERS:
            continue
        under = _RULE.match(lines[at + 1]) if at + 1 < len(lines) else None
        over = _blank_or_rule(lines, at - 1)
        if (
            under
            and over
            and not _RULE.match(line)
            and not _GAP.search(text)
            and len(lines[at + 1].strip()) >= min(len(text) * 0.5, 40)
        ):
            # As in reStructuredText: the first kind of underline is the highest level.
            if under[1] not in marks:
                marks.append(under[1])
            number = split_number(text)[0]
            level = number.count(".") + 1 if number else marks.index(under[1]) + 1
            found[at] = (level, 2)
            continue
        if not over or text[-1] in ".,;:" or _LEADERS.search(text) or _GAP.search(text):
            continue
        number, title = split_number(text)
        if number and title[:1].isupper():
            numbers = _numbers(number)
            alone = at + 1 >= len(lines) or not lines[at + 1].strip()
            # "1. Switch it off" in a list stands among its neighbours, a heading alone.
            if numbers and (alone or len(numbers) > 1):
                numbered.append((at, numbers))
    for at, numbers in _in_order(numbered):
        found[at] = (len(numbers), 1)
    return found


def _blank_or_rule(lines: Sequence[str], at: int) -> bool:
    return at < 0 or not lines[at].strip() or bool(_RULE.match(lines[at]))


def _numbers(number: str) -> Numbers:
    """(7, 3) of "7.3"; letters of an appendix count above all digits."""
    return tuple(int(p) if p.isdigit() else 10_000 + ord(p[0].upper()) for p in number.split("."))


def _in_order(numbered: Sequence[tuple[int, Numbers]]) -> list[tuple[int, Numbers]]:
    """Those that follow one another as headings do; a list that starts again from 1 is left out.

    A heading goes on from an open one (1.2 -> 1.3, 2), or opens the first inside (1.2 -> 1.2.1).
    The first of all may be any, as an excerpt begins somewhere.
    """
    kept: list[tuple[int, Numbers]] = []
    last: Numbers = ()
    for at, numbers in numbered:
        if last:
            depth = len(numbers)
            if depth > len(last):
                if numbers[: len(last)] != last:
                    continue
            elif numbers <= last[:depth] or numbers[-1] - last[depth - 1] > _MOST_MISSED:
                continue
        kept.append((at, numbers))
        last = numbers
    return kept


def _paragraph(lines: Sequence[str], first: int, builder: Builder) -> None:
    last = first + len(lines) - 1
    inner = [line for line in lines if not _RULE.match(line)]
    if not inner:
        return
    if len(lines) > 1 and all(_BOXED.match(line) for line in lines):
        builder.table(*_boxed(lines), first, last)
    elif _BULLET.match(lines[0]) and sum(bool(_BULLET.match(x)) for x in lines) > 1:
        builder.lines(_dedent(lines), first, last)
    elif _looks_aligned(lines) or _looks_like_code(inner):
        builder.code("\n".join(_dedent(lines)), first, last)
    elif _BULLET.match(lines[0]) and not lines[0].lstrip()[0].isalnum():
        builder.lines(_dedent(lines), first, last)
    else:
        builder.text("\n".join(inner), first, last)


def _looks_aligned(lines: Sequence[str]) -> bool:
    """Whether gaps stand one under the other in most lines, as columns do."""
    inner = [line for line in lines if not _RULE.match(line)]
    if len(inner) < 2:
        return False
    gapped = [line for line in inner if _GAP.search(line.strip())]
    if len(gapped) < 2 or len(gapped) * 3 < len(inner) * 2:
        return False
    starts: dict[int, int] = {}
    for line in gapped:
        for gap in re.finditer(r"(?<=\S) {2,}(?=\S)", line):
            starts[gap.end()] = starts.get(gap.end(), 0) + 1
    return max(starts.values(), default=0) * 2 >= len(gapped)


def _looks_like_code(lines: Sequence[str]) -> bool:
    ends = sum(bool(_CODE_END.search(line)) for line in lines)
    return ends * 2 >= len(lines) and ends > 0 and (len(lines) > 1 or lines[0].rstrip()[-1] != "\\")


def _dedent(lines: Sequence[str]) -> list[str]:
    outer = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
    return [line[outer:] for line in lines]


def _boxed(lines: Sequence[str]) -> tuple[list[list[Cell]]]:
    """Rows of a table drawn with | and +; with rules between all rows, lines of one row join."""
    # A line between rows, such as +---+---+ or |---|:-:|.
    rules = [set(line) <= set("-=+|: ") and ("-" in line or "=" in line) for line in lines]
    groups: list[list[list[str]]] = [[]]
    for line, rule in zip(lines, rules, strict=True):
        if rule:
            groups.append([])
        else:
            inner = line.strip().strip("|+")
            groups[-1].append([part.strip() for part in inner.split("|")])
    groups = [group for group in groups if group]
    # A rule under the header alone: each line is a row. Rules everywhere: each group is one.
    joined = len(groups) > 2
    rows: list[list[Cell]] = []
    for group in groups:
        if joined:
            width = max(map(len, group))
            columns = [[r[c] for r in group if c < len(r) and r[c]] for c in range(width)]
            rows.append([Cell(" ".join(column)) for column in columns])
        else:
            rows += [[Cell(part) for part in row] for row in group]
    return (rows,)
