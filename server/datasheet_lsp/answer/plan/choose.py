"""Which peripheral of a device serves an aim, where only its kind is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from datasheet_lsp.answer.plan.facts import ManualFacts
from datasheet_lsp.answer.plan.graph import Graph
from datasheet_lsp.answer.plan.model import Pin
from datasheet_lsp.answer.plan.roles import find
from datasheet_lsp.answer.plan.rules import Family, families
from datasheet_lsp.model import Device, Peripheral

_NUMBER = re.compile(r"\d+")


def _is_for_outputs(peripheral: Peripheral) -> bool:
    """Whether a timer is made for motors or PWM."""
    names = ("BDTR", "CCHP", "COUNTERTOP", "PWMC")
    pwm = "PWM" in peripheral.name.upper() or peripheral.name == "LEDC"
    return pwm or any(r.name in names for r in peripheral.registers)


def is_shared(name: str) -> bool:
    """Whether a peripheral is there for others: ports and DMA controllers."""
    return any(families()[kind].names.fullmatch(name) for kind in ("gpio", "dma"))


def families_of(name: str, kinds: Sequence[str] = ()) -> list[Family]:
    """The families a peripheral is of; those that would rather not have it only for want of others.

    A USART can be an SPI too, but is not meant by it, unless ``kinds`` say so.
    """
    found = [family for family in families().values() if family.names.fullmatch(name)]
    said = [family for family in found if family.name in kinds]
    if said:
        return [*said, *(family for family in found if family not in said)]
    liked = [f for f in found if f.avoid is None or not f.avoid.fullmatch(name)]
    return liked or found[:1]


def members(device: Device, family: Family) -> list[Peripheral]:
    """The peripherals of a family in the order of their numbers, those to avoid last."""
    found = [
        p
        for p in device.peripherals
        if family.names.fullmatch(p.name) and (not p.source or family.name == "systick")
    ]
    return sorted(found, key=lambda p: (_avoided(family, p), _order(p.name)))


def _avoided(family: Family, peripheral: Peripheral) -> bool:
    return family.avoid is not None and bool(family.avoid.fullmatch(peripheral.name))


def _order(name: str) -> tuple[int, str]:
    numbers = _NUMBER.findall(name)
    return (int(numbers[-1]) if numbers else 0), name


def serves(peripheral: Peripheral, family: Family, wanted: Iterable[str]) -> bool:
    """Whether the peripheral has a register for each aim that some role of its family is about."""
    if _avoided(family, peripheral) and not any(
        find(role, (peripheral,)) for role in family.roles if role.where is None
    ):
        return False
    for aim in wanted:
        roles = [r for r in family.roles if aim in r.aims and r.where is None]
        if roles and not any(find(role, (peripheral,)) for role in roles):
            return False
    return True


def choose(
    graph: Graph,
    wanted: Sequence[Family],
    aims: Sequence[str],
    pins: Sequence[Pin],
    facts: ManualFacts,
) -> Peripheral | None:
    """The peripheral to take for an aim: one with a signal at a named pin, else the first good one.

    ``wanted`` are the families that would do, the best first.
    """
    some: list[tuple[Family, list[Peripheral]]] = [(f, members(graph.device, f)) for f in wanted]
    able = [(f, [p for p in there if serves(p, f, aims)]) for f, there in some]
    for family, good in [*able, *some]:
        if not good:
            continue
        for pin in pins:
            heads = {fact.signal.split("_")[0].upper() for fact in facts.at(pin)}
            at_pin = [p for p in good if p.name.upper() in heads]
            if at_pin:
                return at_pin[0]
        if family.name == "timer" and "pwm" not in aims:
            # One that has no outputs to care for does as well.
            plain = [p for p in good if not _is_for_outputs(p)]
            good = plain or good
        return good[0]
    return None
