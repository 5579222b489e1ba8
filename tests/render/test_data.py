"""The JSON of ``registers``: its shape, and numbers as the SVD has them."""

from __future__ import annotations

from datasheet_lsp.render.data import CSV_HEADER, csv_rows, device_json
from tests.render.test_golden import chip

REGISTER_KEYS = {
    "path", "address", "offset", "size", "access", "reset_value", "reset_mask", "read_action",
    "modified_write_values", "line", "fields",
}  # fmt: skip


def found(path: str) -> dict:
    uart = device_json(chip())["peripherals"][0]
    return next(register for register in uart["registers"] if register["path"] == path)


def test_device_and_peripherals_have_what_the_file_says() -> None:
    data = device_json(chip())
    assert data["device"]["name"] == "GOLD1"
    assert [(p["name"], p["base_address"]) for p in data["peripherals"]] == [
        ("UART1", 0x40004000),
        ("UART2", 0x40005000),
    ]
    uart = data["peripherals"][0]
    assert uart["description"] == "Serial port"
    assert [(i["name"], i["value"]) for i in uart["interrupts"]] == [
        ("UART1_TX", 38),
        ("UART1_RX", 37),
    ]


def test_register_has_every_key_and_numbers_are_integers() -> None:
    register = found("STAT")
    assert set(register) >= REGISTER_KEYS
    assert register["address"] == 0x40004004 and register["offset"] == 4
    assert register["size"] == 32 and register["access"] == "read-only"
    assert register["reset_value"] == 0 and register["reset_mask"] == 0xF
    assert register["read_action"] is None
    overrun = register["fields"][1]
    assert (overrun["name"], overrun["lsb"], overrun["msb"]) == ("OVR", 1, 1)
    assert overrun["access"] == "read-write"
    assert found("KEY")["reset_value"] == 0x8000000000000001


def test_enumerated_values_are_whole() -> None:
    mode = found("CTRL")["fields"][1]
    values = [
        (v["usage"], v["name"], v["value"], v["mask"], v["is_default"])
        for v in mode["enumerated_values"]
    ]
    assert values == [
        ("read-write", "value0", 0, None, False),
        ("read-write", "0x3", 3, None, False),
        ("read-write", "raw", 4, 4, False),
        ("read-write", "reserved", None, None, True),
    ]


def test_fields_without_a_position_have_no_bits() -> None:
    lost = found("FILTER[2]")["fields"][-1]
    assert (lost["name"], lost["lsb"], lost["msb"]) == ("LOST", None, None)
    diagnostics = device_json(chip())["diagnostics"]
    assert any(d["severity"] == "error" or d["severity"] == "warning" for d in diagnostics)
    assert all(isinstance(d["line"], int) and d["message"] for d in diagnostics)


def test_csv_has_a_row_for_each_register_and_field() -> None:
    rows = [dict(zip(CSV_HEADER, row, strict=True)) for row in csv_rows(chip())]
    registers = sum(len(p.registers) for p in chip().peripherals)
    fields = sum(len(r.fields) for p in chip().peripherals for r in p.registers)
    assert len(rows) == registers + fields
    en = next(r for r in rows if (r["peripheral"], r["field"]) == ("UART2", "EN"))
    assert (en["register"], en["address"], en["lsb"], en["msb"]) == ("CTRL", "0x40005000", 0, 0)
