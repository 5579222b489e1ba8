"""The switches of a device: which register gates, resets, clocks or powers which peripheral."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from datasheet_lsp.answer.plan.model import StepKind
from datasheet_lsp.answer.plan.naming import Match, Peripherals
from datasheet_lsp.answer.plan.rules import BusRule, GateRule, gates
from datasheet_lsp.model import Device, Field, Lookup, Peripheral, Register

_KEPT = 8


class Edge(msgspec.Struct, frozen=True):
    """A switch of ``target``: a field, or a whole register, of ``peripheral``.

    ``held`` tells that after a reset the target is off or held in reset by it, None where the
    device does not say. ``via`` is the clock that it switches, where it names one.
    """

    kind: StepKind
    target: str
    peripheral: Peripheral
    register: Register
    field: Field | None
    rule: str
    confidence: float
    bus: str = ""
    via: str = ""
    held: bool | None = None
    weight: float | None = None
    value: str = ""


class Graph:
    """The switches of one device, found once."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.lookup = Lookup(device)
        self.names = Peripherals(device)
        found: dict[str, dict[StepKind, list[Edge]]] = {}
        for edge in self._edges():
            found.setdefault(edge.target, {}).setdefault(edge.kind, []).append(edge)
        self._found = {
            target: {kind: _best(kind, edges) for kind, edges in kinds.items()}
            for target, kinds in found.items()
        }

    def edges(self, target: str, kind: StepKind) -> list[Edge]:
        """The switches of one kind of a peripheral, the surest first."""
        found = self._found.get(target, {}).get(kind, [])
        if not found and kind in ("clock", "reset", "power"):
            found = self._shared(target, kind)
        if kind == "kernel-clock":
            return [*found, *self._by_way_of_clock(target)]
        return found

    def bus(self, target: str) -> list[Edge]:
        """The dividers of the buses that the peripheral's clock comes from."""
        result: list[Edge] = []
        for edge in self.edges(target, "clock"):
            if not edge.bus:
                continue
            for rule in gates().buses:
                if rule.bus.fullmatch(edge.bus) and rule.peripheral.fullmatch(edge.peripheral.name):
                    result += self._divided(rule, edge)
        return result[:1]

    def _divided(self, rule: BusRule, edge: Edge) -> Iterator[Edge]:
        for register in edge.peripheral.registers:
            if not rule.register.fullmatch(register.name):
                continue
            for field in register.fields:
                if rule.field.fullmatch(field.name):
                    yield Edge(
                        "prescaler",
                        edge.target,
                        edge.peripheral,
                        register,
                        field,
                        rule.id,
                        edge.confidence * 0.95,
                        bus=edge.bus,
                    )

    def _shared(self, target: str, kind: StepKind) -> list[Edge]:
        """The switches of another peripheral that serve this one too."""
        for rule in gates().shared:
            named = rule.names.fullmatch(target)
            if not named:
                continue
            for name in named.expand(rule.of).split("|"):
                for other in self._found:
                    if other.casefold() == name.casefold() and other != target:
                        return [
                            msgspec.structs.replace(
                                edge,
                                target=target,
                                confidence=round(edge.confidence * rule.confidence, 3),
                            )
                            for edge in self._found[other].get(kind, [])
                        ]
        return []

    def _by_way_of_clock(self, target: str) -> list[Edge]:
        """The source of the clock that a switch of the target names."""
        for edge in self._found.get(target, {}).get("clock", []):
            if not edge.via:
                continue
            for other in self._found.get(f"clock {edge.via.upper()}", {}).get("kernel-clock", []):
                return [msgspec.structs.replace(other, target=target)]
        return []

    def _edges(self) -> Iterator[Edge]:
        for rule in gates().gates:
            for peripheral in self.device.peripherals:
                if peripheral.source or not rule.peripheral.fullmatch(peripheral.name):
                    continue
                for register in peripheral.registers:
                    named = rule.register.fullmatch(register.name)
                    if not named or (rule.skip and rule.skip.fullmatch(register.name)):
                        continue
                    yield from self._of_register(
                        rule, peripheral, register, named.groupdict(default="")
                    )

    def _of_register(
        self, rule: GateRule, peripheral: Peripheral, register: Register, of: dict[str, str]
    ) -> Iterator[Edge]:
        fields = [f for f in register.fields if rule.field is None or rule.field.fullmatch(f.name)]
        whole = "name" in of and rule.field is not None and "n" not in rule.field.groupindex
        if whole:
            fields = fields[:1]
        for field in fields:
            if squashed_reserved(field.name):
                continue
            groups = dict(of)
            if rule.field is not None and (found := rule.field.fullmatch(field.name)):
                groups |= {k: v for k, v in found.groupdict(default="").items() if v}
            yield from self._of_field(rule, peripheral, register, field, groups)

    def _of_field(
        self,
        rule: GateRule,
        peripheral: Peripheral,
        register: Register,
        field: Field,
        groups: dict[str, str],
    ) -> Iterator[Edge]:
        for match, value in self._meant(rule, field, groups):
            yield Edge(
                rule.kind,
                match.peripheral,
                peripheral,
                register,
                field,
                rule.id,
                round(rule.confidence * match.score, 3),
                bus=rule.bus or groups.get("bus", "").upper(),
                via=groups.get("via", ""),
                held=_held(rule, register, field),
                weight=rule.weight,
                value=value,
            )

    def _meant(
        self, rule: GateRule, field: Field, groups: dict[str, str]
    ) -> Iterator[tuple[Match, str]]:
        if rule.enumerated is not None:
            for entries in field.enumerated_values:
                for entry in entries.values:
                    found = rule.enumerated.fullmatch(entry.name)
                    for match in self._any_of(found["name"]) if found else ():
                        yield match, entry.name
            return
        if rule.described:
            for match in self.names.described(field.description):
                yield match, ""
            return
        name, number = groups.get("name", ""), groups.get("n", "")
        meant = self._numbered(name, number) if number else self.names.meant(name)
        if not meant and name:
            # PERI of CLK_PERI_CTRL is a clock that others come from.
            if rule.kind == "kernel-clock":
                yield Match(f"clock {name.upper()}", 1.0), ""
            elif rule.kind in ("clock", "reset"):
                meant = self.names.described(field.description)
        for match in meant:
            yield match, ""

    def _any_of(self, name: str) -> list[Match]:
        """A name, or names in one: TCC0_TCC1."""
        found = self.names.meant(name)
        if not found and "_" in name:
            parts = [self.names.meant(part) for part in name.split("_")]
            found = [m for part in parts for m in part if m.score > 0.9]
        return found

    def _numbered(self, name: str, number: str) -> list[Match]:
        """Number n of a family; ports are counted by letters, and one alone has no number."""
        found = self.names.meant(f"{name}{number}")
        if not found and int(number) < 26:
            found = self.names.meant(f"{name}{chr(ord('A') + int(number))}")
        if not found and number == "0":
            found = [m for m in self.names.meant(name) if m.score > 0.9]
        return found


def squashed_reserved(name: str) -> bool:
    """Whether a field is only a filler."""
    return name.lower().startswith(("reserved", "rsvd", "unused"))


def _held(rule: GateRule, register: Register, field: Field) -> bool | None:
    if rule.kind not in ("clock", "reset", "power") or register.reset_value is None:
        return None
    content = field.extract(register.reset_value)
    if rule.kind == "clock":
        return bool(content) if rule.id == "module-stop" else not content
    if rule.kind == "power":
        return bool(content)
    return not content if rule.low or field.name.upper().endswith("_N") else bool(content)


def _best(kind: StepKind, edges: list[Edge]) -> list[Edge]:
    """The surest; all of one register name alike where several clocks are needed."""
    top = max(edge.confidence for edge in edges)
    kept: dict[tuple[str, str | None], Edge] = {}
    for edge in edges:
        if edge.confidence >= top - 0.01 or (kind == "kernel-clock" and edge.confidence > 0.75):
            key = (edge.register.path, edge.field.name if edge.field else None)
            kept.setdefault(key, edge)
    rows = sorted(kept.values(), key=lambda edge: -edge.confidence)
    return rows[:_KEPT]


_graphs: dict[int, Graph] = {}


def graph(device: Device) -> Graph:
    """The graph of a device, kept for the last few devices."""
    known = _graphs.get(id(device))
    if known is not None and known.device is device:
        return known
    made = Graph(device)
    if len(_graphs) >= _KEPT:
        _graphs.pop(next(iter(_graphs)))
    _graphs[id(device)] = made
    return made
