"""Files that are damaged, huge, or made to do harm: one sentence, in little time."""

from __future__ import annotations

import io
import socket
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pytest
from pptx import Presentation

from datasheet_lsp.documents.convert import Limits, convert
from datasheet_lsp.documents.errors import DocumentError
from tests.documents.convert.reading import blocks, check, read, troubles
from tests.documents.convert.test_office import saved

BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>'


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a document was about to open a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            target.writestr(name, change(name, source.read(name)))
    return out.getvalue()


def files() -> dict[str, bytes]:
    return {
        "e.docx": saved(docx.Document()),
        "e.pptx": saved(Presentation()),
        "e.xlsx": saved(openpyxl.Workbook()),
    }


def sentence(folder: Path, name: str, content: str | bytes, **more: object) -> str:
    """What is said when the file is refused."""
    with pytest.raises(DocumentError) as error:
        read(folder, name, content, **more)
    text = str(error.value)
    assert text.endswith(".") and "\n" not in text and name in text
    return text


@pytest.mark.parametrize("declaration", [BOMB, OUTSIDE])
def test_xml_with_entities_is_refused(tmp_path: Path, declaration: str) -> None:
    text = sentence(tmp_path, "e.xml", f'<?xml version="1.0"?>{declaration}<a>&c;&b;</a>')
    assert text == (
        "e.xml is refused: it declares its own entities, which a document does not need."
    )


def test_xml_with_entities_is_refused_in_any_encoding(tmp_path: Path) -> None:
    data = ('<?xml version="1.0" encoding="utf-16"?>' + BOMB + "<a>&c;</a>").encode("utf-16")
    assert "declares its own entities" in sentence(tmp_path, "e.xml", data)


@pytest.mark.parametrize("name", ["e.docx", "e.pptx", "e.xlsx"])
@pytest.mark.parametrize("declaration", [BOMB, OUTSIDE])
def test_office_parts_with_entities_are_refused(
    tmp_path: Path, name: str, declaration: str
) -> None:
    main = {"e.docx": "document.xml", "e.pptx": "presentation.xml", "e.xlsx": "workbook.xml"}

    def change(part: str, data: bytes) -> bytes:
        if part.endswith("/" + main[name]):
            at = data.find(b"?>") + 2 if data.startswith(b"<?xml") else 0
            return data[:at] + declaration.encode() + data[at:]
        return data

    assert "declares its own entities" in sentence(tmp_path, name, repacked(files()[name], change))


@pytest.mark.parametrize("name", ["e.docx", "e.pptx", "e.xlsx"])
def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, name: str) -> None:
    data = io.BytesIO(files()[name])
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as file:
        with file.open("word/media/big.bin", "w", force_zip64=True) as part:
            for _ in range(40):
                part.write(bytes(1 << 20))
    began = time.perf_counter()
    text = sentence(tmp_path, name, data.getvalue(), limits=Limits(package_bytes=32 << 20))
    assert text == f"{name} is refused: unpacked it has 40 MB, more than 32 MB."
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("name", ["e.docx", "e.pptx", "e.xlsx"])
def test_what_is_no_office_file_is_refused(tmp_path: Path, name: str) -> None:
    kind = name[2:].upper()
    assert sentence(tmp_path, name, b"PK\x03\x04 nothing") == (
        f"{name} is no {kind} file, or it is damaged."
    )
    assert sentence(tmp_path, name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)) == (
        f"{name} is protected by a password or is of the old binary format; "
        f"save it as {kind} without a password."
    )
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("a.txt", "x")
    assert sentence(tmp_path, name, other.getvalue()) == (
        f"{name} is no {kind} file: its main part is missing."
    )


@pytest.mark.parametrize("name", ["e.docx", "e.pptx", "e.xlsx"])
def test_damaged_office_files_never_do_more_than_be_refused(tmp_path: Path, name: str) -> None:
    data = files()[name]
    for at in range(0, len(data), max(1, len(data) // 60)):
        broken = data[:at] + bytes(b ^ 0x5A for b in data[at : at + 24]) + data[at + 24 :]
        (tmp_path / name).write_bytes(broken)
        try:
            check(convert(tmp_path / name))
        except DocumentError as error:
            assert name in str(error)
        (tmp_path / name).write_bytes(data[:at])
        with pytest.raises(DocumentError):
            convert(tmp_path / name)


@pytest.mark.parametrize("name", ["e.docx", "e.pptx", "e.xlsx"])
def test_office_parts_that_are_missing_or_no_xml(tmp_path: Path, name: str) -> None:
    data = files()[name]
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        parts = source.namelist()
    for gone in parts:
        (tmp_path / name).write_bytes(
            repacked(data, lambda part, text, gone=gone: b"<x>" if part == gone else text)
        )
        try:
            check(convert(tmp_path / name))
        except DocumentError as error:
            assert name in str(error)


def test_a_sheet_that_claims_to_be_as_large_as_can_be(tmp_path: Path) -> None:
    def change(part: str, data: bytes) -> bytes:
        if part.endswith("sheet1.xml"):
            rows = '<row r="1"><c r="A1"><v>1</v></c></row>'
            rows += '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
            head = data[: data.index(b"<sheetData")]
            return head + f"<sheetData>{rows}</sheetData></worksheet>".encode()
        return data

    began = time.perf_counter()
    document = read(tmp_path, "e.xlsx", repacked(files()["e.xlsx"], change))
    assert time.perf_counter() - began < 5
    assert blocks(document) == [("text", "1")]
    assert "empty rows follow" in troubles(document)[0]


def test_outside_parts_of_office_files_are_not_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")

    def change(part: str, data: bytes) -> bytes:
        if part.endswith("document.xml.rels"):
            link = (
                '<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/'
                f'2006/relationships/image" Target="{secret.as_uri()}" TargetMode="External"/>'
            )
            return data.replace(b"</Relationships>", link.encode() + b"</Relationships>")
        if part.endswith("word/document.xml"):
            picture = (
                b'<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/'
                b'drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.'
                b'openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http'
                b'://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip '
                b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
                b'r:link="rId99"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>'
                b"</wp:inline></w:drawing></w:r><w:r><w:t>beside</w:t></w:r></w:p>"
            )
            return data.replace(b"<w:body>", b"<w:body>" + picture)
        return data

    document = read(tmp_path, "e.docx", repacked(files()["e.docx"], change))
    assert blocks(document) == [("text", "beside")]
    assert "secret" not in str(document.blocks)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("e.md", "![[" * 30_000),
        ("e.md", "*a_ " * 30_000),
        ("e.md", "[a](" * 30_000),
        ("e.md", "> " * 30_000 + "x"),
        ("e.html", "<table><tr><td>" * 20_000 + "x"),
        ("e.html", "<td colspan=1000 rowspan=65534>x" * 2_000),
        ("e.txt", "|" + "-" * 400_000),
        ("e.txt", "1.1.1.1 A\n\n" * 20_000),
        ("e.csv", '"' * 200_000),
        ("e.csv", "irq " * 100_000 + ",b\n1,2\n"),
    ],
)
def test_text_made_to_take_long_does_not(tmp_path: Path, name: str, text: str) -> None:
    began = time.perf_counter()
    read(tmp_path, name, text)
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    ("name", "text"), [("e.json", "[" * 100_000), ("e.json", '{"a":' * 100_000)]
)
def test_nesting_without_end_is_refused(tmp_path: Path, name: str, text: str) -> None:
    assert sentence(tmp_path, name, text) == (
        "e.json cannot be read: things in it are nested too deep."
    )


def test_nesting_past_the_limit_is_told(tmp_path: Path) -> None:
    document = read(tmp_path, "e.json", '{"x": 1, "a": [' * 200 + "1" + "]}" * 200)
    assert troubles(document) == [
        "e.json was not read wholly: things in it are nested more than 100 deep."
    ]
    assert blocks(document)[0] == ("list", "x: 1")


def test_the_beginning_of_a_file_that_is_too_large_is_read(tmp_path: Path) -> None:
    text = "".join(f"line {n}\n\n" for n in range(300_000))
    document = read(tmp_path, "e.txt", text, limits=Limits(file_bytes=1 << 20))
    assert troubles(document) == ["Only the first 1 MB of e.txt were read."]
    assert blocks(document)[0] == ("text", "line 0")
    document = read(tmp_path, "e.txt", text, limits=Limits(blocks=100))
    assert len(document.blocks) + len(document.sections) == 100
    assert troubles(document) == [
        "Only the beginning of e.txt was read: it has more than 100 paragraphs."
    ]
    document = read(tmp_path, "e.csv", "a,b\n" * 1000, limits=Limits(cells=500))
    assert troubles(document) == ["e.csv was read up to line 250: it has more than 500 cells."]


def test_what_cannot_be_cut_and_is_too_large_is_refused(tmp_path: Path) -> None:
    text = sentence(tmp_path, "e.json", " " * (3 << 20), limits=Limits(markup_bytes=1 << 20))
    assert text == "e.json is refused: it has 3 MB, more than 1 MB."


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    assert sentence(tmp_path, "e.txt", bytes(range(256)) * 40) == (
        "e.txt is not a text file; its name says that it is one."
    )


def test_a_file_that_is_not_there_or_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"^e\.md cannot be read: no such file or directory\.$"):
        convert(tmp_path / "e.md")
    with pytest.raises(DocumentError, match=r"^e\.exe is of no format that can be read\.$"):
        convert(tmp_path / "e.exe")


@pytest.mark.parametrize("name", ["e.md", "e.txt", "e.csv", "e.json", "e.xml", "e.html"])
def test_an_empty_file_is_a_document_that_says_so(tmp_path: Path, name: str) -> None:
    for content in (b"", b"\xef\xbb\xbf", b" \n\n"):
        document = read(tmp_path, name, content)
        assert troubles(document) == [f"{name} holds no text."]
        assert document.title == name
