"""Headings: their number and title, and the places of an outline's entries on the pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from datasheet_lsp.documents.page import OutlineEntry
from datasheet_lsp.documents.structure.lines import Line
from datasheet_lsp.model.document import Box

_NUMBER = re.compile(
    r"^(?:(?:chapter|section|part)\s+)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,6}|[A-Z]\d?(?:\.\d{1,3}){1,6})"
    r"(?:[.:)](?=\s)|\s*[-–—:](?=\s)|(?=\s))\s*(?P<title>\S.*)$",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"^(?i:appendix|annex|part)\s+(?P<number>(?:[A-Z]|\d{1,3})(?:\.\d+)*)\b[.:)]?\s*[-–—:]?\s*"
    r"(?P<title>\S.*)?$"
)
_BARE = re.compile(r"^(?:chapter|section)\s+(\d{1,3})[.:]?$", re.IGNORECASE)
_CAPTION = re.compile(
    r"^(?:Table|Figure|Fig\.?|Tab\.?|List\s\d)\s*[A-Z]?\d+|"
    r"^(?:Note|Caution|Warning|Remark)\s*\d*\s*:",
    re.IGNORECASE,
)
# A name cut behind an underscore at the end of a printed line.
_CUT = re.compile(r"(?<=[A-Za-z0-9]_)\s+(?=[A-Z0-9])")
_PLAIN = re.compile(r"[^a-z0-9]+")
# A heading is at most so many printed lines.
_MOST_LINES = 4


class Heading(msgspec.Struct, gc=False):
    """A heading with its place.

    ``order`` is (page, zone, column, top); ``found`` says that it stands on the page, ``boxes``
    are those of its printed lines, ``style`` its font size and whether it is bold.
    """

    level: int
    number: str
    title: str
    page: int
    order: tuple[int, int, int, float]
    origin: Literal["outline", "numbering", "font"]
    found: bool = True
    style: tuple[float, bool] | None = None
    boxes: tuple[Box, ...] = ()


def split_number(text: str) -> tuple[str, str]:
    """Number and title of a heading: "8.7.8 RCC ..." -> ("8.7.8", "RCC ..."), else ("", text)."""
    text = _CUT.sub("", " ".join(text.split()))
    if match := _NUMBER.match(text):
        if re.search(r"[^\W\d_]", match["title"]):
            return match["number"], match["title"].strip()
        return "", text
    if match := _LETTER.match(text):
        return match["number"], (match["title"] or text).strip()
    if match := _BARE.match(text):
        return match[1], text
    return "", text


def number_parts(number: str) -> tuple[int, ...]:
    """A section number for comparing: 7.3.13 -> (7, 3, 13), A.1 -> (1001, 1)."""
    parts = []
    for part in number.split("."):
        if part.isdigit():
            parts.append(int(part))
        elif part:
            more = int(part[1:]) if part[1:].isdigit() else 0
            parts.append(1000 + ord(part[0].upper()) - 64 + 100 * more)
    return tuple(parts)


def is_caption(title: str) -> bool:
    """Whether an outline's entry is a caption or a note, which are no sections."""
    return bool(_CAPTION.match(title))


def plain(text: str) -> str:
    """Letters and digits alone, for comparing."""
    return _PLAIN.sub("", text.lower())


class Match(msgspec.Struct, frozen=True, gc=False):
    """Where a title stands among lines: the first, how many, what they say, and how sure."""

    first: int
    count: int
    text: str
    score: float


class PageTitles:
    """The lines of a page made ready for looking up titles."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self._plain = [plain(line.text) for line in lines]

    def find(
        self,
        title: str,
        top: float | None,
        body: float,
        *,
        exact: bool = False,
        without: Collection[int] = (),
    ) -> Match | None:
        """The best place of ``title``; ``top`` is where the outline says it is.

        Args:
            title: The entry's title, with its number.
            top: In points, None where the outline does not say.
            body: The font size of the text.
            exact: Only the very words count, in a font that is larger or bold.
            without: Lines that are taken.
        """
        wanted = plain(title)
        if not wanted:
            return None
        number, bare = split_number(title)
        bare_plain = plain(bare)
        best: Match | None = None
        for i, text in enumerate(self._plain):
            if not text or i in without:
                continue
            found = self._from(i, wanted, bare_plain, number)
            if found is None:
                continue
            count, score = found
            line = self.lines[i]
            strong = line.bold or line.size > body * 1.04
            if exact and (score < 2.5 or not strong):
                continue
            score += 0.6 * strong
            if top is not None:
                score -= min(1.0, abs(line.y0 - top) / 200)
            score -= 0.001 * i
            if best is None or score > best.score:
                words = " ".join(line.text for line in self.lines[i : i + count])
                best = Match(i, count, words, score)
        if best is None and not exact:
            best = self._near(wanted, top, body, without)
        return best

    def _from(self, i: int, wanted: str, bare: str, number: str) -> tuple[int, float] | None:
        """How many lines from ``i`` on are the title, and how well."""
        text = self._plain[i]
        if wanted.startswith(text):
            joined = text
            for count in range(1, _MOST_LINES + 1):
                if joined == wanted:
                    return count, 3.0
                if not wanted.startswith(joined) or not self._goes_on(i + count - 1):
                    break
                joined += self._plain[i + count]
        page_number, page_title = split_number(self.lines[i].text)
        if not page_number or number:
            if not number:
                return None
            # The number stands in the outline alone.
            start = text
            want = bare
        else:
            start = plain(page_title)
            want = wanted
        if not start or not want.startswith(start):
            return None
        joined = start
        for count in range(1, _MOST_LINES + 1):
            if joined == want:
                return count, 2.6
            if not want.startswith(joined) or not self._goes_on(i + count - 1):
                break
            joined += self._plain[i + count]
        return None

    def _goes_on(self, i: int) -> bool:
        """Whether the line behind is close enough to belong to the same heading."""
        if i + 1 >= len(self.lines):
            return False
        a, b = self.lines[i], self.lines[i + 1]
        return -0.6 * (a.y1 - a.y0) < b.y0 - a.y1 < 1.2 * (a.y1 - a.y0)

    def _near(
        self, wanted: str, top: float | None, body: float, without: Collection[int]
    ) -> Match | None:
        """A title that is a little different on the page, where the outline says it is."""
        best: Match | None = None
        for i, line in enumerate(self.lines):
            if i in without or top is not None and abs(line.y0 - top) > 40:
                continue
            if not (line.bold or line.size > body * 1.04):
                continue
            joined = ""
            for count in range(1, _MOST_LINES):
                if i + count > len(self.lines):
                    break
                joined += self._plain[i + count - 1]
                if abs(len(joined) - len(wanted)) > 0.25 * len(wanted) + 3:
                    if len(joined) > len(wanted):
                        break
                    continue
                ratio = fuzz.ratio(joined, wanted)
                if ratio >= 84 and (best is None or ratio / 60 > best.score):
                    words = " ".join(line.text for line in self.lines[i : i + count])
                    best = Match(i, count, words, ratio / 60)
        return best


def usable(outline: Sequence[OutlineEntry], pages: int) -> list[OutlineEntry]:
    """The entries that can be sections: with a title and a page, and no captions."""
    return [
        e for e in outline if e.title.strip() and 1 <= e.page <= pages and not is_caption(e.title)
    ]
