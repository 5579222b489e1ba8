"""A short notation for the registers of a core, and the families they are written for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Rights = Literal["", "rw", "ro", "wo"]
"""Read-write, read-only, write-only; "" is inherited."""

SET = "oneToSet"
CLEAR = "oneToClear"
ANY_CLEARS = "clear"


@dataclass(frozen=True)
class Core:
    """A family of cores. ``arch`` is the architecture: v6 and v8b have the smaller set."""

    file: str
    title: str
    cpu: str
    arch: Literal["v6", "v7", "v8b", "v8m"]
    part: int
    vtor: bool = True
    mpu: bool = True
    fpu: bool = False

    @property
    def main(self) -> bool:
        """Armv7-M or the Armv8-M Mainline: configurable faults, trace, the ID registers."""
        return self.arch in ("v7", "v8m")

    @property
    def v8(self) -> bool:
        """Armv8-M, either profile."""
        return self.arch.startswith("v8")

    @property
    def m3(self) -> bool:
        """Cortex-M3."""
        return self.cpu == "CM3"

    @property
    def m7(self) -> bool:
        """Cortex-M7."""
        return self.cpu == "CM7"


@dataclass(frozen=True)
class Value:
    """A named value of a field."""

    name: str
    value: int
    text: str = ""


@dataclass(frozen=True)
class Field:
    """A field; ``bits`` is one bit or ``"msb:lsb"``."""

    name: str
    bits: int | str
    text: str
    access: Rights = ""
    values: tuple[Value, ...] = ()
    write: str = ""
    read: str = ""

    @property
    def range(self) -> tuple[int, int]:
        """The highest and the lowest bit."""
        if isinstance(self.bits, int):
            return self.bits, self.bits
        high, _, low = self.bits.partition(":")
        return int(high), int(low)


@dataclass(frozen=True)
class Register:
    """A register; ``count`` elements make it an array, each as far from the next as it is wide.

    ``reset`` None: the documentation gives no value. ``mask`` has the bits of ``reset`` that
    count, None for all of them.
    """

    name: str
    offset: int
    text: str
    access: Rights = "rw"
    reset: int | None = None
    mask: int | None = None
    fields: tuple[Field, ...] = ()
    size: int = 32
    count: int = 0
    write: str = ""
    read: str = ""
    alternate: str = ""


@dataclass(frozen=True)
class Cluster:
    """An array of register groups, 4 bytes apart."""

    name: str
    offset: int
    text: str
    count: int
    registers: tuple[Register, ...]


@dataclass(frozen=True)
class Peripheral:
    """A peripheral. One with ``derived`` has the registers of that peripheral."""

    name: str
    base: int
    size: int
    text: str
    items: tuple[Register | Cluster, ...] = ()
    derived: str = ""
    alternate: str = ""


def bits(names: dict[int, tuple[str, str]], access: Rights = "") -> tuple[Field, ...]:
    """Fields of one bit each: ``{bit: (name, text)}``."""
    return tuple(Field(name, bit, text, access) for bit, (name, text) in names.items())
