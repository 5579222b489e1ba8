"""CMake and make: defines, variables and file names that tell of the device."""

from __future__ import annotations

import re
from collections.abc import Iterator

from datasheet_lsp.workspace.evidence.file import ProjectFile, Rank
from datasheet_lsp.workspace.types import Evidence

MAX_LINES = 20_000
MAX_LINE = 20_000
"""Longer lines, in characters, are cut: no person wrote them."""
MAX_DEVICES = 4
"""A build file that names more devices lists them and chooses none."""

_DEFINE = re.compile(r"(?:^|[=\s\"'(;])[-/]D\s*(\w+(?:=[\w\"'\\.-]+)?)")
_CORE = re.compile(r"-mcpu=cortex-(m\d+(?:plus)?)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_]\w{3,60}")
_MAKE_VARIABLE = re.compile(r"^\s*(?:export\s+|override\s+)?([\w.-]+)\s*[:?+!]*=\s*(.*)$")
_BLOCK = re.compile(r"#\[(=*)\[")
_CMAKE_COMMAND = re.compile(r"\b(\w+)\s*\(")
_DEFINITIONS = ("add_compile_definitions", "target_compile_definitions", "add_definitions")


def read_make(file: ProjectFile) -> Iterator[Evidence]:
    """A makefile: ``-DSTM32F407xx``, ``MCU = ...``, names of startup files and linker scripts."""
    found: list[Evidence] = []
    for number, line in enumerate(file.lines[:MAX_LINES], 1):
        line = _without_comment(line[:MAX_LINE])
        if not line:
            continue
        found.extend(_common(file, number, line))
        variable = _MAKE_VARIABLE.match(line)
        if variable:
            value = variable[2].strip()
            found.extend(file.variable(number, variable[1], value, Rank.VARIABLE))
            if re.search(r"DEFS$|DEFINES?$|DEFINITIONS$|SYMBOLS$", variable[1]):
                for word in _WORD.findall(value):
                    found.extend(file.define(number, word, Rank.DEFINE))
    yield from _choice(found)


def read_cmake(file: ProjectFile) -> Iterator[Evidence]:
    """A CMake file: definitions, ``set(MCU ...)``, the pico-sdk's platform."""
    found: list[Evidence] = []
    command = ""
    depth = 0
    pico: int | None = None
    text = _without_blocks(file.text)
    for number, line in enumerate(text.split("\n")[:MAX_LINES], 1):
        line = _without_comment(line[:MAX_LINE])
        started = _CMAKE_COMMAND.search(line)
        if depth <= 0 and started:
            command = started[1].lower()
        found.extend(_common(file, number, line))
        if command in _DEFINITIONS:
            rest = line[started.end() :] if started and depth <= 0 else line
            for word in re.findall(r"[\w=\"]+", rest):
                found.extend(file.define(number, word, Rank.DEFINE))
        assigned = re.search(r"\bset\s*\(\s*(\w+)\s+\"?([^\s\")]+)", line, re.IGNORECASE)
        if assigned:
            found.extend(file.variable(number, assigned[1], assigned[2], Rank.VARIABLE))
        if command == "pico_sdk_init":
            pico = pico or number
        depth += line.count("(") - line.count(")")
    if pico is not None and not any(e.says.startswith("PICO_") for e in found):
        # Without PICO_BOARD and PICO_PLATFORM the SDK builds for the board "pico".
        says = "pico_sdk_init(), whose default is the RP2040"
        found.extend(file.device(pico, says, Rank.DEFAULT, "rp2040"))
    yield from _choice(found)


def _common(file: ProjectFile, number: int, line: str) -> Iterator[Evidence]:
    for define in _DEFINE.findall(line):
        name, _, value = define.partition("=")
        yield from file.define(number, define, Rank.DEFINE)
        yield from file.variable(number, name, value, Rank.VARIABLE)
    core = _CORE.search(line)
    if core:
        name = f"C{core[1].upper()}"
        yield Evidence(file.path, number, core[0], Rank.VARIABLE, file.folder, core=name)
    for word in _WORD.findall(line):
        if any(map(str.isdigit, word)):
            yield from file.word(number, f"names {word}", Rank.MENTION, word)


def _without_comment(line: str) -> str:
    """The line up to a ``#`` that begins a comment."""
    at = line.find("#")
    while at >= 0:
        if line[:at].count('"') % 2 == 0 and (at == 0 or line[at - 1] not in "\\$"):
            return line[:at].rstrip()
        at = line.find("#", at + 1)
    return line.rstrip()


def _without_blocks(text: str) -> str:
    """CMake text without its ``#[[ ... ]]`` comments, lines kept; an open one takes the rest."""
    parts: list[str] = []
    at = 0
    while (opening := _BLOCK.search(text, at)) is not None:
        ending = f"]{opening[1]}]"
        end = text.find(ending, opening.end())
        end = len(text) if end < 0 else end + len(ending)
        parts += [text[at : opening.start()], "\n" * text.count("\n", opening.start(), end)]
        at = end
    return "".join(parts) + text[at:]


def _choice(found: list[Evidence]) -> list[Evidence]:
    """The evidence, without the ranks at which the file names so many devices that it lists them.

    Of the same words only the first stays, at the highest rank.
    """
    best: dict[tuple[str | None, str | None], Evidence] = {}
    for evidence in found:
        key = (evidence.device.casefold() if evidence.device else None, evidence.core)
        if key not in best or evidence.rank > best[key].rank:
            best[key] = evidence
    kept = sorted(best.values(), key=lambda evidence: evidence.line or 0)
    counts: dict[int, int] = {}
    for evidence in kept:
        if evidence.device:
            counts[evidence.rank] = counts.get(evidence.rank, 0) + 1
    return [e for e in kept if not e.device or counts[e.rank] <= 2 * MAX_DEVICES]
