"""Text whose font does not say which signs its glyphs are: what can be told is told.

Such text comes as glyph numbers. TrueType fonts of the classic families number their glyphs in one
order (Apple's TrueType Reference, 'post' table format 1: 0 to 2 have no sign, then ASCII, then the
upper half of Mac Roman), also in the subsets that PDF writers make. The picture texts of many
manuals are of this kind.
"""

from __future__ import annotations

from datasheet_lsp.documents.pdf.text import CALIBRI_LIGATURES, SYMBOL_SIGNS, WINGDINGS_SIGNS

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
# Calibri: letters stand among their accented forms, digits and punctuation far behind.
_CALIBRI: dict[int, str] = {
    3: " ",
    **dict(
        zip(b"\x04\x11\x12\x18\x1c&',/:<>DEKWYZ^dhstyz|", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=True)
    ),
    **{
        ord(number): letter
        for number, letter in zip(
            "ĂďĐĚĞĨŐŚŝũŬůŵŶŽƉƋƌƐƚƵǀǁǆǇǌ", "abcdefghijklmnopqrstuvwxyz", strict=True
        )
    },
    **{0x3EC + digit: str(digit) for digit in range(10)},
    **CALIBRI_LIGATURES,
    0x355: ",",
    0x357: ":",
    0x358: ".",
    0x35B: "’",
    0x36C: "/",
    0x372: "-",
    0x37A: "_",
    0x37E: "(",
    0x37F: ")",
    0x380: "[",
    0x381: "]",
    0x43D: "+",
    0x441: "=",
}
# Families whose TrueType fonts number glyphs in the classic order, also when a PDF writer has made
# another kind of font of them.
_CLASSIC = ("arial", "timesnewroman", "couriernew", "verdana", "tahoma", "georgia", "ocraextended")
# Families that number them otherwise.
_OTHER_ORDER = ("calibri", "cambria", "candara", "consol", "constantia", "corbel", "segoe")


def decode(numbers: str, font: str, kind: str, program: str) -> list[str]:
    """The signs of text that came as numbers, U+FFFD for each that cannot be told.

    Args:
        numbers: One character a glyph; its code point is the glyph's number, or the code in the
            text where the font is a simple one.
        font: The font's name without a subset prefix.
        kind: The PDF's font type ("Type0", "TrueType", ...).
        program: The type of the font program ("ttf", "cid", "cff", ...).
    """
    table = _table(font.lower(), kind, program)
    if table is _MAC and any(ord(n) not in table for n in numbers):
        table = {}
    return [table.get(ord(n), UNKNOWN) for n in numbers]


def _table(font: str, kind: str, program: str) -> dict[int, str]:
    composite = kind == "Type0"
    if font.startswith("symbol"):
        return _SYMBOL if composite else SYMBOL_SIGNS
    if font == "wingdings" or font.startswith("wingdings-"):
        return _WINGDINGS if composite else WINGDINGS_SIGNS
    if not composite:
        return {}
    if font.startswith("calibri"):
        return _CALIBRI
    if font.startswith(_CLASSIC) or (program == "ttf" and not font.startswith(_OTHER_ORDER)):
        return _MAC
    return {}
