"""Edges of real chips against what their manuals say."""

from __future__ import annotations

import pytest

from datasheet_lsp.answer.plan import PlanTargets, build_plan
from datasheet_lsp.answer.plan.graph import graph
from datasheet_lsp.answer.plan.interrupts import interrupts_of
from datasheet_lsp.model import Device
from tests.answer.plan.devices import real
from tests.answer.plan.truth import TRUTH


def said(device: Device, name: str, kind: str) -> set[str | int]:
    """What the plan says of a kind, in the form of the truth."""
    peripheral = device.peripheral(name)
    assert peripheral is not None
    if kind == "irq":
        return {each.value for each in interrupts_of(device, peripheral)}
    if kind == "enable":
        plan = build_plan(device, PlanTargets((name,)))
        steps = [step for step in plan.steps if step.kind == "enable" and step.bits]
        return {f"{s.register}.{s.field}:{s.bits[1]}" for s in steps if s.bits}
    known = graph(device)
    edges = known.bus(name) if kind == "bus" else known.edges(name, kind)  # type: ignore[arg-type]
    return {
        f"{e.peripheral.name}.{e.register.path}.{e.field.name}:{e.field.lsb}"
        for e in edges
        if e.field is not None
    }


FACTS = [
    (stem, name, kind, value)
    for stem, peripherals in TRUTH.items()
    for name, kinds in peripherals.items()
    for kind, value in kinds.items()
]


@pytest.mark.parametrize("stem", TRUTH)
def test_edges_are_right(stem: str) -> None:
    device = real(stem)
    facts = [fact for fact in FACTS if fact[0] == stem]
    wrong = [
        (name, kind, value, said(device, name, kind))
        for _, name, kind, value in facts
        if value not in said(device, name, kind)
    ]
    assert len(TRUTH[stem]) >= 10
    # 95 of 100 is what must hold; none is known to be wrong.
    assert not wrong


@pytest.mark.parametrize("stem", TRUTH)
def test_no_edge_contradicts_the_truth(stem: str) -> None:
    """No other peripheral's clock or reset is among those of a peripheral."""
    device = real(stem)
    owners = {
        value: name
        for name, kinds in TRUTH[stem].items()
        for kind, value in kinds.items()
        if kind in ("clock", "reset") and isinstance(value, str)
    }
    wrong = [
        (name, kind, value, owners[value])
        for name in TRUTH[stem]
        for kind in ("clock", "reset")
        for value in said(device, name, kind)
        if isinstance(value, str) and owners.get(value, name) != name
    ]
    # The clock bit of a common block serves several; those share one owner in the list.
    assert [w for w in wrong if w[0] not in ("DMAMUX0",)] == []


@pytest.mark.parametrize(
    ("stem", "number", "register", "bit"),
    [
        ("STM32F407", 38, "NVIC.ISER1", 6),
        ("STM32F407", 0, "NVIC.ISER0", 0),
        ("lpc82x", 24, "NVIC.ISER[0]", 24),
        ("CH32V003xx", 32, "PFIC.IENR2", 0),
        ("CH32V003xx", 29, "PFIC.IENR1", 29),
        ("GD32VF103", 56, "ECLIC.CLICINTIE_56", None),
        ("k210", 11, "PLIC.target_enables[0].enable[0]", 11),
    ],
)
def test_controllers_enable_interrupts(
    stem: str, number: int, register: str, bit: int | None
) -> None:
    from datasheet_lsp.answer.plan.interrupts import enabled
    from datasheet_lsp.model import Interrupt

    places = enabled(real(stem), Interrupt("X", number, "", 0))
    found = {(f"{e.peripheral.name}.{e.register.path}", e.bit) for e in places}
    assert (register, bit) in found
