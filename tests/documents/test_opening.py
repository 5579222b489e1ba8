"""Files that want a password, are damaged or are no PDF; pages without usable text."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.pdf.reader import open_pdf
from datasheet_lsp.documents.pdf.troubles import CRASHED, GARBAGE, NO_TEXT, SLOW, fold
from tests.documents.make_pdf import new_page, new_pdf, raw_pdf, save, text_pdf
from tests.support import shared


def refusal(path: Path, password: str | None = None) -> str:
    with pytest.raises(PdfError) as e:
        open_pdf(path, password)
    text = str(e.value)
    assert "\n" not in text and path.name in text
    return text


# --- passwords --------------------------------------------------------------------------------


def protected(path: Path) -> Path:
    return text_pdf(
        path,
        ["secret register"],
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="open sesame",
        owner_pw="other",
    )


def test_a_password_is_asked_for_by_its_setting(tmp_path: Path) -> None:
    path = protected(tmp_path / "a.pdf")
    with pytest.raises(PdfPasswordError) as e:
        open_pdf(path)
    assert str(e.value) == (
        "a.pdf is protected: put its password under documents.password in datasheet.toml"
    )
    with pytest.raises(PdfPasswordError, match="the password given for it is wrong"):
        open_pdf(path, "sesame")
    with open_pdf(path, "open sesame") as pdf:
        assert [w.text for w in pdf.page(1).words] == ["secret", "register"]


def test_protected_manual() -> None:
    path = shared("corpus/hard/derived_pm0075_userpw.pdf")
    with pytest.raises(PdfPasswordError):
        open_pdf(path)
    with open_pdf(path, "secret") as pdf:
        assert pdf.info.pages == 31
        assert "FLASH_ACR" in {w.text for w in pdf.page(8).words}


# --- damage -----------------------------------------------------------------------------------


def test_a_pdf_that_went_through_a_text_decode() -> None:
    text = refusal(shared("corpus/hard/broken_ln1132_0pages.pdf"))
    assert "conversion as text" in text and "get the file again" in text


def test_a_text_decode_of_our_own(tmp_path: Path) -> None:
    path = text_pdf(tmp_path / "good.pdf", [f"page {n}" for n in range(40)], deflate=True)
    data = path.read_bytes().decode("utf-8", errors="replace").replace("\n", "\r\n").encode()
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(data)
    assert "conversion as text" in refusal(broken)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"hello, world", "is not a PDF"),
        (b"%PDF-1.7\n", "is damaged and none of its pages can be read"),
        (b"PK\x03\x04" + bytes(200), "is not a PDF"),
    ],
)
def test_what_is_no_pdf(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    assert said in refusal(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refusal(tmp_path / "gone.pdf")
    folder = tmp_path / "folder.pdf"
    folder.mkdir()
    assert "cannot be read: " in refusal(folder)


def test_a_damaged_table_of_objects_is_mended(tmp_path: Path) -> None:
    path = text_pdf(tmp_path / "a.pdf", ["one", "two", "three"])
    path.write_bytes(path.read_bytes().replace(b"startxref", b"startxxxx"))
    with open_pdf(path) as pdf:
        assert [[w.text for w in pdf.page(n).words] for n in (1, 2, 3)] == [
            ["one"],
            ["two"],
            ["three"],
        ]
        (trouble,) = pdf.info.troubles
        assert trouble.startswith("a.pdf is damaged; it was mended as far as possible, with 3 page")


def test_a_file_cut_off_in_the_middle_gives_the_pages_it_has(tmp_path: Path) -> None:
    whole = shared("corpus/pdf/st_stm32f446_ds.pdf").read_bytes()
    path = tmp_path / "half.pdf"
    path.write_bytes(whole[: len(whole) // 2])
    with open_pdf(path) as pdf:
        assert pdf.info.pages > 50
        assert sum(bool(pdf.page(n).words) for n in range(1, 31)) >= 29
        (trouble,) = pdf.info.troubles
        assert "half.pdf is damaged and ends too early" in trouble
        assert f"{pdf.info.pages} pages were found" in trouble


def test_a_page_with_a_broken_stream_costs_that_page_alone(tmp_path: Path) -> None:
    doc = pymupdf.open(text_pdf(tmp_path / "a.pdf", ["one", "two", "three"]))
    doc.update_stream(doc[1].get_contents()[0], b"\xff\x00garbage(((" * 20, compress=False)
    doc.xref_set_key(doc[1].get_contents()[0], "Filter", "/FlateDecode")
    with open_pdf(save(doc, tmp_path / "b.pdf")) as pdf:
        assert [[w.text for w in pdf.page(n).words] for n in (1, 2, 3)] == [["one"], [], ["three"]]


def test_undamaged_files_have_no_troubles(tmp_path: Path) -> None:
    with open_pdf(text_pdf(tmp_path / "a.pdf", ["one", ""])) as pdf:
        assert [pdf.page(1).trouble, pdf.page(2).trouble] == ["", ""]
        assert pdf.info.troubles == []


# --- pages without usable text ----------------------------------------------------------------


def test_a_scan_without_text_layer() -> None:
    with open_pdf(shared("corpus/hard/derived_mc6850_notext.pdf")) as pdf:
        pages = [pdf.page(n) for n in range(1, 10)]
    assert [p.trouble for p in pages] == [NO_TEXT] * 9
    (trouble,) = fold([(p.number, p.trouble) for p in pages], "mc6850.pdf")
    assert trouble.message == (
        "pages 1-9 have no text layer: "
        "add one with `ocrmypdf --skip-text mc6850.pdf mc6850-ocr.pdf`"
    )
    assert (trouble.first_page, trouble.last_page) == (1, 9)


def test_a_scan_with_ocr_layer_has_text() -> None:
    with open_pdf(shared("corpus/pdf/motorola_mc6850_scan.pdf")) as pdf:
        assert all(not pdf.page(n).trouble for n in range(1, pdf.info.pages + 1))


def test_a_stamped_scan_has_no_text_layer(tmp_path: Path) -> None:
    doc = new_pdf()
    page = new_page(doc)
    gray = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 60), False)
    gray.clear_with(220)
    page.insert_image(page.rect, pixmap=gray)
    page.insert_text((50, 590), "Downloaded from the archive")
    new_page(doc).insert_text((50, 100), "Chapter 1")
    with open_pdf(save(doc, tmp_path / "a.pdf")) as pdf:
        assert [pdf.page(1).trouble, pdf.page(2).trouble] == [NO_TEXT, ""]


def test_letters_drawn_as_outlines_are_no_text(tmp_path: Path) -> None:
    strokes = b"".join(
        b"%d %d m %d %d %d %d %d %d c f\n" % (x, y, x + 2, y + 4, x + 4, y + 4, x + 5, y)
        for x in range(40, 340, 8)
        for y in range(100, 500, 20)
    )
    with open_pdf(raw_pdf(tmp_path / "a.pdf", strokes, "")) as pdf:
        assert pdf.page(1).trouble == NO_TEXT


def test_text_without_character_map_is_said(tmp_path: Path) -> None:
    font = (
        "/Font<</F<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+House/Encoding/Identity-H"
        "/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/ABCDEF+House"
        "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        "/FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+House/Flags 4"
        "/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent 0/CapHeight 700/StemV 80>>"
        ">>]>>>>"
    )
    lines = b"".join(
        b"BT /F 12 Tf 50 %d Td <00410103020401050042010601070108> Tj ET\n" % y
        for y in range(100, 500, 20)
    )
    with open_pdf(raw_pdf(tmp_path / "a.pdf", lines, font)) as pdf:
        assert pdf.page(1).trouble == GARBAGE


def test_troubles_are_folded_by_kind() -> None:
    pages = {3: NO_TEXT, 4: NO_TEXT, 5: NO_TEXT, 9: NO_TEXT, 12: SLOW, 13: NO_TEXT, 14: NO_TEXT}
    troubles = fold([(n, pages.get(n, "")) for n in range(1, 20)] + [(20, CRASHED)], "my file.pdf")
    assert [(t.message, t.first_page, t.last_page) for t in troubles] == [
        (
            "pages 3-5, 9 and 13-14 have no text layer: "
            "add one with `ocrmypdf --skip-text 'my file.pdf' 'my file-ocr.pdf'`",
            3,
            14,
        ),
        ("page 12 took too long to read and is left out", 12, 12),
        ("page 20 could not be read and is left out", 20, 20),
    ]
