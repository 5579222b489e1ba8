"""The plan: switches, pins, roles, interrupts and DMA of the targets, in order, with reasons."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from datasheet_lsp.answer.plan.choose import families_of, members
from datasheet_lsp.answer.plan.facts import DmaFact, ManualFacts
from datasheet_lsp.answer.plan.interrupts import interrupts_of
from datasheet_lsp.answer.plan.model import Plan, PlanStep, PlanTargets
from datasheet_lsp.answer.plan.pinwork import PinWork
from datasheet_lsp.answer.plan.roles import Found, find
from datasheet_lsp.answer.plan.rules import Family, Role, aims, families
from datasheet_lsp.answer.plan.work import edge_weight
from datasheet_lsp.model import Device, Field, Peripheral, Register

_OSCILLATOR = re.compile(r"[hl]s[ei]\d*|[hl]xtal|irc\d*[mk]?|(?:aux)?[hl]f(?:xo|rco)|ulfrco|msi\w*")
_ON_PINS = frozenset({"uart", "i2c", "spi", "can"})

_GUESS = 0.35
_REQUEST = "which request drives the channel"
_OF_CHANNEL = frozenset(("register", "dma", "irq", "nvic"))


def build_plan(device: Device, targets: PlanTargets, tables: ManualFacts | None = None) -> Plan:
    """The steps for ``targets``; peripherals and registers that the device has not are left out.

    ``tables`` has what the manuals' tables say, None without manuals.
    """
    return _Builder(device, targets, tables or ManualFacts()).plan()


class _Builder(PinWork):
    def plan(self) -> Plan:
        self.dma_facts = self._dma_facts()
        self.notes += [f"{self.device.name} has no {name}" for name in self.targets.missing]
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
        for pin in self.targets.pins or self.any_pin():
            self.named_pin(pin)
        self._oscillators()
        return Plan(
            self.device.name,
            self._goals(),
            self._with_channel(self.steps.ordered()),
            tuple(self.notes),
            tuple(self.places),
            self._queries(),
        )

    def _with_channel(self, steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
        """The steps with the number that chooses the request, where a manual's table gives it.

        Where none does, and a request has its fixed channel, the channel is a guess.
        """
        if self.dma_facts:
            fact = self.dma_facts[0]
            if fact.select is None:
                return steps
            said = f"{fact.select} for {fact.request}"
            return tuple(
                msgspec.structs.replace(step, why=f"{step.why}: {said}")
                if step.field == "CHSEL"
                else step
                for step in steps
            )
        dma = {p.name for p in self.peripherals if self.is_(p, {"dma"})}
        free = any(s.why == _REQUEST and s.field != "CHSEL" for s in steps)
        if (
            not self.lead
            or free
            or self.targets.dma_channel is not None
            or dma & set(p.name for p in self.lead)
        ):
            return steps
        return tuple(
            msgspec.structs.replace(step, confidence=min(step.confidence, _GUESS))
            if step.target in dma and step.kind in _OF_CHANNEL
            else step
            for step in steps
        )

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

    def _oscillators(self) -> None:
        """The switches of oscillators that are called by their names: LSE, HFXO, IRC8M."""
        names = [w.upper() for w in self.targets.words if _OSCILLATOR.fullmatch(w)]
        clocks = [p for p in self.device.peripherals if families()["clock"].names.fullmatch(p.name)]
        for name in names:
            bare = name.rstrip("0123456789")
            wanted = (f"{name}ON", f"{name}EN", f"{bare}ON", f"{bare}EN")
            for peripheral in clocks:
                for register in peripheral.registers:
                    for field in register.fields:
                        if field.name.upper() in wanted:
                            self.steps.add(
                                "clock", name, peripheral, register, field,
                                "switches the oscillator on", "rule:oscillator", 0.95, 0.85,
                                f"{name} oscillator enable",
                            )  # fmt: skip

    def _peripheral(self, peripheral: Peripheral, factor: float) -> None:
        kinds = [
            family
            for family in families_of(peripheral.name, self.targets.kinds)
            if not family.anywhere
        ]
        self.gates(peripheral, factor)
        self._roles(peripheral, families()["any"], factor, of=kinds[0] if kinds else None)
        for family in kinds[:1]:
            wanted = self.aims if self.aims else family.defaults
            self._roles(peripheral, family, factor, wanted)
        if not kinds:
            self._own_enable(peripheral, factor)
        if kinds and (kinds[0].name in _ON_PINS or self._wants_pins(kinds[0])):
            self.function_pins(peripheral, kinds[0], factor)
        if self.targets.pins and self.is_(peripheral, {"pin-interrupt"}):
            return
        if "dma" in self.aims and self.is_(peripheral, {"dma"}):
            # The end of a transfer is worth knowing of even where it is not asked for.
            least = 1.0 if "interrupt" in self.aims else 0.7
            of_all = interrupts_of(self.device, peripheral)
            channel = self._channel_of(peripheral)
            self.interrupts(peripheral, of_all, channel, factor * least, 1)
        elif "interrupt" in self.aims and peripheral in self.lead:
            of_all = interrupts_of(self.device, peripheral)
            self.interrupts(peripheral, of_all, self.targets.channel, factor)

    def _wants_pins(self, family: Family) -> bool:
        if family.name in ("timer", "sct"):
            return bool(self.aims & {"pwm", "function-pin", "capture", "encoder"})
        return family.name in ("adc", "comparator")

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
        skip = _other_clusters(of or family, "slave" in self.aims)
        for role in family.roles:
            if (role.aims and not role.aims & wanted) or role.unless & wanted:
                continue
            if peripheral is not None and not self._may(role, peripheral):
                continue
            name = peripheral.name if peripheral is not None else ""
            for found in find(
                role,
                self._where(role, peripheral, family),
                target=self._wakes(role, name),
                channel=self._channel_for(role, peripheral),
                prefer=self._prefer,
                skip=skip,
            ):
                self._role(found, role, name or found.peripheral.name, factor)

    def _may(self, role: Role, peripheral: Peripheral) -> bool:
        """Interrupt and DMA of a timer that only paces something else are not asked for."""
        if role.kind == "irq" and self.targets.pins and self.is_(peripheral, {"pin-interrupt"}):
            return False
        if role.id == "own-dma" and self.is_(peripheral, {"dma"}):
            return False
        if role.aims & {"interrupt", "dma"} and role.kind in ("irq", "dma"):
            return peripheral in self.lead or self.is_(peripheral, {"dma"})
        return True

    def _wakes(self, role: Role, name: str) -> str:
        """Who is to wake the chip, for a role that has a field for each."""
        if not role.of_target:
            return name
        others = [p.name for p in self.peripherals if not self.is_(p, {"power"})]
        return others[0] if others else name

    def _where(self, role: Role, peripheral: Peripheral | None, of: Family) -> list[Peripheral]:
        if role.where is not None:
            # Of several controllers of one kind only the one that is the target.
            return [
                p
                for p in self.device.peripherals
                if role.where.fullmatch(p.name)
                and (peripheral is None or p is peripheral or not of.names.fullmatch(p.name))
            ]
        return [peripheral] if peripheral is not None else []

    def _role(self, found: Found, role: Role, target: str, factor: float) -> None:
        confidence = min(0.95, 0.45 + 0.11 * found.points)
        # What is asked for by its name comes before what is always needed.
        weight = (role.weight + 0.04 * bool(role.aims & self.aims)) * factor
        self.steps.add(
            role.kind, target, found.peripheral, found.register, found.field,
            role.why, f"rule:{role.id}", confidence, weight,
            f"{target} {role.query}",
        )  # fmt: skip

    def _prefer(self, field: Field) -> float:
        """Which of several fields of a role the question is about."""
        said = f"{field.name} {field.description}".lower()
        points = 0.1 * sum(1 for w in self.targets.words if len(w) > 3 and w[:5] in said)
        if "send" not in self.aims and re.search(r"rxne|rx\b|receiv|rdrf|rbne", said):
            points += 0.05
        if self.aims & {"receive"} and re.search(
            r"rx|recei|rdrf|rbne|read data buffer|dmar\b|denr\b", said
        ):
            points += 0.5 + 0.2 * bool(re.match(r"rx|rdr|rcv|rbne", field.name.lower()))
        if self.aims & {"send"} and re.search(r"tx|transm|dmat\b|dent\b", said):
            points += 0.5 + 0.2 * bool(re.match(r"tx|tdr", field.name.lower()))
        words = set(self.targets.words)
        if words & {"external", "crystal", "hse", "xtal"} and re.search(
            r"hse|hxtal|xosc|sysosc|hfxo", said
        ):
            points += 0.4
        if words & {"internal", "hsi", "irc"} and re.search(r"hsi|irc|hfrco", said):
            points += 0.4
        channel = self.targets.channel
        if channel is not None and re.search(rf"(?<!\d){channel}(?!\d)", field.name):
            points += 0.4
        return points

    def _channel_for(self, role: Role, peripheral: Peripheral | None) -> int | None:
        """The channel; a multiplexer before a DMA that counts from 1 counts from 0."""
        channel = self._channel_of(peripheral)
        if channel and role.id == "request" and peripheral is not None:
            numbers = re.findall(r"(?<=[A-Z])\d+", " ".join(r.name for r in peripheral.registers))
            if "0" not in numbers:
                return channel - 1
        return channel

    def _channel_of(self, peripheral: Peripheral | None) -> int | None:
        if peripheral is not None and self.is_(peripheral, {"dma"}):
            if self.targets.dma_channel is not None:
                return self.targets.dma_channel
            if self.dma_facts:
                return self.dma_facts[0].channel
            if self.lead:
                # The number is that of a channel of the peripheral that is served.
                return None
        return self.targets.channel

    def _dma_facts(self) -> list[DmaFact]:
        if "dma" not in self.aims:
            return []
        sends = "send" in self.aims
        known = {p.name for p in self.peripherals if self.is_(p, {"dma"})}
        found = [f for p in self.lead for f in self.facts.requests(p.name, sends)]
        found.sort(
            key=lambda fact: bool(fact.controller and known) and fact.controller not in known
        )
        for fact in found[:1]:
            if fact.select is None:
                self.notes.append(f"{fact.request} is DMA channel {fact.channel}")
            else:
                of = f" of {fact.controller}" if fact.controller else ""
                self.notes.append(
                    f"{fact.request} is stream {fact.channel}, channel {fact.select}{of}"
                )
            self.places.setdefault(fact.place)
        return found

    def _family_alone(self, family: Family) -> None:
        """What a kind of things needs that no single peripheral stands for."""
        before = {(step.register, step.field) for step in self.steps.all()}
        best = self._best_member(family)
        for role in family.roles:
            if (role.aims and not role.aims & self.aims) or role.unless & self.aims:
                continue
            where = self._where(role, None, family)
            if best is not None and all(family.names.fullmatch(p.name) for p in where):
                where = [p for p in where if p is best]
            others = [p.name for p in self.peripherals]
            for found in find(role, where, target=others[0] if others else "", prefer=self._prefer):
                self._role(found, role, found.peripheral.name, 1.0)
        touched = [s for s in self.steps.all() if (s.register, s.field) not in before]
        for name in dict.fromkeys(step.register.partition(".")[0] for step in touched):
            for edge in self.graph.edges(name, "clock")[:1]:
                self.edge(edge, edge_weight(edge) * 0.95)
        if "interrupt" in self.aims and family.interrupts is not None:
            for peripheral in self.device.peripherals:
                named = [i for i in peripheral.interrupts if family.interrupts.fullmatch(i.name)]
                if named and (best is None or peripheral is best or not best.interrupts):
                    self.interrupts(peripheral, named[:1], None, 1.0)
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


def _other_clusters(family: Family, slave: bool) -> Callable[[Register], bool]:
    """Tells of a register that it is in a cluster for another use of the peripheral."""
    others = [f.cluster for f in families().values() if f.cluster and f is not family]

    def skip(register: Register) -> bool:
        head, dot, _ = register.path.partition(".")
        if not dot:
            return False
        if family.cluster is not None and family.cluster.fullmatch(head):
            # I2CM and I2CS, where there are two.
            return head.endswith("M" if slave else "S") and head not in ("SPIS", "SPIM")
        return any(other.fullmatch(head) for other in others)

    return skip


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
