"""Small chips in the manner of several families, written for the tests."""

from __future__ import annotations

from datasheet_lsp.model import Device
from datasheet_lsp.svd import parse_svd

Fields = dict[str, int | tuple[int, int]]
Registers = dict[str, tuple[int, str, Fields]]


def _field(name: str, at: int | tuple[int, int]) -> str:
    high, low = at if isinstance(at, tuple) else (at, at)
    return f"<field><name>{name}</name><bitRange>[{high}:{low}]</bitRange></field>"


def _register(name: str, offset: int, text: str, fields: Fields, reset: int = 0) -> str:
    inside = "".join(_field(n, at) for n, at in fields.items())
    return (
        f"<register><name>{name}</name><description>{text}</description>"
        f"<addressOffset>{offset:#x}</addressOffset><resetValue>{reset:#x}</resetValue>"
        + (f"<fields>{inside}</fields>" if inside else "")
        + "</register>"
    )


def chip(
    name: str,
    peripherals: dict[str, tuple[int, Registers]],
    interrupts: dict[str, dict[str, int]] | None = None,
    cpu: str = "CM4",
    resets: dict[str, int] | None = None,
) -> Device:
    """A device; ``resets`` has the reset values by PERIPHERAL.REGISTER."""
    rows = []
    for number, (own, (base, registers)) in enumerate(peripherals.items()):
        lines = "".join(
            f"<interrupt><name>{n}</name><value>{v}</value></interrupt>"
            for n, v in (interrupts or {}).get(own, {}).items()
        )
        inside = "".join(
            _register(n, offset, text, fields, (resets or {}).get(f"{own}.{n}", 0))
            for n, (offset, text, fields) in registers.items()
        )
        rows.append(
            f"<peripheral><name>{own}</name><description>block {number}</description>"
            f"<baseAddress>{base:#x}</baseAddress>{lines}<registers>{inside}</registers>"
            "</peripheral>"
        )
    text = (
        f'<device schemaVersion="1.3"><name>{name}</name><version>1</version>'
        f"<description>small</description><cpu><name>{cpu}</name><revision>r0p1</revision>"
        "<endian>little</endian><nvicPrioBits>4</nvicPrioBits></cpu>"
        "<addressUnitBits>8</addressUnitBits><width>32</width><size>32</size>"
        f"<access>read-write</access><peripherals>{''.join(rows)}</peripherals></device>"
    )
    return parse_svd(text.encode(), f"{name}.svd")


_NVIC: Registers = {
    "ISER0": (0x100, "Interrupt set-enable", {"SETENA": (31, 0)}),
    "ISER1": (0x104, "Interrupt set-enable", {"SETENA": (31, 0)}),
}
_UART: Registers = {
    "SR": (0x00, "Status register", {"RXNE": 5}),
    "DR": (0x04, "Data register", {"DR": (8, 0)}),
    "BRR": (0x08, "Baud rate register", {"DIV": (15, 4)}),
    "CR1": (0x0C, "Control register 1", {"UE": 13, "RXNEIE": 5, "TE": 3, "RE": 2}),
    "CR3": (0x14, "Control register 3", {"DMAR": 6, "DMAT": 7}),
}
_PORT: Registers = {
    "MODER": (0x00, "Mode register", {f"MODER{n}": (2 * n + 1, 2 * n) for n in range(16)}),
    "AFRL": (0x20, "Alternate function low", {f"AFRL{n}": (4 * n + 3, 4 * n) for n in range(8)}),
    "ODR": (0x14, "Output data", {f"ODR{n}": n for n in range(16)}),
}

REST: Device = chip(
    "ALFA32",
    {
        "RCC": (
            0x40020000,
            {
                "CFGR": (0x08, "Clock configuration", {"PPRE1": (12, 10), "PPRE2": (15, 13)}),
                "APB1RSTR": (0x20, "Peripheral reset", {"UART2RST": 17}),
                "APB1ENR": (0x40, "Clock enable", {"USART2EN": 17, "TIM7EN": 5}),
                "AHB1ENR": (0x30, "Clock enable", {"GPIOAEN": 0, "GPIOBEN": 1, "DMA1EN": 21}),
                "APB1LPENR": (0x60, "Clock enable in sleep", {"USART2LPEN": 17}),
            },
        ),
        "USART2": (0x40004400, _UART),
        "TIM7": (
            0x40001400,
            {
                "CR1": (0x00, "Control register 1", {"CEN": 0}),
                "DIER": (0x0C, "Interrupt enable register", {"UIE": 0}),
                "SR": (0x10, "Status register", {"UIF": 0}),
                "PSC": (0x28, "Prescaler", {"PSC": (15, 0)}),
                "ARR": (0x2C, "Auto-reload register", {"ARR": (15, 0)}),
            },
        ),
        "GPIOA": (0x40020400, _PORT),
        "GPIOB": (0x40020800, _PORT),
        "DMA1": (
            0x40026000,
            {
                "S5CR": (0x88, "stream 5 configuration register", {"EN": 0, "CHSEL": (27, 25)}),
                "S0CR": (0x10, "stream 0 configuration register", {"EN": 0, "CHSEL": (27, 25)}),
                "S5NDTR": (0x8C, "stream 5 number of data", {}),
            },
        ),
        "NVIC": (0xE000E000, _NVIC),
    },
    {
        "USART2": {"USART2": 38},
        "TIM7": {"TIM7": 55},
        "DMA1": {"DMA1_Stream0": 11, "DMA1_Stream5": 16},
    },
)
"""In the manner of chips with a reset and clock control of enable bits named xxEN."""

GATED: Device = chip(
    "BRAVO",
    {
        "SIM": (
            0x40047000,
            {
                "SCGC4": (0x34, "System Clock Gating Control Register 4", {"UART1": 11}),
                "SCGC5": (0x38, "System Clock Gating Control Register 5", {"PORTC": 11}),
                "CLKDIV1": (0x44, "Divider", {"OUTDIV4": (18, 16)}),
                "SOPT2": (0x04, "Options", {"UART1SRC": (27, 26)}),
            },
        ),
        "UART1": (
            0x4006B000,
            {
                "BDH": (0x0, "Baud Rate Register High", {"SBR": (4, 0)}),
                "BDL": (0x1, "Baud Rate Register Low", {"SBR": (7, 0)}),
                "C2": (0x3, "Control Register 2", {"RE": 2, "TE": 3, "RIE": 5}),
            },
        ),
        "PORTC": (0x4004B000, {"PCR5": (0x14, "Pin Control", {"MUX": (10, 8), "IRQC": (19, 16)})}),
        "GPIOC": (0x400FF080, {"PDDR": (0x14, "Direction", {}), "PSOR": (0x4, "Set", {})}),
    },
    {"UART1": {"UART1": 13}, "PORTC": {"PORTC_PORTD": 31}},
)
"""In the manner of chips with clock gates in a system integration module."""

HELD: Device = chip(
    "CHARLIE",
    {
        "RESETS": (0x4000C000, {"RESET": (0x0, "Reset control", {"uart0": 22, "pwm": 14})}),
        "CLOCKS": (
            0x40008000,
            {
                "CLK_PERI_CTRL": (0x48, "Clock control", {"AUXSRC": (7, 5), "ENABLE": 11}),
                "WAKE_EN1": (0xA4, "enable clock in wake mode", {"clk_peri_uart0": 6}),
            },
        ),
        "UART0": (0x40034000, {"UARTIBRD": (0x24, "Integer Baud Rate Register", {})}),
        "PWM": (0x40050000, {"CH0_TOP": (0x10, "Counter wrap value", {})}),
    },
    resets={"RESETS.RESET": 0x1FFFFFF, "CLOCKS.WAKE_EN1": 0x7FFF},
)
"""In the manner of chips that hold their peripherals in reset."""

NORDIC: Device = chip(
    "DELTA",
    {
        "UART0": (
            0x40002000,
            {
                "TASKS_STARTRX": (0x000, "Start receiver", {}),
                "INTENSET": (0x304, "Interrupt enable set register", {"RXDRDY": 2, "TXDRDY": 7}),
                "ENABLE": (0x500, "Enable UART", {"ENABLE": (2, 0)}),
                "PSELTXD": (0x50C, "Pin select for TXD", {}),
                "PSELRXD": (0x514, "Pin select for RXD", {}),
                "BAUDRATE": (0x524, "UART baudrate", {}),
            },
        )
    },
    {"UART0": {"UART0": 2}},
)
"""In the manner of chips without clock gates."""

SWITCHED: Device = chip(
    "ECHO8",
    {
        "SYSCON": (
            0x40048000,
            {
                "SYSAHBCLKCTRL": (0x80, "System clock control", {"UART0": 14, "GPIO": 6}),
                "PRESETCTRL": (0x04, "Peripheral reset control", {"UART0_RST_N": 3}),
                "SYSAHBCLKDIV": (0x78, "System clock divider", {"DIV": (7, 0)}),
                "UARTCLKDIV": (0x94, "USART clock divider", {"DIV": (7, 0)}),
                "PCONP": (0xC4, "Power control for peripherals", {"PCTIM0": 1}),
            },
        ),
        "SWM": (
            0x4000C000,
            {"PINASSIGN0": (0x0, "Pin assign", {"U0_TXD_O": (7, 0), "U0_RXD_I": (15, 8)})},
        ),
        "USART0": (0x40064000, {"BRG": (0x20, "Baud Rate Generator", {"BRGVAL": (15, 0)})}),
        "TIMER0": (0x40004000, {"PR": (0x0C, "Prescale Register", {})}),
    },
    resets={"SYSCON.PRESETCTRL": 0x1FFF},
)
"""In the manner of chips with a system control block and a switch matrix."""
