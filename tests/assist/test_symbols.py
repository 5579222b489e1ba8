"""Finding registers by what people type, on a device small enough to know every right answer."""

from __future__ import annotations

import time

import pytest

from datasheet_lsp.assist.symbols import SymbolTable, parse_address, symbols
from datasheet_lsp.model import Lookup
from datasheet_lsp.svd import load_svd, parse_svd
from tests.support import shared

SVD = b"""<?xml version="1.0"?>
<device>
  <name>CHIP</name><description>A chip</description>
  <addressUnitBits>8</addressUnitBits><width>32</width><size>32</size>
  <peripherals>
    <peripheral>
      <name>USART2</name><description>Serial port</description>
      <baseAddress>0x40004400</baseAddress>
      <addressBlock><offset>0</offset><size>0x400</size><usage>registers</usage></addressBlock>
      <registers>
        <register><name>SR</name><addressOffset>0x0</addressOffset></register>
        <register><name>BRR</name><addressOffset>0x8</addressOffset></register>
        <register>
          <name>CR1</name><addressOffset>0xC</addressOffset>
          <fields>
            <field><name>TXEIE</name><lsb>7</lsb><msb>7</msb></field>
            <field><name>UE</name><lsb>13</lsb><msb>13</msb></field>
          </fields>
        </register>
      </registers>
    </peripheral>
    <peripheral derivedFrom="USART2">
      <name>USART3</name><baseAddress>0x40004800</baseAddress>
    </peripheral>
    <peripheral>
      <name>DAC</name><description>Converter</description>
      <baseAddress>0x40007400</baseAddress>
      <registers>
        <register><name>CR</name><addressOffset>0x0</addressOffset></register>
        <register>
          <dim>2</dim><dimIncrement>4</dimIncrement>
          <name>DHR[%s]</name><addressOffset>0x8</addressOffset>
        </register>
      </registers>
    </peripheral>
  </peripherals>
</device>
"""


@pytest.fixture(scope="module")
def table() -> SymbolTable:
    return SymbolTable(Lookup(parse_svd(SVD, "chip.svd"))).prepare()


def labels(query: str, table: SymbolTable) -> list[str]:
    return [symbol.label for symbol in symbols(query, [table])]


@pytest.mark.parametrize(
    "query", ["USART2.BRR", "usart2.brr", "usart2brr", "USART2->BRR", "usart2 brr", " Usart2_BRR "]
)
def test_a_register_is_found_however_it_is_written(query: str, table: SymbolTable) -> None:
    assert labels(query, table)[0] == "USART2.BRR"


@pytest.mark.parametrize("query", ["usrt2.brr", "usart2.bbr", "uart2.brr"])
def test_a_slip_of_the_finger_is_forgiven(query: str, table: SymbolTable) -> None:
    assert labels(query, table)[0] == "USART2.BRR"


def test_a_register_s_own_name_finds_it_in_every_peripheral(table: SymbolTable) -> None:
    assert labels("brr", table)[:2] == ["USART2.BRR", "USART3.BRR"]


def test_a_field_is_found_by_its_name_and_by_its_path(table: SymbolTable) -> None:
    assert labels("txeie", table)[:2] == ["USART2.CR1.TXEIE", "USART3.CR1.TXEIE"]
    assert labels("usart3.cr1.ue", table)[0] == "USART3.CR1.UE"


def test_an_element_of_an_array_is_found(table: SymbolTable) -> None:
    assert labels("dac dhr1", table)[0] == "DAC.DHR[1]"


def test_a_peripheral_comes_before_its_registers(table: SymbolTable) -> None:
    assert labels("dac", table)[:2] == ["DAC", "DAC.CR"]


@pytest.mark.parametrize("query", ["0x40004408", "40004408", "0X4000 4408", "0x40004408UL"])
def test_an_address_finds_its_register(query: str, table: SymbolTable) -> None:
    assert labels(query, table) == ["0x40004408 USART2.BRR"]


def test_an_address_within_a_register_finds_it(table: SymbolTable) -> None:
    assert labels("0x4000440a", table) == ["0x4000440A USART2.BRR"]


def test_a_base_address_finds_the_peripheral_and_its_first_register(table: SymbolTable) -> None:
    assert labels("0x40004400", table) == ["0x40004400 USART2", "0x40004400 USART2.SR"]


def test_an_address_between_registers_finds_the_peripheral(table: SymbolTable) -> None:
    assert labels("0x40004500", table) == ["0x40004500 USART2"]


def test_an_address_of_nothing_finds_nothing(table: SymbolTable) -> None:
    assert labels("0x50000000", table) == []


def test_nothing_typed_lists_the_peripherals(table: SymbolTable) -> None:
    assert labels("", table) == ["USART2", "USART3", "DAC"]


def test_what_is_like_nothing_finds_nothing(table: SymbolTable) -> None:
    assert labels("wxyzwxyz", table) == []
    assert labels("->", table) == []


def test_names_that_look_like_digits_are_names() -> None:
    assert parse_address("DAC") is None
    assert parse_address("ADC1") is None
    assert parse_address("facade") is None
    assert parse_address("0xDAC") == 0xDAC
    assert parse_address("e000ed08") == 0xE000ED08
    assert parse_address("0x") is None


def test_lines_are_those_of_the_file(table: SymbolTable) -> None:
    text = SVD.decode().splitlines()
    found = symbols("usart2.brr", [table])[0]
    assert "<name>BRR</name>" in text[found.line - 1]
    found = symbols("usart2.cr1.ue", [table])[0]
    assert "<name>UE</name>" in text[found.line - 1]


def test_two_devices_are_searched_together(table: SymbolTable) -> None:
    other = SymbolTable(Lookup(parse_svd(SVD.replace(b"CHIP", b"TWIN"), "twin.svd")))
    found = symbols("usart2.brr", [table, other])
    assert [s.location.device.name for s in found[:2]] == ["CHIP", "TWIN"]


def test_the_list_is_bounded_and_a_large_device_is_searched_fast() -> None:
    device = load_svd(shared("corpus/svd/STM32F407.svd"))
    table = SymbolTable(Lookup(device)).prepare()
    slowest = 0.0
    for query in ("e", "usart2.brr", "usrt2.bbr", "gpio a moder", "0x40004408", "txeie", ""):
        start = time.perf_counter()
        found = symbols(query, [table])
        slowest = max(slowest, time.perf_counter() - start)
        assert 0 < len(found) <= 100
    print(f"slowest {slowest * 1000:.1f} ms over {len(table.places)} names")
    assert slowest < 0.5  # a guard; the aim is 30 ms
