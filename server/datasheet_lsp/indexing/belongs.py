"""Which devices a document is about: by the settings, its title and first pages, or its folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.documents.structure.names import plain_name
from datasheet_lsp.index.records import Belongs
from datasheet_lsp.model import Device
from datasheet_lsp.model.document import Document
from datasheet_lsp.workspace.globs import CodeMatcher
from datasheet_lsp.workspace.names import agree, is_known_part
from datasheet_lsp.workspace.settings import FILE_NAME

_FIRST_PAGES = 2
_FIRST_LETTERS = 6_000
_MOST_PARTS = 40
_TITLE = "title "
_REGISTERS = "registers "
_MOST_REGISTERS = 400
_FEWEST_REGISTERS = 20
_SHARED = 0.3
"""So much of a manual's registers must be a device's, each by how few devices have it."""
_CLEARLY = 3.0
"""So many times as much as of any other device."""
_SERIES = re.compile(r"([A-Za-z]+\d*[1-9])(0{2,3})")
_WIDTH = re.compile(r"^R(?:8|16|32)(?=[A-Z])")
_TELLING = 6
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*\d[A-Za-z0-9]*(?:/[A-Za-z0-9]+)*")


class Scope(msgspec.Struct, frozen=True):
    """A device of the workspace.

    ``name`` is what the index calls it; ``names`` are all it is called; ``documents`` are files
    that the settings give it, ``folders`` patterns of the code it applies to (none: all).
    """

    name: str
    names: tuple[str, ...]
    documents: frozenset[Path] = frozenset()
    folders: tuple[str, ...] = ()

    @property
    def registers(self) -> frozenset[str]:
        """The names of its registers as ``register_names`` has them."""
        return frozenset()


def register_names(device: Device) -> frozenset[str]:
    """The registers of a device as manuals call them: USART2BRR, USARTBRR, and long names alone."""
    found: set[str] = set()
    for peripheral in device.peripherals:
        if peripheral.source:
            continue  # those of the core are every device's
        own = plain_name(peripheral.name)
        stem = own.rstrip("0123456789")
        for register in peripheral.registers:
            name = plain_name(register.template.rpartition(".")[2].replace("%s", ""))
            found |= {name} if name.startswith(stem) else {own + name, stem + name}
            if len(name) >= _TELLING:
                found.add(name)
    return frozenset(found)


def parts_of(document: Document, file_name: str) -> tuple[str, ...]:
    """The chips that a document names: in its title or file name (marked), and at its start.

    With them, marked too, the names of the registers that it describes.
    """
    found: dict[str, None] = {}
    for word in _parts(f"{document.title} {file_name}"):
        found[_TITLE + word] = None
    letters = 0
    for block in document.blocks:
        page = block.places[0].page if block.places else 1
        if letters > _FIRST_LETTERS or page > _FIRST_PAGES or len(found) >= _MOST_PARTS:
            break
        letters += len(block.text)
        for word in _parts(block.text):
            if _TITLE + word not in found:
                found[word] = None
    names = {_WIDTH.sub("", plain_name(register.name)) for register in document.registers} - {""}
    if len(names) >= _FEWEST_REGISTERS:
        found[_REGISTERS + " ".join(sorted(names)[:_MOST_REGISTERS])] = None
    return tuple(found)


def _by_registers(parts: Sequence[str], scopes: Sequence[Scope]) -> list[Belongs]:
    """The device whose registers a document describes, if that is clear."""
    said = next((p.removeprefix(_REGISTERS) for p in parts if p.startswith(_REGISTERS)), "")
    names = frozenset(said.split())
    if not names:
        return []
    own = [(scope, names & scope.registers) for scope in scopes]
    often = Counter(name for _, known in own for name in known)
    shares = sorted(
        ((sum(1 / often[n] for n in known) / len(names), scope) for scope, known in own),
        key=lambda each: -each[0],
    )
    (best, scope), *others = shares
    second = others[0][0] if others else 0.0
    if best < _SHARED or best < _CLEARLY * second:
        return []
    count = len(names & scope.registers)
    return [Belongs(scope.name, f"{count} of its {len(names)} registers are of this device")]


def _named(
    scopes: Sequence[Scope], where: str, named: Sequence[str], *, series: bool = False
) -> list[Belongs]:
    """Those whose names agree with a chip that is named; with ``series`` as names of a series."""
    belongs = []
    for scope in scopes:
        names = [s for n in scope.names if (s := _series(n))] if series else scope.names
        agreed = next((p for p in named if any(agree(p, n) for n in names)), None)
        if agreed is not None:
            verb = "names" if where == "title" else "name"
            reason = f"its {where} {verb} {agreed}"
            belongs.append(Belongs(scope.name, f"{reason}, of its series" if series else reason))
    return belongs


def _series(name: str) -> str:
    """A name that stands for a whole series with open places: LPC8xx for LPC800, else ""."""
    found = _SERIES.fullmatch(name)
    return f"{found[1]}{'x' * len(found[2])}" if found else ""


def _parts(text: str) -> Iterable[str]:
    for word in _WORD.findall(text.replace("_", " ")):
        if 4 <= len(word) <= 40 and is_known_part(word):
            yield word


def decide(
    path: Path, parts: Sequence[str], scopes: Sequence[Scope], root: Path
) -> tuple[tuple[Belongs, ...], str]:
    """The devices a document belongs to, with reasons; else none, and why it is undecided."""
    given = [scope for scope in scopes if path in scope.documents]
    if given:
        return tuple(Belongs(scope.name, f"{FILE_NAME} says so") for scope in given), ""
    if not scopes:
        return (), "no device is known in this workspace"
    title = [part.removeprefix(_TITLE) for part in parts if part.startswith(_TITLE)]
    text = [part for part in parts if not part.startswith((_TITLE, _REGISTERS))]
    for where, named in (("title", title), ("first pages", text)):
        if not named:
            continue
        belongs = _named(scopes, where, named) or _named(scopes, where, named, series=True)
        if belongs:
            return tuple(belongs), ""
        verb = "names" if where == "title" else "name"
        listed = ", ".join(list({part.casefold(): part for part in named[::-1]}.values())[:-4:-1])
        return (), f"its {where} {verb} {listed}, which is no device of this workspace"
    own = [
        scope
        for scope in scopes
        if scope.folders and CodeMatcher(scope.folders, root).matches(path)
    ]
    if own and len(own) < len(scopes):
        return tuple(Belongs(scope.name, "it lies in the folder of its code") for scope in own), ""
    described = _by_registers(parts, scopes)
    if described:
        return tuple(described), ""
    if len(scopes) == 1:
        return (Belongs(scopes[0].name, "it is the only device here, and none is named"),), ""
    return (), "it names none of the devices of this workspace"
