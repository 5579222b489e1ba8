"""The manuals' lists, of which one row is wanted: interrupts, DMA requests, pins and signals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from datasheet_lsp.answer.plan.naming import Peripherals, squash
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.model.document import Table

ListKind = Literal["interrupts", "requests", "pins"]

_INTERRUPTS = re.compile(r"\binterrupts?\b|\bexceptions?\b|\bIRQ", re.IGNORECASE)
_PINS = re.compile(r"\bpins?\b|\bpads?\b|signals?\b|\bGPIO|remap|alternate|\bIOF", re.IGNORECASE)
_INTEGER = re.compile(r"\d{1,3}")
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_HEAD = re.compile(r"\b[A-Z][A-Z0-9]*\d(?=[A-Z]{2})")
"""U1 of U1TXD, I2C1 of I2C1RM."""
_WORDS = re.compile(r"[a-z]+\d*|\d+")
_PARTS = re.compile(r"[a-z]+|\d+")
_FEW = 4
_LEAST = 2
_SURE = 0.9


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


class Lists:
    """The rows of the lists among a device's tables, by kind."""

    def __init__(self, names: Peripherals) -> None:
        self.rows: dict[ListKind, list[Row]] = {"interrupts": [], "requests": [], "pins": []}
        self._names = names
        self._known: dict[str, frozenset[str]] = {}

    def add(self, document: int, table: Table) -> None:
        """Take in the rows of a table, where it is a list."""
        for kind in kinds_of(table):
            self.rows[kind] += _rows(document, table, self._peripherals)

    def _peripherals(self, token: str) -> frozenset[str]:
        if token not in self._known:
            meant = self._names.meant(token) if token[1:] else []
            found = {match.peripheral for match in meant if match.score >= _SURE}
            if not found and token.endswith("X"):
                # USARTx is each of them.
                found = {match.peripheral for match in self._names.meant(token[:-1])}
            self._known[token] = frozenset(found)
        return self._known[token]


def kinds_of(table: Table) -> list[ListKind]:
    """What a table lists a row of each of: interrupts, pins, requests; mostly nothing."""
    found: list[ListKind] = ["interrupts"] if lists_interrupts(table) else []
    if table.kind == "fields":
        return ["pins"]  # those of its rows that say at which pins a peripheral is
    if table.kind in ("registers", "values") or len(table.rows) < _LEAST:
        return found
    said = f"{table.caption} {' '.join(table.header)}"
    if table.kind == "pins" or _PINS.search(said):
        found.append("pins")
    if is_about_dma(table):
        found.append("requests")
    return found


def is_about_dma(table: Table) -> bool:
    """Whether a table has a row or a column for each channel of a DMA controller."""
    said = f"{table.caption} {' '.join(table.header)}"
    return bool(re.search(r"\bu?DMA", said)) and bool(
        re.search(r"channel|request|stream", said, re.I)
    )


def lists_interrupts(table: Table) -> bool:
    """Whether a table has a row for each interrupt: a vector table, or one of sources."""
    if table.kind == "interrupts":
        return True
    if table.kind == "registers":
        # One with names and addresses, and these are of vectors.
        return bool(re.search(r"\bvectors?\b", table.caption, re.IGNORECASE))
    said = f"{table.caption} {' '.join(table.header)}"
    if table.kind != "other" or not _INTERRUPTS.search(said):
        return False
    return sum(any(_INTEGER.fullmatch(cell.strip()) for cell in row) for row in table.rows) > _FEW


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
