"""A mistake in the code, the kinds there are, and how they are silenced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

import datasheet_lsp
from datasheet_lsp.firmware import Source
from datasheet_lsp.model import Location

Severity = Literal["error", "warning", "information", "hint"]
_PAGE = "docs/diagnostics.md"


@cache
def _page() -> str:
    """The page on mistakes: beside the package, or in the folder it is developed in."""
    package = Path(datasheet_lsp.__file__).parent
    for folder in (package, package.parent.parent):
        if (folder / _PAGE).is_file():
            return (folder / _PAGE).as_uri()
    return ""


class Kind(msgspec.Struct, frozen=True):
    """A kind of mistake: ``title`` is a sentence without its stop, for lists of rules."""

    code: str
    severity: Severity
    title: str
    workspace: bool = False

    @property
    def page(self) -> str:
        """The address of its explanation, "" where the pages are not installed."""
        found = _page()
        return f"{found}#{self.code}" if found else ""


KINDS: dict[str, Kind] = {
    kind.code: kind
    for kind in (
        Kind("read-only-register", "warning", "A register that can only be read is written"),
        Kind("read-only-field", "warning", "A field that can only be read is written"),
        Kind("reserved-bits", "warning", "Bits outside every field are set"),
        Kind("value-too-wide", "warning", "A value does not fit into its field or register"),
        Kind("clears-other-flags", "warning", "Flags that writing 1 clears are changed with |="),
        Kind("read-side-effect", "information", "Reading for a message changes the register"),
        Kind("unknown-peripheral", "warning", "The device has no peripheral of this name"),
        Kind("unknown-register", "information", "The peripheral has no register of this name"),
        Kind("no-register", "warning", "No register is at this address"),
        Kind("unlisted-value", "information", "The value is none of those the SVD lists"),
        Kind("clock-not-enabled", "warning", "Nothing enables the clock of a peripheral", True),
        Kind("irq-not-enabled", "information", "An interrupt is on, but not in the NVIC", True),
    )
}


class Edit(msgspec.Struct, frozen=True):
    """A change of the text: the bytes ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


class Fix(msgspec.Struct, frozen=True):
    """A change that surely mends a mistake, or says the same better."""

    title: str
    edits: tuple[Edit, ...]


class Finding(msgspec.Struct, frozen=True):
    """A mistake at the bytes ``start`` to ``end``; ``location`` is what it is about."""

    code: str
    severity: Severity
    message: str
    start: int
    end: int
    location: Location | None = None
    fixes: tuple[Fix, ...] = ()

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return KINDS[self.code]


_SILENCE = re.compile(
    rb"datasheet\s*:\s*ignore(?P<file>-file)?(?:\s+(?P<codes>[a-z][\w-]*(?:[\s,]+[a-z][\w-]*)*))?"
)


class Silence:
    """The comments of a file that silence mistakes.

    ``// datasheet: ignore reserved-bits`` is for its line, or the next one where it stands alone;
    without a code for all of them; ``ignore-file`` for the file.
    """

    def __init__(self, source: Source) -> None:
        self._lines: dict[int, set[str]] = {}
        self._file: set[str] = set()
        data = source.data
        if b"datasheet" not in data:
            return
        for found in _SILENCE.finditer(data):
            if source.code[found.start() : found.end()].strip():
                continue  # not in a comment
            codes = {code for code in KINDS if code.encode() in (found["codes"] or b"").split()}
            words = set(re.split(rb"[\s,]+", found["codes"] or b""))
            codes = {code for code in KINDS if code.encode() in words}
            if not codes:
                codes = {"*"}
            if found["file"]:
                self._file |= codes
                continue
            line, _ = source.position(found.start())
            self._lines.setdefault(line, set()).update(codes)
            start = source.offset(line, 0)
            if not source.code[start : start + len(source.line(line))].strip():
                self._lines.setdefault(line + 1, set()).update(codes)

    def silences(self, code: str, first: int, last: int) -> bool:
        """Whether ``code`` is silenced on any of the lines, 0-based, both included."""
        if self._file & {code, "*"}:
            return True
        if not self._lines:
            return False
        return any(self._lines.get(line, set()) & {code, "*"} for line in range(first, last + 1))


def settled(
    found: Iterable[Finding], source: Source, severities: Mapping[str, str]
) -> list[Finding]:
    """``found`` without what is silenced or off, with the severities wished for, in order."""
    silence = Silence(source)
    conditional = Conditional(source)
    kept: list[Finding] = []
    seen: set[tuple[str, int, int]] = set()
    for one in found:
        severity: str = one.severity
        if severity == "warning" and conditional.has(one.start):
            severity = "information"  # code that this device's build may leave out
        wished = severities.get(one.code, severity)
        key = (one.code, one.start, one.end)
        if wished == "off" or key in seen:
            continue
        first = source.position(one.start)[0]
        last = source.position(max(one.start, one.end - 1))[0]
        if silence.silences(one.code, first, last):
            continue
        seen.add(key)
        kept.append(msgspec.structs.replace(one, severity=wished))
    kept.sort(key=lambda one: (one.start, one.end, one.code))
    return kept


_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b[ \t]*(\w*)", re.M)


class Conditional:
    """The parts of a file that ``#if`` and the like may leave out, but for the guard around all."""

    def __init__(self, source: Source) -> None:
        code = source.code
        self._parts: list[tuple[int, int]] = []
        waiting: list[tuple[int, bool]] = []
        first = True
        for found in _DIRECTIVE.finditer(code):
            if found[1] == b"endif":
                if waiting:
                    start, guard = waiting.pop()
                    if not guard:
                        self._parts.append((start, found.end()))
                continue
            define = rb"\s*#[ \t]*define[ \t]+" + re.escape(found[2]) + rb"\b"
            is_guard = first and found[1] == b"ifndef" and bool(found[2])
            is_guard = (
                is_guard and re.match(define, code[found.end() : found.end() + 500]) is not None
            )
            waiting.append((found.start(), is_guard))
            first = False
        self._parts += [(start, len(code)) for start, guard in waiting if not guard]

    def has(self, offset: int) -> bool:
        """Whether what stands there may be left out."""
        return any(start <= offset < end for start, end in self._parts)
