"""What lines, headings and captions say about a register: names, offset, addresses, reset value."""

from __future__ import annotations

import re

import msgspec

_HEX = r"0[xX][0-9A-Fa-f]+(?:[ _][0-9A-Fa-f]{4})*(?![0-9A-Za-z_])|[0-9A-Fa-f]*\d[0-9A-Fa-f]*[hH]\b"
_NUMBER = re.compile(_HEX)
_OFFSET = re.compile(
    r"^(?:(?:register\s+)?address\s*offset|offset(?:\s*address)?)\s*(?:[:=：]|is\b)?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"^(?:register\s+|absolute\s+|physical\s+)?address(?:es)?\s*[:=：]\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_RESET = re.compile(
    r"^(?:(?:power[- ]on|system|global|register)\s+)?reset\s*(?:value|state)?s?\s*[:=：]\s*"
    r"(?P<rest>.*)$|"
    r"^reset\s+values?\s+(?P<rest2>.*)$",
    re.IGNORECASE,
)
_RESET_NUMBER = re.compile(
    r"0[xX](?P<hex>[0-9A-Fa-fXxu]+(?:[ _][0-9A-Fa-fXxu]{4})*)(?![0-9A-Za-z])"
)
# A number alone that is wrapped in a narrow cell: "0x00080 1".
_WRAPPED = re.compile(r"^0[xX][0-9A-Fa-f]+(?: [0-9A-Fa-f]+)+$")
_IDENTIFIER = re.compile(r"^[A-Za-z][A-Za-z0-9]*(?:[_\[\]<>:/.][A-Za-z0-9_\[\]:<>]*)*$")
_TOKEN = re.compile(r"\b[A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b(?:\[\d*(?::\d+)?\])?")
_PARENS = re.compile(r"\(([^()]{2,80})\)")
_QUOTED = re.compile(r"[“\"‘']([A-Za-z_]\w+)[”\"’']")
_BY_ADDRESS = re.compile(
    r"^Registers?\s+(?P<first>0x[0-9A-Fa-f]+|\d+)(?:\s*(?:to|and|…|\.\.\.?|–|-)\s*(?P<last>0x[0-9A-Fa-f]+|\d+))?",
    re.IGNORECASE,
)
_NXP = re.compile(
    r"\((?P<name>[A-Za-z][\w\[\]:./-]*(?:\s+to\s+[A-Za-z][\w\[\]:./-]*)?)\s*[,-]?\s*"
    r"(?:(?:address(?:es)?|offset)\b[^0]{0,12})?(?P<rest>0x[0-9A-Fa-f].*)\)",
    re.IGNORECASE | re.DOTALL,
)
_ASSIGNMENTS = re.compile(
    r"\b(?P<name>[A-Z][A-Z0-9_]{1,}[A-Za-z0-9_]*)\s+(?:register\s+)?bit\s*-?\s*"
    r"(?:assignments?|descriptions?|definitions?|functions?|fields?)",
)
_INDEXED = re.compile(r"^([A-Z][A-Z0-9_]*(?:\[\w+\](?:\.[A-Z]\w*)?))\s")
_TAIL = re.compile(
    r"\s*[-–—:,]?\s*(?:register\s+)?(?:bit\s+)?(?:field\s+)?"
    r"(?:descriptions?|definitions?|assignments?|allocations?)\s*$",
    re.IGNORECASE,
)


class Line(msgspec.Struct, frozen=True, gc=False):
    """What a line says: an offset, addresses, or a reset value (None where bits are unknown)."""

    kind: str
    numbers: tuple[int, ...] = ()
    reset: int | None = None
    general: bool = True


def number(text: str) -> int | None:
    """The first hexadecimal number in a text."""
    found = numbers(text)
    return found[0] if found else None


def numbers(text: str) -> tuple[int, ...]:
    """All hexadecimal numbers in a text, groups of four digits put together."""
    return tuple(_value(m) for m in _NUMBER.findall(text))


def _value(text: str) -> int:
    text = re.sub(r"[ _]", "", text)
    if text[-1] in "hH":
        return int(text[:-1], 16)
    return int(text, 16)


def parse_line(text: str) -> Line | None:
    """What a line says about a register, None where nothing."""
    first = text[:1]
    if first not in "AaOoRrPpGgSs":
        return None
    if match := _OFFSET.match(text):
        found = numbers(match["rest"])
        if found and len(match["rest"]) < 90:
            return Line("offset", found)
        return None
    if match := _ADDRESS.match(text):
        found = numbers(match["rest"])
        return Line("address", found) if found else None
    if match := _RESET.match(text):
        rest = match["rest"] or match["rest2"] or ""
        return _reset_line(rest)
    return None


def _reset_line(rest: str) -> Line | None:
    match = _RESET_NUMBER.search(rest)
    if match is None or match.start() > 40:
        return None
    digits = re.sub(r"[ _]", "", match["hex"])
    reset = int(digits, 16) if not re.search(r"[XxuU]", digits) else None
    behind = rest[match.end() :].strip().lower()
    special = bool(re.match(r"^[(,]?\s*(?:for|on|in|if|when|after)\b", behind))
    general = not special or "other" in behind
    return Line("reset", (), reset, general)


def reset_value(text: str) -> int | None:
    """A reset value of a register list: "0x0000 00C0", "0x3", "0", None for "-", "0x000000XX"."""
    text = text.strip()
    if _WRAPPED.match(text):
        text = text.replace(" ", "")
    if match := _RESET_NUMBER.match(text):
        digits = re.sub(r"[ _]", "", match["hex"])
        return None if re.search(r"[XxuU]", digits) else int(digits, 16)
    if found := _NUMBER.match(text):
        return _value(found[0])
    return int(text) if text.isdecimal() and len(text) < 10 and text.isascii() else None


def is_name(text: str) -> bool:
    """Whether a text is written like a register's name."""
    if not _IDENTIFIER.match(text) or len(text) > 48:
        return False
    return "_" in text or sum(c.isupper() or c.isdigit() for c in text) >= 2


def heading_names(title: str) -> tuple[list[str], list[int]]:
    """The registers a heading names, and their offsets where it gives them.

    "RCC clock configuration register (RCC_CFGR)", "clk_cfg0", "Register 0xF4 "ctrl_meas"",
    "Registers 43 to 45 - Slave 2 Control I2C_SLV2_ADDR, I2C_SLV2_REG and I2C_SLV2_CTRL".
    """
    title = " ".join(title.split())
    by_address = _BY_ADDRESS.match(title)
    if by_address:
        names = _QUOTED.findall(title) or _TOKEN.findall(title)
        if not names:
            last = title.rsplit(" ", 1)[-1]
            names = [last] if last.isupper() and len(last) > 2 else []
        first = int(by_address["first"], 0)
        end = int(by_address["last"], 0) if by_address["last"] else first
        offsets = list(range(first, min(end, first + 63) + 1))
        return names, offsets if len(offsets) == len(names) else offsets[:1]
    names = []
    for group in _PARENS.findall(title):
        if "=" in group:
            continue
        parts = [p.strip() for p in re.split(r",|\band\b|\s/\s|;|&", group)]
        if parts and all(is_name(p) for p in parts):
            names.extend(_complete(parts))
    if not names and is_name(title):
        names = [title]
    if not names and re.search(r"\bregisters?\b", title, re.IGNORECASE):
        names = _TOKEN.findall(title)
    return names, []


def _complete(parts: list[str]) -> list[str]:
    """The names of "USART_CR1, CR2", each with its prefix."""
    prefix, sign, _ = parts[0].partition("_")
    if not sign:
        return parts
    return [p if "_" in p or i == 0 else f"{prefix}_{p}" for i, p in enumerate(parts)]


class Caption(msgspec.Struct, frozen=True, gc=False):
    """What a caption of a field table says."""

    name: str
    title: str = ""
    offset: int | None = None
    addresses: tuple[int, ...] = ()


def caption_register(caption: str) -> Caption | None:
    """The register a field table's caption names, None where it names none."""
    caption = " ".join(caption.split())
    if not caption:
        return None
    if match := _NXP.search(caption):
        found = numbers(match["rest"])
        title = caption[: match.start()].strip(" -–—")
        large = tuple(n for n in found if n >= 0x10000)
        small = next((n for n in found if n < 0x10000), None)
        return Caption(match["name"], title, None if large else small, large)
    if is_name(caption):
        return Caption(caption)
    bare = _TAIL.sub("", caption)
    if is_name(bare):
        return Caption(bare)
    if match := _INDEXED.match(caption):
        return Caption(match[1], caption)
    if match := _ASSIGNMENTS.search(caption):
        return Caption(match["name"])
    names, offsets = heading_names(bare)
    if len(names) == 1:
        title = _PARENS.sub("", bare).strip(" -–—")
        return Caption(
            names[0], title if title != names[0] else "", offsets[0] if offsets else None
        )
    return None
