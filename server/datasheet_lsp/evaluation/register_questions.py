"""Questions made from SVD files: where a register is, what it resets to, which bits a field has.

They are asked as people write registers, and answered from the device alone; the right answer is
what the device's own tables say.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from datasheet_lsp.evaluation.retrieval import wilson
from datasheet_lsp.model import Device, Field, Peripheral, Register
from datasheet_lsp.search.facts import Fact, facts
from datasheet_lsp.search.names import DeviceNames

NAMES = ("{p}->{r}", "{p}.{r}", "{p}_{r}", "{p} {r}")
FIELDS = ("{p}->{r}[{f}]", "{p}.{r}.{f}", "{p}_{r}_{f}", "{p} {r} {f}")


class RegisterQuestion(msgspec.Struct, frozen=True):
    """A question with its right answer; numbers in bytes and bits."""

    text: str
    path: str
    address: int
    offset: int
    reset: int | None
    bits: tuple[int, int] | None


def questions_of(device: Device, count: int, seed: int = 0) -> Iterator[RegisterQuestion]:
    """``count`` questions about a device, the same for the same seed; none without registers."""
    chance = random.Random(f"{device.name} {seed}")
    registers = list(device.walk())
    for number in range(count if registers else 0):
        peripheral, register = chance.choice(registers)
        if register.fields and number % 2:
            yield _of_field(peripheral, register, chance.choice(register.fields), chance)
        else:
            yield _of_register(peripheral, register, chance)


def _of_register(
    peripheral: Peripheral, register: Register, chance: random.Random
) -> RegisterQuestion:
    name = chance.choice(NAMES).format(p=peripheral.name, r=register.path)
    asked = ("address of {}", "offset of {}?", "{} reset value", "Where is {}?", "{}")
    return RegisterQuestion(
        text=chance.choice(asked).format(name),
        path=f"{peripheral.name}.{register.path}",
        address=peripheral.base_address + register.offset,
        offset=register.offset,
        reset=register.reset_value,
        bits=None,
    )


def _of_field(
    peripheral: Peripheral, register: Register, field: Field, chance: random.Random
) -> RegisterQuestion:
    name = chance.choice(FIELDS).format(p=peripheral.name, r=register.path, f=field.name)
    asked = ("which bits are {}?", "{} bit position", "{} reset value", "{}")
    reset = register.reset_value
    return RegisterQuestion(
        text=chance.choice(asked).format(name),
        path=f"{peripheral.name}.{register.path}.{field.name}",
        address=peripheral.base_address + register.offset,
        offset=register.offset,
        reset=None if reset is None else field.extract(reset),
        bits=(field.msb, field.lsb),
    )


def is_right(question: RegisterQuestion, found: Sequence[Fact]) -> bool:
    """Whether the first fact, or one that the file gives under the same name, is the answer."""
    return any(
        (fact.path, fact.address, fact.offset, fact.reset, fact.bits)
        == (question.path, question.address, question.offset, question.reset, question.bits)
        for fact in found
        if fact.path == found[0].path
    )


def evaluate_registers(devices: Sequence[Device], count: int) -> dict[str, Any]:
    """About ``count`` questions over the devices, as plain data with each that was missed."""
    share = -(-count // max(1, len(devices)))
    passed = of = 0
    missed = []
    for device in devices:
        names = DeviceNames(device)
        for question in questions_of(device, share):
            found = facts(question.text, names)
            right = is_right(question, found)
            passed += right
            of += 1
            if not right:
                got = [fact.path for fact in found[:3]]
                entry = {"device": device.name, "question": question.text, "right": question.path}
                missed.append({**entry, "got": got})
    low, high = wilson(passed, of)
    return {"passed": passed, "of": of, "low": low, "high": high, "missed": missed}
