"""How much of what questions need a plan names: its registers against the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from datasheet_lsp.answer.plan import Plan, plan_for_question
from datasheet_lsp.index import Index
from datasheet_lsp.model import Device

MOST_STEPS = 12
"""Registers of a plan that count: about what 3,000 tokens hold."""


class Covered(msgspec.Struct, frozen=True):
    """What a plan has of one question: its groups with a register, and those that are named.

    ``missing`` are the groups that no step names, by what they are; ``open`` the groups without a
    register in their evidence, of which a plan can tell nothing.
    """

    id: str
    question: str
    groups: int
    met: int
    open: int
    missing: tuple[str, ...]
    plan: Plan


def covered(
    question: Mapping[str, Any], device: Device, index: Index | None, most: int = MOST_STEPS
) -> Covered:
    """The groups of ``question`` with a register that one of the first ``most`` registers is."""
    plan = plan_for_question(question["question"], device, index)
    registers: dict[str, None] = {}
    for step in plan.by_weight():
        registers.setdefault(step.register)
    named = [_bare(path, device) for path in list(registers)[:most]]
    groups = met = without = 0
    missing = []
    for group in question["evidence"]:
        wanted = [s["register"] for s in group["any_of"] if "register" in s]
        if not wanted:
            without += 1
            continue
        groups += 1
        if any(_bare(path, device) in named for path in wanted):
            met += 1
        else:
            missing.append(f"{group['what']}: {' | '.join(wanted)}")
    return Covered(question["id"], question["question"], groups, met, without, tuple(missing), plan)


def cover(
    questions: Iterable[Mapping[str, Any]],
    devices: Mapping[str, Device],
    index: Index | None,
    kinds: Sequence[str] = ("goal", "cross-peripheral"),
    most: int = MOST_STEPS,
) -> list[Covered]:
    """All questions of those kinds whose device is there; ``devices`` by the stem of their file."""
    return [
        covered(question, devices[question["device"]], index, most)
        for question in questions
        if question["kind"] in kinds and question["device"] in devices
    ]


def _bare(path: str, device: Device) -> str:
    """The register without numbers of arrays, in the peripheral that it is derived from."""
    name, _, rest = path.partition(".")
    peripheral = device.peripheral(name)
    if peripheral is not None and peripheral.derived_from:
        name = peripheral.derived_from
    bare = re.sub(r"\[(?:%s|\d+)\]", "[]", rest)
    return f"{name}.{bare}".upper()
