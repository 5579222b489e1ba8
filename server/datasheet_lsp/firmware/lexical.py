"""What has to be known of C text before it can be parsed: comments, strings, macro definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

_STRING = rb'"(?:\\.|[^"\\\n])*"' + rb"|'(?:\\.|[^'\\\n])*'"
_COMMENT = rb"/\*.*?(?:\*/|\Z)|//(?:\\\r?\n|[^\n])*"
_DEFINE = (
    rb"^[ \t\f\v]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^()\n]*\))?"
    rb"(?P<body>(?:\\\r?\n|" + _COMMENT + rb"|" + _STRING + rb"|[^\n\\/\"']++|[\\/\"'])*+)"
)
_TOKEN = re.compile(rb"(?P<other>" + _COMMENT + rb"|" + _STRING + rb")|" + _DEFINE, re.S | re.M)
_PIECE = re.compile(rb"(?P<comment>" + _COMMENT + rb")|" + _STRING, re.S)


class Definition(msgspec.Struct, frozen=True, gc=False):
    """A ``#define``. Offsets are bytes of the file; ``parameters`` is None for an object macro."""

    name: str
    parameters: tuple[str, ...] | None
    name_start: int
    body_start: int
    body_end: int


def definitions(data: bytes) -> Iterator[Definition]:
    """The macro definitions of C text in order, those in comments and strings left out.

    ``data`` has its lines ended by LF or CR LF.
    """
    for found in _TOKEN.finditer(data):
        if found["name"] is None:
            continue
        parameters = found["parameters"]
        yield Definition(
            name=found["name"].decode("ascii", "replace"),
            parameters=None
            if parameters is None
            else tuple(p.strip().decode("ascii", "replace") for p in parameters[1:-1].split(b",")),
            name_start=found.start("name"),
            body_start=found.start("body"),
            body_end=found.end("body"),
        )


def blank_comments(data: bytes) -> bytes:
    """``data`` with spaces for all comments and for what is in strings; places stay the same."""
    return _PIECE.sub(lambda found: b" " * len(found[0]), data)


def blank_comments_in_definitions(data: bytes) -> bytes:
    """``data`` with spaces for the comments inside macro definitions; places stay the same.

    tree-sitter-c ends the body of a macro at a comment and takes the rest for broken code.
    """

    def define(found: re.Match[bytes]) -> bytes:
        if found["name"] is None or b"/*" not in found["body"]:
            return found[0]
        cut = found.start("body") - found.start()
        return found[0][:cut] + _PIECE.sub(piece, found["body"])

    def piece(found: re.Match[bytes]) -> bytes:
        if found["comment"] is None or found["comment"].startswith(b"//"):
            return found[0]
        return b" " * len(found[0])

    return _TOKEN.sub(define, data)
