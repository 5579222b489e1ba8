"""Bit ranges, reset values, access and names as manuals print them."""

import pytest

from datasheet_lsp.documents.tables.bits import (
    bare_name,
    is_access,
    is_reserved,
    name_bits,
    parse_bits,
    parse_reset,
)


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("31:28", ((31, 28),)),
        ("[31:28]", ((31, 28),)),
        ("[7]", ((7, 7),)),
        ("0", ((0, 0),)),
        ("15..0", ((15, 0),)),
        ("31-24", ((31, 24),)),
        ("7–6", ((7, 6),)),
        ("31 : 8", ((31, 8),)),
        ("Bit 7, 6, 5", ((7, 5),)),
        ("Bits 6:4", ((6, 4),)),
        ("0:3", ((3, 0),)),
        ("D7-D0", ((7, 0),)),
        ("b31 to b24", ((31, 24),)),
        ("31:16, 5", ((31, 16), (5, 5))),
        ("1 and 0", ((1, 0),)),
    ],
)
def test_bit_ranges_are_read(text, ranges):
    assert parse_bits(text) == ranges


@pytest.mark.parametrize(
    "text",
    ["", "-", "Bit", "0x10", "3.3", "31:28:1", "-5", "1000", "5 V", "7:0 and text", "5:3, 4"],
)
def test_other_texts_are_no_bits(text):
    assert parse_bits(text) == ()


@pytest.mark.parametrize(
    ("text", "width", "value"),
    [
        ("0", 1, 0),
        ("0x1F", 8, 0x1F),
        ("0xFFFF FFFF", 32, 0xFFFFFFFF),
        ("0b10", 2, 2),
        ("16'd255", 16, 255),
        ("16’d255", 16, 255),
        ("1'b0", 1, 0),
        ("1Fh", 8, 0x1F),
        ("10", 2, 2),
        ("10", 8, 10),
        ("2", 1, None),
        ("X", 4, None),
        ("NA", 4, None),
        ("-", 4, None),
    ],
)
def test_reset_values_are_read(text, width, value):
    assert parse_reset(text, width) == value


def test_access_is_known():
    for text in ("rw", "R/W", "RO", "W1C", "rc_w1", "RW0", "r"):
        assert is_access(text), text
    for text in ("Reserved for now", "PLL", "0", ""):
        assert not is_access(text), text


def test_reserved_is_known():
    for text in ("-", "Reserved", "RES.", "Res", "RSVD", "", "Reserved (1)"):
        assert is_reserved(text), text
    for text in ("RESET", "RES_A", "NAME", "RESERVE_EN"):
        assert not is_reserved(text), text


def test_names_without_their_bits():
    assert bare_name("D2PPRE1[2:0]") == "D2PPRE1"
    assert bare_name("hum_lsb<7:0>") == "hum_lsb"
    assert bare_name("CH0") == "CH0"
    assert name_bits("D2PPRE1[2:0]") == (2, 0)
    assert name_bits("MODE[3]") == (3, 3)
    assert name_bits("MODE") is None
