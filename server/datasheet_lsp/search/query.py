"""What a query asks for: its words with what they also may be called, names and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from datasheet_lsp.index.identifiers import identifiers, quote
from datasheet_lsp.search.functions import functions
from datasheet_lsp.search.hits import Kind
from datasheet_lsp.search.lexicon import Lexicon
from datasheet_lsp.search.names import DeviceNames, Mentions
from datasheet_lsp.search.settings import SearchSettings
from datasheet_lsp.search.synonyms import (
    is_of_field,
    is_stop,
    is_weak,
    phrases_in,
    rules_in,
    short_names,
    words_of,
)

_TOKEN = re.compile(
    r"0[xX][0-9A-Fa-f]+(?: [0-9A-Fa-f]{4})*|0[bB][01]+|\d+(?:\.\d+)+|"
    r"\w+(?:(?:->|\.|::)\w+|\[\w*\])*"
)
_PLACE = re.compile(r"\b(table|figure|fig|section|chapter|§)\.?\s*(\d+(?:[.\-]\d+)*)", re.I)
_BITS = re.compile(r"\[(\d+)\s*[:\-]\s*(\d+)\]|\bbits?\s+(\d+)(?:\s*[:\-]\s*(\d+))?", re.I)
_BREAK = re.compile(r"[,;:?]\s+|\.\s+|\s+(?:and|then|with|plus|und|mit)\s+", re.I)
_UNIT = r"(?![.\s]*(?:[kMmunµ]?(?:Hz|s|A|V|W|Bd|Ohm)|%|bits?|bytes?|baud|MS/s)(?!\w))"
_NUMBERED = re.compile(rf"\b([A-Za-z]{{2,}})\s+(\d{{1,2}})\b{_UNIT}")
_NUMBER = re.compile(rf"\b\d{{1,2}}\b{_UNIT}")
_NEAR = 8
MOST_PARTS = 5

_WEAK = frozenset("register registers bit bits field fields value values number chip mcu".split())

SYNONYM = 0.6
PHRASE = 0.45
RULE = 1.0
WEAK = 0.4
FUNCTION = 1.5
NEAR_TOP = 0.7
PART = 0.45


class Concept(msgspec.Struct, frozen=True):
    """One thing that is asked for, with the FTS5 expressions by which it is met.

    Each expression has what it counts, the word itself 1. A chunk is given the best of them.
    """

    name: str
    weight: float
    expressions: tuple[tuple[str, float], ...]
    extra: bool = False
    """Whether it is no part of the question, so that nothing is wanting where it is not met."""


class Query(msgspec.Struct, frozen=True):
    """A query as it was understood."""

    text: str
    kind: Kind
    concepts: tuple[Concept, ...]
    mentions: Mentions
    corrected: dict[str, str]
    also: tuple[str, ...]
    bits: tuple[int, ...] = ()
    numbers: tuple[str, ...] = ()


def analyse(
    text: str,
    names: DeviceNames | None,
    lexicon: Callable[[], Lexicon],
    is_known: Callable[[str], bool],
    settings: SearchSettings,
    alike: Mapping[str, float] | None = None,
) -> Query:
    """The concepts of ``text``; ``is_known`` tells whether an expression is met anywhere.

    ``lexicon`` is only called when it is needed. ``alike`` has wordings of functions with their
    likeness to ``text``, where there is a model that tells it.
    """
    concepts: list[Concept] = []
    symbols = plain = 0
    corrected: dict[str, str] = {}
    mended = text
    for token in dict.fromkeys(_TOKEN.findall(text)):
        if is_stop(token):
            continue
        if settings.corrections and _is_strange(token, is_known):
            spellings = names.spellings() if names is not None else ()
            words = lexicon().correct(token, spellings)
            if words:
                corrected[token] = " ".join(words)
                mended = re.sub(rf"\b{re.escape(token)}\b", " ".join(words), mended)
    mended = " ".join((mended, *_numbered(mended, is_known)))
    mentions = Mentions()
    if names is not None:
        mentions = names.mentions(mended, lambda word: lexicon().words[word] > 0)
    for token in dict.fromkeys(_TOKEN.findall(mended)):
        if is_stop(token):
            continue
        found = list(_concepts(token))
        concepts += found
        if token in mentions.names or identifiers(token):
            symbols += 1
        elif token.lower() not in _WEAK and not is_weak(token):
            plain += 1
    also: dict[str, None] = {}
    if settings.synonyms:
        concepts = _with_synonyms(mended, concepts, also)
        concepts = _with_abbreviations(mended, concepts, lexicon, also)
    concepts += _places(text)
    kind: Kind = "words"
    if symbols or mentions.targets:
        kind = "symbol" if mentions.targets or symbols > plain else "mixed"
    if settings.functions and kind != "symbol":
        concepts += _functions(text, alike, settings, also)
    bits = tuple(int(n) for found in _BITS.findall(text) for n in found if n)
    numbers = tuple(dict.fromkeys(_NUMBER.findall(text)))
    return Query(text, kind, tuple(concepts), mentions, corrected, tuple(also), bits, numbers)


def _numbered(text: str, is_known: Callable[[str], bool]) -> Iterable[str]:
    """Names that ``text`` has in two words: TIM1 for timer 1, GPIO7 for GPIO 7."""
    for word, number in dict.fromkeys(_NUMBERED.findall(text)):
        if is_stop(word) or word.lower() in _WEAK or _PLACE.fullmatch(f"{word} {number}"):
            continue
        for name in (word, *short_names(word.lower())):
            if is_known(f"{{identifiers headings}} : {quote(f'{name}{number}'.lower())}"):
                yield f"{name}{number}"
                break


def _functions(
    text: str,
    alike: Mapping[str, float] | None,
    settings: SearchSettings,
    also: dict[str, None],
) -> Iterable[Concept]:
    """What documents call the functions that the question is most likely after."""
    least = settings.likely if alike else settings.likely_by_words
    found = functions().meant(text, alike, settings.functions)
    top = found[0][1] if found else 0.0
    for function, near in found:
        if near < least or near < NEAR_TOP * top:
            continue
        also[function.name] = None
        share = (near / top) ** 2
        expressions = [(e, w * FUNCTION) for e, w in map(expression_of, function.said)]
        yield Concept(
            f"function {function.name}", settings.function * share, tuple(expressions), True
        )


def _is_strange(word: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a word may be misspelt: it stands in no document, and the field does not know it."""
    return (
        word.isalpha()
        and len(word) > 3
        and not is_weak(word)
        and not is_of_field(word.lower())
        and not is_known(quote(word.lower()))
    )


def parts_of(text: str) -> list[str]:
    """The parts of a question that asks for several things, by its own punctuation and "and".

    A part has two words at least that say something; less than two parts are none.
    """
    parts = []
    for part in _BREAK.split(text):
        words = [w for w in _TOKEN.findall(part) if not is_stop(w)]
        if len(words) >= 2 or any(identifiers(word) for word in words):
            parts.append(part.strip())
    return parts[:MOST_PARTS] if len(parts) > 1 else []


def _concepts(token: str) -> Iterable[Concept]:
    """The concepts of one word: an identifier has one for each of its parts."""
    found = identifiers(token)
    if not found:
        small = token.lower()
        weight = WEAK if small in _WEAK or is_weak(small) else 0.5 if token[0].isdigit() else 1.0
        yield Concept(small, weight, ((quote(small), 1.0),))
        return
    if token[:2].lower() == "0x":
        yield Concept(found[0], 1.5, ((quote(found[0]), 1.0),))
        return
    parts = [part.lower() for part in re.split(r"[^A-Za-z0-9]+", token) if part]
    if len(parts) > 1:
        yield Concept(found[0], 1.0, ((quote(found[0]), 1.0),))
    for part in dict.fromkeys(parts):
        if len(part) < 2 and part.isdigit():
            continue
        own = re.split(r"[^A-Za-z0-9]+", token)[parts.index(part)]
        others = [word for word in identifiers(own) if word != part]
        expressions = ((quote(part), 1.0), *((quote(word), PART) for word in others))
        yield Concept(part, 1.4, expressions)


def expression_of(phrase: str) -> tuple[str, float]:
    """The FTS5 expression of a phrase and what meeting it counts."""
    words = words_of(phrase)
    if len(words) == 1:
        return quote(words[0]), SYNONYM
    return f"NEAR({' '.join(map(quote, words))}, {_NEAR})", PHRASE


def _with_synonyms(text: str, concepts: list[Concept], also: dict[str, None]) -> list[Concept]:
    words = words_of(text)
    added: dict[str, dict[str, float]] = {}
    phrases: list[Concept] = []
    for first, end, others in phrases_in(words):
        expressions = dict(map(expression_of, others))
        also.update(dict.fromkeys(others))
        if end - first == 1:
            added.setdefault(words[first], {}).update(expressions)
        else:
            own = quote(" ".join(words[first:end]))
            both = ((own, 0.8), *((e, w * 1.2) for e, w in expressions.items()))
            phrases.append(Concept(" ".join(words[first:end]), 1.0, both))
    ruled: dict[str, float] = {}
    for rule in rules_in(words):
        also.update(dict.fromkeys(rule.said))
        ruled.update(map(expression_of, rule.said))
    if ruled:
        phrases.append(Concept("meant", RULE, tuple((e, w * 1.5) for e, w in ruled.items())))
    return (
        [_extended(concept, added.pop(concept.name, {})) for concept in concepts]
        + [Concept(name, 0.8, tuple(more.items())) for name, more in added.items() if more]
        + phrases
    )


def _with_abbreviations(
    text: str, concepts: list[Concept], lexicon: Callable[[], Lexicon], also: dict[str, None]
) -> list[Concept]:
    """What the documents spell out: the short for the long and the long for the short."""
    known = lexicon()
    result = []
    for concept in concepts:
        meaning = known.meaning(concept.name) if len(concept.name) > 1 else ""
        more = {}
        if meaning:
            also[meaning] = None
            expression, weight = expression_of(meaning)
            more[expression] = weight
        result.append(_extended(concept, more))
    for short in known.abbreviations_in(text):
        if all(concept.name != short for concept in result):
            also[short] = None
            result.append(Concept(short, 0.8, ((quote(short), 0.8),)))
    return result


def _extended(concept: Concept, more: dict[str, float]) -> Concept:
    have = dict(concept.expressions)
    rest = tuple((e, w) for e, w in more.items() if e not in have)
    return msgspec.structs.replace(concept, expressions=concept.expressions + rest)


def _places(text: str) -> Iterable[Concept]:
    """The tables, figures and sections that are named by their numbers."""
    for word, number in _PLACE.findall(text):
        digits = " ".join(re.findall(r"\d+", number))
        if word.lower() in ("section", "chapter", "§"):
            expression = f"headings : ^{quote(digits)}"
        else:
            kind = "figure" if word.lower().startswith("fig") else "table"
            expression = quote(f"{kind} {digits}")
        yield Concept(f"{word} {number}", 4.0, ((expression, 1.0),))
