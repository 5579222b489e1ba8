"""What a manual was found to say about the registers of a device, beside its SVD file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from datasheet_lsp.evaluation.conflicts import find_conflicts
from datasheet_lsp.evaluation.described import (
    Description,
    Target,
    Targets,
    field_states,
    real_fields,
)
from datasheet_lsp.model.coverage import (
    Count,
    Coverage,
    FieldCoverage,
    PeripheralCoverage,
    RegisterCoverage,
    RegisterState,
    Unmatched,
)
from datasheet_lsp.model.device import Device, Peripheral, Register
from datasheet_lsp.model.document import Document


def coverage(document: Document, device: Device) -> Coverage:
    """Compares what the manual was found to describe with the SVD's registers."""
    targets = Targets(device)
    found: dict[tuple[int, str], list[Description]] = {}
    unmatched = []
    descriptions = []
    for text in document.registers:
        description = Description(text, targets.resolve(text.matches))
        descriptions.append(description)
        if not description.targets and not targets.at_offset(document, text):
            unmatched.append(Unmatched(text.name, text.title, text.place.page))
        for key in dict.fromkeys(_key(target) for target in description.targets):
            found.setdefault(key, []).append(description)
    conflicts = find_conflicts(document, targets, descriptions)
    peripherals = tuple(
        _peripheral(first, also, found) for first, also in _distinct(device.peripherals)
    )
    covered = [p.count for p in peripherals if p.count.registers_found]
    return Coverage(
        PurePath(document.source).name or document.title,
        device.name,
        device.source,
        sum(covered, Count()),
        sum((p.count for p in peripherals), Count()),
        peripherals,
        conflicts,
        tuple(unmatched),
    )


def _key(target: Target) -> tuple[int, str]:
    return id(target.peripheral.block), target.register.template


def _distinct(peripherals: Iterable[Peripheral]) -> Iterator[tuple[Peripheral, tuple[str, ...]]]:
    """Each block of registers once, with the peripheral that has it first and the others."""
    owners: dict[int, list[Peripheral]] = {}
    for peripheral in peripherals:
        owners.setdefault(id(peripheral.block), []).append(peripheral)
    for first, *rest in owners.values():
        yield first, tuple(p.name for p in rest)


def _peripheral(
    peripheral: Peripheral,
    also: tuple[str, ...],
    found: dict[tuple[int, str], list[Description]],
) -> PeripheralCoverage:
    block = id(peripheral.block)
    first: dict[str, Register] = {}
    for register in peripheral.registers:
        first.setdefault(register.template, register)
    registers = tuple(
        _register(register, found.get((block, template), []))
        for template, register in first.items()
    )
    return PeripheralCoverage(peripheral.name, also, _count(registers), registers)


def _register(register: Register, descriptions: list[Description]) -> RegisterCoverage:
    fields = []
    states = field_states(register, descriptions)
    for field, (said, page, printed) in zip(real_fields(register), states, strict=True):
        fields.append(
            FieldCoverage(field.name, field.msb, field.lsb, field.line, said, page, printed)
        )
    state: RegisterState = "missed"
    if descriptions:
        bare = fields and not any(d.text.fields for d in descriptions)
        state = "listed" if bare else "described"
    return RegisterCoverage(
        register.template,
        register.line,
        state,
        tuple(sorted({d.text.place.page for d in descriptions})),
        tuple(dict.fromkeys(d.text.name for d in descriptions)),
        tuple(fields),
    )


def _count(registers: Iterable[RegisterCoverage]) -> Count:
    total = Count()
    for register in registers:
        states = [field.state for field in register.fields]
        total += Count(
            1,
            int(register.state != "missed"),
            len(states),
            states.count("found"),
            states.count("renamed"),
        )
    return total
