"""Tables of real manuals, with what stands on the printed page."""

import re

import pytest

from datasheet_lsp.documents.tables import diagram_rows, field_rows
from tests.documents.tables.support import page_of, stitched
from tests.support import shared


def table(name, page, number=None, place=0):
    tables = page_of(name, page).tables
    return next(t for t in tables if t.number == number) if number else tables[place]


def fields(found):
    return [(r.name, r.msb, r.lsb) for r in field_rows(found)]


def test_nxp_value_rows_belong_to_their_field():
    rows = field_rows(table("nxp_lpc82x_um", 38, "29"))
    assert [(r.name, r.msb, r.lsb, r.reset) for r in rows] == [
        ("POR", 0, 0, 0),
        ("EXTRST", 1, 1, 0),
        ("WDT", 2, 2, 0),
        ("BOD", 3, 3, 0),
        ("SYSRST", 4, 4, 0),
        ("-", 31, 5, None),
    ]
    assert rows[0].description.split("\n")[1] == "0: No POR detected"
    assert rows[-1].reserved and not rows[0].reserved


def test_nxp_caption_of_two_lines_with_the_addresses():
    found = table("nxp_lpc82x_um", 198, "184")
    assert "0x4006 4020 (USART0)" in found.caption
    assert "0x4006 8020 (USART2)) bit description" in found.caption
    assert fields(found) == [("BRGVAL", 15, 0), ("-", 31, 16)]


def test_nxp_table_with_rules_across_only():
    found = table("nxp_lpc81x_um", 39, "33")
    assert found.header == ("Bit", "Symbol", "Value", "Description", "Reset value")
    assert [r[:3] for r in found.rows] == [
        ("0", "ENA", ""),
        ("0", "ENA", "0"),
        ("0", "ENA", "1"),
        ("31:1", "-", "-"),
    ]


def test_wch_names_keep_their_underscores():
    found = table("wch_ch32v003_rm", 136, "12-2")
    assert found.kind == "registers"
    assert [(r[0], r[1]) for r in found.rows] == [
        ("R32_USART_STATR", "0x40013800"),
        ("R32_USART_DATAR", "0x40013804"),
        ("R32_USART_BRR", "0x40013808"),
        ("R32_USART_CTLR1", "0x4001380C"),
        ("R32_USART_CTLR2", "0x40013810"),
        ("R32_USART_CTLR3", "0x40013814"),
        ("R32_USART_GPR", "0x40013818"),
    ]


def test_wch_merged_cells_are_repeated():
    found = table("wch_ch32v003_rm", 136, "12-1")
    assert [r[1] for r in found.rows] == [
        "TXEIE",
        "CTSIE",
        "TCIE",
        "TXNEIE",
        "TXNEIE",
        "IDLEIE",
        "PEIE",
        "LBDIE",
        "EIE",
        "EIE",
        "EIE",
    ]


def test_wch_picture_gives_the_bits():
    (diagram,) = page_of("wch_ch32v003_rm", 19).diagrams
    assert [(r.name, r.msb, r.lsb) for r in diagram_rows(diagram) if not r.reserved] == [
        ("MCO", 26, 24),
        ("PLLSRC", 16, 16),
        ("ADCPRE", 15, 14),
        ("PPRE2", 13, 11),
        ("PPRE1", 10, 8),
        ("HPRE", 7, 4),
        ("SWS", 3, 2),
        ("SW", 1, 0),
    ]


def test_wch_every_register_name_is_whole():
    name = re.compile(r"R(?:8|16|32)_\w+")
    cells = [c for t in stitched("wch_ch32v003_rm") for r in t.rows for c in r]
    found = {c for c in cells if c.startswith(("R8_", "R16_", "R32_")) and " " not in c}
    assert len(found) > 150
    assert all(name.fullmatch(c) for c in found)


def test_nordic_each_register_is_its_own_table():
    tables = page_of("nordic_nrf51_rm", 156).tables
    assert [(t.number, t.caption) for t in tables] == [
        ("281", "PSELRTS"),
        ("282", "PSELTXD"),
        ("283", "PSELCTS"),
        ("284", "PSELRXD"),
        ("285", "RXD"),
        ("286", "TXD"),
        ("287", "BAUDRATE"),
    ]
    assert [fields(t) for t in tables] == [
        [("PSELRTS", 31, 0)],
        [("PSELTXD", 31, 0)],
        [("PSELCTS", 31, 0)],
        [("PSELRXD", 31, 0)],
        [("RXD", 7, 0)],
        [("TXD", 7, 0)],
        [("BAUDRATE", 31, 0)],
    ]
    assert [field_rows(t)[0].reset for t in tables] == [0xFFFFFFFF] * 4 + [0, 0, 0x04000000]
    assert len(tables[6].rows) == 17
    assert tables[6].rows[4][4:6] == ("Baud9600", "0x00275000")


def test_nordic_letters_of_two_that_touch():
    found = next(t for t in stitched("nordic_nrf51_rm", 58, 60) if t.caption == "OUTSET")
    assert fields(found) == [(f"PIN{n}", n, n) for n in range(32)]


def test_nordic_overview_under_a_shaded_head():
    found = table("nordic_nrf51_rm", 19, "4")
    assert found.header == ("Register", "Offset", "Description")
    assert [r[:2] for r in found.rows if r[1]][:3] == [
        ("READY", "0x400"),
        ("CONFIG", "0x504"),
        ("ERASEPAGE", "0x508"),
    ]
    assert found.kind == "registers"


def test_bouffalo_grid_of_numbers_is_a_picture():
    page = page_of("bouffalo_bl602_rm", 134)
    assert [t.kind for t in page.tables] == ["fields", "fields"]
    (diagram,) = page.diagrams
    assert [(c.name, c.msb, c.lsb) for c in diagram.cells] == [
        ("RXLEN", 31, 16),
        ("DEGCNT", 15, 12),
        ("DEGEN", 11, 11),
        ("RXBCNTD", 10, 8),
        ("IRRXINV", 7, 7),
        ("IRRXEN", 6, 6),
        ("RXPRSEL", 5, 5),
        ("RXPREN", 4, 4),
        ("ABREN", 3, 3),
        ("RTSSWV", 2, 2),
        ("RTSSWM", 1, 1),
        ("EN", 0, 0),
    ]
    rows = field_rows(page.tables[1])
    assert (rows[3].name, rows[3].access, rows[3].reset) == ("RXBCNTD", "R/W", 7)


def test_arm_tables_between_rules_across():
    registers = table("arm_cm4_guide", 249, "4-32")
    assert registers.header[:2] == ("Address", "Name")
    assert [r[:2] for r in registers.rows] == [
        ("0xE000E010", "SYST_CSR"),
        ("0xE000E014", "SYST_RVR"),
        ("0xE000E018", "SYST_CVR"),
        ("0xE000E01C", "SYST_CALIB"),
    ]
    bits = table("arm_cm4_guide", 223, "4-9")
    assert [r[0] for r in bits.rows] == ["[31:24]", "[23:16]", "[15:8]", "[7:0]"]
    assert len({r[2] for r in bits.rows}) == 1


def test_st_picture_gives_bits_and_access():
    (diagram,) = page_of("st_stm32h723_rcc", 69).diagrams
    rows = [r for r in diagram_rows(diagram) if not r.reserved]
    assert [(r.name, r.msb, r.lsb, r.access) for r in rows] == [
        ("D2PPRE2", 10, 8, "rw"),
        ("D2PPRE1", 6, 4, "rw"),
    ]


def test_st_register_map_has_a_row_for_each_register():
    found = table("st_pm0075", 29, "11")
    assert found.header == ("Offset", "Register", "Bits", "Reset value")
    assert [(r[0], r[1], r[3]) for r in found.rows][3:5] == [
        ("0x00C", "FLASH_SR", "0x00000000"),
        ("0x010", "FLASH_CR", "0x00000080"),
    ]
    assert found.rows[3][2] == "5 EOP, 4 WRPRTERR, 2 PGERR, 1 ERLYBSY, 0 BSY"


def test_st_heads_in_two_rows_printed_sideways():
    found = table("st_stm32f446_ds", 55, "10")
    assert found.header[:6] == (
        "Pin Number LQFP64",
        "Pin Number LQFP100",
        "Pin Number WLCSP 81",
        "Pin Number UFBGA144",
        "Pin Number LQFP144",
        "Pin name (function after reset)",
    )
    assert found.rows[0][:6] == ("51", "78", "D3", "B11", "111", "PC10")
    assert found.kind == "pins"


def test_st_rotated_pages_are_one_table():
    found = next(t for t in stitched("st_stm32f446_ds", 58, 67) if t.number == "11")
    assert [p.page for p in found.places] == list(range(59, 67))
    assert found.header[2:5] == ("AF0 SYS", "AF1 TIM1/2", "AF2 TIM3/4/5")
    pa0 = found.rows[0]
    assert pa0[1] == "PA0"
    assert pa0[3] == "TIM2_CH1/TIM2_ETR"


def test_electrical_table_with_values_in_lines_of_a_cell():
    found = table("nxp_kl25_ds", 9, "7")
    assert found.header == ("Symbol", "Description", "Min.", "Max.", "Unit", "Notes")
    assert found.kind == "values"
    assert [r[0] for r in found.rows] == [
        "VOL",
        "VOL",
        "IOLT",
        "IIN",
        "IIN",
        "IIN",
        "IOZ",
        "RPU",
        "RPD",
    ]


def test_row_cut_by_the_page_is_mended():
    found = next(t for t in stitched("nxp_kl25_ds", 9, 10) if t.number == "8")
    assert found.rows[0][0] == "tPOR"
    assert found.rows[0][4] == "300"


def test_bosch_tables_of_shaded_cells():
    tables = page_of("bosch_bme280_ds", 29).tables
    assert [t.number for t in tables] == ["22", "23", "24", "25"]
    assert fields(tables[0]) == [("osrs_t[2:0]", 7, 5), ("osrs_p[2:0]", 4, 2), ("mode[1:0]", 1, 0)]
    assert tables[3].rows == (
        ("00", "Sleep mode"),
        ("01 and 10", "Forced mode"),
        ("11", "Normal mode"),
    )


def test_invensense_picture_and_map():
    (diagram,) = page_of("invensense_mpu6000_regmap", 40).diagrams
    assert [(r.name, r.msb, r.lsb) for r in diagram_rows(diagram)] == [
        ("DEVICE_RESET", 7, 7),
        ("SLEEP", 6, 6),
        ("CYCLE", 5, 5),
        ("-", 4, 4),
        ("TEMP_DIS", 3, 3),
        ("CLKSEL", 2, 0),
    ]
    registers = next(t for t in page_of("invensense_mpu6000_regmap", 7).tables if not t.fragment)
    assert registers.rows[0] == ("3B", "59", "ACCEL_XOUT_H", "R", "7:0 ACCEL_XOUT[15:8]")


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("nxp_lpc82x_um", 6),
        ("nxp_lpc82x_um", 75),
        ("nxp_lpc82x_um", 182),
        ("nxp_lpc82x_um", 451),
        ("st_stm32h723_rcc", 12),
        ("st_stm32h723_rcc", 40),
        ("gigadevice_gd32f450_ds", 12),
        ("gigadevice_gd32f450_ds", 40),
        ("wch_ch32v003_rm", 2),
        ("wch_ch32v003_rm", 112),
    ],
)
def test_drawings_lists_and_code_are_no_tables(name, page):
    shared(f"corpus/pdf/{name}.pdf")
    assert page_of(name, page).tables == ()


def test_arm_names_without_their_footnote_marks():
    assert table("arm_cm4_guide", 22, "2-9").rows[1][1] == "BASEPRI"
    assert "DISOOFP" in [row[1] for row in table("arm_cm4_guide", 228, "4-13").rows]


def test_nordic_highlighter_makes_no_tables():
    for number in (70, 73, 88, 89):
        assert page_of("nordic_nrf51_rm", number).tables == ()


def test_bouffalo_list_of_registers_without_addresses():
    found = table("bouffalo_bl602_rm", 149)
    assert (found.kind, found.rows[0][0]) == ("registers", "i2c_config")


def test_nxp_title_without_number():
    assert table("nxp_lpc82x_um", 331).caption.startswith("A/D Conversion Sequence B Control")


def test_nordic_note_put_over_a_register_stays_out_of_its_rows():
    rows = table("nordic_nrf51_rm", 65, "81").rows
    assert [row[4:6] for row in rows[:4]] == [
        ("", ""),
        ("Input", "0"),
        ("Output", "1"),
        ("Set", "1"),
    ]
    assert rows[0][6] == "Set as output pin 0"
