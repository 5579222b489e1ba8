"""What is read out of tables of manuals."""

from __future__ import annotations

from datasheet_lsp.answer.plan.facts import ManualFacts, read
from datasheet_lsp.answer.plan.model import Pin
from datasheet_lsp.model.document import Place as Box
from datasheet_lsp.model.document import Table, TableKind


def table(
    header: str, *rows: str, caption: str = "", kind: TableKind = "other", number: str = "7-1"
) -> Table:
    lines = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    return Table(
        0, 0, number, caption, tuple(cell.strip() for cell in header.split("|")), lines,
        tuple(41 for _ in lines), (Box(41, (0, 0, 1, 1)),), kind,
    )  # fmt: skip


def facts(*tables: Table) -> ManualFacts:
    return read([(9, tables)])


def test_a_matrix_of_dma_channels() -> None:
    found = facts(
        table(
            "Peripherals | Channel 1 | Channel 2 | Channel 5",
            "UART1 | | | UART1_RX",
            "ADC1 | ADC1 | |",
            "TIM2 | TIM2_CH3 | TIM2_UP | TIM2_CH1",
            caption="DMA1 requests of each channel",
        )
    )
    requests = {(fact.request, fact.channel) for fact in found.requests("TIM2")}
    assert requests == {("TIM2_CH3", 1), ("TIM2_UP", 2), ("TIM2_CH1", 5)}
    [receive] = found.requests("UART1")
    assert (receive.channel, receive.controller, receive.place.page) == (5, "DMA1", 41)


def test_streams_in_rows_and_their_requests_in_columns() -> None:
    found = facts(
        table(
            "Stream | Channel 0 | Channel 3 | Channel 4",
            "4 | SPI2_TX | I2C3_TX | UART4_TX",
            "5 | SPI3_TX | TIM2_CH1 | USART2_RX",
            "Stream 6 | - | TIM2_CH2, TIM2_CH4 | USART2_TX",
            caption="Requests of DMA1",
        )
    )
    assert [(f.request, f.channel, f.select) for f in found.requests("USART2", False)] == [
        ("USART2_RX", 5, 4),
        ("USART2_TX", 6, 4),
    ]
    assert {(f.channel, f.select) for f in found.requests("TIM2")} == {(5, 3), (6, 3)}


def test_streams_in_columns_and_their_requests_in_rows() -> None:
    found = facts(
        table(
            "Peripheral requests | Stream 0 | Stream 2 | Stream 5",
            "Channel 0 | SPI3_RX | SPI3_RX | SPI3_TX",
            "Channel 4 | UART5_RX | UART4_RX | USART2_RX",
            caption="DMA1 request mapping",
        )
    )
    [receive] = found.requests("USART2")
    assert (receive.channel, receive.select, receive.controller) == (5, 4, "DMA1")
    assert [(f.channel, f.select) for f in found.requests("UART5")] == [(0, 4)]


def test_a_row_of_an_unknown_stream_gives_nothing() -> None:
    found = facts(table("Stream | Channel 0 | Channel 1", "any | A_RX | B_RX", caption="DMA1"))
    assert found.dma == ()


def test_a_list_of_dma_requests() -> None:
    found = facts(
        table(
            "DMA channel # | Request input | DMA trigger multiplexer",
            "0 | USART0_RX_DMA | DMA_ITRIG_INMUX0",
            "1 | USART0_TX_DMA | DMA_ITRIG_INMUX1",
            caption="DMA requests",
        )
    )
    assert [(f.request, f.channel) for f in found.requests("USART0")] == [
        ("USART0_RX_DMA", 0),
        ("USART0_TX_DMA", 1),
    ]


def test_a_vector_table() -> None:
    found = facts(
        table(
            "Number | Name | Description",
            "3 | UART0_IRQ | serial port",
            "- | reserved |",
            "10 | MRT_IRQ | timer",
            kind="interrupts",
        )
    )
    fact = found.interrupt("UART0", 99)
    assert fact is not None and (fact.number, fact.place.document) == (3, 9)
    assert found.interrupt("absent", 10) is not None and found.interrupt("absent", 11) is None


def test_alternate_functions_of_pins() -> None:
    found = facts(
        table(
            "Port | Pin | AF0 SYS | AF7 USART1/2",
            "Port A | PA2 | - | USART2_TX",
            "Port A | PA3 | - | USART2_RX",
            kind="pins",
        )
    )
    rows = {(f.signal, f.pin.text, f.function) for f in found.signals("USART2")}
    assert rows == {("USART2_TX", "PA2", "AF7"), ("USART2_RX", "PA3", "AF7")}
    assert [f.signal for f in found.at(Pin("", "A", 3))] == ["USART2_RX"]


def test_pins_that_a_signal_can_be_moved_to() -> None:
    found = facts(
        table(
            "Function | default | remapped",
            "USART1_TX | PD5 | PD0",
            caption="Alternate function remapping",
        )
    )
    assert {f.pin.text for f in found.signals("USART1")} == {"PD5", "PD0"}


def test_tables_of_fields_say_nothing_of_pins() -> None:
    row = "3:0 | PA2 | USART2_TX function"
    assert facts(table("Bit | Symbol | Description", row, kind="fields")).pins == ()
