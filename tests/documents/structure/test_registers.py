"""What lines, headings and captions say of registers, and their names in a device."""

from __future__ import annotations

import pytest

from datasheet_lsp.documents.structure.names import DeviceNames, expand, stem
from datasheet_lsp.documents.structure.regtext import (
    Caption,
    caption_register,
    heading_names,
    parse_line,
    reset_value,
)
from datasheet_lsp.svd import parse_svd

from .documents import BOLD, TITLE, build, page


@pytest.mark.parametrize(
    ("text", "kind", "numbers", "reset"),
    [
        ("Address offset: 0x08", "offset", (8,), None),
        ("Address offset:0x01C", "offset", (0x1C,), None),
        ("Offset address: 0x04", "offset", (4,), None),
        ("Offset: 0x008", "offset", (8,), None),
        ("Address offset: 0x10 + 0x18 × stream number", "offset", (0x10, 0x18), None),
        ("Address:0x4000a004", "address", (0x4000A004,), None),
        ("Address: 0x4002 1000", "address", (0x40021000,), None),
        ("Reset value: 0x0000 0000", "reset", (), 0),
        ("Reset value: 0xF0E9 5111", "reset", (), 0xF0E95111),
        ("Reset value: 0x0000 XX83", "reset", (), None),
        ("Power-on reset value: 0x01", "reset", (), 1),
    ],
)
def test_lines_of_registers(text: str, kind: str, numbers: tuple, reset: int | None) -> None:
    said = parse_line(text)
    assert said is not None
    assert (said.kind, said.numbers, said.reset) == (kind, numbers, reset)


@pytest.mark.parametrize(
    "text",
    [
        "Offset errors are removed by calibration.",
        "Reset the register before 0x10 is written.",
        "Address space of the core",
        "The address offset 0x20 has its bits at the same places.",
    ],
)
def test_sentences_say_nothing(text: str) -> None:
    assert parse_line(text) is None


def test_reset_values_for_some_instances() -> None:
    one = parse_line("Reset value: 0xABFF FFFF for port A")
    rest = parse_line("Reset value: 0xFFFF FFFF for other ports")
    assert one is not None and rest is not None
    assert (one.reset, one.general) == (0xABFFFFFF, False)
    assert (rest.reset, rest.general) == (0xFFFFFFFF, True)


def test_reset_values_of_lists() -> None:
    assert reset_value("0x0000 00C0") == 0xC0
    assert reset_value("0x000000XX") is None
    assert reset_value("0") == 0
    assert reset_value("Unknown") is None
    assert reset_value("-") is None


@pytest.mark.parametrize(
    ("title", "names", "offsets"),
    [
        ("RCC clock configuration register (RCC_CFGR)", ["RCC_CFGR"], []),
        ("GPIO port mode register (GPIOx_MODER) (x = A to H, J, K)", ["GPIOx_MODER"], []),
        ("Control registers (USART_CR1, CR2)", ["USART_CR1", "USART_CR2"], []),
        ("urx_config", ["urx_config"], []),
        ("Register 107 – Power Management 1 PWR_MGMT_1", ["PWR_MGMT_1"], [107]),
        (
            "Registers 65 and 66 – Temperature TEMP_OUT_H and TEMP_OUT_L",
            ["TEMP_OUT_H", "TEMP_OUT_L"],
            [65, 66],
        ),
        ("Register 0xF4 “ctrl_meas”", ["ctrl_meas"], [0xF4]),
        ("Register 26 – Configuration CONFIG", ["CONFIG"], [26]),
        ("Reset and clock control", [], []),
        ("Main features", [], []),
    ],
)
def test_names_in_headings(title: str, names: list[str], offsets: list[int]) -> None:
    assert heading_names(title) == (names, offsets)


@pytest.mark.parametrize(
    ("caption", "register"),
    [
        (
            "USART Baud Rate register (BRG, address 0x4006 4020 (USART0), 0x4006 8020 (USART1)) "
            "bit description",
            Caption("BRG", "USART Baud Rate register", None, (0x40064020, 0x40068020)),
        ),
        (
            "Configuration registers (CFG[0:17], addresses 0x5000 8400 (CFG0) to address "
            "0x5000 8510 (CFG17)) bit description",
            Caption("CFG[0:17]", "Configuration registers", None, (0x50008400, 0x50008510)),
        ),
        ("BAUDRATE", Caption("BAUDRATE")),
        ("CH[m].TEP", Caption("CH[m].TEP")),
        ("SYST_RVR register bit assignments", Caption("SYST_RVR")),
        ("ISER bit assignments", Caption("ISER")),
        ("Register 0xF4 “ctrl_meas”", Caption("ctrl_meas", "Register 0xF4 “ctrl_meas”", 0xF4)),
    ],
)
def test_names_in_captions(caption: str, register: Caption) -> None:
    assert caption_register(caption) == register


def test_captions_of_other_tables_name_no_register() -> None:
    for caption in ("", "Operating conditions", "Peripheral clock enabling (continued)"):
        assert caption_register(caption) is None


SVD = b"""<device><name>CHIP</name><peripherals>
<peripheral><name>USART1</name><groupName>USART</groupName><baseAddress>0x40011000</baseAddress>
 <registers>
  <register><name>SR</name><addressOffset>0</addressOffset></register>
  <register><name>BRR</name><addressOffset>8</addressOffset></register>
 </registers></peripheral>
<peripheral derivedFrom="USART1"><name>USART2</name>
 <baseAddress>0x40004400</baseAddress></peripheral>
<peripheral derivedFrom="USART1"><name>UART4</name><groupName>USART</groupName>
 <baseAddress>0x40004C00</baseAddress></peripheral>
<peripheral><name>GPIOA</name><groupName>GPIO</groupName><baseAddress>0x40020000</baseAddress>
 <registers><register><name>MODER</name><addressOffset>0</addressOffset></register></registers>
</peripheral>
<peripheral derivedFrom="GPIOA"><name>GPIOB</name><baseAddress>0x40020400</baseAddress></peripheral>
<peripheral><name>DMA1</name><baseAddress>0x40026000</baseAddress><registers>
 <register><name>S0CR</name><addressOffset>0x10</addressOffset></register>
 <register><name>S1CR</name><addressOffset>0x28</addressOffset></register>
 <cluster><name>CH[%s]</name><dim>2</dim><dimIncrement>16</dimIncrement>
  <addressOffset>0x100</addressOffset>
  <register><name>CFG</name><addressOffset>0</addressOffset></register></cluster>
</registers></peripheral>
<peripheral><name>TIM2</name><groupName>TIM</groupName><baseAddress>0x40000000</baseAddress>
 <registers><register><name>TIM_CNT</name><addressOffset>0x24</addressOffset></register></registers>
</peripheral>
<peripheral derivedFrom="TIM2"><name>TIM3</name><baseAddress>0x40000400</baseAddress></peripheral>
<peripheral derivedFrom="TIM2"><name>TIM8</name><baseAddress>0x40010400</baseAddress></peripheral>
</peripherals></device>"""


@pytest.fixture(scope="module")
def names() -> DeviceNames:
    return DeviceNames(parse_svd(SVD, "chip.svd"))


@pytest.mark.parametrize(
    ("printed", "paths"),
    [
        ("USART2_BRR", ["USART2.BRR"]),
        ("R32_USART1_BRR", ["USART1.BRR"]),
        ("USART_BRR", ["USART1.BRR", "USART2.BRR", "UART4.BRR"]),
        ("USARTx_BRR", ["USART1.BRR", "USART2.BRR", "UART4.BRR"]),
        ("UART4.BRR", ["UART4.BRR"]),
        ("USART4_BRR", ["UART4.BRR"]),
        ("GPIOx_MODER", ["GPIOA.MODER", "GPIOB.MODER"]),
        ("DMA_SxCR", ["DMA1.S0CR", "DMA1.S1CR"]),
        ("CH[n].CFG", ["DMA1.CH[%s].CFG"]),
        ("CH[1].CFG", ["DMA1.CH[%s].CFG"]),
        ("CFG1", ["DMA1.CH[%s].CFG"]),
        ("TIM3_CNT", ["TIM3.TIM_CNT"]),
        ("NOTHING_HERE", []),
    ],
)
def test_printed_names(names: DeviceNames, printed: str, paths: list[str]) -> None:
    assert names.by_name(printed, names.peripherals("DMA1")) == paths


def test_peripherals_of_titles(names: DeviceNames) -> None:
    def named(title: str) -> list[str]:
        return [p.name for p in names.in_title(title)]

    assert named("General-purpose timers (TIM2 to TIM5)") == ["TIM2", "TIM3"]
    assert named("TIM2/3 functional description") == ["TIM2", "TIM3"]
    assert named("Serial interface (USART)") == ["USART1", "USART2", "UART4"]
    assert named("LPC82x USART1/2") == ["USART1", "USART2"]
    assert named("Electrical characteristics") == []


def test_families_and_ranges(names: DeviceNames) -> None:
    assert names.family(["USART1", "USART2", "UART4"]) == "USART"
    assert names.family(["TIM3"]) == "TIM3"
    assert names.family(["GPIOA", "TIM3"]) == ""
    assert stem("GPIOA") == "GPIO"
    assert expand("NVIC_ISER0-NVIC_ISER2") == ["NVIC_ISER0", "NVIC_ISER1", "NVIC_ISER2"]
    assert expand("W0 to W3") == ["W0", "W1", "W2", "W3"]


def test_addresses(names: DeviceNames) -> None:
    assert names.by_address([0x40004408]) == ["USART2.BRR"]
    assert names.by_address([0x40026110]) == ["DMA1.CH[%s].CFG"]
    assert names.by_address([0x1]) == []


def chapter(*registers: tuple) -> list:
    lines = [("6 Serial interface (USART)", 60, 40, TITLE), ("6.1 Registers", 60, 70, TITLE)]
    y = 100.0
    for text, font in registers:
        lines.append((text, 60, y, font))
        y += 22
    return [page(1, lines)]


def test_registers_of_a_chapter(names: DeviceNames) -> None:
    from datasheet_lsp.documents.structure import match_device

    document = build(
        chapter(
            ("6.1.1 Status register (USART_SR)", BOLD),
            ("Address offset: 0x00", 0),
            ("Reset value: 0x0000 00C0", 0),
            ("Bits 31:8 Reserved, must be kept at reset value.", 0),
            ("Bit 7 TXE: transmit data register empty", 0),
            ("6.1.2 Baud rate register (USART_BRR)", BOLD),
            ("Address offset: 0x08", 0),
            ("Reset value: 0x0000 0000", 0),
            ("Bits 15:4 DIV_Mantissa[11:0]: mantissa of the divider", 0),
        )
    )
    assert document.sections[-1].peripheral == "USART"
    matched = match_device(document, names)
    found = [
        (r.name, r.title, r.offset, r.reset, [(f.name, f.msb, f.lsb) for f in r.fields], r.matches)
        for r in matched.registers
    ]
    everywhere = ("USART1", "USART2", "UART4")
    assert found == [
        (
            "USART_SR",
            "Status register",
            0,
            0xC0,
            [("TXE", 7, 7)],
            tuple(f"{p}.SR" for p in everywhere),
        ),
        (
            "USART_BRR",
            "Baud rate register",
            8,
            0,
            [("DIV_Mantissa", 15, 4)],
            tuple(f"{p}.BRR" for p in everywhere),
        ),
    ]
    assert {s.peripheral for s in matched.sections if s.number} == {"USART"}
    assert document.registers[0].matches == ()
