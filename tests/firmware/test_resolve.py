"""Expressions of C and the registers they mean. Addresses are base plus offset, by hand."""

from __future__ import annotations

import pytest

from datasheet_lsp.firmware import Source, resolve_at, warm
from tests.firmware.devices import STM, addresses, at, block, device, first, named, peripheral
from tests.firmware.devices import array as elements


@pytest.mark.parametrize(
    "code",
    [
        "void f(void) { |USART2->BRR = 1; }",
        "void f(void) { USA|RT2->BRR = 1; }",
        "void f(void) { USART2|->BRR = 1; }",
        "void f(void) { USART2->|BRR = 1; }",
        "void f(void) { USART2->BR|R = 1; }",
        "void f(void) { (|USART2)->BRR = 1; }",
        "void f(void) { (*USART2).|BRR = 1; }",
        "void f(void) { USART2[0].|BRR = 1; }",
        "void f(void) { ((USART_TypeDef *)USART2)->|BRR = 1; }",
        "void f(void) { ((USART_TypeDef *)|0x40004400)->BRR = 1; }",
        "void f(void) { ((USART_TypeDef *)USART2_BASE)->|BRR = 1; }",
        "void f(void) { send(|&USART2->BRR); }",
        "void f(void) { send(&(USART2->|BRR)); }",
        "void f(void) { x = (uint16_t)USART2->|BRR; }",
        "void f(void) { x = buf[USART2->|BRR]; }",
        "void f(void) { USART2->CR1 = g(1, USART2->|BRR); }",
        "void f(void) { if (!(USART2->|BRR & 1)) return; }",
        "void f(void) { USART2\n  /* baud */\n  ->|BRR // rate\n = 1; }",
        "void f(void) { USART2->\\\n|BRR = 1; }",
        "void f(void) { *(volatile uint32_t *)|0x40004408 = 1; }",
        "void f(void) { |*(volatile uint32_t *)0x40004408 = 1; }",
        "void f(void) { *(__IO uint32_t *)(0x40004400 + |0x08) = 1; }",
        "void f(void) { *((vu32 *)(USART2_BASE + |8)) = 1; }",
        "void f(void) { ((volatile uint32_t *)|0x40004400)[2] = 1; }",
        "void f(void) { x = |0x40004408UL; }",
        "uint32_t brr = |0x40004408;",
        "USART2->|BRR = 1;",
    ],
)
def test_every_way_to_write_a_register(code: str) -> None:
    assert addresses(code) == [0x40004408]


@pytest.mark.parametrize(
    ("code", "expression"),
    [
        ("void f(void) { |USART2->BRR = 1; }", "USART2->BRR"),
        ("void f(void) { (USART2->|BRR) = 1; }", "USART2->BRR"),
        ("void f(void) { send(&USART2->|BRR); }", "USART2->BRR"),
        ("void f(void) { send(|&USART2->BRR); }", "&USART2->BRR"),
        ("void f(void) { x = (uint8_t)USART2->|BRR; }", "USART2->BRR"),
        ("void f(void) { USART2\n /* x */ ->|BRR = 1; }", "USART2 ->BRR"),
        ("void f(void) { GPIOA->|AFR[1] = 1; }", "GPIOA->AFR[1]"),
        ("void f(void) { x[GPIOA->|ODR] = 1; }", "GPIOA->ODR"),
    ],
)
def test_the_range_is_the_whole_expression(code: str, expression: str) -> None:
    found = at(code)
    assert found is not None
    assert " ".join(found.expression.split()) == expression
    text = code.replace("|", "").encode()[found.start : found.end].decode()
    assert text.startswith(expression[:5]) and text.endswith(expression[-3:])


@pytest.mark.parametrize(
    "code",
    [
        "void f(void) { |USART2; }",
        "void f(void) { init(|USART2, 9600); }",
        "USART_TypeDef *p = |USART2;",
        "void f(void) { init((void *)|USART2); }",
        "void f(void) { x = |USART2_BASE; }",
        "#define DEBUG_PORT |USART2\n",
        "void f(void) { |USART2->NOTHING = 1; }",
        "void f(void) { switch (p) { case (int)|USART2: break; } }",
    ],
)
def test_the_peripheral_alone(code: str) -> None:
    found = at(code)
    assert found is not None and found.kind == "peripheral"
    assert [location.path for location in found.locations] == ["USART2"]
    assert found.locations[0].address == 0x40004400


@pytest.mark.parametrize(
    "code",
    [
        "/* USART2->|BRR */",
        "// |USART2",
        'char *s = "USART2->|BRR";',
        "void f(void) { USART2->NOT|HING = 1; }",
        "void f(void) { USART2->BRR.no|thing = 1; }",
        "void f(void) { p_cb->rx_|length = 1; }",
        "void f(void) { p|_cb->BRR = 1; }",
        "void f(void) { huart->Instance->|BRR = 1; }",
        "void f(void) { x.USART2.|BRR = 1; }",
        "void f(void) { x.|USART2 = 1; }",
        "void f(int USART2) { |USART2 = 1; }",
        "void f(struct s *USART2) { USART2->|BRR = 1; }",
        "void f(void) { struct s *USART2 = g(); USART2->|BRR = 1; }",
        "void f(void) { for (int USART2 = 0; |USART2 < 3;) ; }",
        "struct s *USART2; void f(void) { USART2->|BRR = 1; }",
        "static struct s USART2 = { 0 }; void f(void) { g(&|USART2); }",
        "enum { USART2, USART3 }; void f(void) { g(|USART2); }",
        "enum kind { |USART2 };",
        "int |USART2(void) { return 0; }",
        "void f(void) { |USART2(3); }",
        "void f(void) { |USART2.begin(9600); }",
        "void f(void) { USART2.|begin(9600); }",
        "#ifdef |USART2\n#endif\n",
        "#if defined(|USART2)\n#endif\n",
        "#define COPY(USART2) (USART2->|BRR)\n",
        "#define USART2 1\nvoid f(void) { g(|USART2); }",
        "void f(void) { x = usart2->|BRR; }",
        "void f(void) { x = |usart2; }",
        "void f(void) { *USART2->|BRR[2] = 1; }",
        "void f(void) { |*USART2->BRR = 1; }",
        "void f(void) { x = |&USART2; }",
        "void f(void) { USART2[1].|BRR = 1; }",
        "void f(void) { USART2[i].|BRR = 1; }",
        "void f(void) { |int x = USART2->BRR; }",
        "void f(void) { x = (|uint8_t)USART2->BRR; }",
        "goto |USART2;",
        "void f(void) { x = y & |0x40004400; }",
        "#define CR3_BIT_Msk (0x4|0004400U)\n",
        "void f(void) { x = 1073759240|; }",
        "void f(void) { x = |0x40004409; }",
        "void f(void) { *(volatile uint32_t *)(|0x40004408 << n) = 1; }",
        "void f(void) { *(volatile uint32_t *)(base + |8) = 1; }",
        "  |  ",
        "|\n",
    ],
)
def test_silence_when_unsure(code: str) -> None:
    assert at(code) is None


def test_a_value_or_ed_into_a_register_is_a_mask() -> None:
    code = b"void f(void) { USART2->CR1 |= 0x40004400; }"
    assert resolve_at(Source(code), code.index(b"0x4"), [STM]) is None


def test_a_local_of_another_function_hides_nothing() -> None:
    others = "void g(struct s *USART2) {} void h(void) { int USART2; } "
    code = others + "void f(void) { USART2->|BRR = 1; }"
    assert addresses(code) == [0x40004408]


def test_a_local_declared_later_hides_nothing_before() -> None:
    assert addresses("void f(void) { USART2->|BRR = 1; { int USART2; } }") == [0x40004408]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("#define DBG USART3\nvoid f(void) { DBG->|BRR = 1; }", 0x40004808),
        ("#define DBG (USART3)\nvoid f(void) { |DBG->BRR = 1; }", 0x40004808),
        ("#define DBG LOG\n#define LOG USART3\nvoid f(void) { DBG->|BRR = 1; }", 0x40004808),
        ("#define DBG ((USART_TypeDef *)0x40004800)\nvoid f(void) { DBG->|BRR = 1; }", 0x40004808),
        ("#define RATE USART3->BRR\nvoid f(void) { |RATE = 1; }", 0x40004808),
        ("#define U3 0x40004800\nvoid f(void) { *(vu32 *)(U3 + |8) = 1; }", 0x40004808),
        ("#define UNIT 1\nvoid f(void) { GPIOA->|AFR[UNIT] = 1; }", 0x40020024),
        ("#define N 3\nvoid f(void) { SYSCFG->|EXTICR[N] = 1; }", 0x40013814),
        ("#define N (1 << 1)\nvoid f(void) { SYSCFG->|EXTICR[N - 1] = 1; }", 0x4001380C),
        ("enum { A, B, C };\nvoid f(void) { SYSCFG->|EXTICR[C] = 1; }", 0x40013810),
        ("enum e { A = 2, B };\nvoid f(void) { SYSCFG->|EXTICR[B] = 1; }", 0x40013814),
        ("#define SET(v) do { USART3->|BRR = (v); } while (0)\n", 0x40004808),
        ("#define SET(v) \\\n  USART3->CR1 = 0; \\\n  USART3->|BRR = (v)\n", 0x40004808),
        (
            "#define USART2 ((USART_TypeDef *)USART2_BASE)\nvoid f(void) { USART2->|BRR = 1; }",
            0x40004408,
        ),
    ],
)
def test_what_the_file_defines_itself(code: str, expected: int) -> None:
    assert addresses(code) == [expected]


def test_a_comment_within_a_macro_body_does_not_end_it() -> None:
    code = b"#define RATE (USART3->CR1 /* on */ + USART3->BRR)\nvoid f(void) { USART2->BRR = 1; }"
    found = resolve_at(Source(code), code.index(b"USART3->BRR"), [STM])
    assert found is not None and found.locations[0].address == 0x40004808
    found = resolve_at(Source(code), code.index(b"USART2"), [STM])
    assert found is not None and found.locations[0].address == 0x40004408


def test_a_macro_that_leads_to_itself_ends() -> None:
    assert at("#define A B\n#define B A\nvoid f(void) { |A->BRR = 1; }") is None
    assert at("#define A A + A\nvoid f(void) { SYSCFG->EXTICR[|A] = 1; }") is None


def test_a_macro_defined_two_ways_is_unsure() -> None:
    both = "#if X\n#define DBG USART2\n#else\n#define DBG USART3\n#endif\n"
    assert at(both + "void f(void) { DBG->|BRR = 1; }") is None


def test_the_index_of_an_array() -> None:
    assert addresses("void f(void) { GPIOA->|AFR[0] = 1; }") == [0x40020020]
    assert addresses("void f(void) { GPIOA->|AFR[1] = 1; }") == [0x40020024]
    assert addresses("void f(void) { GPIOA->AFR[|1] = 1; }") == [0x40020024]
    assert addresses("void f(void) { GPIOA->AFR[1|] = 1; }") == [0x40020024]
    assert at("void f(void) { GPIOA->|AFR[2] = 1; }") is None
    assert addresses("void f(void) { SYSCFG->|EXTICR[0] = 1; }") == [0x40013808]
    assert addresses("void f(void) { SYSCFG->|EXTICR[3] = 1; }") == [0x40013814]
    assert at("void f(void) { SYSCFG->|EXTICR[4] = 1; }") is None


def test_an_index_not_known_gives_all_elements_the_first_first() -> None:
    found = at("void f(void) { SYSCFG->|EXTICR[pin >> 2] = 1; }")
    assert found is not None and found.index_unknown
    assert [location.path for location in found.locations] == [
        "SYSCFG.EXTICR1",
        "SYSCFG.EXTICR2",
        "SYSCFG.EXTICR3",
        "SYSCFG.EXTICR4",
    ]


def test_a_variable_index_is_not_the_register() -> None:
    assert at("void f(void) { SYSCFG->EXTICR[|pin] = 1; }") is None
    assert at("void f(void) { SYSCFG->EXTICR[g.|pin] = 1; }") is None


def test_clusters_and_arrays_of_them() -> None:
    pwm = block(
        elements("SEQ[%s].PTR", 2, 0x520, 0x20),
        elements("SEQ[%s].CNT", 2, 0x524, 0x20),
        clusters=("SEQ[0]", "SEQ[1]"),
    )
    lookup = device(peripheral("PWM0", 0x4001C000, pwm), prefix="NRF_")
    assert addresses("void f(void) { NRF_PWM0->SEQ[1].|PTR = 1; }", lookup) == [0x4001C540]
    assert addresses("void f(void) { NRF_PWM0->|SEQ[0].CNT = 1; }", lookup) == [0x4001C524]
    found = at("void f(void) { NRF_PWM0->SEQ[n].|PTR = 1; }", lookup)
    assert found is not None and found.index_unknown
    assert [location.address for location in found.locations] == [0x4001C520, 0x4001C540]
    found = at("void f(void) { s = &NRF_PWM0->|SEQ[1]; }", lookup)
    assert found is not None and found.kind == "cluster"
    assert [location.path for location in found.locations] == ["PWM0.SEQ[1].PTR", "PWM0.SEQ[1].CNT"]


def test_registers_at_the_same_address_come_after_the_one_named() -> None:
    lookup = device(
        peripheral("SPIM1", 0x40004000, named(ENABLE=0x500)),
        peripheral("TWIM1", 0x40004000, named(ENABLE=0x500)),
        prefix="NRF_",
    )
    found = at("void f(void) { NRF_TWIM1->|ENABLE = 6; }", lookup)
    assert found is not None
    assert [location.path for location in found.locations] == ["TWIM1.ENABLE", "SPIM1.ENABLE"]


def test_a_byte_in_a_register_is_the_register() -> None:
    found = at("void f(void) { *(volatile uint8_t *)|0x4000440A = 1; }")
    assert found is not None
    assert [location.path for location in found.locations] == ["USART2.BRR"]


def test_the_base_of_a_peripheral_as_number() -> None:
    found = at("#define MY_UART |0x40004400\n")
    assert found is not None and found.kind == "address"
    assert [location.path for location in found.locations] == ["USART2", "USART2.SR"]


def test_one_bit_is_no_address_unless_its_name_says_so() -> None:
    lookup = device(peripheral("TIM2", 0x40000000, named(CR1=0)))
    assert at("#define OVERRUN |0x40000000U\n", lookup) is None
    assert addresses("#define TIM2_BASE |0x40000000U\n", lookup) == [0x40000000, 0x40000000]
    assert addresses("void f(void) { *(uint32_t *)|0x40000000 = 1; }", lookup) == [0x40000000]


def test_two_devices_are_both_shown_and_named() -> None:
    other = device(peripheral("USART2", 0x50004400, named(BRR=0x8)), name="other")
    found = at("void f(void) { USART2->|BRR = 1; }", STM, other)
    assert found is not None
    assert [(x.device.name, x.address) for x in found.locations] == [
        ("chip", 0x40004408),
        ("other", 0x50004408),
    ]


def test_a_register_as_union_names_the_register_and_its_field() -> None:
    from tests.firmware.devices import register

    contents = block(register("CTRLA", 0, "", 8, "SWRST", "ENABLE"))
    lookup = device(peripheral("ADC", 0x42004000, contents))
    assert first("void f(void) { ADC->CTRLA.|reg = 1; }", lookup) == "ADC.CTRLA"
    assert first("void f(void) { ADC->|CTRLA.bit.ENABLE = 1; }", lookup) == "ADC.CTRLA.ENABLE"
    assert first("void f(void) { ADC->CTRLA.bit.|SWRST = 1; }", lookup) == "ADC.CTRLA.SWRST"
    assert first("void f(void) { ADC->CTRLA.bit.|UNKNOWN = 1; }", lookup) == "ADC.CTRLA"
    assert at("void f(void) { ADC->CTRLA.|UNKNOWN = 1; }", lookup) is None


@pytest.mark.parametrize(
    "before",
    [
        b"\t\t",
        b"/* \xc3\xa4\xe2\x82\xac \xf0\x9f\x98\x80 */ ",
        b"/* \xe9\xe8 latin-1 \xff */ ",
        b"\x0c",
        b"/* \xe2\x80\xa8 \xe2\x80\xa9 */ ",
        b"\xe2\x80\xa8",
        b"\xc2\xa0\xc2\xa0",
        b"// comment\r\n",
        b"// comment\r",
        b"\x00",
        b'char *s = "\xe9";',
        b"int x\xc3\xa9 = 1;",
    ],
)
def test_what_stands_before_the_register_moves_nothing(before: bytes) -> None:
    for start in (b"", b"\xef\xbb\xbf"):
        data = start + b"void f(void) {" + before + b"|USART2->BRR = 1; }"
        found = at(data)
        assert found is not None and found.locations[0].address == 0x40004408
        text = data.replace(b"|", b"")
        assert text[found.start : found.end] == b"USART2->BRR"


@pytest.mark.parametrize(
    "code",
    [
        "void f(void) { USART2->|BRR = ",
        "void f(void) { if (USART2->|BRR",
        "void f(void) { } } } USART2->|BRR = 1;",
        "ATTRIBUTE(x) void f() { WAIT(USART2)\n  USART2->|BRR = 1;\n }",
        "class U { public: void f() { USART2->|BRR = 1; } };",
        "void U::f() { USART2->|BRR = 1; }",
        "template <int N> void f() { USART2->|BRR = N; }",
        "static void f(void) __attribute__((x)) { USART2->|BRR = 1; }",
    ],
)
def test_broken_and_foreign_code(code: str) -> None:
    assert addresses(code) == [0x40004408]


def test_the_tables_can_be_built_ahead() -> None:
    warm([STM])
    assert addresses("USART2->|BRR;") == [0x40004408]
