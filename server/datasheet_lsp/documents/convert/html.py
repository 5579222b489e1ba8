"""HTML: headings, paragraphs, lists, code, tables. Scripts and styles are dropped, nothing loads.

Word files come through here too, and the raw HTML inside Markdown.
"""

from __future__ import annotations

import re

from lxml import etree

from datasheet_lsp.documents.convert.builder import Builder
from datasheet_lsp.documents.convert.grid import Cell, spread
from datasheet_lsp.documents.convert.words import clean, one_line
from datasheet_lsp.documents.errors import DocumentError

_DROPPED = frozenset(
    "script style template noscript iframe object embed applet svg canvas audio video head nav "
    "button select input textarea datalist map dialog link meta base title frameset".split()
)
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol "
    "p pre section summary table tbody td tfoot th thead tr ul".split()
)
_LISTS = frozenset(("ul", "ol", "menu", "dl"))
_NOTE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:note|warning|caution|important|attention|danger|tip|hint|admonition|callout"
    r"|alert)(?:$|[\s_-])",
    re.IGNORECASE,
)
# The link to itself that a heading of generated pages has.
_ANCHORS = " ¶§◆⚓🔗#"
_META_REVISION = ("revision", "version", "dcterms.hasversion", "doc-version", "document-version")


def read_html(text: str, builder: Builder) -> None:
    """A whole page: its title and revision, then its body."""
    root = parse_html(text, builder)
    if root is None:
        return
    title = root.find(".//head/title")
    if title is not None:
        builder.title = one_line("".join(map(str, title.itertext())))
    for meta in root.iterfind(".//head/meta"):
        if (meta.get("name") or "").lower() in _META_REVISION and not builder.revision:
            builder.revision = meta.get("content") or ""
    walk_html(root, builder)


def parse_html(text: str, builder: Builder) -> etree._Element | None:
    """The tree of a page or a piece of one; None where nothing is in it."""
    parser = etree.HTMLParser(
        encoding="utf-8",
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        # Pages that never close a tag are deep; how deep is bounded here and in the walk.
        huge_tree=True,
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None
    except (etree.LxmlError, ValueError) as error:
        raise DocumentError("The HTML cannot be parsed.") from error
    if any("depth" in entry.message.lower() for entry in parser.error_log):
        builder.trouble(f"{builder.name} was not read wholly: tags in it are nested too deep.")
    # libxml2 may hand out nothing at all for input without a tag or letter.
    return root if root is not None and isinstance(root.tag, str) else None


def walk_html(
    root: etree._Element, builder: Builder, *, first_line: int = 1, lines: bool = True
) -> None:
    """Puts what is in the tree into ``builder``; ``first_line`` is the line the tree begins on."""
    _Walk(builder, first_line - 1 if lines else None).blocks(root, 0)


class _Walk:
    def __init__(self, builder: Builder, lines_before: int | None) -> None:
        self.builder = builder
        self.lines_before = lines_before
        self.deepest = builder.limits.depth
        # Where text began that waits for the end of its paragraph.
        self.held: list[str] = []
        self.held_line = 0
        self.note = 0

    def line(self, element: etree._Element) -> int:
        line = source_line(element)
        return line + self.lines_before if line and self.lines_before is not None else 0

    def flush(self, last: int = 0) -> None:
        if self.held:
            text = "".join(self.held)
            self.held.clear()
            kind = "note" if self.note else "text"
            self.builder.text(text, self.held_line, last, kind=kind)  # type: ignore[arg-type]

    def hold(self, text: str | None, line: int) -> None:
        if text:
            if not self.held:
                if not text.strip():
                    return
                self.held_line = line
            self.held.append(_collapse(text))

    def blocks(self, element: etree._Element, depth: int) -> None:
        """The content of an element that holds paragraphs."""
        line = self.line(element)
        self.hold(element.text, line)
        for child in element:
            if isinstance(child.tag, str) and not _is_hidden(child):
                self.child(child, depth + 1)
            self.hold(child.tail, self.line(child))
        if element.tag in _BLOCKS:
            self.flush()

    def child(self, child: etree._Element, depth: int) -> None:
        tag = child.tag
        line = self.line(child)
        if tag == "br":
            self.held.append("\n") if self.held else None
            return
        if depth > self.deepest:
            self.hold("".join(_inline(child, 0, self.deepest)), line)
            return
        if tag not in _BLOCKS:
            if any(True for _ in child.iter(*_BLOCKS)):
                self.blocks(child, depth)
            else:
                self.held_line = self.held_line if self.held else line
                self.held.extend(_inline_as(child, 0, self.deepest, self.held))
            return
        self.flush(line)
        if tag[0] == "h" and tag[1:].isdigit():
            self.builder.heading(int(tag[1:]), flat_text(child).strip(_ANCHORS), line)
        elif tag == "table":
            self.table(child, line, depth)
        elif tag == "pre":
            self.builder.code(_raw(child), line, self.last_line(child, line))
        elif tag in _LISTS:
            self.listing(child, line, depth)
        elif tag in ("figure", "aside", "div", "blockquote") or child.get("class"):
            self.framed(child, line, depth)
        else:
            self.blocks(child, depth)

    def framed(self, element: etree._Element, line: int, depth: int) -> None:
        if element.tag == "figure" and element.find(".//table") is None:
            caption = element.find(".//figcaption")
            code = element.find(".//pre")
            if caption is not None and code is None:
                words = flat_text(caption)
                self.builder.text(words, line)
                return
        noted = bool(_NOTE_CLASS.search(element.get("class") or ""))
        self.note += noted
        self.blocks(element, depth)
        self.note -= noted

    def last_line(self, element: etree._Element, line: int) -> int:
        if not line:
            return 0
        last = line
        for inner in element.iter():
            last = max(last, self.line(inner))
        if element.tag == "pre":
            last = max(last, line + "".join(map(str, element.itertext())).rstrip("\n").count("\n"))
        return last

    def listing(self, element: etree._Element, line: int, depth: int) -> None:
        """A list with the lists in it; what does not fit on a line follows it as its own block."""
        lines: list[str] = []
        later: list[etree._Element] = []
        self._items(element, 0, depth, lines, later)
        self.builder.lines(lines, line, self.last_line(element, line))
        for other in later:
            self.child(other, depth + 1)

    def _items(
        self,
        element: etree._Element,
        indent: int,
        depth: int,
        lines: list[str],
        later: list[etree._Element],
    ) -> None:
        number = (
            int(start)
            if (start := element.get("start") or "").isdecimal() and len(start) < 9
            else 1
        )
        for item in element:
            if not isinstance(item.tag, str) or _is_hidden(item):
                continue
            if item.tag in _LISTS:
                if depth < self.deepest:
                    self._items(item, indent + 1, depth + 1, lines, later)
                continue
            inner: list[etree._Element] = []
            own = "".join(_inline(item, 0, self.deepest, inner)).strip()
            own = re.sub(r"\s*\n\s*", "\n", clean(own))
            mark = f"{number}. " if element.tag == "ol" else "- "
            if element.tag == "dl":
                mark = "  - " if item.tag == "dd" else "- "
            pad = "  " * indent
            if own:
                lines.append(pad + mark + own.replace("\n", "\n" + pad + " " * len(mark)))
                number += 1
            for other in inner:
                if other.tag in _LISTS and depth < self.deepest:
                    self._items(other, indent + 1, depth + 1, lines, later)
                else:
                    later.append(other)

    def table(self, element: etree._Element, line: int, depth: int) -> None:
        rows = [row for row in element.iter("tr") if _own_table(row) is element]
        if element.find(".//table") is not None or any(
            cell.find(f".//h{n}") is not None for row in rows for cell in row for n in range(1, 5)
        ):
            # A table that lays out the page: what is in its cells counts, one after the other.
            for row in rows:
                for cell in row:
                    if isinstance(cell.tag, str):
                        self.blocks(cell, depth + 1)
                        self.flush()
            return
        caption = element.find("caption")
        given: list[list[Cell]] = []
        heads = 0
        for row in rows:
            parent = row.getparent()
            in_head = parent is not None and parent.tag == "thead"
            cells = [
                Cell(
                    "".join(_inline(cell, 0, self.deepest)),
                    _span(cell.get("rowspan"), len(rows)),
                    _span(cell.get("colspan"), 1000),
                    cell.tag == "th" or in_head,
                )
                for cell in row
                if cell.tag in ("td", "th")
            ]
            if cells:
                given.append(cells)
                heads += in_head
        self.builder.table(
            spread(given, self.builder.limits.cells),
            line,
            self.last_line(element, line),
            caption=flat_text(caption) if caption is not None else "",
            header_rows=heads or None,
        )


def source_line(element: etree._Element) -> int:
    """The line an element begins on, 1-based; 0 where that is not known."""
    line: int | None = element.sourceline  # type: ignore[assignment]
    return line or 0


def flat_text(element: etree._Element) -> str:
    """All words of an element on one line."""
    return one_line("".join(_inline(element, 0, 100)))


def _own_table(row: etree._Element) -> etree._Element | None:
    return next(row.iterancestors("table"), None)


def _span(given: str | None, most: int) -> int:
    """A row or column span; 0 goes to the end."""
    text = (given or "").strip()
    if not text.isdecimal() or len(text) > 6:
        return 1
    return min(int(text) or most, most)


def _is_hidden(element: etree._Element) -> bool:
    if element.tag in _DROPPED or element.get("hidden") is not None:
        return True
    style = element.get("style")
    return bool(style) and "display:none" in style.replace(" ", "").lower()  # type: ignore[union-attr]


def _collapse(text: str) -> str:
    """White space of the source is one space; a break is written as a newline elsewhere."""
    return re.sub(r"[ \t\r\n\f]+", " ", text)


def _raw(element: etree._Element) -> str:
    """Preformatted text, without what is hidden in it."""
    pieces: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if not isinstance(node.tag, str):
            continue
        if event == "start":
            if node.tag == "br":
                pieces.append("\n")
            elif node.tag not in _DROPPED:
                pieces.append(node.text or "")
        elif node is not element:
            pieces.append(node.tail or "")
    return "".join(pieces)


def _inline_as(element: etree._Element, depth: int, deepest: int, before: list[str]) -> list[str]:
    """``element`` as inline text behind ``before``: a power keeps its sign, 2^31."""
    pieces = _inline(element, depth, deepest)
    if element.tag == "sup" and before and before[-1][-1:].isdigit():
        text = "".join(pieces).strip()
        if re.fullmatch(r"[-+−]?\w+", text):
            return ["^" + text]
    return pieces


def _inline(
    element: etree._Element,
    depth: int,
    deepest: int,
    apart: list[etree._Element] | None = None,
) -> list[str]:
    """The words of an element in order, paragraphs inside it on lines of their own.

    Where ``apart`` is given, lists, tables and code are put there and left out.
    """
    if depth > deepest:
        return [_collapse(" ".join(map(str, element.itertext())))]
    out = [_collapse(element.text)] if element.text else []
    for child in element:
        tag = child.tag
        if isinstance(tag, str) and not _is_hidden(child):
            if tag == "br":
                out.append("\n")
            elif apart is not None and (tag in _LISTS or tag in ("table", "pre")):
                apart.append(child)
            elif tag in _BLOCKS:
                out.append("\n")
                if tag == "li":
                    out.append("- ")
                if tag == "pre":
                    out.append(_raw(child))
                else:
                    out.extend(_inline(child, depth + 1, deepest, apart))
                out.append("\n")
            else:
                out.extend(_inline_as(child, depth + 1, deepest, out))
        if child.tail:
            out.append(_collapse(child.tail))
    return out
