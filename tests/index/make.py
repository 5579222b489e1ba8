"""Devices written by hand and made at random."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from datasheet_lsp.model import (
    Access,
    AddressBlock,
    Cluster,
    Cpu,
    Device,
    Diagnostic,
    EnumeratedValue,
    EnumeratedValues,
    Field,
    Interrupt,
    Peripheral,
    Register,
    RegisterBlock,
    Severity,
    UnplacedField,
    Usage,
    WriteConstraint,
)


def small_device(name: str = "ACME1", *, extra_fields: int = 0) -> Device:
    """Two UARTs that share a block, in which the elements of an array share their fields."""
    parity = EnumeratedValues(
        "PARITY",
        "read-write",
        (
            EnumeratedValue("None", "no parity", 0, None, False, 21),
            EnumeratedValue("Even", "", 2, 6, False, 22),
            EnumeratedValue("Other", "", None, None, True, 23),
        ),
        20,
    )
    fields = (
        Field("EN", "Enable", 0, 0, "read-write", 10),
        Field(
            "PAR",
            "Parity",
            1,
            3,
            "read-writeOnce",
            11,
            enumerated_values=(parity,),
            write_constraint=WriteConstraint(minimum=0, maximum=6),
            read_action="clear",
        ),
        *(Field(f"X{i}", "x" * 40, 4, 4, "read-only", 100 + i) for i in range(extra_fields)),
    )
    registers = (
        Register("CH[0].CFG", "CH[%s].CFG", "", 0, 32, "read-write", 0, 0xFFFF_FFFF, fields, 9),
        Register("CH[1].CFG", "CH[%s].CFG", "", 4, 32, "read-write", None, None, fields, 9),
        Register(
            "ID",
            "ID",
            "Größe 4 µm",
            8,
            64,
            "read-only",
            0xFFFF_FFFF_FFFF_FFFF,
            0,
            (),
            30,
            display_name="ID",
            protection="s",
            unplaced_fields=(UnplacedField("LOST", "no bits", 31),),
        ),
    )
    block = RegisterBlock(registers, (Cluster("CH[0]", "CH[%s]", "Channel", 0, 8),))
    return Device(
        name,
        "A made-up chip",
        (
            Peripheral(
                "UART0",
                "UART0",
                "UART",
                0x4000_0000,
                block,
                5,
                address_blocks=(AddressBlock(0, 0x100, "registers"),),
                interrupts=(Interrupt("UART0", 7, "", 6),),
            ),
            Peripheral("UART1", "UART1", "", 0x4000_1000, block, 40, derived_from="UART0"),
        ),
        cpu=Cpu("CM4", fpu_present=True, nvic_priority_bits=4),
        diagnostics=(Diagnostic(31, "warning", "field LOST has no bits"),),
        source="acme1.svd",
        sha256="00" * 32,
    )


_texts = st.text(max_size=6)
_maybe_text = st.none() | _texts
_numbers = st.integers(0, 2**32) | st.integers() | st.just(2**64) | st.just(2**200)
_maybe_number = st.none() | _numbers
_maybe_flag = st.none() | st.booleans()


def _several(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=3).map(tuple)


_sets = st.builds(
    EnumeratedValues,
    _texts,
    st.sampled_from(get_args(Usage)),
    _several(
        st.builds(
            EnumeratedValue, _texts, _texts, _maybe_number, _maybe_number, st.booleans(), _numbers
        )
    ),
    _numbers,
)
_constraints = st.none() | st.builds(
    WriteConstraint, st.booleans(), st.booleans(), _maybe_number, _maybe_number
)
_access = st.sampled_from(get_args(Access))
_fields = st.builds(
    Field,
    _texts,
    _texts,
    _numbers,
    _numbers,
    _access,
    _numbers,
    enumerated_values=_several(_sets),
    modified_write_values=_maybe_text,
    read_action=_maybe_text,
    write_constraint=_constraints,
    access_text=_texts,
)
_registers = st.builds(
    Register,
    _texts,
    _texts,
    _texts,
    _numbers,
    _numbers,
    _access,
    _maybe_number,
    _maybe_number,
    _several(_fields),
    _numbers,
    display_name=_texts,
    protection=_maybe_text,
    alternate_register=_maybe_text,
    alternate_group=_maybe_text,
    modified_write_values=_maybe_text,
    read_action=_maybe_text,
    write_constraint=_constraints,
    data_type=_maybe_text,
    access_text=_texts,
    unplaced_fields=_several(st.builds(UnplacedField, _texts, _texts, _numbers)),
)
_clusters = st.builds(Cluster, _texts, _texts, _texts, _numbers, _numbers, _maybe_text, _maybe_text)
_peripherals = st.builds(
    Peripheral,
    _texts,
    _texts,
    _texts,
    _numbers,
    st.builds(RegisterBlock, _several(_registers), _several(_clusters)),
    _numbers,
    group_name=_texts,
    version=_texts,
    derived_from=_maybe_text,
    alternate_peripheral=_maybe_text,
    prepend_to_name=_texts,
    append_to_name=_texts,
    header_struct_name=_maybe_text,
    disable_condition=_maybe_text,
    address_blocks=_several(st.builds(AddressBlock, _numbers, _numbers, _texts, _maybe_text)),
    interrupts=_several(st.builds(Interrupt, _texts, _numbers, _texts, _numbers)),
    source=_texts,
)
_cpus = st.none() | st.builds(
    Cpu,
    _texts,
    _texts,
    _texts,
    _maybe_flag,
    _maybe_flag,
    _maybe_flag,
    _maybe_flag,
    _maybe_number,
    _maybe_flag,
    _maybe_number,
    _maybe_number,
)
any_devices = st.builds(
    Device,
    _texts,
    _texts,
    _several(_peripherals),
    vendor=_texts,
    series=_texts,
    version=_texts,
    cpu=_cpus,
    address_unit_bits=_numbers,
    width=_numbers,
    header_definitions_prefix=_texts,
    header_system_filename=_texts,
    diagnostics=_several(
        st.builds(Diagnostic, _numbers, st.sampled_from(get_args(Severity)), _texts)
    ),
    source=_texts,
    sha256=_texts,
)
