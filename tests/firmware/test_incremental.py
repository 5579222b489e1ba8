"""A text that was changed has the tree it would have if it were parsed anew."""

from __future__ import annotations

import random

import pytest

from datasheet_lsp.firmware import Source

FUNCTION = """
static void f%d(int x)
{
    USART2->CR1 |= 1u << %d; /* enable \u00e4 */
    if (x) { GPIOA->ODR = x; } else { tmp = buffer[%d]; }
}
"""


def shape(source: Source) -> str:
    return str(source.root)


@pytest.mark.parametrize("seed", range(6))
def test_tree_after_changes_is_that_of_the_text(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(FUNCTION % (i, i % 32, i) for i in range(600)).encode()
    source = Source(text)
    assert source.root is not None
    for _ in range(5):
        at = rng.randrange(len(text))
        new = rng.choice((b" ", b"x", b"\n", b"/* c */", b"int y = 3;\n", b"\xc3\xa4", b"}"))
        text = text[:at] + new + text[at + rng.choice((0, 0, 1, 30)) :]
        source = Source(text, before=source)
        if rng.random() < 0.7:
            assert shape(source) == shape(Source(text))
    assert shape(source) == shape(Source(text))


def test_text_before_is_let_go() -> None:
    first = Source(b"int x;\n" * 20_000)
    assert first.root is not None
    second = Source(first.data + b"int y;\n", before=first)
    third = Source(second.data + b"int z;\n", before=second)
    assert third._before is first
    assert third.root.named_child_count == 20_002
    assert third._before is None
    assert Source(b"int x;", before=third)._before is None
