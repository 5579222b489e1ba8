"""Addresses in assembly: ``LDR r0, =0x40023800`` and ``STR r1, [r0, #0x40]``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.firmware.found import registers_at
from datasheet_lsp.firmware.headers.numbers import number
from datasheet_lsp.firmware.headers.scan import FileFacts
from datasheet_lsp.firmware.headers.tokens import TooLong, split
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.known import Known
from datasheet_lsp.firmware.meaning import Machine
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.model import Location, Lookup

_COMMENT = re.compile(r"@.*|//.*|/\*.*?\*/|;.*")
_SYMBOL = re.compile(
    r"^\s*(?:\.(?:equ|set|equiv)\s+(\w+)\s*,\s*(.+?)"
    r"|(\w+)\s*(?:=|\b(?:EQU|equ)\b)\s*(.+?))\s*$"
)
_LOAD = re.compile(r"^\s*(?:\w+:)?\s*(?:ldr|la|li)(?:\.w)?\s+(\w+)\s*,\s*=?\s*(.+?)\s*$", re.I)
_ACCESS = re.compile(
    r"^\s*(?:\w+:)?\s*(?:ld|st|lw|sw|lh|sh|lb|sb)\w*(?:\.\w+)?\s+(?:\w+\s*,\s*)+"
    r"(?:\[\s*(\w+)\s*(?:,\s*#?([^\]]+))?\]|([^\s(,]*)\(\s*(\w+)\s*\))",
    re.I,
)
_OPERAND = re.compile(r"[A-Za-z_]\w*|0[xX][0-9A-Fa-f]+|\d+")
_MAX_BACK = 60
_MAX_LINE = 500
_SMALLEST = 0x1000


class Assembled:
    """What a line of assembly means at a column. One for a question."""

    def __init__(self, source: Source, lookups: Sequence[Lookup], headers: Headers | None) -> None:
        self._source = source
        self._lookups = lookups
        self._headers = headers or Headers(FileFacts("", source.data))
        self._symbols: dict[str, str] | None = None

    def at(self, offset: int) -> tuple[tuple[Location, ...], int, int] | None:
        """The register or peripheral at a byte offset, with the bytes of the operand."""
        line, column = self._source.position(offset)
        text = self._line(line)
        start = offset - column
        access = _ACCESS.match(text)
        if access is not None and access.start() <= column < access.end():
            base = access[1] or access[4]
            address = self._held(base, line)
            further = self._value(access[2] or access[3] or "0")
            if address is not None and further is not None:
                found = self._places(address + further, exact=True)
                if found:
                    return found, start + access.start(), start + access.end()
        for one in _OPERAND.finditer(text):
            if one.start() <= column < one.end():
                value = self._value(one[0])
                if value is None or value < _SMALLEST:
                    return None
                found = self._places(value, exact=False)
                return (found, start + one.start(), start + one.end()) if found else None
        return None

    def _line(self, line: int) -> str:
        text = self._source.line(line)[:_MAX_LINE].decode("ascii", "replace")
        return _COMMENT.sub(lambda m: " " * len(m[0]), text)

    def _held(self, register: str | None, line: int) -> int | None:
        """The address that was last loaded into a processor register."""
        if register is None:
            return None
        for before in range(line - 1, max(-1, line - _MAX_BACK), -1):
            text = self._line(before)
            load = _LOAD.match(text)
            if load is not None and load[1].lower() == register.lower():
                return self._value(load[2])
            first = re.match(r"^\s*\w+(?:\.\w+)?\s+(\w+)\s*,", text)
            if first is not None and first[1].lower() == register.lower():
                if not re.match(r"^\s*(?:str|cmp|tst|st|sw|sh|sb|push|beq|bne)", text, re.I):
                    return None  # it was worked out in some way
            if re.match(r"^\s*\w+:\s*$", text):
                return None  # a label: one may come from elsewhere
        return None

    def _value(self, text: str, depth: int = 0) -> int | None:
        text = text.strip().lstrip("=#$").strip()
        plain = number(text) if text[:1].isdigit() else None
        if plain is not None:
            return plain
        symbols = self._defined()
        words = [
            f"({symbols[word]})" if word in symbols and depth < 8 else word for word in split(text)
        ]
        if any(word in symbols for word in split(text)) and depth < 8:
            return self._value(" ".join(words), depth + 1)
        for lookup in self._lookups:
            try:
                machine = Machine(self._headers, None, Known(lookup))
                value = machine.value_of_tokens(split(text))
            except (TooLong, RecursionError):
                return None
            if value.spots is not None and len(value.spots) == 1 and not value.spots[0].base:
                return value.spots[0].offset
        return None

    def _defined(self) -> dict[str, str]:
        if self._symbols is None:
            self._symbols = {}
            for line in range(self._source.line_count):
                found = _SYMBOL.match(self._line(line))
                if found is not None:
                    name = found[1] or found[3]
                    self._symbols.setdefault(name, (found[2] or found[4]).strip())
        return self._symbols

    def _places(self, address: int, *, exact: bool) -> tuple[Location, ...]:
        found: list[Location] = []
        for lookup in self._lookups:
            if not exact:
                found += [
                    Location(lookup.device, peripheral)
                    for peripheral in lookup.device.peripherals
                    if peripheral.base_address == address
                ]
            if not found:
                found += registers_at(lookup, address) if exact else lookup.at(address)
        return tuple(found)
