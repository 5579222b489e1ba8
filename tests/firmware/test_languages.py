"""Registers in Rust and in assembly."""

from __future__ import annotations

import time

import pytest

from datasheet_lsp.firmware import Resolved, Source, resolve_at, tongue_of
from tests.firmware.devices import array, block, device, named, peripheral, register

CHIP = device(
    peripheral(
        "USART2",
        0x40004400,
        block(register("SR", 0), register("BRR", 8, "", 32, "DIV_Fraction", "DIV_Mantissa")),
    ),
    peripheral("GPIOA", 0x40020000, named(MODER=0x0, ODR=0x14, BSRR=0x18)),
    peripheral("RCC", 0x40023800, block(register("CR", 0), register("APB1ENR", 64, "", 32, "EN"))),
    peripheral("PWM", 0x40050000, block(array("CH[%s].CC", 4, 0x10, 8), clusters=("CH[0]",))),
    peripheral("P0", 0x50000000, block(array("PIN_CNF[%s]", 32, 0x700))),
    cpu="CM4",
)  # fmt: skip


def at(code: str, tongue: str) -> Resolved | None:
    data = code.encode()
    offset = data.index(b"^")  # | is taken by the closures of Rust
    data = data[:offset] + data[offset + 1 :]
    found = resolve_at(Source(data, tongue), offset, [CHIP])  # type: ignore[arg-type]
    if found is not None:
        assert found.start <= offset < found.end
    return found


def path(code: str, tongue: str) -> str | None:
    found = at(code, tongue)
    return None if found is None else found.locations[0].path


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("p.USART2.^brr().write(|w| w.bits(3));", "USART2.BRR"),
        ("p.USART2.^brr.write(|w| w.bits(3));", "USART2.BRR"),
        ("p.^USART2.brr().read();", "USART2"),
        ("p.USART2.brr().^write(|w| w);", "USART2.BRR"),
        ("p.USART2.brr().write(|w| w.^div_mantissa().bits(27));", "USART2.BRR.DIV_Mantissa"),
        (
            "p.USART2.brr().modify(|_, w| w.div_mantissa().bits(2).^div_fraction().bits(1));",
            "USART2.BRR.DIV_Fraction",
        ),
        ("p.USART2.brr().modify(|r, w| w.x(r.^div_fraction().bits()));", "USART2.BRR.DIV_Fraction"),
        ("p.USART2.brr().read().^div_mantissa().bits();", "USART2.BRR.DIV_Mantissa"),
        ("(*USART2::ptr()).^sr.read();", "USART2.SR"),
        ("unsafe { &*pac::USART2::ptr() }.^sr.read();", "USART2.SR"),
        ("pac::RCC.^apb1enr().modify(|w| w.set_en(true));", "RCC.APB1ENR"),
        ("pac::RCC.apb1enr().modify(|w| w.^set_en(true));", "RCC.APB1ENR.EN"),
        ("let rcc = &dp.RCC; rcc.^cr.read();", "RCC.CR"),
        ("let rcc = dp.RCC.constrain(); rcc.^cr.sysclk(1);", None),
        ("let brr = &dp.USART2.brr; brr.^write(|w| w);", "USART2.BRR"),
        ("p.PWM.ch(2).^cc().read();", "PWM.CH[2].CC"),
        ("p.P0.^pin_cnf[7].write(|w| w);", "P0.PIN_CNF[7]"),
        ("foo.^brr().read();", None),
        ("p.USART2.^nothing().read();", None),
        ("let USART2 = 3; f(^x);", None),
    ],
)
def test_rust(body: str, expected: str | None) -> None:
    assert path(f"fn f(p: Peripherals) {{ {body} }}", "rust") == expected


def test_rust_types_of_parameters_and_fields() -> None:
    assert path("fn f(u: &pac::USART2) { u.^brr().read(); }", "rust") == "USART2.BRR"
    code = "struct S { uart: USART2 } impl S { fn f(&self) { self.uart.^sr().read(); } }"
    assert path(code, "rust") == "USART2.SR"


def test_an_array_of_which_the_element_is_not_known_in_rust() -> None:
    found = at("fn f(i: usize) { p.P0.^pin_cnf[i].read(); }", "rust")
    assert found is not None
    assert found.index_unknown
    assert len(found.locations) == 32


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("  LDR r0, =^0x40023800\n", "RCC"),
        ("  ldr r0, =^0x40023840 @ APB1ENR\n", "RCC.APB1ENR"),
        (".equ RCC_BASE, 0x40023800\n.equ EN, 0x40\n ldr r0, =^RCC_BASE + EN\n", "RCC"),
        (".equ RCC_BASE, 0x40023800\n ldr r0, =RCC_BASE\n ldr r1, [r0, ^#0x40]\n", "RCC.APB1ENR"),
        ("RCC_BASE EQU 0x40023800\n LDR R0, =RCC_BASE\n STR R1, [R0, ^#0x40]\n", "RCC.APB1ENR"),
        (".set ODR, 0x14\n ldr r3, =0x40020000\n mov r1, #1\n str r1, [r3, ^#ODR]\n", "GPIOA.ODR"),
        (" ldr r3, =0x40020000\n str r1, [^r3]\n", "GPIOA.MODER"),
        (" li t0, 0x40023800\n sw t1, ^0x40(t0)\n", "RCC.APB1ENR"),
        (" ldr r3, =0x40020000\n add r3, r3, r4\n str r1, [^r3]\n", None),
        ("  ldr r0, =^GPIOA_BASE\n", "GPIOA"),
        ("  mov r0, #^0x40\n", None),
        ("loop:\n b ^loop\n", None),
    ],
)
def test_assembly(code: str, expected: str | None) -> None:
    assert path(code, "asm") == expected


@pytest.mark.parametrize(
    ("tongue", "text"),
    [
        ("asm", " " * 60_000 + "^x"),
        ("asm", "ldr" + " r0 ," * 12_000 + " ^r1"),
        ("rust", "fn f() {" + "if x {" * 6_000 + "^RCC.cr()" + "}" * 6_000),
    ],
)
def test_odd_texts_take_no_time(tongue: str, text: str) -> None:
    begin = time.process_time()
    at(text, tongue)
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.c", "", "c"), ("a.h", "int x;", "c"), ("a.h", "class A {};", "cpp"),
        ("a.h", "namespace a { }", "cpp"), ("a.ino", "", "cpp"), ("a.hpp", "", "cpp"),
        ("a.rs", "", "rust"), ("startup.S", "", "asm"), ("a.txt", "", "c"),
    ],
)  # fmt: skip
def test_the_language_of_a_file(name: str, text: str, expected: str) -> None:
    assert tongue_of(name, text.encode()) == expected
