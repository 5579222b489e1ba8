"""Register maps: one row a register, one column a bit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.tables.bitrows import BitRow
from datasheet_lsp.documents.tables.bits import is_access, is_reserved, name_bits
from datasheet_lsp.documents.tables.build import merge_heads
from datasheet_lsp.documents.tables.diagrams import merge_reserved
from datasheet_lsp.documents.tables.grid import Cell, Grid
from datasheet_lsp.documents.tables.text import cell_text
from datasheet_lsp.documents.tables.types import BitCell, BitDiagram

_RESET_LABEL = re.compile(r"\s*\breset(?:\s+value)?\s*:?$", re.IGNORECASE)
_DIGIT = re.compile(r"^[01xXuU]$")

MapRows = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], list[BitDiagram]]


def register_map(page: int, words: Sequence[Word], grid: Grid, row: BitRow, head: int) -> MapRows:
    """Header, rows and a picture for each register of a register map.

    The bit columns become one column "Bits" ("7 CTSEN, 5:4 MODE"; reserved bits left out), and
    the digits of a reset row a column "Reset value".
    """
    left = row.x0 - row.pitch * 0.45
    right = row.x1 + row.pitch * 0.45
    columns = len(grid.xs) - 1
    plain = [
        c
        for c in range(columns)
        if grid.xs[c + 1] <= left + row.pitch * 0.5 or grid.xs[c] >= right - row.pitch * 0.5
    ]
    heads = merge_heads([[c.text for c in line] for line in grid.at[:head]], columns)
    groups = _groups(grid, plain, head)
    rows: list[tuple[str, ...]] = []
    pictures: list[BitDiagram] = []
    any_reset = False
    for top, bottom in groups:
        texts: list[str] = []
        for column in plain:
            parts: list[str] = []
            for at in range(top, bottom):
                whole = grid.at[at][column].text
                text = _RESET_LABEL.sub("", whole) or ("" if " " in whole else whole)
                if text and text not in parts:
                    parts.append(text)
            texts.append(" ".join(parts))
        if not any(texts):
            continue
        cells, reset = _cells(grid, words, row, top, bottom)
        any_reset = any_reset or bool(reset)
        shown = ", ".join(
            f"{c.msb if c.msb == c.lsb else f'{c.msb}:{c.lsb}'} {c.name}"
            for c in cells
            if not is_reserved(c.name)
        )
        rows.append((*texts, shown, reset))
        x0, _, x1, _ = grid.box
        box = (x0, grid.ys[top], x1, grid.ys[bottom])
        name = max(texts, key=lambda t: (bool(re.search(r"[A-Za-z]{2}", t)), "_" in t, len(t)))
        pictures.append(BitDiagram(page, box, len(row.bits), tuple(cells), name))
    header = [heads[c] for c in plain] + ["Bits", "Reset value"]
    if not any_reset or any("reset" in h.lower() for h in header[:-1]):
        header.pop()
        rows = [r[:-1] for r in rows]
    return tuple(header), tuple(rows), pictures


def _groups(grid: Grid, plain: Sequence[int], head: int) -> list[tuple[int, int]]:
    """The rows of each register: as far as the cell in its first column reaches."""
    groups: list[tuple[int, int]] = []
    at = head
    count = len(grid.ys) - 1
    while at < count:
        end = max((grid.at[at][c].bottom for c in plain[:1]), default=at + 1)
        # A row that only gives reset values belongs to the one above it.
        groups.append((at, max(end, at + 1)))
        at = max(end, at + 1)
    return groups


def _cells(
    grid: Grid, words: Sequence[Word], row: BitRow, top: int, bottom: int
) -> tuple[list[BitCell], str]:
    named: dict[int, tuple[int, str]] = {}
    digits: dict[int, str] = {}
    access: dict[int, str] = {}
    seen: set[int] = set()
    for at in range(top, bottom):
        for cell in grid.at[at]:
            if id(cell) in seen:
                continue
            seen.add(id(cell))
            bits = row.range(grid.xs[cell.left] - 0.5, grid.xs[cell.right] + 0.5)
            if bits is None or not cell.words:
                continue
            high, low = bits
            name = _name(words, cell, row, high, low, digits)
            if not name:
                continue
            if is_access(name) and any(b in named for b in range(low, high + 1)):
                access.update(dict.fromkeys(range(low, high + 1), name))
            elif not any(n[0] <= high and h >= low for h, n in named.items()):
                named[high] = (low, name)
    if len(named) == 1:
        # One name over bits that are ruled apart: the bits behind the name say what it spans.
        (high, (low, name)) = next(iter(named.items()))
        own = name_bits(name)
        if own and own[0] - own[1] > high - low and own[0] <= row.bits[0]:
            named = {own[0]: (own[1], name)}
    cells = [
        BitCell(
            name,
            high,
            low,
            access.get(low, ""),
            "".join(digits.get(b, "") for b in range(high, low - 1, -1)),
        )
        for high, (low, name) in sorted(named.items(), reverse=True)
    ]
    return merge_reserved(cells), _reset_text(row, digits)


def _name(
    words: Sequence[Word],
    cell: Cell,
    row: BitRow,
    high: int,
    low: int,
    digits: dict[int, str],
) -> str:
    """The name in a cell; single digits in it are the reset values of the bits they stand under."""
    rest: list[Word] = []
    single: list[Word] = []
    for k in cell.words:
        word = words[k]
        (single if _DIGIT.match(word.text) and not word.turned else rest).append(word)
    if single and (rest or len(single) > 1 or high == low):
        for word in single:
            bits = row.range(
                (word.x0 + word.x1) / 2 - row.pitch / 2, (word.x0 + word.x1) / 2 + row.pitch / 2
            )
            if bits is not None:
                digits.setdefault(bits[0], word.text)
        if not rest:
            return ""
        return cell_text(rest).replace(" ", "")
    text = cell_text([words[k] for k in cell.words])
    if re.fullmatch(r"[01xX]{2,}", text) and len(text) == high - low + 1:
        for at, digit in enumerate(text):
            digits.setdefault(high - at, digit)
        return ""
    return text if re.search(r"[a-z]{3,} [a-z]{3,}", text) else text.replace(" ", "")


def _reset_text(row: BitRow, digits: dict[int, str]) -> str:
    """The reset value of the register as hexadecimal, its digits where some are unknown."""
    if not digits:
        return ""
    bits = row.bits
    if all(digits.get(b, "0") in "01" for b in bits):
        value = sum(1 << b for b in bits if digits.get(b) == "1")
        return f"0x{value:0{max(1, len(bits) // 4)}X}"
    return "".join(digits.get(b, "-") for b in bits)
