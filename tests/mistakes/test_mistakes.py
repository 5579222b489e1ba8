"""Planted mistakes are found, each by its kind, and code without mistakes stays without a mark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from datasheet_lsp.assist.diagnostics import diagnose
from datasheet_lsp.assist.findings import KINDS, Finding
from datasheet_lsp.firmware import Source
from datasheet_lsp.firmware.accesses import Reader
from tests.mistakes.chip import lookup

CODE = Path(__file__).parent / "code"
LOCAL = [code for code, kind in KINDS.items() if not kind.workspace]


def found_in(text: str, **severities: str) -> list[tuple[int, Finding]]:
    """The findings in ``text``, each with its 0-based line."""
    source = Source(text.encode())
    named = {code.replace("_", "-"): severity for code, severity in severities.items()}
    found = diagnose(Reader(source, [lookup()]), named)
    return [(source.position(one.start)[0], one) for one in found]


def planted(text: str) -> list[tuple[int, str]]:
    return [
        (number, mark[1])
        for number, line in enumerate(text.split("\n"))
        if (mark := re.search(r"// expect(?:-any)?: ([\w-]+)", line))
    ]


FILES = sorted(path.name for path in CODE.glob("*.c") if "clean" not in path.name)


@pytest.mark.parametrize("name", FILES)
def test_planted_mistakes_are_found_and_nothing_else(name: str) -> None:
    text = (CODE / name).read_text(encoding="utf-8")
    wanted = planted(text)
    found = {(line, one.code) for line, one in found_in(text)}
    missed = [f"{name}:{line + 1} {code}" for line, code in wanted if (line, code) not in found]
    assert not missed
    further = found - set(wanted)
    assert not further


def test_there_are_enough_of_them() -> None:
    marks = [m for name in FILES for m in planted((CODE / name).read_text(encoding="utf-8"))]
    assert len(marks) >= 40
    assert {code for _, code in marks} == set(LOCAL)


@pytest.mark.parametrize("name", sorted(path.name for path in CODE.glob("*clean*.c")))
def test_clean_code_has_no_mark(name: str) -> None:
    assert found_in((CODE / name).read_text(encoding="utf-8")) == []
