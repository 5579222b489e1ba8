"""Registers printed as a row of 32 bit numbers, letters under them, and field rows by letter.

The layout: "Bit number" 31..0, "Id" with a letter under each bit, "Reset" with a digit under
each, then a head row and rows "A RW NAME value-name value description".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise, product

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.bitrows import BitRow, find_bit_rows
from datasheet_lsp.documents.tables.lines import PageLine, Run
from datasheet_lsp.documents.tables.text import join_lines, line_text
from datasheet_lsp.documents.tables.types import BitCell, BitDiagram

_RESET = ("reset", "reset:")
_COLUMN_GAP = 0.55


class Lettered:
    """One such register: its picture, head, rows and the words it takes."""

    __slots__ = ("box", "diagram", "edges", "head", "rows", "used")

    def __init__(
        self,
        diagram: BitDiagram,
        head: tuple[str, ...],
        rows: list[list[str]],
        used: set[int],
        edges: tuple[float, ...],
    ) -> None:
        self.diagram = diagram
        self.head = head
        self.rows = rows
        self.used = used
        self.edges = edges
        self.box = diagram.box


def find_lettered(page: int, lines: Sequence[PageLine]) -> list[Lettered]:
    """The registers of this layout on a page; the lines must be all of the page's."""
    rows = {id(r.words[0]): r for r in find_bit_rows(lines)}
    starts: list[tuple[int, BitRow]] = []
    for at, line in enumerate(lines):
        for word in line.words:
            row = rows.get(id(word))
            if row is not None and line.words[0].text.lower() == "bit":
                starts.append((at, row))
    found: list[Lettered] = []
    for place, (at, row) in enumerate(starts):
        end = starts[place + 1][0] if place + 1 < len(starts) else len(lines)
        register = _read(page, lines[at:end], row)
        if register is not None:
            found.append(register)
    return found


def _read(page: int, lines: Sequence[PageLine], row: BitRow) -> Lettered | None:
    letters: dict[int, str] = {}
    digits: dict[int, str] = {}
    head_at = 0
    reach = row.pitch * 0.5
    for at, line in enumerate(lines[1:5], 1):
        first = line.words[0].text.lower()
        under = _under(line.words, row, reach)
        if first == "id" and not letters and under and not _beyond(line.words, row):
            letters = under
        elif first in _RESET and under and all(len(t) == 1 for t in under.values()):
            digits = under
        elif first == "id" and letters:
            head_at = at
            break
    if not letters or not head_at:
        return None
    head_line = lines[head_at]
    runs = head_line.runs(_COLUMN_GAP)
    if len(runs) < 4:
        return None
    body, last = _body(lines[head_at + 1 :], head_line, row)
    columns = [r.x0 for r in runs]
    head = tuple(r.text for r in runs)
    rows, names = _rows(body, columns, letters, head)
    used = {k for line in [*lines[: head_at + 1], *body] for k in line.indices}
    left = min(line.x0 for line in lines[: head_at + 1])
    right = max(line.x1 for line in [*lines[: head_at + 1], *body])
    box = (left, row.y0, right, last)
    cells = _cells(row, letters, digits, names)
    diagram = BitDiagram(page, box, len(row.bits), cells)
    edges = (left, *columns, max(right, columns[-1] + 10))
    return Lettered(diagram, ("Bits", *head), rows, used, edges)


def _under(words: Sequence[Word], row: BitRow, reach: float) -> dict[int, str]:
    """The texts that stand under the bit numbers, by bit.

    Texts of two letters nearly touch and may have come as one word over several bits.
    """
    found: dict[int, str] = {}
    for word in words:
        middle = (word.x0 + word.x1) / 2
        if middle < row.x0 - reach:
            continue
        over = [  # numbers and letters start at the same place
            i for i, w in enumerate(row.words) if word.x0 - 1 <= w.x0 < word.x1 - 0.3 * row.pitch
        ]
        if len(over) > 1 and (parts := _parts(word.text, len(over))):
            for i, part in zip(over, parts, strict=True):
                found[row.bits[i]] = part
            continue
        at = min(range(len(row.centres)), key=lambda i: abs(row.words[i].x0 - word.x0))
        if min(abs(row.centres[at] - middle), abs(row.words[at].x0 - word.x0)) <= reach:
            found[row.bits[at]] = word.text
    return found


def _parts(text: str, count: int) -> list[str]:
    """A word over ``count`` bits as its letters: "AEAD" is AE and AD, "AAZ" is AA and Z.

    Of the ways to part it that one counts whose letters fall by one, else the even one.
    """
    for sizes in product((1, 2), repeat=count):
        if sum(sizes) != len(text):
            continue
        ends = list(accumulate(sizes, initial=0))
        parts = [text[a:b] for a, b in pairwise(ends)]
        values = [_letter_value(p) for p in parts]
        if all(a == b + 1 for a, b in pairwise(values)):
            return parts
    size, rest = divmod(len(text), count)
    return [] if rest else [text[i * size : (i + 1) * size] for i in range(count)]


def _letter_value(letters: str) -> int:
    """A is 1, Z is 26, AA is 27."""
    value = 0
    for letter in letters:
        value = value * 26 + ord(letter.upper()) - 64
    return value


def _beyond(words: Sequence[Word], row: BitRow) -> bool:
    """Whether more than the line's label stands left of the bits."""
    return sum(w.x1 < row.x0 - 0.5 * row.pitch for w in words) > 1


def _body(lines: Sequence[PageLine], head: PageLine, row: BitRow) -> tuple[list[PageLine], float]:
    """The lines of the field rows: as long as they follow closely, in the head's width."""
    body: list[PageLine] = []
    last = head.y1
    height = head.y1 - head.y0
    for line in lines:
        if line.y0 - last > 0.75 * height or line.x0 < head.x0 - 6:
            break
        first = line.words[0]
        if first.y1 - first.y0 > 1.35 * height and line.x0 < head.x0 + 6:
            break
        body.append(line)
        last = line.y1
    return body, last


def _rows(
    body: Sequence[PageLine],
    columns: Sequence[float],
    letters: dict[int, str],
    head: Sequence[str],
) -> tuple[list[list[str]], dict[str, str]]:
    """Rows with the bits in front, and the field name of each letter."""
    by_letter: dict[str, list[int]] = {}
    for bit, letter in letters.items():
        by_letter.setdefault(letter, []).append(bit)
    name_at = next((i for i, h in enumerate(head) if h.lower() in ("field", "name")), 2)
    repeated = range(name_at + 1)
    rows: list[list[str]] = []
    names: dict[str, str] = {}
    for line in body:
        cells: list[list[Run]] = [[] for _ in columns]
        for run in line.runs(_COLUMN_GAP):
            at = max((i for i, x in enumerate(columns) if run.x0 >= x - 3), default=0)
            cells[at].append(run)
        texts = [" ".join(line_text(r.words) for r in c) for c in cells]
        if texts[0]:
            bits = by_letter.get(texts[0], [])
            rows.append([bit_text(bits), *texts])
            names[texts[0]] = texts[name_at]
        elif rows and any(texts[:-1]):
            # A named value of the field above, or a name that goes on in the next line.
            if texts[name_at] and not any(texts[name_at + 1 : -1]):
                rows[-1][name_at + 1] += texts[name_at]
                names[rows[-1][1]] = rows[-1][name_at + 1]
                continue
            rows.append(
                [
                    rows[-1][0],
                    *(rows[-1][i + 1] if i in repeated else t for i, t in enumerate(texts)),
                ]
            )
        elif rows:
            rows[-1][-1] = join_lines([rows[-1][-1], texts[-1]])
        else:
            rows.append(["", *texts])
    return rows, names


def bit_text(bits: Sequence[int]) -> str:
    """Bits as text, those that follow one another as a range: "31:24, 7"."""
    parts: list[str] = []
    ordered = sorted(bits, reverse=True)
    start = 0
    for at in range(1, len(ordered) + 1):
        if at < len(ordered) and ordered[at] == ordered[at - 1] - 1:
            continue
        high, low = ordered[start], ordered[at - 1]
        parts.append(str(high) if high == low else f"{high}:{low}")
        start = at
    return ", ".join(parts)


def _cells(
    row: BitRow, letters: dict[int, str], digits: dict[int, str], names: dict[str, str]
) -> tuple[BitCell, ...]:
    cells: list[BitCell] = []
    bits = row.bits
    start = 0
    for at in range(1, len(bits) + 1):
        if at < len(bits) and letters.get(bits[at], "") == letters.get(bits[start], ""):
            continue
        high, low = bits[start], bits[at - 1]
        letter = letters.get(high, "")
        reset = "".join(digits.get(b, "") for b in range(high, low - 1, -1))
        cells.append(BitCell(names.get(letter, letter), high, low, "", reset))
        start = at
    return tuple(cells)
