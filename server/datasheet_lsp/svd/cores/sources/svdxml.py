"""The notation to CMSIS-SVD 1.3."""

from __future__ import annotations

from typing import Any

from lxml import etree

from datasheet_lsp.svd.cores.sources.notation import (
    Cluster,
    Core,
    Field,
    Peripheral,
    Register,
    Value,
)

_RIGHTS = {"rw": "read-write", "ro": "read-only", "wo": "write-only"}


def document(core: Core, peripherals: tuple[Peripheral, ...]) -> bytes:
    """The SVD file of a core, UTF-8 with a final newline."""
    root = etree.Element("device", schemaVersion="1.3")
    for name, text in (
        ("vendor", "datasheet-lsp"),
        ("name", core.file.removesuffix(".svd").replace("-", "_")),
        ("version", "1.0"),
        ("description", f"Core peripherals of the {core.title}"),
    ):
        _add(root, name, text)
    cpu = _add(root, "cpu")
    for name, text in (
        ("name", core.cpu),
        ("revision", "r0p0"),
        ("endian", "selectable"),
        ("mpuPresent", _flag(core.mpu)),
        ("fpuPresent", _flag(core.fpu)),
        ("nvicPrioBits", "8" if core.main else "2"),
        ("vendorSystickConfig", "false"),
    ):
        _add(cpu, name, text)
    for name, text in (
        ("addressUnitBits", "8"),
        ("width", "32"),
        ("size", "32"),
        ("access", "read-write"),
    ):
        _add(root, name, text)
    parent = _add(root, "peripherals")
    for peripheral in peripherals:
        _peripheral(parent, peripheral)
    etree.indent(root)
    return (
        b'<?xml version="1.0" encoding="utf-8"?>\n' + etree.tostring(root, encoding="utf-8") + b"\n"
    )


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _add(parent: Any, name: str, text: str | None = None) -> Any:
    element = etree.SubElement(parent, name)
    element.text = text
    return element


def _hex(value: int, size: int = 32) -> str:
    return f"0x{value:0{size // 4}X}"


def _peripheral(parent: Any, item: Peripheral) -> None:
    element = _add(parent, "peripheral")
    if item.derived:
        element.set("derivedFrom", item.derived)
    _add(element, "name", item.name)
    _add(element, "description", item.text)
    if item.alternate:
        _add(element, "alternatePeripheral", item.alternate)
    _add(element, "groupName", "Core")
    _add(element, "baseAddress", _hex(item.base))
    block = _add(element, "addressBlock")
    _add(block, "offset", "0x0")
    _add(block, "size", f"0x{item.size:X}")
    _add(block, "usage", "registers")
    if item.derived:
        return
    registers = _add(element, "registers")
    for child in item.items:
        if isinstance(child, Cluster):
            _cluster(registers, child)
        else:
            _register(registers, child)


def _cluster(parent: Any, item: Cluster) -> None:
    element = _add(parent, "cluster")
    _add(element, "dim", str(item.count))
    _add(element, "dimIncrement", "0x4")
    _add(element, "name", f"{item.name}[%s]")
    _add(element, "description", item.text)
    _add(element, "addressOffset", f"0x{item.offset:X}")
    for register in item.registers:
        _register(element, register)


def _register(parent: Any, item: Register) -> None:
    element = _add(parent, "register")
    if item.count:
        _add(element, "dim", str(item.count))
        _add(element, "dimIncrement", f"0x{item.size // 8:X}")
    _add(element, "name", f"{item.name}[%s]" if item.count else item.name)
    _add(element, "description", item.text)
    if item.alternate:
        _add(element, "alternateRegister", item.alternate)
    _add(element, "addressOffset", f"0x{item.offset:X}")
    if item.size != 32:
        _add(element, "size", str(item.size))
    if item.access != "rw":
        _add(element, "access", _RIGHTS[item.access])
    if item.reset is not None:
        _add(element, "resetValue", _hex(item.reset, item.size))
        if item.mask is not None:
            _add(element, "resetMask", _hex(item.mask, item.size))
    if item.write:
        _add(element, "modifiedWriteValues", item.write)
    if item.read:
        _add(element, "readAction", item.read)
    if item.fields:
        fields = _add(element, "fields")
        for field in item.fields:
            _field(fields, field)


def _field(parent: Any, item: Field) -> None:
    element = _add(parent, "field")
    high, low = item.range
    _add(element, "name", item.name)
    _add(element, "description", item.text)
    _add(element, "bitRange", f"[{high}:{low}]")
    if item.access:
        _add(element, "access", _RIGHTS[item.access])
    if item.write:
        _add(element, "modifiedWriteValues", item.write)
    if item.read:
        _add(element, "readAction", item.read)
    if item.values:
        values = _add(element, "enumeratedValues")
        for value in item.values:
            _value(values, value)


def _value(parent: Any, item: Value) -> None:
    element = _add(parent, "enumeratedValue")
    _add(element, "name", item.name)
    if item.text:
        _add(element, "description", item.text)
    _add(element, "value", f"0x{item.value:X}")
