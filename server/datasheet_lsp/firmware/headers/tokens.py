"""C text as tokens, and macros put in: tolerant, and bounded whatever the macros are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from datasheet_lsp.firmware.headers.facts import Macro

_TOKEN = re.compile(
    r"[A-Za-z_]\w*"
    r"|\.?\d(?:[eEpP][+-]|[\w.']|\b'(?=\w))*"
    r'|(?:[LuU]|u8)?"(?:\\.|[^"\\])*"'
    r"|'(?:\\.|[^'\\])*'"
    r"|->|<<=|>>=|\.\.\.|[-+*/%&|^=!<>]=|<<|>>|&&|\|\||\+\+|--|##|::"
    r"|[^\s\w]"
)

Hidden = frozenset[str]
Token = tuple[str, Hidden]
"""A token and the macros that are not to be put in for it: it comes out of them."""

_NONE: Hidden = frozenset()
MAX_TOKENS = 20_000
MAX_STEPS = 4_000
MAX_LENGTH = 20_000
"""Characters of one token: those that ## and # make can double at every step."""
_MAX_DEPTH = 60

Find = Callable[[str], Macro | None]


class TooLong(Exception):
    """The text grows without end, or beyond what a register access needs."""


@lru_cache(maxsize=8192)
def split(text: str) -> tuple[str, ...]:
    """The tokens of C text without comments."""
    return tuple(_TOKEN.findall(text))


def is_word(token: str) -> bool:
    """Whether a token is an identifier or a keyword."""
    return token[0].isalpha() or token[0] == "_"


class Expander:
    """Puts in macros. One for a question: it counts what the question costs."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._steps = 0
        self._made = 0
        self.used: set[str] = set()
        """The macros that were put in."""

    def expand(self, tokens: Sequence[str]) -> list[str]:
        """``tokens`` with all macros put in.

        Raises:
            TooLong: there would be too many of them.
        """
        return [text for text, _ in self._all([(token, _NONE) for token in tokens], 0)]

    def _all(self, tokens: list[Token], depth: int) -> list[Token]:
        if depth > _MAX_DEPTH:
            raise TooLong
        out: list[Token] = []
        waiting = list(reversed(tokens))
        while waiting:
            text, hidden = waiting.pop()
            macro = None
            if (text[0].isalpha() or text[0] == "_") and text not in hidden:
                macro = self._find(text)
            if macro is None:
                out.append((text, hidden))
                continue
            self._steps += 1
            if self._steps > MAX_STEPS:
                raise TooLong
            if macro.parameters is None:
                body = _glued([(t, hidden | {text}) for t in split(macro.body)])
            else:
                taken = _arguments(waiting)
                if taken is None:
                    out.append((text, hidden))
                    continue
                arguments, after = taken
                called = self._call(macro, arguments, hidden | {text}, depth)
                if called is None:
                    out.append((text, hidden))
                    continue
                body = called
                del waiting[after:]
            self.used.add(text)
            self._made += len(body)
            if self._made > MAX_TOKENS:
                raise TooLong
            waiting.extend(reversed(body))
        return out

    def _call(
        self, macro: Macro, arguments: list[list[Token]], hidden: Hidden, depth: int
    ) -> list[Token] | None:
        names = list(macro.parameters or ())
        rest = None
        if names and names[-1].endswith("..."):
            rest = names.pop()[:-3] or "__VA_ARGS__"
        if not names and rest is None and len(arguments) == 1 and not arguments[0]:
            arguments = []
        if len(arguments) < len(names):
            if not (rest is not None or len(arguments) == len(names) - 1):
                return None
            arguments = arguments + [[]] * (len(names) - len(arguments))
        if len(arguments) > len(names) and rest is None:
            return None
        given = dict(zip(names, arguments, strict=False))
        if rest is not None:
            joined: list[Token] = []
            for i, argument in enumerate(arguments[len(names) :]):
                if i:
                    joined.append((",", _NONE))
                joined += argument
            given[rest] = joined
        whole: dict[str, list[Token]] = {}
        tokens = split(macro.body)
        body: list[Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if token == "#" and i + 1 < len(tokens) and tokens[i + 1] in given:
                text = " ".join(t for t, _ in given[tokens[i + 1]])
                if len(text) > MAX_LENGTH:
                    raise TooLong
                body.append((f'"{text}"', hidden))
                i += 2
                continue
            if token in given:
                raw = (i > 0 and tokens[i - 1] == "##") or tokens[i + 1 : i + 2] == ("##",)
                if raw:
                    if not given[token]:
                        body.append(("", hidden))  # so that ## has something to take
                    body += given[token]
                else:
                    if token not in whole:
                        whole[token] = self._all(given[token], depth + 1)
                    body += [(t, h | hidden) for t, h in whole[token]]
            else:
                body.append((token, hidden))
            i += 1
            if len(body) > MAX_TOKENS:
                raise TooLong
        return _glued(body)


def _glued(tokens: list[Token]) -> list[Token]:
    """``tokens`` with what stands around each ## made one."""
    if not any(text == "##" for text, _ in tokens):
        return [token for token in tokens if token[0]]
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        if tokens[i][0] == "##" and out and i + 1 < len(tokens):
            left, hidden = out.pop()
            right = tokens[i + 1][0]
            if left == "," and not right:
                pass  # , ## __VA_ARGS__ without any
            elif left == ",":
                out += [(left, hidden), (right, tokens[i + 1][1])]
            elif len(left) + len(right) > MAX_LENGTH:
                raise TooLong
            else:
                out += [(piece, hidden) for piece in split(left + right)] or [("", hidden)]
            i += 2
            continue
        out.append(tokens[i])
        i += 1
    return [token for token in out if token[0]]


def _arguments(waiting: list[Token]) -> tuple[list[list[Token]], int] | None:
    """The arguments of a call whose ( is last in ``waiting``, and where the rest of it ends."""
    i = len(waiting) - 1
    if i < 0 or waiting[i][0] != "(":
        return None
    arguments: list[list[Token]] = [[]]
    depth = 0
    while i >= 0:
        text = waiting[i][0]
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
            if depth == 0:
                return arguments, i
        if text == "," and depth == 1:
            arguments.append([])
        elif depth > 1 or text != "(" or i != len(waiting) - 1:
            arguments[-1].append(waiting[i])
        i -= 1
    return None
