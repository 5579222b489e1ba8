"""``show`` and ``decode``: by name, by address, by the names headers have."""

from __future__ import annotations

import pytest

from tests.cli.command import GOLDEN, answer, refused, run

SVD = ("--svd", GOLDEN)


@pytest.mark.parametrize(
    ("name", "kind", "path", "address"),
    [
        ("UART1", "peripheral", "UART1", 0x40004000),
        ("uart2.ctrl", "register", "UART2.CTRL", 0x40005000),
        ("UART2->CTRL", "register", "UART2.CTRL", 0x40005000),
        ("UART1.CTRL.MODE", "field", "UART1.CTRL.MODE", 0x40004000),
        ("UART1.FILTER[3]", "register", "UART1.FILTER[3]", 0x4000401C),
        ("UART1.CH[1].PTR0", "register", "UART1.CH[1].PTR0", 0x40004114),
        ("0x40004004", "register", "UART1.STAT", 0x40004004),
        ("0x4000 4004", "register", "UART1.STAT", 0x40004004),
        ("0x40004006", "register", "UART1.STAT", 0x40004004),
    ],
)
def test_what_is_named_is_shown(name: str, kind: str, path: str, address: int) -> None:
    found = answer("show", name, *SVD)
    assert (found["kind"], found["path"], found["address"]) == (kind, path, address)
    assert (found["device"], found["source"]) == ("GOLD1", "chip.svd")
    assert path in run("show", name, *SVD).stdout.splitlines()[0]


def test_register_has_its_fields() -> None:
    found = answer("show", "UART1.CTRL", *SVD)
    assert [(f["name"], f["msb"], f["lsb"]) for f in found["fields"]] == [
        ("EN", 0, 0),
        ("MODE", 6, 4),
        ("DIV", 15, 8),
    ]


def test_two_registers_at_an_address_are_both_shown() -> None:
    found = answer("show", "0x40004008", *SVD)
    assert {place["path"] for place in found} == {"UART1.DATA", "UART1.DATA_RAW"}


def test_a_cluster_is_shown_with_its_registers() -> None:
    golden = (GOLDEN.parent / "cluster" / "plain.txt").read_text(encoding="utf-8")
    assert run("show", "UART1.CH[1]", *SVD).stdout == golden


@pytest.mark.parametrize(
    ("name", "likely"),
    [("UART1.CTLR", "UART1.CTRL"), ("UAR1", "UART1"), ("UART2.STATUS", "UART2.STAT")],
)
def test_a_name_that_is_not_there_brings_the_likely_ones(name: str, likely: str) -> None:
    said = refused("show", name, *SVD)
    assert "Did you mean" in said and likely in said


def test_an_address_without_a_register_is_placed() -> None:
    said = refused("show", "0x40004200", *SVD)
    assert "UART1" in said and "0x200" in said
    refused("show", "0x10", *SVD)


def test_decode_names_what_is_set() -> None:
    golden = (GOLDEN.parent / "decode" / "plain.txt").read_text(encoding="utf-8")
    assert run("decode", "UART1.CTRL", "0x10B51", *SVD).stdout == golden


def test_decode_json_has_every_field() -> None:
    found = answer("decode", "UART1.CTRL", "0x10B51", *SVD)
    assert [(f["name"], f["value"], f["read_name"]) for f in found["fields"]] == [
        ("DIV", 0x0B, None),
        ("MODE", 5, "raw"),
        ("EN", 1, "on"),
    ]
    assert found["unnamed_bits"] == 0x10000
    assert found["value"] == 0x10B51 and found["overflow_bits"] == 0


@pytest.mark.parametrize("written", ["0x33", "51", "0b110011", "0x0033u", "0x0000 0033", "063"])
def test_values_are_written_as_in_c(written: str) -> None:
    assert answer("decode", "UART1.CTRL", written, *SVD)["value"] == 0x33


def test_decode_says_what_a_value_cannot_do() -> None:
    said = run("decode", "UART1.DATA", "0x12345", *SVD).stdout
    assert "More than the register's 16 bits" in said
    said = run("decode", "UART1.STAT", "1", *SVD).stdout
    assert "read-only" in said
    assert "is no register" in refused("decode", "UART1", "1", *SVD)
