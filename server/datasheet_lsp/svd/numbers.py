"""Numbers, bit positions and index lists as SVD files write them."""

from __future__ import annotations

import re

MAX_BITS = 4096
"""A bit position beyond this is a mistake in the file."""

_NUMBER = re.compile(r"\+?(?:0[xX]([0-9a-fA-F]+)|(?:#|0[bB])([01]+)|([0-9]+))([kmgtKMGT])?")
_PATTERN = re.compile(r"\+?(?:#|0[bB])([01xX]+)")
_BIT_RANGE = re.compile(r"\[?\s*([+0-9a-fA-FxX]+)\s*:\s*([+0-9a-fA-FxX]+)\s*\]?")
_SPAN = re.compile(r"(?:([0-9]{1,9})\s*-\s*([0-9]{1,9})|([A-Za-z])\s*-\s*([A-Za-z]))")
_SCALE = {"k": 10, "m": 20, "g": 30, "t": 40}


def number(text: str) -> int:
    """The value of an SVD integer: ``0x1F``, ``#101``, ``0b101``, ``+12``, ``007``, ``4k``.

    Leading zeros do not make a number octal. Raises ValueError with a readable text.
    """
    found = _NUMBER.fullmatch(text.strip())
    if not found or len(text) > 80:
        raise ValueError(f"{text[:40]!r} is no number")
    hexadecimal, binary, decimal, scale = found.groups()
    if hexadecimal:
        value = int(hexadecimal, 16)
    elif binary:
        value = int(binary, 2)
    else:
        value = int(decimal)
    return value << _SCALE[scale.lower()] if scale else value


def enumerated(text: str) -> tuple[int, int | None]:
    """Value and mask of an enumerated value. The mask is None without don't-care bits.

    ``#1x0`` is value 0b100 with mask 0b101. Raises ValueError.
    """
    text = text.strip()
    found = _PATTERN.fullmatch(text)
    if not found:
        return number(text), None
    bits = found.group(1).lower()
    if len(bits) > 64:
        raise ValueError(f"{text[:40]!r} is no number")
    value = int(bits.replace("x", "0"), 2)
    if "x" not in bits:
        return value, None
    return value, int(bits.replace("0", "1").replace("x", "0"), 2)


def bit_range(text: str) -> tuple[int, int]:
    """``[7:4]`` as (7, 4). Raises ValueError."""
    found = _BIT_RANGE.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text[:40]!r} is no bit range")
    return number(found.group(1)), number(found.group(2))


def boolean(text: str) -> bool | None:
    """``true``, ``1``, ``false``, ``0`` in any letter case; else None."""
    return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower())


def dim_indices(text: str, count: int) -> list[str] | None:
    """The ``count`` indices of a dimIndex: ``0-3``, ``A-D``, ``1,2,5``; None when it has others."""
    names: list[str] = []
    for part in text.strip().removeprefix("[").removesuffix("]").split(","):
        part = part.strip()
        found = _SPAN.fullmatch(part)
        if not found:
            names.append(part)
            continue
        first, last, letter, end = found.groups()
        if first is not None:
            start, stop = int(first), int(last)
        else:
            start, stop = ord(letter), ord(end)
        if not 0 <= stop - start < count:
            return None
        names.extend(str(i) if first is not None else chr(i) for i in range(start, stop + 1))
    return names if len(names) == count and all(names) else None
