"""The caption of a table: its number, its words, and whether it is a continuation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheet_lsp.documents.page import Font
from datasheet_lsp.documents.tables.lines import PageLine, Run
from datasheet_lsp.documents.tables.text import join_lines
from datasheet_lsp.model.document import Box

_TABLE = re.compile(
    r"^(?:table|tab\.|tbl\.)\s*((?:[A-Z]{1,2}[-–.]?)?\d+(?:[-–.]\d+)*[a-z]?)(?:\s*[.:：—–-]|\b)\s*(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FIGURE = re.compile(r"^(?:figure|fig\.?)\s*[A-Z]?[-.]?\d", re.IGNORECASE)
_CONTINUED = re.compile(
    r"\s*(?:…|\.{2,3})?\s*[(\[]?\s*(?:\bcontinued|\bcont(?:'d|’d|d)?\b\.?)\s*"
    r"(?:from (?:the )?previous page)?[)\]]?\s*\.*$",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"^(?:shows?|lists?|gives?|describes?|summari[sz]es|contains?|provides?|and|or|for|in|on|is|"
    r"are|below|above|to|can|has|details|specifies|defines|illustrates|presents|indicates|may|"
    r"through|with|explains|applies|refers|outlines|,|\))\b|^[,);]",
)
# Lists of tables, and references to a table in prose.
_LEADERS = re.compile(r"(?:\.\s?){4}|…{2}")
_REFERENCE = re.compile(r"^[“\"”‘(]|\bon page \d+|\band Table \d")
_ABOVE = 120.0
_LINE_GAP = 7.0
_FAR = 26.0
_BOLD_GAP = 14.0
_HEADING = 40.0


class Caption:
    """``text`` is without number and "(continued)"; ``indices`` are its words on the page."""

    __slots__ = ("bottom", "continued", "indices", "number", "text", "top")

    def __init__(
        self,
        number: str,
        text: str,
        continued: bool,
        indices: list[int],
        top: float,
        bottom: float,
    ) -> None:
        self.number = number
        self.text = text
        self.continued = continued
        self.indices = indices
        self.top = top
        self.bottom = bottom


def parse_caption(text: str) -> tuple[str, str, bool] | None:
    """Number, words and whether it is continued, of a line that is a table's caption."""
    found = _TABLE.match(text)
    if not found:
        return None
    number, words = found[1], found[2].strip()
    sign = text[found.end(1) :].lstrip()[:1]
    if _PROSE.match(words) or _LEADERS.search(words) or _REFERENCE.search(words):
        return None
    if words[:1].islower() and sign not in ".:：—–-":
        return None
    shorter = _CONTINUED.sub("", words)
    return number, shorter.strip(), shorter != words


def is_figure(text: str) -> bool:
    """Whether a line is a figure's caption."""
    return bool(_FIGURE.match(text))


def page_captions(
    lines: Sequence[PageLine], fonts: Sequence[Font], grids: Sequence[Box] = ()
) -> list[Caption]:
    """All table captions of a page, from the top down, wrapped lines joined.

    ``grids`` are the frames on the page: a caption does not go on into one.
    """
    found: list[Caption] = []
    for at, line in enumerate(lines):
        runs = line.runs(2.2)
        for place, run in enumerate(runs):
            if run.words[0].text[:3].lower() not in ("tab", "tbl"):
                continue
            words = list(run.words)
            indices = list(run.indices)
            right = run.x1
            if len(words) <= 2 and place + 1 < len(runs):
                # The number, a tab, the title.
                words += runs[place + 1].words
                indices += runs[place + 1].indices
                right = runs[place + 1].x1
            head = Run(words, indices)
            parsed = parse_caption(head.text)
            if parsed is None or not (parsed[1] or len(runs) == 1 and head.bold(fonts)):
                continue
            texts = [head.text]
            bottom = head.y1
            size = fonts[words[0].font].size
            bold = fonts[words[0].font].bold
            tail = words[min(len(words) - 1, 2)]
            start = tail.x0
            for follower in lines[at + 1 : at + 6]:
                if len(texts) == 1 and follower.y0 <= line.y0 + 2:
                    continue
                middle = (follower.y0 + follower.y1) / 2
                if any(g[1] < middle < g[3] and g[0] < follower.x1 for g in grids):
                    break
                if follower.y0 - bottom > _LINE_GAP or follower.y0 < bottom - 4:
                    break
                piece = Run(follower.words, follower.indices)
                font = fonts[piece.words[0].font]
                if (
                    font.bold != bold
                    or abs(font.size - size) > 0.3
                    or not _under(piece, head, start, right)
                ):
                    break
                if parse_caption(piece.text) or len(follower.runs(1.2)) > 1:
                    break
                texts.append(piece.text)
                indices += piece.indices
                bottom = piece.y1
            if len(texts) > 1:
                joined = parse_caption(join_lines(texts))
                if joined is None:
                    continue
                parsed = joined
            found.append(Caption(*parsed, indices, head.y0, bottom))
    return found


def _under(piece: Run, head: Run, start: float, right: float) -> bool:
    """Whether a line can be the wrapped rest of a caption: set in, centred or flush under it."""
    if piece.x0 > right:
        return False
    middle = (head.x0 + right) / 2
    if abs((piece.x0 + piece.x1) / 2 - middle) < 8:
        return True
    return abs(piece.x0 - start) < 60 or abs(piece.x0 - head.x0) < 4


def assign_captions(
    captions: Sequence[Caption],
    tables: Sequence[Box],
    pictures: Sequence[Box],
    lines: Sequence[PageLine],
) -> dict[Box, Caption]:
    """The captions of the tables in the boxes, those above tables first, then those below."""
    owned: dict[Box, Caption] = {}
    taken: set[int] = set()
    others = [*tables, *pictures]
    for box in sorted(tables, key=lambda b: b[1]):
        best: Caption | None = None
        for caption in captions:
            if id(caption) in taken or caption.bottom > box[1] + 6:
                continue
            if box[1] - caption.bottom > _FAR and not _only_small(lines, caption, box):
                continue
            between = any(
                o != box and o[3] > caption.bottom and o[1] < box[1] - 4 and _beside(o, box)
                for o in others
            )
            if not between and (best is None or caption.bottom > best.bottom):
                best = caption
        if best is not None:
            taken.add(id(best))
            owned[box] = best
    for box in tables:
        if box in owned:
            continue
        for caption in captions:
            if id(caption) in taken or not -4 <= caption.top - box[3] <= 18:
                continue
            if any(o != box and 0 <= o[1] - caption.bottom < 60 for o in others):
                continue
            taken.add(id(caption))
            owned[box] = caption
            break
    return owned


_TITLE = re.compile(
    r"^[A-Z].*\b(?:bit|field|register|pin|signal|memory)s? "
    r"(?:descriptions?|assignments?|allocations?|definitions?|overview|map)$"
)
_NUMBERED = re.compile(r"^(?:(?:chapter|appendix|section)\b|\d+(?:\.\d+)*\.?\s)", re.IGNORECASE)


def title_line(box: Box, lines: Sequence[PageLine], fonts: Sequence[Font], used: set[int]) -> str:
    """The title straight above a table without a numbered caption; "" where there is none.

    A line is a title when it is bold, or when it ends as the captions of such tables do.
    """
    best: PageLine | None = None
    for line in lines:
        if -2 < box[1] - line.y1 < _BOLD_GAP and line.x0 < box[2] and line.x1 > box[0]:
            best = line
    if best is None or best.indices[0] in used or best.x1 - best.x0 > 1.1 * (box[2] - box[0]):
        return ""
    text = Run(best.words, best.indices).text
    if not all(fonts[w.font].bold for w in best.words) and not _TITLE.search(text):
        return ""
    return "" if _NUMBERED.match(text) or is_figure(text) else text


def _beside(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2]


def _only_small(lines: Sequence[PageLine], caption: Caption, box: Box) -> bool:
    """Whether at most two lines stand between a caption and the table under it."""
    if box[1] - caption.bottom > _ABOVE:
        return False
    between = [line for line in lines if line.y0 > caption.bottom - 3 and line.y1 < box[1] + 3]
    return len(between) <= 2 and box[1] - caption.bottom < 60


def line_above(box: Box, lines: Sequence[PageLine]) -> str:
    """The line next above a table, a heading or the end of what leads to it; "" when far off."""
    best: PageLine | None = None
    for line in lines:
        if line.y1 < box[1] + 2 and box[1] - line.y1 < _HEADING and line.x0 < box[2]:
            best = line
    return Run(best.words, best.indices).text if best is not None else ""
