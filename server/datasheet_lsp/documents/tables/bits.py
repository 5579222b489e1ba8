"""Bit numbers, names, reset values and access as manuals print them."""

from __future__ import annotations

import re

BitRange = tuple[int, int]
"""Highest and lowest bit."""

HIGHEST_BIT = 127

_PREFIX = re.compile(r"^(?:bits?|bit\(s\)|b|d)\s*(?=[\[(]?\d)", re.IGNORECASE)
_PAIR = re.compile(
    r"^\[?(\d{1,3})\]?\s*(?::|\.{2,3}|…|-|–|—|~|to)\s*\[?(?:[bd])?(\d{1,3})\]?$", re.I
)
_ONE = re.compile(r"^\[?(\d{1,3})\]?$")
_SPLIT = re.compile(r"\s*(?:,|;|/|&|\band\b)\s*")


def parse_bits(text: str) -> tuple[BitRange, ...]:
    """The bit ranges that ``text`` names, highest first; () where it is no plain bit range.

    "31:28", "[31:28]", "Bits 6:4", "7, 6, 5", "15..0", "D7-D0", "Bit 3" and lists of them; numbers
    that follow one another become one range.
    """
    text = text.strip()
    if not text or len(text) > 60:
        return ()
    text = _PREFIX.sub("", text).strip()
    if len(text) > 1 and text[0] in "[(" and text[-1] in "])" and text.count(text[0]) == 1:
        text = text[1:-1].strip()
    ranges: list[BitRange] = []
    for part in _SPLIT.split(text):
        found = _one_range(part.strip())
        if found is None:
            return ()
        ranges.append(found)
    ranges.sort(reverse=True)
    joined = [ranges[0]]
    for high, low in ranges[1:]:
        last_high, last_low = joined[-1]
        if high >= last_low:
            return ()
        if high == last_low - 1:
            joined[-1] = (last_high, low)
        else:
            joined.append((high, low))
    return tuple(joined)


def _one_range(part: str) -> BitRange | None:
    part = _PREFIX.sub("", part)
    if found := _ONE.match(part):
        bit = int(found[1])
        return (bit, bit) if bit <= HIGHEST_BIT else None
    if found := _PAIR.match(part):
        one, two = int(found[1]), int(found[2])
        high, low = max(one, two), min(one, two)
        return (high, low) if high <= HIGHEST_BIT else None
    return None


_ACCESS = re.compile(
    r"^(?:r|w|rw|ro|wo|r/w|r-w|r\s*/\s*w|w1c|w0c|rc|rs|wc|ws|w1|w0|wa|rw0|rw1|rwc|rws|rz|r/wc|"
    r"rc_w[01]|rc_r|rs_r|rc_wr|rt_w[01]?|rt_w|rw1c|rw0c|r/w1c|r/w0c|r/o|w/o|rws1c?|rwh|rh|wo1|waw|"
    r"r/c|r/s|rw1[zst]|w1[zst]|woc|ros|roc|wrc|"
    r"read[- ]?only|write[- ]?only|read[-/ ]?write|res\.?)$",
    re.IGNORECASE,
)


def is_access(text: str) -> bool:
    """Whether ``text`` says how a field can be accessed ("rw", "R/W", "rc_w1", "W1C")."""
    return bool(_ACCESS.match(text.strip()))


_VERILOG = re.compile(r"^\d+'([bdhoBDHO])([0-9a-fA-F_xX]+)$")
_HEX = re.compile(
    r"^(?:0[xX]|16#|\$)([0-9a-fA-F]+(?:[ _][0-9a-fA-F]+)*)$|^([0-9][0-9a-fA-F]*)[hH]$"
)
_BINARY = re.compile(r"^(?:0[bB]|2#|%)([01]+(?:[ _][01]+)*)$|^([01]+)[bB]$")
_BASES = {"b": 2, "d": 10, "h": 16, "o": 8}


def parse_reset(text: str, width: int = 32) -> int | None:
    """The reset value in ``text`` as a number below 2**``width``; None where it is no number.

    "0", "0x1F", "0b10", "16'd255", "1Fh"; a bare number of two or more digits 0 and 1 that is as
    long as the field is binary.
    """
    text = text.strip().rstrip(".").replace("’", "'").replace("‘", "'")
    value: int | None = None
    if found := _VERILOG.match(text):
        try:
            value = int(found[2].replace("_", ""), _BASES[found[1].lower()])
        except ValueError:
            return None
    elif found := _HEX.match(text):
        value = int(re.sub(r"[ _]", "", found[1] or found[2]), 16)
    elif found := _BINARY.match(text):
        value = int(re.sub(r"[ _]", "", found[1] or found[2]), 2)
    elif text.isdecimal() and text.isascii():
        value = int(text)
        if len(text) == width > 1 and not text.strip("01"):
            value = int(text, 2)
    if value is None or value >> width:
        return None
    return value


_RESERVED = re.compile(
    r"^(?:-+|–|—|_+|/|res(?:erved|v)?\.?(?:\s*\(?\d*\)?)?|rsvd|rfu|unused|not used|n/?a|"
    r"n\.a\.|unimplemented|none|rsv)(?:\W.*)?$",
    re.IGNORECASE,
)


def is_reserved(name: str) -> bool:
    """Whether a field's name says that the bits are reserved ("-", "Reserved", "RES", "")."""
    name = name.strip()
    return not name or bool(_RESERVED.match(name))


_NAME_BITS = re.compile(r"\s*[\[<(]\s*(\d+)\s*(?:[:.\-–~]+\s*(\d+))?\s*[\])>]?$")


def bare_name(name: str) -> str:
    """A field's name without the bits behind it: "D2PPRE1[2:0]" -> "D2PPRE1"."""
    return _NAME_BITS.sub("", name).strip()


def name_bits(name: str) -> BitRange | None:
    """The bits behind a field's name: "D2PPRE1[2:0]" -> (2, 0), "MODE[3]" -> (3, 3)."""
    found = _NAME_BITS.search(name)
    if not found:
        return None
    one = int(found[1])
    two = int(found[2]) if found[2] else one
    return max(one, two), min(one, two)
