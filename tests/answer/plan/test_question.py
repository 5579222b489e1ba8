"""What questions in plain words are taken to be about, and what their plans have to name."""

from __future__ import annotations

import pytest

from datasheet_lsp.answer.plan import plan_for_question, targets_of
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.evaluation.plan_coverage import cover
from datasheet_lsp.evaluation.questions import read_questions
from tests.answer.plan.chips import REST, SWITCHED
from tests.answer.plan.devices import real
from tests.support import ROOT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("interrupt when PIO0_12 falls", [("0", 12)]),
        ("PC4 and PD13", [("C", 4), ("D", 13)]),
        ("LED on PTB18", [("B", 18)]),
        ("P0.13 is the button", [("0", 13)]),
        ("P1_12", [("1", 12)]),
        ("GPIO25 high", [("0", 25)]),
        ("SPI1 and TIM2 at PCLK1, PA2x", []),
    ],
)
def test_pins_in_words(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(pin.port, pin.number) for pin in pins_in(text)] == expected


@pytest.mark.parametrize(
    ("text", "aims"),
    [
        ("Configure USART2 at 9600 baud", {"baud"}),
        ("UART at 115200, every received byte by interrupt", {"baud", "interrupt", "receive"}),
        ("call a function every 10 ms", {"interrupt", "periodic", "handler-periodic"}),
        ("50 Hz servo PWM on PC4", {"pwm", "function-pin"}),
        ("reset the chip when the main loop hangs", {"watchdog"}),
        ("DMA for USART2 RX", {"dma", "receive"}),
        ("what is the meaning of life", set()),
    ],
)
def test_aims_in_words(text: str, aims: set[str]) -> None:
    assert set(targets_of(text, REST).aims) == aims


def test_a_time_to_sleep_for_is_no_timer_of_its_own() -> None:
    aims = targets_of("go to standby and wake up by itself every second", REST).aims
    assert "wake-by-time" in aims and "periodic" not in aims


def test_a_frequency_is_not_the_name_of_a_register() -> None:
    assert targets_of("PWM of 25 kHz at 3.3 V and 10 mA", REST).registers == ()


@pytest.mark.parametrize(
    ("text", "peripherals"),
    [
        ("USART0 at 9600", ("USART0",)),
        ("U0_TXD on a pin", ("USART0",)),
        ("the serial port", ("USART0",)),
        ("UART0 at 9600", ("USART0",)),
        ("USART7 at 9600", ()),
    ],
)
def test_peripherals_by_their_names_and_kinds(text: str, peripherals: tuple[str, ...]) -> None:
    assert targets_of(text, SWITCHED).peripherals == peripherals


def test_a_peripheral_that_the_chip_has_not_is_told_and_no_other_taken() -> None:
    plan = plan_for_question("USART7 at 9600 baud", SWITCHED)
    assert plan.steps == () and plan.notes == ("ECHO8 has no USART7",)


def test_a_channel_of_the_dma_is_no_channel_of_the_converter() -> None:
    targets = targets_of("ADC channel 4 by DMA channel 2", REST)
    assert (targets.channel, targets.dma_channel) == (4, 2)


@pytest.mark.parametrize(
    ("stem", "text", "registers"),
    [
        ("STM32F407", "DMA for USART2 RX", "RCC.APB1ENR RCC.AHB1ENR USART2.CR3 USART2.CR1"),
        ("STM32F407", "1 kHz PWM on TIM3 channel 2", "TIM3.CCMR1_Output TIM3.CCR2 TIM3.CCER"),
        ("STM32F103xx", "interrupt when PA0 falls", "AFIO.EXTICR1 EXTI.FTSR EXTI.IMR NVIC.ISER0"),
        ("STM32G071", "measure a voltage on channel 3", "RCC.APBENR2 ADC.ADC_CR ADC.ADC_DR"),
        ("rp2040", "blink an LED on GPIO25", "IO_BANK0.GPIO25_CTRL SIO.GPIO_OE RESETS.RESET"),
        ("rp2040", "run the core at 133 MHz", "PLL_SYS.FBDIV_INT CLOCKS.CLK_SYS_CTRL"),
        ("nrf52840", "UARTE0 receive by DMA", "UARTE0.RXD.PTR UARTE0.RXD.MAXCNT UARTE0.ENABLE"),
        ("ATSAMD21J18A", "button on PA15 shall interrupt", "EIC.CONFIG1 EIC.INTENSET"),
        ("EFM32GG230F1024", "USART1 at 9600 baud", "CMU.HFPERCLKEN0 USART1.CLKDIV USART1.ROUTE"),
        ("TM4C123GH6PM", "LED on PF2", "SYSCTL.RCGCGPIO GPIOF.DIR GPIOF.DEN"),
        ("esp32c3", "1 kHz PWM on GPIO4", "SYSTEM.PERIP_CLK_EN0 LEDC.CH0_DUTY IO_MUX.GPIO4"),
        ("GD32VF103", "USART0, receive interrupt", "RCU.APB2EN USART0.BAUD ECLIC.CLICINTIE_56"),
        ("MKL25Z4", "reset when the main loop hangs", "SIM.COPC SIM.SRVCOP"),
        ("R7FA4M1AB", "SCI1 at 9600 baud", "MSTP.MSTPCRB SCI1.BRR SCI1.SCR"),
        ("BL602_soc602_reg", "UART0 at 9600 baud", "UART0.uart_bit_prd UART0.utx_config"),
    ],
)
def test_what_real_chips_take(stem: str, text: str, registers: str) -> None:
    named = {step.register for step in plan_for_question(text, real(stem)).steps}
    assert set(registers.split()) <= named


SETS = sorted((ROOT / "data" / "eval" / "plan").glob("*.jsonl"))


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_plans_name_what_goals_take(path) -> None:  # type: ignore[no-untyped-def]
    import json

    assert read_questions([path])
    questions = [json.loads(line) for line in path.read_text().splitlines()]
    stem = questions[0]["device"]
    rows = cover(questions, {stem: real(stem)}, None)
    groups, met = sum(row.groups for row in rows), sum(row.met for row in rows)
    assert met >= 0.9 * groups, [row.missing for row in rows if row.missing]
