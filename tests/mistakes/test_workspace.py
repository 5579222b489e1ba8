"""What only the whole workspace tells: clocks and interrupts that nothing enables; all uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheet_lsp.assist.diagnostics import diagnose
from datasheet_lsp.assist.overview import Overview, code_files, scan
from datasheet_lsp.assist.references import meant_at, references
from datasheet_lsp.firmware import Source
from datasheet_lsp.firmware.accesses import Reader
from tests.mistakes.chip import chip, lookup

CLOCKS = """\
void clocks(void)
{
    RCC->AHB1ENR |= 1u << 0;
    RCC->APB1ENR |= (1u << 17) | (1u << 0);
}
"""
MAIN = """\
void start(void)
{
    TIM3->CR1 |= 1;
    TIM3->CNT = 0;
    TIM2->CR1 |= 1;
    USART2->CR1 = (1u << 13) | (1u << 5);
}
"""
CLOCK = "clock-not-enabled"
INTERRUPT = "irq-not-enabled"


def overview_of(folder: Path, **files: str) -> Overview:
    for name, text in files.items():
        (folder / f"{name}.c").write_text(text)
    overview = Overview(chip())
    scan(overview, code_files(folder), lambda _: [lookup()], lambda *_: None)
    assert overview.complete
    return overview


def found(overview: Overview, text: str) -> list[tuple[str, int]]:
    source = Source(text.encode())
    return [
        (one.code, source.position(one.start)[0] + 1)
        for one in diagnose(Reader(source, [lookup()]), {}, overview)
    ]


def test_a_clock_and_an_interrupt_that_nothing_enables(tmp_path: Path) -> None:
    overview = overview_of(tmp_path, main=MAIN, clocks=CLOCKS)
    assert found(overview, MAIN) == [(CLOCK, 3), (INTERRUPT, 6)]


@pytest.mark.parametrize(
    ("code", "more"),
    [
        (CLOCK, "void f(void) { RCC->APB1ENR |= 1u << 1; }"),
        (CLOCK, "void f(int n) { RCC->APB1ENR |= 1u << n; }"),
        (CLOCK, "void f(void) { __HAL_RCC_TIM3_CLK_ENABLE(); }"),
        (CLOCK, "void f(void) { RCC_APB1PeriphClockCmd(RCC_APB1Periph_TIM3, ENABLE); }"),
        (CLOCK, "void f(void) { rcc_periph_clock_enable(RCC_TIM3); }"),
        (CLOCK, "void f(uint32_t a) { *(volatile uint32_t *)(a + 0x40) |= 2; }"),
        (INTERRUPT, "void f(void) { NVIC_EnableIRQ(USART2_IRQn); }"),
        (INTERRUPT, "void f(void) { NVIC->ISER[1] = 1u << 6; }"),
        (INTERRUPT, "void f(int n) { NVIC->ISER[n >> 5] = 1u << (n & 31); }"),
    ],
)
def test_what_may_be_on_is_left_alone(tmp_path: Path, code: str, more: str) -> None:
    overview = overview_of(tmp_path, main=MAIN, clocks=CLOCKS, more=more)
    assert code not in [told for told, _ in found(overview, MAIN)]


def test_without_any_clock_code_nothing_is_said(tmp_path: Path) -> None:
    overview = overview_of(tmp_path, main=MAIN)
    assert CLOCK not in [code for code, _ in found(overview, MAIN)]


def test_before_all_is_read_nothing_is_said(tmp_path: Path) -> None:
    overview = overview_of(tmp_path, main=MAIN, clocks=CLOCKS)
    overview.complete = False
    assert found(overview, MAIN) == []


def test_uses_of_a_register_and_of_a_peripheral(tmp_path: Path) -> None:
    overview = overview_of(tmp_path, b=CLOCKS, a=MAIN)
    source = Source(MAIN.encode())

    def uses(part: str) -> list[tuple[str, int, str]]:
        at = MAIN.index(part) + len(part) - 1
        told = references(meant_at(Reader(source, [lookup()]), at), [overview])
        return [(one.path.name, one.line + 1, one.how) for one in told]

    assert uses("TIM3->CR1") == [("a.c", 3, "set")]
    assert uses("TIM3") == [("a.c", 3, "set"), ("a.c", 4, "assign")]


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    overview = overview_of(tmp_path, a=MAIN)
    (tmp_path / "a.c").write_text("void f(void) { TIM2->CNT = 1; }\n// longer")
    (tmp_path / "b.c").write_text(CLOCKS)
    scan(overview, code_files(tmp_path), lambda _: [lookup()], lambda *_: None)
    assert sorted(Path(path).name for path in overview.files) == ["a.c", "b.c"]
    (tmp_path / "b.c").unlink()
    scan(overview, code_files(tmp_path), lambda _: [lookup()], lambda *_: None)
    assert [Path(path).name for path in overview.files] == ["a.c"]
    assert [use.how for _, use in overview.uses(0x40000000, 0x400003FF)] == ["assign"]
