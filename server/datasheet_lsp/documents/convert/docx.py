"""Word files: mammoth makes HTML of them, after headings have got their level and number.

mammoth knows headings by the names of Word's own styles and leaves out the numbers that Word
counts. Here the outline level of each paragraph is looked up through its styles, and its number
counted, both written into the paragraph before mammoth reads it.
"""

from __future__ import annotations

import io
import zipfile

import mammoth
from lxml import etree

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.html import parse_html, walk_html
from datasheet_lsp.documents.convert.numbering import Numbering
from datasheet_lsp.documents.convert.package import READ_ERRORS, Package
from datasheet_lsp.documents.errors import DocumentError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BODY = "word/document.xml"
_KEPT = ("word/", "_rels/", "[Content_Types].xml")
_HEADINGS = 9


def read_docx(package: Package, builder: Builder) -> None:
    """Raises DocumentError where nothing can be read."""
    body = package.main_part() or _BODY
    document = package.tree(body)
    if document is None:
        raise DocumentError(f"{builder.name} is no DOCX file: {body} inside is missing.")
    # In the strict flavour, which hardly anybody writes, mammoth's own rules have to do.
    if document.tag == f"{_W}document":
        _mark_headings(document, package)
    style_map = "\n".join(
        [f"p.DatasheetHeading{n} => h{min(n, 6)}:fresh" for n in range(1, _HEADINGS + 1)]
        + ["p[style-name^='toc '] => !", "p[style-name^='TOC '] => !"]
    )
    try:
        result = mammoth.convert_to_html(
            _repack(package, body, document),
            style_map=style_map,
            include_embedded_style_map=False,
            external_file_access=False,
            convert_image=lambda image: [],
            ignore_empty_paragraphs=True,
        )
    except RecursionError as error:
        raise DocumentError(
            f"{builder.name} cannot be read: things in it are nested too deep."
        ) from error
    except Exception as error:
        # mammoth looks up what a sound file always has; a damaged one fails there in many ways.
        raise DocumentError(
            f"{builder.name} is damaged: Word's parts do not fit together."
        ) from error
    root = parse_html(result.value, builder)
    if root is not None:
        walk_html(root, builder, lines=False)


def _repack(package: Package, body: str, document: etree._Element) -> io.BytesIO:
    """The file with the marked document, without pictures and what else is not text."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as target:
        for entry in package.zip.infolist():
            name = entry.filename
            if not name.startswith(_KEPT) or not name.lower().endswith((".xml", ".rels")):
                continue
            if name == body:
                target.writestr(name, etree.tostring(document, encoding="UTF-8"))
                continue
            if entry.file_size > package.limits.part_bytes:
                continue
            try:
                target.writestr(name, package.zip.read(entry))
            except READ_ERRORS as error:
                raise DocumentError(
                    f"{package.name} is damaged: {name} inside cannot be unpacked."
                ) from error
    out.seek(0)
    return out


def _mark_headings(document: etree._Element, package: Package) -> None:
    styles = package.tree("word/styles.xml")
    levels, numbered = _style_levels(styles)
    numbering = Numbering(package.tree("word/numbering.xml"))
    default = _default_style(styles)
    for paragraph in document.iter(f"{_W}p"):
        properties = paragraph.find(f"{_W}pPr")
        style = _value(properties, "pStyle") or default
        level = _outline(properties)
        if level is None:
            level = levels.get(style)
        number = _number_of(properties) or numbered.get(style)
        if level is None and number is None:
            continue
        label = numbering.next(*number) if number is not None else ""
        if level is None or paragraph.getparent() is None or _in_table(paragraph):
            continue
        if properties is None:
            properties = etree.Element(f"{_W}pPr")
            paragraph.insert(0, properties)
        for name in ("pStyle", "numPr"):
            for old in properties.findall(f"{_W}{name}"):
                properties.remove(old)
        marked = etree.Element(f"{_W}pStyle")
        marked.set(f"{_W}val", f"DatasheetHeading{level + 1}")
        properties.insert(0, marked)
        if label:
            run = etree.Element(f"{_W}r")
            etree.SubElement(run, f"{_W}t").text = label + " "
            paragraph.insert(1, run)


def _in_table(paragraph: etree._Element) -> bool:
    return next(paragraph.iterancestors(f"{_W}tc"), None) is not None


def _default_style(styles: etree._Element | None) -> str:
    if styles is not None:
        for style in styles.iterfind(f"{_W}style"):
            if style.get(f"{_W}type") == "paragraph" and style.get(f"{_W}default") in ("1", "true"):
                return style.get(f"{_W}styleId") or ""
    return ""


def _style_levels(
    styles: etree._Element | None,
) -> tuple[dict[str, int], dict[str, tuple[str, int]]]:
    """Style -> outline level, 0 the highest, and style -> its list and level there.

    Both come from the style itself or from one it is based on. A built-in "heading 2" is of the
    second level even where a program did not write so; "Title" is the highest.
    """
    levels: dict[str, int] = {}
    numbered: dict[str, tuple[str, int]] = {}
    if styles is None:
        return levels, numbered
    found = {
        style.get(f"{_W}styleId") or "": style
        for style in styles.iterfind(f"{_W}style")
        if style.get(f"{_W}type", "paragraph") == "paragraph"
    }
    for identity in found:
        at: str | None = identity
        seen: set[str] = set()
        level: int | None = None
        number: tuple[str, int] | None = None
        while at in found and at not in seen:
            seen.add(at)
            style = found[at]
            properties = style.find(f"{_W}pPr")
            if level is None:
                level = _outline(properties)
            if level is None:
                name = (_value(style, "name") or "").lower()
                if name.startswith("heading ") and name[8:].isdecimal() and len(name) == 9:
                    level = int(name[8:]) - 1
                elif name == "title":
                    level = 0
            if number is None:
                number = _number_of(properties, level)
            at = _value(style, "basedOn")
        if level is not None and 0 <= level < _HEADINGS:
            levels[identity] = level
        if number is not None:
            numbered[identity] = number
    return levels, numbered


def _value(parent: etree._Element | None, name: str) -> str | None:
    found = parent.find(f"{_W}{name}") if parent is not None else None
    return found.get(f"{_W}val") if found is not None else None


def _outline(properties: etree._Element | None) -> int | None:
    """The outline level a paragraph or style gives; 9 stands for body text."""
    given = _value(properties, "outlineLvl")
    return int(given) if given is not None and given.isdecimal() and len(given) == 1 else None


def _number_of(
    properties: etree._Element | None, level: int | None = None
) -> tuple[str, int] | None:
    """List and level of a paragraph; a heading's style may leave out the level, its own."""
    found = properties.find(f"{_W}numPr") if properties is not None else None
    if found is None:
        return None
    number, depth = _value(found, "numId"), _value(found, "ilvl")
    if number is None:
        return None
    if depth is not None and depth.isdecimal() and len(depth) == 1:
        return number, int(depth)
    return number, min(level or 0, 8)
