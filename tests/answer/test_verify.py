"""Numbers and names of a text are checked: wrong ones are struck, right ones never."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from datasheet_lsp.answer.names import Names
from datasheet_lsp.answer.types import Piece
from datasheet_lsp.answer.verify import Checker
from datasheet_lsp.model import Field, Peripheral, Register
from datasheet_lsp.render import words
from datasheet_lsp.svd import load_svd
from tests.answer.chip import chip
from tests.support import shared


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(chip())


def piece(text: str) -> Piece:
    return Piece(1, text, "[manual.pdf] Chapter", 50, "manual.pdf", "Manual", "", "pdf", "text", ())


def check(text: str, names: Names | None, *passages: str, question: str = "") -> str:
    return Checker(names, [piece(each) for each in passages], question).feed(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Set `RCC.APB1ENR.USART2EN` (bit 17, `0x4002 3840`) [1]",
            "Set `RCC.APB1ENR.USART2EN` (bit 17, `0x4002 3840` ✓) [1]",
        ),
        (
            "Set `RCC.APB1ENR.USART2EN` (bit 18, `0x4002 3844`) [1]",
            "Set `RCC.APB1ENR.USART2EN` (~~bit 18~~ bit 17, ~~`0x4002 3844`~~ `0x4002 3840`) [1]",
        ),
        (
            "USART2.BRR is at 0x40004408. It resets to 0x1.",
            "USART2.BRR is at 0x40004408 ✓. It resets to ~~0x1~~ 0x0.",
        ),
        (
            "UE (13), TE (3) and RE (5) of USART2->CR1.",
            "UE (13) ✓, TE (3) ✓ and RE ~~(5)~~ (2) of USART2->CR1.",
        ),
        (
            "USART2.BRR and USART2.CR1 are at 0x4000 4408 and 0x4000 440C.",
            "USART2.BRR and USART2.CR1 are at 0x4000 4408 and 0x4000 440C ✓.",
        ),
        (
            "USART2.BRR is at 0x4000440C and USART2.CR1 is at 0x40004408.",
            "USART2.BRR is at ~~0x4000440C~~ 0x40004408 and USART2.CR1 is at ~~0x40004408~~ "
            "0x4000440C.",
        ),
        (
            "The reset value of RCC.CR (0x40023800) is 0x84.",
            "The reset value of RCC.CR (0x40023800 ✓) is ~~0x84~~ 0x83.",
        ),
        (
            "DIV_Mantissa[15:4] of USART2.BRR, DIV_Fraction[4:0].",
            "DIV_Mantissa[15:4] ✓ of USART2.BRR, DIV_Fraction~~[4:0]~~ [3:0].",
        ),
        (
            "In USART2.BRR, set bit 2 to 0x40004408.",
            "In USART2.BRR, set bit 2 (unchecked) to 0x40004408 ✓.",
        ),
        (
            "UE of USART2.CR1: set bit 12 to 1.",
            "UE of USART2.CR1: set ~~bit 12~~ bit 13 to 1.",
        ),
        ("Set bit 13 of USART2.CR1 to enable the USART.", None),
        ("It is cleared by a read [2].", "It is cleared by a read [2]."),
    ],
)
def test_marks(text: str, shown: str | None, names: Names) -> None:
    said = check(text, names)
    if shown is None:
        assert "~~" not in said and "✓" in said
    else:
        assert said == shown


def test_rows_of_a_table_by_their_head(names: Names) -> None:
    text = "| Register | Address | Reset |\n| --- | --- | --- |\n| RCC.CR | 0x40023804 | 0x83 |\n"
    assert "| RCC.CR | ~~0x40023804~~ 0x40023800 | 0x83 ✓ |" in check(text, names)


def test_code_is_left_whole_and_remarked_upon(names: Names) -> None:
    text = "```c\nRCC->APB1ENR |= 1 << 18; // USART2EN\n```\n"
    said = check(text, names)
    assert "RCC->APB1ENR |= 1 << 18; // USART2EN /* 1 << 18 is wrong, right: 17 */" in said


def test_what_nobody_says_is_flagged(names: Names) -> None:
    said = check("Write 0x5A5A to USART2.KEYR.", names)
    assert "0x5A5A (unchecked)" in said and "USART2.KEYR (" in said


def test_what_a_passage_says_is_right(names: Names) -> None:
    said = check("Write 0x5A5A to the key register.", names, "The key is 0x5A5A.")
    assert said == "Write 0x5A5A ✓ to the key register."


def test_without_a_device_the_passages_decide() -> None:
    passage = "CTRL_MEAS at address 0xF4 sets the mode."
    assert "0xF4 ✓" in check("CTRL_MEAS is at address 0xF4.", None, passage)
    assert "0xF5 (unchecked)" in check("CTRL_MEAS is at address 0xF5.", None, passage)


def test_name_of_several_is_taken_from_the_question(names: Names) -> None:
    said = check("BRR is at 0x40004808.", names, question="baud rate of USART3")
    assert said == "BRR is at 0x40004808 ✓."
    said = check("BRR is at 0x40004808.", names, question="baud rate of USART2")
    assert said == "BRR is at ~~0x40004808~~ 0x40004408."


def test_text_fed_in_parts_is_the_text_fed_at_once(names: Names) -> None:
    text = "USART2.BRR sets the rate. It is at 0x40004404.\n- UE is bit 12 of USART2.CR1.\n"
    checker = Checker(names, [])
    parts = [checker.feed(part) for part in text.splitlines(keepends=True)]
    assert "".join(parts) == check(text, names)
    assert [text[c.start : c.end] for c in checker.claims] == [c.text for c in checker.claims]


_SENTENCES = (
    ("`{p}.{r}` is at `{address}` [1].", "address"),
    ("{p}_{r} ({spaced}) is the register to use.", "spaced"),
    ("The register at {address} is {p}.{r}.", "address"),
    ("The reset value of {p}.{r} is {reset}.", "reset"),
    ("{p}.{r} has offset {offset} from the base.", "offset"),
    ("1. Set `{p}.{r}.{f}` ({bits}, `{spaced}`) [2]", "bits"),
    ("Field {f} of {p}.{r} is {bits}.", "bits"),
    ("Set {bits} ({f}) in {p}.{r}.", "bits"),
    ("- {f}: {bits} of {p}_{r}, reset value of the register {reset}", "bits"),
)


def _cases(
    peripheral: Peripheral, register: Register, chance: random.Random
) -> Iterator[tuple[str, str]]:
    """Sentences that are right, each with one in which a value is wrong."""
    fields = [f for f in register.fields if f.name.lower() != "reserved"]
    field = chance.choice(fields) if fields else None
    for text, which in _SENTENCES:
        if "{f}" in text and field is None:
            continue
        if "{reset}" in text and (register.reset_value is None or register.reset_mask == 0):
            continue
        right = _values(peripheral, register, field, 0, 0)
        wrong = _values(peripheral, register, field, chance.choice((4, 8, 64)), 1)
        yield text.format(**right), text.format(**{**right, which: wrong[which]})


def _values(
    peripheral: Peripheral, register: Register, field: Field | None, off: int, bit: int
) -> dict[str, str]:
    address = peripheral.base_address + register.offset + off
    msb, lsb = (field.msb + bit, field.lsb + bit) if field is not None else (0, 0)
    return {
        "p": peripheral.name,
        "r": register.path,
        "f": field.name if field is not None else "",
        "address": words.c_address(address),
        "spaced": words.address(address),
        "offset": f"0x{register.offset + off:X}",
        "reset": f"0x{(register.reset_value or 0) ^ bit:X}",
        "bits": f"bit {lsb}" if msb == lsb else f"bits {msb}:{lsb}",
    }


@pytest.mark.parametrize("file", ["STM32F407", "lpc82x", "nrf52840", "ATSAMD21J18A", "k210"])
def test_planted_values_are_struck_and_right_ones_are_not(file: str) -> None:
    device = load_svd(shared(f"corpus/svd/{file}.svd"))
    own = Names(device)
    chance = random.Random(file)
    for peripheral, register in chance.sample(list(device.walk()), 30):
        for right, wrong in _cases(peripheral, register, chance):
            assert "~~" not in check(right, own), right
            assert "~~" in check(wrong, own), wrong
