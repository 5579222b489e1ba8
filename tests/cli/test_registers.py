"""``registers``: all of a file, as text, JSON and CSV."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from pathlib import Path

import pytest

from tests.cli.command import GOLDEN, answer, refused, run


def test_json_has_the_file_and_nothing_of_the_core(tmp_path: Path) -> None:
    text = GOLDEN.read_text(encoding="utf-8").replace(
        "<addressUnitBits>",
        "<cpu><name>CM4</name><revision>r0p1</revision><endian>little</endian>"
        "<mpuPresent>true</mpuPresent><fpuPresent>true</fpuPresent><nvicPrioBits>4</nvicPrioBits>"
        "<vendorSystickConfig>false</vendorSystickConfig></cpu><addressUnitBits>",
        1,
    )
    (tmp_path / "m4.svd").write_text(text, encoding="utf-8")
    data = answer("registers", tmp_path / "m4.svd")
    assert [p["name"] for p in data["peripherals"]] == ["UART1", "UART2"]
    assert data["device"]["cpu"]["name"] == "CM4"
    paths = [r["path"] for r in data["peripherals"][1]["registers"]]
    assert paths == [
        "CTRL", "STAT", "DATA", "DATA_RAW", "FILTER[0]", "FILTER[1]", "FILTER[2]", "FILTER[3]",
        "KEY", "CH[0].CFG", "CH[0].PTR0", "CH[0].PTR1", "CH[1].CFG", "CH[1].PTR0", "CH[1].PTR1",
    ]  # fmt: skip
    assert data["peripherals"][1]["registers"][-1]["address"] == 0x40005118


def test_table_has_a_line_for_each_register() -> None:
    lines = run("registers", GOLDEN).stdout.splitlines()
    assert lines[1] == "2 peripherals, 30 registers, 26 fields"
    (key,) = [line for line in lines if " UART1.KEY " in line]
    assert key.split()[:5] == ["0x40004040", "UART1.KEY", "64", "w", "0x8000000000000001"]
    assert sum(line.startswith("0x4000") for line in lines) == 30


def test_what_is_wrong_with_the_file_goes_to_standard_error() -> None:
    done = run("registers", GOLDEN)
    number = 1 + GOLDEN.read_text(encoding="utf-8").split("<name>LOST</name>")[0].count("\n")
    assert f"chip.svd:{number}: " in done.stderr


def test_csv_can_be_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(run("registers", GOLDEN, "--csv").stdout)))
    (key,) = [row for row in rows if row["register"] == "KEY" and row["peripheral"] == "UART1"][:1]
    assert key["reset_value"] == "0x8000000000000001"
    assert "| `now` <b>" in key["description"]


@pytest.mark.parametrize("suffix", [".xml", ".svd.gz", ".pack"])
def test_other_kinds_of_files_give_the_same(tmp_path: Path, suffix: str) -> None:
    path, data = tmp_path / f"chip{suffix}", GOLDEN.read_bytes()
    if suffix == ".svd.gz":
        path.write_bytes(gzip.compress(data))
    elif suffix == ".pack":
        with zipfile.ZipFile(path, "w") as pack:
            pack.writestr("SVD/chip.svd", data)
            pack.writestr("SVD/other.svd", b"<device></device>")
    else:
        path.write_bytes(data)
    member = ["--member", "chip"] if suffix == ".pack" else []
    assert answer("registers", path, *member) == answer("registers", GOLDEN)


def test_a_file_that_is_no_svd_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "page.svd").write_text("<html><body>404</body></html>")
    assert "page.svd" in refused("registers", tmp_path / "page.svd")
    assert "gone.svd" in refused("registers", tmp_path / "gone.svd")
    assert tmp_path.name in refused("registers", tmp_path)
