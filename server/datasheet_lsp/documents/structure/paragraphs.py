"""Lines to paragraphs, lists, notes and code, with the words that were cut at line ends mended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from datasheet_lsp.documents.structure.lines import Line
from datasheet_lsp.model.document import BlockKind, Box

_BULLETS = "•●■▪◆◦○◻□❑❒▸►➢➔✓✗·*"
_BULLET = re.compile(rf"^[{_BULLETS}](?:\s+|$)|^[–—-]\s+")
_ITEM = re.compile(r"^(?:\(?\d{1,2}[.)]|\(?[a-z][.)]|[ivx]{1,4}[.)]|Step\s\d+[:.]?)\s+\S")
_NOTE = re.compile(
    r"^(?:NOTE|Note|CAUTION|Caution|WARNING|Warning|Remark|REMARK|Important|IMPORTANT|Attention|Tip)"
    r"(?:\s?\d{1,2})?\s*(?:[:.–—-]|$)"
)
_FIELD = re.compile(r"^Bits?\s+\[?\d+")
_LETTERS_HYPHEN = re.compile(r"[^\W\d_]{2}-$")
_WORD = re.compile(r"[\w-]+$")
_START = re.compile(r"^[\w-]+")


class Paragraph(msgspec.Struct, gc=False):
    """A block of lines: its kind, text and box; ``open`` says that it may go on behind a break."""

    kind: BlockKind
    text: str
    box: Box
    order: tuple[int, int, int, float]
    open: bool = False


class Pitch:
    """The distance from line to line in the document's text, by font size."""

    def __init__(self, pages: Sequence[Sequence[Line]]) -> None:
        seen: dict[float, Counter[float]] = {}
        for lines in pages:
            for a, b in zip(lines, lines[1:], strict=False):
                step = b.y0 - a.y0
                if a.font == b.font and a.column == b.column and 0.9 < step / a.size < 2.6:
                    seen.setdefault(a.size, Counter())[round(step * 2) / 2] += 1
        self._usual = {size: _lowest_common(c) for size, c in seen.items()}

    def limit(self, line: Line) -> float:
        """A line that begins further down than this below another begins a paragraph."""
        usual = self._usual.get(line.size) or 1.3 * line.size
        return max(usual * 1.16, usual + 1.3)


def _lowest_common(steps: Counter[float]) -> float:
    """The smallest step that is common; larger ones are those between paragraphs."""
    most = max(steps.values())
    return min(s for s, n in steps.items() if n >= 0.35 * most)


class Vocabulary:
    """The words of the document, for telling a hyphen from a cut."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._words: set[str] = set()
        strip = ".,;:()[]\"'“”‘’"
        for word in words:
            bare = word.strip(strip).lower()
            if bare and not bare.endswith("-"):
                self._words.add(bare)

    def join(self, text: str, following: str, *, hard: bool) -> str:
        """Two lines as one text; ``hard`` keeps the line break."""
        if not text:
            return following
        last = text[-1]
        if last == "-" and len(text) > 1 and text[-2] != " ":
            return self._hyphen(text, following)
        if last == "_" or (following[0] == "_" and text[-1].isalnum()):
            return text + following
        if last == "/" and text[-2:-1].isalnum() and following[0].isalnum():
            return text + following
        return f"{text}\n{following}" if hard else f"{text} {following}"

    def _hyphen(self, text: str, following: str) -> str:
        if text[-2] == "_":
            # A name cut behind an underscore gets a hyphen from the typesetter.
            return text[:-1] + following
        if not _LETTERS_HYPHEN.search(text) or not following[0].islower():
            return text + following
        first, second = _WORD.search(text), _START.match(following)
        assert first is not None and second is not None
        head, tail = first[0][:-1].lower(), second[0].lower()
        if f"{head}{tail}" in self._words:
            return text[:-1] + following
        if f"{head}-{tail}" in self._words:
            return text + following
        # Two whole words that the document knows are a compound.
        if head in self._words and tail in self._words and len(head) > 2 and len(tail) > 2:
            return text + following
        return text[:-1] + following


class ParagraphMaker:
    """Makes the paragraphs of a document's pages."""

    def __init__(self, pages: Sequence[Sequence[Line]], words: Mapping[str, int]) -> None:
        self._pitch = Pitch(pages)
        self._vocabulary = Vocabulary(words)

    def make(self, page: int, lines: Sequence[Line], right: Mapping[int, float]) -> list[Paragraph]:
        """The paragraphs of lines that follow one another on a page.

        Args:
            page: Its number.
            lines: Lines in reading order, nothing between them.
            right: The right edge of the text of each column.
        """
        result: list[Paragraph] = []
        for kind, group in self._groups(lines):
            first = group[0]
            order = (page, first.zone, first.column, first.y0)
            box = (
                min([x.x0 for x in group]),
                min([x.y0 for x in group]),
                max([x.x1 for x in group]),
                max([x.y1 for x in group]),
            )
            edge = right.get(first.column, first.x1)
            if kind == "code":
                text = _code(group)
            elif kind == "list":
                text = self._list(group, edge)
            else:
                text = self._text(group, edge)
            last = group[-1]
            open_ = kind != "code" and not text.endswith((".", ":", ";", "!", "?"))
            open_ = open_ and last.x1 > edge - 0.25 * (edge - last.x0)
            result.append(Paragraph(kind, text, box, order, open_))
        return _joined(result)

    def merge(self, text: str, following: str) -> str:
        """Two parts of a paragraph that goes on over a break."""
        return self._vocabulary.join(text, following, hard=False)

    def _groups(self, lines: Sequence[Line]) -> Iterator[tuple[BlockKind, list[Line]]]:
        group: list[Line] = []
        kind: BlockKind = "text"
        for line in lines:
            if group and self._goes_on(kind, group, line):
                group.append(line)
                continue
            if group:
                yield kind, group
            group = [line]
            kind = _kind(line)
        if group:
            yield kind, group

    def _goes_on(self, kind: BlockKind, group: list[Line], line: Line) -> bool:
        last, first = group[-1], group[0]
        if (line.zone, line.column) != (last.zone, last.column):
            return False
        step = line.y0 - last.y0
        limit = self._pitch.limit(last)
        if kind == "code":
            return line.mono and -2 < step < 2.2 * limit
        if line.mono or step < -2:
            return False
        if kind == "note" and len(group) == 1 and first.text.rstrip(":. ").isalpha():
            # "Note" stands alone above its text.
            return step < 2.2 * limit and not _starts_item(line)
        if kind == "list":
            loose = bool(_ITEM.match(first.text)) and abs(line.x0 - first.x0) < 3
            if _starts_item(line, loose=loose):
                return step < 2.0 * limit and line.x0 > first.x0 - 30
            if line.x0 < last.x0 - 2 and line.x0 < last.hang - 2 and line.x0 < first.hang - 4:
                return False
            hanging = abs(line.x0 - last.x0) < 3 or abs(line.x0 - last.hang) < 3
            if step < limit:
                return hanging or line.x0 > first.x0 + 3
            return step < 1.9 * limit and line.x0 > first.x0 + 5 and hanging and not line.bold
        if _starts_item(line) or _NOTE.match(line.text) or _FIELD.match(line.text):
            return False
        if step >= limit:
            return False
        if abs(line.size - last.size) > 0.8 and line.text.count(" ") > 1:
            return False
        if line.bold != last.bold:
            return False
        if abs(line.x0 - last.x0) < 2.5 or abs(line.x0 - first.hang) < 3:
            return True
        # A first line set in or out.
        return len(group) == 1 and abs(line.x0 - last.x0) < 3.2 * last.size and not last.bold

    def _text(self, group: list[Line], edge: float) -> str:
        text = group[0].text
        for last, line in zip(group, group[1:], strict=False):
            text = self._vocabulary.join(text, line.text, hard=_ends_early(last, line, edge))
        return text

    def _list(self, group: list[Line], edge: float) -> str:
        items: list[str] = []
        numbered = bool(_ITEM.match(group[0].text))
        starts = [
            _starts_item(x, loose=not at or (numbered and abs(x.x0 - group[0].x0) < 3))
            for at, x in enumerate(group)
        ]
        levels = sorted({round(x.x0 / 4) for x, new in zip(group, starts, strict=True) if new})
        indent = ""
        for at, line in enumerate(group):
            if starts[at]:
                level = levels.index(round(line.x0 / 4))
                if level and abs(levels[level] - levels[level - 1]) < 2:
                    level -= 1
                indent = "  " * level
                items.append(indent + _BULLET.sub("- ", line.text, count=1))
            else:
                last = group[at - 1]
                paragraph = line.y0 - last.y0 >= self._pitch.limit(last)
                hard = paragraph or _ends_early(last, line, edge)
                joined = self._vocabulary.join(items[-1], line.text, hard=hard)
                items[-1] = (
                    joined
                    if not hard
                    else joined.replace(f"\n{line.text}", f"\n{indent}  {line.text}")
                )
        return "\n".join(items)


def _starts_item(line: Line, *, loose: bool = False) -> bool:
    """Whether a line begins an item; ``loose`` where one can be expected, free behind or not."""
    text = line.text
    if _BULLET.match(text):
        return True
    return bool(_ITEM.match(text)) and (loose or line.hang > line.x0 + 3) and not line.bold


def _kind(line: Line) -> BlockKind:
    if line.mono:
        return "code"
    if _starts_item(line, loose=True):
        return "list"
    if _NOTE.match(line.text):
        return "note"
    return "text"


def _ends_early(last: Line, line: Line, edge: float) -> bool:
    """Whether the next word would have fitted behind the last: a line break that is meant."""
    return last.x1 + line.lead + 0.35 * last.size < edge - 1


def _code(group: list[Line]) -> str:
    left = min(line.x0 for line in group)
    width = 0.6 * group[0].size
    return "\n".join(" " * max(0, round((line.x0 - left) / width)) + line.text for line in group)


def _joined(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Lists that follow one another as one, and a field with what is set in below it."""
    result: list[Paragraph] = []
    for p in paragraphs:
        before = result[-1] if result else None
        if before is not None and p.order[:3] == before.order[:3]:
            near = p.box[1] - before.box[3] < 24
            lists = p.kind == before.kind == "list" and near
            if lists or (near and _below_field(before, p)):
                before.text = f"{before.text}\n{p.text}"
                a, b = before.box, p.box
                before.box = (min(a[0], b[0]), a[1], max(a[2], b[2]), b[3])
                before.open = p.open
                continue
        result.append(p)
    return result


def _below_field(field: Paragraph, p: Paragraph) -> bool:
    """Whether a paragraph is set in below one that begins with "Bits 6:4 NAME"."""
    if not _FIELD.match(field.text) or _FIELD.match(p.text):
        return False
    return p.kind in ("text", "note", "list") and p.box[0] > field.box[0] + 12
