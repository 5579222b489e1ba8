"""Tables of contents, lists of tables and figures: recognised, read, and kept out of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.structure.lines import Line

_ENTRY = re.compile(
    r"^(?P<title>.*?\S)\s*(?:[.·…‥_]\s?){3,}\s*(?P<label>\d{1,4}|[ivxlc]{1,7}|(?:\d+|[A-Z])[-.]\d+)$"
)
_LEADER = re.compile(r"^[.·…‥]{4,}|[.·…‥]{6,}")
_LEAST = 4
_LONG = 90


class ContentsEntry(msgspec.Struct, frozen=True, gc=False):
    """A line of a table of contents: its title (with the number) and the printed page label."""

    title: str
    label: str


def looks_like_contents(words: Sequence[Word]) -> bool:
    """A quick look at a page's words for dot leaders."""
    leaders = 0
    dots = 0
    for w in words:
        text = w.text
        if text == ".":
            dots += 1
        elif "...." in text or "……" in text or text == "…" or "····" in text:
            leaders += 1
    return leaders >= _LEAST or dots >= 60


def take_contents(lines: list[Line]) -> tuple[list[Line], list[ContentsEntry]]:
    """The lines that are no entries of a table of contents, and the entries."""
    matches = [_ENTRY.match(line.text) for line in lines]
    found = sum(m is not None for m in matches)
    if found < _LEAST and not (found > 1 and found * 2 >= len(lines)):
        return lines, []
    entries = []
    left = []
    pending = ""
    open_lines: list[Line] = []
    for line, match in zip(lines, matches, strict=True):
        if match is None:
            # The first line of an entry of two, or something else.
            pending = f"{pending} {line.text}".strip()
            open_lines.append(line)
            if len(open_lines) > 2:
                left.append(open_lines.pop(0))
                pending = " ".join(o.text for o in open_lines)
            continue
        title = match["title"].rstrip(" .")
        if open_lines:
            near = line.y0 - open_lines[-1].y1 < 0.6 * (line.y1 - line.y0)
            if near and found * 2 >= len(lines) and not _numbered(title):
                title = f"{pending} {title}"
            else:
                left.extend(open_lines)
            pending = ""
            open_lines = []
        entries.append(ContentsEntry(" ".join(title.split()), match["label"]))
    left.extend(open_lines)
    if found * 2 >= len(lines):
        # Titles of chapters and the like stand without a page number between the entries.
        left = [line for line in left if len(line.text) > _LONG]
    return left, entries


def _numbered(title: str) -> bool:
    return bool(re.match(r"^(?:\d|Chapter|Table|Figure|Appendix|Fig)", title))
