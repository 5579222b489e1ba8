"""A document's chunks: each within one section, a register with its fields in one if it fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from datasheet_lsp.documents.chunking.pack import joined, pack, tail_of
from datasheet_lsp.documents.chunking.pieces import (
    NEVER,
    Piece,
    pages_of,
    price_joins,
    text_pieces,
)
from datasheet_lsp.documents.chunking.places import merged
from datasheet_lsp.documents.chunking.settings import ChunkSettings
from datasheet_lsp.documents.chunking.stamp import document_name, make_stamp
from datasheet_lsp.documents.chunking.tables import caption_of, table_pieces
from datasheet_lsp.documents.chunking.units import Unit, field_table, lead_of, units_of
from datasheet_lsp.documents.tokens import TokenCounter
from datasheet_lsp.model.document import Block, Chunk, ChunkKind, Document, Place, Section


def make_chunks(document: Document, count: TokenCounter, settings: ChunkSettings) -> list[Chunk]:
    """The chunks of ``document`` in reading order; those of a section follow one another."""
    return list(_Maker(document, count, settings).chunks())


_WORD = re.compile(r"\w+")


class _Maker:
    def __init__(self, document: Document, count: TokenCounter, settings: ChunkSettings) -> None:
        self.document = document
        self.count = count
        self.settings = settings
        self.linear = settings.layout == "linear"
        self.name = document_name(document.title, document.revision, document.source)
        self.number = 0
        self.registers = frozenset(register.name for register in document.registers)

    def chunks(self) -> Iterator[Chunk]:
        document = self.document
        blocks: dict[int, list[Block]] = {}
        for block in document.blocks:
            blocks.setdefault(block.section, []).append(block)
        registers = {register.section for register in document.registers}
        inner = {section.parent for section in document.sections}
        for section in self._order(blocks):
            here = blocks.get(section, [])
            found = False
            for chunk in self._section(section, here, section in registers):
                found = True
                yield chunk
            if not found and section not in inner and section < len(document.sections):
                yield from self._title(document.sections[section])

    def _order(self, blocks: dict[int, list[Block]]) -> Iterable[int]:
        known = range(len(self.document.sections))
        return [*(section for section in blocks if section not in known), *known]

    def _section(self, section: int, blocks: list[Block], has_registers: bool) -> Iterator[Chunk]:
        path = self._path(section)
        settings = self.settings
        stamp = make_stamp(self.name, path, self.count, settings.maximum // 3)
        frame = self.count(stamp) + self.count.special
        most = max(16, settings.maximum - frame)
        least = max(1, settings.minimum - frame)
        figures: list[Block] = []
        for unit in units_of(self.document, section, blocks, has_registers):
            figures += [block for block in unit.blocks if block.kind == "figure"]
            yield from self._unit(unit, section, path, stamp, frame, least, most)
        for block in figures:
            yield from self._figure(block, section, path, stamp, frame, most)

    def _unit(
        self,
        unit: Unit,
        section: int,
        path: tuple[str, ...],
        stamp: str,
        frame: int,
        least: int,
        most: int,
    ) -> Iterator[Chunk]:
        register = unit.register
        lead = lead_of(register) if register is not None else ""
        lead_tokens = self.count(lead)
        if lead_tokens > most // 2:
            lead, lead_tokens = "", 0
        overlap = min(self.settings.overlap, most // 4)
        room = max(8, most - lead_tokens - overlap)
        pieces = self._pieces(unit, room)
        if not pieces:
            if not lead or register is None:
                return
            place = (register.place,)
            pieces = [Piece("", 0, "register", place, *pages_of(place))]
        ranges = pack(pieces, max(1, least - lead_tokens), room)
        for at, (first, end) in enumerate(ranges):
            part = pieces[first:end]
            body = joined(part)
            if at and overlap and part[0].kind in ("text", "list", "note"):
                before = tail_of(pieces[ranges[at - 1][0] : first], overlap, self.count)
                body = f"{before}\n{body}" if before else body
            text = f"{lead}\n\n{body}".strip() if lead else body
            places = merged(place for piece in part for place in piece.places)
            if register is not None:
                kind: ChunkKind = "register"
                if at == 0 and register.place.box[0] < register.place.box[2]:
                    places = merged((register.place, *places))
            else:
                kind = _kind(part)
            symbols = self._symbols(unit, section, text, kind)
            pages = _pages(part)
            yield self._chunk(section, kind, path, text, stamp, frame, pages, places, symbols)

    def _pieces(self, unit: Unit, room: int) -> list[Piece]:
        pieces: list[Piece] = []
        keep = 0
        for block in unit.blocks:
            if block.kind == "figure":
                continue
            table = None
            if block.kind == "table":
                if block.ref is None or not 0 <= block.ref < len(self.document.tables):
                    continue
                table = self.document.tables[block.ref]
                made = table_pieces(table, self.count, room, linear=self.linear)
            else:
                made = text_pieces(
                    block.text, block.kind, block.places, self.count, room, linear=self.linear
                )
            pieces += made
            if table is not None and unit.register is not None and table.kind == "fields":
                keep = len(pieces)
        if unit.register is not None:
            fields = field_table(unit.register, "\n".join(piece.text for piece in pieces))
            if fields is not None:
                pieces += table_pieces(fields, self.count, room, linear=self.linear)
                keep = len(pieces)
        price_joins(pieces)
        if keep:
            _keep_together(pieces, keep, room)
        return pieces

    def _figure(
        self,
        block: Block,
        section: int,
        path: tuple[str, ...],
        stamp: str,
        frame: int,
        most: int,
    ) -> Iterator[Chunk]:
        if block.ref is None or not 0 <= block.ref < len(self.document.figures):
            return
        figure = self.document.figures[block.ref]
        text = caption_of(figure.number, figure.caption, "Figure")
        if not text.strip():
            return
        places = (figure.place,)
        for piece in text_pieces(text, "figure", places, self.count, most):
            symbols = self._symbols(Unit(None, []), section, piece.text, "figure")
            pages = (figure.place.page, figure.place.page)
            yield self._chunk(
                section, "figure", path, piece.text, stamp, frame, pages, places, symbols
            )

    def _title(self, section: Section) -> Iterator[Chunk]:
        """A section without text, such as a page that is one drawing: its title can be found."""
        path = self._path(section.id)
        stamp = make_stamp(self.name, path, self.count, self.settings.maximum // 3)
        frame = self.count(stamp) + self.count.special
        text = f"{section.number} {section.title}".strip()
        if not text:
            return
        (text, *_) = text_pieces_of(text, self.count, max(16, self.settings.maximum - frame))
        symbols = self._symbols(Unit(None, []), section.id, text, "text")
        pages = (section.page, section.page)
        yield self._chunk(section.id, "text", path, text, stamp, frame, pages, (), symbols)

    def _chunk(
        self,
        section: int,
        kind: ChunkKind,
        path: tuple[str, ...],
        text: str,
        stamp: str,
        frame: int,
        pages: tuple[int, int],
        places: tuple[Place, ...],
        symbols: tuple[str, ...],
    ) -> Chunk:
        number = self.number
        self.number += 1
        if pages == (0, 0) and 0 <= section < len(self.document.sections):
            page = self.document.sections[section].page
            pages = (page, page)
        return Chunk(
            number=number,
            section=section,
            kind=kind,
            heading_path=path,
            text=text,
            stamp=stamp,
            tokens=frame + self.count(text),
            first_page=pages[0],
            last_page=pages[1],
            places=places,
            symbols=symbols,
        )

    def _path(self, section: int) -> tuple[str, ...]:
        if not 0 <= section < len(self.document.sections):
            return ()
        return tuple(title for title in self.document.heading_path(section) if title)

    def _symbols(self, unit: Unit, section: int, text: str, kind: ChunkKind) -> tuple[str, ...]:
        names: list[str] = []
        peripheral = ""
        if 0 <= section < len(self.document.sections):
            inside = self.document.ancestors(section)
            peripheral = next((s.peripheral for s in inside if s.peripheral), "")
        register = unit.register
        if register is not None:
            names += (register.name, *register.matches)
            said = set(_WORD.findall(text))
            names += (field.name for field in register.fields if field.name in said)
        elif kind == "table" and self.registers:
            words = text.replace("|", " ").split()
            names += (word for word in words if word in self.registers)
        if peripheral:
            names.append(peripheral)
        return tuple(dict.fromkeys(name for name in names if name))


def text_pieces_of(text: str, count: TokenCounter, most: int) -> list[str]:
    """``text`` in parts of at most ``most`` tokens; at least one."""
    return [piece.text for piece in text_pieces(text, "text", (), count, most)] or [text]


def _keep_together(pieces: Sequence[Piece], end: int, room: int) -> None:
    """No breaks before piece ``end`` where all up to there fits into one chunk."""
    total = 0
    for piece in pieces[:end]:
        total += piece.tokens
        if piece.head is not None and piece.opens:
            total += piece.head.tokens
    if total <= room:
        for piece in pieces[1:end]:
            piece.cost = NEVER


def _kind(pieces: Sequence[Piece]) -> ChunkKind:
    """What most of a chunk is."""
    totals: dict[ChunkKind, int] = {}
    for piece in pieces:
        totals[piece.kind] = totals.get(piece.kind, 0) + piece.tokens
    return max(totals, key=lambda kind: totals[kind])


def _pages(pieces: Sequence[Piece]) -> tuple[int, int]:
    """From the first page to the last."""
    firsts = [piece.first_page for piece in pieces if piece.first_page]
    lasts = [piece.last_page for piece in pieces if piece.last_page]
    return (min(firsts), max(lasts)) if firsts else (0, 0)
