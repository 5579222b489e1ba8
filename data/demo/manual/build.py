"""Makes the demo manual: manual.md and the SVD's register tables -> stm32f407-demo-manual.pdf.

Needs reportlab (``make manual``). The source is Markdown with three directives, each on a line of
its own: ``::: register PERIPHERAL.REGISTER [novalues] [first=N] [last=N]`` sets a register's
offset, reset value and field table; ``::: bits PERIPHERAL.REGISTER`` draws its bits;
``::: figure NAME`` draws a figure of figures.py. The same source gives the same bytes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from figures import BitDiagram, ClockTree
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Preformatted,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus.tableofcontents import TableOfContents

from datasheet_lsp.model import Field, Lookup, Register
from datasheet_lsp.svd import load_svd

HERE = Path(__file__).resolve().parent
SVD = HERE.parent / "svd" / "STM32F407_demo.svd"
PDF = HERE / "stm32f407-demo-manual.pdf"
WIDTH = A4[0] - 40 * mm

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=11.5, spaceAfter=5)
ITEM = ParagraphStyle("item", BODY, leftIndent=14, bulletIndent=2, spaceAfter=3)
CELL = ParagraphStyle("cell", BODY, fontSize=7.5, leading=9, spaceAfter=0)
HEAD = ParagraphStyle("head", CELL, fontName="Helvetica-Bold")
SMALL = ParagraphStyle("small", CELL, fontSize=6.5, leading=8)
CAPTION = ParagraphStyle(
    "caption", BODY, fontName="Helvetica-Bold", fontSize=8.5, alignment=TA_CENTER, spaceBefore=6
)
CODE = ParagraphStyle("code", fontName="Courier", fontSize=8.5, leading=11, leftIndent=14)
HEADINGS = [
    ParagraphStyle(
        f"heading{level}",
        fontName="Helvetica-Bold",
        fontSize=size,
        leading=size * 1.3,
        spaceBefore=before,
        spaceAfter=6,
        keepWithNext=1,
    )
    for level, (size, before) in enumerate(((16, 6), (12, 9), (10, 7)))
]
GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 1),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
)


class Manual(BaseDocTemplate):
    """The document: cover, contents, then chapters with running header and footer."""

    def __init__(self, meta: dict[str, str]) -> None:
        super().__init__(
            str(PDF),
            pagesize=A4,
            title=f"{meta['title']}: {meta['subtitle']}",
            author="datasheet-lsp",
            subject=f"{meta['document']} {meta['revision']}",
            invariant=1,
        )
        self.meta = meta
        self.chapter = ""
        frame = Frame(20 * mm, 20 * mm, WIDTH, A4[1] - 45 * mm, id="body")
        cover = PageTemplate(id="cover", frames=[frame])
        self.addPageTemplates([cover, PageTemplate(id="page", frames=[frame], onPage=self.margin)])

    def margin(self, canvas: Any, _: Any) -> None:
        """Header and footer of a page."""
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        canvas.drawString(20 * mm, A4[1] - 15 * mm, self.meta["title"])
        canvas.line(20 * mm, A4[1] - 17 * mm, A4[0] - 20 * mm, A4[1] - 17 * mm)
        canvas.drawString(20 * mm, 12 * mm, f"{self.meta['document']} {self.meta['revision']}")
        canvas.drawRightString(A4[0] - 20 * mm, 12 * mm, str(canvas.getPageNumber()))
        canvas.restoreState()

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        """Puts headings into the outline and the table of contents."""
        level = getattr(flowable, "heading_level", None)
        if level is None:
            return
        text = flowable.getPlainText()
        key = re.sub(r"\W+", "-", text)
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(text, key, level=level, closed=level > 0)
        if level < 2:
            self.notify("TOCEntry", (level, text, self.page, key))


class Writer:
    """Turns the source's lines into what reportlab lays out."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self.story: list[Any] = []
        self.tables = 0
        self.figures = 0

    def heading(self, level: int, text: str) -> None:
        """A heading. It begins on a new page when little room is left on this one."""
        if level == 0:
            self.story.append(CondPageBreak(70 * mm))
        elif level == 2:
            self.story.append(CondPageBreak(35 * mm))
        paragraph = Paragraph(markup(text), HEADINGS[level])
        paragraph.heading_level = level
        self.story.append(paragraph)

    def table(self, caption: str, rows: list[list[str]]) -> None:
        """A table with its number and caption; its header comes again on each page."""
        self.tables += 1
        self.story.append(CondPageBreak(30 * mm))
        self.story.append(Paragraph(f"Table {self.tables}. {markup(caption)}", CAPTION))
        style = SMALL if len(rows[0]) > 7 else CELL
        cells = [
            [Paragraph(markup(cell), HEAD if n == 0 and style is CELL else style) for cell in row]
            for n, row in enumerate(rows)
        ]
        lengths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
        capped = [min(max(length, 6), 60) for length in lengths]
        widths = [WIDTH * length / sum(capped) for length in capped]
        if len(rows[0]) > 7:
            widths = [WIDTH * 0.07] + [WIDTH * 0.93 / (len(rows[0]) - 1)] * (len(rows[0]) - 1)
        self.story += [Table(cells, widths, repeatRows=1, style=GRID), Spacer(1, 8)]

    def caption(self, text: str) -> None:
        """The caption below a figure."""
        self.figures += 1
        self.story.append(Paragraph(f"Figure {self.figures}. {markup(text)}", CAPTION))

    def directive(self, text: str) -> None:
        """One of the directives of the module's docstring."""
        kind, name, *options = text.split()
        if kind == "figure":
            self.story.append(ClockTree(WIDTH))
            return
        register = self.register(name)
        if kind == "bits":
            self.story.append(BitDiagram(WIDTH, register))
        else:
            self.register_body(register, options)

    def register(self, name: str) -> Register:
        """The register ``PERIPHERAL.REGISTER`` of the SVD."""
        (location,) = self.lookup.find(name)
        assert location.register is not None, name
        return location.register

    def register_body(self, register: Register, options: list[str]) -> None:
        """Offset, reset value and fields of a register."""
        offset = f"0x{register.offset:02X}"
        if "%s" in register.template:
            offset += f" + 0x{stride(self.lookup, register):X} x x, for x = 0 to 7"
        reset = reset_value(register)
        self.story.append(Paragraph(f"Address offset: {offset}", BODY))
        self.story.append(Paragraph(f"Reset value: 0x{reset[:4]} {reset[4:]}", BODY))
        fields = sorted(register.fields, key=lambda field: -field.msb)
        for option in options:
            word, _, count = option.partition("=")
            if word == "first":
                fields = sorted(register.fields, key=lambda field: field.lsb)[: int(count)]
            elif word == "last":
                fields = fields[: int(count)]
        rows = [[Paragraph(text, HEAD) for text in ("Bits", "Name", "Access", "Description")]]
        for field in fields:
            description = [markup(field.description) + "."]
            if "novalues" not in options:
                description += values(field)
            bits = str(field.lsb) if field.width == 1 else f"{field.msb}:{field.lsb}"
            texts = (bits, field.name, access(field), "<br/>".join(description))
            rows.append([Paragraph(text, CELL) for text in texts])
        widths = [WIDTH * share for share in (0.09, 0.19, 0.1, 0.62)]
        self.story += [Table(rows, widths, repeatRows=1, style=GRID), Spacer(1, 8)]

    def run(self, text: str) -> None:
        """The whole source, block by block."""
        for block in re.split(r"\n\s*\n", text):
            self.block(block.strip("\n"))

    def block(self, block: str) -> None:
        """One block of the source: what stands between empty lines."""
        lines = block.splitlines()
        if not lines:
            return
        if match := re.fullmatch(r"(#{1,3}) (.+)", lines[0]):
            self.heading(len(match[1]) - 1, match[2])
        elif lines[0].startswith("Table: "):
            rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
            self.table(lines[0].removeprefix("Table: "), [rows[0], *rows[2:]])
        elif lines[0].startswith("    "):
            code = "\n".join(line[4:] for line in lines)
            self.story += [Preformatted(code, CODE), Spacer(1, 8)]
        elif re.match(r"(- |\d+\. )", lines[0]):
            for line in lines:
                mark, _, rest = line.partition(" ")
                bullet = "\u2022" if mark == "-" else mark
                self.story.append(Paragraph(markup(rest), ITEM, bulletText=bullet))
        else:
            self.lines(lines)

    def lines(self, lines: list[str]) -> None:
        """Directives and captions, or a paragraph."""
        for line in lines:
            if line.startswith("::: "):
                self.directive(line.removeprefix("::: "))
            elif line.startswith("Figure: "):
                self.caption(line.removeprefix("Figure: "))
            else:
                self.story.append(Paragraph(markup(line), BODY))


def markup(text: str) -> str:
    """``text`` for reportlab's paragraphs, its special characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def reset_value(register: Register) -> str:
    """The reset value as hex digits, X where the SVD's mask leaves a digit open."""
    digits = f"{register.reset_value or 0:08X}"
    mask = f"{0xFFFFFFFF if register.reset_mask is None else register.reset_mask:08X}"
    return "".join(d if m != "0" else "X" for d, m in zip(digits, mask, strict=True))


def access(field: Field) -> str:
    """The short form of the field's access, as in section 1.2 of the manual."""
    if field.modified_write_values == "zeroToClear":
        return "rc_w0"
    if field.modified_write_values == "oneToClear":
        return "rc_w1"
    return {"read-only": "r", "write-only": "w"}.get(field.access, "rw")


def values(field: Field) -> list[str]:
    """The field's enumerated values, one a line, in binary; none where they only say on or off."""
    found = []
    for entries in field.enumerated_values:
        if entries.name in ("Enable", "OnOff", "ReadyFlag"):
            continue
        for entry in entries.values:
            bits = f"{entry.value or 0:0{field.width}b}"
            if entry.mask is not None:
                mask = f"{entry.mask:0{field.width}b}"
                pairs = zip(bits, mask, strict=True)
                bits = "".join(bit if kept == "1" else "x" for bit, kept in pairs)
            found.append(f"{bits}: {markup(entry.description)}")
    return found


def stride(lookup: Lookup, register: Register) -> int:
    """Bytes from one element of the register's array to the next."""
    peripheral = lookup.device.peripheral("DMA1")
    assert peripheral is not None
    offsets = [r.offset for r in peripheral.registers if r.template == register.template]
    return offsets[1] - offsets[0]


def main() -> None:
    """Reads the source, writes the PDF."""
    text = (HERE / "manual.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    meta = dict(line.split(": ", 1) for line in front.splitlines())
    writer = Writer(Lookup(load_svd(SVD)))
    contents = TableOfContents()
    contents.dotsMinLevel = 0
    contents.levelStyles = [
        ParagraphStyle(
            f"toc{level}", BODY, fontSize=8, leftIndent=level * 12, spaceAfter=0, leading=10
        )
        for level in range(2)
    ]
    title = ParagraphStyle("title", HEADINGS[0], fontSize=24, leading=30, spaceBefore=180)
    writer.story += [
        Spacer(1, 150),
        Paragraph(meta["title"], title),
        Paragraph(meta["subtitle"], HEADINGS[1]),
        Paragraph(f"{meta['document']} {meta['revision']}", BODY),
        NextPageTemplate("page"),
        PageBreak(),
        Paragraph("Contents", HEADINGS[0]),
        contents,
        PageBreak(),
    ]
    writer.run(body)
    Manual(meta).multiBuild(writer.story)
    print(f"{PDF.name}: {PDF.stat().st_size} bytes")


if __name__ == "__main__":
    main()
