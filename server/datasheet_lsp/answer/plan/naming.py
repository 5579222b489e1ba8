"""Which peripherals a name means that other registers use for them: USART2EN, IOPA, U0, ADC12."""

from __future__ import annotations

import re

import msgspec

from datasheet_lsp.answer.plan.rules import gates
from datasheet_lsp.model import Device, Peripheral

_NUMBERED = re.compile(r"(.*?[A-Z])(\d+)")
_LISTED = re.compile(r"(.*?[A-Z])(\d{2,})")
_PORTS = "PORT"
_LONG = 4
_FILLER = re.compile(
    r"\b(?:clock|gate|gating|control|enables?|module|stop|reset|peripheral|interface|block|bus|"
    r"for|the|of|to|and|bit|apb|ahb|access|selection|source|kernel|mask|run|mode|target|settings?)"
    r"\b|[^\w ]",
    re.IGNORECASE,
)


class Match(msgspec.Struct, frozen=True):
    """A peripheral that a name means, and how surely (0 to 1)."""

    peripheral: str
    score: float


def squash(name: str) -> str:
    """``name`` in capitals without its signs."""
    return re.sub(r"[^A-Za-z0-9]", "", name).upper()


def split(name: str) -> tuple[str, str]:
    """The family and the number of a squashed name: USART, 2. Of ports also a letter: GPIO, A."""
    found = _NUMBERED.fullmatch(name)
    if found:
        return found[1], found[2]
    aliases = gates().aliases
    if len(name) > 1 and aliases.get(name[:-1]) == _PORTS:
        return name[:-1], name[-1]
    return name, ""


def canonical(family: str) -> str:
    """The common name of a family: UART for USART."""
    return gates().aliases.get(family, family)


class Peripherals:
    """The peripherals of a device by what they may be called."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.exact: dict[str, list[str]] = {}
        self.numbered: dict[tuple[str, str], list[str]] = {}
        self.families: dict[str, list[str]] = {}
        self.stems: dict[str, list[str]] = {}
        self.plain: dict[str, list[str]] = {}
        for peripheral in device.peripherals:
            if peripheral.source:
                continue
            name = squash(peripheral.name)
            stem, number = split(name)
            self.stems.setdefault(stem, []).append(peripheral.name)
            self.exact.setdefault(name, []).append(peripheral.name)
            key = (canonical(stem), number)
            self.numbered.setdefault(key, []).append(peripheral.name)
            self.families.setdefault(key[0], []).append(peripheral.name)
            words = plain(peripheral.description)
            if words:
                self.plain.setdefault(words, []).append(peripheral.name)

    def meant(self, name: str) -> list[Match]:
        """The peripherals that ``name`` means; several where it stands for all of a family."""
        token = squash(name)
        if not token:
            return []
        if token in self.exact:
            return [Match(each, 1.0) for each in self.exact[token]]
        stem, number = split(token)
        family = canonical(stem)
        found = self.numbered.get((family, number))
        if found and number:
            return [Match(each, 0.95) for each in found]
        if not number:
            whole = self.families.get(family, [])
            if found and len(whole) == 1:
                return [Match(whole[0], 0.95)]
            return [Match(each, 0.88) for each in whole]
        alone = self.families.get(family, [])
        if len(alone) == 1 and number in ("0", "1") and split(squash(alone[0]))[1] == "":
            return [Match(alone[0], 0.9)]
        return self._listed(token)

    def _listed(self, token: str) -> list[Match]:
        """The numbers of several in one: ADC12, USART16910."""
        found = _LISTED.fullmatch(token)
        if not found:
            return []
        family = canonical(found[1])
        digits = found[2]
        meant: list[Match] = []
        while digits:
            for length in (2, 1):
                number = digits[:length]
                there = self.numbered.get((family, number))
                if there and (length == 1 or number[0] != "0"):
                    meant += [Match(each, 0.9) for each in there]
                    digits = digits[length:]
                    break
            else:
                digits = digits[1:]
        # "TIM17" of a device that has no TIM17 is not TIM1 and TIM7.
        return meant if len(meant) > 1 else []

    def described(self, text: str) -> list[Match]:
        """The peripherals that a description means, by their own descriptions or names."""
        words = plain(text)
        if not words:
            return []
        if words in self.plain:
            return [Match(each, 0.95) for each in self.plain[words]]
        named = self.meant(re.sub(r"(?<=[A-Za-z]) (?=\d)", "", words).split(" ")[0])
        if named and named[0].score >= 0.9:
            return [Match(each.peripheral, 0.8) for each in named]
        stem = words.rstrip("0123456789 ")
        number = words[len(stem) :].strip()
        near = [
            name
            for known, names in self.plain.items()
            if len(stem) > _LONG and _same_words(known, stem)
            for name in names
            if split(squash(name))[1] == number
        ]
        return [Match(name, 0.85) for name in near]


def _same_words(known: str, stem: str) -> bool:
    a, b = known.rstrip("0123456789 ").split(), stem.split()
    return a == b or [w.rstrip("s") for w in a] == [w.rstrip("s") for w in b]


def plain(text: str) -> str:
    """A description without what says that it is a switch: ``serial communication 0``."""
    return " ".join(_FILLER.sub(" ", text.lower()).split())


def own(device: Device) -> list[Peripheral]:
    """The peripherals of the device's own file."""
    return [each for each in device.peripherals if not each.source]
