"""Tables that go on over page breaks, counted by eye on 30 pages of two manuals.

For each table: its pages and the bits (or names) in its first column, in order, each once.
"""

import pytest

from tests.documents.tables.support import stitched

FIELD_HEAD = ("Bit", "Name", "Access", "Description", "Reset value")

WCH_PAGES = (94, 123)
WCH = [
    ((94, 95, 96), "15 14 [13:10] [9:8] 7 [6:5] 4 3 2 1 0"),
    ((96, 97), "15 14 13 12 11 10 9 8 7 [6:4] 3 2 1 0"),
    ((98, 99), "15 14 [13:12] [11:8] 7 [6:4] 3 [2:0]"),
    ((99, 100), "15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"),
    ((100, 101), "[15:13] 12 11 10 9 8 7 6 5 4 3 2 1 0"),
    ((102, 103), "[15:8] 7 6 5 4 3 2 1 0"),
    ((103, 104), "15 [14:12] 11 10 [9:8] 7 [6:4] 3 2 [1:0]"),
    ((104, 105), "[15:12] [11:10] [9:8] [7:4] [3:2] [1:0]"),
    ((106, 107), "[15:14] 13 12 11 10 9 8 7 6 5 4 3 2 1 0"),
    ((108, 109), "15 14 13 12 11 10 [9:8] [7:0]"),
    ((118, 119, 120), "15 14 [13:10] [9:8] 7 [6:5] 4 3 2 1 0"),
    ((120, 121), "[15:8] 7 [6:4] 3 [2:0]"),
    ((121, 122), "15 14 [13:12] [11:8] 7 [6:4] 3 [2:0]"),
]

NXP_PAGES = (185, 214)
VALUE_HEAD = ("Bit", "Symbol", "Value", "Description", "Reset value")
NXP = [
    (
        "174",
        (185, 186),
        ("Function", "I/O", "Type", "Connect to", "Use register", "Reference", "Description"),
        "U0_TXD U0_RXD U0_RTS U0_CTS U0_SCLK U1_TXD U1_RXD U1_RTS U1_CTS U1_SCLK "
        "U2_TXD U2_RXD U2_RTS U2_CTS U2_SCLK",
    ),
    (
        "176",
        (189, 190, 191),
        ("Bit", "Symbol", "Value", "Description", "Reset Value"),
        "0 1 3:2 5:4 6 8:7 9 10 11 12 13 14 15 17:16 18 19 20 21 22 23 31:24",
    ),
    ("177", (192, 193), VALUE_HEAD, "0 1 2 5:3 6 7 8 9 15:10 16 31:17"),
    (
        "178",
        (193, 194),
        ("Bit", "Symbol", "Description", "Reset value", "Access[1]"),
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 31:17",
    ),
    (
        "189",
        (208, 209),
        ("Name", "Access", "Offset", "Description", "Reset value", "Reference"),
        "CFG DLY STAT INTENSET INTENCLR RXDAT TXDATCTL TXDAT TXCTL DIV INTSTAT",
    ),
    ("190", (209, 210), VALUE_HEAD, "0 1 2 3 4 5 6 7 8 9 10 11 31:12"),
    (
        "192",
        (212, 213),
        ("Bit", "Symbol", "Description", "Reset value", "Access[1]"),
        "0 1 2 3 4 5 6 7 8 31:9",
    ),
    ("193", (213, 214), VALUE_HEAD, "0 1 2 3 4 5 31:6"),
]


def pages(table):
    return tuple(p.page for p in table.places)


def first_column(table):
    return " ".join(dict.fromkeys(row[0] for row in table.rows))


@pytest.mark.parametrize(("on", "bits"), WCH)
def test_wch_table_is_whole(on, bits):
    found = [t for t in stitched("wch_ch32v003_rm", *WCH_PAGES) if pages(t) == on]
    assert [first_column(t) for t in found] == [bits]
    assert [t.header for t in found] == [FIELD_HEAD]


@pytest.mark.parametrize(("number", "on", "head", "cells"), NXP)
def test_nxp_table_is_whole(number, on, head, cells):
    (found,) = [t for t in stitched("nxp_lpc82x_um", *NXP_PAGES) if t.number == number]
    assert pages(found) == on
    assert found.header == head
    assert first_column(found) == cells


def test_no_other_tables_are_joined():
    wch = {pages(t) for t in stitched("wch_ch32v003_rm", *WCH_PAGES) if len(t.places) > 1}
    assert wch == {on for on, _ in WCH}
    nxp = {t.number for t in stitched("nxp_lpc82x_um", *NXP_PAGES) if len(t.places) > 1}
    assert nxp == {number for number, *_ in NXP}


def test_a_row_cut_by_the_page_goes_on_in_its_cell():
    found = next(t for t in stitched("wch_ch32v003_rm", 136, 138) if t.kind == "fields")
    assert [row[0] for row in found.rows] == "[31:10] 9 8 7 6 5 4 3 2 1 0".split()
    lbd = found.rows[2]
    assert lbd[1] == "LBD" and lbd[3].count("LBDIE") == 1


def test_a_register_described_on_the_next_page_stays_with_its_letters():
    found = next(t for t in stitched("nordic_nrf51_rm", 154, 155) if t.caption == "INTENSET")
    assert pages(found) == (154, 155)
    assert list(dict.fromkeys(r[3] for r in found.rows)) == [
        "CTS",
        "NCTS",
        "RXDRDY",
        "TXDRDY",
        "ERROR",
        "RXTO",
    ]


def test_a_boxed_running_header_is_no_table():
    tables = stitched("invensense_mpu6000_regmap")
    assert not [t for t in tables if any("Document Number" in c for r in t.head_rows for c in r)]
    assert [pages(t) for t in tables if len(t.places) > 1] == [(6, 7, 8)]


def test_heads_that_span_differently_from_page_to_page():
    (found,) = [t for t in stitched("st_stm32f446_ds", 76, 77) if t.number == "16"]
    assert pages(found) == (76, 77)
    assert [h.split("(")[0] for h in found.header] == [
        "Symbol",
        "Parameter",
        "Conditions",
        "Min",
        "Typ",
        "Max",
        "Unit",
    ]
