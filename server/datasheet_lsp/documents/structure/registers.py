"""The registers a document describes, gathered from headings, lines, tables and pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from datasheet_lsp.documents.structure.names import plain_name
from datasheet_lsp.documents.structure.reglists import is_register_list
from datasheet_lsp.documents.structure.regtext import (
    caption_register,
    heading_names,
    parse_line,
)
from datasheet_lsp.documents.tables import (
    BitDiagram,
    FieldRow,
    FoundTable,
    diagram_rows,
    field_paragraphs,
    field_rows,
)
from datasheet_lsp.model.document import Place, Section

_FIELD = re.compile(r"^Bits?\s*\[?\d+")


class Event(msgspec.Struct, gc=False):
    """Something in a section: a printed line, a table (with its id) or a register's picture."""

    kind: Literal["line", "table", "diagram"]
    page: int
    place: Place
    text: str = ""
    table: FoundTable | None = None
    id: int = -1
    diagram: BitDiagram | None = None


class Draft(msgspec.Struct, gc=False):
    """A register as far as it is known."""

    name: str
    title: str
    section: int
    place: Place
    offset: int | None = None
    addresses: tuple[int, ...] = ()
    reset: int | None = None
    reset_given: bool = False
    fields: list[FieldRow] = msgspec.field(default_factory=list)
    lines: list[tuple[str, int]] = msgspec.field(default_factory=list)
    tables: list[int] = msgspec.field(default_factory=list)
    diagrams: list[BitDiagram] = msgspec.field(default_factory=list)
    listed: bool = False

    @property
    def given(self) -> bool:
        """Whether the manual says more of it than its name."""
        return bool(
            self.offset is not None
            or self.addresses
            or self.reset_given
            or self.fields
            or self.lines
            or self.diagrams
        )


def section_registers(section: Section, events: Sequence[Event]) -> list[Draft]:
    """The registers described in a section, without those of register lists."""
    walk = _Walk(section)
    for event in events:
        if event.kind == "line":
            walk.line(event)
        elif event.kind == "table" and event.table is not None:
            walk.table(event, event.table)
        elif event.diagram is not None:
            walk.diagram(event, event.diagram)
    return walk.finish()


class _Walk:
    def __init__(self, section: Section) -> None:
        self.section = section
        names, offsets = heading_names(section.title)
        place = Place(section.page, (0.0, section.top, 0.0, section.top))
        title = _bare_title(section.title, names)
        self.drafts = [
            Draft(n, title, section.id, place, offsets[i] if i < len(offsets) else None)
            for i, n in enumerate(names)
        ]
        self._headed = bool(names)
        # With several names in the heading what follows is about all of them, until told apart.
        self.current: list[Draft] = list(self.drafts)
        self._in_fields = False
        self._said = bool(offsets)

    def _unnamed(self, event: Event) -> list[Draft]:
        if not self.current:
            draft = Draft("", self.section.title, self.section.id, event.place)
            self.drafts.append(draft)
            self.current = [draft]
        return self.current

    def line(self, event: Event) -> None:
        text = event.text
        if self._in_fields or _FIELD.match(text):
            if _FIELD.match(text) or self._in_fields:
                self._in_fields = True
                for draft in self._unnamed(event)[:1]:
                    draft.lines.append((text, event.page))
            return
        said = parse_line(text)
        if said is None:
            return
        if said.kind == "offset":
            drafts = self._unnamed(event)
            if len(said.numbers) == len(drafts):
                for draft, n in zip(drafts, said.numbers, strict=True):
                    draft.offset = n if draft.offset is None else draft.offset
            elif len(drafts) == 1 and drafts[0].offset is None:
                drafts[0].offset = said.numbers[0]
        elif said.kind == "address":
            for draft in self._unnamed(event)[:1]:
                large = tuple(n for n in said.numbers if n >= 0x10000)
                if large:
                    draft.addresses += tuple(n for n in large if n not in draft.addresses)
                elif draft.offset is None:
                    draft.offset = said.numbers[0]
        elif self.current:
            for draft in self.current:
                if not draft.reset_given or said.general:
                    draft.reset = said.reset
                draft.reset_given = True

    def table(self, event: Event, table: FoundTable) -> None:
        self._in_fields = False
        if table.kind != "fields" or is_register_list(table):
            return
        rows = field_rows(table)
        caption = caption_register(table.caption)
        if caption is not None and not self._is_current(caption.name):
            draft = next((d for d in self.drafts if _same(d.name, caption.name)), None)
            if draft is None:
                unnamed = len(self.current) == 1 and not self.current[0].name
                if unnamed and not self.current[0].fields:
                    draft = self.current[0]
                    draft.name = caption.name
                elif (
                    self._headed
                    and len(self.drafts) == 1
                    and not self.drafts[0].fields
                    and (contains(self.drafts[0].name, caption.name))
                ):
                    draft = self.drafts[0]
                else:
                    title = "" if self.drafts else self.section.title
                    draft = Draft(caption.name, title, self.section.id, event.place)
                    self.drafts.append(draft)
            self.current = [draft]
        if not rows and caption is None:
            return
        drafts = self._unnamed(event)
        # A table without a name right after another register's fields says more of that one.
        draft = drafts[0]
        if caption is not None:
            draft.title = caption.title or draft.title
            draft.offset = caption.offset if draft.offset is None else draft.offset
            # As printed, one for each instance: two that are equal are a slip of the manual.
            draft.addresses = draft.addresses or caption.addresses
            if not draft.tables:
                draft.place = event.place
        draft.fields.extend(rows)
        draft.tables.append(event.id)
        if table.diagram is not None:
            self._reset_from(draft, table.diagram)

    def _is_current(self, name: str) -> bool:
        return len(self.current) == 1 and _same(self.current[0].name, name)

    @staticmethod
    def _reset_from(draft: Draft, diagram: BitDiagram) -> None:
        if draft.reset_given:
            return
        value = drawn_reset(diagram)
        if value is not None:
            draft.reset = value
            draft.reset_given = True

    def diagram(self, event: Event, diagram: BitDiagram) -> None:
        self._in_fields = False
        for draft in self.current[:1]:
            draft.diagrams.append(diagram)

    def _share_diagrams(self) -> None:
        """One picture each for the registers of a heading that names several."""
        first = self.drafts[0] if self.drafts else None
        if first is None or not 1 < len(self.drafts) == len(first.diagrams):
            return
        for draft, diagram in zip(self.drafts, first.diagrams[:], strict=True):
            draft.diagrams = [diagram]

    def finish(self) -> list[Draft]:
        self._share_diagrams()
        if len(self.drafts) > 1 and not self._headed:
            # The heading is about all of them together.
            for draft in self.drafts:
                if draft.title == self.section.title:
                    draft.title = ""
        kept = []
        for draft in self.drafts:
            if draft.lines:
                texts = [text for text, _ in draft.lines]
                draft.fields.extend(field_paragraphs(texts, pages=[p for _, p in draft.lines]))
            if not draft.fields and len(draft.diagrams) == 1:
                draft.fields.extend(diagram_rows(draft.diagrams[0]))
                self._reset_from(draft, draft.diagrams[0])
            if not draft.given:
                continue
            if not draft.name and not draft.fields:
                continue
            if not draft.name and draft.offset is None and not draft.addresses:
                if "register" not in draft.title.lower() and not draft.lines:
                    continue
            if self._headed and not draft.fields and not draft.reset_given:
                if draft.offset is None and not draft.addresses and not draft.diagrams:
                    continue
            kept.append(draft)
        return kept


def drawn_reset(diagram: BitDiagram) -> int | None:
    """The reset value whose digits are drawn in a picture; None where one is missing."""
    value = 0
    seen = 0
    for cell in diagram.cells:
        width = cell.msb - cell.lsb + 1
        digits = cell.reset.replace(" ", "")
        if len(digits) != width or digits.strip("01"):
            return None
        value |= int(digits, 2) << cell.lsb
        seen += width
    return value if seen == diagram.width else None


def _same(a: str, b: str) -> bool:
    return plain_name(a) == plain_name(b)


def contains(a: str, b: str) -> bool:
    """Whether one name is the other with a prefix: RCC_CFGR and CFGR."""
    x, y = plain_name(a), plain_name(b)
    return x.endswith(y) or y.endswith(x)


def _bare_title(title: str, names: Sequence[str]) -> str:
    """A register heading without the names in it."""
    bare = title
    for name in names:
        bare = bare.replace(f"({name})", "").replace(name, "")
    bare = re.sub(r"\(\s*[,\sand]*\)|\(\s*x\s*=[^)]*\)?", " ", bare)
    bare = re.sub(r"[“”\"]|(?:,|\band\b|\bthrough\b|\s)+$", " ", bare)
    bare = " ".join(bare.split()).strip(" -–—,:")
    return bare or title
