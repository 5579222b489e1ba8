"""Registers whose names differ by a number, which a header has as an array."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property

import msgspec

from datasheet_lsp.model import Register

_BRACKETS = re.compile(r"\[(\w+)\]")
_DIGITS = re.compile(r"(?<=[A-Za-z_])\d+|^\d+")
_WORD = 4

IndexTexts = dict[tuple[str, int], dict[str, int]]
"""For each template and dimension the index texts that are no numbers, with their places."""


class Found(msgspec.Struct, frozen=True):
    """Registers an access names: those at one address, or the elements of an array.

    ``unknown`` when it is an array of which the code does not tell the element.
    """

    registers: tuple[Register, ...]
    unknown: bool = False


class Family:
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
        if len(keys) == 1:
            # An array of one is told by the SVD's own dim only.
            only = self.elements[first][0].template
            return (0,) * len(first) if only.count("%s") == len(first) else None
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


def patterns(register: Register, texts: IndexTexts) -> Iterable[tuple[str, tuple[int, ...]]]:
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
