"""Which registers, fields, peripherals and interrupts of a device the words of a question name.

Stricter than a search: what is not certain is given as several, and what is unknown as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.model import Device, Field, Interrupt, Location, Lookup, Peripheral, Register
from datasheet_lsp.search.names import DeviceNames, squash

_PREFIX = re.compile(r"(?:R(?:8|16|32)_|LPC_|NRF_|HW_|REG_|R_|MXC_)(?=\w)")
_HANDLER = re.compile(r"_?(?:IRQn|IRQHandler|IRQ|Handler)$", re.IGNORECASE)
_CODE = re.compile(r"[\w\[\].>()-]+")
_MOST = 400


class Reading(msgspec.Struct):
    """What one word of a question may name."""

    word: str
    paths: list[Location] = []
    """Registers or fields that the word names with their peripheral."""
    peripherals: list[Peripheral] = []
    registers: list[Location] = []
    fields: list[Location] = []
    interrupts: list[Interrupt] = []

    @property
    def is_name(self) -> bool:
        """Whether it names anything."""
        return bool(
            self.paths or self.peripherals or self.registers or self.fields or self.interrupts
        )

    @property
    def looks_like_name(self) -> bool:
        """Whether it is written as names are: digits, signs, or capitals beyond the first."""
        word = self.word
        return (
            not word.isalpha() or word[1:] != word[1:].lower() or (len(word) > 1 and word.isupper())
        )


class Names:
    """The names of one device, tables built when first needed."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.lookup = Lookup(device)
        self.tables = DeviceNames(device)

    @cached_property
    def _by_path(self) -> dict[str, list[Location]]:
        table: dict[str, list[Location]] = {}
        for peripheral, register in self.device.walk():
            at = Location(self.device, peripheral, register)
            table.setdefault(f"{peripheral.name}.{register.path}", []).append(at)
        return table

    @cached_property
    def _c_names(self) -> dict[str, list[Location]]:
        """Registers by their name in C, where that differs from the SVD's."""
        table: dict[str, list[Location]] = {}
        for found in self._by_path.values():
            for at in found:
                assert at.register is not None
                name = at.peripheral.c_path(at.register)
                if name != at.register.path:
                    table.setdefault(squash(name), []).append(at)
        return table

    @cached_property
    def interrupts(self) -> list[tuple[Peripheral, Interrupt]]:
        """All interrupts with the peripheral that has them."""
        return [(p, i) for p in self.device.peripherals for i in p.interrupts]

    def read(self, word: str) -> Reading:
        """What ``word`` may name."""
        plain = word.replace("->", ".").replace("::", ".").strip("_")
        bare = _PREFIX.sub("", plain, count=1)
        reading = Reading(word)
        for spelled in dict.fromkeys((plain, bare)):
            if not reading.is_name:
                self._read(spelled, reading)
        if not reading.is_name and re.search(r"[>.\[]", word):
            reading.paths = self._as_code(word)
        stem = _HANDLER.sub("", word)
        reading.interrupts = [
            i for _, i in self.interrupts if i.name.casefold() in (stem.casefold(), word.casefold())
        ]
        return reading

    def _read(self, word: str, reading: Reading) -> None:
        reading.peripherals = self.peripherals(word)
        if "." in word or "_" in word:
            reading.paths = self._path(word)
        reading.registers = self.registers(word)
        if not (reading.paths or reading.registers) and ("." in word or "_" in word):
            reading.registers = self._register_field(word)
        reading.fields = self.fields(word)

    def peripherals(self, word: str) -> list[Peripheral]:
        """The peripherals called ``word``; by family or group where none has this name."""
        exact = self.lookup.peripherals(word)
        if exact:
            return exact
        known = self.tables.find_peripheral(word) if len(squash(word)) > 1 else []
        names = [n for n in known if squash(n) == squash(word)] or known
        return [p for name in names for p in self.lookup.peripherals(name)]

    def registers(self, word: str) -> list[Location]:
        """The registers called ``word`` in any peripheral, those spelled so before others."""
        entries = self.tables.find_registers(word)
        found = [at for e in entries for at in self._by_path.get(e.path, ())]
        found += [at for at in self._c_names.get(squash(word), ()) if at not in found]
        return found[:_MOST]

    def fields(self, word: str) -> list[Location]:
        """The fields called ``word`` in any register."""
        if "." in word:
            return []
        wanted = squash(word)
        found = [
            Location(self.device, at.peripheral, at.register, field)
            for entry in self.tables.find_fields(word)
            for at in self._by_path.get(entry.path, ())
            if at.register is not None
            for field in at.register.fields
            if squash(field.name) == wanted
        ]
        exact = [at for at in found if at.field is not None and at.field.name == word]
        return (exact or found)[:_MOST]

    def within(self, at: Location, word: str) -> list[Location]:
        """The fields called ``word`` of the register at ``at``."""
        if at.register is None:
            return []
        named = [f for f in at.register.fields if squash(f.name) == squash(word)]
        exact = [f for f in named if f.name == word] or one_of_bits(at.register, word)
        return [Location(self.device, at.peripheral, at.register, f) for f in exact or named]

    def _path(self, word: str) -> list[Location]:
        """PERIPHERAL REGISTER [FIELD] as one word, joined by dots or underscores."""
        exact = [at for at in self.lookup.find(word) if at.register is not None]
        if exact:
            return exact
        found: list[Location] = []
        for cut in _joints(word):
            within = self.peripherals(word[:cut])
            names = {p.name for p in within}
            rest = word[cut + 1 :].strip("_.")
            if not within or not rest:
                continue
            found += [at for at in self.registers(rest) if at.peripheral.name in names]
            found = spelled(found, rest)
            for inner in () if found else _joints(rest):
                field = rest[inner + 1 :].strip("_.")
                for at in self.registers(rest[:inner]):
                    if at.peripheral.name in names and field:
                        found += self.within(at, field)
            if found:
                return found
        return found

    def _register_field(self, word: str) -> list[Location]:
        """REGISTER FIELD as one word."""
        for cut in _joints(word):
            field = word[cut + 1 :].strip("_.")
            found = [at for r in self.registers(word[:cut]) for at in self.within(r, field)]
            if found:
                return found
        return []

    def _as_code(self, word: str) -> list[Location]:
        """Names as C headers have them: ``GPIOA->AFR[0]``."""
        if not _CODE.fullmatch(word):
            return []
        start = "void f(void) { (void)("
        for spelled in dict.fromkeys((word, word.replace(".", "->", 1))):
            last = len(start) + max(spelled.rfind(">"), spelled.rfind("."), 0) + 1
            source = Source(f"{start}{spelled}); }}".encode())
            found = resolve_at(source, last, [self.lookup])
            if found is not None and found.start <= len(start) and found.kind == "register":
                if found.end >= len(start) + len(spelled):
                    return list(found.locations)
        return []

    def near(self, word: str, within: Sequence[Peripheral] = (), most: int = 4) -> list[str]:
        """The names most like ``word``: of registers ``within``, else of anything."""
        from rapidfuzz import fuzz, process

        plain = word.replace("->", ".").upper()
        names: dict[str, str] = {}
        head, _, rest = re.sub(r"(?<=[A-Z0-9])_(?=[A-Z])", ".", plain).partition(".")
        owners = list(within) or (self.peripherals(head) if rest else [])
        if owners:
            part = rest or plain
            for p in owners:
                for register in p.registers:
                    names.setdefault(f"{p.name}.{register.path}", register.path.upper())
                    for field in register.fields:
                        names.setdefault(
                            f"{p.name}.{register.path}.{field.name}", field.name.upper()
                        )
            found = process.extract(part, names, scorer=fuzz.ratio, limit=most, score_cutoff=60)
            if found:
                return [path for _, _, path in found]
        for p in self.device.peripherals:
            names[p.name] = p.name.upper()
        for path, found_at in self._by_path.items():
            first = found_at[0].register
            assert first is not None
            names.setdefault(path, path.upper() if rest else first.path.upper())
        if rest:
            plain = f"{head}.{rest}"
        found = process.extract(plain, names, scorer=fuzz.ratio, limit=most, score_cutoff=65)
        return [path for _, _, path in found]


def is_handler(word: str) -> bool:
    """Whether a word is written as headers write interrupts: USART2_IRQn."""
    return bool(_HANDLER.search(word))


def one_of_bits(register: Register, word: str) -> list[Field]:
    """A field that the SVD has bit by bit, as one: PLLM of PLLM0 to PLLM5; [] where it is none."""
    if not word or word[-1:].isdigit():
        return []
    stem = word.casefold()
    bits: dict[int, Field] = {}
    for field in register.fields:
        name = field.name.casefold()
        number = name.removeprefix(stem).strip("_[]")
        if name.startswith(stem) and number.isdigit() and field.width == 1:
            bits[int(number)] = field
    low = min(bits, default=0)
    if (
        len(bits) < 2
        or any(n - low != bits[n].lsb - bits[low].lsb for n in bits)
        or max(bits) - low + 1 != len(bits)
    ):
        return []
    first, last = bits[low], bits[max(bits)]
    return [
        msgspec.structs.replace(
            first,
            name=word,
            description=f"{first.name} to {last.name}: {first.description}",
            msb=last.lsb,
            enumerated_values=(),
        )
    ]


def _joints(word: str) -> Iterable[int]:
    """Where a word may be cut, the dots first, then the underscores from the left."""
    yield from (i for i, c in enumerate(word) if c == "." and i)
    yield from (i for i, c in enumerate(word) if c == "_" and i)


def spelled(found: list[Location], word: str) -> list[Location]:
    """Those spelled as ``word``: the whole path, then the last name; else all."""
    for spelling in ("path", "template", "name", "display_name"):
        exact = [at for at in found if getattr(at.register, spelling) == word]
        if exact:
            return exact
    return found
