"""How far a manual covers an SVD file, and where the two disagree."""

from __future__ import annotations

from typing import Literal

import msgspec

Bits = tuple[int, int]
"""Highest and lowest bit."""

RegisterState = Literal["described", "listed", "missed"]
FieldState = Literal["found", "renamed", "conflict", "missed"]
ConflictKind = Literal["address", "offset", "reset", "bits"]


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """A value that the manual prints and the SVD file has otherwise.

    ``path`` is what the SVD calls it (``USART2.BRG``, for bits and the reset value of a field
    ``USART2.CR1.UE``), ``also`` the paths of instances for which the same holds. ``page`` is the
    physical page, ``name`` the manual's spelling. ``printed`` and ``svd`` are addresses or offsets
    in bytes, contents, or the highest and the lowest bit. ``line`` is that of the SVD file.
    """

    kind: ConflictKind
    path: str
    page: int
    name: str
    printed: int | Bits
    svd: int | Bits
    line: int
    also: tuple[str, ...] = ()


class FieldCoverage(msgspec.Struct, frozen=True, gc=False):
    """A field of the SVD, the bits ``msb`` to ``lsb``, at a ``line`` of the file.

    ``found``: the manual has it by this name at these bits. ``renamed``: it has another name,
    ``printed``, for these very bits. ``conflict``: it has the name at other bits. ``page`` is None
    for a missed one.
    """

    name: str
    msb: int
    lsb: int
    line: int
    state: FieldState
    page: int | None = None
    printed: str = ""


class RegisterCoverage(msgspec.Struct, frozen=True, gc=False):
    """A register of the SVD, the elements of an array together (``path`` then has ``%s``).

    ``described``: the manual has a description that gives its fields, where the SVD has any.
    ``listed``: it names the register, with no fields found. ``pages`` are those of the
    descriptions, ``printed`` the manual's spellings.
    """

    path: str
    line: int
    state: RegisterState
    pages: tuple[int, ...]
    printed: tuple[str, ...]
    fields: tuple[FieldCoverage, ...]


class Count(msgspec.Struct, frozen=True, gc=False):
    """How many there are and how many were found."""

    registers: int = 0
    registers_found: int = 0
    fields: int = 0
    fields_found: int = 0
    fields_renamed: int = 0

    def __add__(self, other: Count) -> Count:
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Count(*(a + b for a, b in zip(mine, theirs, strict=True)))


class PeripheralCoverage(msgspec.Struct, frozen=True, gc=False):
    """A peripheral, together with those that have the very same registers (``also``)."""

    name: str
    also: tuple[str, ...]
    count: Count
    registers: tuple[RegisterCoverage, ...]


class Unmatched(msgspec.Struct, frozen=True, gc=False):
    """A register of the manual that is none of the SVD's."""

    name: str
    title: str
    page: int


class Coverage(msgspec.Struct, frozen=True, gc=False):
    """How far a manual covers an SVD file. Pages are physical and 1-based.

    Each register counts once: the elements of an array together, and likewise peripherals that
    share all their registers. ``count`` is the sum over the peripherals of which the manual has
    at least one register, ``whole`` the sum over all.
    """

    document: str
    device: str
    svd: str
    count: Count
    whole: Count
    peripherals: tuple[PeripheralCoverage, ...]
    conflicts: tuple[Conflict, ...]
    unmatched: tuple[Unmatched, ...]
