"""What stands above every chunk: the document and the section it is from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from datasheet_lsp.documents.chunking.pieces import Count

SEPARATOR = " > "
_LEFT_OUT = "..."


def document_name(title: str, revision: str, source: str) -> str:
    """Title and revision in one line, the file's name where there is no title."""
    name = " ".join(title.split()) or PurePath(source).name
    revision = " ".join(revision.split())
    return f"{name} {revision}" if revision and revision not in name else name


def make_stamp(name: str, path: Sequence[str], count: Count, most: int) -> str:
    """``[Document: NAME]`` and ``Section: A > B > C`` in at most ``most`` tokens, if it can be.

    Too long a path loses titles from the middle, then too long a name or title its end.
    """
    stamp = _stamp(name, path)
    if count(stamp) <= most:
        return stamp
    titles = list(path)
    while len(titles) > 2:
        del titles[1 if titles[1] != _LEFT_OUT else 2]
        if titles[1:2] != [_LEFT_OUT] and len(titles) > 1:
            titles.insert(1, _LEFT_OUT)
        stamp = _stamp(name, titles)
        if count(stamp) <= most or len(titles) == 3:
            break
    if count(stamp) <= most:
        return stamp
    each = max(8, most // 4)
    return _stamp(_cut(name, each, count), [_cut(title, each, count) for title in titles])


def _stamp(name: str, path: Sequence[str]) -> str:
    first = f"[Document: {name}]"
    return f"{first}\nSection: {SEPARATOR.join(path)}" if path else first


def _cut(text: str, most: int, count: Count) -> str:
    words = text.split()
    while len(words) > 1 and count(" ".join(words)) > most:
        words.pop()
    short = " ".join(words)
    while len(short) > 8 and count(short) > most:
        short = short[: len(short) // 2]
    return short
