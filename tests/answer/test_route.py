"""Questions about addresses, bits and the like are answered from the device, exactly."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.route import Routed, route
from datasheet_lsp.model import Field, Peripheral, Register
from datasheet_lsp.render.routed import routed_text
from datasheet_lsp.render.style import MARKDOWN, Plain
from datasheet_lsp.svd import load_svd
from tests.answer.chip import chip
from tests.support import shared


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(chip())


def first_line(question: str, names: Names) -> str:
    found = route(question, names)
    assert found is not None, question
    return routed_text(found, Plain(200)).partition("\n")[0]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("address of USART2_CR1", "0x4000 440C"),
        ("What is the address of BRR in USART2?", "0x4000 4408"),
        ("where is USART3->BRR", "0x4000 4808"),
        ("offset of the CR1 register in USART3", "0x0C"),
        ("base address of RCC", "0x4002 3800"),
        ("reset value of RCC_CR", "0x0000 0083"),
        ("what does RCC->CR contain after reset?", "0x0000 0083"),
        ("which bits is DIV_Mantissa of USART2 BRR?", "bits 15:4"),
        ("bits of PLLM in PLLCFGR", "bits 4:0"),
        ("reset value of PLLM in RCC_PLLCFGR", "0x10"),
        ("which bit in APB1ENR is USART2EN", "bit 17"),
        ("is USART2->SR read-only?", "Yes: USART2.SR is read-only"),
        ("can I write USART2_SR", "No: USART2.SR is read-only"),
        ("is the reset value of RCC_CR 0x84?", "No: RCC.CR resets to 0x0000 0083"),
        ("is USART2_BRR at 0x40004408", "Yes: USART2.BRR is at 0x4000 4408"),
        ("what is bit 13 in USART2 CR1", "Bit 13 of USART2.CR1 is UE."),
        ("USART2->CR1[3]", "Bit 3 of USART2.CR1 is TE."),
        ("what is bit 9 of USART2_CR1", "Bit 9 of USART2.CR1 is no field in the SVD."),
        ("which register is at 0x40004408", "USART2.BRR is at 0x4000 4408"),
        ("which register of USART3 is at offset 0x0c", "USART3.CR1 is at 0x4000 480C"),
        ("what is at 0x4000 4440", "No register of ACME32F4 is at 0x4000 4440: it lies in USART2"),
        ("what does HSEON=1 do", "RCC.CR.HSEON = 1 means On (The crystal runs)."),
        ("what is IRQ 38", "USART2 is interrupt 38"),
        ("interrupt number of USART3", "USART3 is interrupt 39"),
        ("USART3_IRQn", "enabled by bit 7 of NVIC ISER1"),
        ("what is irq 77?", "The SVD of ACME32F4 names no interrupt 77."),
    ],
)
def test_fact_is_in_the_first_line(question: str, says: str, names: Names) -> None:
    assert says in first_line(question, names)


def test_value_is_taken_apart(names: Names) -> None:
    found = route("what does 0x200C in USART2->CR1 mean", names)
    assert found is not None
    assert "0x0000 200C: UE, TE, RE" in routed_text(found, Plain(200))


def test_ambiguity_is_shown_and_not_guessed(names: Names) -> None:
    found = route("where is BRR?", names)
    assert found is not None
    text = routed_text(found, Plain(200))
    assert text.startswith("BRR is in 2 peripherals of ACME32F4: name one of them.")
    assert "0x4000 4408" in text and "0x4000 4808" in text


def test_number_longer_than_any_is_none(names: Names) -> None:
    assert route(f"what is at {'1' * 20_000}", names) is None
    assert route(f"what is the reset value of USART2_BRR {'1' * 20_000}", names) is not None


def test_name_of_the_svd_file_is_no_markup() -> None:
    import msgspec

    device = msgspec.structs.replace(chip(), source="<b>*x*.svd")
    found = route("registers of USART2", Names(device))
    assert found is not None
    assert "\\<b\\>\\*x\\*.svd, line " in routed_text(found, MARKDOWN)


def test_several_that_are_named_are_all_told(names: Names) -> None:
    found = route("addresses of USART2_CR1 and USART3_CR1", names)
    assert found is not None
    text = routed_text(found, Plain(200))
    assert "0x4000 440C" in text and "0x4000 480C" in text and "name one" not in text


@pytest.mark.parametrize(
    ("question", "unknown", "near"),
    [
        ("reset value of USART9_CR1", "USART9_CR1", "USART2.CR1"),
        ("address of USART2_CRX", "USART2_CRX", "USART2.CR1"),
        ("which bit is USART2ENA in APB1ENR", "USART2ENA", "RCC.APB1ENR.USART2EN"),
    ],
)
def test_wrong_names_get_the_nearest(question: str, unknown: str, near: str, names: Names) -> None:
    found = route(question, names)
    assert found is not None and found.unknown == unknown and near in found.near
    assert "Did you mean" in routed_text(found, Plain(200))


@pytest.mark.parametrize(
    "question",
    [
        "configure USART2 at 9600 baud",
        "how do I enable the USART2 interrupt",
        "what does PPRE1 = 5 mean",  # the SVD names no values: the manual must tell
        "reset value of RCC_CR and how to start the crystal",
        "where are the pins of USART2",
        "what clock source does the MCU use",
        "which register resets the serial port",
        "is the receiver of USART2 enabled by default with parity",
        "",
        "0x12",
    ],
)
def test_what_takes_documents_is_left_to_them(question: str, names: Names) -> None:
    assert route(question, names) is None


_REGISTER = (
    ("reset value of {p}.{r}", "reset"),
    ("what is the reset value of {p}->{r}?", "reset"),
    ("address of {p}_{r}", "address"),
    ("what's the address of {r} in {p}", "address"),
    ("what is the offset of {r} of {p}?", "offset"),
    ("is {p}->{r} read-only?", "access"),
    ("what does 0x5 in {p}->{r} mean", "decode"),
    ("which register is at 0x{a:08X}", "at"),
)
_FIELD = (
    ("bits of {f} in {p}.{r}", "bits"),
    ("which bit is {p}.{r}.{f}", "bits"),
    ("reset value of {f} in {p}.{r}", "reset"),
    ("bit position of {f} in {r} of {p}", "bits"),
)
_FILES = ("STM32F407", "lpc82x", "nrf52840", "ATSAMD21J18A", "k210", "rp2040", "BL602_soc602_reg")


@pytest.mark.parametrize("file", _FILES)
def test_any_register_of_any_svd_in_any_phrasing(file: str) -> None:
    device = load_svd(shared(f"corpus/svd/{file}.svd"))
    own = Names(device)
    chance = random.Random(file)
    for peripheral, register in chance.sample(list(device.walk()), 25):
        for question, aspect, field in _phrasings(peripheral, register, chance):
            found = route(question, own)
            assert found is not None, question
            assert aspect in found.aspects, question
            assert _is_right(found, peripheral, register, field), question


def _phrasings(
    peripheral: Peripheral, register: Register, chance: random.Random
) -> Iterator[tuple[str, str, Field | None]]:
    address = peripheral.base_address + register.offset
    for text, aspect in _REGISTER:
        yield text.format(p=peripheral.name, r=register.path, a=address), aspect, None
    fields = [f for f in register.fields if f.name.lower() != "reserved"]
    if fields:
        field = chance.choice(fields)
        for text, aspect in _FIELD:
            yield text.format(p=peripheral.name, r=register.path, f=field.name), aspect, field


def _is_right(found: Routed, peripheral: Peripheral, register: Register, field: object) -> bool:
    """The register is told, and nothing but what has its name or its address."""
    address = peripheral.base_address + register.offset
    right = [at for at in found.locations if at.address == address]
    if isinstance(field, Field):
        right = [
            at
            for at in right
            if at.field and (at.field.lsb, at.field.msb) == (field.lsb, field.msb)
        ]
    return bool(right) and len({at.address for at in found.locations}) <= 2
