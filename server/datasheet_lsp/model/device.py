"""The device model: what an SVD file says about a chip, resolved and expanded.

Everything here is immutable. Addresses and offsets are in bytes, sizes and bit positions in
bits, lines are 1-based lines of the SVD file. The terms are those of CMSIS-SVD 1.3
(https://arm-software.github.io/CMSIS_5/SVD/html/svd_Format_pg.html).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

Access = Literal["read-only", "write-only", "read-write", "writeOnce", "read-writeOnce"]
"""The access rights CMSIS-SVD knows. Other texts are mapped to one of these with a diagnostic."""

Usage = Literal["read", "write", "read-write"]
Severity = Literal["error", "warning", "information"]


def _bare(template: str) -> str:
    """A name without the place of its array index."""
    return template.replace("[%s]", "").replace("%s", "")


class Diagnostic(msgspec.Struct, frozen=True, gc=False):
    """Something in a file that is not as it should be, and what was done about it."""

    line: int
    severity: Severity
    message: str


class EnumeratedValue(msgspec.Struct, frozen=True, gc=False):
    """One named value of a field.

    ``value`` is None for the entry that only names all other values (``isDefault``). ``mask`` has
    the bits that count where the SVD writes don't-care bits (``#1xx``), else None.
    """

    name: str
    description: str
    value: int | None
    mask: int | None
    is_default: bool
    line: int

    def matches(self, value: int) -> bool:
        """Whether the field content ``value`` is this entry, the default entry left aside."""
        if self.value is None:
            return False
        if self.mask is not None:
            return value & self.mask == self.value & self.mask
        return value == self.value


class EnumeratedValues(msgspec.Struct, frozen=True, gc=False):
    """A set of named values of a field, for reading, for writing or for both."""

    name: str
    usage: Usage
    values: tuple[EnumeratedValue, ...]
    line: int

    def find(self, value: int) -> EnumeratedValue | None:
        """The entry for the field content ``value``, the default entry last, else None."""
        for entry in self.values:
            if entry.matches(value):
                return entry
        for entry in self.values:
            if entry.is_default:
                return entry
        return None


class WriteConstraint(msgspec.Struct, frozen=True, gc=False):
    """Which values may be written: as read before, only enumerated ones, or a range."""

    write_as_read: bool = False
    use_enumerated_values: bool = False
    minimum: int | None = None
    maximum: int | None = None


class Field(msgspec.Struct, frozen=True, gc=False):
    """A field: the bits ``msb`` to ``lsb`` (both inclusive) of a register.

    ``access_text`` keeps what the file says where it is no access right of CMSIS-SVD, else "".
    """

    name: str
    description: str
    lsb: int
    msb: int
    access: Access
    line: int
    enumerated_values: tuple[EnumeratedValues, ...] = ()
    modified_write_values: str | None = None
    read_action: str | None = None
    write_constraint: WriteConstraint | None = None
    access_text: str = ""

    @property
    def width(self) -> int:
        """Width in bits."""
        return self.msb - self.lsb + 1

    @property
    def mask(self) -> int:
        """The field's bits, in place in the register."""
        return ((1 << self.width) - 1) << self.lsb

    def extract(self, register_value: int) -> int:
        """The field's content in ``register_value``."""
        return (register_value >> self.lsb) & ((1 << self.width) - 1)

    def named(self, value: int, usage: Literal["read", "write"] = "read") -> EnumeratedValue | None:
        """The enumerated value for the content ``value`` as seen by ``usage``, else None."""
        for wanted in (usage, "read-write"):
            for entries in self.enumerated_values:
                if entries.usage == wanted and (found := entries.find(value)) is not None:
                    return found
        return None


class UnplacedField(msgspec.Struct, frozen=True, gc=False):
    """A field of which the file gives no usable position."""

    name: str
    description: str
    line: int


class Register(msgspec.Struct, frozen=True, gc=False):
    """A register, expanded: one for each element of an array.

    ``path`` is the name within the peripheral (``CH[1].CFG``), ``template`` the same with ``%s``
    for each index (equal to ``path`` outside arrays). ``offset`` counts from the peripheral's base
    address. ``reset_value`` is None where the file gives none at any level.
    """

    path: str
    template: str
    description: str
    offset: int
    size: int
    access: Access
    reset_value: int | None
    reset_mask: int | None
    fields: tuple[Field, ...]
    line: int
    display_name: str = ""
    protection: str | None = None
    alternate_register: str | None = None
    alternate_group: str | None = None
    modified_write_values: str | None = None
    read_action: str | None = None
    write_constraint: WriteConstraint | None = None
    data_type: str | None = None
    access_text: str = ""
    unplaced_fields: tuple[UnplacedField, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path: ``CFG`` of ``CH[1].CFG``."""
        return self.path.rpartition(".")[2]

    @property
    def size_bytes(self) -> int:
        """Size in bytes, at least 1."""
        return max(1, (self.size + 7) // 8)

    def field(self, name: str) -> Field | None:
        """The field called ``name``, letter case aside when none matches exactly."""
        for field in self.fields:
            if field.name == name:
                return field
        folded = name.casefold()
        return next((f for f in self.fields if f.name.casefold() == folded), None)


class Cluster(msgspec.Struct, frozen=True, gc=False):
    """A group of registers, expanded like them. ``path``, ``template``, ``offset`` as there."""

    path: str
    template: str
    description: str
    offset: int
    line: int
    header_struct_name: str | None = None
    alternate_cluster: str | None = None


class RegisterBlock(msgspec.Struct, frozen=True, gc=False):
    """The registers and clusters of a peripheral, in the order of the file.

    Peripherals derived from one another without changes share one block object.
    """

    registers: tuple[Register, ...] = ()
    clusters: tuple[Cluster, ...] = ()


class Interrupt(msgspec.Struct, frozen=True, gc=False):
    """An interrupt line. ``value`` is its number in the interrupt controller."""

    name: str
    value: int
    description: str
    line: int


class AddressBlock(msgspec.Struct, frozen=True, gc=False):
    """An address range of a peripheral: ``offset`` from its base, ``size`` in bytes."""

    offset: int
    size: int
    usage: str
    protection: str | None = None


class Peripheral(msgspec.Struct, frozen=True, gc=False):
    """A peripheral, expanded: one for each element of an array.

    ``source`` is "" for the device's own SVD file, else the name of the core file that added it.
    """

    name: str
    template: str
    description: str
    base_address: int
    block: RegisterBlock
    line: int
    group_name: str = ""
    version: str = ""
    derived_from: str | None = None
    alternate_peripheral: str | None = None
    prepend_to_name: str = ""
    append_to_name: str = ""
    header_struct_name: str | None = None
    disable_condition: str | None = None
    address_blocks: tuple[AddressBlock, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    source: str = ""

    @property
    def registers(self) -> tuple[Register, ...]:
        """The peripheral's registers, arrays expanded, clusters flattened."""
        return self.block.registers

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The peripheral's clusters, arrays expanded, outer before inner."""
        return self.block.clusters

    def c_path(self, register: Register) -> str:
        """The register's name in C: prependToName and appendToName around the last part.

        Index brackets stay outside: ``I2C_DATA_X[1]``. Clusters keep their names, as in SVDConv.
        """
        parent, dot, name = register.path.rpartition(".")
        stem, bracket, index = name.partition("[")
        return f"{parent}{dot}{self.prepend_to_name}{stem}{self.append_to_name}{bracket}{index}"


class Cpu(msgspec.Struct, frozen=True, gc=False):
    """The processor. ``name`` as in CMSIS-SVD (CM4, CM0PLUS, CM33, other ...)."""

    name: str
    revision: str = ""
    endian: str = ""
    mpu_present: bool | None = None
    fpu_present: bool | None = None
    fpu_double_precision: bool | None = None
    vtor_present: bool | None = None
    nvic_priority_bits: int | None = None
    vendor_systick_config: bool | None = None
    interrupt_count: int | None = None
    sau_regions: int | None = None


class Device(msgspec.Struct, frozen=True, gc=False):
    """A chip as its SVD file describes it.

    ``source`` is the file's name as the user knows it, ``sha256`` the hash of the file's bytes,
    filled in by who keeps devices by their hash.
    """

    name: str
    description: str
    peripherals: tuple[Peripheral, ...]
    vendor: str = ""
    series: str = ""
    version: str = ""
    cpu: Cpu | None = None
    address_unit_bits: int = 8
    width: int = 32
    header_definitions_prefix: str = ""
    header_system_filename: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    source: str = ""
    sha256: str = ""

    def peripheral(self, name: str) -> Peripheral | None:
        """The peripheral called ``name``, letter case aside when none matches exactly."""
        for peripheral in self.peripherals:
            if peripheral.name == name:
                return peripheral
        folded = name.casefold()
        return next((p for p in self.peripherals if p.name.casefold() == folded), None)

    def struct_type(self, peripheral: Peripheral, cluster: Cluster | None = None) -> str:
        """The C type SVDConv gives a peripheral (``ACME_I2C_Type``) or a cluster (``CHAN_Type``).

        Peripherals derived from one another share their base's type. A cluster without
        headerStructName is named after its peripheral: ``I2C_CH_Type``.
        """
        if cluster is not None and cluster.header_struct_name:
            return f"{cluster.header_struct_name}_Type"
        name = peripheral.header_struct_name
        if name is None:
            base = self.peripheral(peripheral.derived_from) if peripheral.derived_from else None
            name = _bare((base or peripheral).template)
        if cluster is not None:
            return f"{name}_{_bare(cluster.template.rpartition('.')[2])}_Type"
        return f"{self.header_definitions_prefix}{name}_Type"

    def walk(self) -> Iterator[tuple[Peripheral, Register]]:
        """All registers with their peripheral, in the order of the file."""
        for peripheral in self.peripherals:
            for register in peripheral.block.registers:
                yield peripheral, register
