"""Small questions about a piece of text that every format asks."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Zero-width characters and soft hyphens, which nobody sees and which split names; controls;
# halves of surrogate pairs, which JSON can name and which no file or database can hold.
_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
)
_KEEP = {"\u2028": "\n", "\u2029": "\n", "\x0b": "\n", "\x0c": "\n", "\r": "\n", "\x85": "\n"}
_SPACES = re.compile(r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_NUMBER = re.compile(
    r"^(?:(?:chapter|section|appendix|annex)\s+)?"
    r"((?:\d{1,4}|[A-Z](?=\.\d))(?:\.\d{1,4}){0,8})(?:\.|\)|:|\s[-–—])?\s+(?=\S)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:[kMG]?Hz|[mk]?V|[mµun]?A|[mµunp]?s|[kM]?Ω|[munp]?F|[mkM]?W|[kKMG]i?B|[kM]?bps|MIPS|ppm"
    r"|bits?|bytes?|words?|LSBs?|cycles?|pins?|times?|years?)\b"
)
_NOTE = re.compile(
    r"^(?:notes?|warnings?|cautions?|important|attention|danger|tip|hint)\b\s*(?:\d{1,2}\s*)?"
    r"(?:[:.!\n–—]|-\s)",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"^(?:figure|fig\.)\s*((?:[A-Z]{1,2}[-–.]?)?\d+(?:[-–.]\d+)*[a-z]?)(?:\s*[.:—–-]\s*|\s+|$)(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PROSE = re.compile(
    r"^(?:shows?|lists?|gives?|describes?|illustrates?|depicts?|is|are|and|or|in|on|of|below|above"
    r"|to|for|has|presents?|provides?)\b"
)
# The revision of the document, not that of the chip it is about.
_REVISION = re.compile(
    r"(?<!silicon )(?<!device )(?<!die )(?<!chip )(?<!hardware )(?<!mask )(?<!\w)"
    r"(?:(?:rev(?:ision)?|version|ver)\b\.?\s*[:#]?\s*"
    r"(?:v?\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?|(?-i:[A-Z])\d?)(?![\w.]*\w)"
    r"|issue\s+\d{1,4}(?:\.\d{1,4})?(?![\w.]*\w)"
    r"|v\d{1,3}(?:\.\d{1,4}){1,3}[a-z]?\b)",
    re.IGNORECASE,
)


def clean(text: str) -> str:
    """The text with plain spaces, without what cannot be seen; tabs are spaces, newlines stay."""
    text = _INVISIBLE.sub(lambda m: _KEEP.get(m[0], ""), text)
    return _SPACES.sub(" ", text)


def clean_layout(text: str) -> str:
    """The same for text whose layout counts: runs of spaces stay, tabs go on to every 8th."""
    text = _INVISIBLE.sub(lambda m: _KEEP.get(m[0], ""), text).replace("\u00a0", " ")
    return "\n".join(line.expandtabs(8).rstrip() for line in text.split("\n")).strip("\n")


def one_line(text: str) -> str:
    """The text on one line."""
    return " ".join(clean(text).split())


def tidy_lines(text: str) -> str:
    """Each line without outer spaces, no empty lines."""
    return "\n".join(line for line in map(str.strip, clean(text).split("\n")) if line)


def split_number(title: str) -> tuple[str, str]:
    """The printed number of a heading and its words: "7.3 Clock tree" -> ("7.3", "Clock tree").

    A single number counts only before a word, so that "3 V" and "12 MHz" stay what they are.
    """
    found = _NUMBER.match(title)
    if not found:
        return "", title
    rest = title[found.end() :]
    single = "." not in found[1] and found[0].strip() == found[1]
    if single and (_UNIT.match(rest) or not re.match(r"[^\W\d_]{2}|[(\[\"']", rest)):
        return "", title
    return found[1], rest


def is_note(text: str) -> bool:
    """Whether a paragraph is a note, a warning or the like by its first word."""
    return bool(_NOTE.match(text))


def figure_caption(text: str) -> tuple[str, str] | None:
    """Number and words of a figure's caption; None for a sentence about a figure."""
    found = _FIGURE.match(text)
    if not found or len(text) > 300 or _PROSE.match(found[2]):
        return None
    return found[1], found[2].strip()


def find_revision(texts: Iterable[str]) -> str:
    """The first "Rev. 2", "Version 1.4" or "v1.0" of the texts, as printed; "" where none is."""
    for text in texts:
        found = _REVISION.search(text)
        if found:
            return " ".join(found[0].split())
    return ""
