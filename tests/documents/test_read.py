"""Reading a file of whatever kind."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from datasheet_lsp.documents.errors import DocumentError
from datasheet_lsp.documents.read import read_document
from datasheet_lsp.documents.structure import Cancelled, DeviceNames
from datasheet_lsp.svd import load_svd
from tests.documents.make_pdf import text_pdf
from tests.support import ROOT, shared

DEMO = ROOT / "data" / "demo"
MANUAL = DEMO / "manual" / "stm32f407-demo-manual.pdf"


def test_a_manual_with_its_device() -> None:
    names = DeviceNames(load_svd(DEMO / "svd" / "STM32F407_demo.svd"))
    seen: list[tuple[int, int]] = []
    document = read_document(MANUAL, names=names, progress=lambda *at: seen.append(at))
    assert seen == [(n, 18) for n in range(1, 19)]
    assert document.format == "pdf"
    assert document.pages == 18
    assert document.source == str(MANUAL)
    assert document.sha256 == hashlib.sha256(MANUAL.read_bytes()).hexdigest()
    assert ("USART2.BRR", "USART1.BRR") in {r.matches for r in document.registers}


def test_reading_twice_gives_the_same() -> None:
    assert read_document(MANUAL) == read_document(MANUAL)


def test_reading_stops_when_asked(tmp_path: Path) -> None:
    done: list[int] = []
    with pytest.raises(Cancelled):
        read_document(
            MANUAL,
            progress=lambda page, _: done.append(page),
            cancelled=lambda: len(done) >= 3,
        )
    assert done == [1, 2, 3]


def test_other_formats_are_converted(tmp_path: Path) -> None:
    note = tmp_path / "errata.md"
    note.write_text("# Errata\n\n## USART\n\nBRR must not be 0.\n")
    document = read_document(note)
    assert document.format == "md"
    assert [s.title for s in document.sections] == ["Errata", "USART"]


def test_a_pdf_is_known_by_its_content(tmp_path: Path) -> None:
    path = text_pdf(tmp_path / "manual.bin", ["Some text"])
    document = read_document(path)
    assert [b.text for b in document.blocks] == ["Some text"]


@pytest.mark.parametrize("name", ["missing.pdf", "folder.pdf", "empty.pdf", "words.xyz"])
def test_what_cannot_be_read_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "words.xyz").write_text("nothing")
    with pytest.raises(DocumentError) as raised:
        read_document(tmp_path / name)
    assert name in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_password_is_needed_and_used() -> None:
    path = shared("corpus/hard/derived_pm0075_userpw.pdf")
    with pytest.raises(DocumentError, match="password"):
        read_document(path)
    document = read_document(path, password="secret")
    assert document.revision == "Rev 2"
    assert document.pages == 31


def test_pages_without_text_are_told() -> None:
    document = read_document(shared("corpus/hard/derived_mc6850_notext.pdf"))
    assert document.pages == 9
    [trouble] = document.troubles
    assert (trouble.first_page, trouble.last_page) == (1, 9)
    assert "ocrmypdf" in trouble.message
    assert document.blocks == ()
    assert document.title == "derived_mc6850_notext"


def test_an_encrypted_manual_that_opens_without_password() -> None:
    document = read_document(shared("corpus/hard/wch_link_um_aes256.pdf"))
    assert document.revision == "V1.8"
    assert len([s for s in document.sections if s.origin == "outline"]) == 54


def test_a_file_damaged_by_a_text_conversion() -> None:
    with pytest.raises(DocumentError, match="conversion"):
        read_document(shared("corpus/hard/broken_ln1132_0pages.pdf"))
