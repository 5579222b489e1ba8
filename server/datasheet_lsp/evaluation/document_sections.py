"""Whether the sections of a document stand where its pages have them.

The lines and fonts are read anew here, page by page, not taken from the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from datasheet_lsp.documents.page import Font, OutlineEntry, PageData, Word
from datasheet_lsp.model.document import Document, Section

_NEAR = 14.0
_BASELINE = 3.0
_MOST_LINES = 4
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3})+$")
_PREFIX = re.compile(
    r"^\s*(?:(?:chapter|section|appendix|part)\s+(?:\d+|[A-Z])\b|[A-Z]?\d+(?:\.\d+)*(?!\w)|[A-Z](?:\.\d+)+)"
    r"\s*[.:–—-]?\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"^\s*(?:note|caution|warning|remark)\s*:", re.IGNORECASE)
_CAPTIONED = re.compile(r"^(Table|Fig(?:ure)?)\.?\s+([A-Z]?\d+(?:[.-]\d+)*)", re.IGNORECASE)
_LARGER = 1.12


class SeenLine(msgspec.Struct, gc=False):
    """A printed line: where its top is, its text, the largest font size, whether it is bold."""

    top: float
    text: str
    size: float
    bold: bool


class OutlineScore(msgspec.Struct, frozen=True, gc=False):
    """Outline entries that lead to a page.

    An entry for a table or figure ("Table 12. ...") is placed where one with that number is on its
    page, a note ("Note: ...") does not count. Of the others ``placed`` have a section of that title
    on the page, with a line of that title at its top; the number before it is left aside.
    ``unprinted`` are those whose title stands neither on its page nor on the next: they are placed
    where a section of that title is on the page. ``missed`` are up to 20 titles that are not.
    """

    entries: int
    placed: int
    unprinted: int
    missed: tuple[str, ...]


class NumberedScore(msgspec.Struct, frozen=True, gc=False):
    """Numbered headings of a document without an outline.

    ``headings`` were seen: bold or larger lines with numbers that follow one another. ``found``
    have a section with that number on that page; ``false`` are sections with a number that none
    of them has. ``missed`` and ``wrong`` name up to 20.
    """

    headings: int
    found: int
    false: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]


def letters(text: str) -> str:
    """The letters and digits of a text, letter case aside."""
    return re.sub(r"[\W_]+", "", text).casefold()


def title_key(title: str) -> str:
    """A heading as it is compared: without its number, letters and digits alone."""
    return letters(_PREFIX.sub("", title)) or letters(title)


def seen_lines(page: PageData, fonts: Sequence[Font]) -> list[SeenLine]:
    """The upright printed lines of a page from the top down."""
    rows: list[list[Word]] = []
    for word in sorted((w for w in page.words if not w.turned), key=lambda w: (w.y1, w.x0)):
        if rows and abs(rows[-1][0].y1 - word.y1) < _BASELINE:
            rows[-1].append(word)
        else:
            rows.append([word])
    lines = []
    for row in rows:
        row.sort(key=lambda w: w.x0)
        bold = sum(fonts[w.font].bold for w in row if w.font < len(fonts))
        lines.append(
            SeenLine(
                min(w.y0 for w in row),
                " ".join(w.text for w in row),
                max((fonts[w.font].size for w in row if w.font < len(fonts)), default=0.0),
                bold * 2 > len(row),
            )
        )
    return lines


def outline_score(
    document: Document,
    outline: Iterable[OutlineEntry],
    lines: dict[int, list[SeenLine]],
) -> OutlineScore:
    """How many entries of the outline have become a section in the right place.

    Raises:
        KeyError: ``lines`` lacks a page.
    """
    by_title: dict[str, list[Section]] = {}
    for section in document.sections:
        for key in {letters(section.title), title_key(section.title)}:
            by_title.setdefault(key, []).append(section)
    numbered = {("F", f.number, f.place.page) for f in document.figures}
    numbered |= {("T", t.number, p.page) for t in document.tables for p in t.places}
    entries = placed = unprinted = 0
    missed: list[str] = []
    for entry in outline:
        wanted = title_key(entry.title)
        if not 1 <= entry.page <= document.pages or not wanted or _NOTE.match(entry.title):
            continue
        entries += 1
        if captioned := _CAPTIONED.match(entry.title):
            if (captioned[1][0].upper(), captioned[2], entry.page) in numbered:
                placed += 1
            else:
                missed.append(f"{entry.title} (page {entry.page})")
            continue
        whole = letters(entry.title)
        here = tops_of(wanted, whole, lines[entry.page])
        there = tops_of(wanted, whole, lines[entry.page + 1]) if entry.page + 1 in lines else []
        page, tops = (entry.page, here) if here or not there else (entry.page + 1, there)
        sections = [*by_title.get(wanted, ()), *by_title.get(whole, ())]
        on_page = [s for s in sections if s.page == page]
        if not tops:
            unprinted += 1
            good = bool(on_page)
        else:
            good = any(abs(s.top - top) <= _NEAR for s in on_page for top in tops)
        placed += good
        if not good:
            where = f"page {entry.page}" + ("" if tops else ", not printed")
            missed.append(f"{entry.title} ({where})")
    return OutlineScore(entries, placed, unprinted, tuple(missed[:20]))


def tops_of(wanted: str, whole: str, lines: Sequence[SeenLine]) -> list[float]:
    """Where on a page a title stands, in one line or over several; ``whole`` has its number."""
    tops = []
    for at, line in enumerate(lines):
        after = "".join(letters(x.text) for x in lines[at + 1 : at + _MOST_LINES])
        for start in {letters(line.text), title_key(line.text)}:
            for title in (wanted, whole):
                if title == start or (
                    title.startswith(start) and (start + after).startswith(title)
                ):
                    tops.append(line.top)
    # A title may share its line with something else, as in a running header.
    return tops or [line.top for line in lines if wanted in letters(line.text)]


def numbered_headings(pages: Iterable[tuple[int, Sequence[SeenLine]]]) -> list[tuple[str, int]]:
    """Number and page of the headings of a document: "8.7.1", 56.

    They are bold or larger than the text and follow one another: the next one is the first inside
    the last, or the next beside it or beside one it is in.
    """
    pages = list(pages)
    sizes: Counter[float] = Counter()
    for _, lines in pages:
        for line in lines:
            sizes[line.size] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    found: list[tuple[str, int]] = []
    last: tuple[int, ...] = ()
    for page, lines in pages:
        for line in lines:
            number, _, title = line.text.partition(" ")
            if not _NUMBER.match(number) or not re.match(r"[^\W\d_]", title):
                continue
            if not (line.bold or line.size >= _LARGER * body):
                continue
            parts = tuple(int(part) for part in number.split("."))
            if not last or parts in _next(last):
                found.append((number, page))
                last = parts
    return found


def _next(last: tuple[int, ...]) -> set[tuple[int, ...]]:
    after = {(*last, 1)}
    for depth in range(1, len(last) + 1):
        after.add((*last[: depth - 1], last[depth - 1] + 1))
        after.add((*last[: depth - 1], last[depth - 1] + 1, 1))
    return after


def numbered_score(document: Document, headings: Sequence[tuple[str, int]]) -> NumberedScore:
    """How many of the numbered headings have become sections, and how many sections are none."""
    own = {(s.number, s.page) for s in document.sections if _NUMBER.match(s.number)}
    seen = set(headings)
    missed = [f"{number} (page {page})" for number, page in headings if (number, page) not in own]
    wrong = [
        f"{s.number} {s.title} (page {s.page})"
        for s in document.sections
        if _NUMBER.match(s.number) and (s.number, s.page) not in seen
    ]
    return NumberedScore(
        len(headings),
        len(headings) - len(missed),
        len(wrong),
        tuple(missed[:20]),
        tuple(wrong[:20]),
    )
