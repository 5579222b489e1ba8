"""What the parts of a plan share: the device, what is asked, the steps, and the switches."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.answer.plan.choose import families_of
from datasheet_lsp.answer.plan.facts import ManualFacts
from datasheet_lsp.answer.plan.graph import Edge, Graph, graph
from datasheet_lsp.answer.plan.interrupts import choose, enabled
from datasheet_lsp.answer.plan.model import Place, PlanTargets
from datasheet_lsp.answer.plan.steps import Steps
from datasheet_lsp.model import Device, Interrupt, Peripheral

_TIMERS = frozenset({"timer", "sct", "wake-timer", "rtc", "systick"})
_SHORT = {
    "clock": "enables its clock",
    "reset": "releases its reset",
    "power": "powers it",
    "kernel-clock": "chooses or divides its clock",
    "prescaler": "divides the clock of its bus",
    "pin": "connects its signals to pins",
}


class Work:
    """One plan being made."""

    def __init__(self, device: Device, targets: PlanTargets, facts: ManualFacts) -> None:
        self.device = device
        self.graph: Graph = graph(device)
        self.targets = targets
        self.facts = facts
        self.steps = Steps(device)
        self.notes: list[str] = []
        self.places: dict[Place, None] = {}
        self.peripherals = [p for name in targets.peripherals if (p := device.peripheral(name))]
        self.aims = frozenset(targets.aims)
        # Those whose interrupts and DMA are asked for; a timer beside them only paces them.
        lead = [p for p in self.peripherals if not self.is_(p, _TIMERS | {"dma"})]
        self.lead = lead or [p for p in self.peripherals if not self.is_(p, {"dma"})]

    def is_(self, peripheral: Peripheral, names: set[str] | frozenset[str]) -> bool:
        """Whether the peripheral is of one of these families."""
        return any(family.name in names for family in families_of(peripheral.name))

    def gates(self, peripheral: Peripheral, factor: float) -> None:
        """Adds the switches of a peripheral, and the divider of its bus."""
        for kind in ("power", "clock", "reset", "kernel-clock"):
            for edge in self.graph.edges(peripheral.name, kind)[:3]:
                self.edge(edge, edge_weight(edge) * factor)
        for edge in self.graph.bus(peripheral.name):
            self.edge(edge, 0.45 * factor)

    def edge(self, edge: Edge, weight: float, why: str = "", place: Place | None = None) -> None:
        """Adds the step of a switch."""
        said = why or _SHORT.get(edge.kind, edge.kind)
        if edge.value:
            said += f" ({edge.value})"
        self.steps.add(
            edge.kind, edge.target, edge.peripheral, edge.register, edge.field, said,
            f"rule:{edge.rule}", edge.confidence, weight,
            f"{edge.target} {edge.kind.replace('-', ' ')} enable", place=place,
        )  # fmt: skip

    def interrupts(
        self,
        peripheral: Peripheral,
        interrupts: Sequence[Interrupt],
        channel: int | None,
        factor: float,
        most: int = 2,
    ) -> None:
        """Adds where the controller enables interrupts: those that are singled out, ``most``."""
        for interrupt in choose(list(interrupts), self.targets.words, channel)[:most]:
            fact = self.facts.interrupt(interrupt.name, interrupt.value)
            if fact is not None:
                self.places.setdefault(fact.place)
            for place in enabled(self.device, interrupt):
                why = place.rule.why.replace("{number}", str(interrupt.value))
                self.steps.add(
                    "nvic", peripheral.name, place.peripheral, place.register,
                    place.register.fields[0] if len(place.register.fields) == 1 else None,
                    why.replace("{name}", interrupt.name), f"rule:{place.rule.id}",
                    0.97, place.rule.weight * factor,
                    f"{interrupt.name} interrupt {interrupt.value} vector table enable",
                    bits=None if place.bit is None else (place.bit, place.bit),
                    place=fact.place if fact is not None else None,
                    interrupt=interrupt.value,
                )  # fmt: skip


def edge_weight(edge: Edge) -> float:
    """How much depends on a switch: little where it is on already after a reset."""
    if edge.weight is not None:
        return edge.weight
    if edge.kind == "clock":
        return 0.35 if edge.held is False else 0.94
    if edge.kind == "reset":
        return 0.93 if edge.held else 0.22
    if edge.kind == "power":
        return 0.9 if edge.held else 0.3
    if edge.kind == "kernel-clock" and edge.field is not None:
        text = edge.field.description.lower()
        off = not (edge.register.reset_value or 0) and re.search(
            r"0\s*[:=x0]*\s*\S*disable|disabled", text
        )
        return 0.92 if off else 0.72
    return 0.6
