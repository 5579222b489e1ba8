"""Device names as vendors spell them: reading them and comparing them.

A project says ``STM32F407VGT6``, ``STM32F407xx`` or ``__SAMD21J18A__``; the SVD is called
``STM32F40x``, ``STM32F407`` or ``ATSAMD21J18A``. A name is read into patterns of capitals, digits
and ``?`` for a character left open, and patterns are compared from the left.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

import msgspec

MAX_LENGTH = 80
"""Longer texts are no device name."""

MAX_DROPPED = 3
"""How many letters of the maker one spelling may leave out: ATSAMD21 and SAMD21."""


class Pattern(msgspec.Struct, frozen=True):
    """A name read: ``text`` has ``?`` for open characters, those at its end left off (``open``).

    ``qualifiers`` are the further words: a core, a package, a memory size.
    """

    text: str
    open: bool
    qualifiers: tuple[str, ...] = ()

    @property
    def literals(self) -> int:
        """How many characters are said."""
        return len(self.text) - self.text.count("?")


class Kind(IntEnum):
    """How two names fit, the better the higher."""

    SHORT = 1  # the SVD has the name of a family: nrf51 for nRF51822
    WIDE = 2  # the project has the name of a family: STM32F4 for STM32F407
    ELIDED = 3  # the SVD leaves out the middle: MKL25Z4 for MKL25Z128VLK4
    LONGER = 4  # the SVD says more than the project: ATSAMD21J18A for SAMD21
    PREFIX = 5  # the SVD says all but order code: STM32F407 for STM32F407VGT6
    WHOLE = 6


class Fit(msgspec.Struct, frozen=True, order=True):
    """How well an SVD's name fits a device's; the greater the better."""

    literals: int
    kind: int
    entire: bool
    named: int
    plain: int


_VERSION = re.compile(r"[_-]?v\d+(?:\.\d+)+[a-z]?$|[_-]v\d+[a-z]?$", re.IGNORECASE)
_NOISE = frozenset(
    "SVD SERIES REG REGS REGISTER REGISTERS PERIPHERALS CMSIS FLASH RAM FAMILY".split()
)
_LEADING = frozenset(
    "CPU PART MCU SOC CHIP DEVICE DEV TARGET CONFIG IS FAMILY IC TYPE PICO STARTUP SYSTEM "
    "MODEL VARIANT USE IDF".split()
)
_CORE = re.compile(r"^(CM\d+P?|CORTEXM\d+P?|M\d+P?|CORE\d+|CPU\d+|CPU[A-Z]+|APP\w*|NET\w*|ULP|LP)$")
_BRAND = re.compile(r"[A-Z]+(?:32(?!\d))?")


@lru_cache(maxsize=8192)
def read(name: str) -> tuple[Pattern, ...]:
    """The patterns of a name, most often one; () where it is no name of a device."""
    text = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "x", name.strip().strip("_"))
    text = _VERSION.sub("", text)
    if not text or len(text) > MAX_LENGTH:
        return ()
    words = [word for word in re.split(r"[_\s/.,:]+", text.replace("-", "")) if word.isalnum()]
    while len(words) > 1 and words[0].upper() in _LEADING:
        words.pop(0)
    if not words or not words[0].isascii() or not words[0][0].isalpha():
        return ()
    lower = not any(letter.isupper() for letter in text)
    first, *rest = words
    bodies = _spellings(first, lower)
    qualifiers = []
    for word in rest:
        others = _alternatives(bodies[0], word, lower)
        if others and others[0].endswith("?") and not bodies[0].endswith("?"):
            bodies[0] += "?"  # STM32F40_41xxx: the open end is said once
        bodies += others
        if not others and word.upper() not in _NOISE:
            qualifiers.append(word.upper())
    patterns = {}
    for body in bodies:
        if body.upper().startswith("AT91SAM"):
            body = "ATSAM" + body[7:]
        stripped = body.rstrip("?")
        patterns[stripped] = Pattern(stripped, stripped != body, tuple(qualifiers))
    return tuple(pattern for pattern in patterns.values() if pattern.text)


def _spellings(word: str, lower: bool) -> list[str]:
    """Capitals with ``?``. A small x is open, a capital X where it ends the word or is doubled.

    In a word all in small letters an x inside may be either, so both are given.
    """
    digit = re.search(r"\d", word)
    start = digit.start() if digit else len(word)
    head, tail = word[:start].upper(), word[start:]
    tail = re.sub(r"[xX]+$|[xX]{2,}", lambda found: "?" * len(found[0]), tail)
    if lower:
        bodies = [head + tail.upper(), head + tail.replace("x", "?").upper()]
    else:
        bodies = [head + tail.replace("x", "?").upper()]
    split = re.fullmatch(r"([A-Z]+\d{2,})(\d)\?(\d)\?", bodies[-1])
    if split:  # LPC176x5x stands for LPC176x and LPC175x
        return [f"{split[1]}{split[2]}?", f"{split[1]}{split[3]}?"]
    return list(dict.fromkeys(bodies))


def _alternatives(first: str, word: str, lower: bool) -> list[str]:
    """What a further word stands for if it is another device: LPC178x_7x, LPC111x_LPC11Cxx."""
    other = _spellings(word, lower)[-1]
    if other[0].isalpha():
        letters = re.match(r"[A-Z]+", other)
        shared = letters[0] if letters else ""
        return [other] if len(shared) > 1 and len(other) > 4 and first.startswith(shared) else []
    old, new = first.rstrip("?"), other.rstrip("?")
    if (old == first and new == other) or not new:
        return []
    end = other[len(new) :] or first[len(old) :]
    if len(new) < len(old) and _classes(old[-len(new) :]) == _classes(new):
        return [old[: -len(new)] + new + end]
    digits = re.match(r"\d+", new)
    if digits and old.endswith(digits[0]):  # LPC43xx_43Sxx
        return [old[: -len(digits[0])] + new + end]
    return []


def _classes(text: str) -> str:
    return "".join("0" if letter.isdigit() else "A" for letter in text)


@lru_cache(maxsize=65536)
def fit(device: str, name: str) -> Fit | None:
    """How well the SVD name fits the device, None where it is another device's."""
    best: Fit | None = None
    for wanted in read(device):
        for pattern in read(name):
            found = _fit(wanted, pattern)
            if found is not None and (best is None or found > best):
                best = found
    return best


def _fit(device: Pattern, name: Pattern) -> Fit | None:
    entire = True
    found = _compare(device, name)
    if found is None:
        entire = False
        found = _without_maker(device, name)
    if found is None:
        return None
    literals, kind = found
    cores = [word for word in name.qualifiers if _CORE.match(word)]
    wanted = [word for word in device.qualifiers if _CORE.match(word)]
    named = sum(any(_same_word(a, b) for b in device.qualifiers) for a in name.qualifiers)
    if cores and wanted and not any(_same_word(a, b) for a in cores for b in wanted):
        return None
    return Fit(literals, int(kind), entire, named, -len(name.qualifiers))


def _same_word(one: str, other: str) -> bool:
    """Whether two qualifiers mean the same: CPUAPP and APPLICATION, CORTEXM7 and CM7."""
    short, long = sorted(
        (re.sub(r"^CPU(?=[A-Z])|^CORTEX|^C(?=M\d)", "", word) for word in (one, other)), key=len
    )
    return short == long or (len(short) > 2 and short.isalpha() and long.startswith(short))


def _without_maker(device: Pattern, name: Pattern) -> tuple[int, Kind] | None:
    """The same with up to three letters left out at the start of either name."""
    for count in range(1, MAX_DROPPED + 1):
        for cut, whole, device_cut in ((name, device, False), (device, name, True)):
            head, rest = cut.text[:count], cut.text[count:]
            if not head.isalpha() or not rest[:1].isalpha():
                continue
            shorter = Pattern(rest, cut.open)
            found = _compare(shorter, whole) if device_cut else _compare(whole, shorter)
            if found is not None and found[0] >= 4:
                return found
    return None


def _compare(device: Pattern, name: Pattern) -> tuple[int, Kind] | None:
    """The number of equal characters and the kind of fit, from the left."""
    literals = 0
    for at, (a, b) in enumerate(zip(device.text, name.text, strict=False)):
        if a == b and a != "?":
            literals += 1
        elif a != "?" and b != "?":
            return _elided(device.text, name.text, at)
    shared = min(len(device.text), len(name.text))
    numbers = sum(letter.isdigit() for letter in _model(name.text[:shared]))
    if len(device.text) == len(name.text):
        return literals, Kind.WHOLE
    if numbers == 0 or literals < 3:
        return None  # only the maker is the same: ESP32 and ESP32C3
    longer = device if len(device.text) > shared else name
    shorter = name if longer is device else device
    more = re.match(r"\d*", longer.text[shared:]) if longer.text[shared - 1].isdigit() else None
    further = len(more[0]) if more else 0
    if further and not shorter.open:
        if further == 1:
            return None  # another chip with a longer number: ESP32C6 and ESP32C61
        return literals, Kind.SHORT if longer is device else Kind.WIDE
    if longer is name:
        return literals, Kind.WIDE if numbers < 2 or further > 1 else Kind.LONGER
    return literals, Kind.PREFIX if name.open or numbers > 1 else Kind.SHORT


def _model(text: str) -> str:
    """The name after the maker's letters: F407 of STM32F407, 51 of NRF51."""
    brand = _BRAND.match(text)
    return text[brand.end() :] if brand else text


_KINETIS = re.compile(r"M?K[A-Z]*\d|SKEA")


def _elided(device: str, name: str, at: int) -> tuple[int, Kind] | None:
    """NXP's Kinetis SVDs leave out what stands between family, memory and speed.

    MK22F51212 is MK22F, 512 KB, 120 MHz: MK22FN512VLH12.
    """
    if not _KINETIS.match(name) or not _KINETIS.match(device):
        return None
    while at and name[at - 1].isdigit():
        at -= 1
    rest = name[at:]
    if not rest.isdigit() or not device[-1].isdigit() or device[:at] != name[:at]:
        return None
    if sum(map(str.isdigit, name[:at])) < 2 and not name.startswith("SKEA"):
        return None
    groups = re.findall(r"\d+", device[at:])
    if len(groups) < 2 and not device[at : at + 1].isalpha():
        return None
    if rest == groups[-1] or any(rest == group + groups[-1] for group in groups[:-1]):
        return at + len(rest), Kind.ELIDED
    return None


_PLACEHOLDER = re.compile(r"^_*ARM(CM|V[78]|CA|SC)\w*$", re.IGNORECASE)


def is_part(name: str) -> bool:
    """Whether a name is that of a chip: letters and a number, and not Arm's placeholder."""
    if _PLACEHOLDER.match(name.strip()):
        return False
    for pattern in read(name):
        number = re.match(r"[A-Z]{1,7}\d", pattern.text)
        if number and sum(map(str.isdigit, pattern.text)) > 1:
            return True
    return False


# How the makers' part names begin, for words that stand among others, such as a build's defines.
# No list of devices: it only tells that a word such as STM32F401xE is a chip and HSE_VALUE is not.
_MAKERS = re.compile(
    r"""^(
      (STM|GD|AT|APM|CH|HC|HK|MM|CW|PY|AIR|HT|ES|CX|CS|LCM|ACM|BF|N)32[A-Z]{1,3}\d
    | CH[56]\d\d | STM8[A-Z] | GD32\w | FM33[A-Z] | SWM\d{3} | HPM\d{4}
    | NRF(5|9)\d | NRF54[A-Z]
    | (AT)?SAM[A-Z0-9]*\d\d | (AT)?SAM[A-Z]?\d[A-Z] | PIC32[A-Z]
    | LPC\d{2} | M?K[LEVWM]?\d\d[DFZAN] | MIMX(RT)?\d | MCX[A-Z]\d | S32[KGRZ]\d | KW\d\d | SKEA
    | RP2\d\d\d | ESP32[A-Z]\d | ESP32$ | ESP8266
    | XMC[147]\d{3} | TLE98\d | CY8C\d | PSOC\d | CYT\d | S6[EJ]\w | MB9[AB]F
    | R7F[ASL]\w | RA\d[A-Z]\d | E[FZ][MRH]32[A-Z]+\d | [BMF]GM\d{2} | SIM3[A-Z]
    | TM4C\d{3} | LM[34][SF]\d | MSP(M0|432)[A-Z]*\d | CC[123]\d[X\d]\d | AM(243|26)\w | TMS570
    | MAX32\d{3} | MAX78\d{3} | ADUCM\d | AMA?P?H?\d[A-Z]P?\d
    | NUC\d{3} | NANO\d{3} | M[0245]\d{2}\w
    | TMPM\d | GAP[89] | K210 | FE310 | BL[67]\d\d | QN9\d | W7500 | VA\d{5} | D1H | F[EU][3-7]\d\d
    )""",
    re.VERBOSE,
)


def is_known_part(word: str) -> bool:
    """Whether a word begins as the part names of a maker do."""
    return any(_MAKERS.match(pattern.text) for pattern in read(word))


def plain_name(word: str) -> str:
    """A word of a build without what is around the device: MKL25Z128VLK4 of CPU_MKL25Z128VLK4."""
    words = word.strip("_").split("_")
    while len(words) > 1 and words[0].upper() in _LEADING:
        words.pop(0)
    return "_".join(words)


def detail(name: str) -> int:
    """How many characters of the device a name says: 9 for STM32F407xx."""
    return max((pattern.literals for pattern in read(name)), default=0)


def agree(one: str, other: str) -> bool:
    """Whether two names may mean the same device: STM32F4 and STM32F407VG, in any order."""
    return fit(one, other) is not None or fit(other, one) is not None
