"""What can be wrong with a page, and how it is said of a whole file."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.pdf.drawings import Drawings
from datasheet_lsp.documents.pdf.text import unreadable
from datasheet_lsp.model.document import Box, Trouble

NO_TEXT = "no text layer"
GARBAGE = "unreadable text"
SLOW = "took too long"
CRASHED = "could not be read"

_SAID = {
    NO_TEXT: "{pages} {have} no text layer: add one with `ocrmypdf --skip-text {file} {mended}`",
    GARBAGE: (
        "{pages} {have} text without a usable character map: "
        "replace it with `ocrmypdf --force-ocr {file} {mended}`"
    ),
    SLOW: "{pages} took too long to read and {are} left out",
    CRASHED: "{pages} could not be read and {are} left out",
}
# From this share of the page on, a picture is the page.
_SCAN = 0.6
# Pages with fewer words than this beside a page-wide picture have a stamp, not a text layer.
_STAMP = 12
# Letters drawn as outlines make this many paths at least.
_OUTLINES = 400
_GARBAGE_SHARE = 0.3
_GARBAGE_LEAST = 20


def page_trouble(
    words: Sequence[Word],
    lost: Sequence[Word],
    pictures: Sequence[Box],
    drawings: Drawings,
    area: float,
) -> str:
    """NO_TEXT or GARBAGE where the page has no words that can be used, else "".

    Args:
        words: The page's words.
        lost: Words of which no sign can be told.
        pictures: Boxes of pictures, whose words do not count.
        drawings: What is drawn on the page.
        area: The page's, in square points.
    """
    if lost or unreadable("".join([w.text for w in words])):
        bad = good = 0
        for word in (*lost, *words):
            if not any(_within(word, box) for box in pictures):
                wrong = unreadable(word.text)
                bad += wrong
                good += len(word.text) - wrong
        if bad > _GARBAGE_LEAST and bad > _GARBAGE_SHARE * (good + bad):
            return GARBAGE
    if len(words) + len(lost) < _STAMP:
        images = sum((b[2] - b[0]) * (b[3] - b[1]) for b in drawings.images)
        if images > _SCAN * area or (not words and drawings.paths > _OUTLINES):
            return NO_TEXT
    return ""


def _within(word: Word, box: Box) -> bool:
    return box[0] <= word.x0 and box[1] <= word.y0 and word.x1 <= box[2] and word.y1 <= box[3]


def fold(troubles: Iterable[tuple[int, str]], name: str) -> list[Trouble]:
    """Troubles of pages, each said once for all its pages.

    Args:
        troubles: Page number and trouble, in the order of pages; "" is none.
        name: The file's name, for the commands in the messages.
    """
    pages: dict[str, list[int]] = {}
    for page, trouble in troubles:
        if trouble:
            pages.setdefault(trouble, []).append(page)
    return [_said(trouble, numbers, name) for trouble, numbers in pages.items()]


def _said(trouble: str, pages: list[int], name: str) -> Trouble:
    one = len(pages) == 1
    said = _SAID.get(trouble)
    where = ("page " if one else "pages ") + _ranges(pages)
    if said is None:
        message = f"{where}: {trouble}"
    else:
        message = said.format(
            pages=where,
            have="has" if one else "have",
            are="is" if one else "are",
            file=shlex.quote(name),
            mended=shlex.quote(name.removesuffix(".pdf") + "-ocr.pdf"),
        )
    return Trouble(message, pages[0], pages[-1])


def _ranges(pages: Sequence[int]) -> str:
    """Page numbers as people write them: "3-9, 12 and 15-20"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and runs[-1][1] == page - 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    said = [f"{a}" if a == b else f"{a}-{b}" for a, b in runs]
    return ", ".join(said[:-1]) + " and " + said[-1] if len(said) > 1 else said[0]
