"""The conventions of families, on small chips of our own."""

from __future__ import annotations

import pytest

from datasheet_lsp.answer.plan import Pin, Plan, PlanTargets, build_plan, plan_for_question
from datasheet_lsp.answer.plan.facts import DmaFact, ManualFacts, PinFact
from datasheet_lsp.answer.plan.graph import graph
from datasheet_lsp.answer.plan.model import KINDS, Place
from datasheet_lsp.answer.plan.naming import Peripherals
from datasheet_lsp.answer.plan.question import targets_of
from datasheet_lsp.model import Device
from tests.answer.plan.chips import GATED, HELD, NORDIC, REST, SWITCHED


def steps(plan: Plan, kind: str) -> set[str]:
    return {f"{s.register}{f'.{s.field}' if s.field else ''}" for s in plan.steps if s.kind == kind}


def edges(device: Device, name: str, kind: str) -> set[str]:
    return {
        f"{e.register.path}.{e.field.name}"
        for e in graph(device).edges(name, kind)  # type: ignore[arg-type]
        if e.field is not None
    }


@pytest.mark.parametrize(
    ("device", "name", "kind", "expected"),
    [
        (REST, "USART2", "clock", {"APB1ENR.USART2EN"}),
        (REST, "USART2", "reset", {"APB1RSTR.UART2RST"}),
        (REST, "GPIOB", "clock", {"AHB1ENR.GPIOBEN"}),
        (REST, "NVIC", "clock", set()),
        (GATED, "UART1", "clock", {"SCGC4.UART1"}),
        (GATED, "UART1", "kernel-clock", {"SOPT2.UART1SRC"}),
        (GATED, "GPIOC", "clock", {"SCGC5.PORTC"}),
        (HELD, "UART0", "reset", {"RESET.uart0"}),
        (HELD, "UART0", "kernel-clock", {"CLK_PERI_CTRL.AUXSRC"}),
        (HELD, "PWM", "kernel-clock", set()),
        (SWITCHED, "USART0", "clock", {"SYSAHBCLKCTRL.UART0"}),
        (SWITCHED, "USART0", "reset", {"PRESETCTRL.UART0_RST_N"}),
        (SWITCHED, "USART0", "kernel-clock", {"UARTCLKDIV.DIV"}),
        (SWITCHED, "USART0", "pin", {"PINASSIGN0.U0_TXD_O", "PINASSIGN0.U0_RXD_I"}),
        (SWITCHED, "TIMER0", "clock", {"PCONP.PCTIM0"}),
        (NORDIC, "UART0", "clock", set()),
    ],
)
def test_switches(device: Device, name: str, kind: str, expected: set[str]) -> None:
    assert edges(device, name, kind) == expected


def test_a_bus_is_divided_where_its_name_says() -> None:
    bus = graph(REST).bus("USART2")
    assert [(e.register.path, e.field.name if e.field else "") for e in bus] == [("CFGR", "PPRE1")]


def test_what_is_held_in_reset_matters_and_what_is_not_does_not() -> None:
    held = next(s for s in build_plan(HELD, PlanTargets(("UART0",))).steps if s.kind == "reset")
    free = next(
        s for s in build_plan(SWITCHED, PlanTargets(("USART0",))).steps if s.kind == "reset"
    )
    assert held.weight > 0.9 and free.weight < 0.3
    awake = next(s for s in build_plan(HELD, PlanTargets(("UART0",))).steps if s.kind == "clock")
    assert awake.weight < 0.5


@pytest.mark.parametrize(
    ("token", "meant"),
    [
        ("USART2", ["USART2"]),
        ("UART2", ["USART2"]),
        ("GPIOA", ["GPIOA"]),
        ("IOPA", ["GPIOA"]),
        ("PA", ["GPIOA"]),
        ("TIMER7", ["TIM7"]),
        ("DMA", ["DMA1"]),
        ("TIM17", []),
        ("SPI1", []),
    ],
)
def test_names_of_one_thing(token: str, meant: list[str]) -> None:
    assert [match.peripheral for match in Peripherals(REST).meant(token)] == meant


def test_a_serial_port_in_order() -> None:
    plan = plan_for_question("Configure USART2 at 9600 baud", REST)
    assert steps(plan, "clock") == {"RCC.APB1ENR.USART2EN"}
    assert steps(plan, "prescaler") == {"RCC.CFGR.PPRE1"}
    assert "USART2.BRR.DIV" in steps(plan, "register")
    assert any(s.startswith("USART2.CR1") for s in steps(plan, "enable"))
    order = [KINDS.index(step.kind) for step in plan.steps]
    assert order == sorted(order)
    step = next(s for s in plan.steps if s.kind == "clock")
    assert (step.address, step.bits, step.source) == (0x40020040, (17, 17), "rule:rcc-enable")
    assert not steps(plan, "nvic") and not steps(plan, "dma")


def test_an_interrupt_has_its_bit_in_the_peripheral_and_in_the_controller() -> None:
    plan = plan_for_question("USART2: an interrupt for every received byte", REST)
    assert "USART2.CR1.RXNEIE" in steps(plan, "irq")
    nvic = [s for s in plan.steps if s.kind == "nvic"]
    # Interrupt 38 is bit 6 of the second register.
    assert [(s.register, s.bits) for s in nvic] == [("NVIC.ISER1", (6, 6))]
    assert "38" in nvic[0].why and "USART2" in nvic[0].why


def test_a_time_without_a_timer_takes_one() -> None:
    plan = plan_for_question("call a function every 10 ms", REST)
    registers = {step.register for step in plan.steps}
    assert {"TIM7.PSC", "TIM7.ARR", "TIM7.DIER", "TIM7.CR1", "RCC.APB1ENR"} <= registers
    assert [s.bits for s in plan.steps if s.kind == "nvic"] == [(23, 23)]


FACTS = ManualFacts(
    pins=(
        PinFact("USART2_TX", Pin("PA2", "A", 2), "AF7", Place(3, 60, "9")),
        PinFact("USART2_RX", Pin("PA3", "A", 3), "AF7", Place(3, 60, "9")),
    ),
    dma=(
        DmaFact("USART2_RX", 5, "DMA1", Place(3, 205, "42")),
        DmaFact("USART2_TX", 6, "DMA1", Place(3, 205, "42")),
    ),
)


def test_tables_of_a_manual_say_which_pins_and_which_stream() -> None:
    targets = PlanTargets(("USART2", "DMA1"), ("dma", "receive"))
    plan = build_plan(REST, targets, FACTS)
    assert {"GPIOA.MODER.MODER2", "GPIOA.AFRL.AFRL3"} <= steps(plan, "pin")
    assert "RCC.AHB1ENR.GPIOAEN" in steps(plan, "clock")
    assert "USART2.CR3.DMAR" in steps(plan, "dma")
    registers = {step.register for step in plan.steps}
    assert "DMA1.S5CR" in registers and "DMA1.S0CR" not in registers
    # Stream 5 has interrupt 16.
    assert ("NVIC.ISER0", (16, 16)) in {(s.register, s.bits) for s in plan.steps}
    assert Place(3, 205, "42") in plan.places and Place(3, 60, "9") in plan.places
    assert "DMA channel 5" in plan.notes[0]


def test_a_port_with_pin_control_registers() -> None:
    plan = plan_for_question("toggle an LED on PTC5", GATED)
    assert "PORTC.PCR5.MUX" in steps(plan, "pin")
    assert {"GPIOC.PDDR", "GPIOC.PSOR"} <= steps(plan, "pin")
    assert steps(plan, "clock") == {"SIM.SCGC5.PORTC"}
    assert {s.bits for s in plan.steps if s.register == "GPIOC.PDDR"} == {(5, 5)}


def test_a_chip_with_pin_selects_of_its_own() -> None:
    plan = plan_for_question("serial port at 115200 with a receive interrupt", NORDIC)
    assert steps(plan, "pin") == {"UART0.PSELTXD", "UART0.PSELRXD"}
    assert steps(plan, "irq") == {"UART0.INTENSET.RXDRDY"}
    assert "UART0.ENABLE.ENABLE" in steps(plan, "enable")
    assert "UART0.BAUDRATE" in steps(plan, "register")


def test_words_that_mean_nothing_of_the_device_give_no_steps() -> None:
    for text in ("bake a cake", "", "what is the meaning of life?"):
        assert plan_for_question(text, REST).steps == ()


def test_a_peripheral_that_is_not_there_is_left_out() -> None:
    assert build_plan(REST, PlanTargets(("USART9",), ("baud",))).steps == ()


def test_what_matters_most_comes_first_for_a_budget() -> None:
    plan = plan_for_question("Configure USART2 at 9600 baud", REST)
    first = [step.register for step in plan.by_weight()[:3]]
    assert set(first) == {"RCC.APB1ENR", "USART2.BRR", "USART2.CR1"}


SELECTED = ManualFacts(dma=(DmaFact("USART2_RX", 5, "DMA1", Place(3, 205, "42"), 4),))


def test_the_number_that_chooses_the_request_is_told() -> None:
    plan = plan_with("receive on USART2 by DMA", SELECTED)
    [chosen] = [step for step in plan.steps if step.field == "CHSEL"]
    assert chosen.register == "DMA1.S5CR" and chosen.why.endswith(": 4 for USART2_RX")
    assert "USART2_RX is stream 5, channel 4 of DMA1" in plan.notes


def test_a_channel_that_no_table_gives_is_a_guess() -> None:
    plan = plan_with("receive on USART2 by DMA", ManualFacts())
    guessed = {step.register: step.confidence for step in plan.steps if ".S0" in step.register}
    assert guessed and max(guessed.values()) < 0.5
    assert next(s.confidence for s in plan.steps if s.register == "USART2.CR3") > 0.5


def plan_with(text: str, facts: ManualFacts) -> Plan:
    return build_plan(REST, targets_of(text, REST, facts), facts)
