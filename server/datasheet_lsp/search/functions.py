"""What a question is after: the functions of a microcontroller, as people ask for them.

The list in the folder ``functions`` has for each how it is asked for and what documents call it.
A question is compared with the wordings by the words in common, and by meaning where there is a
model; what the documents call the nearest functions is then searched for too.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec

from datasheet_lsp.index.stems import stemmer
from datasheet_lsp.search.synonyms import is_stop

Alike = Callable[[str], Mapping[str, float]]
"""Question -> wordings with their likeness to it by meaning, at most 1."""

_UMLAUT = re.compile(r"([aou])e")
"""fuettern is füttern, whose dots the stems have lost."""
FILES = ("system", "interfaces", "analog")
WORDS = 0.5
"""What the words in common count beside the meaning."""


class Function(msgspec.Struct, frozen=True):
    """Something a microcontroller does: how it is asked for, and what documents call it."""

    name: str
    asks: tuple[str, ...]
    said: tuple[str, ...]

    @property
    def wordings(self) -> tuple[str, ...]:
        """Its name and how it is asked for."""
        return (self.name, *self.asks)


def read_functions(texts: Iterable[str]) -> tuple[Function, ...]:
    """The functions of texts in the form of the files. Raises TOMLDecodeError, ValidationError."""
    return tuple(
        msgspec.convert({"name": name, **each}, Function)
        for text in texts
        for name, each in tomllib.loads(text).items()
    )


@lru_cache(maxsize=1)
def functions() -> Functions:
    """The functions of the list."""
    folder = files("datasheet_lsp.search").joinpath("functions")
    return Functions(
        read_functions(
            folder.joinpath(f"{name}.toml").read_text(encoding="utf-8") for name in FILES
        )
    )


class Functions:
    """Functions that can be looked up by a question."""

    def __init__(self, known: Sequence[Function]) -> None:
        self.known = tuple(known)
        self._owner: dict[str, list[int]] = defaultdict(list)
        self._lines: list[tuple[int, float]] = []
        self._holders: dict[str, list[int]] = defaultdict(list)
        self._stems = stemmer()
        stems = [[self._words(line) for line in each.wordings] for each in known]
        self._count = Counter(word for own in stems for word in frozenset().union(*own))
        for number, (each, own) in enumerate(zip(known, stems, strict=True)):
            for line, words in zip(each.wordings, own, strict=True):
                self._owner[line].append(number)
                for word in words:
                    self._holders[word].append(len(self._lines))
                self._lines.append((number, self._length(words)))

    @property
    def wordings(self) -> tuple[str, ...]:
        """All wordings, each once."""
        return tuple(self._owner)

    def by_words(self, text: str) -> dict[int, float]:
        """Functions by their numbers, with the cosine of their nearest wording's words."""
        words = self._words(text)
        length = self._length(words)
        met: dict[int, float] = defaultdict(float)
        for word in words:
            for line in self._holders.get(word, ()):
                met[line] += self._weight(word) ** 2
        found: dict[int, float] = {}
        for line, product in met.items():
            number, own = self._lines[line]
            found[number] = max(found.get(number, 0.0), product / (own * length))
        return found

    def meant(
        self, text: str, alike: Mapping[str, float] | None, most: int
    ) -> list[tuple[Function, float]]:
        """The ``most`` functions nearest to ``text``, with how near they are, the nearest first.

        ``alike`` are wordings with their likeness by meaning, None where there is no model.
        """
        words = self.by_words(text)
        if not alike:
            near = words
        else:
            meaning: dict[int, float] = {}
            for line, likeness in alike.items():
                for number in self._owner.get(line, ()):
                    meaning[number] = max(meaning.get(number, 0.0), likeness)
            near = {
                number: (likeness + WORDS * words.get(number, 0.0)) / (1 + WORDS)
                for number, likeness in meaning.items()
            }
        best = sorted(near.items(), key=lambda each: (-each[1], each[0]))[:most]
        return [(self.known[number], score) for number, score in best]

    def _words(self, text: str) -> frozenset[str]:
        words = (word for word in self._stems(text) if not is_stop(word))
        return frozenset(_UMLAUT.sub(r"\1", word) for word in words)

    def _weight(self, word: str) -> float:
        return math.log((len(self.known) + 1) / (self._count.get(word, 0) + 0.5))

    def _length(self, words: Iterable[str]) -> float:
        return math.sqrt(sum(self._weight(word) ** 2 for word in words)) or 1.0
