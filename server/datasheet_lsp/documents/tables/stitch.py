"""Tables that go on over page breaks put together, page by page as they come."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from datasheet_lsp.documents.tables.captions import parse_caption
from datasheet_lsp.documents.tables.kinds import table_kind
from datasheet_lsp.documents.tables.text import join_lines
from datasheet_lsp.documents.tables.types import FoundTable, LooseLine, PageTables

_SAME_EDGE = 4.0
_HISTORY = 4
# Running heads and feet stand in these parts of a page; the outermost hold nothing else.
_EDGE = 0.13
_OUTER = 0.065
_SIGN = re.compile(r"\bcontinue[sd]?\b|\bcont'?d\b|^\.{3}$", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"^(?:page\s*)?[\divxlc]+(?:\s*(?:of|/)\s*\d+)?$", re.IGNORECASE)

Row = tuple[str, ...]


class Stitcher:
    """Takes the tables of one page after the other and gives them back whole.

    A table comes back when it is sure that it does not go on: with the page after it, or from
    ``finish``. They come in the order of the document.
    """

    def __init__(self) -> None:
        self._open: FoundTable | None = None
        self._below: list[LooseLine] = []
        self._height = 0.0
        self._heads: deque[set[str]] = deque(maxlen=_HISTORY)
        # The page that ends with the caption of a table that stands on the next one, and that.
        self._ahead: tuple[int, str, str] | None = None

    def feed(self, page: PageTables) -> list[FoundTable]:
        """Takes the tables of the next page; the tables that ended before or on it."""
        running = _running(page)
        tables = list(page.tables)
        self._titled(tables, page)
        self._ahead = _last_caption(page)
        done: list[FoundTable] = []
        held, self._open = self._open, None
        if held is not None:
            joined = None
            if held.places[-1].page == page.page - 1:
                # A line of that page is a running foot when pages around it have it too.
                heads = set().union(*list(self._heads)[:-1], running)
                clear_below = not self._blocks(self._below, self._height, heads)
                for at, table in enumerate(tables):
                    joined = self._continued(held, table, page, clear_below)
                    if joined is not None:
                        tables[: at + 1] = [joined]
                    if joined is not None or not table.fragment:
                        break
            if joined is None:
                done += _kept(held, self._height)
        if tables:
            last = max(range(len(tables)), key=lambda i: tables[i].places[-1].box[3])
            # Of tables side by side at the bottom of a page none can be seen to go on.
            ended = tables[:-1] if last == len(tables) - 1 else tables
            for table in ended:
                done += _kept(table, page.height)
            if last == len(tables) - 1:
                self._open = tables[-1]
                bottom = tables[-1].places[-1].box[3]
                self._below = [line for line in page.loose if line.top > bottom - 3]
                self._below += [
                    LooseLine(d.box[1], d.box[3], "") for d in page.diagrams if d.box[1] > bottom
                ]
                self._height = page.height
        self._heads.append(running)
        return done

    def finish(self) -> list[FoundTable]:
        """What is left after the last page."""
        held, self._open = self._open, None
        return _kept(held, self._height) if held is not None else []

    def _titled(self, tables: list[FoundTable], page: PageTables) -> None:
        """Gives the first table its caption when that is the last line of the page before."""
        if self._ahead is None or not tables:
            return
        number, label, words = self._ahead
        first = tables[0]
        if number != page.page - 1 or first.caption or first.number or first.fragment:
            return
        top = first.box[1]
        above = [line for line in page.loose if line.bottom < top + 3]
        if any(d.box[1] < top for d in page.diagrams):
            return
        if self._blocks(above, page.height, set().union(*self._heads)):
            return
        kind = first.kind
        if kind == "other":
            kind = table_kind(first.header, first.rows, words)
        tables[0] = replace(first, caption=words, number=label, kind=kind)

    def _continued(
        self, held: FoundTable, table: FoundTable, page: PageTables, clear_below: bool
    ) -> FoundTable | None:
        """The two as one table when the second is the continuation of the first."""
        if held.fragment and table.fragment:
            return None
        if table.number:
            if table.number != held.number:
                return None
            return _join(held, table)
        if table.caption and table.caption != held.caption and not table.headless:
            return None
        same_picture = (
            held.diagram is not None
            and table.diagram is not None
            and _layout(held) == _layout(table)
        )
        top = table.places[0].box[1]
        above = [line for line in page.loose if line.bottom < top + 3]
        heads = set().union(*self._heads)
        blocks = self._blocks(above, page.height, heads)
        if same_picture:
            return _join(held, table) if blocks <= 2 else None
        if blocks:
            return None
        low = held.places[-1].box[3] > 0.5 * self._height
        if not clear_below and not (low and _plainly_continued(held, table)):
            return None
        if any(d.box[3] < top + 3 for d in page.diagrams):
            return None
        return _join(held, table)

    def _blocks(self, lines: Iterable[LooseLine], height: float, heads: set[str]) -> int:
        """How many of the lines are text of the document and no running head or foot."""
        count = 0
        for line in lines:
            middle = (line.top + line.bottom) / 2
            if _SIGN.search(line.text) and len(line.text) < 60:
                continue
            if middle < height * _OUTER or middle > height * (1 - _OUTER):
                continue
            if middle < height * _EDGE or middle > height * (1 - _EDGE):
                if _key(line) in heads or _PAGE_NUMBER.match(line.text):
                    continue
            count += 1
        return count


def _last_caption(page: PageTables) -> tuple[int, str, str] | None:
    """Page, number and words of a table's caption that is the last thing above the page's foot."""
    bottom = max(
        (*(t.box[3] for t in page.tables), *(d.box[3] for d in page.diagrams)), default=0.0
    )
    if bottom > page.height * (1 - _EDGE):
        return None
    for line in reversed(page.loose):
        if line.top < max(bottom, page.height / 2):
            return None
        if (line.top + line.bottom) / 2 > page.height * (1 - _OUTER):
            continue
        parsed = parse_caption(line.text)
        if parsed is not None and parsed[1] and not parsed[2] and len(line.text) < 160:
            return page.page, parsed[0], parsed[1]
        if line.top < page.height * (1 - _EDGE):
            return None
    return None


def _plainly_continued(held: FoundTable, table: FoundTable) -> bool:
    """Whether a table without a head of its own has the very columns of the one before.

    Then it goes on although notes stand under the first part.
    """
    one, two = held.column_edges, table.column_edges
    if table.head_marked or len(one) != len(two) or len(one) < 4:
        return False
    return all(abs(a - b) < 2 for a, b in zip(one, two, strict=True))


def _kept(table: FoundTable, height: float) -> list[FoundTable]:
    """The table, or nothing when it is a single row that became part of none."""
    if len(table.places) > 1 or not table.fragment:
        return [table]
    _, top, _, bottom = table.box
    running = bottom < height * _EDGE or top > height * (1 - _EDGE)
    texts = sum(bool(t) for row in (*table.head_rows, *table.rows) for t in row)
    return [] if running or texts < 2 or not table.rows else [table]


def _key(line: LooseLine) -> str:
    return f"{re.sub(r'[0-9]+', '#', line.text)}@{round(line.top / 6)}"


def _running(page: PageTables) -> set[str]:
    low, high = page.height * _EDGE, page.height * (1 - _EDGE)
    keys = set()
    for line in page.loose:
        if line.top < low or line.bottom > high:
            keys.add(_key(line))
            keys.add(f"{re.sub(r'[0-9]+', '#', line.text)}@{round(line.top / 6) + 1}")
            keys.add(f"{re.sub(r'[0-9]+', '#', line.text)}@{round(line.top / 6) - 1}")
    return keys


def _layout(table: FoundTable) -> list[tuple[int, int]]:
    assert table.diagram is not None
    return [(c.msb, c.lsb) for c in table.diagram.cells]


def _join(held: FoundTable, table: FoundTable) -> FoundTable | None:
    """``table`` put behind ``held``; None when their columns do not agree."""
    header = held.header
    rows: Sequence[Row] = table.rows
    pages = list(table.row_pages)
    repeated = 0
    if not table.headless and not _same_header(held, table):
        pair = _collapsed(held, table)
        if pair is not None:
            held, table = pair
            header, rows = held.header, table.rows
    if not table.headless and _same_header(held, table):
        repeated = 1
    else:
        columns = _column_map(held.column_edges, table.column_edges)
        if columns is None:
            return None
        if not table.headless:
            if table.head_marked and not (held.headless and held.head_marked):
                if not held.headless or held.number != table.number or not table.number:
                    return None
            rows = (*table.head_rows, *rows)
            pages = [table.page] * len(table.head_rows) + pages
        rows = [_mapped(row, columns, len(header)) for row in rows]
    rows = [tuple(r) for r in rows]
    body = list(held.rows)
    row_pages = list(held.row_pages)
    if rows and body:
        first = rows[0]
        mended = _mend(body, first)
        if mended is not None:
            body[-1] = mended
            rows, pages = rows[1:], pages[1:]
        else:
            rows = _fill_down(body, rows)
    body += rows
    row_pages += pages
    kind = held.kind
    if held.diagram is None and kind not in ("registers", "fields"):
        kind = table_kind(header, body, held.caption)
    return replace(
        held,
        rows=tuple(body),
        row_pages=tuple(row_pages),
        places=held.places + table.places,
        kind=kind,
        fragment=False,
        header_repeated=held.header_repeated + repeated,
    )


def _same_header(held: FoundTable, table: FoundTable) -> bool:
    one = [_plain(h) for h in held.header]
    two = [_plain(h) for h in table.header]
    if one == two:
        return True
    if len(one) != len(two):
        return False
    same = sum(a == b for a, b in zip(one, two, strict=True))
    return same >= 2 and same >= len(one) - 1


def _collapsed(held: FoundTable, table: FoundTable) -> tuple[FoundTable, FoundTable] | None:
    """The two with columns of the same head made one, when their headers are the same then.

    A head that spans two columns on one page may span one on the next.
    """
    if len(held.header) == len(table.header):
        return None
    one, two = _collapse(held), _collapse(table)
    return (one, two) if _same_header(one, two) else None


def _collapse(table: FoundTable) -> FoundTable:
    heads = [_plain(h) for h in table.header]
    starts = [i for i, h in enumerate(heads) if i == 0 or h != heads[i - 1] or not h]
    ends = [*starts[1:], len(heads)]

    def merged(row: Row) -> Row:
        return tuple(
            " ".join(dict.fromkeys(t for t in row[a:b] if t))
            for a, b in zip(starts, ends, strict=True)
        )

    edges = table.column_edges
    return replace(
        table,
        header=tuple(table.header[i] for i in starts),
        rows=tuple(merged(r) for r in table.rows),
        head_rows=tuple(merged(r) for r in table.head_rows),
        column_edges=(*(edges[i] for i in starts), edges[-1]),
    )


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+|continued", "", text.lower())


def _column_map(one: Sequence[float], two: Sequence[float]) -> list[int] | None:
    """For each column of the second table the column of the first that it starts at.

    None when the edges do not agree; the second may have fewer edges than the first.
    """
    shift = two[0] - one[0]
    if abs(shift) > 60:
        return None
    if abs((two[-1] - one[-1]) - shift) > 2 * _SAME_EDGE:
        return None
    starts: list[int] = []
    for edge in two[:-1]:
        at = min(range(len(one) - 1), key=lambda i: abs(one[i] - (edge - shift)))
        if abs(one[at] - (edge - shift)) > _SAME_EDGE:
            return None
        starts.append(at)
    if len(set(starts)) != len(starts) or (len(starts) < 2 and len(one) > 2):
        return None
    return starts


def _mapped(row: Row, columns: Sequence[int], count: int) -> Row:
    if len(columns) == count:
        return row
    texts = [""] * count
    for text, at in zip(row, columns, strict=True):
        texts[at] = text
    return tuple(texts)


def _mend(body: Sequence[Row], first: Row) -> Row | None:
    """The last row with the rest of it that stands on the next page; None when that is a new row.

    A rest has nothing in the first column and text only where the table has its long texts.
    """
    if first[0] or not any(first):
        return None
    last = body[-1]
    given = [i for i, text in enumerate(first) if text]
    sizes = [sum(len(row[i]) for row in body) for i in range(len(first))]
    longest = max(range(len(sizes)), key=lambda i: sizes[i])
    if given != [longest] or not last[longest]:
        return None
    return tuple(
        join_lines([text, first[i]]) if i == longest else text for i, text in enumerate(last)
    )


def _fill_down(body: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """Rows at the top of a page whose first cells are those of a cell begun on the page before."""
    last = body[-1]
    filled: list[Row] = []
    for at, row in enumerate(rows):
        if row[0] or not any(row):
            filled += rows[at:]
            break
        lead = next(i for i, text in enumerate(row) if text)
        filled.append((*last[:lead], *row[lead:]))
    return filled
