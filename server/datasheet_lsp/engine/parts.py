"""Cutting a text that is longer than a model reads into parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

PARTS = 8
"""A text has at most so many; what is longer is cut."""

SPECIAL = 2
"""Tokens that a model puts around a text."""

LEAST = 4
"""A part has at least one in so many of the tokens that a model reads, however long the head."""

VERSION = "parts 1"
"""Goes into what tells one set of vectors from another; changes with what is done here."""


def parts_of(
    text: str, head: int, room: int, tokens: Callable[[str], list[tuple[int, int]]]
) -> list[str]:
    """``text`` as it is where ``room`` tokens hold it, else in parts of about one length.

    Each has the first ``head`` characters of the text before it. They end with a line, where one
    ends within their last quarter. ``tokens`` gives the place of each token in a text; none at all
    for a model that does not tell.
    """
    # A token has a character at least.
    if len(text) <= room - SPECIAL:
        return [text]
    places = tokens(text)
    if len(places) <= room - SPECIAL:
        return [text]
    first = bisect_left(places, head, key=lambda place: place[0])
    space = max(room - SPECIAL - first, room // LEAST)
    count = min(PARTS, -(-(len(places) - first) // space))
    parts = []
    for left in range(count, 0, -1):
        size = min(space, -(-(len(places) - first) // left))
        last = first + size
        if left > 1:
            least = max(last - size // 4, first + 1, len(places) - space * (left - 1))
            last = _line_end(text, places, last, least)
        parts.append(text[:head] + text[places[first][0] : places[last - 1][1]])
        first = last
    return parts


def _line_end(text: str, places: list[tuple[int, int]], last: int, least: int) -> int:
    """The token from ``least`` to ``last``, the latest first, that begins a line; else ``last``."""
    for at in range(last, least - 1, -1):
        if "\n" in text[places[at - 1][1] : places[at][0]]:
            return at
    return last
