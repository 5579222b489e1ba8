"""Which registers the words of a query mean, in every notation."""

from __future__ import annotations

import pytest

from datasheet_lsp.search.facts import facts
from datasheet_lsp.search.names import DeviceNames, Mentions
from tests.search.conftest import Library


@pytest.fixture
def names(library: Library) -> DeviceNames:
    return DeviceNames(library[1]["STM32F410"])


def mentions(names: DeviceNames, text: str) -> Mentions:
    plain = {"status", "control", "register", "clock", "divider", "what", "does", "mean"}
    return names.mentions(text, plain.__contains__)


def sure(names: DeviceNames, text: str) -> set[str]:
    return {target.path for target in mentions(names, text).targets if target.sure}


@pytest.mark.parametrize(
    "text",
    [
        "USART2->BRR",
        "USART2_BRR",
        "USART2.BRR",
        "USART2 BRR",
        "usart2 brr",
        "R32_USART2_BRR",
        "LPC_USART2->BRR",
        "USART2->BRR[DIV]",
        "USART2.BRR.FRAC",
        "what does BRR of USART2 mean",
        "0x40004408",
        "0x4000 4408",
        "USART2::BRR",
        "usart2->brr",
        "HW_USART2_BRR",
        "&USART2->BRR",
    ],
)
def test_a_register_is_meant_in_every_notation(names: DeviceNames, text: str) -> None:
    assert sure(names, text) == {"USART2.BRR"}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("USART_CR1", {"USART2.CR1", "USART3.CR1"}),
        ("RCC_CSR[IWDGRSTF]", {"RCC.CSR"}),
        ("CR1.CPOL", {"SPI1.CR1"}),
        ("SPI1 CR1 CPOL", {"SPI1.CR1"}),
        ("R32_RCC_CSR", {"RCC.CSR"}),
        ("NRF_SPI1->CR2", {"SPI1.CR2"}),
        ("__USART2_CR1_UE", {"USART2.CR1"}),
    ],
)
def test_notations_of_vendors(names: DeviceNames, text: str, path: set[str]) -> None:
    assert sure(names, text) == path


def test_a_family_means_all_of_its_instances(names: DeviceNames) -> None:
    assert sure(names, "USART_BRR") == {"USART2.BRR", "USART3.BRR"}


def test_a_name_of_several_peripherals_is_that_of_the_one_named(names: DeviceNames) -> None:
    assert sure(names, "CR1 of SPI1, CPOL") == {"SPI1.CR1"}
    assert sure(names, "CR1") == set()


def test_a_field_means_its_register(names: DeviceNames) -> None:
    assert sure(names, "where is USART2EN") == {"RCC.APB1ENR"}


def test_words_of_running_text_are_no_names(names: DeviceNames) -> None:
    assert mentions(names, "what does the status register of a clock divider mean") == Mentions()


def test_a_fact_is_what_the_svd_says(names: DeviceNames) -> None:
    (whole,) = facts("reset value of USART3->BRR", names)
    assert (whole.path, whole.address, whole.offset) == ("USART3.BRR", 0x40004808, 0x08)
    assert (whole.reset, whole.bits) == (0x683, None)
    (field,) = facts("which bits are USART2.BRR.DIV?", names)
    assert (field.bits, field.reset) == ((15, 4), 0x68)


def test_a_fact_of_an_address(names: DeviceNames) -> None:
    (fact,) = facts("what is at 0x40023840", names)
    assert fact.path == "RCC.APB1ENR"


def test_no_fact_without_a_register(names: DeviceNames) -> None:
    assert facts("how does the receiver work", names) == []
