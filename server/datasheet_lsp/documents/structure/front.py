"""Title and revision of a document, from its first pages, footers and metadata."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from datasheet_lsp.documents.structure.collect import PageText
from datasheet_lsp.documents.structure.lines import Line
from datasheet_lsp.documents.tables import FoundTable

_FILE = re.compile(
    r"\.(?:pdf|docx?|xlsx?|book|fm|indd|qxd|tex|ai)$|^untitled|^microsoft|^slide", re.I
)
_VERSION = r"[A-Z]?\d+(?:\.\d+)*[A-Za-z]?"
_REVISION = re.compile(
    rf"\b(?P<word>Rev(?:ision)?|Version|Ver|Issue|Release)\b[.:\s_]{{0,3}}(?P<value>{_VERSION}|[A-Z])"
    r"(?=[\s,;.)_]|$)",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?:^|\s)(?P<value>[Vv]\s?\d+(?:\.\d+)+[a-z]?)(?=[\s,;.)]|$)")
_FULL = re.compile(r"[：]")
_NO_TITLE = re.compile(
    r"^(?:Features?|Contents|Introduction|Table of|Rev|Version|V\d|Page|www|http|Data\s?sheet:?$|"
    r"Preliminary|Confidential|©|Copyright|\d+$|Doc\s?ID|Document)",
    re.IGNORECASE,
)
_KINDS = re.compile(
    r"(?:reference|user|programming|product|technical)['’s]*\s+(?:manual|guide)|data\s?sheet|manual|"
    r"guide|specification|register map|errata|application note",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r"\b(?:Inc|Ltd|Corp|Corporation|GmbH|Co|LLC|B\.V|N\.V)\b\.?,?|Semiconductors?$|Technolog(?:y|ies)$"
)
_NAME = re.compile(r"^(?=.*\d)[A-Z][\w/-]{4,}$")
_NUMBERED = re.compile(r"\b[A-Z]{2,4}\s?\d{4}[A-Z]\b")
_OF_DOCUMENT = re.compile(r"\b(?:manual|document|doc|data\s?sheet|guide|specification)\b", re.I)
_OF_CHIP = re.compile(r"^(?:chip|silicon|die|product|hardware|firmware|software)\b", re.I)
_HISTORY = re.compile(r"^(?:document\s+)?(?:rev(?:ision)?|version)\b\s*(?:no|number|#)?\.?$")
_KIND = re.compile(rf"^(?:\w+\s)?(?:{_KINDS.pattern})$", re.IGNORECASE)
_LOOK = 2


def find_title(pages: Sequence[PageText], metadata: str, first_heading: str = "") -> str:
    """The title: the file's own when it is one, else what is largest on the first page.

    To be called when the headings are taken out of the pages; ``first_heading`` is what a part of
    a document without a cover is called.
    """
    metadata = " ".join(metadata.split())
    good = len(metadata) > 5 and not _FILE.search(metadata) and " " in metadata
    cover = _cover(pages)
    constant = _constant(pages)
    if good:
        title = metadata
        if cover and not _KINDS.search(title) and _KINDS.search(cover):
            title = cover if title.lower() in cover.lower() else f"{cover}: {title}"
    elif cover:
        title = cover
    else:
        return ": ".join(x for x in (constant, first_heading or metadata) if x)
    if constant and constant.lower() not in title.lower():
        title = f"{constant}: {title}"
    return title


def _constant(pages: Sequence[PageText]) -> str:
    """The document's or device's name that stands in the headers of most pages."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({m.text for m in page.margins if m.above})
    for text, count in seen.most_common(4):
        if count * 2 > len(pages) > 2 and _NAME.match(text):
            return text
    return ""


def _cover(pages: Sequence[PageText]) -> str:
    for page in pages[:_LOOK]:
        lines = [
            line
            for line in [*page.lines, *_margin_lines(page)]
            if len(line.text) > 2 and any(c.isalpha() for c in line.text)
        ]
        lines = [
            x
            for x in lines
            if not _NO_TITLE.match(x.text)
            and not _COMPANY.search(x.text)
            and x.y0 < 0.8 * page.height
        ]
        if not lines:
            continue
        full = len(page.lines) > 6
        largest = max(line.size for line in lines)
        body: Counter[float] = Counter()
        for line in page.lines:
            body[line.size] += len(line.text)
        usual = max(body, key=body.__getitem__, default=0.0)
        if largest <= usual * 1.2 and len(lines) > 12:
            return ""
        lines.sort(key=lambda x: x.y0)
        least = usual * 1.05 if body.total() > 250 and usual < largest else 0.0
        chosen = [x for x in lines if x.size >= 0.62 * largest and x.size > max(9.5, least)]
        if not chosen and full:
            return ""
        if not chosen:
            continue
        at = next(i for i, x in enumerate(chosen) if x.size == largest)
        first = max(0, at - 2)
        title = _unique(chosen[first : at + 3])
        if len(title) <= 3:
            continue
        if not _KINDS.search(title):
            kind = next((x.text for x in lines if _KIND.match(x.text)), "")
            title = f"{title} {kind}".strip()
        return title[:160]
    return ""


def _unique(lines: Sequence[Line]) -> str:
    parts: list[str] = []
    for line in lines:
        text = " ".join(line.text.split())
        if text and text not in parts:
            parts.append(text)
    return " ".join(parts)


def _margin_lines(page: PageText) -> list[Line]:
    return [
        Line(m.text, *m.box, 0, m.size, True, False, m.box[0], 0.0)
        for m in page.margins
        if m.above and len(m.text) > 3
    ]


def find_revision(
    pages: Sequence[PageText], metadata: str, tables: Sequence[FoundTable] = ()
) -> str:
    """The revision as it is printed ("Rev 19", "V1.2"), "" where there is none.

    A cover that names the document's revision is believed first, then headers and footers, the
    first pages, the metadata, and the last row of a revision history.
    """
    first = ""
    for page in pages[:_LOOK]:
        for line in page.lines:
            value = "" if _OF_CHIP.match(line.text) else _revision(line.text)
            if not value:
                continue
            if _OF_DOCUMENT.search(line.text) and line.text.count(" ") < 8:
                return value
            first = first or value
    votes: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for page in pages:
        for margin in page.margins:
            if value := _revision(margin.text):
                votes[value] += 1
            elif match := _NUMBERED.search(margin.text):
                numbers[match[0]] += 1
    if votes:
        return votes.most_common(1)[0][0]
    if first or (first := _revision(metadata)):
        return first
    if numbers and numbers.most_common(1)[0][1] * 2 > len(pages):
        return numbers.most_common(1)[0][0]
    return _from_history(tables)


def _from_history(tables: Sequence[FoundTable]) -> str:
    """The newest revision a revision history tells of."""
    for table in reversed(tables):
        heads = [h.lower() for h in table.header]
        at = next((i for i, h in enumerate(heads) if _HISTORY.match(h)), None)
        if at is None or not any(re.search(r"date|description|change", h) for h in heads):
            continue
        values = [m[0] for row in table.rows if (m := re.search(r"\d+(?:\.\d+)*", row[at]))]
        if values:
            return "Rev " + max(values, key=lambda v: [int(p) for p in v.split(".")])
    return ""


def _revision(text: str) -> str:
    text = _FULL.sub(":", text)
    if match := _REVISION.search(text):
        word, value = match["word"], match["value"]
        if value.isalpha() and len(value) == 1 and value.islower():
            return ""
        lower = word.lower()
        if lower.startswith("rev"):
            sign = "." if re.match(r"rev\s*\.", match[0], re.I) else ""
            return f"Rev{sign} {value}"
        if lower != "rev" and not lower.startswith("rev") and not any(map(str.isdigit, value)):
            return ""
        if lower in ("version", "ver", "release"):
            return f"V{value}" if not value.lower().startswith("v") else value
        return f"{word} {value}"
    if match := _SHORT.search(text):
        return match["value"].replace(" ", "")
    return ""
