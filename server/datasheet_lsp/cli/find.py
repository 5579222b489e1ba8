"""What a name or an address on the command line means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from datasheet_lsp.cli.errors import CliError
from datasheet_lsp.model import Location, Lookup

if TYPE_CHECKING:
    from datasheet_lsp.firmware import Resolved
    from datasheet_lsp.firmware.resolve import Kind

_NUMBER = re.compile(r"0[xX][0-9a-fA-F_' ]+|0[bB][01_' ]+|[0-9][0-9_' ]*")


def find(text: str, lookups: Sequence[Lookup]) -> Resolved:
    """What ``PERIPHERAL[.REGISTER[.FIELD]]``, an expression of C or an address names.

    Raises:
        CliError: nothing; the text says what may have been meant.
    """
    from datasheet_lsp.firmware import Resolved

    text = text.strip()
    if _NUMBER.fullmatch(text):
        return _by_address(number(text), lookups)
    locations = [at for lookup in lookups for at in lookup.find(text)]
    if locations:
        kind: Kind = "peripheral" if locations[0].register is None else "register"
        return Resolved(kind, tuple(locations), 0, len(text), text)
    found = _as_code(text, lookups)
    if found is not None:
        return found
    raise CliError(_unknown(text, lookups))


def number(text: str) -> int:
    """An integer as written in C, blanks, ``_`` and ``'`` between digits allowed.

    Raises:
        CliError: it is none.
    """
    plain = re.sub(r"(?i)(?<=[0-9a-f])u?l{0,2}$", "", re.sub(r"[\s_']", "", text))
    try:
        if plain.isdigit():
            return int(plain, 8 if plain[0] == "0" and len(plain) > 1 else 10)
        return int(plain, 0)
    except ValueError:
        raise CliError(f"{text!r} is no number: write it as in C, 0x200C for example.", 2) from None


def _by_address(address: int, lookups: Sequence[Lookup]) -> Resolved:
    from datasheet_lsp.firmware import Resolved
    from datasheet_lsp.render import words

    places: list[Location] = []
    for lookup in lookups:
        here = lookup.containing(address)
        bases = [p for p in lookup.device.peripherals if p.base_address == address]
        places += here or [Location(lookup.device, p) for p in bases]
    if places:
        kind: Kind = "peripheral" if places[0].register is None else "register"
        text = words.c_address(address)
        return Resolved(kind, tuple(places), 0, len(text), text)
    for lookup in lookups:
        owner = lookup.owner(address)
        if owner is not None:
            raise CliError(
                f"no register is at {words.address(address)}; it lies in {owner.name}, "
                f"at {words.address(owner.base_address)} + "
                f"{words.offset(address - owner.base_address)}."
            )
    raise CliError(f"nothing is at {words.address(address)}.")


def _as_code(text: str, lookups: Sequence[Lookup]) -> Resolved | None:
    """Names as headers have them: ``NRF_UART0->BAUDRATE``, ``PPI.CH[2]``."""
    from datasheet_lsp.firmware import Source, resolve_at

    if not re.fullmatch(r"[\w\[\].>() -]+", text):
        return None
    start = "void f(void) { (void)("
    for spelled in dict.fromkeys((text, text.replace(".", "->", 1))):
        source = Source(f"{start}{spelled}); }}".encode())
        last = len(start) + max(0, spelled.rfind(">"), spelled.rfind(".")) + 1
        for offset in (last, len(start)):
            found = resolve_at(source, offset, lookups)
            if (
                found is not None
                and found.start <= len(start)
                and (found.end >= len(start) + len(spelled.rstrip()))
            ):
                return found
    return None


def _unknown(text: str, lookups: Sequence[Lookup]) -> str:
    from datasheet_lsp.assist.symbols import SymbolTable, symbols

    tables = [SymbolTable(lookup) for lookup in lookups]
    likely: list[str] = []
    # Where the peripheral is right, what is like the rest in it comes before all else.
    name, dot, rest = text.replace("->", ".").partition(".")
    for lookup in lookups:
        for peripheral in lookup.peripherals(name) if dot else ():
            from rapidfuzz import process

            paths = [register.path for register in peripheral.registers]
            near = process.extract(rest.upper(), paths, limit=3, score_cutoff=60)
            likely += [f"{peripheral.name}.{path}" for path, _, _ in near]
    likely += [symbol.location.path for symbol in symbols(text, tables, limit=5)]
    likely = list(dict.fromkeys(likely))[:4]
    devices = " or ".join(dict.fromkeys(lookup.device.name for lookup in lookups))
    said = f"{devices} has no {text}."
    if likely:
        said += f" Did you mean {' or '.join(likely)}?"
    return said
