"""Numbers that the device model allows to work out from what a question states."""

from __future__ import annotations

import re

import msgspec

from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.plan.model import Plan
from datasheet_lsp.model import Field, Location, Register

_BAUD = re.compile(r"\b(\d[\d_,']*(?:\.\d+)?)\s*(k)?\s*(?:baud|bd|bps|bit/s)\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?:\b(?:p?clk\d?|hclk|sysclk|clock|bus|crystal|from|at|is|of)\b[^.;\d]{0,24})?"
    r"\b(\d+(?:\.\d+)?)\s*(MHz|kHz)\b",
    re.IGNORECASE,
)
_RATES = ("baud", "bitrate", "bit rate")
_FRACTION = 4


class Computed(msgspec.Struct, frozen=True):
    """A value for a register or a field, with how it comes about. ``check`` is how far it is off.

    ``given`` tells that the value is one that the device names.
    """

    path: str
    value: int
    how: str
    given: bool
    register: str = ""


def computed(question: str, plan: Plan | None, names: Names | None) -> list[Computed]:
    """What can be worked out for the registers of a plan; nothing is taken for granted.

    A baud rate where the device names it as a value of a field, or where the divider has a
    mantissa and a fraction in sixteenths and the question states the clock.
    """
    if plan is None or names is None:
        return []
    rate = _rate(question)
    if rate is None:
        return []
    clock = _clock(question)
    found: list[Computed] = []
    for step in plan.by_weight():
        for at in names.lookup.find(step.register)[:1]:
            if at.register is None:
                continue
            named = _named(at, at.register, rate)
            if named is not None:
                found.append(named)
            elif clock is not None:
                divided = _divided(at, at.register, rate, clock)
                if divided is not None:
                    found.append(divided)
    return list({each.path: each for each in found}.values())[:3]


def _rate(question: str) -> float | None:
    match = _BAUD.search(question)
    if match is None:
        return None
    value = float(re.sub(r"[_,']", "", match[1]))
    return value * 1000 if match[2] else value


def _clock(question: str) -> float | None:
    """The one frequency that is stated, in Hz; None where there are several."""
    found = {
        float(number) * (1e6 if unit[0] in "Mm" else 1e3)
        for number, unit in _CLOCK.findall(question)
    }
    return found.pop() if len(found) == 1 else None


def _named(at: Location, register: Register, rate: float) -> Computed | None:
    """A value that is called by the rate: Baud9600."""
    wanted = re.compile(rf"(?<!\d){rate:.0f}(?!\d)")
    for field in register.fields:
        for entries in field.enumerated_values:
            said = (
                f"{field.name} {field.description} {register.description} {register.name}".lower()
            )
            if not any(word in said for word in _RATES):
                continue
            for entry in entries.values:
                if entry.value is not None and wanted.search(f"{entry.name} {entry.description}"):
                    path = f"{at.peripheral.name}.{register.path}.{field.name}"
                    return Computed(
                        path, entry.value, f"named {entry.name}", True,
                        f"{at.peripheral.name}.{register.path}",
                    )  # fmt: skip
    return None


def _divided(at: Location, register: Register, rate: float, clock: float) -> Computed | None:
    """A divider with a mantissa and a fraction in sixteenths, sixteen samples a bit."""
    mantissa = _one(register, "mantissa")
    fraction = _one(register, "fraction")
    if mantissa is None or fraction is None or fraction.width != _FRACTION:
        return None
    if fraction.lsb != 0 or mantissa.lsb != _FRACTION:
        return None
    value = round(clock / rate)
    if not 16 <= value < 1 << (mantissa.width + _FRACTION):
        return None
    real = clock / value
    off = (real - rate) / rate * 100
    how = (
        f"{clock / 1e6:g} MHz / (16 x {rate:g}) = {clock / (16 * rate):.2f}, "
        f"{value >> _FRACTION} and {value & 15}/16: {real:.0f} baud, {off:+.2f} %"
    )
    path = f"{at.peripheral.name}.{register.path}"
    return Computed(path, value, how, False, path)


def _one(register: Register, word: str) -> Field | None:
    found = [f for f in register.fields if word in f"{f.name} {f.description}".lower()]
    return found[0] if len(found) == 1 else None
