"""How many peripherals of real chips get each kind of edge, and that nothing is made up."""

from __future__ import annotations

import pytest

from datasheet_lsp.answer.plan import Plan, PlanTargets, build_plan
from datasheet_lsp.answer.plan.graph import graph
from datasheet_lsp.answer.plan.naming import own
from datasheet_lsp.model import Device, Lookup
from tests.answer.plan.devices import real

# A floor: so many peripherals have a clock switch, a reset, a source or divider of their clock by
# the rules as they are. Whether the switches are the right ones is for test_truth to say.
COUNTS = {
    "STM32F103xx": (47, 41, 3),
    "STM32F407": (54, 54, 1),
    "STM32F446": (54, 54, 5),
    "STM32G071": (38, 36, 12),
    "STM32H723": (91, 87, 40),
    "STM32H743x": (85, 81, 39),
    "APM32F40x": (57, 57, 1),
    "GD32VF103": (36, 31, 4),
    "CH32V003xx": (13, 11, 1),
    "lpc82x": (22, 17, 3),
    "LPC800_v0.3": (16, 12, 3),
    "LPC43xx_43Sxx": (39, 39, 12),
    "MKL25Z4": (26, 0, 5),
    "MK21D5": (33, 0, 1),
    "TM4C123GH6PM": (49, 49, 0),
    "EFM32GG230F1024": (26, 0, 5),
    "ATSAMD21J18A": (34, 0, 15),
    "rp2040": (27, 23, 6),
    "esp32c3": (23, 23, 0),
    "k210": (27, 26, 15),
    "R7FA4M1AB": (19, 0, 0),
    "XMC4500": (10, 22, 9),
    "BL602_soc602_reg": (6, 0, 5),
}

ENABLED = {"nrf51": 9, "nrf52840": 30}
"""Chips without clock switches: at least so many peripherals have an ENABLE of their own."""


@pytest.mark.parametrize("stem", COUNTS)
def test_peripherals_have_their_switches(stem: str) -> None:
    device = real(stem)
    known = graph(device)
    found = tuple(
        sum(bool(known.edges(p.name, kind)) for p in own(device))  # type: ignore[arg-type]
        for kind in ("clock", "reset", "kernel-clock")
    )
    assert all(has >= least for has, least in zip(found, COUNTS[stem], strict=True)), found


@pytest.mark.parametrize("stem", ENABLED)
def test_peripherals_without_clock_switches_have_an_enable(stem: str) -> None:
    device = real(stem)
    enabled = 0
    for peripheral in own(device):
        steps = build_plan(device, PlanTargets((peripheral.name,))).steps
        enabled += any(s.register == f"{peripheral.name}.ENABLE" for s in steps)
    assert enabled >= ENABLED[stem]


def check(plan: Plan, device: Device) -> None:
    """All that a plan names is there, at that address and those bits."""
    lookup = Lookup(device)
    for step in plan.steps:
        found = [at for at in lookup.find(step.register) if at.address == step.address]
        assert found, step
        register = found[0].register
        assert register is not None
        if step.field is not None:
            assert step.field in [field.name for field in register.fields], step
        if step.bits is not None:
            assert 0 <= step.bits[1] <= step.bits[0] < register.size, step
        assert 0 < step.confidence <= 1 and 0 < step.weight <= 1, step
        assert step.source.startswith("rule:") and step.why and step.query, step


AIMS = (
    "baud interrupt dma pwm periodic sysclk sleep wakeup wake-by-time watchdog reset-cause flash "
    "brownout measure compare encoder capture output input falling rising edge trigger "
    "function-pin debug-pin master slave send receive alarm"
).split()


@pytest.mark.parametrize("stem", [*COUNTS, *ENABLED, "psoc63", "ARM_Sample"])
def test_nothing_is_made_up(stem: str) -> None:
    device = real(stem)
    families = ("power", "clock", "supply", "reset-cause", "wake-timer", "software-reset")
    for peripheral in own(device)[:20]:
        wanted = PlanTargets((peripheral.name,), tuple(AIMS), families, channel=1)
        check(build_plan(device, wanted), device)
