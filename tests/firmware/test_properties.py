"""Whatever the bytes are: no exception, and a range around the cursor."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from datasheet_lsp.firmware import Source, resolve_at
from tests.firmware.devices import STM

WORDS = [
    *b"USART2 -> BRR GPIOA AFR [ ] ( ) * & . 0x40004408 1 A /* */ // { } ; = + << ,".split(),
    *b"int volatile uint32_t _BASE if SYSCFG->EXTICR \" '".split(),
    *(b"#define ", b"enum ", b"#if ", b"#endif", b"void f(void)"),
    *(b"\\\n", b"\n", b"\r\n", b"\r", b" ", b"\x0c", b"\xe2\x80\xa8", b"\xe9", b"\x00"),
]


def check(data: bytes, offset: int) -> None:
    found = resolve_at(Source(data), offset, [STM])
    if found is not None:
        assert 0 <= found.start <= offset < found.end <= len(data)
        assert found.locations


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(-5, 205))
def test_any_bytes(data: bytes, offset: int) -> None:
    check(data, offset)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map(b"".join), st.data())
def test_any_order_of_the_words_of_c(data: bytes, draw: st.DataObject) -> None:
    check(data, draw.draw(st.integers(0, len(data))))


def test_very_deep_and_very_long_expressions() -> None:
    for data in (
        b"x = " + b"(" * 5000 + b"USART2->BRR" + b")" * 5000 + b";",
        b"x = " + b"1 + " * 20000 + b"USART2->BRR;",
        b"x = USART2" + b"->BRR" * 3000 + b";",
        b"x = SYSCFG->EXTICR[" + b"-" * 5000 + b"1];",
        b"#define A0 0\n"
        + b"".join(b"#define A%d A%d + A%d\n" % (i, i - 1, i - 1) for i in range(1, 60))
        + b"x = SYSCFG->EXTICR[A59];",
    ):
        source = Source(data)
        for at in (data.rindex(b"->"), len(data) // 2, 5):
            check(data, at)
            assert source.line_count >= 1


def test_a_large_file_answers() -> None:
    data = (
        b"void f(void) {\n" + b"  GPIOA->ODR ^= 1; /* a */\n" * 60000 + b"  USART2->BRR = 1;\n}\n"
    )
    found = resolve_at(Source(data), data.rindex(b"BRR"), [STM])
    assert found is not None and found.locations[0].address == 0x40004408
