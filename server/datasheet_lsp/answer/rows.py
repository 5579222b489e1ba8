"""Rows of the manuals' long lists: the interrupt, the pin or the request of what is asked about.

Vector tables, pin tables and lists of signals have a row for each of many things. The search finds
such a table by what all of its rows are about, and not the one row: that is looked up here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from datasheet_lsp.answer.plan.lists import ListKind, Row
from datasheet_lsp.answer.plan.model import Pin
from datasheet_lsp.documents.chunking.tables import caption_of, line
from datasheet_lsp.model.document import Table

_WANTED: dict[ListKind, re.Pattern[str]] = {
    "interrupts": re.compile(
        r"\b(?:interrupts?|irqs?|irqn|isr|vectors?|nvic|plic|pfic|handlers?)\b", re.IGNORECASE
    ),
    "requests": re.compile(r"\bdma\b", re.IGNORECASE),
    "pins": re.compile(
        r"\b(?:pins?|pads?|gpios?|signals?|remap\w*|alternate|multiplex\w*|mux|matrix|rout\w*|"
        r"wired?|connect\w*)\b",
        re.IGNORECASE,
    ),
}
_SHORT = 3
_MOST_ROWS = 8
_MOST_TABLES = 2
_MOST = 4


class Excerpt(msgspec.Struct, frozen=True):
    """Rows of one page of one table, written as a table with its head."""

    document: int
    table: Table
    page: int
    text: str


def _begun(words: Collection[str]) -> set[str]:
    """The words and what they begin with: sig of signal, out of output."""
    return {word[:end] for word in words for end in range(_SHORT, len(word))} | set(words)


def excerpts(
    question: str,
    rows: Mapping[ListKind, Sequence[Row]],
    peripherals: Collection[str],
    pins: Sequence[Pin],
    spoken: Collection[str],
    also: Collection[ListKind] = (),
    numbers: Collection[str] = (),
) -> list[Excerpt]:
    """The rows that the question is after, those of interrupts first.

    ``peripherals`` are those it is about, ``spoken`` its words in small letters, ``also`` kinds of
    lists that it needs though it does not say so, ``numbers`` those of the interrupts.
    """
    spoken = _begun(spoken)
    wanted_pins = {(pin.port, pin.number) for pin in pins}
    asked = [kind for kind, pattern in _WANTED.items() if pattern.search(question)]
    if wanted_pins and "pins" not in asked:
        asked.append("pins")
    found: list[Excerpt] = []
    for kind in (*asked, *(kind for kind in _WANTED if kind in also and kind not in asked)):
        at = wanted_pins if kind == "pins" else ()
        called = numbers if kind == "interrupts" else ()
        tables: dict[tuple[int, int], list[tuple[float, Row]]] = {}
        for row in rows.get(kind, ()):
            if score := _score(row, peripherals, at, spoken, called):
                tables.setdefault((row.document, row.table.id), []).append((score, row))
        ranked = sorted(tables.values(), key=lambda some: -max(score for score, _ in some))
        for some in ranked[: _MOST_TABLES if kind == "pins" and kind in asked else 1]:
            right = [row for _, row in some if row.place in called]
            found += _written(right if 0 < len(right) <= _MOST_ROWS else _best(some))
    return found[:_MOST]


def _best(rows: Sequence[tuple[float, Row]]) -> list[Row]:
    """The best rows, with those next to them if they are few; none where nothing tells which."""
    top = max(score for score, _ in rows)
    for least in (top - 1.0, top):
        best = [row for score, row in rows if score >= least]
        if len(best) <= _MOST_ROWS:
            return best
    return []


def _score(
    row: Row,
    peripherals: Collection[str],
    pins: Collection[tuple[str, int]],
    spoken: Collection[str],
    numbers: Collection[str],
) -> float:
    """How much of what is asked a row has; 0 where it has nothing that is meant."""
    own = len(row.peripherals & set(peripherals))
    at = len(row.pins & set(pins))
    right = row.place in numbers
    if not own and not at and not right:
        return 0.0
    met = len(row.words & set(spoken))
    # A row with all of a family is less to the point than one with the peripheral alone.
    alone = own / math.sqrt(max(1, len(row.peripherals)))
    return 4.0 * at + 4.0 * alone + met + 3.0 * right


def _written(rows: Sequence[Row]) -> Iterator[Excerpt]:
    """The rows page by page."""
    pages: dict[tuple[int, int, int], list[Row]] = {}
    for row in rows:
        pages.setdefault((row.document, row.table.id, row.page), []).append(row)
    for (document, _, page), some in pages.items():
        table = some[0].table
        lines = [line(table.header), f"|{'-|' * len(table.header)}"]
        lines += [line(table.rows[row.number]) for row in some]
        caption = caption_of(table.number, table.caption)
        text = "\n".join([caption, "", *lines] if caption else lines)
        yield Excerpt(document, table, page, text)
