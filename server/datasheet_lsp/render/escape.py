"""Text of SVD files made safe for markdown: it is data, and can be neither link, HTML nor table.

What is escaped is little, so that names stay readable where an editor shows the source of the
markdown: ``TIM1_CH2`` and ``AFR[1]`` stay as they are. Rules of CommonMark 0.31 and GitHub's
extensions (tables, strikethrough, autolinks, footnotes).
"""

from __future__ import annotations

import re
import unicodedata

_ALWAYS = frozenset("\\`*<>|~$")
_AT_START = frozenset("#+-=:>[")
_ORDERED = re.compile(r"(\d{1,9})([.)])")
_ENTITY = re.compile(r"&#?\w+;")
_JOINERS = "\u200c\u200d"


def one_line(text: str) -> str:
    """``text`` without line ends, control and direction characters, runs of blanks made one."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(_shown(character) for character in text)
    return " ".join(text.split())


def _shown(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Cf":
        return character if character in _JOINERS else ""
    if kind in ("Cs", "Co", "Cn"):
        return "\ufffd"
    return " " if kind[0] in "CZ" else character


def cut(text: str, limit: int) -> str:
    """``text`` in one line of about ``limit`` characters, cut between words with `` ...``."""
    text = one_line(text)
    if len(text) <= limit:
        return text
    head = text[:limit]
    space = head.rfind(" ")
    return f"{head[: space if space > limit // 2 else limit].rstrip(' ,;:.')} ..."


def escape(text: str, *, starts: bool = True) -> str:
    """Markdown that shows ``text`` in one line, as it is, whatever it contains.

    It may stand at the start of a line (unless ``starts`` is False), in a table cell, between
    ``**``. What follows it must not begin with ``(``, ``[`` or ``:``.
    """
    text = one_line(text)
    out: list[str] = []
    rest = text
    if starts and (ordered := _ORDERED.match(text)) is not None:
        out += (ordered[1], "\\", ordered[2])
        rest = text[ordered.end() :]
    start = len(text) - len(rest)
    for i, character in enumerate(rest, start):
        if _special(text, i, character, starts):
            out.append("\\")
        out.append(character)
    return "".join(out)


def _special(text: str, i: int, character: str, starts: bool) -> bool:
    if character.isalnum() or character == " ":
        return False
    if character in _ALWAYS or (starts and i == 0 and character in _AT_START):
        return True
    before = text[i - 1] if i else " "
    after = text[i + 1] if i + 1 < len(text) else " "
    if character == "_":
        return not (before.isalnum() and after.isalnum())
    if character == "[":
        return after == "^"
    if character == "(":
        return before == "]"
    if character == "!":
        return after == "["
    if character == "]":
        return after in "([:"
    if character == "&":
        return _ENTITY.match(text, i) is not None
    if character == "@":
        return before != " " and after != " "
    if character == ":":
        return after == "/" or (before.isalpha() and after != " ")
    if character == ".":
        return text[max(0, i - 3) : i].lower() == "www"
    return False


def code(text: str) -> str:
    """A code span that shows ``text`` as it is. Not for table cells when it contains ``|``."""
    text = one_line(text)
    if not text:
        return ""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"
