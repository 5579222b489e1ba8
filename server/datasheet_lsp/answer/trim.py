"""Long tables cut down to the rows that have to do with a question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

import msgspec

from datasheet_lsp.answer.types import Count, Piece
from datasheet_lsp.index import identifiers
from datasheet_lsp.render import words as said

_ROWS = 7
"""A table with no more rows is left whole."""
_FIELDS = 4
"""The same of a register's fields."""
_SHARE = 0.6
"""One of which more is wanted is left whole too."""
_WORD = re.compile(r"[a-z]+\d*|\d+[a-z]+")
_GENERAL = frozenset(
    """the and for with from into that this are was not its all any each has have can set use used
    using bit bits pin pins register registers value values mode enable enabled clock interrupt
    interrupts channel input output data reset start stop address control status system number
    name description reserved table""".split()
)


def wanted_words(*texts: str) -> set[str]:
    """The words of texts by which a row is known to be wanted: names, and what is not general."""
    found: set[str] = set()
    for text in texts:
        found |= {w for w in _words(text) if len(w) > 1 and w not in _GENERAL}
    return found


def _words(text: str) -> set[str]:
    small = text.lower()
    found = set(_WORD.findall(small)) | set(re.findall(r"[a-z0-9]+", small))
    return found | set(identifiers(text))


def trimmed(text: str, wanted: Collection[str], rows: int = _ROWS, together: bool = False) -> str:
    """``text`` with the rows of its long tables that have a wanted word, and how many are left out.

    The head stays, and so does a table of at most so many ``rows``, or of which nearly every row
    is wanted, or none; ``together`` all of its tables count as one.
    """
    blocks: list[list[str]] = []
    for line in text.split("\n"):
        if blocks and line.startswith("|") == blocks[-1][0].startswith("|"):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    tables = [block for block in blocks if block[0].startswith("|")]
    kept = {id(block): _kept(block, wanted) for block in tables}
    all_kept = sum(map(len, kept.values()))
    all_rows = sum(len(_rows(block)) for block in tables)
    out: list[str] = []
    for block in blocks:
        if id(block) not in kept:
            out += block
            continue
        of = all_rows if together else len(_rows(block))
        some = all_kept if together else len(kept[id(block)])
        if of <= rows or not some or some > of * _SHARE:
            out += block
            continue
        own = kept[id(block)]
        left = len(_rows(block)) - len(own)
        more = [f"({said.plural(left, 'more row')})"] if left else []
        out += [*block[: len(block) - len(_rows(block))], *own, *more] if own else more
    return "\n".join(out)


def _rows(block: list[str]) -> list[str]:
    """The rows of a table below its head."""
    head = next((i for i, line in enumerate(block) if set(line) <= set("|-: ")), -1) + 1
    return block[head:]


def _kept(block: list[str], wanted: Collection[str]) -> list[str]:
    """The rows with a wanted word; one that nearly all rows have tells none from another."""
    rows = [(row, _words(row).intersection(wanted)) for row in _rows(block)]
    often = Counter(word for _, found in rows for word in found)
    common = {word for word, number in often.items() if number > max(1, len(rows) * _SHARE)}
    return [row for row, found in rows if found - common]


def tight(piece: Piece, wanted: Collection[str], count: Count, *, always: bool = False) -> Piece:
    """A passage with its long tables cut down.

    The description of a register that the question itself found is cut only with ``always``.
    """
    if piece.format == "svd" or piece.kind == "code":
        return piece
    if piece.kind == "register" and piece.origin == "question" and not always:
        return piece
    # What is in the heading holds for all of its rows and tells none from another.
    named = set(wanted) - _words(piece.heading)
    is_register = piece.kind == "register"
    text = trimmed(piece.text, named, _FIELDS if is_register else _ROWS, is_register)
    if text == piece.text:
        return piece
    return msgspec.structs.replace(piece, text=text, tokens=count(piece.heading) + count(text))
