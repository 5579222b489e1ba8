"""A firmware folder to measure the server on, and the places in it to hover over."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import msgspec

from datasheet_lsp.model import Device

MAX_BYTES = 256 << 20
"""A project that is larger is not copied."""

_SKIPPED = shutil.ignore_patterns(".git", ".datasheet", ".venv", "node_modules", "build", "*.pdf")
_C_NAME = re.compile(r"[A-Za-z_]\w*(\[\d+\])?(\.[A-Za-z_]\w*(\[\d+\])?)*")
_ACCESS = re.compile(rb"\b[A-Z_][A-Z0-9_]*\s*->\s*([A-Za-z_]\w*)")


class Place(msgspec.Struct, frozen=True):
    """Where to hover: file, line and character, both from 0, the character in ASCII text."""

    path: Path
    line: int
    character: int


class Workload(msgspec.Struct, frozen=True):
    """A folder, the C files to open and the places in them that name a register."""

    root: Path
    files: tuple[Path, ...]
    places: tuple[Place, ...]


def from_device(root: Path, svd: Path, device: Device, files: int) -> Workload:
    """A new project in ``root`` for ``device``: its SVD, a Makefile, ``files`` C files."""
    root.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(svd, root / svd.name)
    define = re.sub(r"\W", "_", device.name)
    (root / "Makefile").write_text(f"CFLAGS += -D{define}\n\nall: firmware.elf\n", encoding="utf-8")
    accesses = _accesses(device)
    choose = random.Random(device.name)
    written: list[Path] = []
    for number in range(files):
        path = root / "src" / f"part_{number:02}.c"
        path.parent.mkdir(exist_ok=True)
        path.write_text(_c_file(number, accesses, choose), encoding="utf-8")
        written.append(path)
    return Workload(root, tuple(written), tuple(_places(written)))


def from_project(root: Path, project: Path, files: int) -> Workload:
    """A copy of ``project`` in ``root``, with ``files`` C files: its own and, to fill up, copies.

    Raises ValueError where it has no C file that uses registers or is too large to copy.
    """
    size = sum(path.stat().st_size for path in project.rglob("*") if path.is_file())
    if size > MAX_BYTES:
        raise ValueError(f"{project} has {size >> 20} MB: too large to be copied for a measurement")
    shutil.copytree(project, root, ignore=_SKIPPED, dirs_exist_ok=True)
    own = [path for path in sorted(root.rglob("*.c")) if _ACCESS.search(path.read_bytes())]
    if not own:
        raise ValueError(f"{project} has no C file with a register access such as USART2->BRR")
    opened = own[:files]
    for number in range(files - len(opened)):
        source = own[number % len(own)]
        copy = source.with_name(f"{source.stem}_copy{number:02}.c")
        shutil.copyfile(source, copy)
        opened.append(copy)
    return Workload(root, tuple(opened), tuple(_places(opened)))


def _accesses(device: Device) -> list[str]:
    """All registers of the device as C code names them, those that C cannot name left out."""
    prefix = device.header_definitions_prefix
    return [
        f"{prefix}{peripheral.name}->{path}"
        for peripheral, register in device.walk()
        if peripheral.name.isidentifier() and _C_NAME.fullmatch(path := peripheral.c_path(register))
    ]


def _c_file(number: int, accesses: list[str], choose: random.Random) -> str:
    """About 230 lines of C in the manner of a driver."""
    lines = ['#include "device.h"', "", "static volatile uint32_t state;", ""]
    for function in range(20):
        lines += [f"/* Step {function} of part {number}. */", f"void part{number}_{function}(void)"]
        lines.append("{")
        for statement in range(8 if accesses else 0):
            access = choose.choice(accesses)
            if statement % 4 == 0:
                lines.append(f"    state = {access};")
            elif statement % 4 == 3:
                lines.append(f"    if (({access} & (1u << {statement})) != 0) {{ state++; }}")
            else:
                operator = "|=" if statement % 2 else "="
                lines.append(f"    {access} {operator} {hex(choose.getrandbits(8))}u;")
        lines += ["}", ""]
    return "\n".join(lines)


def _places(files: list[Path]) -> list[Place]:
    found: list[Place] = []
    for path in files:
        for number, line in enumerate(path.read_bytes().split(b"\n")):
            if line.isascii() and not line.lstrip().startswith((b"*", b"/")):
                found.extend(
                    Place(path, number, match.start(1)) for match in _ACCESS.finditer(line)
                )
    return found
