"""One header, read once: its directives and the conditions they stand under."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from datasheet_lsp.firmware.headers.facts import Macro
from datasheet_lsp.firmware.headers.split import Piece, pieces
from datasheet_lsp.firmware.source import plain

_COMMENT_OR_STRING = re.compile(
    rb"/\*.*?(?:\*/|\Z)|//(?:\\\n|[^\n])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S
)
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:define[ \t]+([A-Za-z_]\w*)"
    rb"|(undef|include|include_next|import|if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b)"
    rb"((?:\\\n|[^\n])*)",
    re.M,
)
_PARAMETERS = re.compile(rb"\(([^()]*)\)")
_INCLUDED = re.compile(rb"[ \t]*([<\"])([^>\"\n]+)[>\"]|[ \t]*([A-Za-z_]\w*)")
_SPACES = re.compile(rb"\\\n|\s+")
_LINE = re.compile(rb"^[ \t]*#(?:\\\n|[^\n])*", re.M)
_MAX_CONDITIONS = 60_000


class Condition(msgspec.Struct, frozen=True, gc=False):
    """A branch of an ``#if``: inside ``parent``, with ``held`` true and those before it false.

    ``held`` is None for ``#else``. ``number`` counts the conditions of the file from 1; 0 is none.
    ``before`` is the branch before it, 0 for the first.
    """

    number: int
    parent: int
    before: int
    held: str | None


class Include(msgspec.Struct, frozen=True, gc=False):
    """An ``#include``. ``at`` is its offset, ``macro`` whether ``name`` is a macro to expand."""

    name: str
    quoted: bool
    condition: int
    at: int
    macro: bool = False


def without_comments(data: bytes) -> bytes:
    """``data`` with a space for each comment, its line ends kept."""

    def blank(found: re.Match[bytes]) -> bytes:
        text = found[0]
        if text[0] != 0x2F:
            return text
        return b" " + b"\n" * text.count(b"\n")

    return _COMMENT_OR_STRING.sub(blank, data)


class FileFacts:
    """What one file says. ``text`` is without comments and ends its lines with LF."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.text = without_comments(plain(data).replace(b"\r\n", b"\n"))
        self.conditions: list[Condition] = []
        self.includes: list[Include] = []
        self.names: dict[str, int | list[int]] = {}
        """For each macro the numbers of its definitions in order."""
        self.undefined: dict[str, list[tuple[int, int]]] = {}
        self._starts = array("I")
        self._conditions = array("H")
        self.directives = array("I")
        """Start, end and the condition after it, of each conditional directive."""
        self._instances: dict[str, tuple[str, ...]] = {}
        self._read()

    def _read(self) -> None:
        text, names, starts, conditions = self.text, self.names, self._starts, self._conditions
        stack: list[int] = []
        now = 0
        guard: str | None = None
        first = True
        for found in _DIRECTIVE.finditer(text):
            name = found[1]
            if name is not None:
                word = name.decode("ascii", "replace")
                if guard is not None and word == guard:
                    # The guard against including twice is no condition.
                    self.conditions[0] = Condition(1, 0, 0, "1")
                guard = None
                number = len(starts)
                starts.append(found.start(3))
                conditions.append(now)
                known = names.get(word)
                if known is None:
                    names[word] = number
                elif isinstance(known, int):
                    names[word] = [known, number]
                else:
                    known.append(number)
                first = False
                continue
            kind, rest = found[2], found[3]
            guard = None
            if kind in (b"include", b"include_next", b"import"):
                self._include(rest, now, found.start())
            elif kind == b"undef":
                self.undefined.setdefault(_text(rest), []).append((found.start(), now))
            else:
                if kind in (b"if", b"ifdef", b"ifndef"):
                    stack.append(now)
                    held = _held(kind, rest)
                    now = self._condition(now, 0, held)
                    if first and now == 1:
                        guard = held.partition("defined ")[2] if held.startswith("!") else None
                elif not stack:
                    continue
                elif kind == b"endif":
                    now = stack.pop()
                else:
                    held_ = None if kind == b"else" else _held(kind[2:], rest)
                    now = self._condition(stack[-1], now, held_)
                self.directives.extend((found.start(), found.end(), now))
            first = False

    def _condition(self, parent: int, before: int, held: str | None) -> int:
        if len(self.conditions) >= _MAX_CONDITIONS:
            return parent
        number = len(self.conditions) + 1
        self.conditions.append(Condition(number, parent, before, held))
        return number

    def _include(self, rest: bytes, condition: int, at: int) -> None:
        found = _INCLUDED.match(rest)
        if found is None:
            return
        macro = found[3] is not None
        name = (found[3] or found[2]).decode("utf-8", "replace").strip()
        self.includes.append(Include(name, found[1] == b'"', condition, at, macro))

    def defined(self, name: str) -> tuple[int, ...]:
        """The numbers of the definitions of macro ``name``, in order."""
        known = self.names.get(name)
        if known is None:
            return ()
        return (known,) if isinstance(known, int) else tuple(known)

    def condition_of(self, number: int) -> int:
        """The condition a definition stands under, 0 for none."""
        return self._conditions[number]

    def start_of(self, number: int) -> int:
        """The offset of a definition."""
        return self._starts[number]

    def failed(self, condition: Condition) -> list[str]:
        """What the branches before ``condition`` ask for, the first of them first."""
        found: list[str] = []
        while condition.before:
            condition = self.conditions[condition.before - 1]
            found.append(condition.held or "1")
        return found[::-1]

    def inside(self, condition: int, outer: int) -> bool:
        """Whether ``condition`` is ``outer`` or within it."""
        while condition:
            if condition == outer:
                return True
            condition = self.conditions[condition - 1].parent
        return False

    def macro(self, name: str, number: int) -> Macro:
        """A definition."""
        start = self._starts[number]
        text = self.text
        end = start
        while True:
            stop = text.find(b"\n", end)
            if stop < 0:
                end = len(text)
                break
            if text[stop - 1 : stop] != b"\\":
                end = stop
                break
            end = stop + 1
        parameters: tuple[str, ...] | None = None
        if text[start : start + 1] == b"(":
            found = _PARAMETERS.match(text, start, end)
            if found is not None:
                parts = _SPACES.sub(b"", found[1]).split(b",")
                parameters = tuple(p.decode("ascii", "replace") for p in parts if p)
                start = found.end()
        body = _SPACES.sub(b" ", text[start:end]).strip().decode("ascii", "replace")
        return Macro(name, parameters, body, self.path, text.count(b"\n", 0, start) + 1)

    @cached_property
    def declared(self) -> dict[str, list[Piece]]:
        """What is declared outside functions, by name; found on first use."""
        table: dict[str, list[Piece]] = {}
        for piece in pieces(self.text, self.directives):
            for name in piece.names:
                table.setdefault(name, []).append(piece)
        return table

    @cached_property
    def signature(self) -> int:
        """Equal for texts in which macros, types and variables mean the same."""
        kept = _LINE.findall(self.text)
        seen: set[int] = set()
        for pieces_ in self.declared.values():
            for piece in pieces_:
                if piece.kind != "function" and piece.start not in seen:
                    seen.add(piece.start)
                    kept.append(self.text[piece.start : piece.end])
        return hash(b"\n".join(kept))

    def declaring(self, name: str) -> Sequence[Piece]:
        """The declarations of ``name``. The file is gone through only where it has the word."""
        if "declared" in self.__dict__ or name.encode("ascii", "replace") in self.text:
            return self.declared.get(name, ())
        return ()

    def instances(self, word: str) -> tuple[str, ...]:
        """The object macros with ``word *`` in their body, and the extern variables of the type."""
        known = self._instances.get(word)
        if known is None:
            known = ()
            if word.encode("ascii", "replace") in self.text:
                known = (*self._macros_with(word), *self._variables_of(word))
            self._instances[word] = known
        return known

    def _macros_with(self, word: str) -> Iterator[str]:
        pattern = re.compile(
            rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+[^\n]*\b"
            + re.escape(word.encode())
            + rb"\b[ \t]*(?:const|volatile|[ \t])*\*",
            re.M,
        )
        for found in pattern.finditer(self.text):
            yield found[1].decode("ascii", "replace")

    def _variables_of(self, word: str) -> Iterator[str]:
        pattern = re.compile(
            rb"\bextern\s+(?:[A-Za-z_]\w*\s+){0,8}?"
            + re.escape(word.encode())
            + rb"\s+([A-Za-z_]\w*)\s*;"
        )
        for found in pattern.finditer(self.text):
            yield found[1].decode("ascii", "replace")


def _held(kind: bytes, rest: bytes) -> str:
    text = _text(rest)
    if kind == b"if":
        return text
    word = text.split()[0] if text else "0"
    return f"defined {word}" if kind == b"ifdef" or kind == b"def" else f"!defined {word}"


def _text(rest: bytes) -> str:
    return _SPACES.sub(b" ", rest).strip().decode("ascii", "replace")
