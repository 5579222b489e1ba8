"""A source file: its bytes, its lines as C and LSP see them, and its syntax tree."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, cached_property
from pathlib import PurePath
from typing import Literal

import tree_sitter_c
from tree_sitter import Language, Node, Parser, Tree

from datasheet_lsp.firmware.lexical import blank_comments, blank_comments_in_definitions

Tongue = Literal["c", "cpp", "rust", "asm"]
"""The language a file is written in."""

_ENDINGS: dict[str, Tongue] = {
    ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp", ".hxx": "cpp",
    ".ipp": "cpp", ".ino": "cpp", ".tpp": "cpp", ".rs": "rust", ".s": "asm", ".asm": "asm",
    ".sx": "asm",
}  # fmt: skip
_CPLUSPLUS = re.compile(rb"^[ \t]*(?:class\s+\w+|namespace\b|template\s*<|using\s+\w+\s*=)", re.M)


def tongue_of(name: str | PurePath, data: bytes = b"") -> Tongue:
    """The language of a file by its name; a ``.h`` may be C++ by what is in it."""
    ending = PurePath(name).suffix.lower()
    if ending == ".h" and _CPLUSPLUS.search(data) is not None:
        return "cpp"
    return _ENDINGS.get(ending, "c")


@cache
def grammar(tongue: Tongue) -> Language:
    """The grammar of a language; assembly is read without one, as C."""
    if tongue == "cpp":
        import tree_sitter_cpp

        return Language(tree_sitter_cpp.language())
    if tongue == "rust":
        import tree_sitter_rust

        return Language(tree_sitter_rust.language())
    return Language(tree_sitter_c.language())


_LINE_END = re.compile(rb"\r\n|\n|\r")
_LONE_RETURN = re.compile(rb"\r(?!\n)")
# The parser reads UTF-8 and knows no other blanks than those of ASCII. The bytes it is given keep
# their places: letters of any encoding become a letter, blanks (the byte order mark, NO-BREAK
# SPACE, LINE SEPARATOR, IDEOGRAPHIC SPACE and their like) become a space.
_BLANK = re.compile(rb"\xef\xbb\xbf|\xc2\xa0|\xc2\x85|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe3\x80\x80")
_PLAIN = bytes(
    0x20 if byte in (0x00, 0x0B, 0x0C, 0x1A) else 0x78 if byte >= 0x80 else byte
    for byte in range(256)
)


def plain(data: bytes) -> bytes:
    """``data`` as the parser can read it: same length, every byte of ASCII where it was."""
    if not data.isascii():
        data = _BLANK.sub(lambda found: b" " * len(found[0]), data)
    data = data.translate(_PLAIN)
    if b"\r" in data:
        # A comment or a directive ends for the parser at a line feed only.
        data = _LONE_RETURN.sub(b"\n", data)
    return data


_LARGE = 1 << 16
_PIECE = 1 << 14


def parse(data: bytes, tongue: Tongue = "c") -> Tree:
    """The syntax tree of text that went through :func:`plain`. Never raises."""
    if len(data) < _LARGE:
        return Parser(grammar(tongue)).parse(data)
    # Asked for piece by piece: in between other threads get their turn.
    return Parser(grammar(tongue)).parse(lambda at, _: data[at : at + _PIECE])


class Source:
    """A file of C, or of the language ``tongue``. Offsets and columns are in bytes, lines 0-based.

    Lines end with CR LF, LF or CR, with nothing else: form feed and LINE SEPARATOR do occur in C
    files and end no line there.
    """

    def __init__(self, data: bytes, tongue: Tongue = "c", before: Source | None = None) -> None:
        """``before`` is the text before a change: a large one is not parsed anew as a whole."""
        self.data = data
        self.tongue: Tongue = tongue
        while before is not None and "tree" not in before.__dict__:
            before = before._before
        usable = before is not None and before.tongue == tongue and len(data) >= _LARGE
        self._before: Source | None = before if usable else None

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.data))]

    @cached_property
    def plain(self) -> bytes:
        """The text as it is parsed: every byte at its place, nothing but ASCII."""
        return plain(self.data)

    @cached_property
    def code(self) -> bytes:
        """``plain`` with spaces for comments and strings."""
        return blank_comments(self.plain)

    @cached_property
    def tree(self) -> Tree:
        """The syntax tree, made on first use and kept."""
        before, self._before = self._before, None
        if before is not None:
            from datasheet_lsp.firmware.incremental import reparse

            return reparse(before.parsed, before.tree, self.parsed, grammar(self.tongue))
        return parse(self.parsed, self.tongue)

    @cached_property
    def parsed(self) -> bytes:
        """The text that the tree is made of."""
        return self.plain if self.tongue == "rust" else blank_comments_in_definitions(self.plain)

    @property
    def root(self) -> Node:
        """The root of the syntax tree. Its byte offsets are those of ``data``."""
        return self.tree.root_node

    @property
    def line_count(self) -> int:
        """Number of lines, the one after the last line end included."""
        return len(self._starts)

    def line(self, line: int) -> bytes:
        """The bytes of a line without its line end; b"" past the end of the file."""
        if not 0 <= line < len(self._starts):
            return b""
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.data)
        return self.data[start:end].rstrip(b"\r\n")

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a position, moved into its line and into the file when outside."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.data)
        return self._starts[line] + min(max(column, 0), len(self.line(line)))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and byte column of an offset, moved into the file when outside."""
        offset = min(max(offset, 0), len(self.data))
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]
