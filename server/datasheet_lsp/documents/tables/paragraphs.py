"""Fields described in paragraphs: "Bits 6:4 NAME[2:0]: text"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.documents.tables.bits import BitRange, bare_name, parse_bits
from datasheet_lsp.documents.tables.types import FieldRow

_RANGE = r"\[?\d{1,3}\]?(?:\s*(?::|-|–|—|\.\.\.?|to)\s*\[?\d{1,3}\]?)?"
_FORMULA = r"\d*[xynm](?:\s*\+\s*\d+)?(?:\s*:\s*\d*[xynm](?:\s*\+\s*\d+)?)?"
_START = re.compile(
    rf"^(?:Bits?|BITS?)\s*({_RANGE}(?:\s*(?:,|and|&|;)\s*{_RANGE})*|{_FORMULA})\s*([:.–—-]?)\s+(.*)$"
)
_ALONE = re.compile(rf"^(?:Bits?|BITS?)\s*({_RANGE}(?:\s*(?:,|and|&)\s*{_RANGE})*)\s*[:.–—-]?$")
_NAME = re.compile(
    r"^([A-Za-z_][\w/]*(?:\s?[\[<(]\s*[\dxyn]+\s*(?::\s*[\dxyn]+\s*)?[\])>])*)"
    r"(?:\s*\(\d\))?\s*(:|–|—|-\s|=|\.\s|,|\(|$)\s*(.*)$",
    re.DOTALL,
)
_RESERVED = re.compile(
    r"^(reserved|res\.|rsvd|not used|unused|forced)\b[\s,.:]*(.*)$", re.I | re.DOTALL
)
_COUNT = re.compile(
    r"\(?\b([xynm])\s*=\s*(\d+)\s*(?:\.{2,3}|…|to|-|–|,\s*\.\.\.?\s*,?)\s*(\d+)\b\)?", re.IGNORECASE
)
_TERM = re.compile(r"^(\d*)([xynm])(?:\s*\+\s*(\d+))?$")
_DOUBLE = re.compile(r"^(\w+?)\[(\d+):(\d+)\]\[(\d+):(\d+)\]$")
_LETTER = re.compile(r"^(\w*[A-Z0-9_])([xynm])(?:\[(\d+):(\d+)\])?$")
_MOST_LINES = 60


def field_paragraphs(
    lines: Sequence[str], page: int = 0, pages: Sequence[int] = ()
) -> list[FieldRow]:
    """The fields described in lines of text, in their order.

    A field starts with "Bit 5 NAME: ..." or "Bits 6:4 NAME[2:0]: ..." (or with the bits alone and
    the name in the next line) and goes on to the next one. Fields given by a formula ("Bits
    2y+1:2y MODERy[1:0]: ... (y = 0 to 15)") and arrays ("OSPEEDR[15:0][1:0]") become one row each.

    Args:
        lines: Printed lines, each a string.
        page: The page they are on, where all are on one.
        pages: The page of each line, where they are on several.
    """
    found: list[tuple[str, str, int, list[str]]] = []
    bits = ""
    at_page = page
    for number, raw in enumerate(lines):
        line = " ".join(raw.split())
        if not line:
            continue
        here = pages[number] if number < len(pages) else page
        if alone := _ALONE.match(line):
            bits, at_page = alone[1], here
            continue
        start = _START.match(line)
        if start is not None and (named := _named(start[3]) or _dashed(start[2], start[3])):
            found.append((start[1], named[0], here, [named[1]] if named[1] else []))
            bits = ""
            continue
        if bits:
            named = _named(line)
            if named:
                found.append((bits, named[0], at_page, [named[1]] if named[1] else []))
                bits = ""
                continue
            bits = ""
        if found and len(found[-1][3]) < _MOST_LINES:
            found[-1][3].append(line)
    rows: list[FieldRow] = []
    for bits_text, name, where, text in found:
        rows += _rows(bits_text, name, where, "\n".join(text))
    return rows


def _named(text: str) -> tuple[str, str] | None:
    """Name and description of a field paragraph; None for a sentence about a bit."""
    if reserved := _RESERVED.match(text):
        return "Reserved", reserved[2].strip()
    named = _NAME.match(text)
    if named is None:
        return None
    name, sign, rest = named[1], named[2], named[3]
    capital = bool(re.search(r"[A-Z]{2}|[A-Z].*[\d_\[]|^[A-Z]$|_", name))
    if sign in (":", "–", "—") or sign.startswith("-"):
        # A common word before a colon is still a name where it is written like one.
        if not capital and not (len(name) > 1 and " " not in name and name[0].islower()):
            if not re.match(r"^[A-Z][a-z]+\d*$", name):
                return None
        return name.replace(" ", ""), rest.strip()
    if not capital or (name.isalpha() and not name.isupper() and sign != ""):
        return None
    if sign in ("", "(", "="):
        return name.replace(" ", ""), (("(" + rest) if sign == "(" else rest).strip()
    if sign in (",", ". ") and name.isupper() and "[" in name:
        return name.replace(" ", ""), rest.strip()
    return None


def _dashed(sign: str, text: str) -> tuple[str, str] | None:
    """Name and description of "Bits 6:4 - MODE[2:0] Operating Mode"."""
    if sign not in "–—-" or not sign:
        return None
    name, _, rest = text.partition(" ")
    if re.fullmatch(r"[A-Z][A-Z0-9_]*(?:\[[\d:]+\])?", name):
        return name, rest.strip()
    return None


def _rows(bits_text: str, name: str, page: int, text: str) -> list[FieldRow]:
    reserved = name == "Reserved"
    ranges = parse_bits(bits_text)
    if not ranges:
        return _formula_rows(bits_text, name, page, text)
    if len(ranges) == 1 and not reserved:
        expanded = _array_rows(ranges[0], name, page, text)
        if expanded:
            return expanded
    shown = bare_name(name) if not reserved else name
    return [FieldRow(shown, high, low, "", None, text, page, reserved) for high, low in ranges]


def _array_rows(bits: BitRange, name: str, page: int, text: str) -> list[FieldRow]:
    """One row for each element of a field array; [] when the name is of one field."""
    high, low = bits
    width = high - low + 1
    if found := _DOUBLE.match(name):
        last, first = int(found[2]), int(found[3])
        each = int(found[4]) - int(found[5]) + 1
        if (last - first + 1) * each == width:
            return _elements(found[1], first, last, low, each, page, text)
    found = _LETTER.match(name)
    if found and (count := _COUNT.search(text.split("\n", 1)[0])):
        first, last = sorted((int(count[2]), int(count[3])))
        each = int(found[3]) - int(found[4]) + 1 if found[3] else 1
        if count[1].lower() == found[2].lower() and (last - first + 1) * each == width:
            return _elements(found[1], first, last, low, each, page, text)
    return []


def _elements(
    stem: str, first: int, last: int, low: int, each: int, page: int, text: str
) -> list[FieldRow]:
    return [
        FieldRow(
            f"{stem}{n}",
            low + (n - first + 1) * each - 1,
            low + (n - first) * each,
            "",
            None,
            text,
            page,
        )
        for n in range(last, first - 1, -1)
    ]


def _formula_rows(bits_text: str, name: str, page: int, text: str) -> list[FieldRow]:
    """Rows of "Bits 2y+1:2y MODERy[1:0]" for each y the text names."""
    terms = [_TERM.match(t.strip()) for t in bits_text.split(":")]
    count = _COUNT.search(text.split("\n", 1)[0])
    if not count or not all(terms) or len(terms) > 2:
        return []
    stem = _LETTER.match(name)
    if stem is None:
        return []
    rows = []
    first, last = sorted((int(count[2]), int(count[3])))
    for n in range(last, first - 1, -1):
        ends = [int(t[1] or 1) * n + int(t[3] or 0) for t in terms if t]
        rows.append(FieldRow(f"{stem[1]}{n}", max(ends), min(ends), "", None, text, page))
    return rows
