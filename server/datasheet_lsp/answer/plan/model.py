"""What a plan is: the registers of a device that an aim needs touched, in order, and why."""

from __future__ import annotations

from typing import Literal

import msgspec

StepKind = Literal[
    "power",
    "prescaler",
    "clock",
    "reset",
    "bus",
    "kernel-clock",
    "pin",
    "register",
    "dma",
    "irq",
    "nvic",
    "enable",
]
"""What a step is for. In this order an engineer goes through them."""

KINDS: tuple[StepKind, ...] = StepKind.__args__  # type: ignore[attr-defined]


class Pin(msgspec.Struct, frozen=True):
    """A pin of a port: ``PC4`` is port "C" number 4, ``PIO0_12`` port "0" number 12."""

    text: str
    port: str
    number: int


class PlanTargets(msgspec.Struct, frozen=True):
    """What a plan is about.

    ``peripherals`` and ``registers`` ("USART2.BRR") are names of the device. ``aims`` are names of
    ``aims.toml`` ("baud", "interrupt", "dma" ...). ``families`` are those of ``families.toml`` that
    are meant without a peripheral that could be named. ``channel`` is the number of a channel,
    ``dma_channel`` that of a DMA controller.
    ``words`` are the words of the question, in small letters. ``kinds`` are the families that the
    words of the question name, for peripherals that can be several things. ``missing`` are
    peripherals that the question names and the device has not, of kinds that it has.
    """

    peripherals: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()
    registers: tuple[str, ...] = ()
    channel: int | None = None
    dma_channel: int | None = None
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """A page of an indexed document. ``table`` is its printed number or caption, or ""."""

    document: int
    page: int
    table: str = ""


class PlanStep(msgspec.Struct, frozen=True):
    """One register to touch, or to know of.

    ``register`` is its path, which is in the device ("RCC.APB1ENR"), ``field`` one of its fields or
    None. ``bits`` are msb and lsb of what is meant, None for all of it. ``confidence`` (0 to 1) is
    how sure the rule is that this is right, ``weight`` (0 to 1) how much the aim depends on it.
    ``source`` is "rule:NAME", or the place in a manual, which then is ``place`` too. ``query`` is
    what to search the manuals for. ``interrupt`` is the number of the interrupt it is about.
    """

    kind: StepKind
    target: str
    register: str
    field: str | None
    address: int
    bits: tuple[int, int] | None
    why: str
    source: str
    confidence: float
    weight: float
    query: str
    place: Place | None = None
    interrupt: int | None = None


class Plan(msgspec.Struct, frozen=True):
    """The steps in the order in which they are done, with what they are for.

    ``goals`` says what was understood ("USART2: baud, interrupt"). ``places`` are those in the
    manuals that bear on all of it, pin tables for example. ``queries`` are what to search the
    manuals for besides what the steps have.
    """

    device: str
    goals: tuple[str, ...]
    steps: tuple[PlanStep, ...]
    notes: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    queries: tuple[str, ...] = ()

    def by_weight(self) -> tuple[PlanStep, ...]:
        """The steps, those the aim depends on most first: for a budget."""
        return tuple(sorted(self.steps, key=lambda step: -step.weight * (0.5 + step.confidence)))
