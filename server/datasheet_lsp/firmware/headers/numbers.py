"""Integer literals of C."""

from __future__ import annotations


def number(text: str) -> int | None:
    """The value of an integer or character literal: any base, suffix and digit separator."""
    if text[:1] == "'":
        return _character(text)
    text = text.replace("'", "").replace("_", "").lower()
    if text.startswith("0x"):
        text = text.rstrip("ulz")
    else:
        text = text.rstrip("ulz")
    if len(text) > 200:
        return None
    try:
        if text.startswith(("0x", "0b")):
            return int(text, 0)
        if len(text) > 1 and text[0] == "0":
            return int(text, 8)
        return int(text)
    except ValueError:
        return None


_ESCAPES = {"n": 10, "r": 13, "t": 9, "0": 0, "\\": 92, "'": 39, '"': 34}


def _character(text: str) -> int | None:
    inner = text[1:-1]
    if len(inner) == 1:
        return ord(inner)
    if len(inner) == 2 and inner[0] == "\\":
        return _ESCAPES.get(inner[1])
    return None
