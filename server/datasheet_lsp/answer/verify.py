"""Every number and name of a text checked against the device and the passages, and marked.

What is right gets a tick, what the device contradicts is struck out with the right value beside
it, and what neither the device nor a passage says is flagged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from datasheet_lsp.answer.claims import (
    Literal,
    Mention,
    attribute,
    literals_in,
    mentions_in,
)
from datasheet_lsp.answer.known import Known
from datasheet_lsp.answer.marks import Check, by_column, columns_of, marked, sentences
from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.types import Claim, Piece, Verdict
from datasheet_lsp.model import Field, Location, Peripheral
from datasheet_lsp.render import words

_FENCE = re.compile(r"^\s*(```|~~~)")
_WIDE = 16
_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|\[\w*\])*")


class Checker:
    """Checks a text sentence by sentence, in order.

    ``question`` and the names in it give what a sentence leaves open. What is ``stated`` is known
    like what a passage says.
    """

    def __init__(
        self, names: Names | None, pieces: Sequence[Piece], question: str = "", stated: str = ""
    ) -> None:
        self.names = names
        self.pieces = pieces
        self.claims: list[Claim] = []
        self._known = Known(pieces, f"{question}\n{stated}")
        self._context = mentions_in(question, names)
        self._last: list[Mention] = []
        self._columns: list[str] = []
        self._fenced = False
        self._at = 0
        self._seen: set[str] = set()

    def feed(self, text: str) -> str:
        """``text``, one or more whole sentences or lines, with marks."""
        out: list[str] = []
        for part, gap in sentences(text):
            out.append(self._sentence(part))
            out.append(gap)
            self._at += len(part) + len(gap)
            if gap.count("\n") > 1:
                self._last = []
        return "".join(out)

    def _sentence(self, text: str) -> str:
        if _FENCE.match(text):
            self._fenced = not self._fenced
            return text
        is_row = text.lstrip().startswith("|")
        if is_row and not re.search(r"\d", text):
            self._columns = columns_of(text) or self._columns
            return text
        if not is_row:
            self._columns = []
        mentions = mentions_in(text, self.names)
        spans = [(m.start, m.end) for m in mentions]
        literals = [
            each
            for each in literals_in(text, len(self.pieces))
            if not any(a <= each.start < b for a, b in spans)
        ]
        if is_row and self._columns:
            by_column(text, literals, self._columns)
        checks = list(self._checks(text, mentions, literals))
        checks += self._names(text, mentions)
        for check in checks:
            self.claims.append(
                Claim(
                    text=check.literal.text,
                    kind=check.literal.kind,
                    verdict=check.verdict,
                    subject=check.subject,
                    right_value=check.right_value,
                    start=self._at + check.literal.start,
                    end=self._at + check.literal.end,
                )
            )
        if mentions:
            self._last = mentions
        return marked(text, checks, fenced=self._fenced)

    def _checks(
        self, text: str, mentions: Sequence[Mention], literals: Sequence[Literal]
    ) -> Iterator[Check]:
        for kinds in (("bits",), ("address",), ("offset",), ("reset",), ("value",)):
            some = [each for each in literals if each.kind in kinds]
            if not some:
                continue
            yield from self._of_kind(kinds[0], text, mentions, some)

    def _of_kind(
        self, kind: str, text: str, mentions: Sequence[Mention], literals: Sequence[Literal]
    ) -> Iterator[Check]:
        if kind == "bits":
            able = [m for m in mentions if m.is_field]
        else:
            able = [m for m in mentions if m.is_register and m.locations[0].field is None]
            able = able or [m for m in mentions if m.is_register]
            if kind == "reset":
                able = [m for m in mentions if m.is_register]
            if kind == "address" and not _interleaved(able, literals):
                able = able if _covers(able, literals) else list(mentions)
        for literal, (meant, sure) in zip(literals, attribute(able, literals), strict=True):
            is_field = meant is not None and meant.is_field
            others = [m for m in able if m is not meant and m.is_field == is_field]
            if meant is None and kind == "bits":
                yield self._bit_of_register(literal, text, mentions)
                continue
            if meant is None:
                yield self._without_name(literal)
                continue
            check = self._against(literal, meant, mentions)
            if check.verdict == "wrong" and not sure:
                for other in others:
                    second = self._against(literal, other, mentions)
                    if second.verdict == "right":
                        check = second
                        break
            yield check

    def _against(self, literal: Literal, meant: Mention, near: Sequence[Mention]) -> Check:
        """A number against what it is said of."""
        if literal.kind == "bits" and meant.fields:
            meant = Mention(meant.text, meant.start, meant.end, meant.fields, [], meant.fields)
        places = self._narrow(meant, near)
        if not places and meant.peripherals:
            return self._base(literal, meant)
        rights = {right for at in places if (right := _right(literal, at)) is not None}
        subject = places[0].path if len({at.path for at in places}) == 1 else meant.text
        if literal.kind == "value":
            return self._value(literal, places, subject)
        if not rights:
            return self._unsaid(literal, subject)
        if _said(literal) in rights:
            return Check(literal, "right", subject)
        if literal.kind == "address" and literal.key == "base":
            bases = {at.peripheral.base_address for at in places}
            if literal.value in bases:
                return Check(literal, "right", places[0].peripheral.name)
            return Check(literal, "wrong", subject, words.address(min(bases)))
        if literal.kind == "address" and any(
            at.peripheral.base_address == literal.value and at.peripheral.name in _texts(near)
            for at in places
        ):
            return Check(literal, "right", places[0].peripheral.name)
        if literal.bits is not None and any(_bit_inside(literal.bits, at) for at in places):
            return self._unsaid(literal, subject)
        right = _text(literal, rights.pop()) if len(rights) == 1 else ""
        return Check(literal, "wrong", subject, right)

    def _narrow(self, meant: Mention, near: Sequence[Mention]) -> list[Location]:
        """Of several registers of one name those that the sentence or the question speaks of."""
        places = meant.locations
        if len({at.path for at in places}) < 2:
            return places
        for mentions in (near, self._last, self._context):
            owners = {p.name for m in mentions for p in m.peripherals}
            registers = {
                id(at.register) for m in mentions if m.start != meant.start for at in m.locations
            }
            registers_owned = [at for at in places if id(at.register) in registers]
            if meant.is_field and registers_owned:
                within = {at.peripheral.name for m in mentions for at in m.locations} | owners
                places = [at for at in registers_owned if at.peripheral.name in within]
                places = places or registers_owned
            owned = [at for at in places if at.peripheral.name in owners]
            if owned:
                return owned
            if not meant.is_field:
                beside = {
                    at.peripheral.name
                    for m in mentions
                    if m.start != meant.start and len({a.peripheral.name for a in m.locations}) == 1
                    for at in m.locations
                }
                owned = [at for at in places if at.peripheral.name in beside]
                if owned:
                    return owned
            if len({at.path for at in places}) == 1:
                return places
        return places

    def _base(self, literal: Literal, meant: Mention) -> Check:
        """A number said of a peripheral: its base address, or an address in it."""
        bases = {p.base_address for p in meant.peripherals}
        if literal.kind != "address":
            return self._unsaid(literal, meant.text)
        if literal.value in bases or any(_inside(p, literal.value) for p in meant.peripherals):
            exact = literal.value in bases
            return Check(literal, "right" if exact else "unsupported", meant.text)
        right = words.address(bases.pop()) if len(bases) == 1 else ""
        return Check(literal, "wrong", meant.text, right)

    def _bit_of_register(self, literal: Literal, text: str, mentions: Sequence[Mention]) -> Check:
        """Bits of a register whose field is not named: right where the field is about the text."""
        assert literal.bits is not None
        registers = [m for m in mentions if m.is_register] or [
            m for m in self._last if m.is_register
        ]
        before = [m for m in registers if m.start < literal.start]
        after = [m for m in registers if m.start >= literal.end]
        meant = (after or before[-1:] or registers)[:1]
        if not meant:
            return self._unsaid(literal, "")
        said = {w for w in re.findall(r"[a-z]{3,}", text.lower())}
        high, low = literal.bits
        for at in self._narrow(meant[0], mentions):
            if at.register is None:
                continue
            for field in at.register.fields:
                if (field.msb, field.lsb) == (high, low):
                    own = set(re.findall(r"[a-z]{3,}", f"{field.description} {field.name}".lower()))
                    about = {w for w in own & said if w not in _COMMON}
                    verdict: Verdict = "right" if about else "unsupported"
                    return Check(literal, verdict, f"{at.path}.{field.name}", f"is {field.name}")
        return Check(literal, "unsupported", meant[0].text)

    def _without_name(self, literal: Literal) -> Check:
        """A number in a sentence that names nothing: of what was spoken of before, or quoted."""
        if literal.kind in ("address", "reset", "offset"):
            before = [m for m in self._last if m.is_register] or [
                m for m in self._context if m.is_register
            ]
            if before:
                checks = [self._against(literal, m, self._last) for m in before]
                right = next((c for c in checks if c.verdict == "right"), None)
                if right is not None:
                    return right
                if len(before) == 1 and literal.key:
                    return checks[0]
            elif literal.kind == "address":
                owners = [m for m in (*self._last, *self._context) if m.peripherals]
                if owners:
                    return self._base(literal, owners[0])
        return self._unsaid(literal, "")

    def _value(self, literal: Literal, places: Sequence[Location], subject: str) -> Check:
        """A value to write or to mask with."""
        for at in places:
            field, register = at.field, at.register
            assert register is not None
            if literal.key == "mask" and field is not None:
                right = field.mask
                if literal.value in (right, right >> field.lsb):
                    return Check(literal, "right", subject)
                return Check(literal, "wrong", subject, words.content(right, register.size))
            if literal.value in (at.address, register.offset):
                return Check(literal, "right", subject)
            if literal.key == "" and _spans(at.peripheral, literal.value):
                address = msgspec.structs.replace(literal, kind="address")
                return Check(address, "wrong", subject, _text(address, at.address))
        return self._unsaid(literal, subject)

    def _unsaid(self, literal: Literal, subject: str) -> Check:
        """What the device does not know: right where a passage or the question has it."""
        if literal.bits is not None:
            known = self._known.has_bits(subject.rpartition(".")[2], literal.bits)
        else:
            known = self._known.has_number(literal.value)
        if not known and literal.kind == "address" and self.names is not None:
            if self.names.lookup.at(literal.value) and not subject:
                return Check(literal, "unsupported", subject)
        return Check(literal, "right" if known else "unsupported", subject)

    def _names(self, text: str, mentions: Sequence[Mention]) -> list[Check]:
        """Names that neither the device nor a passage nor the question has."""
        found = []
        known = {m.start for m in mentions}
        for match in _NAME.finditer(text):
            word = match[0]
            if match.start() in known or not _is_symbol(word):
                continue
            if word.lower() in self._seen or self._known.has_name(word):
                continue
            literal = Literal("name", word, match.start(), match.end())
            near = self.names.near(word, most=1) if self.names is not None else []
            found.append(Check(literal, "unsupported", "", near[0] if near else ""))
        for mention in mentions:
            if mention.is_register and "." in mention.text.replace("->", "."):
                literal = Literal("name", mention.text, mention.start, mention.end)
                found.append(Check(literal, "right", mention.locations[0].path))
        return found


_COMMON = frozenset("bit bits register value the and for set enable enables enabled".split())


def _interleaved(mentions: Sequence[Mention], literals: Sequence[Literal]) -> bool:
    return len(mentions) == len(literals) and bool(mentions)


def _covers(mentions: Sequence[Mention], literals: Sequence[Literal]) -> bool:
    """Whether a register stands before, or behind, every number."""
    return bool(mentions) and all(
        any(m.start < x.start for m in mentions) or len(mentions) == 1 for x in literals
    )


def _texts(mentions: Sequence[Mention]) -> set[str]:
    return {p.name for m in mentions for p in m.peripherals}


def _inside(peripheral: Peripheral, address: int) -> bool:
    return any(peripheral.base_address + r.offset == address for r in peripheral.registers)


def _spans(peripheral: Peripheral, value: int) -> bool:
    """Whether a number can only be an address in the peripheral."""
    base = peripheral.base_address
    end = max((r.offset + r.size_bytes for r in peripheral.registers), default=0)
    return base >= 0x1_0000 and base <= value < base + max(end, 0x400)


def _bit_inside(bits: tuple[int, int], at: Location) -> bool:
    """Whether it is one bit of a field so wide that each has its meaning, one an interrupt say."""
    field = at.field
    return (
        field is not None
        and bits[0] == bits[1]
        and field.width >= _WIDE
        and field.lsb <= bits[1] <= field.msb
    )


def _said(literal: Literal) -> object:
    return literal.bits if literal.kind == "bits" else literal.value


def _right(literal: Literal, at: Location) -> object | None:
    """What the number should be, None where the device does not say."""
    field, register = at.field, at.register
    if register is None:
        return at.peripheral.base_address if literal.kind == "address" else None
    if literal.kind == "address":
        return at.address
    if literal.kind == "offset":
        return register.offset if field is None or literal.value > field.msb else register.offset
    if literal.kind == "bits":
        return (field.msb, field.lsb) if field is not None else None
    if literal.kind == "reset" and register.reset_value is not None:
        if field is None:
            return register.reset_value
        return _field_reset(field, register.reset_value, literal.value)
    return None


def _field_reset(field: Field, reset: int, said: int) -> int:
    """The field's own content; the register's where that is said."""
    return reset if said == reset and said >> field.width else field.extract(reset)


def _text(literal: Literal, right: object) -> str:
    """The right value as the wrong one was written."""
    if isinstance(right, tuple):
        high, low = right
        span = str(low) if high == low else f"{high}:{low}"
        if literal.text.startswith("["):
            return f"[{span}]"
        if literal.text.startswith("("):
            return f"({span})"
        if re.match(r"bits?\b", literal.text, re.I):
            return f"bit {span}" if high == low else f"bits {span}"
        return span
    assert isinstance(right, int)
    if literal.text.isdigit():
        return str(right)
    if literal.kind == "address":
        spaced = " " in literal.text or right > 0xFFFFFFFF
        return words.address(right) if spaced else words.c_address(right)
    return f"0x{right:X}"


def _is_symbol(word: str) -> bool:
    """Whether a word is written as only registers, fields and macros are."""
    if len(word) < 3 or not any(c.isupper() for c in word):
        return False
    if "->" in word or "_" in word.strip("_"):
        return True
    if "." in word:
        return all(len(part) > 1 for part in word.split(".")) and word.split(".")[0].isupper()
    return False
