"""JSON as editors write it: comments and trailing commas allowed, each text with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

MAX_DEPTH = 64

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?(?:\*/|$))
      | (?P<text>"(?:[^"\\\n]|\\.)*+(?:"|$|(?=\n)|\\$))  # an open one ends with its line
      | (?P<mark>[{}\[\]:,])
      | (?P<word>[^\s"{}\[\]:,/]+|/)
    """,
    re.VERBOSE | re.DOTALL,
)


class Entry(msgspec.Struct, frozen=True):
    """A text in a JSON file: the keys that lead to it, list positions as numbers, and its line."""

    keys: tuple[str | int, ...]
    value: str
    line: int

    @property
    def key(self) -> str:
        """The last key that is a name."""
        return next((str(key) for key in reversed(self.keys) if isinstance(key, str)), "")


def entries(text: str) -> Iterator[Entry]:
    """All texts of a JSON file in their order. What is broken is passed over; never raises."""
    stack: list[list[str | int | None]] = []  # one key or position for each open bracket
    expecting = False  # whether the next text is a key
    line = 1
    for token in _TOKEN.finditer(text):
        found = token[0]
        if token["text"] is not None:
            value = _unquote(found)
            if expecting and stack:
                stack[-1][0] = value
                expecting = False
            else:
                yield Entry(tuple(level[0] for level in stack if level[0] is not None), value, line)
        elif token["mark"] is not None:
            if found in "{[":
                if len(stack) >= MAX_DEPTH:
                    return
                stack.append([None if found == "{" else 0])
                expecting = found == "{"
            elif found in "}]":
                if stack:
                    stack.pop()
                expecting = False
            elif found == "," and stack:
                position = stack[-1][0]
                if isinstance(position, int):
                    stack[-1][0] = position + 1
                else:
                    expecting = True
        line += found.count("\n")


def _unquote(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text[1:-1]
    return str(value)
