"""A manual's names of peripherals and registers matched with those of a device."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from rapidfuzz import fuzz

from datasheet_lsp.model.device import Device, Peripheral, Register

_SIGNS = re.compile(r"[^A-Z0-9#]+")
_WIDTH = re.compile(r"^R(?:8|16|32)_")
_INDEX = re.compile(r"\[[^\]]*\]|<[^>]*>")
_SPAN = re.compile(r"[\[<]\s*\d+\s*(?::|-|–|\.\.+)\s*\d+\s*[\]>]")
_WILD = re.compile(r"(?<=[A-Z0-9_])[xynmk](?=[A-Z0-9_]|$)|(?<=[A-Z_])[xynmk](?=_)")
_DIGITS = re.compile(r"\d+")
_ENUMERATION = re.compile(
    r"\b(?P<stem>[A-Z][A-Z0-9]*?[A-Z])(?P<first>\d{1,2})(?P<rest>(?:\s*(?:/|,|&|and|to|-|–|\.\.)\s*"
    r"(?:(?P=stem))?\d{1,2})*)"
)
_RANGE = re.compile(r"^(?P<a>.*?)(?P<i>\d+)\s*(?:-|–|to|~|\.\.\.?)\s*(?P<b>.*?)(?P<j>\d+)$")
_TEMPLATE = re.compile(r"%s")
_MOST_EXPANDED = 64


def plain_name(name: str) -> str:
    """Upper case letters and digits of a name; "#" stands for a number left open."""
    return _SIGNS.sub("", name.upper())


class Printed(msgspec.Struct, frozen=True, gc=False):
    """A printed name taken apart: the peripheral it names (or ""), and the register."""

    peripheral: str
    register: str
    whole: str


class _Block:
    """The registers of peripherals that share them, by name and offset."""

    def __init__(self, peripheral: Peripheral, prefixes: Iterable[str]) -> None:
        self.by_name: dict[str, list[str]] = {}
        self.by_open: dict[str, list[str]] = {}
        self.by_offset: dict[int, list[str]] = {}
        self.offsets: dict[str, set[int]] = {}
        known = sorted({plain_name(p) for p in prefixes if p}, key=len, reverse=True)
        for register in peripheral.registers:
            template = register.template
            self.by_offset.setdefault(register.offset, []).append(template)
            self.offsets.setdefault(template, set()).add(register.offset)
            for key in self._keys(register, known):
                _add(self.by_name, key, template)
                _add(self.by_open, _DIGITS.sub("#", key), template)

    @staticmethod
    def _keys(register: Register, prefixes: Sequence[str]) -> set[str]:
        keys = set()
        spellings = {register.path, register.template.replace("%s", "#"), register.display_name}
        if "." in register.path:
            outer, _, last = register.path.rpartition(".")
            spellings.add(last)
            if index := re.search(r"\[(\w+)\]|(\d+)$", outer):
                # CHANNEL[0].CFG is printed CFG0.
                spellings.add(f"{last}{index[1] or index[2]}")
                spellings.add(f"{last}#")
        for spelling in spellings:
            key = plain_name(spelling)
            if not key:
                continue
            keys.add(key)
            for prefix in prefixes:
                if key.startswith(prefix) and len(key) > len(prefix):
                    keys.add(key[len(prefix) :])
                    break
        # Nordic: TASKS_START is printed "START" under the heading Tasks.
        for start in ("TASKS", "EVENTS"):
            keys.update(k[len(start) :] for k in list(keys) if k.startswith(start) and k != start)
        return keys


def _add(table: dict[str, list[str]], key: str, template: str) -> None:
    found = table.setdefault(key, [])
    if template not in found:
        found.append(template)


class DeviceNames:
    """The names of a device, for finding them in a manual.

    Built once for each device; holds no open files and can be used by several documents.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self._by_name: dict[str, list[Peripheral]] = {}
        self._families: dict[str, list[Peripheral]] = {}
        self._family_of: dict[str, str] = {}
        self._by_address: dict[int, list[str]] = {}
        self._blocks: dict[int, _Block] = {}
        for p in device.peripherals:
            self._by_name.setdefault(plain_name(p.name), []).append(p)
            family = p.group_name or stem(p.name)
            self._family_of[p.name] = family
            for key in {plain_name(family), plain_name(stem(p.name))}:
                self._families.setdefault(key, []).append(p)
            for r in p.registers:
                path = f"{p.name}.{r.template}"
                found = self._by_address.setdefault(p.base_address + r.offset, [])
                if path not in found:
                    found.append(path)

    def _block(self, p: Peripheral) -> _Block:
        block = self._blocks.get(id(p.block))
        if block is None:
            prefixes = [p.name, stem(p.name), p.group_name, p.prepend_to_name]
            block = self._blocks[id(p.block)] = _Block(p, prefixes)
        return block

    def family(self, peripherals: Sequence[str]) -> str:
        """One name for peripherals: the name of the only one, else that of their family."""
        if len(peripherals) == 1:
            return peripherals[0]
        stems = {stem(p) for p in peripherals}
        families = {self._family_of.get(p, p) for p in peripherals}
        if len(families) == 1 and stems & families:
            return families.pop()
        if len(stems) == 1:
            return stems.pop()
        return families.pop() if len(families) == 1 and len(peripherals) > 2 else ""

    def peripherals(self, name: str) -> list[Peripheral]:
        """The peripherals a printed name stands for: "USART2", "USART", "GPIOx", "TIM1"."""
        key = plain_name(name)
        if found := self._by_name.get(key):
            return found
        if found := self._families.get(key):
            return found
        opened = plain_name(_open(name)).rstrip("#")
        if opened != key and (found := self._families.get(opened)):
            return found
        # UART0 in the manual, USART0 in the SVD, and the other way round.
        for a, b in (("USART", "UART"), ("UART", "USART")):
            if key.startswith(a):
                other = b + key[len(a) :]
                if found := self._by_name.get(other) or self._families.get(other):
                    return found
        return []

    def in_title(self, title: str) -> list[Peripheral]:
        """The peripherals a heading names, instances where it names those."""
        found: list[Peripheral] = []
        for match in _ENUMERATION.finditer(title):
            for n in _counted(match["first"], match["rest"], match["stem"]):
                found += [p for p in self.peripherals(match["stem"] + n) if p not in found]
        if found:
            return found
        tokens = re.findall(r"\(([A-Z][\w/]{1,14})\)", title) + re.findall(
            r"\b[A-Z][A-Z0-9_]{2,14}x?\b", title
        )
        for token in tokens:
            found = self.peripherals(token)
            if found:
                return found
        words = title.split()
        return self.peripherals(words[0]) if len(words) == 1 else []

    def split(self, printed: str) -> Printed:
        """A printed register name taken apart."""
        name = _WIDTH.sub("", printed.strip())
        for sign in ("->", "."):
            left, found, right = name.partition(sign)
            if found and right and self.peripherals(left):
                return Printed(left, right, name)
        parts = name.split("_")
        for cut in range(len(parts) - 1, 0, -1):
            left = "_".join(parts[:cut])
            if self.peripherals(left):
                return Printed(left, "_".join(parts[cut:]), name)
        return Printed("", name, name)

    def by_name(self, printed: str, peripherals: Sequence[Peripheral]) -> list[str]:
        """SVD paths of what a printed name means: by its own prefix, else in ``peripherals``."""
        result: list[str] = []
        for name in expand(printed):
            split = self.split(name)
            own = self.peripherals(split.peripheral) if split.peripheral else []
            inside = [p for p in own if p in peripherals]
            for group, spelling in ((inside or own, split.register), (peripherals, split.whole)):
                found = self._within(spelling, group) or self._within(split.whole, group)
                if found:
                    result += [f for f in found if f not in result]
                    break
        return result

    def _within(self, name: str, peripherals: Sequence[Peripheral]) -> list[str]:
        opened = _open(name)
        key = plain_name(name)
        bare = plain_name(_INDEX.sub("", name))
        found = []
        for p in peripherals:
            block = self._block(p)
            # The digits of "B[0:28]" are no part of a name: they would make it B028, B0_28.
            templates = [] if _SPAN.search(name) else block.by_name.get(key, [])
            if not templates and opened != name:
                open_key = plain_name(opened)
                templates = block.by_name.get(open_key) or block.by_open.get(
                    _DIGITS.sub("#", open_key), []
                )
                templates = templates or block.by_name.get(open_key.replace("#", ""), [])
            if not templates and bare != key:
                templates = block.by_name.get(bare, []) or block.by_name.get(bare + "#", [])
            found += [f"{p.name}.{t}" for t in templates]
        return found

    def unique(self, printed: str) -> list[str]:
        """The SVD path of a long name that only one peripheral has."""
        if len(printed) < 8 or "_" not in printed:
            return []
        found = self._within(printed, self.device.peripherals)
        return found if len(found) == 1 else []

    def by_address(self, addresses: Iterable[int]) -> list[str]:
        """SVD paths of the registers that start at addresses."""
        found: list[str] = []
        for address in addresses:
            found += [f for f in self._by_address.get(address, []) if f not in found]
        return found

    def by_offset(self, offset: int, name: str, peripherals: Sequence[Peripheral]) -> list[str]:
        """SVD paths at an offset; of several there the one whose name is most like."""
        found = []
        for p in peripherals:
            templates = self._block(p).by_offset.get(offset, [])
            if len(templates) > 1:
                key = plain_name(name)
                templates = [max(templates, key=lambda t: fuzz.ratio(plain_name(t), key))]
            found += [f"{p.name}.{t}" for t in templates]
        return found

    def offsets(self, path: str) -> set[int]:
        """The offsets of an SVD path from its peripheral's base, one for each array element."""
        name, _, template = path.partition(".")
        p = self.device.peripheral(name)
        return self._block(p).offsets.get(template, set()) if p is not None else set()

    def vote(
        self, printed: Sequence[str], addresses: Iterable[int], title: str
    ) -> list[Peripheral]:
        """The peripherals a chapter with these registers is about."""
        votes: Counter[str] = Counter()
        placed = self.by_address(addresses)
        for path in placed:
            votes[path.partition(".")[0]] += 3
        names = list(dict.fromkeys(printed))[:80]
        # Where the manual gives addresses, its names need not be counted.
        for name in names if len(placed) * 2 < len(names) else ():
            split = self.split(name)
            for p in self.peripherals(split.peripheral) if split.peripheral else []:
                if self._within(split.register, [p]) or self._within(split.whole, [p]):
                    votes[p.name] += 2
        titled = self.in_title(title)
        if not votes:
            blocks: dict[int, int] = {}
            for p in titled or self.device.peripherals:
                key = id(p.block)
                if key not in blocks:
                    blocks[key] = sum(
                        bool(self._within(self.split(n).register, [p])) for n in names
                    )
                if blocks[key] * 2 >= len(names) or (titled and blocks[key]):
                    votes[p.name] += blocks[key]
        # Addresses that are all another peripheral's: those of a chapter can be printed wrong.
        astray = not any(votes[p.name] for p in titled)
        for p in titled:
            votes[p.name] += 1
            if astray:
                known = sum(bool(self._within(self.split(n).register, [p])) for n in names)
                votes[p.name] += 3 * known
        if not votes:
            return []
        best = max(votes.values())
        chosen = [p for p in self.device.peripherals if votes[p.name] * 2 > best]
        if titled and any(p in chosen for p in titled):
            named = [p for p in titled if votes[p.name]]
            return [p for p in chosen if p in named]
        return chosen


def stem(name: str) -> str:
    """A peripheral's name without its number or letter: "USART2" -> "USART", "GPIOA" -> "GPIO"."""
    bare = name.rstrip("0123456789")
    if bare == name and re.match(r"^(?:GPIO|PORT|PTX?|P)[A-Z]$", name):
        return name[:-1]
    return bare.rstrip("_") or name


def _open(name: str) -> str:
    """A name with what stands for a number made "#": "SxCR", "CC[n]", "CFG[0:17]"."""
    return _WILD.sub("#", _INDEX.sub("#", name))


def expand(printed: str) -> list[str]:
    """The names of a range "NVIC_ISER0-NVIC_ISER7", "PIO0_0 to PIO0_5"; else the name alone."""
    match = _RANGE.match(printed.strip())
    if match and match["b"].strip() in ("", match["a"].strip()):
        first, last = int(match["i"]), int(match["j"])
        if first < last < first + _MOST_EXPANDED:
            return [f"{match['a'].strip()}{n}" for n in range(first, last + 1)]
    return [printed]


def _counted(first: str, rest: str, name: str) -> list[str]:
    """The numbers of "1/2", "2 to 5", "1 and 8" that follow a name."""
    result = [int(first)]
    for sign, n in re.findall(
        rf"(/|,|&|and|to|-|–|\.\.)\s*(?:{re.escape(name)})?(\d{{1,2}})", rest
    ):
        value = int(n)
        if sign in ("to", "-", "–", "..") and result[-1] < value:
            result.extend(range(result[-1] + 1, value + 1))
        else:
            result.append(value)
    return [str(n) for n in result]
