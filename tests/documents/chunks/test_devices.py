"""A device's registers as chunks: what a hover shows, each shared description once."""

from __future__ import annotations

import msgspec

from datasheet_lsp.documents.chunking import ChunkSettings, svd_chunks, svd_document
from datasheet_lsp.documents.tokens import approximate_counter
from datasheet_lsp.model import Field
from datasheet_lsp.model.document import Chunk
from datasheet_lsp.svd import load_svd
from tests.index.make import small_device
from tests.support import shared

COUNT = approximate_counter()


def chunks() -> list[Chunk]:
    return svd_chunks(small_device(), COUNT, ChunkSettings())


def test_registers_of_derived_peripherals_are_one_chunk_with_all_names() -> None:
    found = chunks()
    assert [chunk.heading_path for chunk in found] == [
        ("UART0, UART1",),
        ("UART0, UART1", "CH[0..1].CFG"),
        ("UART0, UART1", "ID"),
    ]
    (register,) = [chunk for chunk in found if chunk.heading_path[-1] == "CH[0..1].CFG"]
    assert {"UART0", "UART1", "UART1.CH[0..1].CFG", "CH[1].CFG", "CFG", "EN", "PAR"} <= set(
        register.symbols
    )
    assert "The same in UART1 `0x40001000`" in register.text


def test_the_text_is_the_hover_and_the_stamp_names_device_and_file() -> None:
    peripheral, register, _ = chunks()
    assert register.stamp == ("[Document: ACME1, acme1.svd]\nSection: UART0, UART1 > CH[0..1].CFG")
    assert "| Bits | Field |" in register.text and "| 3:1 | PAR |" in register.text
    assert "acme1.svd, line 9" in register.text
    assert "| UART0 | 0x40000000 | 7 UART0 |" in peripheral.text
    assert "| UART1 | 0x40001000 |  |" in peripheral.text
    assert {chunk.kind for chunk in (peripheral, register)} == {"svd"}


def test_a_register_of_many_fields_is_cut_by_rows_under_its_name() -> None:
    device = small_device()
    register = device.peripherals[0].registers[2]
    fields = tuple(
        Field(f"FIELD{n}", f"What field {n} is for, in some words more", n, n, "read-write", n)
        for n in range(64)
    )
    block = msgspec.structs.replace(
        device.peripherals[0].block, registers=(msgspec.structs.replace(register, fields=fields),)
    )
    first = msgspec.structs.replace(device.peripherals[0], block=block)
    found = svd_chunks(
        msgspec.structs.replace(device, peripherals=(first,)), COUNT, ChunkSettings()
    )
    parts = [chunk for chunk in found if chunk.heading_path[-1] == "ID"]
    assert len(parts) > 2
    names = []
    for part in parts:
        assert part.text.startswith("**UART0.ID** ")
        assert "| Bits | Field |" in part.text
        assert COUNT(f"{part.stamp}\n{part.text}") + COUNT.special <= 512
        names += [line.split("|")[2].strip() for line in part.text.split("\n") if "FIELD" in line]
    assert names == [f"FIELD{n}" for n in range(63, -1, -1)]


def test_sections_and_chunks_agree() -> None:
    document = svd_document(small_device())
    for chunk in chunks():
        assert document.heading_path(chunk.section) == chunk.heading_path
        assert (chunk.first_page, chunk.last_page, chunk.places) == (0, 0, ())


def test_every_register_of_a_real_file_is_in_a_chunk() -> None:
    device = load_svd(shared("corpus/svd/STM32F407.svd"))
    found = svd_chunks(device, COUNT, ChunkSettings())
    named = {symbol for chunk in found for symbol in chunk.symbols}
    assert {peripheral.name for peripheral in device.peripherals} <= named
    for peripheral, register in device.walk():
        assert (
            register.path in named
            and f"{peripheral.name}.{register.path}" in named
            or (register.template != register.path)
        )
    assert all(chunk.tokens <= 512 for chunk in found)
    # USART1, 2, 3 and 6 are derived from one another: seven registers, described once.
    usarts = [chunk for chunk in found if "USART2" in chunk.symbols]
    assert len({chunk.heading_path for chunk in usarts}) == 8
    assert {"USART1", "USART2", "USART3", "USART6"} <= set(usarts[0].symbols)
