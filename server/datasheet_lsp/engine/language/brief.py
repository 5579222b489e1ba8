"""What others say, made fit for a sentence of ours."""

from __future__ import annotations


def brief(text: object, most: int = 200) -> str:
    """On one line, without characters that cannot be shown, of at most so many characters."""
    line = " ".join(str(text).split())
    return "".join(each for each in line if each.isprintable())[:most]
