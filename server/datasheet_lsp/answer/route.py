"""Questions that the device model answers exactly, at once and without a language model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from datasheet_lsp.answer import asked
from datasheet_lsp.answer.asked import Aspect
from datasheet_lsp.answer.names import Names, is_handler
from datasheet_lsp.answer.subject import Subject, Word, one_register, subject_of, words_of
from datasheet_lsp.model import Interrupt, Location, Peripheral
from datasheet_lsp.search.names import squash

_LEAST_ADDRESS = 0x400
_SHORTEST_DEVICE = 4
_PLACE = "§"
_BIT = re.compile(
    r"\bbits?\s+(\d{1,2})(?:\s*(?::|-|to|through|\.\.)\s*(\d{1,2}))?\b|\[(\d+)(?::(\d+))?\]"
)
_AT = re.compile(rf"\bat\s+{_PLACE}", re.I)
_YES_NO = re.compile(r"^\s*(?:is|are|can|does|do|isn't|may)\b", re.I)
_IRQ_NUMBER = re.compile(
    r"\b(?:irqn?|interrupt|vector|exception)s?\s*(?:number|no\.?|line|has number|is number|#)?\s*"
    r"(?:is\s+)?(\d{1,3})\b|\bnumber (\d{1,3})\b",
    re.I,
)


_CLAIMS = {
    r"read[- ]?only|\bro\b": "read-only",
    r"write[- ]?only|\bwo\b": "write-only",
    r"read[- /]?(?:and[- ])?write|\br/?w\b": "read-write",
    r"\bwrit(?:e|able|eable|ten)\b|\bmodif": "write",
    r"\bread(?:able)?\b": "read",
}


class Routed(msgspec.Struct):
    """What the device says. Several ``locations`` unless ``listed`` are all that may be meant.

    ``value`` is the number asked about, ``bits`` (most, least significant) the bits asked about,
    ``unknown`` a name that the device has not, with ``near`` ones. ``claimed`` is the access that
    the question asks to confirm: read-only, write-only or read-write.
    """

    device: str
    aspects: tuple[Aspect, ...]
    locations: tuple[Location, ...] = ()
    peripherals: tuple[Peripheral, ...] = ()
    interrupts: tuple[tuple[Peripheral, Interrupt], ...] = ()
    value: int | None = None
    bits: tuple[int, int] | None = None
    yes_no: bool = False
    listed: bool = False
    unknown: str = ""
    near: tuple[str, ...] = ()
    cpu: str = ""
    source: str = ""
    claimed: str = ""


def route(question: str, names: Names) -> Routed | None:
    """The answer that the device gives for certain, None where it takes documents."""
    words = words_of(question, names, asked.COMMON)
    words = [w for w in words if not _is_device(w.text, names.device.name)]
    subject = subject_of(words, names, asked.COMMON)
    used = {id(w) for w in subject.used}
    numbers = [w for w in words if w.is_number]
    rest = _without(question, [*subject.used, *numbers, *subject.unknown])
    small = [w.text.lower() for w in words if id(w) not in used and not w.is_number]
    unknown = {id(w) for w in subject.unknown}
    plain = [
        w.text.lower()
        for w in words
        if id(w) not in used and not w.is_number and id(w) not in unknown
    ]
    if subject.unknown:
        return _unknown(subject, plain, rest, names)
    found = (
        _interrupt(question, subject, numbers, rest, names)
        or _at(subject, numbers, rest, names)
        or _bit(_without(question, subject.used), subject, numbers, names)
        or _decode(subject, numbers, rest, names)
        or _aspect(question, subject, numbers, rest, names)
    )
    if found is None or _says_more(small, found, subject):
        return None
    found.yes_no = bool(_YES_NO.match(question))
    found.claimed = _claimed(rest) if "access" in found.aspects else ""
    found.listed = subject.listed
    return found


def _is_device(word: str, device: str) -> bool:
    """Whether a word is the device's name, or an order code that begins with it."""
    name = squash(device).rstrip("x")
    said = squash(word)
    if len(name) < _SHORTEST_DEVICE or not any(c.isdigit() for c in name):
        return False
    return said.startswith(name) or (len(said) >= 6 and name.startswith(said))


def _without(question: str, words: Sequence[Word]) -> str:
    """The question with a mark for each of ``words``."""
    parts: list[str] = []
    at = 0
    for word in sorted(words, key=lambda w: w.start):
        parts += [question[at : word.start], _PLACE]
        at = word.end
    return "".join([*parts, question[at:]])


def _says_more(small: Sequence[str], found: Routed, subject: Subject) -> bool:
    """Whether the question has words that the device's own do not account for."""
    left = asked.left_over(small, found.aspects)
    if not left:
        return False
    own: set[str] = set()
    for at in subject.locations[:4]:
        for item in (at.peripheral, at.register, at.field):
            if item is not None:
                own.update(re.findall(r"[a-z0-9]+", item.description.lower()))
    for peripheral in subject.peripherals[:4]:
        own.update(re.findall(r"[a-z0-9]+", peripheral.description.lower()))
    return not set(left) <= own


def _claimed(rest: str) -> str:
    """The access that a question asks to confirm, "" where it asks for none in particular."""
    for word, access in _CLAIMS.items():
        if re.search(word, rest, re.I):
            return access
    return ""


def _make(names: Names, *aspects: Aspect) -> Routed:
    cpu = names.device.cpu.name if names.device.cpu is not None else ""
    device = names.device
    return Routed(device=device.name, aspects=aspects, cpu=cpu, source=device.source or device.name)


def _interrupt(
    question: str, subject: Subject, numbers: Sequence[Word], rest: str, names: Names
) -> Routed | None:
    by_handler = any(is_handler(w.text) for w in subject.used)
    of_interrupt = subject.interrupts and not subject.peripherals
    if not asked.asks_interrupt(rest) and not by_handler and not of_interrupt:
        return None
    found = _make(names, "interrupt")
    number = _IRQ_NUMBER.search(question)
    if number is not None and not subject.used:
        found.value = int(number[1] or number[2])
        found.interrupts = _distinct(
            [(p, i) for p, i in names.interrupts if i.value == found.value]
        )
        return found
    if subject.locations or (numbers and not subject.interrupts):
        return None
    wanted = [i.name for i in subject.interrupts]
    by_name = [(p, i) for p, i in names.interrupts if i.name in wanted]
    owned = [(p, i) for p in subject.peripherals for i in p.interrupts]
    alike = []
    if not owned and not by_name and subject.peripherals:
        # Interrupts that the SVD has under another peripheral, by their names.
        stems = {squash(p.name) for p in subject.peripherals}
        alike = [(p, i) for p, i in names.interrupts if squash(i.name) in stems]
    found.interrupts = _distinct(by_name or owned or alike)
    found.peripherals = tuple(subject.peripherals)
    if not found.interrupts and not found.peripherals:
        return None
    return found


def _distinct(
    found: Sequence[tuple[Peripheral, Interrupt]],
) -> tuple[tuple[Peripheral, Interrupt], ...]:
    return tuple({(i.name, i.value): (p, i) for p, i in reversed(found)}.values())[::-1]


def _at(subject: Subject, numbers: Sequence[Word], rest: str, names: Names) -> Routed | None:
    """The register at an address, or at an offset in a peripheral."""
    if len(numbers) != 1 or subject.locations:
        return None
    value = numbers[0].number
    found = _make(names, "at")
    if subject.peripherals:
        is_offset = asked.asks_offset(rest) or value < _LEAST_ADDRESS
        if not is_offset and not any(_holds(p, value) for p in subject.peripherals):
            return None
        places = [
            Location(names.device, p, r)
            for p in subject.peripherals
            for r in p.registers
            if (r.offset <= value < r.offset + r.size_bytes if is_offset else False)
        ]
        if not is_offset:
            places = names.lookup.containing(value)
        found.value = value
        found.locations = tuple(places)
        found.peripherals = tuple(subject.peripherals)
        return found
    if value < _LEAST_ADDRESS or not numbers[0].text[:2].lower() == "0x":
        return None
    found.value = value
    found.locations = tuple(names.lookup.containing(value))
    owner = names.lookup.owner(value)
    found.peripherals = (owner,) if owner is not None else ()
    return found


def _holds(peripheral: Peripheral, address: int) -> bool:
    return any(
        0 <= address - peripheral.base_address - r.offset < r.size_bytes
        for r in peripheral.registers
    )


def _bit(rest: str, subject: Subject, numbers: Sequence[Word], names: Names) -> Routed | None:
    """What a bit of a register is."""
    match = _BIT.search(rest)
    if match is None or not subject.locations or any(at.field for at in subject.locations):
        return None
    high, low = (match[1], match[2]) if match[1] is not None else (match[3], match[4])
    first, last = int(high), int(low if low is not None else high)
    if len(numbers) > (2 if low is not None else 1):
        return None
    found = _make(names, "bit")
    found.bits = max(first, last), min(first, last)
    found.locations = tuple(subject.locations)
    return found


def _decode(subject: Subject, numbers: Sequence[Word], rest: str, names: Names) -> Routed | None:
    """What a value of a register or field means."""
    if len(numbers) != 1 or not subject.locations or not asked.asks_meaning(rest):
        return None
    value = numbers[0].number
    places = subject.locations
    is_field = places[0].field is not None
    about: Literal["field", "register"] = "field" if is_field else "register"
    if _AT.search(rest) and value >= _LEAST_ADDRESS:
        return None
    if set(asked.aspects_of(rest, about)) & {"address", "offset", "reset", "bits", "access"}:
        return None
    if is_field:
        named = [at for at in places if at.field is not None and at.field.enumerated_values]
        fits = [at for at in named if at.field is not None and value >> at.field.width == 0]
        if not fits or not any(
            at.field is not None and (at.field.named(value) or at.field.named(value, "write"))
            for at in fits
        ):
            return None
        places = fits
    found = _make(names, "decode")
    found.value = value
    found.locations = tuple(places)
    return found


def _aspect(
    question: str, subject: Subject, numbers: Sequence[Word], rest: str, names: Names
) -> Routed | None:
    """An address, offset, bits, reset value, access, the values, fields or registers of a thing."""
    places = subject.locations
    if len(numbers) > 1:
        return None
    if places:
        about: Literal["field", "register", "peripheral"]
        about = "field" if places[0].field is not None else "register"
    elif subject.peripherals:
        about = "peripheral"
    else:
        return None
    aspects = asked.aspects_of(rest, about)
    if not aspects and numbers and _AT.search(rest) and numbers[0].number >= _LEAST_ADDRESS:
        aspects = ["address"]
    if not aspects:
        bare = not re.sub(rf"what(?:'s| is| are)|show|me|the|registers?|[{_PLACE}?.!\s]", "", rest)
        if not bare or numbers:
            return None
        aspects = ["summary"]
    if about == "field" and aspects == ["values"]:
        if not any(at.field is not None and at.field.enumerated_values for at in places):
            return None
    found = _make(names, *aspects)
    found.locations = tuple(places)
    found.peripherals = tuple(subject.peripherals)
    found.value = numbers[0].number if numbers else None
    return found


def _unknown(subject: Subject, plain: Sequence[str], rest: str, names: Names) -> Routed | None:
    """A fact is asked of a name that the device has not."""
    aspects = asked.aspects_of(rest, "register") or asked.aspects_of(rest, "field")
    if not aspects or len(subject.unknown) > 1 or asked.left_over(plain, [*aspects, "bits"]):
        return None
    word = subject.unknown[0].text
    if subject.locations and not one_register(subject.locations):
        return None
    owners = subject.peripherals or [at.peripheral for at in subject.locations]
    found = _make(names, "unknown")
    found.unknown = word
    found.peripherals = tuple(owners)
    found.near = tuple(names.near(word, owners))
    return found
