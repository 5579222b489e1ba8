"""The text of a word as it is meant: what fonts and PDF writers make of it is undone here.

Normalised is only what carries no meaning: ligatures, full-width forms, private-use glyphs of
symbol fonts, hyphens that are drawn as hyphens, characters without width. Units and signs stay
as they are printed (``²`` ``≤`` ``±``); of two code points for one sign the usual one is taken
(``µ`` U+00B5, ``Ω`` U+03A9).
"""

from __future__ import annotations

import re
import unicodedata

# Adobe's Symbol encoding from 0x20 (Unicode's VENDORS/ADOBE/symbol.txt), as fonts of that name use
# it at U+F020 too; "\0" where it has no sign.
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?"
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}∼\0"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"
    "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭\0"
)
# The signs of Wingdings that stand in manuals: bullets, ticks, arrows.
WINGDINGS_SIGNS = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x70: "□",
    0x71: "❑",
    0x72: "❒",
    0x73: "⬧",
    0x74: "⧫",
    0x75: "◆",
    0x76: "❖",
    0x77: "⬥",
    0x9E: "·",
    0x9F: "•",
    0xA1: "○",
    0xA7: "▪",
    0xA8: "◻",
    0xB7: "•",
    0xD8: "➢",
    0xDF: "←",
    0xE0: "→",
    0xE1: "↑",
    0xE2: "↓",
    0xE8: "➔",
    0xF0: "⇨",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
}
SYMBOL_SIGNS = {0x20 + i: sign for i, sign in enumerate(_SYMBOL) if sign != "\0"}
# Ligatures of Calibri that many PDF writers leave as the numbers of their glyphs.
CALIBRI_LIGATURES = {0x14C: "ft", 0x19F: "ti", 0x1A9: "tt", 0x1AB: "tti"}
_PRIVATE_BULLET = "•"

# One sign, two code points, or a sign that is drawn as another.
_ALWAYS = {
    0x00AD: "-",  # a soft hyphen that is on the page is a hyphen
    0x2010: "-",
    0x2011: "-",
    0x2126: "Ω",
    0x212B: "Å",
    0x03BC: "µ",
    0x2103: "°C",
    0x2109: "°F",
    0x2206: "Δ",
    0x037E: ";",
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0x2061, 0xFEFF), ""),
    **dict.fromkeys(range(0xFE00, 0xFE10), ""),  # variation selectors
    **dict.fromkeys(range(0x202A, 0x202F), ""),
    **{c: unicodedata.normalize("NFKC", chr(c)) for c in range(0xFB00, 0xFB07)},
    **{c: chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
    **{c: unicodedata.normalize("NFKC", chr(c)) for c in range(0x2F00, 0x2FD6)},  # Kangxi
    **{c: unicodedata.normalize("NFKC", chr(c)) for c in range(0xFFE0, 0xFFE7)},
    **{c: "" for c in range(0x20) if c not in (0x09, 0x0A, 0x0D, 0x20)},
    0x7F: "",
}
_SYMBOL_PRIVATE = {0xF000 + code: sign for code, sign in SYMBOL_SIGNS.items()}
_WINGDINGS_PRIVATE = {
    c: WINGDINGS_SIGNS.get(c - 0xF000, _PRIVATE_BULLET) for c in range(0xF020, 0xF100)
}
# A TrueType font with a "symbol" cmap has its ASCII at U+F000.
_OTHER_PRIVATE = {c: chr(c - 0xF000) for c in range(0xF020, 0xF07F)} | {
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF0FC: "✓",
    0xF0E0: "→",
}
_SYMBOL_TABLE = _ALWAYS | _SYMBOL_PRIVATE
_WINGDINGS_TABLE = _ALWAYS | _WINGDINGS_PRIVATE | WINGDINGS_SIGNS
_CALIBRI_TABLE = _ALWAYS | CALIBRI_LIGATURES
_OTHER_TABLE = _ALWAYS | _OTHER_PRIVATE

_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x00-\x08\x0e-\x1f\x80-\x9f]")


def clean(text: str, font: str) -> str:
    """The word as it is meant; "" when nothing of it is to be seen.

    Args:
        text: A word from the PDF.
        font: The name of its font, which says what private-use code points stand for.
    """
    wingdings = "ingdings" in font
    if not wingdings and text.isascii() and text.isprintable():
        return text
    if wingdings:
        table = _WINGDINGS_TABLE
    elif "ymbol" in font:
        table = _SYMBOL_TABLE
    elif "alibri" in font:
        table = _CALIBRI_TABLE
    else:
        table = _OTHER_TABLE
    return unicodedata.normalize("NFC", text.translate(table)).strip()


def unreadable(text: str) -> int:
    """How many of the characters stand for no sign: unmapped, private-use or control."""
    return len(_UNREADABLE.findall(text))
