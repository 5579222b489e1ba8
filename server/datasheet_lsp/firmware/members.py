"""The registers of a block by the names C code gives them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property

import msgspec

from datasheet_lsp.model import Peripheral, Register, RegisterBlock

_BRACKETS = re.compile(r"\[(\w+)\]")
_WORD = 4
_DIGITS = re.compile(r"(?<=[A-Za-z_])\d+|^\d+")


class Part(msgspec.Struct, frozen=True):
    """A member of an access, ``AFR[1]``. An index is None where its value is not known."""

    name: str
    indices: tuple[int | None, ...] = ()


class Found(msgspec.Struct, frozen=True):
    """Registers an access names: those at one address, or the elements of an array.

    ``unknown`` when it is an array of which the code does not tell the element.
    """

    registers: tuple[Register, ...]
    unknown: bool = False


class _Family:
    """Registers that differ by numbers in their name: an array to the C header.

    ``elements`` maps the numbers to the registers with them.
    """

    def __init__(self) -> None:
        self.elements: dict[tuple[int, ...], list[Register]] = {}

    @cached_property
    def steps(self) -> tuple[int, ...] | None:
        """Bytes from one element to the next in each dimension, None where they differ.

        The elements of an array in memory lie at even distances.
        """
        keys = sorted(self.elements)
        first = keys[0]
        base = self.elements[first][0].offset
        steps: list[int] = []
        for d in range(len(first)):
            line = [k for k in keys if k[:d] + k[d + 1 :] == first[:d] + first[d + 1 :]]
            if len(line) < 2:
                return None
            distance = self.elements[line[1]][0].offset - base
            count = line[1][d] - first[d]
            if distance <= 0 or distance % count:
                return None
            steps.append(distance // count)
        for key in keys:
            expected = sum(s * (k - f) for s, k, f in zip(steps, key, first, strict=True))
            if self.elements[key][0].offset != base + expected:
                return None
        return tuple(steps)

    def pick(self, indices: Sequence[int | None], scalar: bool = False) -> Found | None:
        """The elements at the C indices, which count from 0.

        Numbers from 0 are the indices. Numbers from 1 without a gap are one above them.
        ``scalar`` when the last index is that of the register itself, not of a struct it is in:
        then its elements must touch, or stand in words.
        """
        size = next(iter(self.elements.values()))[0].size_bytes
        if self.steps is None or len(indices) != len(self.steps):
            return None
        if scalar and self.steps[-1] > max(size, _WORD):
            return None
        wanted: list[int | None] = []
        for d, index in enumerate(indices):
            numbers = {key[d] for key in self.elements}
            low = min(numbers)
            if low == 1:
                if len(numbers) != max(numbers):
                    return None
                wanted.append(None if index is None else index + 1)
            else:
                wanted.append(index)
        found = [
            register
            for key in sorted(self.elements)
            if all(w is None or w == k for w, k in zip(wanted, key, strict=True))
            for register in self.elements[key]
        ]
        return Found(tuple(found), None in wanted) if found else None


def flat(path: str) -> str:
    """``CH[1].CFG`` as one word: ``CH1_CFG``."""
    return _BRACKETS.sub(r"\1", path).replace(".", "_")


class Members:
    """The name tables of one register block."""

    def __init__(self, block: RegisterBlock) -> None:
        self.paths: dict[str, list[Register]] = {}
        self.flat: dict[str, list[Register]] = {}
        self.folded: dict[str, list[Register]] = {}
        self.joined: dict[str, list[Register]] = {}
        self.views: dict[str, list[Register]] = {}
        self.families: dict[str, _Family] = {}
        self.without_number: dict[str, list[str]] = {}
        self.clusters: dict[str, str] = {}
        texts: dict[tuple[str, int], dict[str, int]] = {}
        for register in block.registers:
            word = flat(register.path)
            self.paths.setdefault(register.path, []).append(register)
            self.flat.setdefault(word, []).append(register)
            self.folded.setdefault(word.casefold(), []).append(register)
            self.joined.setdefault(word.replace("_", ""), []).append(register)
            stem = word.rpartition("_")[0]
            if stem:
                self.views.setdefault(stem, []).append(register)
            for pattern, numbers in _patterns(register, texts):
                family = self.families.get(pattern)
                if family is None:
                    family = self.families[pattern] = _Family()
                family.elements.setdefault(numbers, []).append(register)
        for cluster in block.clusters:
            self.clusters.setdefault(cluster.path, cluster.path)
            self.clusters.setdefault(flat(cluster.path), cluster.path)
        for pattern in [p for p, family in self.families.items() if len(family.elements) < 2]:
            del self.families[pattern]
        for pattern in [p for p, family in self.families.items() if family.steps is None]:
            del self.families[pattern]
        for pattern in self.families:
            if pattern.count("%s") == 1:
                bare = pattern.replace("%s", "").strip("_").replace("__", "_")
                self.without_number.setdefault(bare, []).append(pattern)
        self.common = _common_prefix(self.flat)
        self._offsets = frozenset(register.offset for register in block.registers)
        self.starts = frozenset(
            name[:i]
            for name in {register.path.partition(".")[0] for register in block.registers}
            for i, letter in enumerate(name)
            if letter == "_" and i > 1
        )

    def followed(self, register: Register) -> bool:
        """Whether the next register begins where ``register`` ends."""
        return register.offset + register.size_bytes in self._offsets


def _patterns(
    register: Register, texts: dict[tuple[str, int], dict[str, int]]
) -> Iterable[tuple[str, tuple[int, ...]]]:
    """The register's name with %s for its numbers, in every way that may make an array of it."""
    template = flat(register.template.replace("[%s]", "%s"))
    numbers: list[int] = []
    if "%s" in template:
        match = _template(register.template).fullmatch(register.path)
        if match is None:
            return
        for d, text in enumerate(match.groups()):
            known = texts.setdefault((register.template, d), {})
            # An index that is no number counts by its place: SC1A and SC1B are SC1[0] and SC1[1].
            numbers.append(int(text) if text.isdecimal() else known.setdefault(text, len(known)))
        yield template, tuple(numbers)
    pieces = template.split("%s")
    for run in _DIGITS.finditer(template):
        before = template[: run.start()].count("%s")
        extended = [*numbers[:before], int(run[0]), *numbers[before:]]
        if len(run[0]) < 6 and len(pieces) <= 3:
            yield template[: run.start()] + "%s" + template[run.end() :], tuple(extended)


@cache
def _template(template: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(re.escape(piece) for piece in template.split("%s")))


def _common_prefix(names: Iterable[str]) -> str:
    """What all register names of a block begin with and a header leaves away, else "".

    ``MCG_C1``, ``MCG_C2`` have MCG_; ``UARTDR``, ``UARTFR`` of five and more have UART.
    """
    words = list(names)
    prefix = os.path.commonprefix(words) if len(words) > 2 else ""
    cut = prefix.rfind("_") + 1
    if cut > 1:
        return prefix[:cut]
    if len(words) >= 5 and len(prefix) >= 2 and prefix.isalpha():
        if all(len(word) - len(prefix) >= 2 for word in words):
            return prefix
    return ""


def prefixes(peripheral: Peripheral, members: Members, spelled: str, fixed: str) -> list[str]:
    """What may stand before a register's name in the SVD that C leaves away, "" first.

    ``spelled`` is the peripheral as C names it. ``fixed``, when given, is the one prefix allowed.
    """
    if fixed:
        return [fixed]
    found = [""]
    names = [
        peripheral.name,
        peripheral.name.rstrip("0123456789"),
        spelled,
        spelled.rstrip("0123456789"),
        peripheral.group_name,
        peripheral.header_struct_name or "",
    ]
    found += [f"{name}_" for name in names if name]
    found += [peripheral.prepend_to_name, members.common]
    return list(dict.fromkeys(found))
