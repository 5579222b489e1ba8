"""Pages of real manuals as they can be seen on them, and small PDFs for each hard case."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.documents.page import PageData, Word
from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.pdf.reader import PdfFile, open_pdf
from tests.documents.make_pdf import new_page, new_pdf, raw_pdf, save, to_unicode
from tests.support import shared


def page_of(name: str, number: int) -> tuple[PdfFile, PageData]:
    pdf = open_pdf(shared(f"corpus/pdf/{name}.pdf"))
    return pdf, pdf.page(number)


def read(path: Path, number: int = 1) -> PageData:
    with open_pdf(path) as pdf:
        return pdf.page(number)


def texts(page: PageData) -> list[str]:
    return [w.text for w in page.words]


def line_of(page: PageData, word: str) -> str:
    """The words of the first line that has the word, as one text."""
    line = next(w.line for w in page.words if w.text == word)
    return " ".join(w.text for w in page.words if w.line == line)


def word_of(page: PageData, text: str) -> Word:
    return next(w for w in page.words if w.text == text)


def across(page: PageData) -> list[tuple[int, int, int]]:
    return [(round(r.y0), round(r.x0), round(r.x1)) for r in page.rules if r.y0 == r.y1]


def down(page: PageData) -> list[tuple[int, int, int]]:
    return [(round(r.x0), round(r.y0), round(r.y1)) for r in page.rules if r.x0 == r.x1]


# --- real manuals -----------------------------------------------------------------------------


def test_register_page_of_st() -> None:
    pdf, page = page_of("st_stm32h723_rcc", 69)
    assert line_of(page, "(RCC_D2CFGR)").endswith("configuration register (RCC_D2CFGR)")
    heading = pdf.info.fonts[word_of(page, "(RCC_D2CFGR)").font]
    body = pdf.info.fonts[word_of(page, "0x01C").font]
    assert heading.bold and not body.bold
    assert heading.size > body.size
    assert {"D2PPRE2[2:0]", "D2PPRE1[2:0]", "375/3357"} <= set(texts(page))
    # The bit picture: 17 lines down over the upper half word, and over the lower one 13, for the
    # two fields of three bits are one box each.
    assert len([r for r in down(page) if r[2] - r[1] > 20]) == 17 + 13
    # Nothing of the white word beside the page number.
    assert all(w.x0 < 560 for w in page.words)


def test_turned_page_of_st() -> None:
    _, page = page_of("st_stm32f446_ds", 60)
    assert (page.width, page.height) == (842, 595)
    title = word_of(page, "Alternate")
    assert title.turned == 0 and title.y0 == pytest.approx(65, abs=2)
    assert word_of(page, "DocID027107").turned == 270
    cells = [w for w in page.words if w.text == "EVENT"]
    assert len(cells) == 16
    assert [w.x0 for w in cells] == pytest.approx([727] * 16, abs=1)
    # 16 columns AF0 to AF15 and the port beside its group, which has a line from the header down.
    long = {x for x, y0, y1 in down(page) if y1 - y0 > 370 and 100 < x < 760}
    assert len(long) == 19
    assert page.label == "60"


def test_electrical_table_keeps_signs_and_units() -> None:
    _, page = page_of("nxp_kl25_ds", 9)
    assert {"≤", "µA", "kΩ", "°C", "VOL", "•"} <= set(texts(page))
    assert "mΩ" not in texts(page)


def test_wingdings_arrow_and_symbol_bullet() -> None:
    _, page = page_of("bosch_bme280_ds", 9)
    assert {"10→90→10", "ΔHstab", "±3", "%RH"} <= set(texts(page))
    _, page = page_of("bosch_bme280_ds", 2)
    assert texts(page).count("•") >= 5


def test_picture_text_without_character_map() -> None:
    _, page = page_of("nxp_lpc81x_um", 8)
    assert {"CORTEX-M0+", "SRAM", "SCTIMER/", "USART0", "CTOUT_[3:0]", "I2C-BUS"} <= set(
        texts(page)
    )
    # The frame around the figure and its caption, as measured on the page.
    (picture,) = page.pictures
    assert picture == pytest.approx((59, 125, 554, 688), abs=2)
    _, page = page_of("nxp_lpc81x_um", 318)
    assert {"Slave", "Address"} <= set(texts(page))


def test_shaded_cells_without_lines() -> None:
    _, page = page_of("nordic_nrf51_rm", 156)
    assert texts(page).count("Bit") == 7
    row = [w for w in page.words if w.text == "31"]
    assert len(row) == 7
    cell = row[0]
    around = [
        f
        for f in page.fills
        if f[0] <= cell.x0 and cell.x1 <= f[2] and f[1] <= cell.y0 + 1 and cell.y1 - 1 <= f[3]
    ]
    assert around and min(f[2] - f[0] for f in around) < 12


def test_private_use_signs_of_symbol() -> None:
    with open_pdf(shared("corpus/pdf/nxp_lpc82x_um.pdf")) as pdf:
        found = set()
        for number in range(1, pdf.info.pages + 1):
            found.update(c for w in pdf.page(number).words for c in w.text if not c.isascii())
    assert "×" in found
    assert not any("\ue000" <= c <= "\uf8ff" for c in found)


def test_full_width_colon_is_a_colon() -> None:
    _, page = page_of("bouffalo_bl602_rm", 134)
    assert "0x4000a004" in line_of(page, "Address:0x4000a004")


@pytest.mark.parametrize(
    ("name", "entries", "number", "level", "title", "page", "top"),
    [
        ("nxp_lpc82x_um", 736, 10, 3, "2.2.1 Memory mapping", 8, 90),
        ("nxp_lpc81x_um", 678, 10, 3, "2.2.1 Memory mapping", 11, 90),
        ("arm_cm4_guide", 233, 10, 3, "Feedback on content", 9, 109),
        ("bouffalo_bl602_rm", 70, 10, 2, "Introduction", 23, 292),
        ("wch_ch32v003_rm", 366, 10, 2, "2.3 Low-power modes", 7, 428),
    ],
)
def test_outline_leads_above_its_headings(
    name: str, entries: int, number: int, level: int, title: str, page: int, top: int
) -> None:
    with open_pdf(shared(f"corpus/pdf/{name}.pdf")) as pdf:
        assert len(pdf.info.outline) == entries
        entry = pdf.info.outline[number]
        assert (entry.level, entry.title, entry.page) == (level, title, page)
        assert entry.top == pytest.approx(top, abs=1)
        # The heading stands just below.
        last = title.split()[-1]
        tops = [w.y0 for w in pdf.page(page).words if w.text == last]
        assert any(-2 <= y - top <= 18 for y in tops)


@pytest.mark.parametrize("name", ["wch_ch32v003_rm", "gigadevice_gd32f450_ds"])
def test_encrypted_with_empty_password(name: str) -> None:
    with open_pdf(shared(f"corpus/pdf/{name}.pdf")) as pdf:
        assert len(pdf.page(10).words) > 50


def test_aes_256() -> None:
    with open_pdf(shared("corpus/hard/wch_link_um_aes256.pdf")) as pdf:
        assert pdf.info.pages == 29
        assert len(pdf.info.outline) == 54
        assert "WCH-Link" in texts(pdf.page(1)) + texts(pdf.page(3))


def test_title_and_pages() -> None:
    with open_pdf(shared("corpus/pdf/nxp_lpc82x_um.pdf")) as pdf:
        assert pdf.info.pages == 485
        assert pdf.info.title
    with open_pdf(shared("corpus/pdf/nordic_nrf51_rm.pdf")) as pdf:
        assert pdf.page(100).label == "100"


# --- where things stand -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "size", "box", "turned", "rule", "fill"),
    [
        (0, (400, 600), (50, 85, 102, 104), 0, (50, 110, 300, 110), (60, 200, 160, 240)),
        (90, (600, 400), (496, 50, 515, 102), 270, (490, 50, 490, 300), (360, 60, 400, 160)),
        (180, (400, 600), (298, 496, 350, 515), 180, (100, 490, 350, 490), (240, 360, 340, 400)),
        (270, (600, 400), (85, 298, 104, 350), 90, (110, 100, 110, 350), (200, 240, 240, 340)),
    ],
)
def test_coordinates_are_those_of_the_page_as_shown(
    tmp_path: Path,
    rotation: int,
    size: tuple[int, int],
    box: tuple[int, ...],
    turned: int,
    rule: tuple[int, ...],
    fill: tuple[int, ...],
) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.insert_text((50, 100), "Heading", fontsize=14)
    page.draw_line((50, 110), (300, 110))
    page.draw_rect((60, 200, 160, 240), fill=(0.8, 0.8, 0.8), color=None)
    page.set_rotation(rotation)
    found = read(save(doc, tmp_path / "a.pdf"))
    assert (found.width, found.height) == size
    (word,) = found.words
    assert [word.x0, word.y0, word.x1, word.y1] == pytest.approx(box, abs=1)
    assert word.turned == turned
    (line,) = found.rules
    assert [line.x0, line.y0, line.x1, line.y1] == pytest.approx(rule, abs=0.5)
    assert found.fills[0] == pytest.approx(fill, abs=0.5)


@pytest.mark.parametrize(
    ("rotation", "destination", "top"),
    [
        (0, "XYZ 50 510 0", 90),
        (90, "XYZ 50 510 0", 50),
        (180, "XYZ 50 510 0", 510),
        (270, "XYZ 50 510 0", 350),
        (0, "FitH 510", 90),
        (0, "Fit", None),
        (0, "XYZ null null null", None),
    ],
)
def test_top_of_a_bookmark(
    tmp_path: Path, rotation: int, destination: str, top: float | None
) -> None:
    doc = new_pdf()
    page = new_page(doc)
    doc.set_toc([[1, "Chapter", 1]])
    entry = doc.get_toc(simple=False)[0][3]["xref"]
    doc.xref_set_key(entry, "A", "null")
    doc.xref_set_key(entry, "Dest", f"[{page.xref} 0 R /{destination}]")
    page.set_rotation(rotation)
    with open_pdf(save(doc, tmp_path / "a.pdf")) as pdf:
        (found,) = pdf.info.outline
        assert (found.level, found.title, found.page) == (1, "Chapter", 1)
        assert found.top == (None if top is None else pytest.approx(top, abs=0.5))


def test_levels_of_bookmarks(tmp_path: Path) -> None:
    doc = new_pdf()
    new_page(doc)
    new_page(doc)
    doc.set_toc([[1, "A", 1], [2, "A.1", 1], [3, "A.1.1", 2], [1, "B", 2], [2, "B\r\n 1", -1]])
    with open_pdf(save(doc, tmp_path / "a.pdf")) as pdf:
        assert [(e.level, e.title, e.page) for e in pdf.info.outline] == [
            (1, "A", 1),
            (2, "A.1", 1),
            (3, "A.1.1", 2),
            (1, "B", 2),
            (2, "B 1", 0),
        ]


def test_page_labels(tmp_path: Path) -> None:
    doc = new_pdf()
    for _ in range(4):
        new_page(doc)
    doc.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 2, "prefix": "A-", "style": "D", "firstpagenum": 7},
        ]
    )
    with open_pdf(save(doc, tmp_path / "a.pdf")) as pdf:
        assert [pdf.page(n).label for n in range(1, 5)] == ["i", "ii", "A-7", "A-8"]


def test_words_outside_the_page_are_dropped(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.insert_text((50, 100), "inside")
    page.insert_text((50, 560), "cut-off")
    page.insert_text((900, 100), "far")
    page.set_cropbox(pymupdf.Rect(0, 0, 400, 500))
    found = read(save(doc, tmp_path / "a.pdf"))
    assert texts(found) == ["inside"]
    assert found.height == 500


# --- what is seen -----------------------------------------------------------------------------


def test_white_words_are_read_on_dark_ground_only(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.draw_rect((40, 80, 200, 120), fill=(0, 0.2, 0.5), color=None)
    page.insert_text((50, 100), "Header", color=(1, 1, 1))
    page.insert_text((50, 300), "hidden", color=(1, 1, 1))
    page.insert_text((50, 400), "seen")
    assert texts(read(save(doc, tmp_path / "a.pdf"))) == ["Header", "seen"]


def test_white_words_on_a_gradient_are_read(tmp_path: Path) -> None:
    content = b"q 40 480 200 40 re W n /Sh sh Q 1 1 1 rg BT /F 12 Tf 50 495 Td (Header) Tj ET"
    shading = (
        b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[40 0 240 0]"
        b"/Function<</FunctionType 2/Domain[0 1]/C0[0 0 0.5]/C1[0 0.5 0]/N 1>>>>"
    )
    font = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/Shading<</Sh 10 0 R>>"
    path = raw_pdf(tmp_path / "a.pdf", content, font, [shading])
    assert texts(read(path)) == ["Header"]


def test_invisible_text_of_a_scan_is_read(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    gray = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 60), False)
    gray.clear_with(220)
    page.insert_image(page.rect, pixmap=gray)
    page.insert_text((50, 100), "recognised text", render_mode=3)
    found = read(save(doc, tmp_path / "a.pdf"))
    assert texts(found) == ["recognised", "text"]
    # The picture of the page is its ground, no figure.
    assert found.pictures == ()


def test_watermark_is_dropped_and_slanted_label_kept(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.insert_text((50, 100), "Register")
    for text, size in (("CONFIDENTIAL", 48), ("slanted", 9)):
        page.insert_text(
            (100, 400),
            text,
            fontsize=size,
            morph=(pymupdf.Point(100, 400), pymupdf.Matrix(-45)),
        )
    found = read(save(doc, tmp_path / "a.pdf"))
    assert texts(found) == ["Register", "slanted"]
    assert word_of(found, "slanted").turned in (45, 315)


def test_bold_by_printing_twice_is_one_bold_word(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    for x in (50, 50.4):
        page.insert_text((x, 100), "Control register")
    page.insert_text((50, 200), "plain")
    for _ in range(2):
        page.insert_text((50, 300), "copied words")
    with open_pdf(save(doc, tmp_path / "a.pdf")) as pdf:
        found = pdf.page(1)
        bold = {w.text: pdf.info.fonts[w.font].bold for w in found.words}
    assert texts(found) == ["Control", "register", "plain", "copied", "words"]
    assert bold["Control"] and bold["register"]
    assert not bold["plain"] and not bold["copied"]


def test_the_same_word_in_neighbouring_cells_is_kept(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    for x in range(8):
        page.insert_text((50 + 5 * x, 100), "0", fontsize=8)
        page.insert_text((50 + 5 * x, 108), "0", fontsize=8)
    assert texts(read(save(doc, tmp_path / "a.pdf"))) == ["0"] * 16


def test_fonts(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    for y, font in ((100, "helv"), (120, "hebo"), (140, "heit"), (160, "cour")):
        page.insert_text((50, y), font, fontname=font, fontsize=9.52)
    page.insert_text((50, 180), "big", fontsize=18)
    with open_pdf(save(doc, tmp_path / "a.pdf")) as pdf:
        found = {w.text: pdf.info.fonts[w.font] for w in pdf.page(1).words}
    assert [found[f].bold for f in ("helv", "hebo", "heit", "cour")] == [False, True, False, False]
    assert found["heit"].italic and not found["helv"].italic
    assert found["cour"].mono and not found["helv"].mono
    assert (found["helv"].size, found["big"].size) == (9.5, 18)
    assert found["helv"].name == "Helvetica"


# --- signs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "font", "meant"),
    [
        ("\ufb01", "Body", "fi"),
        ("\ufb03", "Body", "ffi"),
        ("\u00ad", "Body", "-"),
        ("\u2011", "Body", "-"),
        ("\uff1a", "Body", ":"),
        ("\uff21", "Body", "A"),
        ("\u03bc", "Body", "µ"),
        ("\u00b5", "Body", "µ"),
        ("\u2126", "Body", "Ω"),
        ("\u00b2", "Body", "²"),
        ("\u2264", "Body", "≤"),
        ("\u2103", "Body", "°C"),
        ("\u2013", "Body", "–"),
        ("\u00bd", "Body", "½"),
        ("\u2122", "Body", "™"),
        ("\u4e2d", "Body", "中"),
        ("\uf0b7", "SymbolMT", "•"),
        ("\uf06d", "SymbolMT", "µ"),
        ("\uf057", "SymbolMT", "Ω"),
        ("\uf0b4", "SymbolMT", "×"),
        ("\uf0a3", "SymbolMT", "≤"),
        ("\uf0b3", "SymbolMT", "≥"),
        ("\uf0b1", "SymbolMT", "±"),
        ("\uf0ae", "SymbolMT", "→"),
        ("\uf0a7", "Wingdings", "▪"),
        ("\uf0fc", "Wingdings", "✓"),
        ("\uf06e", "Wingdings-Regular", "■"),
        ("\uf052", "Body", "R"),
        ("\u019f", "Calibri", "ti"),
    ],
)
def test_a_sign_is_read_as_it_is_meant(tmp_path: Path, sign: str, font: str, meant: str) -> None:
    # "a", the sign and "b" as codes 1 to 3 of a font with its own character map.
    resources = "/Font<</F 10 0 R>>"
    description = (
        f"<</Type/Font/Subtype/Type1/BaseFont/{font}/FirstChar 0/LastChar 3"
        "/Widths[500 500 500 500]/ToUnicode 11 0 R"
        "/FontDescriptor<</Type/FontDescriptor/FontName/F/Flags 4>>>>"
    ).encode()
    path = raw_pdf(
        tmp_path / "a.pdf",
        b"BT /F 12 Tf 50 500 Td (\\001\\002\\003) Tj ET",
        resources,
        [description, to_unicode({1: "a", 2: sign, 3: "b"})],
    )
    (word,) = texts(read(path))
    assert word == f"a{meant}b" or font != "Body"
    assert meant in word


def test_signs_without_width_do_not_stand_in_words(tmp_path: Path) -> None:
    path = raw_pdf(
        tmp_path / "a.pdf",
        b"BT /F 12 Tf 50 500 Td (\\001\\002\\003) Tj ET",
        "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Body/FirstChar 0/LastChar 3"
        "/Widths[500 500 500 500]/ToUnicode 10 0 R>>>>",
        [to_unicode({1: "A", 2: "\u200b", 3: "B"})],
    )
    assert "".join(texts(read(path))) == "AB"


# --- drawings ---------------------------------------------------------------------------------


def test_lines_and_thin_boxes_are_rules(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.draw_line((50, 100), (350, 100))
    page.draw_rect((50, 149.5, 350, 150.5), fill=(0, 0, 0), color=None)
    page.draw_line((50, 100), (50, 150))
    page.draw_rect((100, 200, 300, 260))
    found = read(save(doc, tmp_path / "a.pdf"))
    assert across(found) == [(100, 50, 350), (150, 50, 350), (200, 100, 300), (260, 100, 300)]
    assert down(found) == [(50, 100, 150), (100, 200, 260), (300, 200, 260)]
    assert found.fills == () and found.pictures == ()


def test_lines_drawn_as_curves_without_a_bend_are_rules(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)

    def filled(x0: float, y0: float, x1: float, y1: float, bend: float = 0) -> None:
        shape = page.new_shape()
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if x1 - x0 > y1 - y0:
            shape.draw_bezier((x0, y0), (x, y0 + bend), (x, y0 + bend), (x1, y0))
            shape.draw_line((x1, y0), (x1, y1))
            shape.draw_bezier((x1, y1), (x, y1 + bend), (x, y1 + bend), (x0, y1))
        else:
            shape.draw_bezier((x0, y0), (x0, y), (x0, y), (x0, y1))
            shape.draw_line((x0, y1), (x1, y1))
            shape.draw_bezier((x1, y1), (x1, y), (x1, y), (x1, y0))
        shape.finish(fill=(0, 0, 0), color=None, closePath=True)
        shape.commit()

    filled(50, 99.5, 350, 100.5)
    filled(49.5, 100, 50.5, 150)
    filled(50, 300, 350, 301, bend=1.2)
    found = read(save(doc, tmp_path / "a.pdf"))
    assert across(found) == [(100, 50, 350)]
    assert down(found) == [(50, 100, 150)]


def test_pieces_of_a_line_are_one_rule(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    # One border for each cell, dashes as lines of their own, dots as boxes, a real gap.
    for x in range(50, 350, 50):
        page.draw_line((x, 100), (x + 50, 100))
    for x in range(50, 350, 6):
        page.draw_line((x, 150), (x + 3, 150))
    for x in range(50, 350, 2):
        page.draw_rect((x, 200, x + 0.5, 200.5), fill=(0, 0, 0), color=None)
    page.draw_line((50, 250), (150, 250))
    page.draw_line((200, 250), (350, 250))
    page.draw_line((50, 300), (350, 300), dashes="[3 3] 0")
    found = read(save(doc, tmp_path / "a.pdf"))
    assert across(found) == [
        (100, 50, 350),
        (150, 50, 347),
        (200, 50, 348),
        (250, 50, 150),
        (250, 200, 350),
        (300, 50, 350),
    ]


def test_fills_of_cells_are_kept_apart(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.draw_rect(page.rect, fill=(0.98, 0.95, 0.9), color=None)
    for x in (50, 150, 250):
        page.draw_rect((x, 100, x + 100, 120), fill=(0.8, 0.9, 1), color=None)
    page.draw_rect((50, 300, 350, 320), fill=(1, 1, 1), color=None)
    found = read(save(doc, tmp_path / "a.pdf"))
    assert found.fills == ((50, 100, 150, 120), (150, 100, 250, 120), (250, 100, 350, 120))


def test_white_lines_separate_shaded_cells_only(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.draw_rect((50, 100, 350, 140), fill=(0.8, 0.8, 0.8), color=None)
    page.draw_line((150, 100), (150, 140), color=(1, 1, 1))
    page.draw_line((150, 300), (150, 340), color=(1, 1, 1))
    found = read(save(doc, tmp_path / "a.pdf"))
    assert down(found) == [(150, 100, 140)]


def test_pictures(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.insert_text((50, 50), "Figure")
    gray = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40), False)
    gray.clear_with(90)
    page.insert_image((50, 100, 150, 200), pixmap=gray)
    # A block diagram: two boxes, a line between them, an arrow head.
    page.draw_rect((50, 300, 120, 340))
    page.draw_rect((220, 300, 290, 340))
    page.draw_line((120, 320), (214, 320))
    page.draw_polyline(
        [(214, 316), (220, 320), (214, 324)], fill=(0, 0, 0), color=None, closePath=True
    )
    # A table with nothing but lines.
    for y in (450, 470, 490):
        page.draw_line((50, y), (350, y))
    found = read(save(doc, tmp_path / "a.pdf"))
    assert [tuple(round(c) for c in b) for b in sorted(found.pictures, key=lambda b: b[1])] == [
        (50, 100, 150, 200),
        (50, 300, 290, 340),
    ]
    assert len(across(found)) == 8


def test_a_picture_takes_its_frame(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    page.draw_rect((40, 90, 360, 320))
    page.draw_circle((200, 200), 80)
    found = read(save(doc, tmp_path / "a.pdf"))
    assert [tuple(round(c) for c in b) for b in found.pictures] == [(40, 90, 360, 320)]


def test_an_image_that_is_a_line_is_a_rule(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    dark = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 1), False)
    dark.clear_with(0)
    page.insert_image((50, 100, 350, 101), pixmap=dark, keep_proportion=False)
    found = read(save(doc, tmp_path / "a.pdf"))
    assert across(found) == [(100, 50, 350)]
    assert found.pictures == ()
