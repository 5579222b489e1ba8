"""The page at which a manual describes a register best, found when the manual comes in."""

from __future__ import annotations

from collections import Counter
from typing import Any

import apsw

from datasheet_lsp.index.records import RegisterPage
from datasheet_lsp.model.document import Document, RegisterText, Section

Rows = list[tuple[Any, ...]]


def homes(document: Document) -> Rows:
    """Path, page, heading and number of fields of the best description of each SVD register.

    That is the one with the most fields: a register stands in lists and overviews too. Of equal
    ones it is that of the section with the fewest registers, which has it as its subject.
    """
    crowd = Counter(each.section for each in document.registers)
    best: dict[str, tuple[tuple[int, int], RegisterText]] = {}
    for each in document.registers:
        mark = (len(each.fields), -crowd[each.section])
        for path in each.matches:
            if path not in best or mark > best[path][0]:
                best[path] = (mark, each)
    return [
        (path, each.place.page, _heading(document.sections, each), mark[0])
        for path, (mark, each) in best.items()
    ]


def _heading(sections: tuple[Section, ...], register: RegisterText) -> str:
    """``30.6.3 Baud rate register``; with the register's title where the section has another."""
    section = sections[register.section] if 0 <= register.section < len(sections) else None
    if section is None:
        return register.title or register.name
    heading = f"{section.number} {section.title}".strip()
    title = register.title.rstrip(". ")
    named = heading.casefold()
    if not title or title.casefold() in named or register.name.casefold() in named:
        return heading
    return f"{heading}: {title}"


def register_pages(connection: apsw.Connection, device: str) -> list[RegisterPage]:
    """Where the manuals of ``device`` describe its registers, each at its best place."""
    found: dict[str, RegisterPage] = {}
    for row in connection.execute(
        "SELECT p.path, p.document, p.page, p.heading FROM register_pages p"
        " JOIN documents d ON d.id = p.document"
        " JOIN document_devices b ON b.document = p.document AND b.device = ?"
        " ORDER BY p.fields DESC, d.registers DESC, d.id",
        (device,),
    ):
        found.setdefault(row[0], RegisterPage(*row))
    return list(found.values())
