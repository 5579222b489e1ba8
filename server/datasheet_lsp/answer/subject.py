"""What a question is about: the names in it put together to registers and fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from datasheet_lsp.answer.names import Names, Reading, spelled
from datasheet_lsp.model import Interrupt, Location, Peripheral

_LONGEST_NUMBER = 80
TOKEN = re.compile(
    r"0[xX][0-9A-Fa-f]+(?:[ _][0-9A-Fa-f]{4}\b)*|0[bB][01_]+|#[01]+\b|\d[\d_']*|"
    r"[A-Za-z_]\w*(?:(?:->|\.|::)[A-Za-z_]\w*|\[\w*(?::\w+)?\])*"
)
_MOST_NAMES = 9


class Word(msgspec.Struct):
    """A word of the question with its place, and what it names."""

    text: str
    start: int
    end: int
    reading: Reading

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        is_short = len(self.text) <= _LONGEST_NUMBER
        return is_short and (self.text[0].isdigit() or self.text[0] == "#")

    @property
    def number(self) -> int:
        """The number, as in C but for leading zeros."""
        text = re.sub(r"[ _']", "", self.text)
        if text[0] == "#":
            return int(text[1:], 2)
        return int(text, 10) if text.isdigit() else int(text, 0)


class Subject(msgspec.Struct):
    """What a question names. Several ``locations`` are several things that may be meant.

    ``listed`` tells that each of them was named by itself. ``used`` are the words that name them,
    ``unknown`` those that look like names and name nothing here.
    """

    locations: list[Location] = []
    peripherals: list[Peripheral] = []
    interrupts: list[Interrupt] = []
    used: list[Word] = []
    unknown: list[Word] = []
    listed: bool = False


def words_of(text: str, names: Names, common: Iterable[str]) -> list[Word]:
    """The words of ``text`` with what they name; ``common`` words in small letters name nothing.

    An option such as ``CTRL[3:0]`` of the bits is left at the name.
    """
    plain = frozenset(common)
    found = []
    for match in TOKEN.finditer(text):
        word = match[0]
        end = match.end()
        bits = re.search(r"\[\d+:\d+\]$", word)
        if bits:
            word, end = word[: bits.start()], end - len(bits[0])
        is_number = word[0].isdigit() or word[0] == "#"
        named = not is_number and word not in plain and len(word) > 1
        if not named and not is_number and len(word) == 1:
            named = word.isupper() and word not in ("A", "I")
        reading = names.read(word) if named else Reading(word)
        index = re.search(r"\[\d+\]$", word)
        if index and not reading.is_name and (shorter := names.read(word[: index.start()])).is_name:
            # Not an element of an array but a bit.
            word, end, reading = word[: index.start()], end - len(index[0]), shorter
        found.append(Word(word, match.start(), end, reading))
    return found


def subject_of(words: Sequence[Word], names: Names, is_content: Iterable[str] = ()) -> Subject:
    """What the words name together."""
    words = [_as_bits(w, words, names) for w in words]
    named = [w for w in words if w.reading.is_name and not w.is_number][:_MOST_NAMES]
    unknown = [w for w in words if not w.is_number and not w.reading.is_name]
    unknown = [
        w for w in unknown if w.reading.looks_like_name and w.text.casefold() not in is_content
    ]
    best = _best(named, names)
    best.unknown = unknown
    _plain_field(best, words, names)
    return best


def _plain_field(subject: Subject, words: Sequence[Word], names: Names) -> None:
    """A field called like an ordinary word: ``value in I2C0.SPKLEN``."""
    places = subject.locations
    if not places or any(at.field is not None for at in places):
        return
    for number, word in enumerate(words[:-2]):
        after, then = words[number + 1], words[number + 2]
        if word in subject.used or then not in subject.used or after.text != "in":
            continue
        found = [f for at in places for f in names.within(at, word.text)]
        if found and all(f.field is not None and f.field.name == word.text for f in found):
            subject.locations = found
            subject.used = [*subject.used, word]
            return


def _as_bits(word: Word, words: Sequence[Word], names: Names) -> Word:
    """A word that names nothing, as a field that a register named beside it has bit by bit."""
    if word.is_number or word.reading.is_name or not word.reading.looks_like_name:
        return word
    found: list[Location] = []
    for other in words:
        for at in (*other.reading.paths, *other.reading.registers):
            found += names.within(at, word.text)
    if found:
        word.reading = Reading(word.text, fields=found)
    return word


def _best(named: Sequence[Word], names: Names) -> Subject:
    whole = [w for w in named if w.reading.paths]
    if whole and (subject := _whole(whole, named, names)) is not None:
        return subject
    none: list[Word | None] = [None]
    owners = none + [w for w in named if w.reading.peripherals]
    registers = none + [w for w in named if w.reading.registers]
    fields = none + [w for w in named if w.reading.fields]
    best: tuple[tuple[int, ...], Subject] | None = None
    for owner in owners:
        for register in registers:
            for field in fields:
                chosen = [w for w in (owner, register, field) if w is not None]
                if not chosen or len({id(w) for w in chosen}) < len(chosen):
                    continue
                subject = _together(owner, register, field, names)
                if subject is None:
                    continue
                strong = sum(w.reading.looks_like_name for w in chosen)
                # A register goes before a field of the same name, a word in the right place too.
                rank = (strong, len(chosen), register is not None, -len(subject.locations))
                if best is None or rank > best[0]:
                    best = rank, subject
    lines = [i for w in named for i in w.reading.interrupts]
    if best is None:
        used = [w for w in named if w.reading.interrupts]
        return Subject(interrupts=lines, used=used)
    subject = best[1]
    _further(subject, named, names)
    if not subject.locations:
        subject.interrupts = lines
    return subject


def _whole(whole: Sequence[Word], named: Sequence[Word], names: Names) -> Subject | None:
    """Registers named with their peripherals, and the fields of them that are named besides.

    None where a peripheral is named that they are not of.
    """
    inner = [w for w in whole if any(_is_field_of(w, other, names) for other in named)]
    whole = [w for w in whole if w not in inner]
    if not whole:
        return None
    locations: list[Location] = []
    for word in whole:
        locations += [at for at in word.reading.paths if at not in locations]
    used = list(whole)
    fields: list[Location] = []
    for word in named:
        if word in used:
            continue
        found = [f for at in locations for f in names.within(at, word.text) if at.field is None]
        owners = {p.name for p in word.reading.peripherals}
        if owners:
            narrower = [at for at in locations if at.peripheral.name in owners]
            if not narrower and not found:
                return None
            if narrower:
                locations = narrower
                used.append(word)
                continue
        if found:
            fields += found
            used.append(word)
        elif _says_again(word, locations):
            used.append(word)
    listed = len(whole) > 1 or (bool(fields) and len(used) > len(whole) + 1)
    return Subject(locations=fields or locations, used=used, listed=listed)


def _is_field_of(word: Word, other: Word, names: Names) -> bool:
    return other is not word and any(
        f.field is not None and f.field.name == word.text
        for at in (*other.reading.paths, *other.reading.registers)
        if at.field is None
        for f in names.within(at, word.text)
    )


def _says_again(word: Word, locations: Sequence[Location]) -> bool:
    """Whether a word names the peripheral, or the register, that is known already."""
    reading = word.reading
    owners = {p.name for p in reading.peripherals}
    if owners and all(at.peripheral.name in owners for at in locations):
        return True
    registers = {(at.peripheral.name, id(at.register)) for at in reading.registers}
    return bool(locations) and all(
        (at.peripheral.name, id(at.register)) in registers for at in locations
    )


def _together(
    owner: Word | None, register: Word | None, field: Word | None, names: Names
) -> Subject | None:
    """What a peripheral, a register and a field name together, None where they do not fit."""
    used = [w for w in (owner, register, field) if w is not None]
    within = {p.name for p in owner.reading.peripherals} if owner is not None else None
    if register is None and field is None:
        assert owner is not None
        return Subject(peripherals=list(owner.reading.peripherals), used=used)
    if register is not None:
        found = register.reading.registers
        if within is not None:
            found = [at for at in found if at.peripheral.name in within]
        found = spelled(found, register.text)
        if field is not None:
            found = [f for at in found if at.field is None for f in names.within(at, field.text)]
    else:
        assert field is not None
        found = field.reading.fields
        if within is not None:
            found = [at for at in found if at.peripheral.name in within]
    return Subject(locations=found, used=used) if found else None


def _further(subject: Subject, named: Sequence[Word], names: Names) -> None:
    """Take in what is named besides in the same way: more fields, registers or peripherals."""
    last = subject.used[-1]
    begin = list(subject.locations)
    for word in named:
        if word in subject.used:
            continue
        if begin and begin[0].field is not None and last.reading.fields:
            more = _siblings(begin, word, names)
        elif begin:
            owners = {at.peripheral.name for at in begin}
            more = [at for at in word.reading.registers if at.peripheral.name in owners]
            more = spelled(more, word.text)
        else:
            extra = [p for p in word.reading.peripherals if p not in subject.peripherals]
            if extra:
                subject.peripherals += extra
                subject.used.append(word)
                subject.listed = True
            continue
        if more and len(more) <= len(begin) * 2:
            subject.locations += [at for at in more if at not in subject.locations]
            subject.used.append(word)
            subject.listed = True


def _siblings(begin: Sequence[Location], word: Word, names: Names) -> list[Location]:
    return [f for at in begin for f in names.within(at, word.text)]


def one_register(locations: Sequence[Location]) -> bool:
    """Whether all are one register or field, written down once or several times."""
    return len({(at.address, at.path) for at in locations}) <= 1
