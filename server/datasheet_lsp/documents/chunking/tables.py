"""A table as the text of chunks: its rows, each of which may begin a new chunk under the header."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.documents.chunking.pieces import (
    Count,
    Head,
    Piece,
    pages_of,
    text_pieces,
    words_within,
)
from datasheet_lsp.model.document import Place, Table

_BETWEEN_ROWS = 0.3
_IN_GROUP = 0.8
_IN_ROW = 1.5


def caption_of(number: str, caption: str, word: str = "Table") -> str:
    """``Table 12. Baud rates`` from what is printed of it, "" where nothing is."""
    if number and not caption.casefold().startswith(word.casefold()):
        return f"{word} {number}. {caption}".rstrip()
    return caption


def cell(text: str) -> str:
    """``text`` for a cell of a pipe table."""
    text = " ".join(text.split()) if "\n" in text or "  " in text else text
    return text.replace("|", "\\|") if "|" in text else text


def line(cells: Sequence[str]) -> str:
    """A row of a pipe table."""
    return f"| {' | '.join(map(cell, cells))} |"


def sentence(header: Sequence[str], cells: Sequence[str]) -> str:
    """A row that names its columns: ``Bits: 3:0; Field: DIV``. Empty cells are left out."""
    said = (
        f"{name}: {text}" if name else text
        for name, text in zip(header, map(cell, cells), strict=False)
        if text
    )
    return "; ".join(said)


def table_pieces(table: Table, count: Count, most: int, *, linear: bool = False) -> list[Piece]:
    """The rows of ``table`` as pieces of at most ``most`` tokens with its caption and header."""
    caption = caption_of(table.number, table.caption)
    header = tuple(map(cell, table.header))
    rule = f"|{'-|' * len(header)}"
    lines = [caption] if caption else []
    if not linear and table.rows:
        lines += ["", line(header), rule] if caption else [line(header), rule]
    head: Head | None = Head("\n".join(lines), count("\n".join(lines)))
    assert head is not None
    if head.tokens > most // 2:
        # A head that leaves little room is said once, as text.
        before = text_pieces(head.text, "table", table.places, count, most, linear=linear)
        head = None
    else:
        before = []
    room = most - (head.tokens if head is not None else 0)
    if not table.rows:
        return _alone(head, table, before)
    pieces = before
    last = ""
    for number, row in enumerate(table.rows):
        page = table.row_pages[number] if number < len(table.row_pages) else 0
        places = tuple(place for place in table.places if place.page == page) or table.places
        cost = _IN_GROUP if row and row[0] == last and last else _BETWEEN_ROWS
        last = row[0] if row else ""
        for text in _row_texts(row, table.header, count, room, linear):
            piece = _piece(text, count(text), places, page, cost, head)
            pieces.append(piece)
            cost = _IN_ROW
    for piece in pieces:
        if piece.head is not None:
            piece.opens, piece.cost, piece.joint = True, 0.0, "\n\n"
            break
    return pieces


def _piece(
    text: str, tokens: int, places: tuple[Place, ...], page: int, cost: float, head: Head | None
) -> Piece:
    first, last = (page, page) if page else pages_of(places)
    return Piece(text, tokens, "table", places, first, last, cost, "\n", head)


def _alone(head: Head | None, table: Table, before: list[Piece]) -> list[Piece]:
    """A table of which only the caption is known."""
    if head is None or not head.tokens:
        return before
    first, last = pages_of(table.places)
    return [*before, Piece(head.text, head.tokens, "table", table.places, first, last)]


def _row_texts(
    row: Sequence[str], header: Sequence[str], count: Count, room: int, linear: bool
) -> list[str]:
    """The row; where it is too long several, the longest cell divided and the others repeated."""
    text = sentence(header, row) if linear else line(row)
    if not text.strip(" |"):
        return []
    if count(text) <= room:
        return [text]
    sizes = [count(cell(each)) for each in row]
    long = max(range(len(row)), key=sizes.__getitem__)
    others = list(row)
    others[long] = ""
    frame = sentence(header, others) if linear else line(others)
    rest = room - count(frame) - (count(header[long]) + 2 if linear and long < len(header) else 0)
    if rest < room // 4:
        # Several long cells: as running text, which names its columns.
        return words_within(sentence(header, row), room, count)
    texts = []
    # The text as it is: writing the row escapes it.
    for part in words_within(row[long], rest, lambda text: count(cell(text))):
        others[long] = part
        texts.append(sentence(header, others) if linear else line(others))
    return texts
