"""C tokens, and macros put in for their names as the preprocessor does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

_TOKEN = re.compile(
    r"\s+|\\\r?\n|/\*.*?(?:\*/|\Z)|//[^\n]*"
    r"|(?P<token>(?:u8|[uUL])?\"(?:\\.|[^\"\\\n])*\"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'"
    r"|[A-Za-z_$][\w$]*|\.?\d(?:[eEpP][+-]|'\w|[\w.])*"
    r"|->\*?|\+\+|--|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||\#\#|::|\.\.\.|.)",
    re.S,
)
MAX_TOKENS = 20_000
_MAX_DEPTH = 48


class Body(msgspec.Struct, frozen=True):
    """What a macro stands for. ``parameters`` is None for an object macro.

    The last parameter is ``...`` where it takes any number of arguments.
    """

    text: str
    parameters: tuple[str, ...] | None = None


Meaning = Body | int | None
Names = Callable[[str], Meaning]
"""What a name stands for: a macro, the number of an enumerator, None where nothing is known."""


class TooLong(Exception):
    """Macros that grow without end."""


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of C text, blanks and comments left out."""
    return tuple(found["token"] for found in _TOKEN.finditer(text) if found["token"] is not None)


def is_name(token: str) -> bool:
    """Whether a token is an identifier."""
    return token[0].isalpha() and token[-1] not in "'\"" or token[0] in "_$"


def expand(given: Sequence[str], names: Names) -> list[str]:
    """``given`` with all macros put in. Raises :class:`TooLong`."""
    return _Expansion(names).expand(given, frozenset(), 0)


class _Expansion:
    def __init__(self, names: Names) -> None:
        self._names = names
        self._left = MAX_TOKENS

    def expand(self, given: Sequence[str], hidden: frozenset[str], depth: int) -> list[str]:
        """All macros but those of ``hidden`` put in; a macro within itself is left as it is."""
        done: list[str] = []
        i = 0
        while i < len(given):
            token = given[i]
            i += 1
            meaning = self._names(token) if is_name(token) and token not in hidden else None
            if not isinstance(meaning, Body):
                done.append(token)
                continue
            if depth > _MAX_DEPTH:
                raise TooLong
            if meaning.parameters is None:
                body: Sequence[str] = tokens(meaning.text)
                if "##" in body:
                    body = paste(body)
            else:
                found = arguments(given, i)
                if found is None:
                    done.append(token)
                    continue
                given_arguments, i = found
                if not _fits(meaning.parameters, given_arguments):
                    done.append(token)
                    done.append("(")
                    for argument in given_arguments:
                        done += [*self.expand(argument, hidden, depth + 1), ","]
                    done[-1:] = [")"] if given_arguments else ["(", ")"]
                    continue
                body = self._substitute(meaning, given_arguments, hidden, depth)
            self._left -= len(body) + 1
            if self._left < 0:
                raise TooLong
            inner = self.expand(body, hidden | {token}, depth + 1)
            # A name that ends in a call of a macro takes its arguments from what follows.
            if inner and i < len(given) and given[i] == "(" and is_name(inner[-1]):
                last = self._names(inner[-1]) if inner[-1] not in hidden | {token} else None
                if isinstance(last, Body) and last.parameters is not None:
                    name = inner.pop()
                    done += inner
                    given = [name, *given[i:]]
                    i = 0
                    self._left -= len(given)
                    if self._left < 0:
                        raise TooLong
                    continue
            done += inner
        return done

    def _substitute(
        self, macro: Body, given: list[list[str]], hidden: frozenset[str], depth: int
    ) -> list[str]:
        names = macro.parameters or ()
        by_name: dict[str, list[str]] = {}
        if names and names[-1].endswith("..."):
            fixed = len(names) - 1
            rest: list[str] = []
            for argument in given[fixed:]:
                rest += [",", *argument] if rest else argument
            by_name[names[-1].removesuffix("...") or "__VA_ARGS__"] = rest
            names, given = names[:-1], given[:fixed]
        by_name.update(zip(names, given, strict=False))
        expanded: dict[str, list[str]] = {}
        body = tokens(macro.text)
        made: list[str] = []
        for i, token in enumerate(body):
            if token not in by_name:
                made.append(token)
            elif (i and body[i - 1] in ("##", "#")) or body[i + 1 : i + 2] == ("##",):
                # Beside ## and # the argument is taken as it is written.
                made += by_name[token] or [""]
            else:
                if token not in expanded:
                    expanded[token] = self.expand(by_name[token], hidden, depth + 1)
                self._left -= len(expanded[token])
                if self._left < 0:
                    raise TooLong
                made += expanded[token]
        return paste(made) if "##" in body else [token for token in made if token]


def _fits(parameters: tuple[str, ...], given: list[list[str]]) -> bool:
    if parameters and parameters[-1].endswith("..."):
        return len(given) >= len(parameters) - 1
    if not parameters:
        return given in ([], [[]])
    return len(given) == len(parameters)


def paste(body: Sequence[str]) -> list[str]:
    """``body`` with the tokens around each ``##`` made one."""
    made: list[str] = []
    i = 0
    while i < len(body):
        if body[i] == "##" and made and i + 1 < len(body):
            made[-1] += body[i + 1]
            i += 2
        else:
            made.append(body[i])
            i += 1
    return [token for token in made if token]


def arguments(given: Sequence[str], at: int) -> tuple[list[list[str]], int] | None:
    """The arguments of a call whose ``(`` is the token ``at``, and where it ends; else None."""
    if at >= len(given) or given[at] != "(":
        return None
    found: list[list[str]] = [[]]
    depth = 0
    for i in range(at + 1, len(given)):
        token = given[i]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            if depth == 0:
                return ([] if found == [[]] else found), i + 1
            depth -= 1
        elif token == "," and depth == 0:
            found.append([])
            continue
        found[-1].append(token)
    return None
