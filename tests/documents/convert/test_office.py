"""Word, PowerPoint and Excel files, written here by the libraries that others write them with."""

from __future__ import annotations

import datetime
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.documents.convert.reading import blocks, grid, outline, read, troubles

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def saved(thing: Any) -> bytes:
    out = io.BytesIO()
    thing.save(out)
    return out.getvalue()


def number_headings(document: Any) -> None:
    """Lets Word count the headings, as errata sheets do: 1, 1.1, and A for an appendix."""
    numbering = document.part.numbering_part.element
    levels = [(0, "decimal", "%1"), (1, "decimal", "%1.%2"), (2, "upperLetter", "Annex %3")]
    numbering.insert(
        0,
        parse_xml(
            f'<w:abstractNum {_W} w:abstractNumId="77">'
            + "".join(
                f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{format}"/>'
                f'<w:lvlText w:val="{text}"/></w:lvl>'
                for at, format, text in levels
            )
            + "</w:abstractNum>"
        ),
    )
    numbering.append(parse_xml(f'<w:num {_W} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    for name, level in (("Heading 1", 0), ("Heading 2", 1)):
        document.styles[name].element.get_or_add_pPr().append(
            parse_xml(f'<w:numPr {_W}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>')
        )


def test_word_headings_with_the_numbers_word_counts(tmp_path: Path) -> None:
    file = docx.Document()
    file.core_properties.title = "XY100 device errata"
    number_headings(file)
    own = file.styles.add_style("Erratum", WD_STYLE_TYPE.PARAGRAPH)
    own.base_style = file.styles["Heading 2"]
    file.add_paragraph("XY100 errata", style="Title")
    file.add_paragraph("Rev 5")
    file.add_heading("Summary", 1)
    file.add_heading("Errata", 1)
    file.add_paragraph("DMA stalls", style="Erratum")
    file.add_paragraph("UART drops", style="Erratum")
    deeper = file.add_paragraph("By its outline level")
    deeper._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {_W} w:val="2"/>'))
    file.add_paragraph("text")
    file.add_heading("Third", 1)
    file.add_heading("Inside", 2)
    document = read(tmp_path, "e.docx", saved(file))
    assert (document.title, document.revision) == ("XY100 device errata", "Rev 5")
    assert outline(document) == [
        (1, "", "XY100 errata"),
        (1, "1", "Summary"),
        (1, "2", "Errata"),
        (2, "2.1", "DMA stalls"),
        (2, "2.2", "UART drops"),
        (3, "", "By its outline level"),
        (1, "3", "Third"),
        (2, "3.1", "Inside"),
    ]
    assert blocks(document) == [("text", "Rev 5"), ("text", "text")]


def test_word_paragraphs_lists_notes_and_changes(tmp_path: Path) -> None:
    file = docx.Document()
    file.add_paragraph("Set ").add_run("USART_CR1").bold = True
    file.add_paragraph("a", style="List Bullet")
    file.add_paragraph("b", style="List Bullet 2")
    file.add_paragraph("one", style="List Number")
    file.add_paragraph("Note: beware")
    changed = file.add_paragraph("Now ")
    changed._p.append(parse_xml(f"<w:ins {_W}><w:r><w:t>new</w:t></w:r></w:ins>"))
    changed._p.append(parse_xml(f"<w:del {_W}><w:r><w:delText>old</w:delText></w:r></w:del>"))
    file.element.body.insert(
        6,
        parse_xml(
            f"<w:sdt {_W}><w:sdtContent><w:p><w:r><w:t>In a control</w:t></w:r></w:p>"
            "</w:sdtContent></w:sdt>"
        ),
    )
    assert [b for b in blocks(read(tmp_path, "e.docx", saved(file)))] == [
        ("text", "Set USART_CR1"),
        ("list", "- a\n- b"),
        ("list", "1. one"),
        ("note", "Note: beware"),
        ("text", "Now new"),
        ("text", "In a control"),
    ]


def test_word_tables_with_merged_cells_and_caption(tmp_path: Path) -> None:
    file = docx.Document()
    file.add_paragraph("Table 3: Bits", style="Caption")
    table = file.add_table(4, 3)
    for row in range(4):
        for column in range(3):
            table.cell(row, column).text = f"r{row}c{column}"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "down"
    table.cell(3, 1).merge(table.cell(3, 2)).text = "across"
    frame = file.add_table(1, 1)
    frame.cell(0, 0).text = "first\nsecond"
    document = read(tmp_path, "e.docx", saved(file))
    assert grid(document.tables[0]) == [
        ("r0c0", "r0c1", "r0c2"),
        ("down", "r1c1", "r1c2"),
        ("down", "r2c1", "r2c2"),
        ("r3c0", "across", "across"),
    ]
    assert (document.tables[0].number, document.tables[0].caption) == ("3", "Bits")
    assert blocks(document) == [("table", "Bits"), ("text", "first\nsecond")]


def test_powerpoint_slides_are_sections_and_pages(tmp_path: Path) -> None:
    file = Presentation()
    slide = file.slides.add_slide(file.slide_layouts[1])
    slide.shapes.title.text = "Errata v1.3"
    points = slide.placeholders[1].text_frame
    points.text = "first"
    inner = points.add_paragraph()
    inner.text, inner.level = "under it", 1
    slide.notes_slide.notes_text_frame.text = "say hello"
    slide = file.slides.add_slide(file.slide_layouts[5])
    slide.shapes.title.text = "Registers"
    table = slide.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, texts in enumerate((("Name", "Offset"), ("CR", "0x00"), ("", "0x04"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    data = CategoryChartData()
    data.categories = ["1 V", "2 V"]
    data.add_series("Current", (1.5, 2))
    slide.shapes.add_chart(
        XL_CHART_TYPE.LINE_MARKERS, Inches(1), Inches(4), Inches(4), Inches(2), data
    )
    slide = file.slides.add_slide(file.slide_layouts[6])
    below = slide.shapes.add_textbox(0, Inches(3), Inches(2), Inches(1))
    below.text_frame.text = "below"
    slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = "above"
    document = read(tmp_path, "e.pptx", saved(file))
    assert (document.title, document.revision, document.pages) == ("Errata v1.3", "v1.3", 3)
    assert outline(document) == [(1, "", "Errata v1.3"), (1, "", "Registers"), (1, "", "Slide 3")]
    assert [s.page for s in document.sections] == [1, 2, 3]
    assert blocks(document) == [
        ("list", "- first\n  - under it"),
        ("note", "say hello"),
        ("table", ""),
        ("table", ""),
        ("text", "above"),
        ("text", "below"),
    ]
    assert [grid(t) for t in document.tables] == [
        [("Name", "Offset"), ("CR", "0x00"), ("CR", "0x04")],
        [("", "Current"), ("1 V", "1.5"), ("2 V", "2")],
    ]
    assert [t.row_pages for t in document.tables] == [(2, 2), (2, 2)]


def test_excel_sheets_are_sections_and_pages(tmp_path: Path) -> None:
    file = openpyxl.Workbook()
    file.properties.title = "Register map"
    file.properties.version = "1.7"
    sheet = file.active
    sheet.title = "Registers"
    for row in (
        ["XY100 registers"],
        [],
        ["Name", "Offset", None, "Share"],
        ["CR", "0x00", None, 1],
        [None, None, None, 2.5],
        ["DR", 4, None, 0.05],
        [],
        ["Date", "Text"],
        [datetime.datetime(2020, 3, 1), "made"],
    ):
        sheet.append(row)
    sheet["D6"].number_format = "0%"
    sheet.merge_cells("A4:A5")
    pins = file.create_sheet("Pins")
    for row in (["Pin", "Function", None], [None, "AF0", "AF1"], ["PA0", "TIM", "USART"]):
        pins.append(row)
    pins.merge_cells("B1:C1")
    pins.merge_cells("A1:A2")
    file.create_sheet("Empty")
    document = read(tmp_path, "map.xlsx", saved(file))
    assert (document.title, document.revision) == ("Register map", "1.7")
    assert (document.pages, document.label(2)) == (3, "Pins")
    assert outline(document) == [(1, "", "Registers"), (1, "", "Pins"), (1, "", "Empty")]
    assert [grid(t) for t in document.tables] == [
        [("Name", "Offset", "Share"), ("CR", "0x00", "1"), ("CR", "", "2.5"), ("DR", "4", "5%")],
        [("Date", "Text"), ("2020-03-01", "made")],
        [("Pin", "Function AF0", "Function AF1"), ("PA0", "TIM", "USART")],
    ]
    assert [t.places[0].page for t in document.tables] == [1, 1, 2]
    assert document.tables[0].kind == "registers"
    assert blocks(document)[0] == ("text", "XY100 registers")


def test_excel_tables_side_by_side_are_two(tmp_path: Path) -> None:
    file = openpyxl.Workbook()
    for row in (["a", "b", None, "c", "d"], [1, 2, None, 3, 4], [5, 6, None, 7, 8]):
        file.active.append(row)
    document = read(tmp_path, "map.xlsx", saved(file))
    assert [grid(t) for t in document.tables] == [
        [("a", "b"), ("1", "2"), ("5", "6")],
        [("c", "d"), ("3", "4"), ("7", "8")],
    ]


def test_excel_formulas_are_not_run_and_a_missing_value_is_told(tmp_path: Path) -> None:
    file = openpyxl.Workbook()
    file.active.append(["a", "b"])
    file.active.append(["x", "=1+1"])
    document = read(tmp_path, "map.xlsx", saved(file))
    assert grid(document.tables[0]) == [("a", "b"), ("x", "")]
    assert troubles(document) == [
        'On sheet "Sheet", formulas without a saved value were left out (1); '
        "open the file in a spreadsheet program and save it."
    ]


@pytest.mark.parametrize(
    ("name", "library"), [("e.docx", "mammoth"), ("e.pptx", "pptx"), ("e.xlsx", "openpyxl")]
)
def test_without_the_packages_one_sentence_says_how_to_install(
    tmp_path: Path, name: str, library: str
) -> None:
    makers = {"e.docx": docx.Document, "e.pptx": Presentation, "e.xlsx": openpyxl.Workbook}
    (tmp_path / name).write_bytes(saved(makers[name]()))
    script = (
        "import sys\n"
        f"sys.modules[{library!r}] = None\n"
        "from pathlib import Path\n"
        "from datasheet_lsp.documents.convert import convert\n"
        "document = convert(Path(sys.argv[1]))\n"
        "print(document.blocks, *[t.message for t in document.troubles], sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / name)], capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        "()",
        f"{name} was not read: for {name[2:].upper()} files, install what reads them with "
        "`pip install datasheet-lsp[office]`.",
    ]


def test_text_formats_need_no_office_package(tmp_path: Path) -> None:
    for name, text in (
        ("a.md", "# H\n\nx"),
        ("a.txt", "x"),
        ("a.csv", "a,b\n1,2"),
        ("a.json", "{}"),
        ("a.xml", "<a/>"),
        ("a.html", "<p>x"),
    ):
        (tmp_path / name).write_text(text)
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from datasheet_lsp.documents.convert import convert\n"
        "for path in Path(sys.argv[1]).iterdir(): convert(path)\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & "
        "{'mammoth', 'pptx', 'openpyxl', 'numpy', 'pymupdf', 'PIL', 'requests', 'onnxruntime'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr
