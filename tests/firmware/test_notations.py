"""Registers in every way headers offer, with addresses worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.model import Lookup
from tests.firmware.devices import array, block, device, named, peripheral, register
from tests.firmware.headers import Project

USART = named(SR=0x0, DR=0x4, BRR=0x8, CR1=0xC)
CHIP = device(
    peripheral("USART1", 0x40011000, USART),
    peripheral("USART2", 0x40004400, USART),
    peripheral("USART3", 0x40004800, USART),
    peripheral("GPIOA", 0x40020000, named(MODER=0x0, ODR=0x14, BSRR=0x18)),
    peripheral("GPIOB", 0x40020400, named(MODER=0x0, ODR=0x14, BSRR=0x18)),
    peripheral("RCC", 0x40023800, named(CR=0x0, APB1ENR=0x40)),
    peripheral("DMA1", 0x40026000, block(array("S%sCR", 2, 0x10, 0x18))),
    peripheral("PORT", 0x41004400, block(array("DIR%s", 2, 0, 0x80), array("OUT%s", 2, 16, 0x80))),
    peripheral(
        "ADC", 0x42004000, block(register("CTRLA", 0, "", 8, "SWRST", "ENABLE"), register("IN", 16))
    ),
    cpu="CM4",
    name="STM32F407",
)

CMSIS = """
#define __IO volatile
typedef struct { __IO uint32_t SR, DR, BRR, CR1; } USART_TypeDef;
typedef struct { __IO uint32_t MODER; uint32_t R[4]; __IO uint32_t ODR, BSRR; } GPIO_TypeDef;
typedef struct { __IO uint32_t CR; uint32_t R[15]; __IO uint32_t APB1ENR; } RCC_TypeDef;
typedef struct { __IO uint32_t CR; } DMA_Stream_TypeDef;
#define PERIPH_BASE 0x40000000UL
#define APB1PERIPH_BASE PERIPH_BASE
#define AHB1PERIPH_BASE (PERIPH_BASE + 0x00020000UL)
#define USART2_BASE (APB1PERIPH_BASE + 0x4400UL)
#define USART2 ((USART_TypeDef *) USART2_BASE)
#define USART3 ((USART_TypeDef *) (APB1PERIPH_BASE + 0x4800UL))
#define USART1 ((USART_TypeDef *) (PERIPH_BASE + 0x11000UL))
#define UART9 ((USART_TypeDef *) (PERIPH_BASE + 0x99000UL))
#define GPIOA ((GPIO_TypeDef *) AHB1PERIPH_BASE)
#define GPIOB ((GPIO_TypeDef *) (AHB1PERIPH_BASE + 0x0400UL))
#define RCC ((RCC_TypeDef *) (AHB1PERIPH_BASE + 0x3800UL))
#define DMA1_Stream0 ((DMA_Stream_TypeDef *) (AHB1PERIPH_BASE + 0x6010UL))
#define DMA1_Stream1 ((DMA_Stream_TypeDef *) (AHB1PERIPH_BASE + 0x6028UL))
#define SET_BIT(REG, BIT) ((REG) |= (BIT))
#define READ_BIT(REG, BIT) ((REG) & (BIT))
#define RCC_APB1ENR_USART2EN (1 << 17)
typedef struct { USART_TypeDef *Instance; uint32_t State; } UART_HandleTypeDef;
#define __HAL_RCC_USART2_CLK_ENABLE() do { \\
    __IO uint32_t tmpreg = 0x00U; \\
    SET_BIT(RCC->APB1ENR, RCC_APB1ENR_USART2EN); \\
    tmpreg = READ_BIT(RCC->APB1ENR, RCC_APB1ENR_USART2EN); (void)tmpreg; } while (0U)
#define __HAL_UART_ENABLE(h) ((h)->Instance->CR1 |= 0x2000)
#define BOTH() do { RCC->CR = 1; USART2->DR = 2; } while (0)
static inline void LL_USART_Enable(USART_TypeDef *u) { SET_BIT(u->CR1, 0x2000); }
static inline uint32_t base_of(int n) { return n == 1 ? PERIPH_BASE + 0x11000 : USART2_BASE; }
#define BITBAND(a, b) (*(volatile uint32_t *)(0x42000000 + ((uint32_t)(a) - 0x40000000) * 32 \\
    + (b) * 4))
extern USART_TypeDef UART_LINK;
"""
MMIO = """
#define HWREG(x) (*((volatile uint32_t *)(x)))
#define MMIO32(addr) (*(volatile uint32_t *)(addr))
#define UART_O_BRR 0x8
#define USART_CR1(base) MMIO32((base) + 0x0c)
#define USART2 0x40004400
#define RCC_CR MMIO32(0x40023800)
#define REG_WRITE(r, v) do { (*(volatile uint32_t *)(r)) = (v); } while (0)
#define UART_BRR_REG(i) (USART2 + (i) * 0x400 + 0x8)
#define UART_DATA_ADDR 0x40004404
#define NEAR_IT 0x40004404
"""
SAM = """
typedef volatile uint8_t RwReg8;
typedef union { struct { uint8_t SWRST:1; uint8_t ENABLE:1; uint8_t :6; } bit; uint8_t reg; }
    ADC_CTRLA_Type;
typedef union { uint32_t reg; } PORT_DIR_Type;
typedef struct { volatile ADC_CTRLA_Type CTRLA; RwReg8 Reserved[15]; PORT_DIR_Type IN; } Adc;
typedef struct { PORT_DIR_Type DIR; uint8_t R0[12]; PORT_DIR_Type OUT; uint8_t R1[0x6C]; }
    PortGroup;
typedef struct { PortGroup Group[2]; } Port;
#define ADC ((Adc *)0x42004000UL)
#define PORT ((Port *)0x41004400UL)
#define ADC_SET(reg_, v) do { ADC->reg_.reg |= (v); } while (0)
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    files = {"inc/cmsis.h": CMSIS, "inc/mmio.h": MMIO, "inc/sam.h": SAM}
    files["link/chip.ld"] = "PROVIDE ( UART_LINK = 0x40004800 );\n"
    return Project(tmp_path, files, CHIP)


def inside(body: str, include: str = "cmsis.h") -> str:
    return f'#include "{include}"\nvoid f(void) {{ {body} }}\n'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("USART2->|BRR = 1;", [0x40004408]),
        ("|USART2->BRR = 1;", [0x40004408]),
        ("(*USART2).|BRR = 1;", [0x40004408]),
        ("((USART_TypeDef *)0x40004800)->|BRR = 1;", [0x40004808]),
        ("USART_TypeDef *u = USART3; u->|BRR = 1;", [0x40004808]),
        ("USART_TypeDef *u; u = USART3; u->|BRR = 1;", [0x40004808]),
        ("*(volatile uint32_t *)(USART2_BASE + |8) = 1;", [0x40004408]),
        ("((volatile uint32_t *)USART2)[|2] = 1;", [0x40004408]),
        ("|SET_BIT(RCC->APB1ENR, 1);", [0x40023840]),
        ("SET_BIT(RCC->|APB1ENR, 1);", [0x40023840]),
        ("|__HAL_RCC_USART2_CLK_ENABLE();", [0x40023840]),
        ("|BOTH();", [0x40023800, 0x40004404]),
        ("|LL_USART_Enable(USART2);", [0x4000440C]),
        ("UART_LINK.|BRR = 1;", [0x40004808]),
        ("|BITBAND(&RCC->APB1ENR, 17) = 1;", [0x40023840]),
        ("DMA1_Stream1->|CR = 1;", [0x40026028]),
        ("(1 ? USART2 : USART3)->|BRR = 1;", [0x40004408]),
        ("UART_HandleTypeDef h = { .Instance = USART3 }; h.Instance->|BRR = 1;", [0x40004808]),
        ("UART_HandleTypeDef h = { USART3, 0 }; h.Instance->|BRR = 1;", [0x40004808]),
        ("USART_TypeDef *const all[] = { USART1, USART3 }; all[1]->|BRR = 1;", [0x40004808]),
        ("((USART_TypeDef *)base_of(2))->|BRR = 1;", [0x40004408]),
        ("typeof(USART2->|BRR) x;", [0x40004408]),
    ],
)
def test_fixed_addresses(project: Project, body: str, expected: list[int]) -> None:
    assert project.addresses(inside(body)) == expected


@pytest.mark.parametrize(
    ("code", "offset", "count"),
    [
        ("void f(USART_TypeDef *u) { u->|BRR = 1; }", 0x8, 3),
        ("void f(UART_HandleTypeDef *h) { h->Instance->|CR1 = 1; }", 0xC, 3),
        ("void f(UART_HandleTypeDef *h) { |__HAL_UART_ENABLE(h); }", 0xC, 3),
        ("USART_TypeDef *u; void f(void) { u->|SR = 1; }", 0x0, 3),
        ("void f(USART_TypeDef *u) { for (;;) u++; u->|SR = 1; }", 0x0, 3),
    ],
)
def test_any_instance_the_device_has(project: Project, code: str, offset: int, count: int) -> None:
    found = project.at(f'#include "cmsis.h"\n{code}\n')
    assert found is not None
    bases = {0x40011000, 0x40004400, 0x40004800}  # UART9 is in the header, not in the device
    assert {at.address for at in found.locations} == {base + offset for base in bases}
    assert len(found.locations) == count
    assert found.any_of == "USART"


def test_a_register_that_one_instance_alone_has(project: Project) -> None:
    text = CMSIS.replace("SR, DR, BRR, CR1;", "SR, DR, BRR, CR1, GTPR;")
    project.write("inc/more.h", text)
    extended = named(SR=0x0, DR=0x4, BRR=0x8, CR1=0xC, GTPR=0x10)
    project.lookups = (
        device(peripheral("USART1", 0x40011000, extended), peripheral("USART2", 0x40004400, USART)),
    )
    found = project.at('#include "more.h"\nvoid f(USART_TypeDef *u) { u->|GTPR = 1; }\n')
    assert found is not None
    assert [at.path for at in found.locations] == ["USART1.GTPR"]
    assert found.beyond == (0x40004410,)  # USART3 and UART9 are not in the device


def test_streams_that_are_pointers_of_their_own(project: Project) -> None:
    code = '#include "cmsis.h"\nvoid f(DMA_Stream_TypeDef *s) { s->|CR = 1; }\n'
    assert sorted(project.addresses(code)) == [0x40026010, 0x40026028]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("|HWREG(USART2 + UART_O_BRR) = 1;", [0x40004408]),
        ("|USART_CR1(USART2) |= 1;", [0x4000440C]),
        ("|RCC_CR = 1;", [0x40023800]),
        ("|REG_WRITE(UART_BRR_REG(1), 3);", [0x40004808]),
        ("REG_WRITE(|UART_DATA_ADDR, 3);", [0x40004404]),
        ("uint32_t base = USART2; |HWREG(base + UART_O_BRR) = 1;", [0x40004408]),
        ("int x = |NEAR_IT;", []),  # a number that may be anything
    ],
)
def test_macros_over_addresses(project: Project, body: str, expected: list[int]) -> None:
    assert project.addresses(inside(body, "mmio.h")) == expected


def test_a_named_offset_from_an_unknown_base(project: Project) -> None:
    code = '#include "mmio.h"\nvoid f(uint32_t usart) { |USART_CR1(usart) = 1; }\n'
    assert sorted(project.addresses(code)) == [0x4000440C, 0x4000480C, 0x4001100C]
    # The offset says otherwise than the name: nothing is claimed.
    code = '#include "mmio.h"\n#define USART_SR(b) MMIO32((b) + 4)\n'
    assert project.addresses(code + "void f(uint32_t u) { |USART_SR(u) = 1; }\n") == []


@pytest.mark.parametrize(
    ("body", "expected", "field"),
    [
        ("ADC->|CTRLA.bit.ENABLE = 1;", [0x42004000], "ENABLE"),
        ("ADC->CTRLA.|reg = 1;", [0x42004000], None),
        ("|ADC_SET(CTRLA, 2);", [0x42004000], None),
        ("ADC_SET(|CTRLA, 2);", [0x42004000], None),
        ("PORT->Group[1].|OUT.reg = 1;", [0x41004490], None),
        ("PORT->Group[n].|OUT.reg = 1;", [0x41004410, 0x41004490], None),
    ],
)
def test_unions_and_bit_fields(
    project: Project, body: str, expected: list[int], field: str | None
) -> None:
    found = project.at(inside(body, "sam.h"))
    assert found is not None
    assert [at.address for at in found.locations] == expected
    at = found.locations[0]
    assert (at.field.name if at.field is not None else None) == field


@pytest.mark.parametrize(
    "code",
    [
        "struct s { int CR1; } *p; void f(void) { p->|CR1 = 1; }",
        "void f(void) { struct { uint32_t BRR; } USART2x; USART2x.|BRR = 1; }",
        "void f(UART_HandleTypeDef *h) { h->|State = 1; }",
        "struct q { USART_TypeDef regs; } copy; void f(void) { copy.regs.|BRR = 1; }",
        "void f(void) { x = unknown->|BRR; }",
        "void f(void) { |UART9->BRR = 1; }",
        "void f(other_t *p) { p->|BRR = 1; }",
    ],
)
def test_what_is_no_register_stays_silent(project: Project, code: str) -> None:
    assert project.addresses(f'#include "cmsis.h"\n{code}\n') == []


def test_headers_win_over_names(project: Project) -> None:
    project.write("inc/other.h", CMSIS.replace("0x4400UL", "0x4800UL"))
    assert project.addresses('#include "other.h"\nvoid f(void) { USART2->|BRR = 1; }') == [
        0x40004808
    ]


def test_a_choice_left_to_the_build_is_shown_only_where_it_does_not_matter(
    project: Project,
) -> None:
    text = CMSIS + "#ifdef BOARD_B\n#define DEBUG USART3\n#else\n#define DEBUG USART2\n#endif\n"
    project.write("inc/board.h", text)
    assert project.addresses('#include "board.h"\nvoid f(void) { DEBUG->|BRR = 1; }') == []
    project.write("inc/board2.h", text.replace("DEBUG USART3", "DEBUG (USART2)"))
    found = project.addresses('#include "board2.h"\nvoid f(void) { DEBUG->|BRR = 1; }')
    assert found == [0x40004408]


CLASS = """
#include "cmsis.h"
class Serial {
 public:
  explicit Serial(USART_TypeDef *u) : regs(u) {}
  void send(uint8_t c);
  template <typename T> void put(T x) { regs->|DR = x; }
 private:
  USART_TypeDef *regs;
};
"""


@pytest.mark.parametrize(
    "code",
    [
        CLASS,
        CLASS.replace("|", "") + "void Serial::send(uint8_t c) { regs->|DR = c; }\n",
        CLASS.replace("|", "") + "void Serial::send(uint8_t c) { this->regs->|DR = c; }\n",
        CLASS.replace("|", "") + "auto g = [](USART_TypeDef *u) { u->|DR = 1; };\n",
    ],
)
def test_members_of_classes(project: Project, code: str) -> None:
    found = project.addresses(code, "serial.cpp")
    assert sorted(found) == [0x40004404, 0x40004804, 0x40011004]


@pytest.mark.parametrize(
    "body",
    [
        "reinterpret_cast<USART_TypeDef *>(0x40004400)->|BRR = 1;",
        "static_cast<USART_TypeDef *>(USART2)->|BRR = 1;",
        "auto &x = *USART2; USART2->|BRR = 1;",
        "for (auto i : list) { USART2->|BRR = i; }",
        "namespace_::call(); USART2->|BRR = 1;",
    ],
)
def test_expressions_of_cplusplus(project: Project, body: str) -> None:
    assert project.addresses(inside(body), "x.cpp") == [0x40004408]


def test_a_function_that_a_macro_defines(project: Project) -> None:
    code = '#include "cmsis.h"\n#define HANDLER(u, go) void u##_IRQHandler(void) \\\n'
    code += "{ if (u->SR & 1) { go(); u->DR = 1; } }\n|HANDLER(USART2, work)\n"
    assert project.addresses(code) == [0x40004400, 0x40004404]


def test_broken_code_around(project: Project) -> None:
    code = '#include "cmsis.h"\nvoid f(void) { if (x { }}} USART2->|BRR = 1; \n'
    assert project.addresses(code) == [0x40004408]
    code = '#include "cmsis.h"\nvoid f(void) { LL_USART_Enable(USART2)\n |BOTH()\n x = ; }'
    assert project.addresses(code) == [0x40023800, 0x40004404]


def test_types_that_no_header_has_by_their_names() -> None:
    lookup: Lookup = CHIP
    from tests.firmware.devices import addresses

    code = "void f(USART_TypeDef *u) { u->|DR = 1; }"
    assert sorted(addresses(code, lookup)) == [0x40004404, 0x40004804, 0x40011004]
    code = "void f(void) { GPIO_TypeDef *p = GPIOB; p->|ODR = 1; }"
    assert addresses(code, lookup) == [0x40020414]
    assert addresses("void f(Motor_TypeDef *m) { m->|DR = 1; }", lookup) == []


SOURCE = """
#include "drv.h"
#define _REG(i) (*(volatile uint32_t *)(0x40023800 + ((i) >> 5)))
static void helper(USART_TypeDef *u) { u->SR = 0; }
void clock_enable(int which) { _REG(which) |= 1 << (which & 31); }
void uart_start(USART_TypeDef *u) { helper(u); u->CR1 = 1; }
void any_start(UART_HandleTypeDef *h) { h->Instance->CR1 = 1; }
"""
DECLARED = """
#include "cmsis.h"
enum { CLOCK_UART = (0x40 << 5) + 17 };
void clock_enable(int which);
void uart_start(USART_TypeDef *u);
void any_start(UART_HandleTypeDef *h);
void elsewhere(USART_TypeDef *u);
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("|clock_enable(CLOCK_UART);", [0x40023840]),
        ("|uart_start(USART3);", [0x40004800, 0x4000480C]),
        ("|any_start(h);", []),  # any one of several, for a whole function, says little
        ("|elsewhere(USART3);", []),
    ],
)
def test_functions_of_the_source_beside_a_header(
    project: Project, body: str, expected: list[int]
) -> None:
    project.write("lib/drv.h", DECLARED)
    project.write("lib/src/drv.c", SOURCE)
    assert project.addresses(inside(body, "drv.h")) == expected
