r"""Columns of the protocol to byte columns and back.

The protocol counts a column in units of the negotiated encoding, the source text is kept in bytes
of UTF-8. Lines are those of ``firmware.Source``: they end at ``\r\n``, ``\n`` or ``\r`` and at
nothing else. A column beyond the line means its end, a line beyond the text means the end of the
text, and a column within a character means its start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datasheet_lsp.firmware import Source

Encoding = Literal["utf-8", "utf-16", "utf-32"]

PREFERRED: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
"""What is chosen of what a client offers: bytes first, as the text is kept in bytes."""


def choose(offered: list[str] | None) -> Encoding:
    """The encoding to use with a client that offers ``offered``; UTF-16 where it offers none."""
    return next((encoding for encoding in PREFERRED if encoding in (offered or ())), "utf-16")


def _width(lead: int) -> int:
    """Bytes of the character that begins with the byte ``lead``."""
    if lead < 0xC0:
        return 1
    if lead < 0xE0:
        return 2
    return 3 if lead < 0xF0 else 4


def to_byte_column(line: bytes, units: int, encoding: Encoding) -> int:
    """The byte column in ``line`` (without its line end) of the column ``units``."""
    units = max(0, units)
    if encoding == "utf-8" or line.isascii():
        column = min(units, len(line))
        while 0 < column < len(line) and line[column] & 0xC0 == 0x80:
            column -= 1
        return column
    column = 0
    while column < len(line):
        width = _width(line[column])
        units -= 2 if width == 4 and encoding == "utf-16" else 1
        if units < 0:
            break
        column = min(column + width, len(line))
    return column


def to_units(line: bytes, column: int, encoding: Encoding) -> int:
    """The column of the protocol for the byte ``column`` of ``line``."""
    column = min(max(0, column), len(line))
    if encoding == "utf-8" or line.isascii():
        return column
    head = line[:column]
    characters = sum(1 for byte in head if byte & 0xC0 != 0x80)
    if encoding == "utf-32":
        return characters
    return characters + sum(1 for byte in head if byte >= 0xF0)


def offset_at(source: Source, line: int, units: int, encoding: Encoding) -> int:
    """The byte offset in ``source`` of the protocol's 0-based ``line`` and column ``units``."""
    if line < 0:
        return 0
    if line >= source.line_count:
        return len(source.data)
    text = source.line(line)
    return source.offset(line, to_byte_column(text, units, encoding))


def position_at(source: Source, offset: int, encoding: Encoding) -> tuple[int, int]:
    """The protocol's 0-based line and column of the byte ``offset`` in ``source``."""
    line, column = source.position(min(max(0, offset), len(source.data)))
    return line, to_units(source.line(line), column, encoding)
