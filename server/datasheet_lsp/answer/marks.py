"""A text cut into sentences and table rows, and the marks that are put into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from datasheet_lsp.answer.claims import Literal
from datasheet_lsp.answer.types import Verdict

TICK = "✓"
FLAG = "(unchecked)"
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\b[A-Za-z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bno\.)(?<!\b\d\.)\s+|\n"
)
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_LOADING = re.compile(
    r"<(?=/?(?:img|image|iframe|frame|script|style|link|svg|video|audio|source|object|embed|form"
    r"|input|button|base|meta|picture|a)\b)",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"(^\s*(?:[>*+-]\s+|\d+[.)]\s+)*\[[^\]\n]+\]):", re.MULTILINE)
_COLUMNS = (
    ("reset", re.compile(r"reset|default", re.I)),
    ("offset", re.compile(r"offset", re.I)),
    ("address", re.compile(r"addr", re.I)),
    ("bits", re.compile(r"^\W*(?:bits?|position)\W*$", re.I)),
    ("value", re.compile(r"value", re.I)),
)


class Check(msgspec.Struct):
    """A verdict with the place in the sentence."""

    literal: Literal
    verdict: Verdict
    subject: str = ""
    right_value: str = ""


def sentences(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of ``text``, each with the white space behind it; list marks stay with them."""
    at = 0
    for match in _SENTENCE.finditer(text):
        yield text[at : match.start()], match[0]
        at = match.end()
    if at < len(text):
        yield text[at:], ""


def printable(text: str) -> str:
    """``text`` without what a terminal obeys, and what turns the direction of reading."""
    return _UNPRINTABLE.sub("", text)


def harmless(text: str) -> str:
    """``text`` in which nothing is loaded from elsewhere and no number becomes a link.

    A passage may have told the model to write it. In code too: which lines are code depends on who
    shows them.
    """
    return _DEFINITION.sub(r"\1 :", _LOADING.sub("‹", text.replace("![", "! [")))


def columns_of(row: str) -> list[str]:
    """What the columns of a table have, by its head: reset, offset, address, bits, value or ""."""
    cells = row.strip().strip("|").split("|")
    kinds = []
    for cell in cells:
        kinds.append(next((name for name, pattern in _COLUMNS if pattern.search(cell)), ""))
    return kinds if any(kinds) else []


def by_column(text: str, literals: list[Literal], columns: Sequence[str]) -> None:
    """The kind of each number by the head of its column."""
    start = text.find("|") + 1
    edges = [i for i, c in enumerate(text) if c == "|"]
    for literal in list(literals):
        column = sum(edge < literal.start for edge in edges) - 1
        kind = columns[column] if 0 <= column < len(columns) else ""
        if kind in ("reset", "offset", "address") and literal.bits is None:
            literal.kind = kind  # type: ignore[assignment]
            literal.key = kind
    for number, kind in enumerate(columns):
        if kind != "bits" or number + 1 >= len(edges):
            continue
        a, b = edges[number] + 1, edges[number + 1]
        cell = re.search(r"(\d{1,2})(?:\s*[:\-]\s*(\d{1,2}))?", text[a:b])
        if cell and not any(a <= x.start < b for x in literals):
            high, low = int(cell[1]), int(cell[2] or cell[1])
            literals.append(
                Literal("bits", cell[0], a + cell.start(), a + cell.end(), 0, (high, low))
            )
    del start
    literals.sort(key=lambda each: each.start)


def marked(text: str, checks: Sequence[Check], *, fenced: bool) -> str:
    """``text`` with the marks put in; in code the marks follow the line as a comment."""
    numbers = [c for c in checks if c.literal.kind != "name"]
    names = [c for c in checks if c.literal.kind == "name" and c.verdict != "right"]
    if fenced:
        wrong = [c for c in (*numbers, *names) if c.verdict != "right"]
        said = "; ".join(_remark(c) for c in wrong)
        return f"{text} /* {said} */" if said else text
    edits: list[tuple[int, int, str]] = []
    last_right = -1
    for check in sorted([*numbers, *names], key=lambda c: c.literal.start):
        start, end = _span(text, check.literal.start, check.literal.end)
        quoted = text[start:end]
        if check.verdict == "wrong":
            right = check.right_value
            if right and quoted.startswith("`"):
                right = f"`{right}`"
            edits.append((start, end, f"~~{quoted}~~" + (f" {right}" if right else " (wrong)")))
        elif check.verdict == "unsupported":
            more = f" ({check.right_value}?)" if check.literal.kind == "name" else f" {FLAG}"
            if check.literal.kind == "name" and not check.right_value:
                more = f" {FLAG}"
            edits.append((start, end, f"{quoted}{more}"))
        elif check.literal.kind != "name":
            last_right = len(edits)
            edits.append((start, end, f"{quoted} {TICK}"))
    all_right = all(c.verdict == "right" for c in numbers)
    out: list[str] = []
    at = 0
    for number, (start, end, new) in enumerate(edits):
        if start < at:
            continue
        out.append(text[at:start])
        if all_right and new.endswith(TICK) and number != last_right:
            new = text[start:end]
        out.append(new)
        at = end
    out.append(text[at:])
    return "".join(out)


def _span(text: str, start: int, end: int) -> tuple[int, int]:
    """The place of a number; of the whole code span that it is in."""
    if text[:start].count("`") % 2:
        left = text.rfind("`", 0, start)
        right = text.find("`", end)
        if right > 0 and text[left + 1 : right].strip() == text[start:end].strip():
            return left, right + 1
        if right > 0:
            return left, right + 1
    return start, end


def _remark(check: Check) -> str:
    if check.verdict == "wrong":
        right = f", right: {check.right_value}" if check.right_value else ""
        return f"{check.literal.text} is wrong{right}"
    if check.right_value.startswith("is "):
        return f"{check.literal.text} {check.right_value}"
    return f"{check.literal.text} unchecked"
