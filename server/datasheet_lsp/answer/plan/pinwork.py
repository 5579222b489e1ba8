"""The steps for pins: those that are named, and those that a peripheral's signals have."""

from __future__ import annotations

import re

from datasheet_lsp.answer.plan.facts import PinFact
from datasheet_lsp.answer.plan.graph import Edge
from datasheet_lsp.answer.plan.model import Pin
from datasheet_lsp.answer.plan.pins import PinRegister, registers_of
from datasheet_lsp.answer.plan.rules import Family
from datasheet_lsp.answer.plan.work import Work
from datasheet_lsp.model import Interrupt, Peripheral

_SIGNALS = {
    "uart": r"TXD?|RXD?",
    "i2c": r"SDA|SCL",
    "spi": r"SCK|MOSI|MISO|SCLK|CLK|TX|RX",
    "timer": r"CH\d|OUT\d|\d_OUT|CC\d|MAT\d|[AB]",
    "sct": r"(?:CT)?OUT_?\d",
    "adc": r"IN\d+|\d+",
    "comparator": r"I\d|IN[PM]?\d?|O",
    "can": r"TX|RX",
}


class PinWork(Work):
    """Work that knows pins."""

    def function_pins(self, peripheral: Peripheral, family: Family, factor: float) -> None:
        """Adds what brings the signals of a peripheral to pins."""
        signals = re.compile(rf"(?:.*_)?(?:{_SIGNALS.get(family.name, '.*')})(?:_?[IO]+)?", re.I)
        edges = [e for e in self.graph.edges(peripheral.name, "pin") if not _is_plain_remap(e)]
        liked = [
            e for e in edges if signals.fullmatch(e.value or (e.field.name if e.field else ""))
        ]
        liked = self._at_channel(liked) or liked or edges
        chosen: dict[str, Edge] = {}
        for edge in liked:
            chosen.setdefault(edge.register.path, edge)
        for edge in list(chosen.values())[:2]:
            self.edge(edge, 0.85 * factor)
        if chosen:
            self._pads(peripheral, signals, factor)
        for edge in self.graph.edges(peripheral.name, "pin"):
            if _is_plain_remap(edge):
                self.edge(edge, 0.45 * factor, "moves its signals to other pins")
        named = bool(self.targets.pins)
        if not chosen and not named:
            self._pins_of_tables(peripheral, signals, factor)

    def _pads(self, peripheral: Peripheral, signals: re.Pattern[str], factor: float) -> None:
        """The pads of signals that have one pin alone."""
        at: dict[str, list[PinFact]] = {}
        for fact in self.facts.signals(peripheral.name):
            if signals.fullmatch(fact.signal):
                at.setdefault(fact.signal, []).append(fact)
        for facts in list(at.values())[:2]:
            if len(facts) == 1:
                for each in registers_of(self.device, facts[0].pin, "pull"):
                    self._pin_step(each, facts[0].pin, 0.5 * factor, facts[0])

    def _at_channel(self, edges: list[Edge]) -> list[Edge]:
        channel = self.targets.channel
        if channel is None:
            return []
        name = re.compile(rf"\w*?[A-Z]_?{channel}(_\w+)?")
        return [e for e in edges if e.field is not None and name.fullmatch(e.field.name)]

    def _pins_of_tables(
        self, peripheral: Peripheral, signals: re.Pattern[str], factor: float
    ) -> None:
        facts = [f for f in self.facts.signals(peripheral.name) if signals.fullmatch(f.signal)]
        channel = self.targets.channel
        if channel is not None:
            at = [f for f in facts if re.search(rf"\D{channel}$", f.signal)]
            facts = at or facts
        once: dict[str, PinFact] = {}
        for fact in facts:
            once.setdefault(fact.signal, fact)
        for fact in list(once.values())[:2]:
            self.places.setdefault(fact.place)
            for each in registers_of(self.device, fact.pin, "function"):
                self._pin_step(each, fact.pin, 0.8 * factor, fact)
            self._port_clock(fact.pin, "function", 0.8 * factor)
        if not once:
            self._any_port(peripheral, factor)

    def _any_port(self, peripheral: Peripheral, factor: float) -> None:
        """The mode register of some port, where it is not known which pins the signals have."""
        if self.graph.edges(peripheral.name, "pin"):
            pass
        if any(s.kind == "pin" and s.target == peripheral.name for s in self.steps.all()):
            return
        for pin in (Pin("", "A", 0), Pin("", "0", 0)):
            found = registers_of(self.device, pin, "function")
            for each in found[:1]:
                self.steps.add(
                    "pin", peripheral.name, each.peripheral, each.register, None,
                    "function of its pins, here at the first port: which pins, the manual says",
                    f"rule:{each.rule.id}", 0.35, 0.5 * factor,
                    f"{peripheral.name} pins alternate function",
                )  # fmt: skip
            if found:
                return

    def any_pin(self) -> tuple[Pin, ...]:
        """The first pin of a port that is meant without one: what it takes is the same for all."""
        wanted = self.aims & {"output", "input", "edge", "pull", "open-drain", "speed", "lock"}
        if not wanted or not all(self.is_(p, {"gpio", "pin-interrupt"}) for p in self.peripherals):
            return ()
        for peripheral in self.peripherals:
            found = re.fullmatch(r"(?:GPIO|PORT|P)([A-K]|\d)", peripheral.name)
            if found:
                return (Pin("a pin", found[1], 0),)
        return (Pin("a pin", "0", 0),) if self.peripherals else ()

    def named_pin(self, pin: Pin) -> None:
        """Adds the registers of a pin for what is wanted of it."""
        uses: dict[str, float] = {}
        if "edge" in self.aims:
            uses |= {"source": 0.93, "mask": 0.9, "pending": 0.4, "direction": 0.5}
            uses |= {edge: 0.95 for edge in ("rising", "falling") if edge in self.aims}
            if not self.aims & {"rising", "falling"}:
                uses |= {"rising": 0.9, "falling": 0.9}
        elif "interrupt" in self.aims and not self.lead:
            uses |= {"source": 0.9, "mask": 0.9, "rising": 0.8, "falling": 0.8}
        if self.aims & {"output", "debug-pin"}:
            uses |= {"direction": 0.95, "drive": 0.9, "output": 0.85, "function": 0.6}
        if "wakeup" in self.aims:
            uses |= {"wake": 0.9}
        if "input" in self.aims:
            uses |= {"direction": 0.85, "input": 0.85, "pull": 0.6}
        uses |= {use: 0.95 for use in ("pull", "open-drain", "speed", "lock") if use in self.aims}
        if "function-pin" in self.aims or not uses:
            uses |= {"function": 0.9}
        for use, weight in uses.items():
            for each in registers_of(self.device, pin, use):
                self._pin_step(each, pin, weight, None)
        self._port_clock(pin, "edge" if "source" in uses else "function", 0.85)
        for fact in self.facts.at(pin)[:1]:
            self.places.setdefault(fact.place)
        if "source" in uses:
            self._pin_interrupt(pin)

    def _pin_step(self, each: PinRegister, pin: Pin, weight: float, fact: PinFact | None) -> None:
        said = each.rule.why
        if fact is not None:
            function = f" as {fact.function}" if fact.function else ""
            said = f"{fact.signal} is {pin.text}{function}: {each.rule.why}"
        self.steps.add(
            "pin", pin.text, each.peripheral, each.register, each.field, said,
            f"rule:{each.rule.id}", 0.9 if fact is None else 0.85,
            weight * (each.rule.weight / 0.85),
            f"{pin.text} {each.rule.why}", bits=each.bits,
            place=fact.place if fact is not None else None,
        )  # fmt: skip

    def _port_clock(self, pin: Pin, use: str, weight: float) -> None:
        ports: dict[str, None] = {}
        for step in self.steps.all():
            if step.kind == "pin" and step.target == pin.text:
                ports[step.register.partition(".")[0]] = None
        for name in ports:
            for kind in ("clock", "reset"):
                for edge in self.graph.edges(name, kind)[:1]:
                    value = weight if edge.held else weight * 0.4
                    if kind == "reset" and not edge.held:
                        continue
                    self.edge(edge, value)

    def _pin_interrupt(self, pin: Pin) -> None:
        """The interrupt of the line that a pin has, or of its port."""
        n = pin.number
        line = re.compile(r"(?:EXTI|EINT)(?:_?LINE)?_?(\d+)(?:_(\d+))?(?:_IRQ\w*)?", re.I)
        port = re.compile(
            rf"PIN_?INT_?0|GPIO_?INT0|GPIOTE|(?:PORT_?|GPIO_?|P){re.escape(pin.port)}|EIC|"
            rf"IO_IRQ_BANK0|GPIO_?{'ODD' if n % 2 else 'EVEN'}|GPIO|IRQ0",
            re.I,
        )
        rows: list[tuple[int, Peripheral, Interrupt]] = []
        for peripheral in self.device.peripherals:
            for interrupt in peripheral.interrupts:
                found = line.fullmatch(interrupt.name)
                if found:
                    low, high = int(found[1]), int(found[2] or found[1])
                    if min(low, high) <= n <= max(low, high):
                        rows.append((0, peripheral, interrupt))
                elif port.fullmatch(interrupt.name) or port.fullmatch(
                    re.sub(r"_IRQ\w*$", "", interrupt.name)
                ):
                    rows.append((1, peripheral, interrupt))
        rows.sort(key=lambda row: row[0])
        for _, peripheral, interrupt in rows[:1]:
            self.interrupts(peripheral, [interrupt], None, 1.0)


def _is_plain_remap(edge: Edge) -> bool:
    return edge.rule == "remap"
