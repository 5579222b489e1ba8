"""The numbers of Word's numbered paragraphs, which are counted and not written in the file."""

from __future__ import annotations

import re

from lxml import etree

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PART = re.compile(r"%([1-9])")
_LEVELS = 9
_MOST = 5000


class _Level:
    __slots__ = ("format", "start", "text")

    def __init__(self, element: etree._Element) -> None:
        self.start = _int(_value(element, "start"), 1)
        self.format = _value(element, "numFmt") or "decimal"
        self.text = _value(element, "lvlText") or ""


class Numbering:
    """Counts through a document in order; lists of one definition count together."""

    def __init__(self, tree: etree._Element | None) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._list_of: dict[str, str] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._starts: dict[str, dict[int, int]] = {}
        if tree is None:
            return
        for abstract in tree.iterfind(f"{_W}abstractNum"):
            self._levels[abstract.get(f"{_W}abstractNumId") or ""] = {
                _int(level.get(f"{_W}ilvl"), 0): _Level(level)
                for level in abstract.iterfind(f"{_W}lvl")
            }
        for number in tree.iterfind(f"{_W}num"):
            identity = number.get(f"{_W}numId") or ""
            self._list_of[identity] = _value(number, "abstractNumId") or ""
            self._starts[identity] = {
                _int(o.get(f"{_W}ilvl"), 0): _int(_value(o, "startOverride"), 1)
                for o in number.iterfind(f"{_W}lvlOverride")
                if o.find(f"{_W}startOverride") is not None
            }

    def next(self, identity: str, depth: int) -> str:
        """The number of the next paragraph of list ``identity`` at ``depth``, 0 the outermost.

        It is "" for bullets and for lists that the file does not define.
        """
        abstract = self._list_of.get(identity, "")
        levels = self._levels.get(abstract)
        if levels is None or depth not in levels:
            return ""
        counts = self._counts.setdefault(abstract, [None] * _LEVELS)
        override = self._starts.get(identity, {}).pop(depth, None)
        before = counts[depth]
        if override is not None:
            counts[depth] = override
        else:
            counts[depth] = levels[depth].start if before is None else before + 1
        for inner in range(depth + 1, _LEVELS):
            counts[inner] = None
        level = levels[depth]
        if level.format in ("bullet", "none"):
            return ""

        def count(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            value = counts[at]
            if value is None:
                value = counts[at] = levels[at].start if at in levels else 1
            return _written(value, levels[at].format if at in levels else "decimal")

        return " ".join(_PART.sub(count, level.text).split())


def _written(value: int, format: str) -> str:
    if not 0 <= value <= _MOST:
        return str(value)
    if format in ("upperLetter", "lowerLetter") and value:
        letters = chr(ord("A") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letters if format == "upperLetter" else letters.lower()
    if format in ("upperRoman", "lowerRoman") and value:
        return _roman(value) if format == "upperRoman" else _roman(value).lower()
    return f"{value:02d}" if format == "decimalZero" else str(value)


def _roman(value: int) -> str:
    out = []
    for amount, letters in (
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ):  # fmt: skip
        out.append(letters * (value // amount))
        value %= amount
    return "".join(out)


def _value(parent: etree._Element, name: str) -> str | None:
    found = parent.find(f"{_W}{name}")
    return found.get(f"{_W}val") if found is not None else None


def _int(given: str | None, default: int) -> int:
    return int(given) if given is not None and given.isdecimal() and len(given) < 6 else default
