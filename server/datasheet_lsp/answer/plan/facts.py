"""What the tables of the manuals say: interrupt numbers, DMA channels, signals of pins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from datasheet_lsp.answer.plan.graph import graph
from datasheet_lsp.answer.plan.lists import ListKind, Lists, Row, is_about_dma, lists_interrupts
from datasheet_lsp.answer.plan.model import Pin, Place
from datasheet_lsp.answer.plan.naming import squash
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.index import Index
from datasheet_lsp.model import Device
from datasheet_lsp.model.document import Table

_SIGNAL = re.compile(r"[A-Z][A-Z0-9]{0,9}_[A-Z0-9_+\-]+")
_CHANNEL = re.compile(r"(?:channel|ch|stream)\s*(\d+)", re.IGNORECASE)
_INTEGER = re.compile(r"\d{1,3}")
_AF = re.compile(r"\b(?:AF|ALT)\s?(\d{1,2})\b")
_KEPT = 4


class PinFact(msgspec.Struct, frozen=True):
    """A signal at a pin; ``function`` is the column that says so ("AF7"), or ""."""

    signal: str
    pin: Pin
    function: str
    place: Place


class DmaFact(msgspec.Struct, frozen=True):
    """A request with the channel that it has; ``controller`` ("DMA1") where the table says it.

    Where a table has streams too, ``channel`` is the stream, whose registers are set up, and
    ``select`` the number that chooses the request there; else that is None.
    """

    request: str
    channel: int
    controller: str
    place: Place
    select: int | None = None


class InterruptFact(msgspec.Struct, frozen=True):
    """A row of a vector table."""

    name: str
    number: int
    place: Place


class ManualFacts(msgspec.Struct, frozen=True):
    """What is known of a device from its manuals."""

    pins: tuple[PinFact, ...] = ()
    dma: tuple[DmaFact, ...] = ()
    interrupts: tuple[InterruptFact, ...] = ()
    rows: Mapping[ListKind, Sequence[Row]] = {}
    """The rows of the manuals' lists."""

    def signals(self, peripheral: str) -> list[PinFact]:
        """The pins of a peripheral's signals, each pin of a signal once."""
        return [fact for fact in self.pins if _is_of(fact.signal, peripheral)]

    def at(self, pin: Pin) -> list[PinFact]:
        """The signals of a pin."""
        return [f for f in self.pins if (f.pin.port, f.pin.number) == (pin.port, pin.number)]

    def requests(self, peripheral: str, sends: bool | None = None) -> list[DmaFact]:
        """The DMA requests of a peripheral; those that send or receive first, where it is said."""
        found = [fact for fact in self.dma if _is_of(fact.request, peripheral)]
        if sends is not None:
            wanted = "TX" if sends else "RX"
            found.sort(key=lambda fact: wanted not in fact.request.upper())
        return found

    def interrupt(self, name: str, number: int) -> InterruptFact | None:
        """The row of the vector table for an interrupt."""
        wanted = squash(name)
        for fact in self.interrupts:
            if squash(re.sub(r"_?IRQ\w*$|_?Handler$", "", fact.name)) == wanted:
                return fact
        return next((f for f in self.interrupts if f.number == number), None)


def _is_of(signal: str, peripheral: str) -> bool:
    """Whether a signal (USART2_TX, USART0_RX_DMA, U0_TXD) is the peripheral's."""
    head = squash(signal.split("_")[0])
    return head == squash(peripheral)


_read: dict[tuple[str, str], ManualFacts] = {}


def facts_of(index: Index | None, device: Device) -> ManualFacts:
    """The facts of the manuals that belong to ``device``, kept for the last few devices."""
    if index is None:
        return ManualFacts()
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
        tables = ((document.id, index.tables(document.id)) for document in documents)
        _read[key] = read(tables, Lists(graph(device).names))
    return _read[key]


def read(tables: Iterable[tuple[int, Sequence[Table]]], lists: Lists | None = None) -> ManualFacts:
    """The facts of some tables with the documents they are of; ``lists`` gathers rows."""
    pins: dict[tuple[str, str, int], PinFact] = {}
    dma: dict[tuple[str, int, str], DmaFact] = {}
    interrupts: list[InterruptFact] = []
    for document, rows in tables:
        for table in rows:
            if lists is not None:
                lists.add(document, table)
            listed = lists_interrupts(table)
            if table.kind in ("fields", "registers") and not listed:
                continue
            if is_about_dma(table):
                for request in _dma(document, table):
                    key = (request.request, request.channel, request.controller)
                    dma.setdefault(key, request)
            elif listed:
                interrupts += _interrupts(document, table)
            else:
                for fact in _pins(document, table):
                    pins.setdefault((fact.signal, fact.pin.port, fact.pin.number), fact)
    gathered = lists.rows if lists is not None else {}
    return ManualFacts(tuple(pins.values()), tuple(dma.values()), tuple(interrupts), gathered)


def _place(document: int, table: Table, row: int) -> Place:
    page = table.row_pages[row] if row < len(table.row_pages) else table.places[0].page
    return Place(document, page, table.number or table.caption)


def _dma(document: int, table: Table) -> Iterator[DmaFact]:
    controller = re.search(r"\bu?DMA\d?\b", table.caption)
    named = controller[0] if controller else ""
    columns = {i: int(m[1]) for i, h in enumerate(table.header) if (m := _CHANNEL.search(h))}
    channel = next((i for i, h in enumerate(table.header) if "channel" in h.lower()), None)
    streams = any("stream" in table.header[i].lower() for i in columns)
    for number, row in enumerate(table.rows):
        place = _place(document, table, number)
        if len(columns) > 1:
            other = _row_number(table.header, row, columns, streams)
            if other is None and not streams and _has_streams(table.header, columns):
                continue  # which stream the row is about is not known
            for i, n in columns.items():
                at, select = (n, other) if streams or other is None else (other, n)
                for signal in _SIGNAL.findall(row[i]):
                    yield DmaFact(signal, at, named, place, select)
        elif channel is not None and _INTEGER.fullmatch(row[channel].strip()):
            for i, cell in enumerate(row):
                if i != channel and "mux" not in table.header[i].lower():
                    for signal in _SIGNAL.findall(cell):
                        yield DmaFact(signal, int(row[channel]), named, place)


def _has_streams(header: Sequence[str], columns: Mapping[int, int]) -> bool:
    return any("stream" in h.lower() for i, h in enumerate(header) if i not in columns)


def _row_number(
    header: Sequence[str], row: Sequence[str], columns: Mapping[int, int], streams: bool
) -> int | None:
    """The channel of a row below streams, or the stream of one below channels; else None."""
    word = "channel" if streams else "stream"
    for i, cell in enumerate(row):
        if i in columns:
            continue
        said = re.fullmatch(rf"(?:{word}|ch)?\s*(\d{{1,2}})", cell.strip(), re.IGNORECASE)
        if said and (word in cell.lower() or word in header[i].lower() or streams):
            return int(said[1])
    return None


def _interrupts(document: int, table: Table) -> Iterator[InterruptFact]:
    header = [h.lower() for h in table.header]
    numbers = next(
        (i for i, h in enumerate(header) if re.search(r"number|no\.|position|^irq|vector", h)), None
    )
    names = next(
        (i for i, h in enumerate(header) if re.search(r"name|acronym|source|symbol", h)), None
    )
    if numbers is None or names is None:
        return
    for row_number, row in enumerate(table.rows):
        if _INTEGER.fullmatch(row[numbers].strip()) and row[names].strip():
            yield InterruptFact(
                row[names].strip(), int(row[numbers]), _place(document, table, row_number)
            )


def _column(header: str) -> str:
    """A column's name where it is one, and no text of somebody else's."""
    return header if re.fullmatch(r"[\w.=/-]{1,12}", header) else ""


def _pins(document: int, table: Table) -> Iterator[PinFact]:
    for number, row in enumerate(table.rows):
        named = [(i, found) for i, cell in enumerate(row) if (found := pins_in(cell))]
        if not named:
            continue
        first = named[0][1][0]
        place = _place(document, table, number)
        every = {(pin.port, pin.number) for _, found in named for pin in found}
        if len(every) == 1:
            for i, cell in enumerate(row):
                column = _AF.search(table.header[i])
                for signal in _SIGNAL.findall(cell):
                    if not pins_in(signal):
                        yield PinFact(signal, first, column[0] if column else "", place)
            continue
        signals = _SIGNAL.findall(row[0]) or _SIGNAL.findall(" ".join(row[:2]))
        signals = [signal for signal in signals if not pins_in(signal)]
        if len(signals) == 1:
            for i, found in named:
                for pin in found:
                    yield PinFact(signals[0], pin, _column(table.header[i]), place)
