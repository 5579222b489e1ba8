"""A device's registers and peripherals as chunks: the tables that a hover shows.

Peripherals that share their registers (derived from one another) are written once, with all their
names. The elements of an array are one chunk, as in a hover on an element of unknown index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from datasheet_lsp.documents.chunking.pack import joined, pack
from datasheet_lsp.documents.chunking.pieces import Head, Piece, text_pieces
from datasheet_lsp.documents.chunking.settings import ChunkSettings
from datasheet_lsp.documents.chunking.stamp import make_stamp
from datasheet_lsp.documents.tokens import TokenCounter
from datasheet_lsp.model.device import Device, Peripheral, Register
from datasheet_lsp.model.document import Chunk, Document, Section
from datasheet_lsp.model.lookup import Location
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import escape
from datasheet_lsp.render.hover import hover
from datasheet_lsp.render.peripheral import label

_ALL_ROWS = 1 << 30
_NAMES_IN_TITLE = 4
_ROW = 0.3


class _Meant(msgspec.Struct):
    """What a hover is to show."""

    kind: str
    locations: tuple[Location, ...]
    index_unknown: bool = False
    any_of: str = ""
    several: bool = False
    beyond: tuple[int, ...] = ()


class _Group:
    """Peripherals with the same registers, and these with array elements together."""

    def __init__(self, peripherals: list[Peripheral]) -> None:
        self.peripherals = peripherals
        self.names = tuple(peripheral.name for peripheral in peripherals)
        arrays: dict[object, list[Register]] = {}
        for register in peripherals[0].registers:
            array = register.template != register.path
            key = (register.template, id(register.fields)) if array else id(register)
            arrays.setdefault(key, []).append(register)
        self.registers = list(arrays.values())

    @property
    def title(self) -> str:
        shown = ", ".join(self.names[:_NAMES_IN_TITLE])
        more = len(self.names) - _NAMES_IN_TITLE
        return f"{shown} and {more} more" if more > 0 else shown


def _groups(device: Device) -> list[_Group]:
    shared: dict[int, list[Peripheral]] = {}
    for peripheral in device.peripherals:
        # Without registers there is nothing shared: the empty block may be one object for all.
        key = id(peripheral.block) if peripheral.registers else id(peripheral)
        shared.setdefault(key, []).append(peripheral)
    return [_Group(peripherals) for peripherals in shared.values()]


def svd_document(device: Device) -> Document:
    """The device as a document without text: a section for each peripheral and register.

    Its pages are 0, since an SVD file has none.
    """
    sections: list[Section] = []
    for group in _groups(device):
        parent = len(sections)
        name = group.names[0]
        sections.append(_section(parent, None, group.title, name))
        for registers in group.registers:
            title = label(registers)
            sections.append(_section(len(sections), parent, title, name))
    return Document(
        format="svd",
        title=f"{device.name}, {device.source}" if device.source else device.name,
        revision=device.version,
        pages=0,
        labels=(),
        sections=tuple(sections),
        blocks=(),
        tables=(),
        figures=(),
        registers=(),
        source=device.source,
        sha256=device.sha256,
    )


def _section(number: int, parent: int | None, title: str, peripheral: str) -> Section:
    level = 1 if parent is None else 2
    return Section(number, parent, level, "", title, 0, 0.0, 0, "file", peripheral)


def svd_chunks(device: Device, count: TokenCounter, settings: ChunkSettings) -> list[Chunk]:
    """The chunks of ``device``; their sections are those of ``svd_document``."""
    document = svd_document(device)
    found: list[Chunk] = []
    section = 0
    for group in _groups(device):
        for text, symbols in _texts(device, group):
            path = document.heading_path(section)
            stamp = make_stamp(document.title, path, count, settings.maximum // 3)
            frame = count(stamp) + count.special
            for part in _cut(text, count, settings, frame):
                found.append(
                    Chunk(
                        number=len(found),
                        section=section,
                        kind="svd",
                        heading_path=path,
                        text=part,
                        stamp=stamp,
                        tokens=frame + count(part),
                        first_page=0,
                        last_page=0,
                        places=(),
                        symbols=symbols,
                    )
                )
            section += 1
    return found


def _texts(device: Device, group: _Group) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Text and symbols of the peripheral, then of each of its registers."""
    first = group.peripherals[0]
    at = Location(device, first)
    text = hover(_Meant("peripheral", (at,)), max_rows=_ALL_ROWS)
    if len(group.peripherals) > 1:
        text = f"{text}\n\n{_instances(group.peripherals)}"
    groups = tuple({peripheral.group_name: None for peripheral in group.peripherals})
    yield text, tuple(dict.fromkeys(name for name in (*group.names, *groups) if name))
    for registers in group.registers:
        places = tuple(Location(device, first, register) for register in registers)
        text = hover(_Meant("register", places, len(places) > 1), max_rows=_ALL_ROWS)
        others = [
            f"{escape(peripheral.name)} `{words.c_address(_address(peripheral, registers[0]))}`"
            for peripheral in group.peripherals[1:]
        ]
        if others:
            text = f"{text}\n\nThe same in {', '.join(others)}"
        yield text, _symbols(group, registers)


def _address(peripheral: Peripheral, register: Register) -> int:
    return peripheral.base_address + register.offset


def _instances(peripherals: Sequence[Peripheral]) -> str:
    """The peripherals of a group as a table."""
    rows = ["| Instance | Base address | Interrupts |", "| --- | --- | --- |"]
    for peripheral in peripherals:
        lines = ", ".join(f"{i.value} {escape(i.name)}" for i in peripheral.interrupts)
        address = words.c_address(peripheral.base_address)
        rows.append(f"| {escape(peripheral.name)} | {address} | {lines} |")
    return "\n".join(rows)


def _symbols(group: _Group, registers: Sequence[Register]) -> tuple[str, ...]:
    first = registers[0]
    names = [f"{name}.{label(registers)}" for name in group.names]
    names += [register.path for register in registers]
    names += [first.name, first.display_name]
    names += [group.peripherals[0].c_path(first)]
    names += [field.name for field in first.fields]
    names += group.names
    return tuple(dict.fromkeys(name for name in names if name))


def _cut(text: str, count: TokenCounter, settings: ChunkSettings, frame: int) -> list[str]:
    """A hover's text in parts: tables by rows under their header, the title above each part."""
    most = max(16, settings.maximum - frame)
    if count(text) <= most:
        return [text]
    lead = text.partition("\n")[0].rstrip()
    if count(lead) > most // 2:
        lead = ""
    room = max(8, most - count(lead))
    pieces: list[Piece] = []
    for block in text.split("\n\n"):
        lines = block.split("\n")
        if len(lines) > 2 and lines[0].startswith("|"):
            head = Head("\n".join(lines[:2]), count(lines[0]) + count(lines[1]))
            pieces += _rows(lines[2:], head, count, room - head.tokens)
        else:
            pieces += text_pieces(block, "svd", (), count, room)
    parts = []
    least = max(1, settings.minimum - frame - count(lead))
    for at, (begin, end) in enumerate(pack(pieces, least, room)):
        body = joined(pieces[begin:end])
        parts.append(f"{lead}\n\n{body}" if at and lead else body)
    return parts


def _rows(lines: Sequence[str], head: Head, count: TokenCounter, room: int) -> list[Piece]:
    pieces: list[Piece] = []
    for line in lines:
        shorts = text_pieces(line, "svd", (), count, max(8, room))
        for piece in shorts:
            piece.head, piece.joint, piece.cost = head, "\n", _ROW
        pieces += shorts
    if pieces:
        pieces[0].opens, pieces[0].cost, pieces[0].joint = True, 0.0, "\n\n"
    return pieces
