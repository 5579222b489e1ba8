"""What a write does to its register, worked out by hand for each form the code has it in."""

from __future__ import annotations

import pytest

from datasheet_lsp.firmware import Source, tongue_of
from datasheet_lsp.firmware.accesses import Reader
from datasheet_lsp.firmware.writes import RegisterAccess
from tests.mistakes.chip import lookup

ALL = 0xFFFFFFFF
MACROS = """\
#define UE (1u << 13)
#define RESET_PIN() GPIOA->BSRR = (1u << 21)
#define ENABLE(p) do { SET_BIT(RCC->APB1ENR, RCC_APB1ENR_##p##EN); } while (0)
#define SET_UE (USART2->CR1 |= UE)
enum { FIRST = 3, SECOND };
"""


def accesses(body: str, *, parameters: str = "int n, uint32_t x") -> list[RegisterAccess]:
    source = Source(f"{MACROS}void f({parameters})\n{{\n{body}\n}}\n".encode())
    return Reader(source, [lookup()]).accesses()


def only_write(body: str) -> RegisterAccess:
    (found,) = [access for access in accesses(body) if access.writes]
    return found


@pytest.mark.parametrize(
    ("body", "path", "how", "known", "value", "kept"),
    [
        ("USART2->BRR = 0x0683;", "USART2.BRR", "assign", ALL, 0x683, 0),
        ("USART2->CR1 = UE | 1 << 3;", "USART2.CR1", "assign", ALL, 0x2008, 0),
        ("USART2->CR1 |= UE;", "USART2.CR1", "set", 0x2000, 0x2000, ALL & ~0x2000),
        ("USART2->CR1 &= ~UE;", "USART2.CR1", "clear", 0x2000, 0, ALL & ~0x2000),
        ("USART2->CR1 &= 0xF;", "USART2.CR1", "clear", ALL & ~0xF, 0, 0xF),
        ("USART2->CR1 = USART2->CR1 | 4;", "USART2.CR1", "modify", 4, 4, ALL & ~4),
        ("RCC->CFGR = (RCC->CFGR & ~3u) | 2;", "RCC.CFGR", "modify", 3, 2, ALL & ~3),
        ("uint32_t t = RCC->CFGR; t &= ~3u; t |= 2; RCC->CFGR = t;",
         "RCC.CFGR", "modify", 3, 2, ALL & ~3),
        ("uint32_t t; t = RCC->CFGR & ~3u; RCC->CFGR = t | 1;",
         "RCC.CFGR", "modify", 3, 1, ALL & ~3),
        ("MODIFY_REG(RCC->CFGR, 3, 1);", "RCC.CFGR", "modify", 3, 1, ALL & ~3),
        ("CLEAR_BIT(USART2->CR1, UE);", "USART2.CR1", "clear", 0x2000, 0, ALL & ~0x2000),
        ("WRITE_REG(USART2->BRR, 0x683);", "USART2.BRR", "assign", ALL, 0x683, 0),
        ("RESET_PIN();", "GPIOA.BSRR", "assign", ALL, 1 << 21, 0),
        ("ENABLE(TIM3);", "RCC.APB1ENR", "set", 2, 2, ALL & ~2),
        ("SET_UE;", "USART2.CR1", "set", 0x2000, 0x2000, ALL & ~0x2000),
        ("hw_set_bits(&uart0_hw->cr, 1u << 8);", "UART0.UARTCR", "set", 256, 256, ALL & ~256),
        ("hw_write_masked(&uart0_hw->cr, 0x301, 0x200);",
         "UART0.UARTCR", "modify", 0x200, 0x200, ALL & ~0x200),
        ("hw_set_alias(uart0_hw)->cr = 2;", "UART0.UARTCR", "set", 2, 2, ALL & ~2),
        ("sys_write32(5, 0x4000440C);", "USART2.CR1", "assign", ALL, 5, 0),
        ("USART2->CR1 = SECOND;", "USART2.CR1", "assign", ALL, 4, 0),
        ("USART2->CR1 = USART_CR1_UE | USART_CR1_TE_Msk | (1 << USART_CR1_RE_Pos);",
         "USART2.CR1", "assign", ALL, 0x200C, 0),
        ("USART2->BRR = (uint32_t)&USART3->DR;", "USART2.BRR", "assign", ALL, 0x40004804, 0),
        ("USART2->BRR = x;", "USART2.BRR", "assign", 0, 0, 0),
        ("USART2->BRR = x & 0xFF;", "USART2.BRR", "assign", 0xFFFFFF00, 0, 0),
        ("USART2->CR1 |= 1u << n;", "USART2.CR1", "set", 0, 0, 0),
        ("uint32_t t = 4; if (n) t = 5; USART2->CR1 = t;", "USART2.CR1", "assign", ALL & ~1, 4, 0),
        ("uint32_t t = 4; if (n) { t = 5; return; } USART2->CR1 = t;",
         "USART2.CR1", "assign", ALL, 4, 0),
        ("uint32_t t = 4; while (n--) t <<= 1; USART2->CR1 = t;", "USART2.CR1", "assign", 0, 0, 0),
        ("for (int i = -1024; i < 9; i += 256) { USART2->CR1 = i; }",
         "USART2.CR1", "assign", 0, 0, 0),
        ("for (int i = 0; i < 9; i++) USART2->CR1 = i;", "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t; for (t = 1; t; t <<= 1) { USART2->CR1 = t; }",
         "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t = 1; do { USART2->CR1 = t; t = 2; } while (n--);",
         "USART2.CR1", "assign", 0, 0, 0),
        ("while (n--) { uint32_t t = 1; t |= 2; USART2->CR1 = t; }",
         "USART2.CR1", "assign", ALL, 3, 0),
        ("switch (n) { case 1: x = 1; case 2: USART2->CR1 = x; }",
         "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t; uint32_t *p = &t; t = 4; *p = 5; USART2->CR1 = t;",
         "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t = RCC->CFGR; t = ~3u & t; RCC->CFGR = t;",
         "RCC.CFGR", "modify", 3, 0, ALL & ~3),
        ('uint32_t t = 4; __asm volatile ("mrs %0, psr" : "=r" (t)); USART2->CR1 = t;',
         "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t = 4; if (n && (t = 5)) g(); USART2->CR1 = t;",
         "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t = 4; switch (n) { case 1: t = 1; case 2: USART2->CR1 = t; }",
         "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t = 4; g(&t); USART2->CR1 = t;", "USART2.CR1", "assign", 0, 0, 0),
        ("uint32_t t = 4; again: USART2->CR1 = t; t++;", "USART2.CR1", "assign", 0, 0, 0),
        ("*(volatile uint8_t *)0x4000440D = 0x20;", "USART2.CR1", "assign", 0xFF00, 0x2000,
         ALL & ~0xFF00),
        ("ADC->CTRLB.bit.PRESCALER = 2;", "ADC.CTRLB", "assign", 0x30, 0x20, 0xFFCF),
    ],
)  # fmt: skip
def test_effect_of_a_write(
    body: str, path: str, how: str, known: int, value: int, kept: int
) -> None:
    access = only_write(body)
    first = access.resolved.locations[0]
    assert f"{first.peripheral.name}.{access.register.path}" == path
    assert access.how == how
    assert access.value is not None
    assert (access.value.known, access.value.value, access.value.kept) == (known, value, kept)


def test_what_is_toggled() -> None:
    access = only_write("GPIOA->ODR ^= 1u << 5;")
    assert access.how == "toggle" and access.value is not None
    assert (access.value.flipped, access.value.kept) == (1 << 5, ALL & ~(1 << 5))


def test_reads_and_writes_in_order() -> None:
    found = accesses("while (!(USART2->SR & 0x80)) ; x = USART2->DR; TIM2->CR1 |= 1; TIM2->CNT++;")
    told = [(a.resolved.locations[0].path, a.how) for a in found]
    assert told == [
        ("USART2.SR", "read"), ("USART2.DR", "read"), ("TIM2.CR1", "set"), ("TIM2.CNT", "modify"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    ["x = n;", "buffer[n] = 3;", "dev->CR1 = 3;", "uint32_t USART2x = 3;", "&USART2->CR1;",
     "USART2;", "f(USART2);", "// USART2->CR1 = 3;", 'g("USART2->CR1 = 3");'],
)  # fmt: skip
def test_what_is_no_access(body: str) -> None:
    assert accesses(body) == []


def test_broken_code_around_is_survived() -> None:
    found = accesses("if (x { USART2->CR1 = 0x2000; }\n}}}} int (\nUSART2->BRR = 0x683;")
    told = {(a.resolved.locations[0].path, a.value.value if a.value else None) for a in found}
    assert ("USART2.BRR", 0x683) in told or ("USART2.CR1", 0x2000) in told


def test_macros_that_lead_back_to_themselves_end() -> None:
    text = (
        "#define A B\n#define B A\n#define F(x) F(x) = (x)\nvoid f(void) { USART2->CR1 = A; F(1); }"
    )
    (access,) = Reader(Source(text.encode()), [lookup()]).accesses()
    assert access.value is not None and access.value.known == 0


def test_functions_of_cpp_are_read() -> None:
    text = (
        b"class A { void f(); };\nvoid A::f() { USART2->CR1 |= 0x2000; }\n"
        b"namespace n { void g() { GPIOA->ODR = 1; auto l = [&]() { TIM2->CNT = 5; }; } }\n"
        b"class B { void h() { TIM3->CNT = 2; } };\n"
    )
    found = Reader(Source(text, tongue_of("a.cpp", text)), [lookup()]).accesses()
    told = [(a.resolved.locations[0].path, a.how) for a in found]
    assert told == [
        ("USART2.CR1", "set"), ("GPIOA.ODR", "assign"), ("TIM2.CNT", "assign"),
        ("TIM3.CNT", "assign"),
    ]  # fmt: skip
