"""The syntax tree of a text that was changed, made from the one before the change."""

from __future__ import annotations

from tree_sitter import Language, Parser, Point, Tree

_PIECE = 1 << 14


def reparse(before: bytes, tree: Tree, text: bytes, language: Language) -> Tree:
    """The tree of ``text``; ``tree`` is that of ``before`` and stays as it is."""
    start = _common(before, text)
    left = min(len(before), len(text)) - start
    end = _common_end(before, text, left)
    old_end, new_end = len(before) - end, len(text) - end
    edited = tree.copy()
    edited.edit(
        start_byte=start,
        old_end_byte=old_end,
        new_end_byte=new_end,
        start_point=_point(before, start),
        old_end_point=_point(before, old_end),
        new_end_point=_point(text, new_end),
    )
    return Parser(language).parse(lambda at, _: text[at : at + _PIECE], edited)


def _common(a: bytes, b: bytes) -> int:
    """How many bytes at the beginning are the same."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(a: bytes, b: bytes, most: int) -> int:
    """How many bytes at the end are the same, ``most`` at most."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _point(text: bytes, offset: int) -> Point:
    line = text.rfind(b"\n", 0, offset) + 1
    return Point(text.count(b"\n", 0, offset), offset - line)
