"""Whether the documents can answer at all: what is asked for must be there.

Three signs, each of a kind of thing: a feature that the chip and its documents do not have, a name
that they do not know, a quantity of which no passage has a number. Where most words of a question
stand nowhere it is about something else altogether.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec

from datasheet_lsp.answer.library import Library
from datasheet_lsp.index import quote
from datasheet_lsp.search import Hit
from datasheet_lsp.search.keyword import Scope
from datasheet_lsp.search.names import family, squash

_LEAST = 3
"""So many passages that speak of a topic make a home of it, where no heading has it."""
_UNKNOWN = 0.6
_TOP = 12
_NEAR = 260
_MOST_WORDS = 25
_STEM = 5
_INSTANCE = re.compile(r"\b([A-Z][A-Za-z]*[A-Za-z])(\d{1,2})\b")
_SYMBOL = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:(?:->|_|\.)[A-Za-z0-9]+)+\b")
_SHORT = re.compile(r"(?<![\w>.-])[A-Z]{3,}(?![\w.>-]|\()")
_WORD = re.compile(r"[a-z]{3,}")


class Topic(msgspec.Struct, frozen=True):
    """A feature that chips may have."""

    name: str
    asks: re.Pattern[str]
    peripherals: re.Pattern[str]
    words: tuple[str, ...]


class Quantity(msgspec.Struct, frozen=True):
    """A number of a datasheet, with how it is written."""

    name: str
    asks: re.Pattern[str]
    unit: re.Pattern[str]


class Refusal(msgspec.Struct, frozen=True):
    """Why the documents do not answer. ``near`` are names that may have been meant."""

    reason: str
    near: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def vocabulary() -> tuple[tuple[Topic, ...], tuple[Quantity, ...]]:
    """What ``topics.toml`` has."""
    text = files("datasheet_lsp.answer").joinpath("topics.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    quantities = tuple(
        Quantity(each["name"], re.compile(each["asks"], re.I), re.compile(each["unit"]))
        for each in raw.pop("quantity")
    )
    topics = tuple(
        Topic(
            name,
            re.compile(each["asks"], re.I),
            re.compile(f"(?:{each['peripherals']})", re.I),
            tuple(each["words"]),
        )
        for name, each in raw.items()
    )
    return topics, quantities


def refusal(
    question: str, device: str | None, library: Library, hits: Sequence[Hit]
) -> Refusal | None:
    """Why the documents of ``device`` do not answer, None where they may. ``hits`` are the best."""
    if library.searcher is None:
        return None
    scope = library.searcher.shelf.scope(question, device).documents
    return (
        _absent(question, device, library, scope)
        or _unknown_name(question, device, library, scope)
        or _unknown_short(question, device, library, scope)
        or _unmeasured(question, hits)
        or _elsewhere(question, device, library, scope)
    )


def _absent(question: str, device: str | None, library: Library, scope: Scope) -> Refusal | None:
    topics, _ = vocabulary()
    for topic in topics:
        said = topic.asks.search(question)
        if said is None or _has(topic, device, library, scope):
            continue
        if device in library.devices and device is not None:
            if library.names(device).read(said[0].strip()).is_name:
                continue  # a field or register is called so
        where = f"{device} and its documents have" if device else "the documents have"
        return Refusal(f"{where} nothing of {said[0].strip()}")
    return None


def _has(topic: Topic, device: str | None, library: Library, scope: Scope) -> bool:
    searcher = library.searcher
    assert searcher is not None
    if device is not None and device in library.devices:
        for peripheral in library.devices[device].peripherals:
            if topic.peripherals.match(peripheral.name):
                return True
    expressions = [quote(word) for word in topic.words]
    for expression in expressions:
        if searcher.keyword.is_known(f"headings : {expression}", scope):
            return True
    return any(
        len(searcher.keyword.find(e, scope)) >= (1 if " " in e else _LEAST) for e in expressions
    )


def _unknown_name(
    question: str, device: str | None, library: Library, scope: Scope
) -> Refusal | None:
    """An instance, or a register of a known peripheral, that there is not."""
    if device is None or device not in library.devices:
        return None
    searcher = library.searcher
    assert searcher is not None
    names = library.names(device)
    plain = searcher.shelf.named_in(question)
    for match in _INSTANCE.finditer(question):
        word = match[0]
        if plain and squash(word) and squash(plain).startswith(squash(word)[:5]):
            continue
        owners = names.tables.find_peripheral(match[1])
        kin = [name for name in owners if squash(family(name)) == squash(match[1])]
        if not kin or names.read(word).is_name or _is_met(word, library, scope):
            continue
        return Refusal(f"{device} has no {word}", tuple(sorted(kin)[:4]))
    for match in _SYMBOL.finditer(question):
        word = match[0]
        head = re.split(r"->|_|\.", word)[0]
        if not head.isupper() or not names.peripherals(head) or names.read(word).is_name:
            continue
        tail = re.split(r"->|_|\.", word)[-1]
        if _is_met(word, library, scope) or _is_met(tail, library, scope):
            continue
        if names.read(tail).is_name:
            continue
        return Refusal(f"{device} has no {word}", tuple(names.near(word)))
    return None


def _unknown_short(
    question: str, device: str | None, library: Library, scope: Scope
) -> Refusal | None:
    """An abbreviation that the documents have nowhere, neither short nor spelt out."""
    searcher = library.searcher
    assert searcher is not None
    if len(question.split()) > _MOST_WORDS:
        return None
    for word in dict.fromkeys(_SHORT.findall(question)):
        if word in _GENERAL or question.isupper() or _is_met(word, library, scope):
            continue
        if device in library.devices and device is not None:
            if library.names(device).read(word).is_name:
                continue
        query = searcher.analyse(word, searcher.shelf.scope(question, device), searcher.settings)
        expressions = [e for concept in query.concepts for e, _ in concept.expressions]
        if not any(searcher.keyword.is_known(e, scope) for e in expressions):
            return Refusal(f"the documents have no {word}")
    return None


def _is_met(word: str, library: Library, scope: Scope) -> bool:
    searcher = library.searcher
    assert searcher is not None
    whole = squash(word)
    return any(searcher.keyword.is_known(quote(w), scope) for w in (word.lower(), whole) if w)


def _unmeasured(question: str, hits: Sequence[Hit]) -> Refusal | None:
    """A quantity of which no passage about the matter has a number."""
    _, quantities = vocabulary()
    for quantity in quantities:
        said = quantity.asks.search(question)
        if said is None:
            continue
        rest = question.replace(said[0], " ").lower()
        subject = {w for w in _WORD.findall(rest) if w not in _PLAIN}
        if not any(_measures(hit, quantity, subject) for hit in hits[:_TOP]):
            return Refusal(f"no passage about it has {quantity.name}")
    return None


def _measures(hit: Hit, quantity: Quantity, subject: set[str]) -> bool:
    """Whether a passage has such a number near to a word of the subject."""
    text = hit.text
    about = " ".join(hit.heading_path).lower()
    for match in quantity.unit.finditer(text):
        near = text[max(0, match.start() - _NEAR) : match.end() + _NEAR].lower()
        met = sum(word[:_STEM] in near or word[:_STEM] in about for word in subject)
        if met >= max(1, (len(subject) + 1) // 2):
            return True
    return False


def _elsewhere(question: str, device: str | None, library: Library, scope: Scope) -> Refusal | None:
    """Most of what is asked for stands nowhere, and no name of the device is in it."""
    searcher = library.searcher
    assert searcher is not None
    query = searcher.analyse(question, searcher.shelf.scope(question, device), searcher.settings)
    if query.mentions.targets or query.mentions.peripherals or not query.concepts:
        return None
    total = sum(concept.weight for concept in query.concepts)
    unknown = sum(
        concept.weight
        for concept in query.concepts
        if not any(searcher.keyword.is_known(e, scope) for e, _ in concept.expressions)
    )
    if unknown / total < _UNKNOWN:
        return None
    return Refusal("what is asked for stands nowhere in the documents")


_GENERAL = frozenset(
    """HAL API SDK IDE GCC ISR MCU CPU SOC LED RTOS LSB MSB IRQ ASCII PCB GND VCC VDD VSS RAM ROM
    AND NOT THE FOR HOW WHY WHAT USE ALL ANY CMSIS ASAP FAQ PDF SVD EMI EMC IOT DIY OEM USA LCD MHZ
    KHZ BLDC NULL TODO FIXME TIA PLC RTFM WCH NXP ARM TI STM NVIC HEX BIN ELF""".split()
)
_PLAIN = frozenset(
    """what which how many much times does the for and with from value values typical maximum
    minimum at
    have has are can its this that one per when where while good chip device part mcu level need
    needs take takes draw draws get room temperature degrees""".split()
)
