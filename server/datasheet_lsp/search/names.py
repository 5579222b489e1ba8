"""The names of a device: which registers, fields and peripherals the words of a query mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

import msgspec

from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.search.synonyms import is_of_field

_NOT_WORD = re.compile(r"[^A-Za-z0-9]+")
_TOKEN = re.compile(
    r"0[xX][0-9A-Fa-f]+(?: [0-9A-Fa-f]{4})*|[A-Za-z_]\w*(?:(?:->|\.|::)[A-Za-z_]\w*|\[\w*\]\w*)*"
)
_FAMILY = re.compile(r"([A-Za-z][A-Za-z0-9]*?[A-Za-z])_?\d+[A-Za-z]?")
_WIDTH = re.compile(r"(?:R(?:8|16|32)_|LPC_|NRF_|HW_|REG_)", re.IGNORECASE)
_MOST_MEANT = 12
_NEAR = 2
_LEAST_ADDRESS = 0x1000


class Target(msgspec.Struct, frozen=True):
    """A register that a query names.

    ``path`` is "USART2.BRR", ``template`` the same for all elements of an array. ``sure`` tells
    that its peripheral is named too, or that no other peripheral has one of that name. ``field`` is
    the field that is named with it, "" without one.
    """

    path: str
    template: str
    peripheral: str
    sure: bool
    field: str = ""


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


@lru_cache(maxsize=32_768)
def squash(text: str) -> str:
    """``text`` in small letters without signs, array places left out."""
    return _NOT_WORD.sub("", text.replace("[%s]", "").replace("%s", "")).lower()


@lru_cache(maxsize=8_192)
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

    def spelt_out(self) -> Iterable[str]:
        """The descriptions of the peripherals with their names: "Reset control module (RCM)"."""
        for each in self.device.peripherals:
            for name in dict.fromkeys((each.name, family(each.name))):
                yield f"{each.description} ({name})"

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


class _Named(msgspec.Struct):
    """A word with the registers that it may mean. ``plain``: only beside its peripheral."""

    word: str
    entries: list[_Entry]
    field: str = ""
    plain: bool = False


class _Finder:
    """Gathers what a query names, word by word."""

    def __init__(self, names: DeviceNames, is_plain: Callable[[str], bool]) -> None:
        self.names = names
        self.is_plain = is_plain
        self.peripherals: dict[str, None] = {}
        self.families: dict[str, None] = {}
        self.words: dict[str, None] = {}
        self.registers: list[_Named] = []
        self.fields: list[_Named] = []
        self.targets: dict[str, Target] = {}

    def take(self, token: str) -> None:
        if token[:2].lower() == "0x":
            self._address(int(token.replace(" ", ""), 16))
            return
        bare = re.sub(r"^_+", "", token)
        prefix = _WIDTH.match(bare)
        known = self.names.find_registers(bare) or self.names.find_fields(bare)
        if prefix and len(bare) > prefix.end() and not known:
            bare = bare[prefix.end() :]
        parts = [part for part in _NOT_WORD.split(bare) if part]
        if not parts:
            return
        within = self.names.find_peripheral(bare) if len(parts) > 1 else []
        if within:
            self._peripheral(bare, within)
            self.words[token] = None
            return
        if len(parts) > 1 and (
            self._alone(bare) or self._field_alone(bare) or self._whole(parts, bare)
        ):
            self.words[token] = None
            return
        for part in parts:
            if self._part(part):
                self.words[part] = None

    def _address(self, address: int) -> None:
        if address < _LEAST_ADDRESS:
            return
        places = self.names.lookup.containing(address)
        for place in places[:2]:
            if place.register is not None:
                name = place.peripheral.name
                path = f"{name}.{place.register.path}"
                self._target(_Entry(name, path, f"{name}.{place.register.template}"), True)
        owner = None if places else self.names.lookup.owner(address)
        if owner is not None:
            self.peripherals[owner.name] = None

    def _alone(self, text: str) -> bool:
        """A register of several words without its peripheral."""
        found = self.names.find_registers(text)
        if not found or self.names.find_peripheral(text):
            return False
        self.registers.append(_Named(text, spelt(found, text)))
        return True

    def _field_alone(self, text: str) -> bool:
        """A field of several words without its register."""
        found = self.names.find_fields(text) if text.isidentifier() else []
        if found:
            self.fields.append(_Named(text, found))
        return bool(found)

    def _whole(self, parts: list[str], text: str) -> bool:
        """PERIPHERAL REGISTER, then perhaps a field; else REGISTER FIELD."""
        for cut in range(len(parts) - 1, 0, -1):
            within = self.names.find_peripheral("".join(parts[:cut]))
            if not within:
                continue
            for end in range(len(parts), cut, -1):
                found = self.names.find_registers("".join(parts[cut:end]), within)
                rest = "".join(parts[end:])
                if found and (not rest or self.names.find_fields(rest, within)):
                    self._peripheral("".join(parts[:cut]), within)
                    for entry in spelt(found, text)[:_MOST_MEANT]:
                        self._target(entry, True, rest)
                    return True
            fields = self.names.find_fields("".join(parts[cut:]), within)
            if fields:
                self._peripheral("".join(parts[:cut]), within)
                self.fields.append(_Named("".join(parts[cut:]), fields))
                return True
        for cut in range(len(parts) - 1, 0, -1):
            field = "".join(parts[cut:])
            with_field = self.names.find_fields(field)
            found = [e for e in self.names.find_registers("".join(parts[:cut])) if e in with_field]
            if found:
                self.registers.append(_Named("".join(parts[:cut]), spelt(found, text), field))
                return True
        return False

    def _part(self, part: str) -> bool:
        if len(part) < 2 or part.isdigit():
            return False
        named = self._is_name(part)
        within = self.names.find_peripheral(part)
        if within and (named or any(c.isdigit() for c in part)):
            self._peripheral(part, within)
            registers = self.names.find_registers(part)
            if registers:
                self.registers.append(_Named(part, registers, plain=True))
            return True
        registers = self.names.find_registers(part)
        if registers and named:
            self.registers.append(_Named(part, spelt(registers, part)))
            return True
        fields = self.names.find_fields(part)
        if fields and named:
            self.fields.append(_Named(part, fields))
            return True
        exact = [entry for entry in registers if entry.path.endswith(f".{part}")]
        if not exact and not self.is_plain(part.lower()):
            exact = registers
        if exact:
            self.registers.append(_Named(part, exact, plain=True))
        return False

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

    def _target(self, entry: _Entry, sure: bool, field: str = "") -> None:
        old = self.targets.get(entry.path)
        if old is None or (sure and not old.sure) or (field and not old.field):
            self.targets[entry.path] = Target(
                entry.path, entry.template, entry.peripheral, sure, field
            )

    def _field_of_sure(self, word: str) -> _Named | None:
        """``word`` as a field of a register that is surely meant."""
        sure = {target.path for target in self.targets.values() if target.sure}
        found = [entry for entry in self.names.find_fields(word) if entry.path in sure]
        return _Named(word, found) if found else None

    def result(self) -> Mentions:
        near = set(self.peripherals)
        # CR1 of SPI1 where SPI1 is named as well; alone it may be anybody's.
        owned = [
            (named, [entry for entry in named.entries if entry.peripheral in near])
            for named in self.registers
        ]
        for named, own in sorted(owned, key=lambda pair: (not pair[1], len(pair[1]))):
            if named.plain and not own:
                continue
            if not named.plain and (field := self._field_of_sure(named.word)):
                self.fields.append(field)
                continue
            meant = own or named.entries
            kinds = {family(entry.peripheral) for entry in meant}
            sure = bool(own) or len(kinds) == 1
            if sure or len(kinds) <= _NEAR:
                for entry in meant[:_MOST_MEANT]:
                    self._target(entry, sure, named.field)
        registers = {target.path for target in self.targets.values()}
        for named in self.fields:
            of_registers = [entry for entry in named.entries if entry.path in registers]
            if of_registers:
                for entry in of_registers:
                    self._target(entry, self.targets[entry.path].sure, named.word)
                continue
            own = [entry for entry in named.entries if entry.peripheral in near]
            meant = own or named.entries
            templates = {entry.template for entry in meant}
            sure = len(templates) == 1 or (bool(own) and len(templates) <= _NEAR)
            # A field may be called RAM or CRC, and who says so need not mean its register.
            sure = sure and not (named.word.isalpha() and is_of_field(named.word.lower()))
            if sure or len({family(e.peripheral) for e in meant}) <= _NEAR:
                for entry in meant[:_MOST_MEANT]:
                    self._target(entry, sure, named.word)
        return Mentions(
            tuple(self.targets.values()),
            tuple(self.peripherals),
            tuple(self.families),
            tuple(self.words),
        )


def spelt(entries: list[_Entry], text: str) -> list[_Entry]:
    """Those spelt as in ``text``, to the sign: ISPR[1] and not ISPR1; else all."""
    said = re.sub(r"->|::", ".", text)
    lengths = {id(e): len(r) for e in entries if (r := e.path.partition(".")[2]) in said}
    longest = max(lengths.values(), default=0)
    return [e for e in entries if lengths.get(id(e)) == longest] or entries
