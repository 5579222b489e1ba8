"""Fields described in paragraphs."""

from datasheet_lsp.documents.tables import FieldRow, field_paragraphs


def test_fields_go_on_to_the_next_one():
    rows = field_paragraphs(
        [
            "Bits 31:11 Reserved, must be kept.",
            "Bits 10:8 DIVA[2:0]: clock divider",
            "0xx: by one",
            "100: by two",
            "Bit 7 Reserved",
            "Bit 5 ENA: enable",
        ],
        page=4,
    )
    assert rows == [
        FieldRow("Reserved", 31, 11, "", None, "must be kept.", 4, True),
        FieldRow("DIVA", 10, 8, "", None, "clock divider\n0xx: by one\n100: by two", 4),
        FieldRow("Reserved", 7, 7, "", None, "", 4, True),
        FieldRow("ENA", 5, 5, "", None, "enable", 4),
    ]


def test_a_sentence_about_a_bit_is_no_field():
    lines = [
        "Bit 5 of the register is set by hardware.",
        "Bits 3:0 are cleared at reset.",
        "Bit 4 is set: the block runs.",
        "Bit rate is set by the divider.",
    ]
    assert field_paragraphs(lines) == []


def test_pages_follow_the_lines():
    rows = field_paragraphs(["Bit 1 AA1: x", "more", "Bit 0 BB0: y"], pages=[7, 7, 8])
    assert [(r.name, r.page) for r in rows] == [("AA1", 7), ("BB0", 8)]


def test_bits_alone_and_the_name_in_the_next_line():
    assert [(r.name, r.msb, r.lsb) for r in field_paragraphs(["Bits 7:4", "MODE[3:0]: how"])] == [
        ("MODE", 7, 4)
    ]


def test_dash_between_bits_and_name():
    rows = field_paragraphs(["Bit 7 – ENABLE Enables it", "Bits 6:4 – MODE[2:0] Operating mode"])
    assert [(r.name, r.msb, r.lsb) for r in rows] == [("ENABLE", 7, 7), ("MODE", 6, 4)]


def test_a_formula_becomes_one_row_for_each_element():
    rows = field_paragraphs(["Bits 2y+1:2y MODERy[1:0]: Port x configuration (y = 0..15)"])
    assert len(rows) == 16
    assert (rows[0].name, rows[0].msb, rows[0].lsb) == ("MODER15", 31, 30)
    assert (rows[-1].name, rows[-1].msb, rows[-1].lsb) == ("MODER0", 1, 0)


def test_an_array_becomes_one_row_for_each_element():
    rows = field_paragraphs(["Bits 31:0 SPEED[15:0][1:0]: Port x (y = 15 to 0)"])
    assert [(r.name, r.msb, r.lsb) for r in rows][:2] == [
        ("SPEED15", 31, 30),
        ("SPEED14", 29, 28),
    ]
    whole = field_paragraphs(["Bits 15:0 ODR[15:0]: Port output data"])
    assert [(r.name, r.msb, r.lsb) for r in whole] == [("ODR", 15, 0)]


def test_bits_that_do_not_follow_one_another():
    rows = field_paragraphs(["Bits 31:24, 7 Reserved, must be kept."])
    assert [(r.msb, r.lsb, r.reserved) for r in rows] == [(31, 24, True), (7, 7, True)]
