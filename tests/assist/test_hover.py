"""A place in C code to its hover: addresses, places and the range."""

from __future__ import annotations

import pytest

from datasheet_lsp.assist.hover import Hover, hover
from datasheet_lsp.firmware import Source
from datasheet_lsp.model import Lookup
from tests.render.test_golden import chip

CODE = """\
void f(int i)
{
\x0c    UART1->CTRL = 1;           /* \u00e4 */
    UART1->FILTER[i] = 2;
    UART2->CH[1].PTR1 = 3;
    f(&UART1->CH[1]);
    i = other->CTRL;
}
"""


def at(code: str, *, lookups: list[Lookup] | None = None, text: str = CODE) -> Hover | None:
    """The hover at the character after ``@`` in the line that has ``code``."""
    start = text.index(code.replace("@", "")) + code.index("@")
    offset = len(text[:start].encode())
    return hover(Source(text.encode()), offset, lookups or [Lookup(chip())])


@pytest.mark.parametrize(
    ("code", "address", "paths"),
    [
        ("UART1->@CTRL", 0x40004000, ["UART1.CTRL"]),
        ("UART2->CH[1].@PTR1", 0x40005118, ["UART2.CH[1].PTR1"]),
        ("&UART1->@CH[1]", 0x40004110, ["UART1.CH[1].CFG", "UART1.CH[1].PTR0", "UART1.CH[1].PTR1"]),
        (
            "UART1->@FILTER[i]",
            [0x40004010, 0x40004014, 0x40004018, 0x4000401C],
            [f"UART1.FILTER[{i}]" for i in range(4)],
        ),
    ],
)
def test_address_and_registers_are_those_meant(code, address, paths) -> None:
    found = at(code)
    assert found is not None
    assert found.address == address
    assert [register["path"] for register in found.registers] == paths
    assert {register["device"] for register in found.registers} == {"GOLD1"}


def test_range_covers_the_whole_expression() -> None:
    found = at("UART1->@CTRL")
    assert found is not None
    assert CODE.encode()[found.start : found.end] == b"UART1->CTRL"


def test_nothing_is_shown_for_what_is_no_register() -> None:
    assert at("other->@CTRL") is None
    assert at("@void") is None


def test_plain_text_has_no_markup() -> None:
    offset = CODE.encode().index(b"CTRL")
    found = hover(Source(CODE.encode()), offset, [Lookup(chip())], markup=False)
    assert found is not None
    assert found.markdown.startswith("UART1.CTRL Control register 0x4000 4000\n")
    assert not set("`*|\\") & set(found.markdown)


def test_registers_at_one_address_give_one_address() -> None:
    found = at("UART1->@DATA", text="void f(void) { UART1->DATA = 1; }")
    assert found is not None
    assert found.address == 0x40004008
    assert [register["path"] for register in found.registers] == ["UART1.DATA", "UART1.DATA_RAW"]
