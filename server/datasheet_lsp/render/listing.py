"""All registers of a device as a table, and what is wrong with its file."""

from __future__ import annotations

from datasheet_lsp.model import Device
from datasheet_lsp.render import words
from datasheet_lsp.render.escape import cut, one_line
from datasheet_lsp.render.style import Style

_MEANING_LENGTH = 80


def device_text(device: Device, style: Style) -> str:
    """The device in one line, then a row for each register of its file."""
    own = [p for p in device.peripherals if not p.source]
    registers = sum(len(p.registers) for p in own)
    facts = [
        words.plural(len(own), "peripheral"),
        words.plural(registers, "register"),
        words.plural(sum(len(r.fields) for p in own for r in p.registers), "field"),
    ]
    rows = []
    for peripheral in own:
        for register in peripheral.registers:
            reset = register.reset_value
            rows.append(
                [
                    words.c_address(peripheral.base_address + register.offset),
                    style.text(f"{peripheral.name}.{register.path}"),
                    str(register.size),
                    words.short_access(register),
                    "" if reset is None else f"0x{reset:0{max(1, (register.size + 3) // 4)}X}",
                    style.text(cut(register.description, _MEANING_LENGTH)),
                ]
            )
    described = f" {style.text(cut(device.description, 200))}" if device.description else ""
    return style.blocks(
        style.lines(f"{style.strong(device.name)}{described}", ", ".join(facts)),
        style.table(["Address", "Register", "Bits", "Access", "Reset", "Meaning"], rows),
    )


def diagnostics_text(device: Device) -> str:
    """A line for each thing that is wrong with the file, as compilers print them."""
    return "\n".join(
        one_line(f"{device.source}:{d.line}: {d.severity}: {d.message}") for d in device.diagnostics
    )
