"""The registers of a block by the names C code gives them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec

from datasheet_lsp.firmware.families import Family, IndexTexts, flat, patterns
from datasheet_lsp.model import Peripheral, Register, RegisterBlock


class Part(msgspec.Struct, frozen=True):
    """A member of an access, ``AFR[1]``. An index is None where its value is not known."""

    name: str
    indices: tuple[int | None, ...] = ()


class Members:
    """The name tables of one register block."""

    def __init__(self, block: RegisterBlock) -> None:
        self._block = block
        self.paths: dict[str, list[Register]] = {}
        self.flat: dict[str, list[Register]] = {}
        for register in block.registers:
            self.paths.setdefault(register.path, []).append(register)
            self.flat.setdefault(flat(register.path), []).append(register)
        self.common = _common_prefix(self.flat)

    @cached_property
    def folded(self) -> dict[str, list[Register]]:
        """By name, letter case aside."""
        return self._by(str.casefold)

    @cached_property
    def joined(self) -> dict[str, list[Register]]:
        """By name without underscores."""
        return self._by(lambda word: word.replace("_", ""))

    @cached_property
    def views(self) -> dict[str, list[Register]]:
        """By what stands before the last underscore of the name."""
        return self._by(lambda word: word.rpartition("_")[0])

    def _by(self, key: Callable[[str], str]) -> dict[str, list[Register]]:
        table: dict[str, list[Register]] = {}
        for word, registers in self.flat.items():
            table.setdefault(key(word), []).extend(registers)
        return table

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The path of a cluster by its path and by its name in one word."""
        paths = [cluster.path for cluster in self._block.clusters]
        return {**{flat(path): path for path in paths}, **{path: path for path in paths}}

    @cached_property
    def _families(self) -> dict[str, Family]:
        table: dict[str, Family] = {}
        texts: IndexTexts = {}
        for register in self._block.registers:
            for pattern, numbers in patterns(register, texts):
                family = table.get(pattern)
                if family is None:
                    family = table[pattern] = Family()
                family.elements.setdefault(numbers, []).append(register)
        return table

    def family(self, pattern: str) -> Family | None:
        """The array whose elements are named ``pattern`` with numbers for %s."""
        family = self._families.get(pattern)
        return None if family is None or family.steps is None else family

    def ending(self, end: str) -> list[str]:
        """The patterns of arrays that end with ``end``."""
        return [p for p in self._families if p.endswith(end) and self.family(p) is not None]

    def without_number(self, name: str) -> list[str]:
        """The patterns of one number that are ``name`` when the number is left out."""
        return [p for p in self._without.get(name, ()) if self.family(p) is not None]

    @cached_property
    def _without(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for pattern in self._families:
            if pattern.count("%s") == 1:
                bare = pattern.replace("%s", "").strip("_").replace("__", "_")
                table.setdefault(bare, []).append(pattern)
        return table

    @cached_property
    def starts(self) -> frozenset[str]:
        """What stands before any underscore of a name."""
        return frozenset(
            name[:i]
            for name in {register.path.partition(".")[0] for register in self._block.registers}
            for i, letter in enumerate(name)
            if letter == "_" and i > 1
        )

    @cached_property
    def _offsets(self) -> frozenset[int]:
        return frozenset(register.offset for register in self._block.registers)

    def warm(self) -> None:
        """Build the tables most questions need."""
        _ = self.folded, self._families, self._without

    def followed(self, register: Register) -> bool:
        """Whether the next register begins where ``register`` ends."""
        return register.offset + register.size_bytes in self._offsets


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
