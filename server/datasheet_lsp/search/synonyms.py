"""The field's synonyms, read from ``words.txt`` beside this file."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

LONGEST = 6
"""A phrase of the list has at most so many words."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of ``text`` in small letters, hyphens and slashes taken for spaces."""
    return tuple(re.findall(r"\w+", text.lower()))


@lru_cache(maxsize=1)
def table() -> dict[tuple[str, ...], tuple[str, ...]]:
    """The words of a phrase -> the phrases that mean the same."""
    text = files("datasheet_lsp.search").joinpath("words.txt").read_text(encoding="utf-8")
    return read_table(text)


def read_table(text: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The table that ``text`` has, in the form of ``words.txt``."""
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        left, arrow, right = line.partition(">")
        asked = [phrase.strip() for phrase in left.split(",") if phrase.strip()]
        said = [phrase.strip() for phrase in right.split(",") if phrase.strip()] if arrow else asked
        for phrase in asked:
            key = words_of(phrase)
            own = found.setdefault(key, {})
            own.update({other: None for other in said if words_of(other) != key})
    return {key: tuple(others) for key, others in found.items() if others}


def phrases_in(words: tuple[str, ...]) -> list[tuple[int, int, tuple[str, ...]]]:
    """The phrases of the table in ``words``: first word, end, what they mean.

    A longer phrase goes before the shorter ones that it contains.
    """
    known = table()
    found: list[tuple[int, int, tuple[str, ...]]] = []
    taken: set[tuple[int, int]] = set()
    for length in range(min(LONGEST, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            end = first + length
            others = known.get(words[first:end])
            if others and not any(a <= first and end <= b for a, b in taken if b - a > length):
                found.append((first, end, others))
                taken.add((first, end))
    return sorted(found, key=lambda each: each[:2])
