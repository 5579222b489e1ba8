"""Documents written by hand."""

from __future__ import annotations

from typing import Any

from datasheet_lsp.model.document import (
    Block,
    BlockKind,
    Document,
    Figure,
    Place,
    RegisterText,
    Section,
    Table,
    TableKind,
)


class Writer:
    """Puts a document together in reading order; ``page`` and ``y`` are where the next part is."""

    def __init__(self, title: str = "ACME1 manual", revision: str = "Rev 2") -> None:
        self.title = title
        self.revision = revision
        self.sections: list[Section] = []
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.figures: list[Figure] = []
        self.registers: list[RegisterText] = []
        self.page = 1
        self.y = 50.0

    def place(self, height: float = 10.0) -> Place:
        place = Place(self.page, (50.0, self.y, 500.0, self.y + height))
        self.y += height + 5
        return place

    def turn(self) -> None:
        self.page += 1
        self.y = 50.0

    def section(self, title: str, parent: int | None = None, **more: Any) -> int:
        number = len(self.sections)
        level = 1 if parent is None else self.sections[parent].level + 1
        top = self.place().box[1]
        self.sections.append(
            Section(number, parent, level, "", title, self.page, top, self.page, "outline", **more)
        )
        return number

    def text(self, text: str, kind: BlockKind = "text", places: tuple[Place, ...] = ()) -> None:
        here = places or (self.place(),)
        self.blocks.append(Block(kind, len(self.sections) - 1, here, text))

    def table(
        self,
        header: tuple[str, ...],
        rows: list[tuple[str, ...]],
        *,
        caption: str = "",
        number: str = "",
        kind: TableKind = "other",
        pages: list[int] | None = None,
    ) -> int:
        section = len(self.sections) - 1
        row_pages = tuple(pages or [self.page] * len(rows))
        places = tuple(
            Place(page, (50.0, 100.0, 500.0, 700.0)) for page in sorted({*row_pages, self.page})
        )
        self.page = max(row_pages, default=self.page)
        self.tables.append(
            Table(
                len(self.tables),
                section,
                number,
                caption,
                header,
                tuple(rows),
                row_pages,
                places,
                kind,
            )
        )
        self.blocks.append(Block("table", section, places, ref=len(self.tables) - 1))
        return len(self.tables) - 1

    def figure(self, caption: str, number: str = "") -> None:
        section = len(self.sections) - 1
        place = self.place(200.0)
        self.figures.append(Figure(len(self.figures), section, number, caption, place))
        self.blocks.append(Block("figure", section, (place,), ref=len(self.figures) - 1))

    def register(self, name: str, title: str = "", **more: Any) -> None:
        given: dict[str, Any] = {
            "offset": None,
            "addresses": (),
            "reset": None,
            "fields": (),
            "place": self.place(),
            **more,
        }
        section = len(self.sections) - 1
        self.registers.append(RegisterText(name=name, title=title, section=section, **given))

    def document(self) -> Document:
        return Document(
            format="pdf",
            title=self.title,
            revision=self.revision,
            pages=self.page,
            labels=(),
            sections=tuple(self.sections),
            blocks=tuple(self.blocks),
            tables=tuple(self.tables),
            figures=tuple(self.figures),
            registers=tuple(self.registers),
            source="acme1.pdf",
        )


def prose(words: int, start: int = 0) -> str:
    """Sentences of ten plain words of one token each, no two words alike within 900."""
    vocabulary = (
        "time year people way day man thing woman life child world school state family student "
        "group country problem hand part place case week company system program question work "
        "government number night point home water room mother area money story fact month lot "
        "right study book eye job word business issue side kind head house service friend father "
        "power hour game line end member law car city community name president team minute idea "
        "body information back parent face others level office door health person art war history "
        "party result change morning reason research girl guy moment air teacher force education"
    ).split()
    out = []
    for i in range(start, start + words):
        word = vocabulary[i % len(vocabulary)]
        first = (i - start) % 10 == 0
        last = (i - start) % 10 == 9 or i == start + words - 1
        out.append((word.capitalize() if first else word) + ("." if last else ""))
    return " ".join(out)
