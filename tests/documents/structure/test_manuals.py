"""Manuals of the test material against what was read on their pages."""

from __future__ import annotations

import pytest

from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.structure.headings import is_caption, plain
from datasheet_lsp.model.document import Document, RegisterText
from tests.support import shared

from .documents import corpus


def numbered(document: Document) -> dict[str, tuple[int, str]]:
    return {s.number: (s.page, s.title) for s in document.sections if s.number}


def register(document: Document, name: str, *, fields: bool = True) -> RegisterText:
    found = [r for r in document.registers if r.name == name and bool(r.fields) == fields]
    assert len(found) == 1, [r.name for r in document.registers]
    return found[0]


def count_up(prefix: str, last: int) -> list[str]:
    return [f"{prefix}.{n}" for n in range(1, last + 1)]


def test_headings_of_the_rcc_chapter() -> None:
    """No outline; the chapter's numbers run without a gap, read from its pages."""
    found = numbered(corpus("st_stm32h723_rcc.pdf"))
    truth = ["8", *count_up("8", 7), *count_up("8.4", 7), *count_up("8.5", 12)]
    truth += count_up("8.7", 57)
    assert sorted(found) == sorted(truth)
    assert found["8"] == (1, "Reset and clock control (RCC)")
    assert found["8.2"] == (2, "RCC block diagram")
    assert found["8.5.1"] == (14, "Clock naming convention")
    assert found["8.5.12"] == (53, "CPU and bus matrix clock gating control")
    assert found["8.7.8"] == (69, "RCC domain 2 clock configuration register (RCC_D2CFGR)")
    assert found["8.7.57"] == (167, "RCC register map")


def test_headings_of_the_gpio_chapter() -> None:
    found = numbered(corpus("st_stm32h723_gpio.pdf"))
    truth = ["11", *count_up("11", 4), *count_up("11.3", 15), *count_up("11.4", 11)]
    assert sorted(found) == sorted(truth)
    assert found["11.3.14"] == (10, "Using the HSE or LSE oscillator pins as GPIOs")
    assert found["11.4.1"] == (11, "GPIO port mode register (GPIOx_MODER) (x = A to H, J, K)")
    assert found["11.4.2"][0] == 11
    assert found["11.4.3"][0] == 12


def test_headings_of_a_sensor_without_outline() -> None:
    found = numbered(corpus("invensense_mpu6000_regmap.pdf"))
    assert sorted(found) == sorted(["1", "2", "3", "4", *count_up("4", 32)])
    assert found["3"] == (6, "Register Map")
    assert found["4.28"] == (40, "Register 107 – Power Management 1 PWR_MGMT_1")


def test_headings_of_a_data_sheet_without_outline() -> None:
    found = numbered(corpus("bosch_bme280_ds.pdf"))
    assert [n for n in found if "." not in n] == [str(n) for n in range(1, 13)]
    assert found["5"] == (26, "Global memory map and register description")
    assert found["5.4.1"] == (27, "Register 0xD0 “id”")
    assert found["5.4.3"][0] == 27
    assert found["7.12.1"] == (48, "RoHS")
    depths = {n: [m for m in found if m.startswith(f"{n}.")] for n in found}
    for inside in depths.values():
        direct = sorted(int(m.rpartition(".")[2]) for m in inside if m.count(".") == 1)
        assert direct == list(range(1, len(direct) + 1))


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("arm_cm4_guide.pdf", 233),
        ("bouffalo_bl602_rm.pdf", 70),
        ("geehy_apm32f407_ds.pdf", 106),
        ("gigadevice_gd32f450_ds.pdf", 60),
        ("nordic_nrf51_rm.pdf", 265),
        ("nxp_kl25_ds.pdf", 79),
        ("nxp_lpc81x_um.pdf", 678),
        ("nxp_lpc82x_um.pdf", 736),
        ("st_pm0075.pdf", 31),
        ("st_stm32f446_ds.pdf", 111),
        ("wch_ch32v003_rm.pdf", 366),
    ],
)
def test_outline_entries_stand_on_their_line(name: str, entries: int) -> None:
    """PyMuPDF finds the words of the title where the section is said to begin."""
    document = corpus(name)
    file = pymupdf.open(shared(f"corpus/pdf/{name}"))
    wanted = [title for _, title, page in file.get_toc() if page > 0 and not is_caption(title)]
    assert len(wanted) == entries
    sections = [s for s in document.sections if s.origin == "outline"]
    assert len(sections) == entries
    texts = {}
    placed = 0
    for s in sections:
        if s.page not in texts:
            texts[s.page] = file[s.page - 1].get_text("words")
        near = [w[4] for w in texts[s.page] if s.top - 3 <= w[1] <= s.top + 42]
        placed += plain(s.title)[:24] in plain("".join(near))
    assert placed >= 0.99 * entries


def test_chapter_titles_printed_on_each_page_stay_headings() -> None:
    document = corpus("nxp_lpc82x_um.pdf")
    chapters = [s for s in document.sections if s.level == 1 and s.number]
    assert [s.number for s in chapters][:30] == [str(n) for n in range(1, 31)]
    usart = chapters[12]
    assert (usart.number, usart.title, usart.page) == ("13", "LPC82x USART0/1/2", 182)
    assert document.heading_path(next(s.id for s in document.sections if s.number == "13.6.9")) == (
        "LPC82x USART0/1/2",
        "Register description",
        "USART Baud Rate Generator register",
    )


def test_headings_the_outline_leaves_out() -> None:
    found = numbered(corpus("bouffalo_bl602_rm.pdf"))
    assert found["10.4.2"] == (134, "urx_config")
    assert found["10.4.3"] == (134, "uart_bit_prd")
    assert found["3.2.10"] == (28, "GPIO input")
    assert [n for n in found if n.startswith("3.3.")] == count_up("3.3", 19)


def test_wrapped_headings_keep_their_second_line() -> None:
    titles = [s.title for s in corpus("wch_ch32v003_rm.pdf").sections]
    assert "Universal Synchronous Asynchronous Receiver Transmitter (USART)" in titles


TITLES = {
    "arm_cm4_guide.pdf": ("Cortex-M4 Devices Generic User Guide", "DUI 0553B"),
    "bosch_bme280_ds.pdf": (
        "BME280 Combined humidity and pressure sensor BME280 – Data sheet",
        "Rev 1.24",
    ),
    "bouffalo_bl602_rm.pdf": ("BL602/604 Reference Manual", "V1.2"),
    "gigadevice_gd32f450_ds.pdf": ("GD32F450xx ARM® Cortex®-M4 32-bit MCU", "Rev 1.1"),
    "invensense_mpu6000_regmap.pdf": (
        "MPU-6000 and MPU-6050 Register Map and Descriptions",
        "Rev 4.2",
    ),
    "nordic_nrf51_rm.pdf": ("nRF51 Series Reference Manual", "V3.0"),
    "nxp_lpc81x_um.pdf": ("UM10601 LPC81x User manual", "Rev. 1.6"),
    "nxp_lpc82x_um.pdf": ("UM10800 LPC82x User manual", "Rev. 1"),
    "st_pm0075.pdf": (
        "PM0075 Programming manual STM32F10xxx Flash memory microcontrollers",
        "Rev 2",
    ),
    "st_stm32h723_rcc.pdf": ("RM0468: Reset and clock control (RCC)", "Rev 3"),
    "st_stm32h723_gpio.pdf": ("RM0468: General-purpose I/Os (GPIO)", "Rev 3"),
    "wch_ch32v003_rm.pdf": ("CH32V003 Reference Manual", "V1.2"),
}


@pytest.mark.parametrize("name", TITLES)
def test_title_and_revision(name: str) -> None:
    document = corpus(name)
    assert (document.title, document.revision) == TITLES[name]


def test_revision_of_data_sheets() -> None:
    assert corpus("geehy_apm32f407_ds.pdf").revision == "V1.5"
    assert corpus("nxp_kl25_ds.pdf").revision == "Rev 5"
    data_sheet = corpus("st_stm32f446_ds.pdf")
    assert data_sheet.revision == "Rev 6"
    assert data_sheet.title.startswith("STM32F446xC/E: ARM")


LABELS = {
    "arm_cm4_guide.pdf": {5: "v", 12: "1-3", 40: "2-27", 249: "4-33"},
    "bosch_bme280_ds.pdf": {26: "26", 2: "2"},
    "bouffalo_bl602_rm.pdf": {134: "134"},
    "geehy_apm32f407_ds.pdf": {2: "1", 11: "10", 29: "28", 78: "77", 100: "99"},
    "gigadevice_gd32f450_ds.pdf": {1: "0", 9: "8", 60: "59"},
    "invensense_mpu6000_regmap.pdf": {40: "40"},
    "nordic_nrf51_rm.pdf": {156: "156"},
    "nxp_kl25_ds.pdf": {14: "14"},
    "nxp_lpc82x_um.pdf": {198: "198"},
    "st_pm0075.pdf": {25: "25"},
    "st_stm32f446_ds.pdf": {60: "60", 71: "71"},
    "st_stm32h723_gpio.pdf": {1: "508", 12: "519", 19: "526"},
    "st_stm32h723_rcc.pdf": {1: "307", 30: "336", 69: "375", 176: "482"},
    "wch_ch32v003_rm.pdf": {2: "1", 19: "18", 51: "50", 52: "52", 136: "136"},
}


@pytest.mark.parametrize("name", LABELS)
def test_printed_labels(name: str) -> None:
    document = corpus(name)
    assert {page: document.label(page) for page in LABELS[name]} == LABELS[name]


def test_headers_and_footers_are_not_in_the_text() -> None:
    unwanted = {
        "nxp_lpc82x_um.pdf": ("All information provided in this document", "198 of 485"),
        "st_stm32h723_rcc.pdf": ("RM0468 Rev 3", "375/3357"),
        "wch_ch32v003_rm.pdf": ("http://wch.cn",),
        "invensense_mpu6000_regmap.pdf": ("Release Date:", "40 of 46"),
        "arm_cm4_guide.pdf": ("Copyright © 2010-2011",),
    }
    for name, texts in unwanted.items():
        for text in texts:
            hits = [b for b in corpus(name).blocks if text in b.text and b.places[0].page > 2]
            assert not hits, (name, text)


def test_registers_of_the_rcc_chapter() -> None:
    document = corpus("st_stm32h723_rcc.pdf", "STM32H723.svd")
    d2 = register(document, "RCC_D2CFGR")
    assert (d2.offset, d2.reset, d2.matches) == (0x1C, 0, ("RCC.D2CFGR",))
    assert [(f.name, f.msb, f.lsb) for f in d2.fields] == [("D2PPRE2", 10, 8), ("D2PPRE1", 6, 4)]
    assert register(document, "RCC_AHB3LPENR").reset == 0xF0E95111
    assert register(document, "RCC_PLL1DIVR").reset == 0x01010280
    assert {s.peripheral for s in document.sections if s.number} == {"RCC"}


def test_two_headings_before_either_body() -> None:
    document = corpus("st_stm32h723_gpio.pdf", "STM32H723.svd")
    otyper = register(document, "GPIOx_OTYPER")
    assert (otyper.place.page, otyper.offset, otyper.reset) == (11, 0x04, 0)
    assert [(f.name, f.page) for f in otyper.fields] == [("OT", 12)]
    moder = register(document, "GPIOx_MODER")
    assert moder.reset == 0xFFFFFFFF  # the value "for other ports"
    assert len(moder.fields) == 16
    assert {"GPIOA.MODER", "GPIOK.MODER"} <= set(moder.matches)
    assert len(moder.matches) == 10
    lckr = register(document, "GPIOx_LCKR")
    assert (lckr.offset, [f.name for f in lckr.fields]) == (0x1C, ["LCKK", "LCK"])


def test_registers_of_captions_with_addresses() -> None:
    document = corpus("nxp_lpc82x_um.pdf", "lpc82x.svd")
    brg = register(document, "BRG")
    assert brg.title == "USART Baud Rate Generator register"
    # The manual gives USART1 and USART2 the same address.
    assert brg.addresses == (0x40064020, 0x40068020, 0x40068020)
    assert brg.offset == 0x20
    assert brg.matches == ("USART0.BRG", "USART1.BRG", "USART2.BRG")
    status = register(document, "SYSRSTSTAT")
    assert (status.addresses, status.matches) == ((0x40048030,), ("SYSCON.SYSRSTSTAT",))
    about = {s.number: s.peripheral for s in document.sections if s.level == 1}
    assert (about["5"], about["8"], about["13"], about["14"]) == ("SYSCON", "IOCON", "USART", "SPI")


def test_registers_of_overview_and_detail() -> None:
    document = corpus("nordic_nrf51_rm.pdf", "nrf51.svd")
    rate = register(document, "BAUDRATE")
    assert (rate.offset, rate.reset, rate.matches) == (0x524, 0x04000000, ("UART0.BAUDRATE",))
    select = [r for r in document.registers if r.name == "PSELTXD"]
    assert [(r.offset, r.reset, r.matches) for r in select] == [
        (0x50C, 0xFFFFFFFF, ("UART0.PSELTXD",))
    ]
    start = [r for r in document.registers if r.name == "STARTRX"]
    assert {r.matches for r in start} == {
        ("TWI0.TASKS_STARTRX", "TWI1.TASKS_STARTRX"),
        ("UART0.TASKS_STARTRX",),
    }


def test_names_with_prefixes_and_slips_of_the_manual() -> None:
    document = corpus("wch_ch32v003_rm.pdf", "CH32V003xx.svd")
    by_section = {document.sections[r.section].number: r for r in document.registers if r.fields}
    status = by_section["12.10.1"]
    assert (status.name, status.offset, status.addresses) == ("USART_STATR", 0x00, (0x40013800,))
    assert status.matches == ("USART1.STATR",)
    # 12.10.3 is headed like 12.10.1, but its offset and fields are those of BRR.
    rate = by_section["12.10.3"]
    assert (rate.offset, rate.addresses, rate.matches) == (8, (0x40013808,), ("USART1.BRR",))
    assert by_section["3.4.2"].matches == ("RCC.CFGR0",)
    assert by_section["11.4.18"].matches == ("TIM2.DMAADR",)


def test_registers_matched_by_address() -> None:
    document = corpus("bouffalo_bl602_rm.pdf", "BL602_soc602_reg.svd")
    source = register(document, "DMA_C0DstAddr")
    assert source.addresses == (0x4000C104,)
    assert source.matches == ("DMA.CH%s.CH_DST_ADDR",)
    receive = register(document, "urx_config")
    assert (receive.addresses, receive.matches) == ((0x4000A004,), ("UART0.urx_config",))


def test_registers_of_a_core() -> None:
    document = corpus("arm_cm4_guide.pdf", "STM32F407.svd")
    reload = register(document, "SYST_RVR")
    assert reload.addresses == (0xE000E014,)
    assert "SysTick.LOAD" in reload.matches or "STK.LOAD" in reload.matches
    assert register(document, "CPUID").reset == 0x410FC240
    set_enable = register(document, "NVIC_ISER0-NVIC_ISER7")
    assert set_enable.addresses == (0xE000E100,)
    assert "NVIC.ISER0" in set_enable.matches


def test_register_maps_of_sensors() -> None:
    power = register(corpus("invensense_mpu6000_regmap.pdf"), "PWR_MGMT_1")
    assert power.offset == 0x6B
    assert [(f.name, f.msb, f.lsb) for f in power.fields] == [
        ("DEVICE_RESET", 7, 7),
        ("SLEEP", 6, 6),
        ("CYCLE", 5, 5),
        ("TEMP_DIS", 3, 3),
        ("CLKSEL", 2, 0),
    ]
    control = register(corpus("bosch_bme280_ds.pdf"), "ctrl_meas")
    assert (control.offset, control.reset) == (0xF4, 0)
    assert [(f.msb, f.lsb) for f in control.fields] == [(7, 5), (4, 2), (1, 0)]


FIGURES = {
    "st_stm32h723_rcc.pdf": ("42", 2, "RCC Block diagram"),
    "st_stm32f446_ds.pdf": ("36", 130, "SPI timing diagram - slave mode and CPHA = 0"),
    "nxp_kl25_ds.pdf": ("14", 39, "SPI master mode timing (CPHA = 0)"),
    "nxp_lpc82x_um.pdf": ("4", 14, "Boot process flowchart"),
    "nordic_nrf51_rm.pdf": ("3", 16, "RAM mapping"),
    "wch_ch32v003_rm.pdf": (
        "12-1",
        132,
        "Block diagram of a general-purpose synchronous/asynchronous transceiver",
    ),
    "arm_cm4_guide.pdf": ("2-3", 40, "Exception stack frame"),
    "bosch_bme280_ds.pdf": ("1", 10, "humidity sensor operating range"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures(name: str) -> None:
    number, page, caption = FIGURES[name]
    found = [f for f in corpus(name).figures if f.number == number]
    assert [(f.place.page, f.caption) for f in found] == [(page, caption)]
    x0, y0, x1, y1 = found[0].place.box
    assert x1 - x0 > 100
    assert y1 - y0 > 100


def test_box_of_a_figure() -> None:
    # Read off the page: the frame of figure 46 goes from 124 to 528 and from 541 to 711 points.
    figure = next(f for f in corpus("st_stm32h723_rcc.pdf").figures if f.number == "46")
    assert figure.place.box == pytest.approx((124, 541, 528, 711), abs=4)


def test_words_of_drawings_are_not_in_the_text() -> None:
    texts = [b.text for b in corpus("wch_ch32v003_rm.pdf").blocks if b.places[0].page == 132]
    assert not any("Transmit Shift Register" in t or "PWDATA" in t for t in texts)


def test_paragraph_goes_on_over_a_page() -> None:
    document = corpus("wch_ch32v003_rm.pdf")
    over = [b for b in document.blocks if [p.page for p in b.places] == [132, 133]]
    assert len(over) == 1
    assert "depending on the setting on the M (word length) bit" in over[0].text


def test_two_columns_are_read_one_after_the_other() -> None:
    document = corpus("motorola_mc6850_scan.pdf")
    texts = " ".join(b.text for b in document.blocks if b.places[0].page == 8)
    control, status = texts.find("Word Select Bits"), texts.find("Transmit Data Register Empty")
    assert 0 < control < status
