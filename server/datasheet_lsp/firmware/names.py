"""The peripherals of a device by the names C code gives them."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import msgspec

from datasheet_lsp.firmware import conventions as c
from datasheet_lsp.firmware.members import Members
from datasheet_lsp.model import Lookup, Peripheral


class Base(msgspec.Struct, frozen=True):
    """What a name at the head of an access may stand for.

    ``spelled`` is the peripheral's name in C without the affixes all of the vendor's have;
    ``prefix`` the one register names must have; ``element`` the array element the name is, as
    (word, number or letter, number of the first); ``loose`` as in :func:`match`. Only with
    ``alone`` may the name stand for the peripheral without a register.
    """

    peripheral: Peripheral
    spelled: str
    prefix: str = ""
    element: tuple[str, int | str, int] | None = None
    loose: bool = False
    alone: bool = True


class Names:
    """The name tables of one device, kept with its :class:`Lookup`."""

    def __init__(self, lookup: Lookup) -> None:
        device = lookup.device
        self._exact: dict[str, list[Peripheral]] = {}
        self._folded: dict[str, list[Peripheral]] = {}
        self._joined: dict[str, list[Peripheral]] = {}
        self._members: dict[int, Members] = {}
        self._bases: dict[str, tuple[Base, ...]] = {}
        self._owners: dict[str, list[Peripheral]] | None = None
        self._peripherals = device.peripherals
        self._prefixes = tuple(
            dict.fromkeys(
                p for p in (device.header_definitions_prefix, *c.PERIPHERAL_PREFIXES) if p
            )
        )
        for peripheral in device.peripherals:
            name = peripheral.name
            self._exact.setdefault(name, []).append(peripheral)
            self._folded.setdefault(name.casefold(), []).append(peripheral)
            self._joined.setdefault(_joined(name), []).append(peripheral)

    def has(self, name: str) -> bool:
        """Whether the device has a peripheral of exactly this name."""
        return name in self._exact

    def members(self, peripheral: Peripheral) -> Members:
        """The register names of ``peripheral``, shared with those it is derived from."""
        key = id(peripheral.block)
        known = self._members.get(key)
        if known is None:
            known = self._members[key] = Members(peripheral.block)
        return known

    def warm(self) -> None:
        """Build all tables now."""
        for peripheral in self._peripherals:
            self.members(peripheral).warm()
        self._register_owners()

    def bases(self, name: str) -> tuple[Base, ...]:
        """What ``name`` may stand for, the surest first."""
        known = self._bases.get(name)
        if known is None:
            if len(self._bases) > 10_000:
                self._bases.clear()
            known = self._bases[name] = tuple(self._find(name))
        return known

    def _find(self, name: str) -> Iterator[Base]:
        found = list(self._plain(name))
        for prefix in self._prefixes:
            if not found and name.startswith(prefix):
                found = list(self._plain(name[len(prefix) :]))
        if not found:
            found = list(self._hardware(name))
        if not found and (section := c.SECTION.fullmatch(name)) is not None:
            owners = self._plain(section["owner"])
            found = [Base(b.peripheral, section["owner"], alone=False) for b in owners]
        if not found and (element := c.ELEMENT.fullmatch(name)) is not None:
            found = list(self._element(*element.group("owner", "word", "index")))
        yield from found
        yield from self._within(name)

    def _plain(self, name: str) -> Iterator[Base]:
        """By the SVD's name, and by what headers make of it."""
        exact = self._exact.get(name)
        if exact:
            yield from (Base(p, name) for p in exact)
        elif name.isupper() and len(folded := self._folded.get(name.casefold(), [])) == 1:
            # Macros are in upper case however the SVD writes the peripheral.
            yield Base(folded[0], name)
        elif name.isupper() and len(joined := self._joined.get(_joined(name), [])) == 1:
            yield Base(joined[0], name)
        else:
            yield from (Base(p, name) for p in self._secure(name))
            yield from (Base(p, name) for p in self._single(name))
        for alias in c.PERIPHERAL_ALIASES.get(name, ()):
            alone = not exact and len(c.PERIPHERAL_ALIASES[name]) == 1
            yield from (Base(p, name, alone=alone) for p in self._exact.get(alias, ()))
        for pattern, replacement in c.PERIPHERAL_PATTERNS:
            if not exact and pattern.fullmatch(name):
                other = pattern.sub(replacement, name)
                yield from (Base(p, name) for p in self._exact.get(other, ()))
        if (common := c.ADC_COMMON.fullmatch(name)) is not None and not exact:
            shared = [p for n in c.ADC_COMMON_NAMES for p in self._exact.get(n, ())]
            if len(shared) == 1:
                yield Base(shared[0], name)
            elif not shared:
                adc = [*self._exact.get(common["first"], ()), *self._single(common["first"])]
                yield from (Base(p, common["first"], alone=False) for p in adc[:1])

    def _secure(self, name: str) -> Iterator[Peripheral]:
        """TrustZone variants: peripherals are non-secure at 0x4..., secure at 0x5... (Armv8-M)."""
        for wanted in c.secure_names(name):
            for peripheral in self._exact.get(wanted, ()):
                # The core's own registers, above, have another rule: SCB_NS is a window of its own.
                view = peripheral.base_address >> 28
                if view == (4 if name.endswith("_NS") else 5):
                    yield peripheral
        for suffix in ("_S", "_NS"):
            yield from self._exact.get(name + suffix, ())

    def _single(self, name: str) -> Iterator[Peripheral]:
        """CAN1 for CAN where the device has just one."""
        if name[-1:] in ("0", "1") and not name[-2:-1].isdigit():
            stem = name[:-1]
            alone = self._exact.get(stem, [])
            if len(alone) == 1 and not any(
                other.startswith(stem) and other[len(stem) :].isdigit() for other in self._exact
            ):
                yield alone[0]

    def _hardware(self, name: str) -> Iterator[Base]:
        """pico-sdk: uart0_hw, uart0_hw_set for UART0."""
        for suffix in c.HW_SUFFIXES:
            if name.endswith(suffix):
                stem = name.removesuffix(suffix)
                found = self._joined.get(_joined(stem), [])
                if not found:
                    aliases = c.HW_ALIASES.get(stem, ())
                    found = [p for alias in aliases for p in self._exact.get(alias, ())][:1]
                if len(found) == 1:
                    yield Base(found[0], stem.upper(), loose=True)
                    yield Base(found[0], stem.upper().split("_")[0], loose=True, alone=False)

    def _element(self, owner: str, word: str, index: str) -> Iterator[Base]:
        position = int(index) if index.isdecimal() else index
        first = c.first_element(owner, word)
        for base in self._plain(owner):
            yield Base(
                base.peripheral, owner, element=(word.rstrip("_"), position, first), alone=False
            )

    def _within(self, name: str) -> Iterator[Base]:
        """A unit whose registers are in another peripheral, its name before each: INTERP0_ACCUM0.

        A unit in lower case (pico-sdk's interp0) needs a number, so that no variable is meant.
        """
        if name in self._exact:
            return
        # A peripheral the SVD joins with another: SYSCFG in SYSCFG_VREFBUF.
        joint = [p for p in self._peripherals if p.name.startswith(f"{name}_")]
        if len(joint) == 1 and not name.islower():
            yield Base(joint[0], name, alone=False)
        for spelled in (name, *c.PREFIX_ALIASES.get(name, ())):
            word = spelled
            if word.islower() and word[-1:].isdigit():
                word = word.upper()
            owners = self._register_owners().get(word, [])
            if len(owners) == 1:
                yield Base(owners[0], name, prefix=f"{word}_", alone=False)

    def _register_owners(self) -> dict[str, list[Peripheral]]:
        """Each beginning of a register's name up to a ``_``, and the peripherals that have it."""
        if self._owners is None:
            owners: dict[str, list[Peripheral]] = {}
            for peripheral in self._peripherals:
                for name in self.members(peripheral).starts:
                    owners.setdefault(name, []).append(peripheral)
            self._owners = owners
        return self._owners


def _joined(name: str) -> str:
    """``name`` without underscores and letter case."""
    return name.casefold().replace("_", "")


_NAMES: WeakKeyDictionary[Lookup, Names] = WeakKeyDictionary()


def names_of(lookup: Lookup) -> Names:
    """The name tables of ``lookup``, built on first use and kept as long as it is."""
    known = _NAMES.get(lookup)
    if known is None:
        known = _NAMES[lookup] = Names(lookup)
    return known
