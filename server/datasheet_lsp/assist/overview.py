"""What the code of a workspace does with registers as a whole: who uses them, what is enabled."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from datasheet_lsp.firmware import Source, tongue_of
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.headers import Headers
from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.workspace.walk import SKIPPED, SKIPPED_STARTS

CODE = (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".ino", ".inl")
MAX_FILES = 5_000
MAX_DEEP = 400
"""So many files are read with the headers they include; of more only the files themselves."""
MAX_BYTES = 2 * 1024 * 1024
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TELLING = re.compile(
    r"CLK|CLOCK|RCC|PERIPH|APB|AHB|SCGC|CKEN|RESET|POWER|IRQ|_EN|EN$|PCC|PMC|INTERRUPT", re.I
)
_HANDLER = re.compile(r"(?:_?IRQ_?Handler|_ISR|_Handler|_vect)$", re.I)
_ANY_ACCESS = rb"volatile|_hw\b|REG|sys_(?:write|set|clear)|putreg|modifyreg|writel|SET_BIT|MMIO"


class Use(msgspec.Struct, frozen=True, gc=False):
    """An access to the register at ``address``, at the bytes ``start`` to ``end`` of a file."""

    address: int
    how: str
    line: int
    column: int
    end: int
    sure: bool = True


class FileUse(msgspec.Struct, frozen=True):
    """What one file does.

    ``sets`` has for each register address the bits that are set, and those that may be.
    ``names`` are the words in it that may enable something.
    """

    path: str
    stamp: tuple[int, int]
    uses: tuple[Use, ...] = ()
    sets: dict[int, tuple[int, int]] = {}
    names: frozenset[str] = frozenset()
    vague: bool = False


def code_files(root: Path) -> list[Path]:
    """The C files of a folder in order, at most :data:`MAX_FILES`; a file is itself."""
    if root.is_file():
        return [root]
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED and not name.startswith((*SKIPPED_STARTS, "."))
        )
        for name in sorted(files):
            if name.endswith(CODE):
                found.append(Path(folder, name))
                if len(found) >= MAX_FILES:
                    return found
    return found


def read_file(path: Path) -> tuple[bytes, tuple[int, int]] | None:
    """A file and its time of change and size, None where it cannot be read or is too large."""
    try:
        stat = path.stat()
        if stat.st_size > MAX_BYTES:
            return None
        return path.read_bytes(), (stat.st_mtime_ns, stat.st_size)
    except OSError:
        return None


def use_of(path: Path, stamp: tuple[int, int], source: Source, reader: Reader | None) -> FileUse:
    """What a file does; ``reader`` is None where it can touch no register."""
    words = {word.decode("ascii") for word in _WORD.findall(source.code)}
    names = frozenset(w for w in words if _TELLING.search(w) and not _HANDLER.search(w))
    if reader is None:
        return FileUse(str(path), stamp, names=names)
    uses: list[Use] = []
    sets: dict[int, tuple[int, int]] = {}
    vague = False
    for unit in reader.units():
        walk = reader.walked(unit)
        for access in walk.found:
            uses += _uses(source, access)
            _note(access, sets)
        vague = vague or any(
            node.type == "pointer_expression" and "volatile" in reader.text(node)
            for node in walk.unresolved
        )
    uses.sort(key=lambda use: (use.line, use.column))
    return FileUse(str(path), stamp, tuple(uses), sets, names, vague)


def _uses(source: Source, access: RegisterAccess) -> Iterator[Use]:
    line, column = source.position(access.start)
    end = source.position(access.end)
    last = end[1] if end[0] == line else column
    resolved = access.resolved
    sure = not (resolved.any_of or resolved.index_unknown)
    seen: set[int] = set()
    for location in resolved.locations:
        if location.register is not None and location.address not in seen:
            seen.add(location.address)
            yield Use(location.address, access.how, line, column, last, sure)


def _note(access: RegisterAccess, sets: dict[int, tuple[int, int]]) -> None:
    if not access.writes:
        return
    value = access.value
    every = (1 << access.register.size) - 1
    ones = value.value | value.flipped if value is not None else 0
    maybe = value.unknown & every if value is not None else every
    for location in access.resolved.locations:
        known = sets.get(location.address, (0, 0))
        sets[location.address] = (known[0] | ones, known[1] | maybe)


class Overview:
    """The uses of all files together. ``complete`` once all files of the workspace are read."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.lookup = Lookup(device)
        self.files: dict[str, FileUse] = {}
        self.complete = False
        stems = {p.name.rstrip("0123456789") for p in device.peripherals}
        stems |= {p.group_name for p in device.peripherals}
        named = b"|".join(sorted(re.escape(s.encode()) for s in stems if len(s) > 1))
        self._touching = re.compile(
            rb"(?<![A-Za-z])(?:%s)(?![a-z])|%s" % (named, _ANY_ACCESS) if named else _ANY_ACCESS
        )

    def may_touch(self, data: bytes) -> bool:
        """Whether a file may touch registers at all: it names a peripheral, or accesses memory."""
        return b"{" in data and self._touching.search(data) is not None

    def put(self, use: FileUse) -> None:
        """Takes what a file does in the place of what it did."""
        self.files[use.path] = use

    def drop(self, path: str) -> None:
        """Forgets a file that is gone."""
        self.files.pop(path, None)

    def with_files(self, fresh: Mapping[str, FileUse]) -> Overview:
        """The same with other texts of some files."""
        other = Overview(self.device)
        other.files = {**self.files, **fresh}
        other.complete = self.complete
        return other

    def uses(self, first: int, last: int) -> list[tuple[str, Use]]:
        """The accesses to addresses from ``first`` to ``last``, in order by file."""
        return [
            (path, use)
            for path in sorted(self.files)
            for use in self.files[path].uses
            if first <= use.address <= last
        ]

    def bits(self, address: int) -> tuple[int, int]:
        """The bits of a register that some file sets, and those that some file may set."""
        ones = maybe = 0
        for use in self.files.values():
            known = use.sets.get(address)
            if known is not None:
                ones, maybe = ones | known[0], maybe | known[1]
        return ones, maybe

    @property
    def vague(self) -> bool:
        """Whether registers are written by ways that could not be followed."""
        return any(use.vague for use in self.files.values())

    def names(self) -> Iterator[str]:
        """The words of all files that may enable something."""
        for use in self.files.values():
            yield from use.names


def scan(
    overview: Overview,
    paths: Sequence[Path],
    lookups_for: Callable[[Path], Sequence[Lookup]],
    headers_of: Callable[[Path, Source, Sequence[Lookup]], Headers | None],
    *,
    pause: float = 0.0,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Reads all files that changed into ``overview``. Reads files; ``pause`` seconds between.

    It is complete then, unless there are too many files to look into all headers.
    """
    present = {str(path) for path in paths}
    deep = len(paths) <= MAX_DEEP
    for gone in [path for path in overview.files if path not in present]:
        overview.drop(gone)
    for path in paths:
        if cancelled():
            return
        found = read_file(path)
        if found is None:
            continue
        data, stamp = found
        known = overview.files.get(str(path))
        if known is not None and known.stamp == stamp:
            continue
        lookups = [one for one in lookups_for(path) if one.device is overview.device]
        source = Source(data, tongue_of(path, data))
        reader = None
        if lookups and overview.may_touch(data):
            headers = headers_of(path, source, lookups) if deep else None
            reader = Reader(source, lookups, headers)
        overview.put(use_of(path, stamp, source, reader))
        if pause:
            time.sleep(pause)
    overview.complete = deep
