"""The names of a device: which registers, fields and peripherals the words of a query mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import msgspec

from datasheet_lsp.model import Device, Lookup

_NOT_WORD = re.compile(r"[^A-Za-z0-9]+")
_TOKEN = re.compile(
    r"0[xX][0-9A-Fa-f]+(?: [0-9A-Fa-f]{4})*|[A-Za-z_]\w*(?:(?:->|\.|::)[A-Za-z_]\w*|\[\w*\])*"
)
_FAMILY = re.compile(r"([A-Za-z][A-Za-z0-9]*?[A-Za-z])_?\d+[A-Za-z]?")
_WIDTH = re.compile(r"(?:R(?:8|16|32)_|LPC_|NRF_|HW_|REG_)", re.IGNORECASE)
_MOST_MEANT = 12
_NEAR = 2


class Target(msgspec.Struct, frozen=True):
    """A register that a query names.

    ``path`` is "USART2.BRR", ``template`` the same for all elements of an array. ``sure`` tells
    that its peripheral is named too, or that no other peripheral has one of that name. ``via`` is
    the field by which it is meant, "" where it is named itself.
    """

    path: str
    template: str
    peripheral: str
    sure: bool
    via: str = ""


class Mentions(msgspec.Struct, frozen=True):
    """What a query names of the device."""

    targets: tuple[Target, ...] = ()
    peripherals: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """The words of the query that are names of the device."""


class _Entry(msgspec.Struct, frozen=True):
    peripheral: str
    path: str
    template: str


def squash(text: str) -> str:
    """``text`` in small letters without signs, array places left out."""
    return _NOT_WORD.sub("", text.replace("[%s]", "").replace("%s", "")).lower()


def family(name: str) -> str:
    """The name without the number of the instance: USART of USART2, GPIO of GPIOA is not known."""
    found = _FAMILY.fullmatch(name)
    return found[1] if found else name


class DeviceNames:
    """The names of one device, tables built when first needed."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.lookup = Lookup(device)

    @cached_property
    def peripherals(self) -> dict[str, list[str]]:
        """Names, families and groups in small letters -> peripherals."""
        table: dict[str, dict[str, None]] = {}
        for each in self.device.peripherals:
            for name in (each.name, family(each.name), each.group_name):
                if len(squash(name)) > 1:
                    table.setdefault(squash(name), {})[each.name] = None
        return {name: list(found) for name, found in table.items()}

    @cached_property
    def _registers(self) -> dict[str, list[_Entry]]:
        table: dict[str, dict[str, _Entry]] = {}
        for peripheral, register in self.device.walk():
            path = f"{peripheral.name}.{register.path}"
            entry = _Entry(peripheral.name, path, f"{peripheral.name}.{register.template}")
            names = {register.path, register.template, register.name, register.display_name}
            names.add(register.template.rpartition(".")[2])
            squashed = {squash(name) for name in names}
            own = squash(peripheral.name)
            # A name that begins with the peripheral's own is also called without it.
            squashed |= {s[len(own) :] for s in squashed if s.startswith(own) and s != own}
            for name in squashed:
                if name:
                    table.setdefault(name, {})[path] = entry
        return {name: list(found.values()) for name, found in table.items()}

    @cached_property
    def _fields(self) -> dict[str, list[_Entry]]:
        table: dict[str, dict[str, _Entry]] = {}
        for peripheral, register in self.device.walk():
            path = f"{peripheral.name}.{register.path}"
            entry = _Entry(peripheral.name, path, f"{peripheral.name}.{register.template}")
            for field in register.fields:
                table.setdefault(squash(field.name), {})[path] = entry
        return {name: list(found.values()) for name, found in table.items()}

    def spellings(self) -> Iterable[str]:
        """The peripherals in small letters: what a misspelt name may have been meant for.

        Registers are left out: an ordinary word that stands nowhere is near one of so many.
        """
        yield from self.peripherals

    def mentions(self, text: str, is_plain: Callable[[str], bool]) -> Mentions:
        """The registers and peripherals that ``text`` names.

        ``is_plain`` tells of a word in small letters that it is one of running text: it is not
        taken for a name then.
        """
        finder = _Finder(self, is_plain)
        for token in _TOKEN.findall(text):
            finder.take(token)
        return finder.result()

    def find_peripheral(self, part: str) -> list[str]:
        """The peripherals called ``part``, by their name, family or group."""
        return self.peripherals.get(squash(part), [])

    def find_registers(self, name: str, within: Sequence[str] = ()) -> list[_Entry]:
        """The registers called ``name``, of some peripherals alone where these are given."""
        found = self._registers.get(squash(name), [])
        return [e for e in found if e.peripheral in within] if within else found

    def find_fields(self, name: str, within: Sequence[str] = ()) -> list[_Entry]:
        """The registers with a field of that name, of some peripherals where given."""
        found = self._fields.get(squash(name), [])
        return [e for e in found if e.peripheral in within] if within else found


class _Finder:
    """Gathers what a query names, word by word."""

    def __init__(self, names: DeviceNames, is_plain: Callable[[str], bool]) -> None:
        self.names = names
        self.is_plain = is_plain
        self.peripherals: dict[str, None] = {}
        self.families: dict[str, None] = {}
        self.words: dict[str, None] = {}
        self.registers: list[tuple[str, list[_Entry]]] = []
        self.fields: list[tuple[str, list[_Entry]]] = []
        self.targets: dict[str, Target] = {}

    def take(self, token: str) -> None:
        if token[:2].lower() == "0x":
            self._address(int(token.replace(" ", ""), 16))
            return
        bare = re.sub(r"^_+", "", token)
        prefix = _WIDTH.match(bare)
        if prefix and len(bare) > prefix.end():
            bare = bare[prefix.end() :]
        parts = [part for part in _NOT_WORD.split(bare) if part]
        if not parts:
            return
        if len(parts) > 1 and self._whole(parts):
            self.words[token] = None
            return
        for part in parts:
            if self._part(part):
                self.words[part] = None
        if len(parts) > 1 and self._register("".join(parts)):
            self.words[token] = None

    def _address(self, address: int) -> None:
        if address < 0x1000:
            return
        for place in self.names.lookup.containing(address)[:2]:
            if place.register is not None:
                name = place.peripheral.name
                path = f"{name}.{place.register.path}"
                self._target(_Entry(name, path, f"{name}.{place.register.template}"), True)
        if not self.names.lookup.containing(address):
            owner = self.names.lookup.owner(address)
            if owner is not None:
                self.peripherals[owner.name] = None

    def _whole(self, parts: list[str]) -> bool:
        """A name with its peripheral before it: PERIPHERAL REGISTER, then perhaps a field."""
        for cut in range(len(parts) - 1, 0, -1):
            within = self.names.find_peripheral("".join(parts[:cut]))
            if not within:
                continue
            for end in range(len(parts), cut, -1):
                found = self.names.find_registers("".join(parts[cut:end]), within)
                if found:
                    self._peripheral("".join(parts[:cut]), within)
                    for entry in found[:_MOST_MEANT]:
                        self._target(entry, True)
                    return True
            fields = self.names.find_fields("".join(parts[cut:]), within)
            if fields:
                self._peripheral("".join(parts[:cut]), within)
                self.fields.append(("".join(parts[cut:]), fields))
                return True
        for cut in range(len(parts) - 1, 0, -1):
            found = self.names.find_registers("".join(parts[:cut]))
            field = "".join(parts[cut:])
            with_field = [e for e in self.names.find_fields(field) if e in found]
            if with_field:
                self.registers.append(("".join(parts[:cut]), with_field))
                return True
        return False

    def _part(self, part: str) -> bool:
        if len(part) < 2 or part.isdigit():
            return False
        named = self._is_name(part)
        within = self.names.find_peripheral(part)
        if within and (named or any(c.isdigit() for c in part)):
            self._peripheral(part, within)
            return True
        if not named:
            return False
        return self._register(part) or self._field(part)

    def _is_name(self, word: str) -> bool:
        """Whether a word is meant as a name: by its letters, or since it is no plain word."""
        if any(c.isdigit() for c in word) or (len(word) > 1 and word.isupper()):
            return True
        if any(c.isupper() for c in word[1:]):
            return True
        return len(word) >= 4 and not self.is_plain(word.lower())

    def _peripheral(self, word: str, found: list[str]) -> None:
        exact = [name for name in found if squash(name) == squash(word)]
        for name in exact or found:
            self.peripherals[name] = None
        self.families[family(word).upper()] = None

    def _register(self, name: str) -> bool:
        found = self.names.find_registers(name)
        if found and len(squash(name)) >= 2:
            self.registers.append((name, found))
        return bool(found)

    def _field(self, name: str) -> bool:
        found = self.names.find_fields(name)
        if found and len(squash(name)) >= 2:
            self.fields.append((name, found))
        return bool(found)

    def _target(self, entry: _Entry, sure: bool, via: str = "") -> None:
        old = self.targets.get(entry.path)
        if old is None or (sure and not old.sure):
            self.targets[entry.path] = Target(
                entry.path, entry.template, entry.peripheral, sure, via
            )

    def result(self) -> Mentions:
        near = set(self.peripherals)
        for _, found in self.registers:
            # CR1 of SPI1 where SPI1 is named as well; alone it may be anybody's.
            own = [entry for entry in found if entry.peripheral in near]
            meant = own or found
            kinds = {family(entry.peripheral) for entry in meant}
            sure = bool(own) or len(kinds) == 1
            if sure or len(kinds) <= _NEAR:
                for entry in meant[:_MOST_MEANT]:
                    self._target(entry, sure)
        registers = {target.path for target in self.targets.values()}
        for name, found in self.fields:
            of_registers = [entry for entry in found if entry.path in registers]
            own = [entry for entry in found if entry.peripheral in near]
            meant = of_registers or own or found
            kinds = {entry.template for entry in meant}
            if of_registers:
                continue
            sure = len(kinds) == 1 or (bool(own) and len(kinds) <= _NEAR)
            if sure or len({family(e.peripheral) for e in meant}) <= _NEAR:
                for entry in meant[:_MOST_MEANT]:
                    self._target(entry, sure, name)
        return Mentions(
            tuple(self.targets.values()),
            tuple(self.peripherals),
            tuple(self.families),
            tuple(self.words),
        )
