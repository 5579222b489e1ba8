"""The words of identifiers, the same for what is stored and for what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

IDENTIFIER_VERSION = 1
"""Goes up when ``identifiers`` gives other words: what is stored must be written anew."""

_HEX = re.compile(r"\b0[xX]([0-9A-Fa-f]{1,4}(?: [0-9A-Fa-f]{4})+|[0-9A-Fa-f]+)\b")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:(?:_+|\.|->)[A-Za-z0-9]+|\[\w*\])*")
_SPLIT = re.compile(r"[^A-Za-z0-9]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENABLED = re.compile(r"(.*\d)([A-Z]{2,}|[a-z]{2,})")
_INSTANCE = re.compile(r"([A-Za-z][A-Za-z0-9]*?)(\d+|(?<=[A-Z]{2})x+)")
_ENDING = re.compile(r"([A-Z][A-Z0-9]{2,})(?:LPEN|SMEN|EN|RST|CLK|IRQ|IE|IF)")
_LONGEST = 64


def identifiers(text: str) -> list[str]:
    """The search words of the identifiers and hexadecimal numbers in ``text``, each once.

    For ``RCC_APB1ENR.USART2EN`` these are the whole name and its parts without signs, their
    camel-case parts, the parts without digits at their end, and what an enabling bit is for:
    rccapb1enrusart2en, rcc, apb1enr, usart2en, usart2, usart and so on, in small letters. Plain
    words of running text are left out.
    """
    found: dict[str, None] = {}
    for number in _HEX.findall(text):
        found[f"0x{number.replace(' ', '').lower()}"] = None
    for name in dict.fromkeys(_NAME.findall(text)):
        for word in _expand(name):
            found[word] = None
    return list(found)


@lru_cache(maxsize=65_536)
def _expand(name: str) -> tuple[str, ...]:
    if len(name) > _LONGEST or not _is_identifier(name):
        return ()
    parts = [part for part in _SPLIT.split(name) if part]
    words = ["".join(parts)]
    for part in parts:
        words += _of_part(part)
    small = (word.lower() for word in words)
    return tuple(dict.fromkeys(word for word in small if len(word) > 1 and not word.isdigit()))


def _of_part(part: str) -> Iterable[str]:
    yield part
    for base in (part, *_bases(part)):
        yield base
        instance = _INSTANCE.fullmatch(base)
        if instance:
            yield instance[1]
    camel = _CAMEL.findall(part)
    if len(camel) > 1 and any(word.islower() or word[1:].islower() for word in camel):
        yield from (word for word in camel if len(word) > 2)


def _bases(part: str) -> Iterable[str]:
    """What a bit is for by its name: USART2 of USART2EN and of USART2LPEN, GPIOA of GPIOAEN."""
    enabled = _ENABLED.fullmatch(part)
    if enabled:
        yield enabled[1]
        return
    ending = _ENDING.fullmatch(part)
    if ending:
        yield ending[1]


def _is_identifier(name: str) -> bool:
    """Whether a word is a name: it has a digit, a sign, or capitals beyond the first letter."""
    return not name.isalpha() or not (name[1:].islower() or len(name) == 1)


def quote(term: str) -> str:
    """``term`` as a string of an FTS5 query, whatever it contains."""
    return '"' + term.replace('"', '""') + '"'
