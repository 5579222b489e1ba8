"""Peripherals and interrupts that nothing in the workspace switches on.

Only said where the whole workspace was read and does this kind of thing by itself; any word that
may mean the switch by another way is enough to stay silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from datasheet_lsp.answer.plan.graph import Edge, graph
from datasheet_lsp.answer.plan.interrupts import interrupts_of
from datasheet_lsp.assist.findings import Finding
from datasheet_lsp.assist.overview import Overview
from datasheet_lsp.firmware.writes import RegisterAccess, changes
from datasheet_lsp.model import Interrupt, Location, Peripheral
from datasheet_lsp.render import diagnostics as say

_SURE = 0.9
_ENABLES = re.compile(r"(?:IE|IEN|INTEN|IRQEN)\d*$")
_NVIC = range(0xE000_E100, 0xE000_E140)


class Switches:
    """The switches of a device against what the workspace does; for the time of one look."""

    def __init__(self, overview: Overview) -> None:
        self._overview = overview
        self._graph = graph(overview.device)
        self._words: list[str] | None = None
        self._off: dict[str, Edge | None] = {}

    def check(self, found: Iterable[RegisterAccess]) -> Iterator[Finding]:
        """The mistakes of the accesses of one file, each peripheral once."""
        if not self._overview.complete:
            return
        told: set[str] = set()
        for access in found:
            resolved = access.resolved
            if resolved.any_of or resolved.index_unknown or resolved.several:
                continue
            first = resolved.locations[0]
            if first.device is not self._overview.device or first.peripheral.source:
                continue
            name = first.peripheral.name
            if name not in told and len({at.peripheral.name for at in resolved.locations}) == 1:
                edge = self._gate(first.peripheral)
                if edge is not None:
                    told.add(name)
                    gate = Location(first.device, edge.peripheral, edge.register, edge.field)
                    said = say.clock_not_enabled(first, gate)
                    yield Finding(
                        "clock-not-enabled", "warning", said, access.start, access.end, first
                    )
            yield from self._interrupt(access, first)

    def _gate(self, peripheral: Peripheral) -> Edge | None:
        """The clock switch that nothing sets, None where it is set, or may be."""
        if peripheral.name not in self._off:
            self._off[peripheral.name] = self._find_gate(peripheral)
        return self._off[peripheral.name]

    def _find_gate(self, peripheral: Peripheral) -> Edge | None:
        edges = self._graph.edges(peripheral.name, "clock")
        if len(edges) != 1:
            return None
        edge = edges[0]
        if edge.confidence < _SURE or edge.field is None or edge.held is not True:
            return None
        if edge.peripheral is peripheral or self._overview.vague:
            return None
        address = edge.peripheral.base_address + edge.register.offset
        ones, maybe = self._overview.bits(address)
        if not ones or (ones | maybe) & edge.field.mask:
            return None  # it is set, or clocks are switched on in a way that is not seen
        if self._named(peripheral.name, irq=False) or self._named(edge.field.name, irq=False):
            return None
        return edge

    def _named(self, name: str, *, irq: bool) -> bool:
        """Whether a word of the workspace names it together with what may switch it on."""
        if self._words is None:
            self._words = list({word.upper() for word in self._overview.names()})
        wanted = re.compile(rf"(?<![A-Z]){re.escape(name.upper())}(?!\d)")
        bare = name.upper()
        return any(
            bare in word and ("IRQ" in word or "INTERRUPT" in word) == irq and wanted.search(word)
            for word in self._words
        )

    def _interrupt(self, access: RegisterAccess, first: Location) -> Iterator[Finding]:
        if not access.writes or access.value is None:
            return
        enabling = [
            change.field
            for change in changes(access.value, access.register)
            if change.sets and _ENABLES.search(change.field.name) and change.field.width == 1
        ]
        if not enabling:
            return
        interrupts = interrupts_of(first.device, first.peripheral)
        if len(interrupts) != 1 or self._enabled(interrupts[0]):
            return
        at = Location(first.device, first.peripheral, first.register, enabling[0])
        said = say.irq_not_enabled(at, interrupts[0].name, interrupts[0].value)
        yield Finding("irq-not-enabled", "information", said, access.start, access.end, at)

    def _enabled(self, interrupt: Interrupt) -> bool:
        if self._overview.vague or first_cpu(self._overview) == "":
            return True
        address = 0xE000_E100 + 4 * (interrupt.value // 32)
        ones, maybe = self._overview.bits(address)
        if (ones | maybe) >> (interrupt.value % 32) & 1:
            return True
        if any(self._overview.bits(a)[1] for a in _NVIC[::4]):
            return True
        bare = interrupt.name.upper().removesuffix("_IRQN").removesuffix("_IRQ")
        return self._named(bare, irq=True)


def first_cpu(overview: Overview) -> str:
    """The processor of the device where it has an NVIC, else ""."""
    cpu = overview.device.cpu
    return cpu.name if cpu is not None and cpu.name.upper().startswith(("CM", "SC")) else ""
