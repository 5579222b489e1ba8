"""The printed label of each page: found in headers and footers, trusted when it counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from datasheet_lsp.documents.structure.furniture import Margin

_ROMAN = re.compile(r"^[ivxlc]{1,8}$", re.IGNORECASE)
_OF = re.compile(r"(?:^|\s)(?:page\s*)?(\d{1,4})\s*(?:/|\||of)\s*(\d{1,4})(?:\s|$)", re.IGNORECASE)
_PAGE = re.compile(r"page(\d{1,4})(?:of\d+)?$", re.IGNORECASE)
_LONE = re.compile(r"^\d{1,4}$")
_CHAPTER = re.compile(r"^((?:\d{1,3}|[A-Z])[-–.·])(\d{1,4})$")

_Found = tuple[str, str, int]
"""Kind, prefix ("4-" of 4-33) and number of a label."""


def page_labels(own: Sequence[str], margins: Sequence[Sequence[Margin]]) -> tuple[str, ...]:
    """The label of each page, "" where none is known.

    Args:
        own: The labels the PDF gives its pages, "" where it gives none.
        margins: What was taken off the pages as headers and footers.
    """
    count = len(own)
    found = [_candidates(page) for page in margins]
    chosen: list[_Found | None] = [None] * count
    # Of two counters on a page the one that counts on most pages is the page number.
    votes: Counter[str] = Counter()
    for at in range(count - 1):
        for kind, prefix, number in found[at]:
            if (kind, prefix, number + 1) in found[at + 1]:
                votes[kind] += 1
    for at in range(count):
        for kind, prefix, number in sorted(found[at], key=lambda f: -votes[f[0]]):
            if _counts(found, at, kind, prefix, number):
                chosen[at] = (kind, prefix, number)
                break
    _fill(chosen)
    plain = all(not label or label == str(i + 1) for i, label in enumerate(own))
    labels = []
    for at, label in enumerate(own):
        best = chosen[at]
        if best is not None:
            labels.append(_text(best))
        elif plain:
            labels.append("")
        else:
            labels.append(label)
    return tuple(labels)


def _text(found: _Found) -> str:
    kind, prefix, number = found
    if kind == "roman":
        return _to_roman(number)
    return f"{prefix}{number}"


def _candidates(page: Sequence[Margin]) -> list[_Found]:
    found: list[_Found] = []
    for margin in page:
        text = margin.text.strip()
        squeezed = text.replace(" ", "")
        if match := _PAGE.search(squeezed):
            found.append(("page", "", int(match[1])))
        elif match := _OF.search(text):
            found.append(("of", "", int(match[1])))
        elif _LONE.match(text):
            found.append(("lone", "", int(text)))
        elif match := _CHAPTER.match(squeezed):
            found.append(("chapter", match[1].replace("·", "-"), int(match[2])))
        elif _ROMAN.match(text) and (number := _from_roman(text)):
            found.append(("roman", "", number))
        else:
            words = text.split()
            for end in (words[-1], words[0]):
                if _LONE.match(end):
                    found.append(("end", "", int(end)))
    return found


def _counts(found: Sequence[list[_Found]], at: int, kind: str, prefix: str, number: int) -> bool:
    """Whether a page near by has the same label, further by as much as the page is."""
    for step in (1, -1, 2, -2):
        other = at + step
        if 0 <= other < len(found):
            if (kind, prefix, number + step) in found[other]:
                return True
            if kind == "chapter" and any(k == kind and p != prefix for k, p, n in found[other]):
                return True
    return False


def _fill(chosen: list[_Found | None]) -> None:
    """Pages without a label between two that count on through them."""
    known = [i for i, c in enumerate(chosen) if c is not None]
    for a, b in zip(known, known[1:], strict=False):
        first, last = chosen[a], chosen[b]
        assert first is not None and last is not None
        if b - a > 1 and first[:2] == last[:2] and last[2] - first[2] == b - a:
            for i in range(a + 1, b):
                chosen[i] = (first[0], first[1], first[2] + i - a)
    if known:
        at = known[0]
        first = chosen[at]
        assert first is not None
        # The first pages, as far as they count down to 1.
        if first[0] != "chapter" and first[2] > at:
            for i in range(at):
                chosen[i] = (first[0], first[1], first[2] - at + i)
        at = known[-1]
        last = chosen[at]
        assert last is not None
        for i in range(at + 1, len(chosen)):
            chosen[i] = (last[0], last[1], last[2] + i - at)


_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SIGNS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"))


def _from_roman(text: str) -> int:
    values = [_VALUES[c] for c in text.lower()]
    total = 0
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < following else value
    return total if _to_roman(total) == text.lower() else 0


def _to_roman(number: int) -> str:
    parts = []
    for value, sign in _SIGNS:
        while number >= value:
            parts.append(sign)
            number -= value
    return "".join(parts) + "i" * number
