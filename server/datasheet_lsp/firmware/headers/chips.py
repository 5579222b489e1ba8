"""Whether a word names the chip: a folder, a macro that is defined for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_OTHER = re.compile(r"[^a-z0-9]+")
_SUBTYPE = re.compile(r"[a-z]\d{1,2}")
_SHORTEST = 5


def plain_name(name: str) -> str:
    """A chip's name in lower case, letters and digits alone, without the x that stand for any."""
    return _OTHER.sub("", name.lower()).rstrip("x")


@lru_cache(maxsize=65536)
def fit(word: str, chip: str) -> float:
    """How well ``word`` names ``chip`` (a :func:`plain_name`): 1 for the very name, 0 for not."""
    name = plain_name(word)
    if len(name) < _SHORTEST or not any(letter.isdigit() for letter in name):
        return 0.0
    if name == chip:
        return 1.0
    if name.startswith(chip):
        return 0.9
    # Makers write a device with or without what they put before all names: ATSAMD21, SAMD21.
    shorter = chip[2:] if chip.startswith("at") else chip
    if shorter.startswith(name) or chip.startswith(name):
        rest = (chip if chip.startswith(name) else shorter)[len(name) :]
        # esp32 is another chip than esp32c3; stm32f4 is the family of stm32f446.
        return 0.0 if _SUBTYPE.fullmatch(rest) else len(name) / 100
    if name.startswith(shorter):
        return 0.9
    return 0.0


def names_chip(macro: str, chips: Iterable[str]) -> bool:
    """Whether a macro is one that is defined for one of ``chips``: STM32F446xx, NRF52832_XXAA."""
    words = [word for word in macro.strip("_").split("_") if word]
    return any(fit(word, chip) for word in words for chip in chips)
