"""What names in one file are worth: its macros and enumerators, those of headers, the SVD's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from datasheet_lsp.firmware.fields import FieldName, field_names
from datasheet_lsp.firmware.idioms import IDIOMS
from datasheet_lsp.firmware.macros import macros_of
from datasheet_lsp.firmware.scope import scope_of
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.tokens import Body, Meaning, is_name, tokens
from datasheet_lsp.model import Lookup

if TYPE_CHECKING:
    from datasheet_lsp.firmware.headers import Headers

_WRITING = frozenset(("=", "|=", "&=", "^=", "+=", "-=", "<<=", ">>=", "++", "--"))
_MAX_DEPTH = 24
_WORDS = {"true": 1, "false": 0, "TRUE": 1, "FALSE": 0, "NULL": 0}


class Meanings:
    """The meaning of names in a file, each looked up once.

    ``headers`` has the macros of the file too, and knows which ``#if`` holds; without it the file
    is all that is looked at.
    """

    def __init__(
        self, source: Source, lookups: Sequence[Lookup], headers: Headers | None = None
    ) -> None:
        self._source = source
        self._lookups = lookups
        self._headers = headers
        self._known: dict[str, Meaning] = {}
        self._writes: dict[str, bool] = {}

    def __call__(self, name: str) -> Meaning:
        """What ``name`` stands for, None where nothing is known."""
        try:
            return self._known[name]
        except KeyError:
            meaning = self._known[name] = self._look_up(name)
            return meaning

    def _look_up(self, name: str) -> Meaning:
        meaning = self.defined(name)
        if meaning is None:
            meaning = IDIOMS.get(name)
        if meaning is None:
            meaning = _WORDS.get(name)
        if meaning is None and (field := self.field(name)) is not None:
            meaning = field.meaning
        return meaning

    def defined(self, name: str) -> Meaning:
        """What the code itself says of ``name``."""
        if self._headers is not None:
            macro = self._headers.macro(name)
            if macro is not None:
                return Body(macro.body, _parameters(macro.parameters))
            constant = self._headers.constant(name)
            if constant is not None:
                return constant
        plain = self._source.plain
        bodies = {
            (plain[one.body_start : one.body_end].decode("ascii").strip(), one.parameters)
            for one in macros_of(self._source).named(name)
        }
        if len(bodies) == 1:
            text, parameters = bodies.pop()
            return Body(text, _parameters(parameters))
        return self._enumerator(name) if not bodies else None

    def _enumerator(self, name: str) -> int | None:
        scope = scope_of(self._source)
        if name not in scope.enumerators:
            return None
        from datasheet_lsp.firmware.evaluate import constant

        start, further = scope.enumerators[name]
        if start is None:
            return further
        self._known[name] = None  # one that leads back to itself has no value
        value = constant(scope.view.text(start), self)
        return None if value is None else value + further

    def field(self, name: str) -> FieldName | None:
        """The field of a device that ``name`` means by the SVD's names."""
        for lookup in self._lookups:
            found = field_names(lookup).find(name)
            if found is not None:
                return found
        return None

    def without(self, hidden: Collection[str]) -> Callable[[str], Meaning]:
        """The same, names that the code declares left out (macros are no such names)."""
        if not hidden:
            return self

        def names(name: str) -> Meaning:
            if name in hidden and not isinstance(self.defined(name), Body):
                return None
            return self(name)

        return names

    def writes(self, name: str) -> bool:
        """Whether a macro, or one it is made of, assigns something."""
        return self._contains(name, 0)

    def _contains(self, name: str, depth: int) -> bool:
        known = self._writes.get(name)
        if known is None:
            self._writes[name] = False  # while it is looked for: a macro within itself
            meaning = self(name)
            known = False
            if isinstance(meaning, Body) and depth < _MAX_DEPTH:
                given = tokens(meaning.text)
                known = not _WRITING.isdisjoint(given) or any(
                    self._contains(token, depth + 1) for token in set(given) if is_name(token)
                )
            self._writes[name] = known
        return known


def _parameters(given: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """``()`` for ``#define F()``, which may be read as one parameter without a name."""
    return () if given == ("",) else given
