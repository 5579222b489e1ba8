"""A made-up chip for the tests of mistakes, hints and accesses, as SVD text."""

from __future__ import annotations

from functools import cache

from datasheet_lsp.model import Device, Lookup
from datasheet_lsp.svd import parse_svd


def field(name: str, bits: str, access: str = "", extra: str = "") -> str:
    """``bits`` as ``7:4`` or ``3``; ``extra`` further elements."""
    high, _, low = bits.partition(":")
    given = f"<access>{access}</access>" if access else ""
    bits = f"<bitRange>[{high}:{low or high}]</bitRange>"
    return f"<field><name>{name}</name>{bits}{given}{extra}</field>"


def values(*names: str) -> str:
    """Enumerated values from 0 on, those called "" left out."""
    entries = "".join(
        f"<enumeratedValue><name>{name}</name><value>{value}</value></enumeratedValue>"
        for value, name in enumerate(names)
        if name
    )
    return f"<enumeratedValues>{entries}</enumeratedValues>"


CLEAR = "<modifiedWriteValues>oneToClear</modifiedWriteValues>"


def register(
    name: str, offset: int, *fields: str, access: str = "", size: int = 32, extra: str = ""
) -> str:
    """A register; without fields the SVD says nothing of its bits."""
    given = f"<access>{access}</access>" if access else ""
    inner = f"<fields>{''.join(fields)}</fields>" if fields else ""
    return (
        f"<register><name>{name}</name><addressOffset>{offset:#x}</addressOffset>"
        f"<size>{size}</size>{given}{extra}{inner}</register>"
    )


def peripheral(name: str, base: int, *registers: str, interrupt: int = -1, like: str = "") -> str:
    """A peripheral of 1 KiB; ``like`` another one when it has the same registers."""
    number = f"<interrupt><name>{name}</name><value>{interrupt}</value></interrupt>"
    derived = f' derivedFrom="{like}"' if like else ""
    group = name.rstrip("0123456789")
    return (
        f"<peripheral{derived}><name>{name}</name><groupName>{group}</groupName>"
        f"<baseAddress>{base:#x}</baseAddress>"
        "<addressBlock><offset>0</offset><size>0x400</size><usage>registers</usage></addressBlock>"
        + (number if interrupt >= 0 else "")
        + (f"<registers>{''.join(registers)}</registers>" if registers else "")
        + "</peripheral>"
    )


MODES = values("Input", "Output", "Alternate", "Analog")

SVD = (
    '<?xml version="1.0" encoding="utf-8"?><device><name>MADEUP1</name>'
    "<description>A chip for tests</description><addressUnitBits>8</addressUnitBits>"
    "<cpu><name>CM4</name><revision>r0p1</revision><endian>little</endian>"
    "<mpuPresent>true</mpuPresent><fpuPresent>true</fpuPresent>"
    "<nvicPrioBits>4</nvicPrioBits><vendorSystickConfig>false</vendorSystickConfig></cpu>"
    "<width>32</width><size>32</size><access>read-write</access><resetValue>0</resetValue>"
    "<peripherals>"
    + peripheral(
        "RCC",
        0x40023800,
        register(
            "CR", 0x00, field("HSION", "0"), field("HSIRDY", "1", "read-only"),
            field("HSEON", "16"), field("HSERDY", "17", "read-only"),
            extra="<resetValue>0x83</resetValue>",
        ),
        register(
            "CFGR", 0x08,
            field("SW", "1:0", extra=values("HSI", "HSE", "PLL")),
            field("SWS", "3:2", "read-only"), field("PPRE1", "12:10"),
        ),
        register("AHB1ENR", 0x30, field("GPIOAEN", "0"), field("GPIOBEN", "1")),
        register(
            "APB1ENR", 0x40, field("TIM2EN", "0"), field("TIM3EN", "1"),
            field("USART2EN", "17"), field("USART3EN", "18"),
        ),
    )
    + peripheral(
        "USART2",
        0x40004400,
        register(
            "SR", 0x00, field("RXNE", "5"), field("TC", "6"), field("TXE", "7", "read-only"),
            field("IDLE", "4", "read-only"), field("ORE", "3", "read-only"),
        ),
        register("DR", 0x04, field("DR", "8:0"), extra="<readAction>modifyExternal</readAction>"),
        register("BRR", 0x08, field("DIV_Mantissa", "15:4"), field("DIV_Fraction", "3:0")),
        register(
            "CR1", 0x0C, field("UE", "13"), field("M", "12"), field("RXNEIE", "5"),
            field("TE", "3"), field("RE", "2"),
        ),
        register("CR2", 0x10, field("STOP", "13:12", extra=values("One", "Half", "Two"))),
        interrupt=38,
    )
    + peripheral("USART3", 0x40004800, like="USART2", interrupt=39)
    + peripheral(
        "GPIOA",
        0x40020000,
        register("MODER", 0x00, *(field(f"MODER{i}", f"{2 * i + 1}:{2 * i}", extra=MODES)
                                  for i in range(16))),
        register("IDR", 0x10, *(field(f"IDR{i}", str(i)) for i in range(16)), access="read-only"),
        register("ODR", 0x14, *(field(f"ODR{i}", str(i)) for i in range(16))),
        register("BSRR", 0x18, *(field(f"BS{i}", str(i)) for i in range(16)),
                 *(field(f"BR{i}", str(i + 16)) for i in range(16)), access="write-only"),
    )
    + peripheral("GPIOB", 0x40020400, like="GPIOA")
    + peripheral(
        "TIM2",
        0x40000000,
        register("CR1", 0x00, field("CEN", "0"), field("DIR", "4"), field("CMS", "6:5")),
        register("SR", 0x10, field("UIF", "0", extra=CLEAR), field("CC1IF", "1", extra=CLEAR),
                 field("CC2IF", "2", extra=CLEAR)),
        register("CNT", 0x24, size=16),
        interrupt=28,
    )
    + peripheral("TIM3", 0x40000400, like="TIM2", interrupt=29)
    + peripheral(
        "ADC",
        0x42004000,
        register("CTRLA", 0x00, field("SWRST", "0"), field("ENABLE", "1"), size=8),
        register("CTRLB", 0x02, field("PRESCALER", "5:4"), field("RESSEL", "1:0",
                 extra=values("BITS12", "BITS16", "BITS10") + "<writeConstraint>"
                 "<useEnumeratedValues>true</useEnumeratedValues></writeConstraint>"), size=16),
        register("INTFLAG", 0x18, field("RESRDY", "0", extra=CLEAR),
                 field("OVERRUN", "1", extra=CLEAR), size=8),
        register("RESULT", 0x1A, field("RESULT", "15:0"), access="read-only", size=16),
    )
    + peripheral(
        "UART0",
        0x40034000,
        register("UARTDR", 0x00, field("DATA", "7:0"), field("FE", "8", "read-only")),
        register("UARTFR", 0x18, field("BUSY", "3"), field("TXFF", "5"), access="read-only"),
        register("UARTIBRD", 0x24, field("BAUD_DIVINT", "15:0")),
        register("UARTCR", 0x30, field("UARTEN", "0"), field("TXE", "8"), field("RXE", "9")),
        register("UARTICR", 0x44, field("RXIC", "4", extra=CLEAR), field("TXIC", "5", extra=CLEAR)),
    )
    + peripheral("UART1", 0x40038000, like="UART0")
    + "</peripherals></device>"
)  # fmt: skip


@cache
def chip() -> Device:
    """The chip with its core, as the product loads it."""
    from datasheet_lsp.svd.cores import add_core

    return add_core(parse_svd(SVD.encode(), "madeup.svd"))


@cache
def lookup() -> Lookup:
    """Its tables."""
    return Lookup(chip())
