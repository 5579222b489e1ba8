"""What people read, word for word: ``tests/golden/<case>`` has what is asked and the answer.

``ask`` is a verb and its object: code with ``@`` before the place, or a name. ``markdown.md`` and
``plain.txt`` are the answers; both were written and checked by hand against ``chip.svd``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from datasheet_lsp.firmware import Resolved, Source, resolve_at
from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.render.decode import decode_text
from datasheet_lsp.render.fields import MAX_ROWS
from datasheet_lsp.render.hover import worded
from datasheet_lsp.render.style import Markdown, Plain, Style
from datasheet_lsp.svd import load_svd

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/ask"))
ROWS = {"cut_table": 3}


@cache
def chip() -> Device:
    return load_svd(GOLDEN / "chip.svd")


@cache
def lookups(case: str) -> tuple[Lookup, ...]:
    if case == "two_devices":
        other = msgspec.structs.replace(chip(), name="GOLD2", source="other.svd")
        return Lookup(chip()), Lookup(other)
    return (Lookup(chip()),)


def resolved(case: str, code: str) -> Resolved:
    start = "void f(int i) { "
    source = Source(f"{start}{code.replace('@', '')} }}".encode())
    found = resolve_at(source, len(start) + code.index("@"), lookups(case))
    assert found is not None
    return found


def answer(case: str, style: Style) -> str:
    verb, what = (GOLDEN / case / "ask").read_text(encoding="utf-8").strip().split(" ", 1)
    if verb == "hover":
        return worded(resolved(case, what), style, max_rows=ROWS.get(case, MAX_ROWS))
    name, _, value = what.partition(" ")
    (location,) = lookups(case)[0].find(name)
    assert location.register is not None
    if verb == "decode":
        return decode_text(location, location.register, int(value, 0), style)
    return worded(Resolved("register", (location,), 0, 0, name), style)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["markdown.md", "plain.txt"])
def test_answer_is_word_for_word(case: str, form: str) -> None:
    style = Markdown() if form == "markdown.md" else Plain()
    expected = (GOLDEN / case / form).read_text(encoding="utf-8")
    assert answer(case, style) + "\n" == expected
