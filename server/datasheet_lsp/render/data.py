"""The device model as plain data, for JSON and CSV. Numbers are integers, unknown is None."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from datasheet_lsp.model import (
    Cpu,
    Device,
    EnumeratedValues,
    Field,
    Location,
    Peripheral,
    Register,
    UnplacedField,
)

CSV_HEADER = (
    "peripheral", "register", "field", "address", "offset", "size", "lsb", "msb", "access",
    "reset_value", "description", "line",
)  # fmt: skip


def device_json(device: Device) -> dict[str, Any]:
    """All of a device's own file: peripherals, registers, fields, diagnostics.

    Peripherals that datasheet-lsp adds for the core are not in it.
    """
    return {
        "device": {
            "name": device.name,
            "vendor": device.vendor,
            "series": device.series,
            "version": device.version,
            "description": device.description,
            "address_unit_bits": device.address_unit_bits,
            "width": device.width,
            "header_definitions_prefix": device.header_definitions_prefix,
            "cpu": _cpu(device.cpu),
        },
        "peripherals": [peripheral_json(p) for p in device.peripherals if not p.source],
        "diagnostics": [
            {"line": d.line, "severity": d.severity, "message": d.message}
            for d in device.diagnostics
        ],
    }


def _cpu(cpu: Cpu | None) -> dict[str, Any] | None:
    if cpu is None:
        return None
    return {name: getattr(cpu, name) for name in cpu.__struct_fields__}


def peripheral_json(peripheral: Peripheral) -> dict[str, Any]:
    """A peripheral with its registers."""
    return {
        "name": peripheral.name,
        "base_address": peripheral.base_address,
        "description": peripheral.description,
        "group_name": peripheral.group_name,
        "derived_from": peripheral.derived_from,
        "line": peripheral.line,
        "interrupts": [
            {"name": i.name, "value": i.value, "description": i.description}
            for i in peripheral.interrupts
        ],
        "registers": [register_json(peripheral, r) for r in peripheral.registers],
    }


def register_json(peripheral: Peripheral, register: Register) -> dict[str, Any]:
    """A register with its fields; those without a usable position come last, bits None."""
    return {
        "path": register.path,
        "address": peripheral.base_address + register.offset,
        "offset": register.offset,
        "size": register.size,
        "access": register.access,
        "reset_value": register.reset_value,
        "reset_mask": register.reset_mask,
        "read_action": register.read_action,
        "modified_write_values": register.modified_write_values,
        "description": register.description,
        "line": register.line,
        "fields": [
            *(field_json(field) for field in register.fields),
            *(_unplaced(field) for field in register.unplaced_fields),
        ],
    }


def field_json(field: Field) -> dict[str, Any]:
    """A field with its named values."""
    return {
        "name": field.name,
        "lsb": field.lsb,
        "msb": field.msb,
        "access": field.access,
        "read_action": field.read_action,
        "modified_write_values": field.modified_write_values,
        "description": field.description,
        "line": field.line,
        "enumerated_values": [
            value for entries in field.enumerated_values for value in _values(entries)
        ],
    }


def _unplaced(field: UnplacedField) -> dict[str, Any]:
    return {
        "name": field.name,
        "lsb": None,
        "msb": None,
        "access": None,
        "read_action": None,
        "modified_write_values": None,
        "description": field.description,
        "line": field.line,
        "enumerated_values": [],
    }


def _values(entries: EnumeratedValues) -> Iterator[dict[str, Any]]:
    for entry in entries.values:
        yield {
            "usage": entries.usage,
            "name": entry.name,
            "value": entry.value,
            "mask": entry.mask,
            "is_default": entry.is_default,
            "description": entry.description,
        }


def place_json(location: Location) -> dict[str, Any]:
    """Where something is: device, path and absolute address."""
    return {"device": location.device.name, "path": location.path, "address": location.address}


def csv_rows(device: Device) -> Iterator[tuple[object, ...]]:
    """A row for each register and each of its fields; addresses in C's notation."""
    for peripheral, register in device.walk():
        if peripheral.source:
            continue
        address = f"0x{peripheral.base_address + register.offset:08X}"
        offset, reset = f"0x{register.offset:X}", _hexadecimal(register.reset_value)
        start = (peripheral.name, register.path)
        yield (
            *start, "", address, offset, register.size, "", "", register.access, reset,
            register.description, register.line,
        )  # fmt: skip
        for field in register.fields:
            value = None if register.reset_value is None else field.extract(register.reset_value)
            yield (
                *start, field.name, address, offset, field.width, field.lsb, field.msb,
                field.access, _hexadecimal(value), field.description, field.line,
            )  # fmt: skip


def _hexadecimal(value: int | None) -> str:
    return "" if value is None else f"0x{value:X}"


def shown_json(location: Location) -> dict[str, Any]:
    """A peripheral, register or field with where it is described."""
    peripheral, register, field = location.peripheral, location.register, location.field
    item: dict[str, Any]
    if register is None:
        kind, item = "peripheral", peripheral_json(peripheral)
    elif field is None:
        kind, item = "register", register_json(peripheral, register)
    else:
        kind, item = "field", field_json(field)
    source = peripheral.source or location.device.source
    return {"kind": kind, **item, **place_json(location), "source": source}
