"""What can be wrong with a page, and how it is said of a whole file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from datasheet_lsp.documents.page import Word
from datasheet_lsp.documents.pdf.drawings import Drawings
from datasheet_lsp.documents.pdf.text import unreadable
from datasheet_lsp.model.document import Trouble

NO_TEXT = "no text layer"
GARBAGE = "unreadable text"
SLOW = "took too long"
CRASHED = "could not be read"

_SAID = {
    NO_TEXT: (
        "{pages} {have} no text layer: add one with `ocrmypdf --skip-text {name} {stem}-ocr.pdf`"
    ),
    GARBAGE: (
        "{pages} {have} text without a usable character map: "
        "replace it with `ocrmypdf --force-ocr {name} {stem}-ocr.pdf`"
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


def page_trouble(words: Sequence[Word], drawings: Drawings, width: float, height: float) -> str:
    """NO_TEXT or GARBAGE where the page has no words that can be used, else ""."""
    if len(words) < _STAMP:
        area = sum((b[2] - b[0]) * (b[3] - b[1]) for b in drawings.images)
        if area > _SCAN * width * height or (not words and drawings.paths > _OUTLINES):
            return NO_TEXT
    text = "".join([w.text for w in words])
    if text.isascii():
        return ""
    bad = unreadable(text)
    if bad > _GARBAGE_LEAST and bad > _GARBAGE_SHARE * len(text):
        return GARBAGE
    return ""


def fold(troubles: Iterable[tuple[int, str]], name: str) -> list[Trouble]:
    """Troubles of pages said once for each run of pages.

    Args:
        troubles: Page number and trouble, in the order of pages.
        name: The file's name, for the commands in the messages.
    """
    runs: list[tuple[str, int, int]] = []
    for page, trouble in troubles:
        if not trouble:
            continue
        if runs and runs[-1][0] == trouble and runs[-1][2] == page - 1:
            runs[-1] = (trouble, runs[-1][1], page)
        else:
            runs.append((trouble, page, page))
    return [_said(trouble, first, last, name) for trouble, first, last in runs]


def _said(trouble: str, first: int, last: int, name: str) -> Trouble:
    one = first == last
    said = _SAID.get(trouble, "{pages}: " + trouble.replace("{", "{{").replace("}", "}}"))
    message = said.format(
        pages=f"page {first}" if one else f"pages {first}-{last}",
        have="has" if one else "have",
        are="is" if one else "are",
        name=name,
        stem=name.removesuffix(".pdf"),
    )
    return Trouble(message, first, last)
