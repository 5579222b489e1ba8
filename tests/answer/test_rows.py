"""The row of what is asked about is found in the manuals' long lists."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.answer.plan.graph import graph
from datasheet_lsp.answer.plan.lists import ListKind, Lists, kinds_of, words_in
from datasheet_lsp.answer.plan.pins import pins_in
from datasheet_lsp.answer.rows import excerpts
from datasheet_lsp.model import Device
from datasheet_lsp.model.document import Place, Table, TableKind
from datasheet_lsp.svd import parse_svd

NAMES = ("UART0", "UART1", "I2C1", "TIM2", "GPIOA", "DMA1")


def device() -> Device:
    peripherals = "".join(
        f"<peripheral><name>{name}</name><baseAddress>{0x40000000 + 0x1000 * i:#x}</baseAddress>"
        "<registers><register><name>CR</name><addressOffset>0</addressOffset></register>"
        "</registers></peripheral>"
        for i, name in enumerate(NAMES)
    )
    return parse_svd(
        f"<device><name>ACME</name><size>32</size><peripherals>{peripherals}</peripherals></device>".encode(),
        "acme.svd",
    )


def table(
    header: str,
    *rows: str,
    caption: str = "",
    kind: TableKind = "other",
    pages: Sequence[int] = (),
    id: int = 0,
) -> Table:
    lines = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    pages = pages or [40] * len(rows)
    return Table(
        id, 0, "3-1", caption, tuple(cell.strip() for cell in header.split("|")), lines,
        tuple(pages), tuple(Place(page, (0, 0, 1, 1)) for page in dict.fromkeys(pages)), kind,
    )  # fmt: skip


VECTORS = table(
    "No. | Priority | Name | Address",
    "16 | 2 | I2C1_EV | 0x0000_0040",
    "17 | 3 | DMA1_CH7 | 0x0000_0044",
    "26 | 12 | UART0 | 0x0000_0068",
    "27 | 13 | UART1 | 0x0000_006C",
    caption="Interrupt vector table",
    kind="registers",
    pages=[14, 14, 15, 15],
)
SIGNALS = table(
    "Signal | Input | Output",
    "14 | U0RXD_in | U0TXD_out",
    "17 | U1RXD_in | U1TXD_out",
    "18 | gpio_sd_in | gpio_sd_out",
    caption="Peripheral signals",
    id=1,
)
REMAP = table(
    "Bit | Name | Description",
    "9:8 | TIM2RM | 00: default mapping (CH1/PA4, CH2/PA3). 10: CH1/PC5, CH2/PC2",
    "1 | I2C1RM | 0: default mapping (SCL/PC2, SDA/PC1). 1: SCL/PD1, SDA/PD0",
    "0 | LOCK | locks the rest",
    kind="fields",
    id=2,
)


def found(
    question: str,
    peripherals: Sequence[str],
    *tables: Table,
    numbers: Sequence[str] = (),
    also: Sequence[ListKind] = (),
) -> list[tuple[int, str]]:
    lists = Lists(graph(device()).names)
    for each in tables:
        lists.add(5, each)
    made = excerpts(
        question, lists.rows, peripherals, pins_in(question), words_in(question), also, numbers
    )
    return [(each.page, each.text) for each in made]


def test_which_tables_list_what() -> None:
    assert kinds_of(VECTORS) == ["interrupts"]
    assert kinds_of(SIGNALS) == ["pins"]
    registers = table("Name | Address", "UART_CR | 0x0", caption="Registers", kind="registers")
    assert kinds_of(registers) == []
    assert kinds_of(table("Symbol | Min | Max", "VIN | 1 | 2", kind="values")) == []
    requests = table("Channel | Request", "1 | UART0_RX", "2 | UART0_TX", caption="DMA requests")
    assert "requests" in kinds_of(requests)


def test_the_interrupt_of_a_peripheral_with_its_page() -> None:
    [(page, text)] = found("which vector has UART1?", ["UART1"], VECTORS)
    assert page == 15
    assert text.splitlines() == [
        "Table 3-1. Interrupt vector table",
        "",
        "| No. | Priority | Name | Address |",
        "|-|-|-|-|",
        "| 27 | 13 | UART1 | 0x0000_006C |",
    ]


def test_the_number_of_the_interrupt_goes_before_the_name() -> None:
    [(_, text)] = found("interrupt at the end of DMA for I2C1", ["I2C1"], VECTORS, numbers=["17"])
    assert "DMA1_CH7" in text and "I2C1_EV" not in text
    # 13 is a priority here, and no number of an interrupt.
    assert "UART1" not in found("interrupt of I2C1", ["I2C1"], VECTORS, numbers=["13"])[0][1]


def test_nothing_is_looked_up_that_is_not_asked_for() -> None:
    assert found("baud rate of UART1", ["UART1"], VECTORS, SIGNALS) == []
    assert found("which vector?", [], VECTORS) == []
    assert len(found("baud rate of UART1", ["UART1"], VECTORS, also=["interrupts"])) == 1


def test_short_names_of_signals_are_those_of_the_peripheral() -> None:
    [(_, text)] = found("output signal number of UART1", ["UART1"], SIGNALS)
    assert "U1TXD_out" in text and "U0TXD" not in text


def test_where_a_remap_field_puts_a_peripheral() -> None:
    [(_, text)] = found("TIM2 channel 1 on PC5", ["TIM2"], REMAP)
    assert "TIM2RM" in text and "I2C1RM" not in text
    [(_, text)] = found("default pins of I2C1", ["I2C1"], REMAP)
    assert "SCL/PC2" in text and "LOCK" not in text


def test_a_list_in_which_nothing_tells_which_row_is_meant_is_left_alone() -> None:
    rows = [f"{i} | UART1_SIG{i}" for i in range(30)]
    assert found("signals", ["UART1"], table("Number | Signal", *rows)) == []


def test_a_pipe_in_a_cell_is_no_new_cell() -> None:
    odd = table("No. | Name | Interrupt source", "1 | UART1 | a", "2 | I2C1 | b", kind="interrupts")
    odd = Table(**{f: getattr(odd, f) for f in odd.__struct_fields__} | {
        "rows": (("1", "UART1", "a | b"), ("2", "I2C1", "b"))
    })  # fmt: skip
    [(_, text)] = found("interrupt of UART1", ["UART1"], odd)
    assert "a \\| b" in text
