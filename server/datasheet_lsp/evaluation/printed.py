"""What a manual prints about a register beside its description: captions, lists, reset lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from datasheet_lsp.model.device import Peripheral
from datasheet_lsp.model.document import Block, Document, RegisterText, Table

_ADDRESS = r"0[xX][0-9A-Fa-f]{4}[ _']?[0-9A-Fa-f]{4}(?![0-9A-Fa-f])"
_BEHIND = re.compile(rf"({_ADDRESS})\s*\(\s*(?:for\s+|in\s+)?([A-Za-z]\w*)\s*\)")
_BEFORE = re.compile(rf"\b([A-Za-z]\w*)\s*(?::|=|-|–)\s*({_ADDRESS})")
_BASE = re.compile(r"\bbase\s+address", re.IGNORECASE)
_NUMBER = re.compile(r"0[xX]([0-9A-Fa-f]+(?:[ _][0-9A-Fa-f]{4})*)(?![0-9A-Za-z])")
_RESET = re.compile(
    r"reset\s+values?\s*[:=]?\s*0[xX]([0-9A-Fa-f]+(?:[ _][0-9A-Fa-f]{4})*)(?![0-9A-Za-z])"
    r"[\s(,]*(?:for|on|in)\s+(?:port\s+)?([A-Za-z]\w*)",
    re.IGNORECASE,
)
_WIDTH = re.compile(r"^R(?:8|16|32)_")


def labelled_addresses(
    captions: Iterable[str], find: Callable[[str], Peripheral | None]
) -> list[tuple[int, str]]:
    """Addresses with the peripheral they are printed for: ``0x4006 8020 (USART2)``.

    ``find`` is asked for the peripheral of a name.
    """
    found: dict[tuple[int, str], None] = {}
    for caption in captions:
        if _BASE.search(caption):
            continue
        pairs = [(m[1], m[2]) for m in _BEHIND.finditer(caption)]
        pairs = pairs or [(m[2], m[1]) for m in _BEFORE.finditer(caption)]
        for address, name in pairs:
            peripheral = find(name)
            if peripheral is not None:
                found[_value(address[2:]), peripheral.name] = None
    return list(found)


class PrintedText:
    """Looks things up in a document that the descriptions of its registers do not hold."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._blocks: dict[int, list[Block]] = {}
        for block in document.blocks:
            self._blocks.setdefault(block.section, []).append(block)
        self._lists: dict[str, list[tuple[Table, int]]] = {}
        for table in document.tables:
            if table.kind == "registers":
                for at, row in enumerate(table.rows):
                    for key in {_key(cell) for cell in row}:
                        self._lists.setdefault(key, []).append((table, at))
        starts: dict[int, list[tuple[int, float]]] = {}
        for register in document.registers:
            starts.setdefault(register.section, []).append(_start(register))
        self._starts = {section: sorted(set(found)) for section, found in starts.items()}

    def captions(self, register: RegisterText) -> list[str]:
        """The texts that may give the register's addresses."""
        return [register.title, *(self._document.tables[i].caption for i in register.tables)]

    def resets(self, register: RegisterText) -> dict[str, int]:
        """Reset values printed for instances: ``0x0C00 0000 (for port A)`` as GPIOA's."""
        found: dict[str, int] = {}
        names = {match.partition(".")[0] for match in register.matches}
        if len(names) < 2:
            return found
        for line in self._own_lines(register):
            for match in _RESET.finditer(line):
                meant = match[2].casefold()
                for name in names:
                    folded = name.casefold()
                    if folded == meant or (len(meant) == 1 and folded.endswith(meant)):
                        found[name] = _value(match[1])
        return found

    def listed_on(self, register: RegisterText, value: int) -> int | None:
        """The page of the register list that has ``value``, None where the description has it."""
        if any(value in _numbers(line) for line in self._own_lines(register)):
            return None
        if any(value in _numbers(caption) for caption in self.captions(register)):
            return None
        for table, at in self._lists.get(_key(register.name), ()):
            if any(value in _numbers(cell) for cell in table.rows[at]):
                return table.row_pages[at]
        return None

    def _own_lines(self, register: RegisterText) -> list[str]:
        """The lines between the register's start and that of the next one of its section."""
        start = _start(register)
        after = [s for s in self._starts.get(register.section, ()) if s > start]
        lines = []
        for block in self._blocks.get(register.section, ()):
            if block.places and block.text:
                at = (block.places[0].page, block.places[0].box[1])
                if at >= start and (not after or at < after[0]):
                    lines += block.text.split("\n")
        return lines


def _start(register: RegisterText) -> tuple[int, float]:
    return register.place.page, register.place.box[1]


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", _WIDTH.sub("", name.strip())).casefold()


def _value(digits: str) -> int:
    return int(re.sub(r"[ _']", "", digits.removeprefix("0x")), 16)


def _numbers(text: str) -> set[int]:
    return {_value(digits) for digits in _NUMBER.findall(text)}
