"""Long tables are cut down to the rows that a question is about."""

from __future__ import annotations

from datasheet_lsp.answer.trim import trimmed, wanted_words

HEAD = "| Channel | Request |\n| --- | --- |\n"
ROWS = [f"| {n} | UART{n}_RX_DMA |" for n in range(10)]
TABLE = "Requests of each channel.\n\n" + HEAD + "\n".join(ROWS) + "\n\nThe end."


def test_rows_that_are_asked_for_are_kept() -> None:
    text = trimmed(TABLE, wanted_words("receive on UART3 by DMA"))
    assert "| 3 | UART3_RX_DMA |" in text and "UART4" not in text
    assert "(9 more rows)" in text and HEAD.splitlines()[0] in text
    assert text.startswith("Requests of each channel.") and text.endswith("The end.")


def test_table_without_such_a_row_is_left_whole() -> None:
    assert trimmed(TABLE, wanted_words("the colour of the package")) == TABLE


def test_short_table_is_left_whole() -> None:
    short = HEAD + "\n".join(ROWS[:5])
    assert trimmed(short, wanted_words("UART3")) == short


def test_tables_of_one_register_count_together() -> None:
    first = "| Bit | Name |\n| --- | --- |\n| 3 | TE |\n| 2 | RE |\n| 1 | X |"
    second = "| Bit | Name |\n| --- | --- |\n| 13 | UE |\n| 12 | M |\n| 11 | W |"
    text = trimmed(f"{first}\n\n{second}", {"ue"}, 4, together=True)
    assert "| 13 | UE |" in text and "TE" not in text and "(3 more rows)" in text


def test_bit_of_a_peripheral_is_known_by_its_name() -> None:
    rows = [f"| {n} | X{n}EN |" for n in range(9)] + ["| 14 | USART1EN |"]
    text = trimmed("| Bit | Name |\n| --- | --- |\n" + "\n".join(rows), wanted_words("USART1 baud"))
    assert "USART1EN" in text and "X3EN" not in text
