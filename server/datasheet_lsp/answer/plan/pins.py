"""The registers of one pin: its function, direction, level and interrupt."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from datasheet_lsp.answer.plan.model import Pin
from datasheet_lsp.answer.plan.rules import PinRule, pin_rules
from datasheet_lsp.model import Device, Field, Peripheral, Register

PIN = re.compile(
    r"(?<![\w.])(?:PIO(?P<a>\d)_(?P<an>\d{1,2})|P(?P<b>\d)[._](?P<bn>\d{1,2})|"
    r"PT(?P<c>[A-E])(?P<cn>\d{1,2})|P(?P<d>[A-K])(?P<dn>\d{1,2})|"
    r"(?:GPIO|GP|IO|PIN|pin )(?P<en>\d{1,2})|P(?P<f>\d)(?P<fn>\d{2}))(?!\w)"
)


class PinRegister(msgspec.Struct, frozen=True):
    """A register of a pin; ``bits`` are those of the pin where no field is."""

    rule: PinRule
    peripheral: Peripheral
    register: Register
    field: Field | None
    bits: tuple[int, int] | None


def pins_in(text: str) -> list[Pin]:
    """The pins that ``text`` names: PC4, PIO0_12, P0.13, PTA5, GPIO12."""
    found: dict[str, Pin] = {}
    for match in PIN.finditer(text):
        groups = match.groupdict()
        for letter in "abcdf":
            if groups[letter] is not None:
                pin = Pin(match[0], groups[letter], int(groups[f"{letter}n"]))
                break
        else:
            pin = Pin(match[0], "0", int(groups["en"]))
        found.setdefault(match[0], pin)
    return list(found.values())


def _values(pin: Pin) -> dict[str, str]:
    n = pin.number
    port = pin.port
    return {
        "port": re.escape(port),
        "p": port if port.isdigit() else str(ord(port.upper()) - ord("A")),
        "n": str(n),
        "nn": f"{n:02}",
        "half": str(n // 2),
        "quad": str(n // 4 * 4),
        "oct": str(n // 8),
        "n8": str(n % 8),
        "n16": str(n % 16),
    }


def _filled(template: str, values: dict[str, str]) -> re.Pattern[str]:
    text = re.sub(r"\{(\w+?)\}", lambda m: values.get(m[1], m[0]), template)
    return re.compile(text, re.IGNORECASE)


def registers_of(device: Device, pin: Pin, use: str) -> list[PinRegister]:
    """The registers of the pin for that use, one for each rule that fits."""
    values = _values(pin)
    found: list[PinRegister] = []
    for rule in pin_rules():
        if use in rule.use:
            found += _by(rule, device, values, pin)
    return found


def _by(rule: PinRule, device: Device, values: dict[str, str], pin: Pin) -> list[PinRegister]:
    where = _filled(rule.where, values)
    places = [p for p in device.peripherals if not p.source and where.fullmatch(p.name)]
    if not places:
        return []
    wanted = _filled(rule.register, values)
    fields = _filled(rule.fields, values) if rule.fields else None
    for each in _candidates(places, wanted):
        peripheral, register = each
        field = None
        if fields is not None:
            field = next((f for f in register.fields if fields.fullmatch(f.name)), None)
            if field is None:
                continue
        bits = None if field or not rule.whole else _own_bit(rule, register, pin)
        return [PinRegister(rule, peripheral, register, field, bits)]
    return []


def _own_bit(rule: PinRule, register: Register, pin: Pin) -> tuple[int, int] | None:
    """The bit of the pin in a register with a bit for each pin of a port."""
    template = rule.register
    if (
        "{n}" in template
        or "{nn}" in template
        or "{half}" in template
        or pin.number >= register.size
    ):
        return None
    if rule.use & {"source", "pending"} or rule.id.startswith(("pint", "eic", "gpiote")):
        return None
    return pin.number, pin.number


def _candidates(
    places: list[Peripheral], wanted: re.Pattern[str]
) -> Iterator[tuple[Peripheral, Register]]:
    for peripheral in places:
        for register in peripheral.registers:
            if wanted.fullmatch(register.path) or wanted.fullmatch(register.name):
                yield peripheral, register
