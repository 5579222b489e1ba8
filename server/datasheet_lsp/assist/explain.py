"""What some lines of code do to the registers, in order, and what their set-up lacks."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from datasheet_lsp.answer.plan import Plan, PlanStep, PlanTargets, build_plan
from datasheet_lsp.assist.overview import Overview
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Device

_SURE = 0.8
_ASKED = frozenset(("clock", "reset", "enable", "nvic"))
_MAX_PERIPHERALS = 4


class Line(msgspec.Struct, frozen=True):
    """An access on the 0-based ``line``."""

    line: int
    access: RegisterAccess


class Missing(msgspec.Struct, frozen=True):
    """A step that the lines, and as far as it is known the workspace, do not take."""

    peripheral: str
    step: PlanStep
    elsewhere: bool


class Explained(msgspec.Struct, frozen=True):
    """The accesses of some lines in order; ``missing`` is what the set-up lacks.

    ``reads`` counts the reads that are left out. ``peripherals`` are those that are written.
    """

    lines: tuple[Line, ...]
    peripherals: tuple[str, ...]
    missing: tuple[Missing, ...]


def explain(reader: Reader, start: int, end: int, overview: Overview | None = None) -> Explained:
    """What the code from ``start`` to ``end``, in bytes, does."""
    inside = [a for a in reader.accesses(start, end) if start <= a.start < end]
    inside.sort(key=lambda a: (a.statement[0], a.writes, a.start))  # it reads before it writes
    lines = [Line(reader.source.position(a.start)[0], a) for a in inside]
    written = list(
        dict.fromkeys(
            a.resolved.locations[0].peripheral.name
            for a in inside
            if a.writes and not a.resolved.any_of
        )
    )
    missing: list[Missing] = []
    if inside:
        device = inside[0].resolved.locations[0].device
        done = _done(inside)
        for name in written[:_MAX_PERIPHERALS]:
            missing += _missing(device, name, done, overview)
    return Explained(tuple(lines), tuple(written), tuple(missing))


def _done(accesses: Sequence[RegisterAccess]) -> dict[int, int]:
    """For each register address the bits that are set, or may be."""
    done: dict[int, int] = {}
    for access in accesses:
        if access.writes:
            value = access.value
            every = (1 << access.register.size) - 1
            bits = every if value is None else value.value | value.flipped | value.unknown
            for location in access.resolved.locations:
                done[location.address] = done.get(location.address, 0) | bits & every
    return done


def _missing(
    device: Device, name: str, done: dict[int, int], overview: Overview | None
) -> list[Missing]:
    plan: Plan = build_plan(device, PlanTargets(peripherals=(name,)))
    found: list[Missing] = []
    for step in plan.steps:
        if step.kind not in _ASKED or step.confidence < _SURE or step.bits is None:
            continue
        if step.kind in ("reset", "nvic") or not step.field:
            continue
        mask = ((1 << (step.bits[0] - step.bits[1] + 1)) - 1) << step.bits[1]
        if done.get(step.address, 0) & mask:
            continue
        elsewhere = False
        if overview is not None:
            ones, maybe = overview.bits(step.address)
            elsewhere = bool((ones | maybe) & mask)
        found.append(Missing(name, step, elsewhere))
    return found
