"""Broken and hostile XML: refused in one sentence, capped, or mended, never a crash or a hang."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheet_lsp.model import Device
from datasheet_lsp.svd import SvdError, load_svd, parse_svd

HAZARDS = Path(__file__).parent / "cases" / "hazards"


def svd(inside: str, attributes: str = "") -> bytes:
    """A device with one peripheral A at 0x40000000 and, behind it, the peripherals ``inside``."""
    return textwrap.dedent(f"""\
        <?xml version="1.0" encoding="utf-8"?>
        <device{attributes}><name>T</name><size>32</size><peripherals>
        <peripheral><name>A</name><baseAddress>0x40000000</baseAddress><registers>
        <register><name>R</name><description>d</description><addressOffset>8</addressOffset>
        </register></registers></peripheral>
        {inside}
        </peripherals></device>
        """).encode()


def the_register(device: Device) -> int:
    ((peripheral, register),) = device.walk()
    assert (peripheral.name, register.path) == ("A", "R")
    return peripheral.base_address + register.offset


@pytest.mark.parametrize("name", ["bomb", "xxe"])
def test_a_doctype_is_refused(name: str) -> None:
    with pytest.raises(SvdError, match=r"line 1 has a DOCTYPE.*remove it to use the file\.$"):
        load_svd(HAZARDS / f"{name}.svd")


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("bare_amp", "R&D"),
        ("bom", None),
        ("ctrlchar", None),
        ("html_entity", None),
        ("latin1_declared", None),
        ("xmlns", None),
    ],
)
def test_what_can_be_mended_is_read(name: str, description: str | None) -> None:
    device = load_svd(HAZARDS / f"{name}.svd")
    assert the_register(device) == 0x40000000
    if description:
        assert device.peripherals[0].description == description


def test_mended_texts_keep_their_characters() -> None:
    by_name = {
        name: load_svd(HAZARDS / f"{name}.svd").peripherals[0].description
        for name in ("html_entity", "latin1_declared")
    }
    for text in by_name.values():
        assert text and "\ufffd" not in text and "&" not in text


def test_mending_is_reported_with_its_line() -> None:
    broken = svd("").replace(b"<description>d<", b"<description>R&D, 10 \xb5s<")
    device = parse_svd(broken, "x.svd")
    assert the_register(device) == 0x40000008
    assert device.peripherals[0].registers[0].description == "R&D, 10 µs"
    assert [d.line for d in device.diagnostics] == [4, 4]


def test_a_peripheral_without_base_address_is_left_out_and_said() -> None:
    device = load_svd(HAZARDS / "nobase.svd")
    assert device.peripherals == ()
    assert [d.severity for d in device.diagnostics] == ["error"]
    assert "A has no baseAddress" in device.diagnostics[0].message


@pytest.mark.parametrize(
    "data",
    [
        svd(
            "<peripheral><name>B</name><baseAddress>0</baseAddress><registers>" + "<cluster>" * 3000
        ),
        b"<device>" + b"<a>" * 3000,
        b"<device><name>x" + b"\0" * 100,
        b"",
        b"   ",
        b"\xff\xfe",
        b"no xml",
        b"<",
        b"<?xml",
        b"<!-- never closed",
        b"<html><body>404</body></html>",
        b"{}",
        b"PK\x03\x04",
    ],
)
def test_no_svd_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(SvdError) as refused:
        parse_svd(data, "chip.svd")
    text = str(refused.value)
    assert text.startswith("chip.svd ") and text.endswith(".") and "\n" not in text


def test_a_file_that_breaks_off_keeps_what_is_whole() -> None:
    whole = svd(
        "<peripheral><name>B</name><baseAddress>0x50000000</baseAddress></peripheral>"
        "<peripheral><name>C</name><baseAddress>0x60000000</baseAddress></peripheral>"
    )
    device = parse_svd(whole[: whole.index(b"<name>C") + 5], "x.svd")
    names = [p.name for p in device.peripherals]
    assert names[:2] == ["A", "B"]
    assert any(d.severity == "error" and d.line >= 6 for d in device.diagnostics)


def test_one_wrong_tag_costs_one_item() -> None:
    broken = svd(
        "<peripheral><name>B</name><baseAddress>0x50000000</baseAddress><registers>"
        "<register><name>X</nam><addressOffset>0</addressOffset></register></registers></peripheral>"
        "<peripheral><name>C</name><baseAddress>0x60000000</baseAddress></peripheral>"
    )
    device = parse_svd(broken, "x.svd")
    assert device.peripherals[0].name == "A"
    assert device.peripherals[0].registers[0].offset == 8
    assert any(d.severity == "error" for d in device.diagnostics)


def test_circles_of_derived_from_are_cut() -> None:
    inside = "".join(
        f'<peripheral derivedFrom="{base}"><name>{name}</name><baseAddress>{address}</baseAddress>'
        "<registers><register derivedFrom='S'><name>Q</name><addressOffset>0</addressOffset>"
        "</register><register derivedFrom='Q'><name>S</name><addressOffset>4</addressOffset>"
        "</register></registers></peripheral>"
        for name, base, address in [
            ("X", "Y", 256),
            ("Y", "Z", 512),
            ("Z", "X", 768),
            ("W", "W", 0),
        ]
    )
    device = parse_svd(svd(inside), "x.svd")
    assert {p.name for p in device.peripherals} == {"A", "X", "Y", "Z", "W"}
    assert any("leads back to it" in d.message for d in device.diagnostics)
    addresses = {f"{p.name}.{r.path}": p.base_address + r.offset for p, r in device.walk()}
    assert addresses["X.Q"] == 256 and addresses["Z.S"] == 772


_MEASURED = """
import re, sys, time
from pathlib import Path
from datasheet_lsp.svd import SvdError, load_svd
start = time.process_time()
try:
    load_svd(Path(sys.argv[1]))
except SvdError as error:
    print(error)
# Not ru_maxrss: that is at least what the parent had when it started this process.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(time.process_time() - start, int(peak.group(1)) / 1024)
"""

_NESTED = (
    "<cluster><dim>500</dim><dimIncrement>4</dimIncrement><name>C[%s]</name>"
    "<addressOffset>0</addressOffset>"
)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param((HAZARDS / "dimbomb.svd").read_bytes(), id="dim 0x7fffffff"),
        pytest.param((HAZARDS / "bomb.svd").read_bytes(), id="entities"),
        pytest.param(
            svd(
                "<peripheral><name>B</name><baseAddress>0</baseAddress><registers>"
                + _NESTED * 5
                + "<register><dim>500</dim><dimIncrement>4</dimIncrement><name>R%s</name>"
                + "<addressOffset>0</addressOffset></register>"
                + "</cluster>" * 5
                + "</registers></peripheral>"
            ),
            id="arrays in arrays",
        ),
        pytest.param(
            svd(
                "<peripheral><dim>0x7fffffff</dim><dimIncrement>4</dimIncrement><name>P%s</name>"
                "<baseAddress>0</baseAddress></peripheral>"
            ),
            id="peripheral array",
        ),
        pytest.param(
            svd(
                "<peripheral><name>B</name><baseAddress>0</baseAddress><registers><register>"
                "<name>R</name><addressOffset>0</addressOffset><fields><field><name>F%s</name>"
                "<dim>0x7fffffff</dim><dimIncrement>1</dimIncrement><bitRange>[0:0]</bitRange>"
                "</field></fields></register></registers></peripheral>"
            ),
            id="field array",
        ),
        pytest.param(
            svd("<peripheral><name>B</name><registers>" + "<cluster>" * 3000), id="depth 3,000"
        ),
    ],
)
def test_hostile_files_take_a_second_and_200_megabytes_at_most(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "hostile.svd"
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    seconds, megabytes = map(float, done.stdout.splitlines()[-1].split())
    assert seconds < 1
    assert megabytes < 200


def test_a_capped_array_keeps_its_first_elements() -> None:
    device = load_svd(HAZARDS / "dimbomb.svd")
    registers = device.peripherals[0].registers
    assert len(registers) == 65_536
    assert (registers[3].path, registers[3].offset) == ("R3", 12)
    assert any("2147483647" in d.message and d.severity == "error" for d in device.diagnostics)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_device_or_a_refusal(data: bytes) -> None:
    for text in (data, b"<device>" + data, svd(data.decode("latin-1"))):
        try:
            parse_svd(text, "x.svd")
        except SvdError as refused:
            assert "\n" not in str(refused)


_TEXT = st.text(alphabet="0123456789abcdefxX#+-[]:,%s. AZ", max_size=12)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [
                    "name",
                    "dim",
                    "dimIncrement",
                    "dimIndex",
                    "addressOffset",
                    "size",
                    "access",
                    "resetValue",
                    "bitOffset",
                    "bitWidth",
                    "lsb",
                    "msb",
                    "bitRange",
                    "baseAddress",
                    "value",
                    "usage",
                ]
            ),
            _TEXT,
        ),
        max_size=10,
    )
)
def test_any_texts_in_elements_are_survived(elements: list[tuple[str, str]]) -> None:
    body = "".join(f"<{tag}>{text}</{tag}>" for tag, text in elements)
    inside = (
        f"<peripheral derivedFrom='A'><name>B</name><baseAddress>16</baseAddress>{body}<registers>"
        f"<cluster><name>C</name>{body}<register><name>R</name>{body}<fields><field><name>F</name>"
        f"{body}<enumeratedValues>{body}<enumeratedValue>{body}</enumeratedValue>"
        "</enumeratedValues></field></fields></register></cluster></registers></peripheral>"
    )
    device = parse_svd(svd(inside), "x.svd")
    assert device.peripherals[0].name == "A"
    for _, register in device.walk():
        assert all(0 <= field.lsb <= field.msb for field in register.fields)
