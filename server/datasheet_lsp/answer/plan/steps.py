"""The steps of a plan as they are gathered: each register and field once, in order at the end."""

from __future__ import annotations

from datasheet_lsp.answer.plan.model import KINDS, Place, PlanStep, StepKind
from datasheet_lsp.model import Device, Field, Peripheral, Register

_MOST = 32
_LEAST = 0.1


class Steps:
    """Steps of one device. A register that comes again keeps its better reason and weight."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._steps: dict[tuple[str, str | None], PlanStep] = {}

    def all(self) -> list[PlanStep]:
        """Those gathered so far, in the order in which they came."""
        return list(self._steps.values())

    def add(
        self,
        kind: StepKind,
        target: str,
        peripheral: Peripheral,
        register: Register,
        field: Field | None,
        why: str,
        source: str,
        confidence: float,
        weight: float,
        query: str,
        *,
        bits: tuple[int, int] | None = None,
        place: Place | None = None,
        interrupt: int | None = None,
    ) -> None:
        """Adds a step; ``bits`` are those of the field where none are given."""
        if bits is None and field is not None:
            bits = (field.msb, field.lsb)
        path = f"{peripheral.name}.{register.path}"
        step = PlanStep(
            kind=kind,
            target=target,
            register=path,
            field=field.name if field is not None else None,
            address=peripheral.base_address + register.offset,
            bits=bits,
            why=why,
            source=source,
            confidence=round(min(confidence, 1.0), 2),
            weight=round(min(weight, 1.0), 2),
            query=" ".join(f"{register.name} {query}".split()),
            place=place,
            interrupt=interrupt,
        )
        key = (path, step.field if kind != "nvic" else f"{bits}")
        old = self._steps.get(key)
        if old is None or step.weight > old.weight:
            self._steps[key] = step

    def ordered(self) -> tuple[PlanStep, ...]:
        """The steps that matter most, in the order in which they are done."""
        rows = [s for s in self._steps.values() if s.weight * s.confidence >= _LEAST]
        kept = sorted(rows, key=lambda s: -s.weight * (0.5 + s.confidence))[:_MOST]
        order = {id(step): number for number, step in enumerate(rows)}
        return tuple(sorted(kept, key=lambda s: (KINDS.index(s.kind), order[id(s)])))
