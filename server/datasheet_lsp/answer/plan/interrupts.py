"""The interrupts of a peripheral, and where the controller of the device enables them."""

from __future__ import annotations

import re

import msgspec

from datasheet_lsp.answer.plan.naming import canonical, split, squash
from datasheet_lsp.answer.plan.rules import Controller, gates
from datasheet_lsp.model import Device, Interrupt, Peripheral, Register

_MOST = 4


class Enabled(msgspec.Struct, frozen=True):
    """Where an interrupt is enabled; ``bit`` is None where it is not one bit of the register."""

    interrupt: Interrupt
    rule: Controller
    peripheral: Peripheral
    register: Register
    bit: int | None


def interrupts_of(device: Device, peripheral: Peripheral) -> list[Interrupt]:
    """The interrupts of a peripheral: those whose names have its own come first.

    Some files list an interrupt at another peripheral: those with its name are taken there too.
    """
    own = list(peripheral.interrupts)
    mine = squash(peripheral.name)
    named = [each for each in own if _names(each.name, mine)]
    if named:
        return [*named, *(each for each in own if each not in named)]
    elsewhere = {
        each.value: each
        for other in device.peripherals
        for each in other.interrupts
        if _names(each.name, mine)
    }
    return [*elsewhere.values()] or own


def _names(interrupt: str, peripheral: str) -> bool:
    """Whether an interrupt's name has that of the peripheral: TIM1_UP_TIM16 has TIM16."""
    parts = [squash(part) for part in interrupt.split("_")]
    stem, number = split(peripheral)
    for first in range(len(parts)):
        for end in range(first + 1, len(parts) + 1):
            word = "".join(parts[first:end])
            if word == peripheral:
                return True
            other, other_number = split(word)
            if number == other_number and number and canonical(stem) == canonical(other):
                return True
    return False


def enabled(device: Device, interrupt: Interrupt) -> list[Enabled]:
    """Where the device enables that interrupt, one place for each kind of controller it has."""
    found: list[Enabled] = []
    values = {
        "number": str(interrupt.value),
        "word": str(interrupt.value // 32),
        "word1": str(interrupt.value // 32 + 1),
        "name": re.escape(interrupt.name),
    }
    for rule in gates().controllers:
        pattern = re.compile(
            re.sub(r"\{(\w+?)\}", lambda m: values.get(m[1], m[0]), rule.register), re.IGNORECASE
        )
        place = _place(device, rule, pattern)
        if place is not None:
            bit = interrupt.value % 32 if rule.bit else None
            found.append(Enabled(interrupt, rule, *place, bit))
    return found


def _place(
    device: Device, rule: Controller, pattern: re.Pattern[str]
) -> tuple[Peripheral, Register] | None:
    for peripheral in device.peripherals:
        if rule.peripheral.fullmatch(peripheral.name):
            for register in peripheral.registers:
                if pattern.fullmatch(register.path):
                    return peripheral, register
    return None


def choose(
    interrupts: list[Interrupt], words: tuple[str, ...], channel: int | None
) -> list[Interrupt]:
    """Those that the words, or the number of a channel, single out; else the first few."""
    if len(interrupts) < 2:
        return interrupts
    chosen = []
    if channel is not None:
        chosen = [i for i in interrupts if _has_number(i.name, channel)]
    if not chosen:
        chosen = [
            i
            for i in interrupts
            if any(len(w) > 1 and w.upper() in i.name.upper().split("_") for w in words)
        ]
    return (chosen or interrupts)[:_MOST]


def _has_number(name: str, number: int) -> bool:
    """CHANNEL5, EXTI9_5 for 7, EXTI15_10, CHANNEL2_3."""
    tail = re.search(r"(\d+)(?:_(\d+))?$", name)
    if not tail:
        return False
    low = int(tail[1])
    high = int(tail[2]) if tail[2] else low
    return min(low, high) <= number <= max(low, high)
