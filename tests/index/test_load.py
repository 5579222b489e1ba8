"""A file is parsed once; after that its device comes from the index."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from datasheet_lsp.index import Index, device_key, load_device
from datasheet_lsp.svd import SvdError

SVD = """<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.3">
  <name>ACME1</name>
  <description>A made-up chip</description>
  <cpu>
    <name>CM4</name>
    <revision>r0p1</revision>
    <endian>little</endian>
    <mpuPresent>true</mpuPresent>
    <fpuPresent>true</fpuPresent>
    <nvicPrioBits>4</nvicPrioBits>
    <vendorSystickConfig>false</vendorSystickConfig>
  </cpu>
  <addressUnitBits>8</addressUnitBits>
  <width>32</width>
  <size>32</size>
  <peripherals>
    <peripheral>
      <name>UART0</name>
      <baseAddress>0x40001000</baseAddress>
      <registers>
        <register><name>CR</name><addressOffset>0x4</addressOffset></register>
      </registers>
    </peripheral>
  </peripherals>
</device>
"""

READ = """
import sys
from pathlib import Path
from datasheet_lsp.index import Index, load_device
with Index(Path(sys.argv[2])) as index:
    device = load_device(Path(sys.argv[1]), index=index)
    assert index.problem is None, index.problem
register = device.peripheral("UART0").registers[0]
print(device.name, hex(register.offset), "SCB" in [p.name for p in device.peripherals])
print(*("lxml" in sys.modules, "datasheet_lsp.svd.reader" in sys.modules))
"""


@pytest.fixture
def svd(tmp_path: Path) -> Path:
    path = tmp_path / "acme1.svd"
    path.write_text(SVD)
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / ".datasheet" / "index.sqlite"


def keys(index: Index) -> list[str]:
    assert index._connection is not None
    return [key for (key,) in index._connection.execute("SELECT key FROM devices")]


def test_the_second_process_reads_no_xml(svd: Path, place: Path) -> None:
    said = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", READ, str(svd), str(place)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.splitlines())
    assert said == [
        ["ACME1 0x4 True", "True True"],
        ["ACME1 0x4 True", "False False"],
    ]


def test_without_an_index_the_file_is_parsed(svd: Path) -> None:
    device = load_device(svd)
    assert device.peripheral("UART0") is not None
    assert device.peripheral("SCB") is not None
    assert device.source == "acme1.svd"


def test_the_device_carries_the_hash_of_its_file(svd: Path, place: Path) -> None:
    wanted = hashlib.sha256(SVD.encode()).hexdigest()
    assert load_device(svd).sha256 == wanted
    with Index(place) as index:
        assert load_device(svd, index=index).sha256 == wanted
        assert load_device(svd, index=index).sha256 == wanted


def test_a_changed_file_is_parsed_anew(svd: Path, place: Path) -> None:
    with Index(place) as index:
        load_device(svd, index=index)
        svd.write_text(SVD.replace("0x40001000", "0x50001000"))
        device = load_device(svd, index=index)
        uart = device.peripheral("UART0")
        assert uart is not None and uart.base_address == 0x5000_1000
        assert len(keys(index)) == 2


def test_the_same_content_under_another_name_keeps_that_name(svd: Path, place: Path) -> None:
    other = svd.with_name("other.svd")
    other.write_text(SVD)
    with Index(place) as index:
        load_device(svd, index=index)
        assert load_device(other, index=index).source == "other.svd"
        assert load_device(svd, index=index).source == "acme1.svd"


def test_the_same_file_in_another_folder_is_found(svd: Path, place: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved" / "acme1.svd"
    moved.parent.mkdir()
    moved.write_text(SVD)
    with Index(place) as index:
        load_device(svd, index=index)
        load_device(moved, index=index)
        assert len(keys(index)) == 1


@pytest.mark.parametrize(
    "version",
    ["datasheet_lsp.svd.version.READER_VERSION", "datasheet_lsp.svd.cores.CORE_VERSION"],
)
def test_a_newer_reader_does_not_use_what_an_older_one_stored(
    svd: Path, place: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index(place) as index:
        load_device(svd, index=index)
        monkeypatch.setattr(version, 1_000)
        load_device(svd, index=index)
        assert len(keys(index)) == 2


def test_every_part_of_the_key_counts() -> None:
    made = {
        device_key("ab", "x.pack"),
        device_key("cd", "x.pack"),
        device_key("ab", "y.pack"),
        device_key("ab", "x.pack", "D1"),
        device_key("ab", "x.pack", "D2"),
    }
    assert len(made) == 5


def test_a_compressed_file_is_kept_too(tmp_path: Path, place: Path) -> None:
    path = tmp_path / "acme1.svd.gz"
    path.write_bytes(gzip.compress(SVD.encode()))
    with Index(place) as index:
        first = load_device(path, index=index)
        assert load_device(path, index=index) == first
        assert len(keys(index)) == 1


def test_a_file_that_is_no_svd_is_refused_and_not_kept(tmp_path: Path, place: Path) -> None:
    path = tmp_path / "page.svd"
    path.write_text("<html/>")
    with Index(place) as index:
        for _ in range(2):
            with pytest.raises(SvdError):
                load_device(path, index=index)
        assert keys(index) == []


@pytest.mark.parametrize("what", ["missing", "folder"])
def test_what_cannot_be_read_is_refused_in_one_sentence(
    tmp_path: Path, place: Path, what: str
) -> None:
    path = tmp_path / f"{what}.svd"
    if what == "folder":
        path.mkdir()
    with Index(place) as index, pytest.raises(SvdError, match=f"{what}.svd"):
        load_device(path, index=index)


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    svd: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasheet_lsp.svd

    real = datasheet_lsp.svd.load_svd

    def slow(path: Path, member: str | None = None) -> object:
        device = real(path, member)
        path.write_text(SVD.replace("0x40001000", "0x50001000"))
        os.utime(path, ns=(1, 1))
        return device

    monkeypatch.setattr(datasheet_lsp.svd, "load_svd", slow)
    with Index(place) as index:
        load_device(svd, index=index)
        assert keys(index) == []


def test_a_broken_index_costs_time_alone(svd: Path, place: Path) -> None:
    place.parent.mkdir()
    place.write_bytes(b"garbage " * 1_000)
    with Index(place) as index:
        assert load_device(svd, index=index).name == "ACME1"
        assert index.problem is not None
        assert load_device(svd, index=index).name == "ACME1"
        assert len(keys(index)) == 1
