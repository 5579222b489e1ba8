"""Run by another Python: the tables and lines of a PDF as another tool reads them.

``peer_pages.py PEER PDF OUT PAGES`` writes JSON to OUT: ``version``, ``seconds`` (CPU seconds of
the reading alone, without imports) and for each page of PAGES (1-based, separated by commas)
``{"page": n, "tables": [[[cell, ...], ...], ...], "lines": [...]}``. It imports nothing of this
package.
"""

import contextlib
import html
import importlib
import importlib.metadata
import io
import json
import re
import sys
import time
from typing import Any

Cells = list[list[str]]
Page = dict[str, Any]
Word = tuple[float, float, float, float, str]


def pdfplumber(path: str, pages: list[int]) -> tuple[float, list[Page]]:
    """pdfplumber: its tables, its text."""
    module = importlib.import_module("pdfplumber")
    start = time.process_time()
    found = []
    with module.open(path) as pdf:
        for number in pages:
            page = pdf.pages[number - 1]
            tables = [
                [[cell or "" for cell in row] for row in table] for table in page.extract_tables()
            ]
            lines = (page.extract_text() or "").split("\n")
            found.append({"page": number, "tables": tables, "lines": lines})
            page.close()
    return time.process_time() - start, found


def pymupdf(path: str, pages: list[int]) -> tuple[float, list[Page]]:
    """pymupdf: the geometry of its table finder, the words that stand in each cell."""
    module = importlib.import_module("pymupdf")
    start = time.process_time()
    found = []
    document = module.open(path)
    if document.needs_pass:
        document.authenticate("")
    for number in pages:
        page = document[number - 1]
        words = [(w[0], w[1], w[2], w[3], w[4]) for w in page.get_text("words")]
        try:
            finder = page.find_tables(use_layout=False)
        except TypeError:
            finder = page.find_tables()
        tables = [
            [[_inside(words, box) for box in row.cells] for row in table.rows]
            for table in finder.tables
        ]
        lines = [" ".join(w[4] for w in line) for line in _lines(words)]
        found.append({"page": number, "tables": tables, "lines": lines})
    return time.process_time() - start, found


def pymupdf4llm(path: str, pages: list[int]) -> tuple[float, list[Page]]:
    """pymupdf4llm with its layout model: the pipe tables and lines of its markdown."""
    module = importlib.import_module("pymupdf4llm")
    library = importlib.import_module("pymupdf")
    start = time.process_time()
    document = library.open(path)
    if document.needs_pass:
        document.authenticate("")
    with contextlib.redirect_stdout(io.StringIO()):
        chunks = module.to_markdown(document, pages=[n - 1 for n in pages], page_chunks=True)
    seconds = time.process_time() - start
    found = []
    for number, chunk in zip(pages, chunks, strict=True):
        tables, lines = _markdown(chunk["text"])
        found.append({"page": number, "tables": tables, "lines": lines})
    return seconds, found


def _inside(words: list[Word], box: Any) -> str:
    if box is None:
        return ""
    x0, y0, x1, y1 = box
    inside = [w for w in words if x0 <= (w[0] + w[2]) / 2 < x1 and y0 <= (w[1] + w[3]) / 2 < y1]
    return "\n".join(" ".join(w[4] for w in line) for line in _lines(inside))


def _lines(words: list[Word]) -> list[list[Word]]:
    """Words grouped by baseline, from the top down and from left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w[3], w[0])):
        if lines and abs(lines[-1][-1][3] - word[3]) < 3:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line) for line in lines]


def _markdown(text: str) -> tuple[list[Cells], list[str]]:
    """The pipe tables and the other lines of markdown, without its marks."""
    tables: list[Cells] = []
    lines: list[str] = []
    table: Cells = []
    for line in text.split("\n"):
        if line.startswith("|"):
            cells = [_plain(cell) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            if not all(re.fullmatch(r"\s*:?-+:?\s*", cell) for cell in cells):
                table.append(cells)
            elif len(table) != 1:
                table.append(cells)
            continue
        if table:
            tables.append(table)
            table = []
        for part in line.split("<br>"):
            lines.append(_plain(re.sub(r"^\s*(?:#+|[-*>])\s+", "", part)))
    if table:
        tables.append(table)
    return tables, lines


def _plain(text: str) -> str:
    text = re.sub(r"<br ?/?>", "\n", text)
    text = re.sub(r"</?[a-z]+>|\*\*|`", "", text)
    text = re.sub(r"(?<![\w\\])_([^_]+)_(?!\w)", r"\1", text)
    return html.unescape(re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", r"\1", text)).strip()


def main() -> None:
    """Read the pages and write what was found."""
    peer, path, out, pages = sys.argv[1:5]
    numbers = [int(number) for number in pages.split(",")]
    seconds, found = globals()[peer](path, numbers)
    version = importlib.metadata.version(peer)
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"version": version, "seconds": seconds, "pages": found}, file)


if __name__ == "__main__":
    main()
