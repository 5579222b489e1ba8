"""The words that some documents use, and the abbreviations that they spell out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from rapidfuzz import fuzz, process

_WORD = re.compile(r"[^\W\d_]{3,}")
_SPELT = re.compile(
    r"((?:[A-Za-z][a-z]+[ \-/]){1,6}?)\(([A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*)s?\)"
)
_LEAST = 2
_SIMILAR = 80
_LONGEST_ABBREVIATION = 8


class Lexicon:
    """Words with their counts, and abbreviations both ways, of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.words: Counter[str] = Counter()
        self.long: dict[str, Counter[str]] = {}
        for text in texts:
            # Words all in capitals are names, and no spelling of an ordinary word.
            self.words.update(w.lower() for w in _WORD.findall(text) if not w[1:].isupper())
            for words, short in _SPELT.findall(text):
                meaning = spelt_out(words, short)
                if meaning:
                    self.long.setdefault(short.lower(), Counter())[meaning] += 1
        self.short: dict[str, list[str]] = {}
        for short, meanings in self.long.items():
            for meaning in meanings:
                self.short.setdefault(meaning, []).append(short)
        self._common = [word for word, number in self.words.items() if number >= _LEAST]

    def meaning(self, short: str) -> str:
        """What an abbreviation most often stands for, "" where that is nowhere said."""
        found = self.long.get(short.lower())
        return found.most_common(1)[0][0] if found else ""

    def abbreviations_in(self, text: str) -> list[str]:
        """The abbreviations of what is said in full in ``text``."""
        words = " ".join(re.findall(r"\w+", text.lower()))
        padded = f" {words} "
        return [
            short
            for meaning, shorts in self.short.items()
            if f" {meaning} " in padded
            for short in shorts
        ]

    def correct(self, word: str, names: Iterable[str] = ()) -> tuple[str, ...]:
        """What ``word``, which stands nowhere, may have been meant for: one or two words.

        Two where it is two known words written as one ("baudrate").
        """
        small = word.lower()
        if len(small) < 4:
            return ()
        for cut in range(3, len(small) - 2):
            left, right = small[:cut], small[cut:]
            if self.words[left] >= _LEAST and self.words[right] >= _LEAST:
                return (left, right)
        letters = sorted(small)
        known = [*self._common, *(name for name in names if name.isalpha())]
        found = process.extract(
            small, known, scorer=fuzz.ratio, score_cutoff=_SIMILAR, limit=5, processor=None
        )
        best = max(
            found,
            # Letters change places most often, first ones are seldom wrong; else the frequent one.
            key=lambda each: (
                sorted(each[0]) == letters,
                each[1] + 4 * (each[0][0] == small[0]),
                self.words[each[0]],
            ),
            default=None,
        )
        return (best[0],) if best is not None else ()


def spelt_out(words: str, short: str) -> str:
    """The last of ``words`` that give the letters of ``short``, "" where they do not.

    Each letter begins a word or stands within one whose first letter is taken: "analog to digital
    converter" for ADC, "watchdog timer" for WDT.
    """
    letters = "".join(c for c in short.lower() if c.isalpha())
    if not 2 <= len(letters) <= _LONGEST_ABBREVIATION:
        return ""
    parts = re.findall(r"[a-z]+", words.lower())
    for first in range(len(parts) - 1, -1, -1):
        tail = parts[first:]
        if tail[0][0] == letters[0] and _fits(letters, tail):
            return " ".join(tail) if len(tail) > 1 else ""
    return ""


def _fits(letters: str, parts: list[str]) -> bool:
    at = 0
    for number, part in enumerate(parts):
        if at < len(letters) and part[0] == letters[at]:
            at += 1
            inside = 1
            after = parts[number + 1] if number + 1 < len(parts) else ""
            while at < len(letters) and not (after and after[0] == letters[at]):
                found = part.find(letters[at], inside)
                if found < 0:
                    break
                inside = found + 1
                at += 1
    return at == len(letters)
