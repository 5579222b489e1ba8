"""What of a register a question asks for: its address, bits, reset value and so on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Aspect = Literal[
    "address", "offset", "bits", "reset", "access", "values", "size", "fields", "registers",
    "interrupt", "at", "decode", "bit", "summary", "unknown",
]  # fmt: skip

FILLER = frozenset(
    """a about an and any are as at be bit bits by can chip controller could cpu current currently
    device do does exact exactly field fields find for from full get give given gives has have hex
    hexadecimal how i in inside into is it its its' like list local many mcu me microcontroller my
    name named names need number numbers of off on one or out page peripheral peripherals please
    print register registers s say says see show svd tell than that the them there these they this
    those to us use used value values want was we what whats when where wheres which who will with
    within would you your both each every all block module instance int decimal binary exist exists
    called correspond corresponds corresponding belong belongs look know lookup""".split()
)
"""Words that ask for nothing in particular."""

_WORDS: dict[Aspect, str] = {
    "reset": "reset resets default defaults initial initially power powerup poweron startup after "
    "state content contents up boot contain contains hold holds read reads begin begins",
    "access": "read readonly write writeonly writable writeable readable only access accessible "
    "rights right readwrite rw ro wo written modify modifiable rwx mode permission permissions",
    "offset": "offset offsets relative",
    "address": "address addresses addr located location lives live sits sit mapped map base memory "
    "absolute physical start starts lie lies",
    "bits": "position positions mask masks width wide shift occupy occupies occupied range span "
    "spans msb lsb located location sits sit lies lie big long large",
    "size": "size sizes wide width large big long",
    "values": "options option settings setting enumerated enumeration enum encoding encodings "
    "choices choice possible allowed legal valid codes code take takes meaning meanings mean means "
    "available different named",
    "fields": "layout contain contains consist consists describe description defined breakdown "
    "structure made",
    "registers": "contain contains comprise made consist consists",
    "interrupt": "irq irqn irqs interrupt interrupts vector vectors nvic exception line lines isr "
    "handler handlers belongs assigned fires serves served",
    "decode": "mean means meaning decode decoded decodes stand stands interpret represent "
    "represents breakdown break down set sets equal equals written write writing reads read "
    "contain contains hold holds do does select selects if when signify",
    "at": "located location address lies lie sits sit mapped map memory lives live absolute "
    "offset",
}  # fmt: skip

ASPECT_WORDS: dict[Aspect, frozenset[str]] = {
    aspect: frozenset(words.split()) for aspect, words in _WORDS.items()
}
COMMON = FILLER.union(*ASPECT_WORDS.values())
"""Words of a question that, in small letters, are no names."""

_RESET = re.compile(
    r"\breset(?:s)?[ -](?:value|state|content|default|to)|\bafter (?:a |any |the |power[- ]?on )?"
    r"reset|\bout of reset|\b(?:default|initial|power[- ]?(?:on|up)|startup) "
    r"(?:value|state|content)|\bat reset|\bcome(?:s)? up\b|\bdefaults? (?:of|for|to)\b|"
    r"\bresets? (?:of|for)\b|\bvalue (?:at|on|upon|after) (?:reset|power)",
    re.I,
)
_ACCESS = re.compile(
    r"\bread[- ]?only|\bwrite[- ]?only|\b(?:un)?writ(?:e)?able|\breadable|\baccess\b|\br/?w\b|"
    r"\bread[-/ ]?(?:or|and|/)?[- ]?write|\bcan (?:i|we|you|one|software|it) (?:be )?"
    r"(?:write|read|written|modif)|\bbe (?:written|read|modified)\b|\bpermission|\bro or rw",
    re.I,
)
_OFFSET = re.compile(r"\boffsets?\b", re.I)
_ADDRESS = re.compile(
    r"\baddr(?:ess(?:es)?)?\b|\bwhere (?:is|are|does|do|in memory|s)\b|\bwhere'?s\b|"
    r"\b(?:located|mapped|location)\b",
    re.I,
)
_BITS = re.compile(
    r"\bbits?\b|\bposition|\bmasks?\b|\bwidth\b|\bhow wide\b|\bshift\b|\bmsb\b|\blsb\b|"
    r"\boccup|\brange\b",
    re.I,
)
_SIZE = re.compile(r"\bsize\b|\bhow (?:wide|big|large|long|many bits)\b|\bwidth\b", re.I)
_VALUES = re.compile(
    r"\b(?:values|options|settings|encodings?|enum\w*|choices|codes|meanings?)\b|"
    r"\bcan (?:it )?(?:take|be set)\b|\bwhat does .* mean\b",
    re.I,
)
_IRQ = re.compile(r"\b(?:irqs?|irqn|interrupts?|vectors?|exception|isr|handlers?)\b", re.I)
_FIELDS = re.compile(
    r"\bfields\b|\bbits\b|\blayout\b|\bcontains?\b|\bdescri\w+|\bstructure\b|\bconsists?\b", re.I
)
_REGISTERS = re.compile(r"\bregisters\b", re.I)
_MEANS = re.compile(
    r"\bmeans?\b|\bmeaning\b|\bdecoded?\b|\bstands? for\b|\binterpret|\brepresents?\b|"
    r"\bdo(?:es)?\b|\bbreak(?:down| down)\b|\bsignif|=|\bset(?:s)? to\b|\bselects?\b|"
    r"\bwrit(?:e|es|ing|ten)\b|"
    r"\bholds?\b|\bcontains?\b|\breads?\b|\bin\b|\bif\b|\bwhen\b|\bis\b",
    re.I,
)


def aspects_of(text: str, about: Literal["field", "register", "peripheral"]) -> list[Aspect]:
    """What ``text``, the names in it left out, asks for of a field, register or peripheral."""
    found: list[Aspect] = []
    if _RESET.search(text) and about != "peripheral":
        found.append("reset")
    if _ACCESS.search(text) and about != "peripheral":
        found.append("access")
    if about == "field":
        if _VALUES.search(text) and "reset" not in found:
            found.append("values")
        elif _BITS.search(text) and not (found and not re.search(r"\bbits\b|position", text, re.I)):
            found.append("bits")
        if _OFFSET.search(text) and "bits" not in found:
            found.append("bits")
        if re.search(r"\baddr", text, re.I):
            found.append("address")
        elif not found and _ADDRESS.search(text):
            found.append("bits")
        return found
    if _IRQ.search(text) and about == "peripheral":
        found.append("interrupt")
    if _OFFSET.search(text):
        found.append("offset")
        if re.search(r"\baddress(?:es)? and\b|\band (?:absolute )?address", text, re.I):
            found.append("address")
    elif _ADDRESS.search(text) and "interrupt" not in found:
        found.append("address")
    if about == "register":
        if _SIZE.search(text):
            found.append("size")
        elif _FIELDS.search(text) and not found:
            found.append("fields")
    elif _REGISTERS.search(text) and not found:
        found.append("registers")
    return found


def asks_interrupt(text: str) -> bool:
    """Whether it is about an interrupt number."""
    return bool(_IRQ.search(text))


def asks_meaning(text: str) -> bool:
    """Whether it asks what a number means."""
    return bool(_MEANS.search(text)) or not text.strip(" ?.!§")


def asks_offset(text: str) -> bool:
    """Whether it speaks of an offset."""
    return bool(_OFFSET.search(text))


def left_over(words: Iterable[str], aspects: Iterable[Aspect]) -> list[str]:
    """The words that are neither filler nor part of asking for ``aspects``."""
    known = FILLER.union(*(ASPECT_WORDS.get(aspect, frozenset()) for aspect in aspects))
    return [word for word in words if word not in known]
