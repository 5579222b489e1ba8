"""The demo's SVD, header, firmware and manual say the same, and what they say is true."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from rapidfuzz.fuzz import ratio

from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.model import Device, Field, Lookup, Register
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import add_core
from tests.support import ROOT, shared

DEMO = ROOT / "data" / "demo"
HEADER = (DEMO / "include" / "stm32f407_demo.h").read_text(encoding="utf-8")
MANUAL = (DEMO / "manual" / "manual.md").read_text(encoding="utf-8")


@cache
def demo() -> Device:
    return load_svd(DEMO / "svd" / "STM32F407_demo.svd")


@cache
def vendor(path: Path) -> Device:
    return load_svd(path)


def test_svd_reads_without_a_diagnostic() -> None:
    assert demo().diagnostics == ()
    assert demo().name == "STM32F407"
    assert demo().cpu is not None and demo().cpu.name == "CM4"


def test_usart2_is_where_the_chip_has_it() -> None:
    (brr,) = Lookup(demo()).find("USART2.BRR")
    assert brr.address == 0x40004408
    assert brr.register is not None
    assert {f.name: (f.msb, f.lsb) for f in brr.register.fields} == {
        "DIV_Mantissa": (15, 4),
        "DIV_Fraction": (3, 0),
    }


def place_in_vendor_file(field: Field, register: Register) -> str | None:
    """The rule by which the vendor's register has ``field``, None when it has not."""
    named = {f.name: (f.msb, f.lsb) for f in register.fields}
    if named.get(field.name) == (field.msb, field.lsb):
        return "same name, same bits"
    if all(
        named.get(f"{field.name}{n}") == (field.lsb + n, field.lsb + n) for n in range(field.width)
    ):
        return "written bit by bit"
    if named.get(f"{field.name}_L") == (field.msb, field.lsb):
        return "lower half of a 32-bit timer"
    at_place = [n for n, bits in named.items() if bits == (field.msb, field.lsb)]
    if len(at_place) == 1 and ratio(at_place[0], field.name) > 70:
        return "name misspelt there"
    return None


def test_svd_agrees_with_the_vendors_on_every_name_address_and_bit() -> None:
    theirs = vendor(shared("corpus/svd/STM32F407.svd"))
    checked = 0
    for peripheral in demo().peripherals:
        other = theirs.peripheral(peripheral.name)
        assert other is not None and other.base_address == peripheral.base_address
        numbers = {(i.name, i.value) for i in other.interrupts}
        assert {(i.name, i.value) for i in peripheral.interrupts} <= numbers
        registers = {r.path: r for r in other.registers}
        for register in peripheral.registers:
            match = registers[register.path]
            assert match.offset == register.offset, register.path
            for field in register.fields:
                rule = place_in_vendor_file(field, match)
                assert rule, f"{peripheral.name}.{register.path}.{field.name}"
                checked += 1
    assert checked > 1000


@pytest.mark.parametrize("name", [p.name for p in demo().peripherals])
def test_header_has_the_base_address_of_the_svd(name: str) -> None:
    match = re.search(rf"#define {name}_BASE (0x[0-9A-F]+)UL", HEADER)
    assert match
    peripheral = demo().peripheral(name)
    assert peripheral is not None and int(match[1], 16) == peripheral.base_address


@cache
def structs() -> dict[str, dict[str, int]]:
    """Struct type -> member -> offset in bytes, counted from the header's declarations."""
    found: dict[str, dict[str, int]] = {}
    for body, struct in re.findall(r"typedef struct \{(.*?)\} (\w+);", HEADER, re.S):
        members = found.setdefault(struct, {})
        offset = 0
        for line in body.splitlines():
            if match := re.search(r"DMA_STREAM\((\d)\)", line):
                for name in ("CR", "NDTR", "PAR", "M0AR", "M1AR", "FCR"):
                    members[f"S{match[1]}{name}"] = offset
                    offset += 4
            elif match := re.search(r"uint32_t (\w+)(?:\[(\d+)\])?;", line):
                members[match[1]] = offset
                if said := re.search(r"/\* 0x(\w\w)", line):
                    assert int(said[1], 16) == offset, line
                offset += 4 * int(match[2] or 1)
    return found


@cache
def instances() -> dict[str, tuple[str, int]]:
    """Peripheral macro -> struct type and base address, as the header says."""
    bases = dict(re.findall(r"#define (\w+)_BASE (0x[0-9A-F]+)UL", HEADER))
    macros = re.findall(r"#define (\w+) \(\((\w+) \*\)\1_BASE\)", HEADER)
    return {name: (struct, int(bases[name], 16)) for name, struct in macros}


@pytest.mark.parametrize("name", [p.name for p in demo().peripherals])
def test_header_has_the_offsets_of_the_svd(name: str) -> None:
    peripheral = demo().peripheral(name)
    assert peripheral is not None
    offsets = {r.display_name or r.path: r.offset for r in peripheral.registers}
    if "AFRL" in offsets:  # C code has the two as one array
        offsets["AFR"] = offsets.pop("AFRL")
        assert offsets.pop("AFRH") == offsets["AFR"] + 4
    members = structs()[instances()[name][0]]
    assert {k: v for k, v in members.items() if not k.startswith("reserved")} == offsets


def test_every_register_in_the_firmware_is_found_where_the_header_puts_it() -> None:
    lookups = [Lookup(add_core(demo()))]
    found = 0
    for path in sorted((DEMO / "src").glob("*.c")):
        source = Source(path.read_bytes())
        for match in re.finditer(rb"(\w+)->(\w+)(?:\[(\d)\])?", source.data):
            if match[1].islower():  # a pointer, not a peripheral
                continue
            struct, base = instances()[match[1].decode()]
            address = base + structs()[struct][match[2].decode()] + 4 * int(match[3] or 0)
            for group in (1, 2):
                resolved = resolve_at(source, match.start(group), lookups)
                assert resolved is not None, match[0]
                assert resolved.locations[0].address == address, match[0]
                assert (len(resolved.locations) > 1) == (match[2] == b"ISER"), match[0]
            found += 1
    assert found > 50


def test_manual_gives_the_svds_base_addresses_and_clock_bits() -> None:
    lookup = Lookup(demo())
    rows = re.findall(
        r"^\| (\w+) \| 0x(\w{4}) (\w{4}) \| \w+ \| (?:(RCC)_(\w+) bit (\d+))?", MANUAL, re.M
    )
    assert len(rows) == len(demo().peripherals)
    for name, high, low, rcc, register, bit in rows:
        peripheral = demo().peripheral(name)
        assert peripheral is not None and peripheral.base_address == int(high + low, 16)
        if rcc:
            (enable,) = lookup.find(f"RCC.{register}.{name}EN")
            assert enable.field is not None and enable.field.lsb == enable.field.msb == int(bit)


def test_manual_gives_the_nearest_divider_for_each_baud_rate() -> None:
    rows = re.findall(r"^\| (\d+) \| 0x(\w+) \| (\S+) % \| 0x(\w+) \| (\S+) % \|$", MANUAL, re.M)
    assert len(rows) == 11
    for baud, at16, error16, at42, error42 in rows:
        for clock, divider, error in ((16e6, at16, error16), (42e6, at42, error42)):
            value = int(divider, 16)
            actual = clock / value
            nearer = min(abs(clock / (value + step) - int(baud)) for step in (-1, 1))
            assert abs(actual - int(baud)) <= nearer
            assert abs((actual / int(baud) - 1) * 100 - float(error)) < 0.006


def test_manual_gives_every_stream_register_its_offset() -> None:
    dma = demo().peripheral("DMA1")
    assert dma is not None
    offsets = {r.path: r.offset for r in dma.registers}
    rows = re.findall(r"^\| (\d)((?: \| 0x\w\w){6}) \|$", MANUAL, re.M)
    assert len(rows) == 8
    for stream, cells in rows:
        given = [int(cell, 16) for cell in re.findall(r"0x\w\w", cells)]
        names = ("CR", "NDTR", "PAR", "M0AR", "M1AR", "FCR")
        assert given == [offsets[f"S{stream}{name}"] for name in names]


def test_manuals_cross_references_lead_to_a_section() -> None:
    sections = set(re.findall(r"^#+ ([\d.]+) ", MANUAL, re.M))
    references = re.findall(r"sections? (\d[\d.]*\d)(?: or (\d[\d.]*\d))?", MANUAL)
    assert len(references) >= 8
    assert {number for pair in references for number in pair if number} <= sections


def test_manual_pdf_is_there_and_small() -> None:
    pdf = (DEMO / "manual" / "stm32f407-demo-manual.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-") and len(pdf) < 300_000
    assert b"/Outlines" in pdf


def test_firmware_compiles() -> None:
    compiler = shutil.which("arm-none-eabi-gcc") or shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("the firmware is compiled to see its facts, and no C compiler is here")
    sources = sorted(map(str, (DEMO / "src").glob("*.c")))
    flags = ["-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Werror", "-DSTM32F407xx"]
    done = subprocess.run(
        [compiler, *flags, "-I", str(DEMO / "include"), *sources], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
