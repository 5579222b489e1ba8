"""The plan: switches, pins, roles, interrupts and DMA of the targets, in order, with reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from datasheet_lsp.answer.plan.choose import families_of, members
from datasheet_lsp.answer.plan.facts import DmaFact, ManualFacts, PinFact
from datasheet_lsp.answer.plan.graph import Edge, Graph, graph
from datasheet_lsp.answer.plan.interrupts import choose as chosen_interrupts
from datasheet_lsp.answer.plan.interrupts import enabled, interrupts_of
from datasheet_lsp.answer.plan.model import Pin, Place, Plan, PlanTargets
from datasheet_lsp.answer.plan.pins import PinRegister, registers_of
from datasheet_lsp.answer.plan.roles import Found, find
from datasheet_lsp.answer.plan.rules import Family, Role, aims, families
from datasheet_lsp.answer.plan.steps import Steps
from datasheet_lsp.model import Device, Field, Interrupt, Peripheral, Register

_TIMERS = {"timer", "sct", "wake-timer", "rtc", "systick"}
_SIGNALS = {
    "uart": r"TXD?|RXD?",
    "i2c": r"SDA|SCL",
    "spi": r"SCK|MOSI|MISO|SCLK|CLK|TX|RX",
    "timer": r"CH\d|OUT\d|\d_OUT|CC\d|MAT\d|[AB]",
    "sct": r"OUT\d|\d",
    "adc": r"IN\d+|\d+",
    "comparator": r"I\d|IN[PM]?\d?|O",
    "can": r"TX|RX",
}
_ON_PINS = frozenset({"uart", "i2c", "spi", "can"})
_SHORT = {
    "clock": "enables its clock",
    "reset": "releases its reset",
    "power": "powers it",
    "kernel-clock": "chooses or divides its clock",
    "prescaler": "divides the clock of its bus",
    "pin": "connects its signals to pins",
}


def build_plan(device: Device, targets: PlanTargets, tables: ManualFacts | None = None) -> Plan:
    """The steps for ``targets``; peripherals and registers that the device has not are left out.

    ``tables`` has what the manuals' tables say, None without manuals.
    """
    return _Builder(device, targets, tables or ManualFacts()).plan()


class _Builder:
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
        self.dma_facts: list[DmaFact] = []

    def plan(self) -> Plan:
        lead = [p for p in self.peripherals if not self._is(p, _TIMERS | {"dma"})]
        self.lead = lead or [p for p in self.peripherals if not self._is(p, {"dma"})]
        self.dma_facts = self._dma_facts()
        for path in self.targets.registers:
            for place in self.graph.lookup.find(path)[:1]:
                if place.register is not None:
                    self.steps.add(
                        "register", place.peripheral.name, place.peripheral, place.register,
                        place.field, "named in the question", "rule:named", 1.0, 0.9,
                        place.register.description,
                    )  # fmt: skip
        for number, peripheral in enumerate(self.peripherals):
            self._peripheral(peripheral, 1.0 if number < 2 else 0.9)
        for name in self.targets.families:
            self._family_alone(families()[name])
        for pin in self.targets.pins:
            self._pin(pin)
        return Plan(
            self.device.name,
            self._goals(),
            self.steps.ordered(),
            tuple(self.notes),
            tuple(self.places),
            self._queries(),
        )

    def _is(self, peripheral: Peripheral, names: set[str] | frozenset[str]) -> bool:
        return any(family.name in names for family in families_of(peripheral.name))

    def _goals(self) -> tuple[str, ...]:
        says = {aim.name: aim.says for aim in aims()}
        wanted = ", ".join(dict.fromkeys(says[a] for a in self.targets.aims if a in says))
        named = [p.name for p in self.peripherals] + [p.text for p in self.targets.pins]
        if not named:
            return (wanted,) if wanted else ()
        return (f"{', '.join(named)}: {wanted}" if wanted else ", ".join(named),)

    def _queries(self) -> tuple[str, ...]:
        target = self.lead[0].name if self.lead else ""
        found: dict[str, None] = {}
        for aim in aims():
            if aim.name in self.aims:
                for query in aim.queries:
                    found[query.replace("{target}", target).strip()] = None
        return tuple(found)

    # ------------------------------------------------------------------ one peripheral

    def _peripheral(self, peripheral: Peripheral, factor: float) -> None:
        kinds = [
            family
            for family in families_of(peripheral.name, self.targets.kinds)
            if not family.anywhere
        ]
        self._gates(peripheral, factor)
        self._roles(peripheral, families()["any"], factor, of=kinds[0] if kinds else None)
        for family in kinds[:1]:
            wanted = self.aims if self.aims else family.defaults
            self._roles(peripheral, family, factor, wanted)
        if not kinds:
            self._own_enable(peripheral, factor)
        if kinds and (kinds[0].name in _ON_PINS or self._wants_pins(kinds[0])):
            self._function_pins(peripheral, kinds[0], factor)
        if self.targets.pins and self._is(peripheral, {"pin-interrupt"}):
            return
        if "dma" in self.aims and self._is(peripheral, {"dma"}):
            # The end of a transfer is worth knowing of even where it is not asked for.
            least = 1.0 if "interrupt" in self.aims else 0.7
            of_all = interrupts_of(self.device, peripheral)
            channel = self._channel_of(peripheral)
            self._interrupts(peripheral, of_all, channel, factor * least, 1)
        elif "interrupt" in self.aims and peripheral in self.lead:
            of_all = interrupts_of(self.device, peripheral)
            self._interrupts(peripheral, of_all, self.targets.channel, factor)

    def _wants_pins(self, family: Family) -> bool:
        if family.name in ("timer", "sct"):
            return bool(self.aims & {"pwm", "function-pin", "capture", "encoder"})
        return family.name in ("adc", "comparator")

    def _gates(self, peripheral: Peripheral, factor: float, only_clock: bool = False) -> None:
        for kind in ("power", "clock", "reset", "kernel-clock"):
            if only_clock and kind == "kernel-clock":
                continue
            for edge in self.graph.edges(peripheral.name, kind)[:3]:
                self._edge(edge, _weight(edge) * factor)
        if not only_clock:
            for edge in self.graph.bus(peripheral.name):
                self._edge(edge, 0.45 * factor)

    def _edge(self, edge: Edge, weight: float, why: str = "", place: Place | None = None) -> None:
        said = why or f"{edge.target}: {_SHORT.get(edge.kind, edge.kind)}"
        if edge.value:
            said += f" ({edge.value})"
        self.steps.add(
            edge.kind, edge.target, edge.peripheral, edge.register, edge.field, said,
            f"rule:{edge.rule}", edge.confidence, weight,
            f"{edge.target} {edge.kind.replace('-', ' ')} enable", place=place,
        )  # fmt: skip

    def _own_enable(self, peripheral: Peripheral, factor: float) -> None:
        for found in find(_ENABLE, (peripheral,)):
            self._role(found, _ENABLE, peripheral.name, factor)

    def _roles(
        self,
        peripheral: Peripheral | None,
        family: Family,
        factor: float,
        wanted: frozenset[str] | None = None,
        of: Family | None = None,
    ) -> None:
        wanted = self.aims if wanted is None else wanted
        skip = _other_clusters(of or family)
        for role in family.roles:
            if (role.aims and not role.aims & wanted) or role.unless & wanted:
                continue
            if peripheral is not None and not self._may(role, peripheral):
                continue
            name = peripheral.name if peripheral is not None else ""
            for found in find(
                role,
                self._where(role, peripheral),
                target=self._wakes(role, name),
                channel=self._channel_of(peripheral),
                prefer=self._prefer,
                skip=skip,
            ):
                self._role(found, role, name or found.peripheral.name, factor)

    def _may(self, role: Role, peripheral: Peripheral) -> bool:
        """Interrupt and DMA of a timer that only paces something else are not asked for."""
        if role.kind == "irq" and self.targets.pins and self._is(peripheral, {"pin-interrupt"}):
            return False
        if role.id == "own-dma" and self._is(peripheral, {"dma"}):
            return False
        if role.aims & {"interrupt", "dma"} and role.kind in ("irq", "dma"):
            return peripheral in self.lead or self._is(peripheral, {"dma"})
        return True

    def _wakes(self, role: Role, name: str) -> str:
        """Who is to wake the chip, for a role that has a field for each."""
        if not role.of_target:
            return name
        others = [p.name for p in self.peripherals if not self._is(p, {"power"})]
        return others[0] if others else name

    def _where(self, role: Role, peripheral: Peripheral | None) -> list[Peripheral]:
        if role.where is not None:
            # Of several controllers of one kind only the one that is the target.
            own = families_of(peripheral.name) if peripheral is not None else []
            return [
                p
                for p in self.device.peripherals
                if role.where.fullmatch(p.name)
                and (p is peripheral or not any(f.names.fullmatch(p.name) for f in own))
            ]
        return [peripheral] if peripheral is not None else []

    def _role(self, found: Found, role: Role, target: str, factor: float) -> None:
        confidence = min(0.95, 0.45 + 0.11 * found.points)
        weight = role.weight * factor
        if found.field is not None and "disable" in found.field.description[:120].lower():
            weight += 0.0
        self.steps.add(
            role.kind, target, found.peripheral, found.register, found.field,
            role.why, f"rule:{role.id}", confidence, weight,
            f"{target} {role.query}",
        )  # fmt: skip

    def _prefer(self, field: Field) -> float:
        """Which of several fields of a role the question is about."""
        said = f"{field.name} {field.description}".lower()
        points = 0.1 * sum(1 for w in self.targets.words if len(w) > 3 and w[:5] in said)
        if self.aims & {"receive"} and re.search(r"rx|recei|rdrf", said):
            points += 0.5 + 0.2 * bool(re.match(r"rx|rdr|rcv", field.name.lower()))
        if self.aims & {"send"} and re.search(r"tx|transm", said):
            points += 0.5 + 0.2 * bool(re.match(r"tx|tdr", field.name.lower()))
        channel = self.targets.channel
        if channel is not None and re.search(rf"(?<!\d){channel}(?!\d)", field.name):
            points += 0.4
        return points

    def _channel_of(self, peripheral: Peripheral | None) -> int | None:
        if peripheral is not None and self._is(peripheral, {"dma"}) and self.dma_facts:
            return self.dma_facts[0].channel
        return self.targets.channel

    # ------------------------------------------------------------------ interrupts

    def _interrupts(
        self,
        peripheral: Peripheral,
        interrupts: Sequence[Interrupt],
        channel: int | None,
        factor: float,
        most: int = 2,
    ) -> None:
        for interrupt in chosen_interrupts(list(interrupts), self.targets.words, channel)[:most]:
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
                )  # fmt: skip

    # ------------------------------------------------------------------ DMA

    def _dma_facts(self) -> list[DmaFact]:
        if "dma" not in self.aims:
            return []
        found = [f for p in self.lead for f in self.facts.requests(p.name)]
        wanted = "RX" if "send" not in self.aims else "TX"
        found.sort(key=lambda fact: wanted not in fact.request.upper())
        for fact in found[:1]:
            self.notes.append(f"{fact.request} is DMA channel {fact.channel}")
            self.places.setdefault(fact.place)
        return found

    # ------------------------------------------------------------------ pins

    def _function_pins(self, peripheral: Peripheral, family: Family, factor: float) -> None:
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
            self._edge(edge, 0.85 * factor)
        if chosen:
            self._pads(peripheral, signals, factor)
        for edge in self.graph.edges(peripheral.name, "pin"):
            if _is_plain_remap(edge):
                self._edge(
                    edge, 0.45 * factor, f"{peripheral.name}: moves its signals to other pins"
                )
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

    def _pin(self, pin: Pin) -> None:
        uses: dict[str, float] = {}
        if "edge" in self.aims:
            uses |= {"source": 0.93, "mask": 0.9, "pending": 0.4, "direction": 0.5}
            uses |= {edge: 0.95 for edge in ("rising", "falling") if edge in self.aims}
            if not self.aims & {"rising", "falling"}:
                uses |= {"rising": 0.9, "falling": 0.9}
        elif "interrupt" in self.aims and not self.lead:
            uses |= {"source": 0.9, "mask": 0.9, "rising": 0.8, "falling": 0.8}
        if self.aims & {"output", "debug-pin"}:
            uses |= {"direction": 0.95, "output": 0.85, "function": 0.6}
        if "input" in self.aims:
            uses |= {"direction": 0.85, "input": 0.85, "pull": 0.6}
        if "pull" in self.aims:
            uses |= {"pull": 0.95}
        if "function-pin" in self.aims or (not uses and self.lead):
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
        said = f"{pin.text}: {each.rule.why}"
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
                    self._edge(edge, value)

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
            self._interrupts(peripheral, [interrupt], None, 1.0)

    # ------------------------------------------------------------------ families without a target

    def _family_alone(self, family: Family) -> None:
        """What a kind of things needs that no single peripheral stands for."""
        before = {(step.register, step.field) for step in self.steps.all()}
        best = self._best_member(family)
        for role in family.roles:
            if (role.aims and not role.aims & self.aims) or role.unless & self.aims:
                continue
            where = self._where(role, None)
            if best is not None and all(family.names.fullmatch(p.name) for p in where):
                where = [p for p in where if p is best]
            others = [p.name for p in self.peripherals]
            for found in find(role, where, target=others[0] if others else "", prefer=self._prefer):
                self._role(found, role, found.peripheral.name, 1.0)
        touched = [s for s in self.steps.all() if (s.register, s.field) not in before]
        for name in dict.fromkeys(step.register.partition(".")[0] for step in touched):
            for edge in self.graph.edges(name, "clock")[:1]:
                self._edge(edge, _weight(edge) * 0.95)
        if "interrupt" in self.aims and family.interrupts is not None:
            for peripheral in self.device.peripherals:
                named = [i for i in peripheral.interrupts if family.interrupts.fullmatch(i.name)]
                if named and (best is None or peripheral is best or not best.interrupts):
                    self._interrupts(peripheral, named[:1], None, 1.0)
                    break

    def _best_member(self, family: Family) -> Peripheral | None:
        """The peripheral that has most of what a family needs."""
        best, most = None, 0.0
        for peripheral in members(self.device, family):
            points = sum(
                found.points
                for role in family.roles
                if role.where is not None and role.where.fullmatch(peripheral.name)
                for found in find(role, (peripheral,))
            )
            if points > most:
                best, most = peripheral, points
        return best


def _other_clusters(family: Family) -> Callable[[Register], bool]:
    """Tells of a register that it is in a cluster for another use of the peripheral."""
    others = [f.cluster for f in families().values() if f.cluster and f is not family]

    def skip(register: Register) -> bool:
        head, dot, _ = register.path.partition(".")
        if not dot or (family.cluster is not None and family.cluster.fullmatch(head)):
            return False
        return any(other.fullmatch(head) for other in others)

    return skip


def _weight(edge: Edge) -> float:
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


def _is_plain_remap(edge: Edge) -> bool:
    return edge.rule == "remap"


_ENABLE = Role(
    id="own-enable",
    why="switches it on",
    kind="enable",
    register=re.compile(r"ENABLE|CTRL[AB]?|CR1?|CTLR1?|CTL0?|CON|CFG|CONFIG|MCR", re.I),
    fields=re.compile(r"EN|ENABLE|\w+EN|ON|ENA|MDIS", re.I),
    weight=0.7,
    need=3.0,
    query="enable",
)
