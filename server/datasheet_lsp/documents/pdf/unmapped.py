"""Text whose font does not say which signs its glyphs are: what can be told is told.

Such text comes as glyph numbers. TrueType fonts of the classic families number their glyphs in one
order (Apple's TrueType Reference, 'post' table format 1: 0 to 2 have no sign, then ASCII, then the
upper half of Mac Roman), also in the subsets that PDF writers make. The picture texts of many
manuals are of this kind.
"""

from __future__ import annotations

from datasheet_lsp.documents.pdf.text import SYMBOL_SIGNS, WINGDINGS_SIGNS

UNKNOWN = "\ufffd"
_MAC: dict[int, str] = {
    code - 29 if code < 0x7F else code - 30: bytes([code]).decode("mac_roman")
    for code in (*range(0x20, 0x7F), *range(0x80, 0xF0))
    if code != 0xCA
} | {3: " ", 172: " "}
# SymbolMT: its codes in order, without gaps, from glyph 3 on.
_SYMBOL: dict[int, str] = {
    3 + i: SYMBOL_SIGNS[code]
    for i, code in enumerate((*range(0x20, 0x7F), *range(0xA1, 0xF0), *range(0xF1, 0xFF)))
    if code in SYMBOL_SIGNS
}
# Wingdings-Regular: glyphs are in an order of their own; those that manuals use.
_WINGDINGS: dict[int, str] = {
    3: " ",
    0x39: WINGDINGS_SIGNS[0xFC],
    0x7A: WINGDINGS_SIGNS[0x6C],
    0x83: WINGDINGS_SIGNS[0xA7],
    0x84: WINGDINGS_SIGNS[0x6E],
    0xBE: WINGDINGS_SIGNS[0xD8],
    0xC6: WINGDINGS_SIGNS[0xE0],
}
# Families that number their glyphs otherwise.
_OTHER_ORDER = ("calibri", "cambria", "candara", "consol", "constantia", "corbel", "segoe")


def decode(numbers: str, font: str, kind: str, program: str) -> str:
    """The signs of text that came as numbers, U+FFFD for each that cannot be told.

    Args:
        numbers: One character a glyph; its code point is the glyph's number, or the code in the
            text where the font is a simple one.
        font: The font's name without a subset prefix.
        kind: The PDF's font type ("Type0", "TrueType", ...).
        program: The type of the font program ("ttf", "cff", ...).
    """
    low = font.lower()
    table: dict[int, str] = {}
    if kind == "Type0":
        if low.startswith("symbol"):
            table = _SYMBOL
        elif low == "wingdings" or low.startswith("wingdings-"):
            table = _WINGDINGS
        elif program == "ttf" and not low.startswith(_OTHER_ORDER):
            table = _MAC if all(ord(n) in _MAC for n in numbers) else {}
    elif low.startswith("symbol"):
        table = SYMBOL_SIGNS
    elif low == "wingdings" or low.startswith("wingdings-"):
        table = WINGDINGS_SIGNS
    return "".join([table.get(ord(n), UNKNOWN) for n in numbers])
