"""Whether the names in a document's tables keep their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from datasheet_lsp.documents.page import PageData
from datasheet_lsp.model.document import Box, Document, Table

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
_TOKEN = re.compile(r"\w+")


class NameScore(msgspec.Struct, frozen=True, gc=False):
    """Names with an underscore that are printed in tables, each once for each table and page.

    ``kept`` are those that stand in the table as it was read. ``lost`` has up to 20 of the others,
    each with its page.
    """

    names: int
    kept: int
    lost: tuple[tuple[str, int], ...]


Printed = dict[int, list[tuple[int, str]]]
"""For each page the names printed in tables, with the table's id."""


def printed_names(document: Document, pages: Iterable[PageData]) -> Printed:
    """The names with an underscore that stand in the boxes of the document's tables."""
    boxes: dict[int, list[tuple[int, Box]]] = {}
    for table in document.tables:
        for place in table.places:
            boxes.setdefault(place.page, []).append((table.id, place.box))
    printed: Printed = {}
    for page in pages:
        here = boxes.get(page.number)
        if not here:
            continue
        names: dict[tuple[int, str], None] = {}
        for word in page.words:
            for name in _NAME.findall(word.text) if "_" in word.text else ():
                x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
                for number, (x0, y0, x1, y1) in here:
                    if x0 <= x <= x1 and y0 <= y <= y1:
                        names[number, name] = None
        printed[page.number] = list(names)
    return printed


def name_score(
    document: Document, printed: Printed, pages: Iterable[int] | None = None
) -> NameScore:
    """How many of the printed names the document's tables have; on ``pages`` only if given."""
    texts = {table.id: _tokens(_cells(table)) for table in document.tables}
    found = []
    for page in printed if pages is None else pages:
        for table, name in printed.get(page, ()):
            found.append((name, page, _has(texts[table], name)))
    return _score(found)


def peer_name_score(printed: Printed, texts: dict[int, Sequence[str]]) -> NameScore:
    """How many of the names another tool has anywhere in its text of the page."""
    found = []
    for page, lines in texts.items():
        tokens = _tokens(lines)
        for _, name in printed.get(page, ()):
            found.append((name, page, _has(tokens, name)))
    return _score(found)


def _score(found: Sequence[tuple[str, int, bool]]) -> NameScore:
    lost = [(name, page) for name, page, kept in found if not kept]
    return NameScore(len(found), len(found) - len(lost), tuple(lost[:20]))


def _cells(table: Table) -> list[str]:
    return [table.caption, *table.header, *(cell for row in table.rows for cell in row)]


def _tokens(texts: Iterable[str]) -> set[str]:
    return {token for text in texts for token in _TOKEN.findall(text)}


def _has(tokens: set[str], name: str) -> bool:
    # A piece of a name that is wrapped stands in the table within the whole name.
    return name in tokens or any(name in token for token in tokens)
