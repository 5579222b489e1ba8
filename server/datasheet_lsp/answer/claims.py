"""What a sentence claims: the numbers in it with what they are said to be, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.subject import TOKEN
from datasheet_lsp.answer.types import ClaimKind
from datasheet_lsp.model import Location, Peripheral

HEX = r"0[xX][0-9A-Fa-f]{1,4}(?:[ _'][0-9A-Fa-f]{4}(?![0-9A-Za-z]))+|0[xX][0-9A-Fa-f]+|0[bB][01_]+"
_NUMBER = re.compile(
    rf"(?<![\w.])(?:(?P<hex>{HEX})[uUlL]{{0,3}}(?!\w)|(?P<h>[0-9][0-9A-Fa-f]{{1,7}})[hH]\b)"
)
_BITS = re.compile(
    r"(?P<word>\bbits?(?:\s+(?:number|position|no\.?))?\s*#?\s*\[?)(?P<a>\d{1,2})(?!\w)\]?"
    r"(?:\s*(?P<range>:|-|–|\.\.+|to|through)\s*(?P<b>\d{1,2})(?!\w)\]?)?(?![\w.]*\s*(?:bits?\b|-bit))"
    r"(?P<more>(?:\s*(?:,|and|or|&)\s*\d{1,2}(?!\w|:\d|\s*[-–]\s*\d))*)"
    r"|\bBIT\s*\(\s*(?P<macro>\d{1,2})\s*\)"
    r"|\b1[uUlL]*\s*<<\s*(?P<shift>\d{1,2})\b"
    r"|(?<=\w)\[(?P<c>\d{1,2}):(?P<d>\d{1,2})\]"
    r"|(?<=\w)`?\s?\((?P<paren>\d{1,2})(?::(?P<paren2>\d{1,2}))?\)",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"(?P<reset>\breset(?:s|ting)?\b(?:\s+(?:value|state|content)s?)?|\bdefaults?\b(?:\s+value)?|"
    r"\binitial\s+value|\bpower-on\s+value)|(?P<offset>\boffsets?\b)|(?P<mask>\bmasks?\b)|"
    r"(?P<base>\bbase(?:\s+addr(?:ess)?)?\b|\bbegins?\b|\bstarts?\b)|"
    r"(?P<address>\baddr(?:ess(?:es)?)?\b|\bat\b|@|\blocated\b|\bmapped\b|\blives?\b|\bfound\b)|"
    r"(?P<value>(?<![<>=!])=(?!=)|\bwrit(?:e|es|ing|ten)\b|\bset\s+to\b|\bvalues?\b|\bload\b|\bprogram\b)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^\W{0,3}\s*(?:is|being|as|=)?\s*(?:the|its|an?|their)?\s*"
    r"(?:(?P<reset>reset|default)|(?P<offset>offset)|(?P<mask>mask)|(?P<base>base)|"
    r"(?P<address>address|location))",
    re.IGNORECASE,
)
_DECIMAL_RESET = re.compile(
    r"\b(?:resets?\s+to|reset\s+(?:value|state)(?:\s+(?:of|for)\s+[\w.>\[\]`-]+)?(?:\s*(?:is|of|=|:|\())?)"
    r"\s*`?(?<![\w.])(?P<n>\d{1,10})(?![\w.:\[])",
    re.IGNORECASE,
)
LEAST_ADDRESS = 0x1000_0000
_FEW = 8
_KINDS: dict[str, ClaimKind] = {
    "reset": "reset", "offset": "offset", "mask": "value", "base": "address",
    "address": "address", "value": "value",
}  # fmt: skip


class Mention(msgspec.Struct):
    """A name in a sentence with the registers, fields or peripherals that it may mean."""

    text: str
    start: int
    end: int
    locations: list[Location] = []
    peripherals: list[Peripheral] = []
    fields: list[Location] = []
    """The fields that are called so, of registers that stand beside the name, or of any."""

    @property
    def is_field(self) -> bool:
        """Whether a field is named, or a register called as a field beside it."""
        return bool(self.fields)

    @property
    def is_register(self) -> bool:
        """Whether a register, or a field of one, is named."""
        return bool(self.locations)


class Literal(msgspec.Struct):
    """A number in a sentence. ``bits`` (most, least significant) where bits are claimed.

    ``key`` is the word by which it is known what the number is, "" without one.
    """

    kind: ClaimKind
    text: str
    start: int
    end: int
    value: int = 0
    bits: tuple[int, int] | None = None
    key: str = ""


def mentions_in(text: str, names: Names | None) -> list[Mention]:
    """The names of the device in ``text``, in their order."""
    if names is None:
        return []
    found: list[Mention] = []
    rest: list[tuple[str, int, int]] = []
    for match in TOKEN.finditer(text):
        word, end = match[0], match.end()
        if word[0].isdigit() or word[0] == "#":
            continue
        if len(word) < 2 or (word.isalpha() and word[1:].islower()):
            rest.append((word, match.start(), end))
            continue
        index = re.search(r"\[\d*(?::\d+)?\]$", word)
        reading = names.read(word)
        if index and not reading.is_name:
            word, end = word[: index.start()], end - len(index[0])
            reading = names.read(word)
        places = reading.paths or reading.registers or reading.fields
        owners = [] if reading.paths else list(reading.peripherals)
        if not places and not owners:
            rest.append((word, match.start(), end))
            continue
        fields = [at for at in places if at.field is not None]
        if owners:
            places = []
        found.append(Mention(word, match.start(), end, list(places), owners, fields))
    _with_fields(found, rest, names)
    found.sort(key=lambda each: each.start)
    return found


def _with_fields(found: list[Mention], rest: Sequence[tuple[str, int, int]], names: Names) -> None:
    """Words that are called as a field of a register named beside them are that field too."""
    registers = [m for m in found if m.locations and m.locations[0].field is None]
    registers = [m for m in registers if len({at.path for at in m.locations}) <= _FEW]
    for mention in found:
        if not mention.fields and "." not in mention.text:
            others = [m for m in registers if m is not mention]
            mention.fields = _fields_of(others, mention.text, names)
    for word, start, end in rest:
        fields = _fields_of(registers, word, names)
        if fields and all(at.field is not None and at.field.name == word for at in fields):
            found.append(Mention(word, start, end, fields, [], fields))


def _fields_of(registers: Sequence[Mention], word: str, names: Names) -> list[Location]:
    return [f for m in registers for at in m.locations for f in names.within(at, word)]


def literals_in(text: str, citations: int = 0) -> list[Literal]:
    """The numbers that ``text`` claims, in their order.

    ``[n]`` up to ``citations`` is a citation. Numbers of an unknown kind are values.
    """
    found = list(_bits_in(text, citations))
    taken = [(each.start, each.end) for each in found]
    keys = [(m.end(), m.lastgroup or "") for m in _KEY.finditer(text)]
    used: set[int] = set()
    for match in _NUMBER.finditer(text):
        if any(a <= match.start() < b for a, b in taken):
            continue
        digits = re.sub(r"[ _'uUlL]", "", match["hex"] or "") if match["hex"] else match["h"]
        value = int(digits, 0) if match["hex"] else int(digits, 16)
        if digits[:2].lower() == "0b":
            value = int(digits[2:], 2)
        aside = value >= LEAST_ADDRESS and text[: match.start()].rstrip("` ").endswith("(")
        if aside and _NUMBER.search(text, match.end()):
            key = "address"  # of what is named right before, whatever is said of it then
        else:
            key = _key_before(keys, match.start(), used) or _key_after(text[match.end() :])
        kind = _KINDS.get(key, "value")
        if key in ("", "value") and value >= LEAST_ADDRESS and key == "":
            kind = "address"
        if kind == "address" and key == "address" and value < 0x400:
            kind = "value"
        found.append(Literal(kind, match[0], match.start(), match.end(), value, key=key))
        taken.append((match.start(), match.end()))
    for match in _DECIMAL_RESET.finditer(text):
        start, end = match.span("n")
        if not any(a <= start < b for a, b in taken):
            found.append(Literal("reset", match["n"], start, end, int(match["n"]), key="reset"))
    found.sort(key=lambda each: each.start)
    return found


def _bits_in(text: str, citations: int) -> Iterator[Literal]:
    for match in _BITS.finditer(text):
        first = next((match[g] for g in ("a", "macro", "shift", "c", "paren") if match[g]), None)
        if first is None:
            continue
        second = match["b"] or match["d"] or match["paren2"]
        high, low = int(first), int(second) if second else int(first)
        start, end = match.span()
        if match["word"]:
            end = match.start("more")
            if match["range"] in ("to", "through") and not re.match("bits", match["word"], re.I):
                # "Set bit 2 to 1" is no range.
                low, end = high, match.end("a")
        if match["paren"]:
            start = text.index("(", match.start())
            if not _after_name(text[:start]):
                continue
        yield Literal("bits", text[start:end], start, end, 0, (max(high, low), min(high, low)))
        for more in re.finditer(r"\d{1,2}", match["more"] or ""):
            at = match.start("more") + more.start()
            bit = int(more[0])
            yield Literal("bits", more[0], at, at + len(more[0]), 0, (bit, bit), key="list")
    for match in re.finditer(r"(?<=[A-Za-z0-9_])\[(\d{1,2})\]", text):
        if int(match[1]) > citations and not re.search(
            r"->|\.", text[match.end() : match.end() + 2]
        ):
            yield Literal(
                "bits", match[0], match.start(), match.end(), 0, (int(match[1]), int(match[1])),
                key="index",
            )  # fmt: skip


def _after_name(before: str) -> bool:
    """Whether the last word of ``before`` is written as a name: ``UE (13)``."""
    match = re.search(r"([A-Za-z_][\w.>\[\]-]*)`?\s?$", before)
    return bool(match) and match is not None and sum(c.isupper() for c in match[1]) >= 2


def _key_before(keys: Sequence[tuple[int, str]], start: int, used: set[int]) -> str:
    """The nearest word before that tells what the number is, each used once."""
    for number in range(len(keys) - 1, -1, -1):
        end, name = keys[number]
        if end <= start and number not in used:
            used.add(number)
            return name
    return ""


def _key_after(rest: str) -> str:
    match = _AFTER.match(rest)
    return (match.lastgroup or "") if match is not None else ""


def attribute(
    mentions: Sequence[Mention], literals: Sequence[Literal]
) -> list[tuple[Mention | None, bool]]:
    """For each number the name that it is said of, and whether the order leaves no doubt."""
    if not mentions:
        return [(None, False)] * len(literals)
    marks = sorted(
        [(m.start, 0, i) for i, m in enumerate(mentions)]
        + [(x.start, 1, i) for i, x in enumerate(literals)]
    )
    order = [kind for _, kind, _ in marks]
    pairs = len(mentions) == len(literals)
    if pairs and order == [0, 1] * len(literals):
        return [(mention, True) for mention in mentions]
    if pairs and order == [1, 0] * len(literals):
        return [(mention, True) for mention in mentions]
    if pairs and len(literals) > 1 and order == sorted(order):
        return [(mention, True) for mention in mentions]
    result: list[tuple[Mention | None, bool]] = []
    for literal in literals:
        before = [m for m in mentions if m.start < literal.start]
        # ``bit 13 of CR1``: what follows with "of" or in brackets is meant.
        after = [m for m in mentions if m.start >= literal.end]
        meant = before[-1] if before else after[0]
        result.append((meant, len(mentions) == 1))
    return result
