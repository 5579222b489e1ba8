"""What hovers and hints say of the values in a line of code."""

from __future__ import annotations

import pytest

from datasheet_lsp.assist.hints import Cache, hints
from datasheet_lsp.assist.hover import hover
from datasheet_lsp.firmware import Source
from datasheet_lsp.firmware.accesses import Reader
from tests.mistakes.chip import lookup

HEAD = "#define USART_CR1_UE (1u << 13)\n#define ON() GPIOA->BSRR = 1\nvoid f(uint32_t x)\n{\n"


def shown(line: str) -> str:
    """The hover at the ``@`` in a line of a function, in plain text."""
    text = f"{HEAD}{line}\n}}\n"
    offset = text.index("@")
    found = hover(Source(text.replace("@", "").encode()), offset, [lookup()], markup=False)
    return "" if found is None else found.markdown


def hinted(line: str, show: str = "values") -> str:
    source = Source(f"{HEAD}{line}\n}}\n".encode())
    found = hints(Reader(source, [lookup()]), 0, len(source.data), show)  # type: ignore[arg-type]
    return " | ".join(hint.text for hint in found)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "USART2->@BRR = 0x0683;",
            "This line writes 0x0683 (1667, 0b110 1000 0011): DIV_Mantissa = 104, DIV_Fraction = 3",
        ),
        ("USART2->@CR1 |= 0x2004;", "This line sets 0x2004: UE, RE; the other bits stay"),
        (
            "GPIOA->@MODER &= ~(3u << 4);",
            "This line clears 0x30: MODER2 = 0 (Input); the other bits stay",
        ),
        ("GPIOA->@ODR ^= 1 << 5;", "This line toggles 0x20: ODR5; the other bits stay"),
        (
            "RCC->@CFGR = (RCC->CFGR & ~3u) | 2;",
            "This line changes SW = 2 (PLL); the other bits stay",
        ),
        (
            "USART2->@CR2 = (x & 1) | 2 << 12;",
            "This line writes STOP = 2 (Two); the other bits are not known here",
        ),
        ("GPIOA->@MODER |= 1 << 2;", "This line sets 0x04: bit 0 of MODER1; the other bits stay"),
        (
            "ADC->CTRLB.bit.@RESSEL = 1;",
            "This line writes RESSEL = 1 (BITS16); the other fields stay",
        ),
        ("USART2->@SR = 0x10;", "IDLE is read-only: the write does not reach it"),
        ("USART2->@CR1 = 0x2008;", "13    UE     0 -> 1"),
    ],
)  # fmt: skip
def test_hover_says_what_the_line_writes(line: str, said: str) -> None:
    text = shown(line)
    assert said in text or " ".join(said.split()) in " ".join(text.split()), text


@pytest.mark.parametrize("line", ["USART2->@BRR = x;", "x = USART2->@BRR;", "USART2->@CR1 |= x;"])
def test_hover_says_nothing_where_nothing_is_known(line: str) -> None:
    assert "USART2." in shown(line) and "This line" not in shown(line)


@pytest.mark.parametrize(
    ("line", "title", "said"),
    [
        ("USART2->CR1 |= @USART_CR1_UE;", "USART2.CR1.UE", "USART_CR1_UE is 0x2000 (8192, 0b"),
        ("x = @USART_CR1_RXNEIE_Pos;", "USART2.CR1.RXNEIE", "position of the field's lowest bit"),
        ("if (USART2->SR & (1 << @5)) {}", "USART2.SR", "RXNE"),
        ("USART2->CR1 = @0x2008;", "USART2.CR1", "0x2008 (8200, 0b10 0000 0000 1000)"),
        ("USART2->CR1 &= ~(@1u << 13);", "1u << 13 in USART2.CR1", "0x2000"),
    ],
)  # fmt: skip
def test_macros_and_numbers_are_bits_of_their_register(line: str, title: str, said: str) -> None:
    text = shown(line)
    assert title in text.splitlines()[0] and said in text, text


@pytest.mark.parametrize(
    "line", ["x = @0x2000;", "g(@5);", "USART2->BRR = x * @16;", "x = @UNKNOWN_A_B;"]
)
def test_other_numbers_are_left_alone(line: str) -> None:
    assert shown(line) == ""


@pytest.mark.parametrize(
    ("line", "values", "names"),
    [
        ("USART2->CR1 = 0x200C;", "UE TE RE", "UE TE RE"),
        ("RCC->APB1ENR |= 1u << 17;", "+USART2EN", "+USART2EN"),
        ("GPIOA->MODER &= ~(3u << 4);", "MODER2: ? -> Input", "-MODER2"),
        ("USART2->BRR = 0x683;", "DIV_Mantissa=0x68 DIV_Fraction=3", "DIV_Mantissa DIV_Fraction"),
        ("GPIOA->ODR ^= 0x21;", "^ODR5 ^ODR0", "^ODR5 ^ODR0"),
        ("ON();", "GPIOA.BSRR: BS0", "GPIOA.BSRR: BS0"),
        ("USART2->CR1 |= USART_CR1_UE;", "", ""),
        ("USART2->CR1 = x;", "", ""),
        ("USART2->CR1 = (x ? 0x2000 : 0) | 0xC;", "TE RE UE=?", "TE RE UE=?"),
        ("USART2->CR1 = (x & 0xFFFFFF00) | 4;", "RE UE=? M=?", "RE UE=? M=?"),
        ("GPIOA->MODER = (x & ~3u) | 1;", "MODER0=Output ...", "MODER0 ..."),
        ("USART2->CR1 = 0;", "", ""),
    ],
)
def test_hints_say_what_the_code_does_not(line: str, values: str, names: str) -> None:
    assert hinted(line) == values
    assert hinted(line, "names") == names
    assert hinted(line, "off") == ""


def test_a_change_elsewhere_keeps_the_hints_of_a_function() -> None:
    one = "void f(void)\n{\n    USART2->CR1 = 0x2000;\n}\n"
    other = "void g(void)\n{\n    USART2->CR1 = 8;\n}\n"
    cache = Cache()

    def look(text: str) -> list[tuple[int, str]]:
        source = Source(text.encode())
        found = hints(Reader(source, [lookup()]), 0, len(source.data), "values", cache)
        return [(source.position(hint.offset)[0], hint.text) for hint in found]

    assert look(one + other) == [(2, "UE"), (6, "TE")]
    assert look("\n" + one + other.replace("8", "4")) == [(3, "UE"), (7, "RE")]
    assert look("#define USART2 USART9\n" + one) == []
