"""The field's synonyms, read from ``words.txt`` beside this file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

_ENDS = ("s", "d", "ed", "es", "ing", "ly")
LONGEST = 6
"""A phrase of the list has at most so many words."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of ``text`` in small letters, hyphens and slashes taken for spaces."""
    return tuple(re.findall(r"\w+", text.lower()))


@lru_cache(maxsize=1)
def _plain_words() -> tuple[frozenset[str], frozenset[str]]:
    """The words that are left out, and those that count a little."""
    text = files("datasheet_lsp.search").joinpath("stop.txt").read_text(encoding="utf-8")
    nothing, _, little = text.partition("# WEAK")
    nothing, little = (re.sub(r"(?m)^#.*|(?<=\A).*", "", part) for part in (nothing, little))
    return frozenset(nothing.split()), frozenset(little.split())


def is_stop(word: str) -> bool:
    """Whether a word says nothing of the matter. In capitals it may be a name: IS, AN."""
    return word.lower() in _plain_words()[0] and not (word.isupper() and len(word) > 1)


def is_weak(word: str) -> bool:
    """Whether a word says little of the matter."""
    return word.lower() in _plain_words()[1] and not (word.isupper() and len(word) > 1)


class Rule(msgspec.Struct, frozen=True):
    """``parts`` are phrases that must all stand in a question, anywhere; then it means ``said``.

    A word that ends with ``*`` is met by each that begins so.
    """

    name: str
    parts: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]


class Table(msgspec.Struct, frozen=True):
    """What the list says: the words of a phrase -> what means the same, and rules."""

    phrases: dict[tuple[str, ...], tuple[str, ...]]
    rules: tuple[Rule, ...]


@lru_cache(maxsize=1)
def table() -> Table:
    """The list of the field."""
    text = files("datasheet_lsp.search").joinpath("words.txt").read_text(encoding="utf-8")
    return read_table(text)


def read_table(text: str) -> Table:
    """The table that ``text`` has, in the form of ``words.txt``."""
    found: dict[tuple[str, ...], dict[str, None]] = {}
    rules: list[Rule] = []
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        left, arrow, right = line.partition(">")
        asked = [phrase.strip() for phrase in left.split(",") if phrase.strip()]
        said = [phrase.strip() for phrase in right.split(",") if phrase.strip()] if arrow else asked
        for phrase in asked:
            if "+" in phrase or "*" in phrase:
                parts = tuple(map(_pattern, phrase.split("+")))
                rules.append(Rule(phrase, parts, tuple(said)))
                continue
            key = words_of(phrase)
            own = found.setdefault(key, {})
            own.update({other: None for other in said if words_of(other) != key})
    return Table({key: tuple(others) for key, others in found.items() if others}, tuple(rules))


def _pattern(phrase: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+\*?", phrase.lower()))


def phrases_in(words: tuple[str, ...]) -> list[tuple[int, int, tuple[str, ...]]]:
    """The phrases of the table in ``words``: first word, end, what they mean.

    A longer phrase goes before the shorter ones that it contains.
    """
    known = table().phrases
    found: list[tuple[int, int, tuple[str, ...]]] = []
    taken: set[tuple[int, int]] = set()
    for length in range(min(LONGEST, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            end = first + length
            others = _others(known, words[first:end])
            if others and not any(a <= first and end <= b for a, b in taken if b - a > length):
                found.append((first, end, others))
                taken.add((first, end))
    return sorted(found, key=lambda each: each[:2])


def _others(
    known: Mapping[tuple[str, ...], tuple[str, ...]], phrase: tuple[str, ...]
) -> tuple[str, ...]:
    """What a phrase means, the last word in another form if need be: acknowledged."""
    found = known.get(phrase)
    if found is None:
        *before, last = phrase
        forms = (last.removesuffix(end) for end in _ENDS if last.endswith(end))
        found = next((f for form in forms if (f := known.get((*before, form)))), None)
    return found or ()


@lru_cache(maxsize=1)
def _words_of_field() -> frozenset[str]:
    known = table()
    found = {word for phrase in known.phrases for word in phrase}
    found |= {word for others in known.phrases.values() for o in others for word in words_of(o)}
    for rule in known.rules:
        found |= {word.rstrip("*") for part in rule.parts for word in part}
        found |= {word for phrase in rule.said for word in words_of(phrase)}
    return frozenset(found)


def is_of_field(word: str) -> bool:
    """Whether the list has a word, or one that it is a form of: so it is spelt rightly."""
    known = _words_of_field()
    stems = (word, *(word.removesuffix(end) for end in _ENDS))
    return any(stem in known for stem in stems if len(stem) > 2)


def short_names(word: str) -> list[str]:
    """The abbreviations that a word stands for: TIM for timer."""
    return [o for o in table().phrases.get((word,), ()) if o.isupper() and len(o) < 7]


_HEAD = 3


@lru_cache(maxsize=1)
def _rules_by_head() -> dict[str, list[tuple[int, Rule]]]:
    """The rules by the first letters of a word that must stand in the question."""
    found: dict[str, list[tuple[int, Rule]]] = {}
    for number, rule in enumerate(table().rules):
        words = [word for part in rule.parts for word in part]
        key = max(words, key=lambda word: len(word.rstrip("*")))[:_HEAD].rstrip("*")
        found.setdefault(key, []).append((number, rule))
    return found


def rules_in(words: tuple[str, ...]) -> list[Rule]:
    """The rules of the table that hold for ``words``, in the order of the list."""
    have = set(words)
    by_head = _rules_by_head()
    heads = {word[:length] for word in have for length in range(1, _HEAD + 1)}
    found = {
        number: rule
        for head in heads
        for number, rule in by_head.get(head, ())
        if all(_stands(part, words, have) for part in rule.parts)
    }
    return [found[number] for number in sorted(found)]


def _stands(part: tuple[str, ...], words: tuple[str, ...], have: set[str]) -> bool:
    if len(part) == 1 and not part[0].endswith("*"):
        return part[0] in have
    return any(
        all(_same(pattern, word) for pattern, word in zip(part, words[at:], strict=False))
        for at in range(len(words) - len(part) + 1)
    )


def _same(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern
