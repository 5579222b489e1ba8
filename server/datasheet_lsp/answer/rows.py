"""Rows of the manuals' long lists: the interrupt, the pin or the request of what is asked about.

Vector tables, pin tables and lists of signals have a row for each of many things. The search finds
such a table by what all of its rows are about, and not the one row: that is looked up here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from datasheet_lsp.answer.plan.facts import is_about_dma, lists_interrupts
from datasheet_lsp.answer.plan.graph import graph
from datasheet_lsp.answer.plan.model import Pin
from datasheet_lsp.answer.plan.naming import squash
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.documents.chunking.tables import caption_of, line
from datasheet_lsp.index import Index
from datasheet_lsp.model import Device
from datasheet_lsp.model.document import Table

_WANTED: dict[str, re.Pattern[str]] = {
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
_LISTS_PINS = re.compile(
    r"\bpins?\b|\bpads?\b|signals?\b|\bGPIO|remap|alternate|\bIOF", re.IGNORECASE
)
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_HEAD = re.compile(r"\b[A-Z][A-Z0-9]*\d(?=[A-Z]{2})")
"""U1 of U1TXD, I2C1 of I2C1RM."""
_WORDS = re.compile(r"[a-z]+\d*|\d+")
_PARTS = re.compile(r"[a-z]+|\d+")
_SHORT = 3
_LEAST = 2
_SURE = 0.9
_MOST_ROWS = 8
_MOST_TABLES = 2
_MOST = 4
_KEPT = 4


class Row(msgspec.Struct, frozen=True):
    """A row of a list: which peripherals and pins it has, and its words in small letters."""

    document: int
    table: Table
    number: int
    peripherals: frozenset[str]
    pins: frozenset[tuple[str, int]]
    words: frozenset[str]
    place: str = ""
    """The first number in it, by which the rows are most often in order."""

    @property
    def page(self) -> int:
        """The page it stands on, from 1."""
        pages = self.table.row_pages
        return pages[self.number] if self.number < len(pages) else self.table.places[0].page


class Excerpt(msgspec.Struct, frozen=True):
    """Rows of one page of one table, written as a table with its head."""

    document: int
    table: Table
    page: int
    text: str


_read: dict[tuple[str, str], dict[str, list[Row]]] = {}


def rows_of(index: Index, device: Device) -> dict[str, list[Row]]:
    """The rows of the lists of a device's manuals by kind, kept for the last few devices."""
    documents = [
        document
        for document in index.documents()
        if document.tables
        and any(b.device.casefold() == device.name.casefold() for b in document.devices)
    ]
    key = (str(index.path), " ".join(f"{d.id}:{d.sha256}" for d in documents))
    if key not in _read:
        if len(_read) >= _KEPT:
            _read.pop(next(iter(_read)))
        _read[key] = read(((d.id, index.tables(d.id)) for d in documents), device)
    return _read[key]


def read(tables: Iterable[tuple[int, Sequence[Table]]], device: Device) -> dict[str, list[Row]]:
    """The rows of the lists among some tables, with the documents these are of."""
    meant = graph(device).names.meant
    known: dict[str, frozenset[str]] = {}

    def peripherals(token: str) -> frozenset[str]:
        if token not in known:
            found = {m.peripheral for m in meant(token) if m.score >= _SURE} if token[1:] else set()
            if not found and token.endswith("X"):
                found = {m.peripheral for m in meant(token[:-1])}  # USARTx is each of them
            known[token] = frozenset(found)
        return known[token]

    lists: dict[str, list[Row]] = {kind: [] for kind in _WANTED}
    for document, some in tables:
        for table in some:
            for kind in kinds_of(table):
                lists[kind] += _rows(document, table, peripherals)
    return lists


def kinds_of(table: Table) -> list[str]:
    """What a table lists a row of each of: interrupts, pins, requests; mostly nothing."""
    found = ["interrupts"] if lists_interrupts(table) else []
    if table.kind == "fields":
        return ["pins"]  # those of its rows that say at which pins a peripheral is
    if table.kind in ("fields", "registers", "values") or len(table.rows) < _LEAST:
        return found
    said = f"{table.caption} {' '.join(table.header)}"
    if table.kind == "pins" or _LISTS_PINS.search(said):
        found.append("pins")
    if is_about_dma(table):
        found.append("requests")
    return found


def _rows(
    document: int, table: Table, peripherals: Callable[[str], frozenset[str]]
) -> Iterator[Row]:
    for number, row in enumerate(table.rows):
        text = " ".join(dict.fromkeys(row))
        pins = frozenset((pin.port, pin.number) for pin in pins_in(text))
        if table.kind == "fields" and not pins:
            continue
        tokens = {squash(token) for token in (*_TOKEN.findall(text), *_HEAD.findall(text))}
        yield Row(
            document,
            table,
            number,
            frozenset[str]().union(*map(peripherals, tokens)),
            pins,
            frozenset(words_in(text)),
            next((cell.strip() for cell in row if cell.strip().isdigit()), ""),
        )


def words_in(text: str) -> set[str]:
    """The words of a text, also those that a name is made of: uart, 1, uart1, tx for UART1_TX."""
    small = text.lower()
    found = set(re.findall(r"[a-z0-9]+", small))
    return found | set(_WORDS.findall(small)) | set(_PARTS.findall(small))


def _begun(words: Collection[str]) -> set[str]:
    """The words and what they begin with: sig of signal, out of output."""
    return {word[:end] for word in words for end in range(_SHORT, len(word))} | set(words)


def excerpts(
    question: str,
    rows: dict[str, list[Row]],
    peripherals: Collection[str],
    pins: Sequence[Pin],
    spoken: Collection[str],
    also: Collection[str] = (),
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
        tables: dict[tuple[int, int], list[tuple[float, Row]]] = {}
        for row in rows[kind]:
            if kind == "interrupts":
                score = _score(row, peripherals, (), spoken, numbers)
            else:
                score = _score(row, peripherals, wanted_pins if kind == "pins" else (), spoken)
            if score:
                tables.setdefault((row.document, row.table.id), []).append((score, row))
        ranked = sorted(tables.values(), key=lambda some: -max(score for score, _ in some))
        for some in ranked[: _MOST_TABLES if kind == "pins" and kind in asked else 1]:
            right = [row for _, row in some if row.place in numbers]
            if kind == "interrupts" and 0 < len(right) <= _MOST_ROWS:
                found += _written(right)
            else:
                found += _written(_best(some))
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
    numbers: Collection[str] = (),
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
