"""Tables of every make, drawn for the test, and what must not be taken for one."""

from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.tables import Stitcher
from tests.documents.tables.support import Sheet

XS = [60, 110, 200, 400, 460]
HEADS = ["Bit", "Name", "Description", "Reset"]


def fill_row(sheet, y, texts, xs=XS, bold=False):
    for x, text in zip(xs, texts, strict=False):
        if text:
            sheet.text(x + 4, y, text, bold=bold)


def field_sheet(sheet=None):
    sheet = sheet or Sheet()
    fill_row(sheet, 112, HEADS, bold=True)
    fill_row(sheet, 132, ["7:4", "RES_A", "First half", "0x0"])
    fill_row(sheet, 152, ["3", "EN_B", "Second", "1"])
    fill_row(sheet, 172, ["2:0", "-", "Reserved", "-"])
    return sheet


ROWS = (
    ("7:4", "RES_A", "First half", "0x0"),
    ("3", "EN_B", "Second", "1"),
    ("2:0", "-", "Reserved", "-"),
)


def only(page):
    assert len(page.tables) == 1, [t.header for t in page.tables]
    return page.tables[0]


def test_a_full_grid(tmp_path):
    sheet = field_sheet().grid(XS, [100, 118, 138, 158, 178])
    table = only(sheet.page(tmp_path))
    assert table.header == tuple(HEADS)
    assert table.rows == ROWS
    assert table.kind == "fields"
    assert table.head_marked


def test_row_rules_and_column_rules_without_an_outer_frame(tmp_path):
    sheet = field_sheet()
    for x in XS[1:-1]:
        sheet.line(x, 100, x, 178)
    for y in (118, 138, 158):
        sheet.line(XS[0], y, XS[-1], y)
    table = only(sheet.page(tmp_path))
    assert (table.header, table.rows) == (tuple(HEADS), ROWS)


def test_horizontal_rules_only(tmp_path):
    sheet = field_sheet()
    for y in (100, 118, 138, 158, 178):
        sheet.line(XS[0], y, XS[-1], y)
    table = only(sheet.page(tmp_path))
    assert (table.header, table.rows) == (tuple(HEADS), ROWS)


def test_rules_around_the_head_and_at_the_end_only(tmp_path):
    sheet = field_sheet()
    for y in (100, 118, 178):
        sheet.line(XS[0], y, XS[-1], y)
    table = only(sheet.page(tmp_path))
    assert (table.header, table.rows) == (tuple(HEADS), ROWS)


def test_shaded_head_and_no_rules(tmp_path):
    sheet = Sheet()
    for a, b in zip(XS, XS[1:], strict=False):
        sheet.fill(a, 100, b, 118)
    table = only(field_sheet(sheet).page(tmp_path))
    assert (table.header, table.rows) == (tuple(HEADS), ROWS)


def test_cells_made_of_shades_with_white_between(tmp_path):
    sheet = Sheet()
    for top in (100, 120, 140, 160):
        for a, b in zip(XS, XS[1:], strict=False):
            sheet.fill(a, top, b - 2, top + 18)
    table = only(field_sheet(sheet).page(tmp_path))
    assert (table.header, table.rows) == (tuple(HEADS), ROWS)


def test_no_rules_at_all_under_well_known_heads(tmp_path):
    table = only(field_sheet().page(tmp_path))
    assert (table.header, table.rows) == (tuple(HEADS), ROWS)


def test_no_rules_at_all_under_a_caption(tmp_path):
    sheet = Sheet().text(60, 90, "Table 5. Clock sources", bold=True)
    for y, texts in (
        (112, ["Source", "Rate"]),
        (126, ["main", "8 MHz"]),
        (140, ["slow", "32 kHz"]),
    ):
        fill_row(sheet, y, texts, xs=[60, 220], bold=y == 112)
    table = only(sheet.page(tmp_path))
    assert table.number == "5"
    assert table.caption == "Clock sources"
    assert table.header == ("Source", "Rate")
    assert table.rows == (("main", "8 MHz"), ("slow", "32 kHz"))


def test_caption_above_with_its_number_and_wrapped_words(tmp_path):
    sheet = field_sheet().grid(XS, [100, 118, 138, 158, 178])
    sheet.text(60, 82, "Table 15-3", bold=True).text(130, 82, "Control register", bold=True)
    sheet.text(130, 93, "bit description (continued)", bold=True)
    page = sheet.page(tmp_path)
    table = only(page)
    assert table.number == "15-3"
    assert table.caption == "Control register bit description"
    assert table.continued
    assert page.loose == ()


def test_caption_below(tmp_path):
    sheet = field_sheet().grid(XS, [100, 118, 138, 158, 178])
    sheet.text(60, 192, "Table 36: Control register bits")
    assert only(sheet.page(tmp_path)).number == "36"


def test_notes_stay_out(tmp_path):
    sheet = field_sheet().grid(XS, [100, 118, 138, 158, 178])
    sheet.text(62, 190, "1. Not in every device.", size=7)
    page = sheet.page(tmp_path)
    assert only(page).rows == ROWS
    assert [line.text for line in page.loose] == ["1. Not in every device."]


def test_merged_cells_stand_in_every_row(tmp_path):
    sheet = Sheet()
    fill_row(sheet, 112, HEADS, bold=True)
    fill_row(sheet, 132, ["1:0", "SEL", "Source", "0"])
    fill_row(sheet, 152, ["", "", "0: main", ""])
    fill_row(sheet, 172, ["", "", "1: slow", ""])
    sheet.grid(XS, [100, 118]).line(XS[0], 178, XS[-1], 178)
    for x in XS:
        sheet.line(x, 118, x, 178)
    for y in (138, 158):
        sheet.line(XS[2], y, XS[3], y)
    table = only(sheet.page(tmp_path))
    assert table.rows == (
        ("1:0", "SEL", "Source", "0"),
        ("1:0", "SEL", "0: main", "0"),
        ("1:0", "SEL", "1: slow", "0"),
    )


def test_heads_of_two_lines_become_one(tmp_path):
    xs = [60, 160, 220, 280, 340]
    sheet = Sheet()
    sheet.text(64, 122, "Symbol", bold=True).text(200, 112, "Value", bold=True)
    sheet.text(300, 122, "Unit", bold=True)
    fill_row(sheet, 132, ["", "Min", "Max"], xs=xs, bold=True)
    fill_row(sheet, 152, ["Vdd", "1.8", "3.6", "V"], xs=xs)
    fill_row(sheet, 172, ["Idd", "-", "12", "mA"], xs=xs)
    for x in (60, 160, 280, 340):
        sheet.line(x, 100, x, 178)
    sheet.line(220, 118, 220, 178)
    for y in (100, 138, 158, 178):
        sheet.line(60, y, 340, y)
    sheet.line(160, 118, 280, 118)
    table = only(sheet.page(tmp_path))
    assert table.header == ("Symbol", "Value Min", "Value Max", "Unit")
    assert table.rows == (("Vdd", "1.8", "3.6", "V"), ("Idd", "-", "12", "mA"))
    assert table.kind == "values"


def test_lines_in_a_cell_and_names_cut_at_its_edge(tmp_path):
    xs = [60, 110, 172, 400]
    sheet = Sheet().grid(xs, [100, 118, 160, 178])
    fill_row(sheet, 112, ["Bit", "Name", "Description"], xs=xs, bold=True)
    fill_row(sheet, 130, ["[7:0]", "USART2_", "Sets the divi-"], xs=xs)
    fill_row(sheet, 142, ["", "CTS[7:0]", "der of the"], xs=xs)
    fill_row(sheet, 154, ["", "", "clock"], xs=xs)
    fill_row(sheet, 172, ["8", "EN", "On"], xs=xs)
    table = only(sheet.page(tmp_path))
    assert table.rows[0] == ("[7:0]", "USART2_CTS[7:0]", "Sets the divider of the clock")


def test_subscripts_and_superscripts_join_their_word(tmp_path):
    xs = [60, 160, 260]
    sheet = Sheet().grid(xs, [100, 118, 138])
    fill_row(sheet, 112, ["Symbol", "Unit"], xs=xs, bold=True)
    sheet.text(64, 131, "V").text(70, 133, "DD", size=6).text(78.8, 128, "(1)", size=5)
    sheet.text(164, 131, "V")
    assert only(sheet.page(tmp_path)).rows == (("VDD(1)", "V"),)


def test_empty_cells_are_kept(tmp_path):
    sheet = Sheet().grid(XS, [100, 118, 138, 158])
    fill_row(sheet, 112, HEADS, bold=True)
    fill_row(sheet, 132, ["1", "AA", "", ""])
    fill_row(sheet, 152, ["0", "", "On", "1"])
    assert only(sheet.page(tmp_path)).rows == (("1", "AA", "", ""), ("0", "", "On", "1"))


def test_underlined_links_are_no_rules(tmp_path):
    sheet = field_sheet().grid(XS, [100, 118, 138, 158, 178])
    for y in (133, 153, 173):
        sheet.line(204, y, 250, y)
    assert only(sheet.page(tmp_path)).rows == ROWS


def test_a_picture_of_a_register_is_no_table(tmp_path):
    sheet = Sheet()
    xs = [60 + 28 * i for i in range(17)]
    for row, (top, first) in enumerate(((100, 31), (160, 15))):
        for i in range(16):
            sheet.text(xs[i] + 8, top - 4, str(first - i), size=7)
        sheet.line(xs[0], top, xs[16], top).line(xs[0], top + 16, xs[16], top + 16)
        sheet.line(xs[0], top + 30, xs[16], top + 30)
        edges = [0, 16] if row == 0 else [0, 8, 12, 15, 16]
        for e in edges:
            sheet.line(xs[e], top, xs[e], top + 16)
        for x in xs:
            sheet.line(x, top + 16, x, top + 30)
    sheet.text(xs[6], 111, "Reserved", size=7)
    sheet.text(xs[3], 171, "COUNT[7:0]", size=7).text(xs[9], 171, "MODE", size=7)
    sheet.text(xs[12] + 20, 171, "Res.", size=7).text(xs[15] + 6, 171, "EN", size=7)
    for i in (*range(12), 15):
        sheet.text(xs[i] + 8, 186, "rw", size=7)
    page = sheet.page(tmp_path)
    assert page.tables == ()
    (diagram,) = page.diagrams
    assert diagram.width == 32
    cells = [(c.name, c.msb, c.lsb, c.access) for c in diagram.cells]
    assert cells == [
        ("Reserved", 31, 16, ""),
        ("COUNT[7:0]", 15, 8, "rw"),
        ("MODE", 7, 4, "rw"),
        ("Res.", 3, 1, ""),
        ("EN", 0, 0, "rw"),
    ]
    assert page.loose == ()


def test_prose_lists_code_and_boxes_are_no_tables(tmp_path):
    sheet = Sheet()
    words = "The clock of the block is taken from the bus and is divided by the value"
    for i in range(8):
        sheet.text(60, 100 + 12 * i, words[: 40 - i]).text(320, 100 + 12 * i, words[: 44 - i % 3])
    for i in range(5):
        sheet.text(60, 240 + 12 * i, f"{i + 1}.").text(80, 240 + 12 * i, words[: 60 - 3 * i])
    for i, code in enumerate(("int main(void)", "{", "    init();   /* start */", "}")):
        sheet.doc[0].insert_text((60, 340 + 11 * i), code, fontsize=8, fontname="cour")
    sheet.grid([60, 400], [420, 470]).text(70, 445, "A note in a box, set apart from the rest.")
    sheet.line(60, 60, 540, 60).line(60, 800, 540, 800)
    sheet.text(60, 55, "Manual").text(500, 812, "12")
    page = sheet.page(tmp_path)
    assert page.tables == ()
    assert page.diagrams == ()
    assert page.used == frozenset()


def test_a_block_diagram_is_no_table(tmp_path):
    sheet = Sheet()
    for x, y, text in ((80, 120, "PLL"), (200, 120, "MUX"), (320, 160, "DIV"), (200, 220, "OSC")):
        sheet.grid([x, x + 60], [y, y + 30]).text(x + 15, y + 18, text)
    sheet.line(140, 135, 200, 135).line(260, 135, 350, 135).line(350, 135, 350, 160)
    sheet.line(230, 150, 230, 220)
    sheet.text(120, 280, "Figure 3. Clock tree")
    assert sheet.page(tmp_path).tables == ()


def two_pages(tmp_path, second, *, between=False, foot="Manual  Rev 2"):
    sheet = Sheet(pages=2)
    for number in (0, 1):
        sheet.at = number
        sheet.text(60, 40, "Serial port").text(60, 815, f"{foot}   {number + 1}")
    sheet.at = 0
    sheet.grid(XS, [700, 718, 738, 758])
    fill_row(sheet, 712, HEADS, bold=True)
    fill_row(sheet, 732, ["7:4", "AA", "First", "0"])
    fill_row(sheet, 752, ["3", "BB", "Second part goes", "0"])
    if between:
        sheet.text(60, 775, "A sentence between the two.")
    sheet.at = 1
    second(sheet)
    stitcher = Stitcher()
    tables = [t for page in sheet.pages(tmp_path) for t in stitcher.feed(page)]
    return tables + stitcher.finish()


def test_a_table_goes_on_without_its_header(tmp_path):
    def second(sheet):
        sheet.grid(XS, [70, 90, 110])
        fill_row(sheet, 84, ["", "", "on here", ""])
        fill_row(sheet, 104, ["2:0", "CC", "Third", "0"])

    (table,) = two_pages(tmp_path, second)
    assert table.header == tuple(HEADS)
    assert table.rows == (
        ("7:4", "AA", "First", "0"),
        ("3", "BB", "Second part goes on here", "0"),
        ("2:0", "CC", "Third", "0"),
    )
    assert table.row_pages == (1, 1, 2)
    assert [p.page for p in table.places] == [1, 2]


def test_a_table_goes_on_with_its_header_repeated(tmp_path):
    def second(sheet):
        sheet.grid(XS, [70, 90, 110])
        fill_row(sheet, 84, HEADS, bold=True)
        fill_row(sheet, 104, ["2:0", "CC", "Third", "0"])

    (table,) = two_pages(tmp_path, second)
    assert [r[0] for r in table.rows] == ["7:4", "3", "2:0"]
    assert table.header_repeated == 1


def test_text_between_parts_two_tables(tmp_path):
    def second(sheet):
        sheet.grid(XS, [70, 90, 110])
        fill_row(sheet, 84, HEADS, bold=True)
        fill_row(sheet, 104, ["2:0", "CC", "Third", "0"])

    assert len(two_pages(tmp_path, second, between=True)) == 2


def test_another_caption_parts_two_tables(tmp_path):
    def second(sheet):
        sheet.text(60, 66, "Table 9. Other register", bold=True).grid(XS, [70, 90, 110])
        fill_row(sheet, 84, HEADS, bold=True)
        fill_row(sheet, 104, ["2:0", "CC", "Third", "0"])

    assert len(two_pages(tmp_path, second)) == 2


def test_highlighted_words_are_no_cells(tmp_path):
    sheet = Sheet()
    lines = ("The task and the event of a channel", "use the pin while it is", "enabled.")
    for at, (first, second) in enumerate(zip(lines, lines[::-1], strict=True)):
        y = 200 + 12 * at
        for x, text in ((60, first), (320, second)):
            width = pymupdf.get_text_length(text, fontname="helv", fontsize=9)
            sheet.fill(x, y - 9, x + width, y + 3).text(x, y, text)
    page = sheet.page(tmp_path)
    assert page.tables == ()
    assert len(page.loose) == 3


def test_a_highlighted_word_does_not_cut_a_grid(tmp_path):
    xs = [60, 110, 300]
    width = pymupdf.get_text_length("Second", fontname="helv", fontsize=9)
    sheet = Sheet().fill(114, 144, 114 + width, 156)
    fill_row(sheet, 112, ["Name", "Description"], xs=xs, bold=True)
    fill_row(sheet, 132, ["AA_1", "First"], xs=xs)
    fill_row(sheet, 152, ["BB_2", "Second"], xs=xs)
    sheet.grid(xs, [100, 118, 138, 158])
    assert only(sheet.page(tmp_path)).rows == (("AA_1", "First"), ("BB_2", "Second"))


def test_a_name_kerned_at_its_underscore_is_whole(tmp_path):
    sheet = Sheet().grid(XS, [100, 118, 138, 158])
    fill_row(sheet, 112, HEADS, bold=True)
    fill_row(sheet, 132, ["7:4", "", "Whole part", "0"])
    sheet.text(114, 132, "DIV_").text(138, 132, "Mant")
    fill_row(sheet, 152, ["3:0", "EN", "Second", "0"])
    assert only(sheet.page(tmp_path)).rows[0][1] == "DIV_Mant"


def titled_from_the_page_before(tmp_path, *, between):
    sheet = Sheet(pages=2)
    sheet.text(60, 400, "The pins are listed.").text(200, 740, "Table 4-1: Pin lists")
    sheet.at = 1
    if between:
        sheet.text(60, 120, "A sentence about something else.")
    xs = [60, 160, 300]
    sheet.grid(xs, [170, 188, 208])
    fill_row(sheet, 182, ["Name", "Description"], xs=xs, bold=True)
    fill_row(sheet, 202, ["SCL", "Clock"], xs=xs)
    stitcher = Stitcher()
    tables = [t for page in sheet.pages(tmp_path) for t in stitcher.feed(page)]
    (table,) = tables + stitcher.finish()
    return table.number, table.caption


def test_a_caption_at_the_foot_belongs_to_the_table_on_the_next_page(tmp_path):
    assert titled_from_the_page_before(tmp_path, between=False) == ("4-1", "Pin lists")
    assert titled_from_the_page_before(tmp_path, between=True) == ("", "")
