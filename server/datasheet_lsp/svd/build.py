"""The tree of an SVD file to the device model: arrays expanded, properties inherited.

Inheritance runs device -> peripheral -> every cluster -> register (size, access, protection,
resetValue, resetMask), and access on to the field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from datasheet_lsp.model import (
    AddressBlock,
    Cluster,
    Cpu,
    Device,
    Interrupt,
    Peripheral,
    Register,
    RegisterBlock,
)
from datasheet_lsp.model.device import Access
from datasheet_lsp.svd.derive import Deriver
from datasheet_lsp.svd.fields import FieldBuilder
from datasheet_lsp.svd.tree import Node
from datasheet_lsp.svd.values import Values, squeeze

MAX_ITEMS = 131_072
"""Registers and clusters of one device, arrays expanded. A chip has some thousands."""


class Inherited(NamedTuple):
    """The register properties that pass from level to level."""

    size: int = 32
    access: Access = "read-write"
    access_text: str = ""
    protection: str | None = None
    reset_value: int | None = None
    reset_mask: int | None = None


class _Place(NamedTuple):
    """Where in a peripheral a group of items stands."""

    prefix: str = ""
    template: str = ""
    offset: int = 0
    depth: int = 0


class Builder:
    """Builds one device."""

    def __init__(self, tree: Node, values: Values) -> None:
        self._tree = tree
        self._values = values
        self._report = values.report
        self._deriver = Deriver(tree, values.report)
        self._fields = FieldBuilder(self._deriver, values)
        self._blocks: dict[tuple[object, ...], RegisterBlock] = {}
        self._budget = MAX_ITEMS

    def device(self, source: str) -> Device:
        """The device of the tree. Diagnostics are the caller's to add."""
        tree, values = self._tree, self._values
        props = tree.props
        name = tree.name
        if not name:
            name = source.rpartition("/")[2].partition(".")[0]
            self._report(tree.line, "warning", f"the device has no name; called {name!r}")
        inherited = self._inherit(tree, Inherited())
        peripherals: list[Peripheral] = []
        for node in tree.of_kind("peripheral"):
            peripherals.extend(self._peripherals(node, inherited))
        return Device(
            name=name,
            description=squeeze(props.get("description", "")),
            peripherals=tuple(peripherals),
            vendor=props.get("vendor", ""),
            series=props.get("series", ""),
            version=props.get("version", ""),
            cpu=self._cpu(),
            address_unit_bits=values.integer(tree, "addressUnitBits") or 8,
            width=values.integer(tree, "width") or 32,
            header_definitions_prefix=props.get("headerDefinitionsPrefix", ""),
            header_system_filename=props.get("headerSystemFilename", ""),
            source=source,
        )

    def _cpu(self) -> Cpu | None:
        node = next(self._tree.of_kind("cpu"), None)
        if node is None or not node.props:
            return None
        props, values = node.props, self._values
        return Cpu(
            name=node.name,
            revision=props.get("revision", ""),
            endian=props.get("endian", ""),
            mpu_present=values.flag(node, "mpuPresent"),
            fpu_present=values.flag(node, "fpuPresent"),
            fpu_double_precision=values.flag(node, "fpuDP"),
            vtor_present=values.flag(node, "vtorPresent"),
            nvic_priority_bits=values.integer(node, "nvicPrioBits"),
            vendor_systick_config=values.flag(node, "vendorSystickConfig"),
            interrupt_count=values.integer(node, "deviceNumInterrupts"),
            sau_regions=values.integer(node, "sauNumRegions"),
        )

    def _inherit(self, node: Node, above: Inherited) -> Inherited:
        """``above`` with what ``node`` says itself."""
        props, values = node.props, self._values
        size, access, text = above.size, above.access, above.access_text
        protection, value, mask = above.protection, above.reset_value, above.reset_mask
        if "size" in props and (given := values.integer(node, "size")) is not None:
            if 0 < given <= 1024:
                size = given
            else:
                self._report(node.line, "warning", f"size {given} is impossible; {size} is used")
        if "access" in props:
            access, text = values.access(node, access)
        if "protection" in props:
            protection = props["protection"]
        if "resetValue" in props and (given := values.integer(node, "resetValue")) is not None:
            value = given
        if "resetMask" in props and (given := values.integer(node, "resetMask")) is not None:
            mask = given
        return Inherited(size, access, text, protection, value, mask)

    # Peripherals ------------------------------------------------------------------------

    def _peripherals(self, raw: Node, above: Inherited) -> list[Peripheral]:
        node = self._deriver.merged(raw)
        props, values = node.props, self._values
        template = node.name
        if not template:
            self._report(node.line, "error", "a peripheral has no name and was left out")
            return []
        base = values.integer(raw, "baseAddress")
        if base is None:
            base = values.integer(node, "baseAddress")
            if base is None:
                self._report(node.line, "error", f"{template} has no baseAddress and was left out")
                return []
            self._report(node.line, "warning", f"{template} has no baseAddress; its base's is used")
        block = self._block(node, self._inherit(node, above))
        blocks = tuple(
            AddressBlock(
                offset=values.integer(item, "offset") or 0,
                size=values.integer(item, "size") or 0,
                usage=item.props.get("usage", "registers"),
                protection=item.props.get("protection"),
            )
            for item in node.of_kind("addressBlock")
        )
        interrupts = self._interrupts(node)
        derived_from = self._deriver.base_peripheral(raw)
        # A peripheral's array step is in bytes; its address blocks tell a missing one.
        span = max((b.offset + b.size for b in blocks), default=0)
        found = []
        for name, offset, index in values.expand(node, span, self._cap(1)):
            found.append(
                Peripheral(
                    name=name,
                    template=values.template(node, name),
                    description=values.described(node, index),
                    base_address=base + offset,
                    block=block,
                    line=raw.line,
                    group_name=props.get("groupName", ""),
                    version=props.get("version", ""),
                    derived_from=derived_from,
                    alternate_peripheral=props.get("alternatePeripheral"),
                    prepend_to_name=props.get("prependToName", ""),
                    append_to_name=props.get("appendToName", ""),
                    header_struct_name=props.get("headerStructName"),
                    disable_condition=props.get("disableCondition"),
                    address_blocks=blocks,
                    interrupts=interrupts,
                )
            )
        return found

    def _interrupts(self, node: Node) -> tuple[Interrupt, ...]:
        found: dict[tuple[str, int], Interrupt] = {}
        for item in node.of_kind("interrupt"):
            value = self._values.integer(item, "value")
            if value is None:
                self._report(
                    item.line, "warning", f"interrupt {item.name!r} has no number and was left out"
                )
                continue
            description = squeeze(item.props.get("description", ""))
            found.setdefault(
                (item.name, value), Interrupt(item.name, value, description, item.line)
            )
        return tuple(found.values())

    def _block(self, node: Node, inherited: Inherited) -> RegisterBlock:
        """The peripheral's registers; one object for peripherals with the same items."""
        items = tuple(node.of_kind("register", "cluster"))
        key = (inherited, *map(id, items))
        block = self._blocks.get(key)
        if block is None:
            registers: list[Register] = []
            clusters: list[Cluster] = []
            self._walk(items, _Place(), inherited, registers, clusters)
            self._note_repeats(node, registers)
            block = RegisterBlock(tuple(registers), tuple(clusters))
            self._blocks[key] = block
        return block

    def _note_repeats(self, node: Node, registers: list[Register]) -> None:
        seen: set[str] = set()
        for register in registers:
            if register.path in seen:
                self._report(
                    register.line,
                    "information",
                    f"{node.name} has more than one register called {register.path}; all are kept",
                )
            seen.add(register.path)

    # Registers and clusters -------------------------------------------------------------

    def _walk(
        self,
        items: tuple[Node, ...],
        place: _Place,
        inherited: Inherited,
        registers: list[Register],
        clusters: list[Cluster],
    ) -> None:
        for item in items:
            node = self._deriver.merged(item)
            what = f"<{node.kind}> {place.prefix}{node.name}"
            if not node.name:
                self._report(node.line, "error", f"a {node.kind} has no name and was left out")
                continue
            offset = self._values.integer(node, "addressOffset")
            if offset is None:
                self._report(node.line, "error", f"{what} has no addressOffset and was left out")
                continue
            own = self._inherit(node, inherited)
            if node.kind == "register":
                self._register(node, place, offset, own, registers)
            else:
                self._cluster(node, place, offset, own, registers, clusters)

    def _register(
        self, node: Node, place: _Place, offset: int, own: Inherited, registers: list[Register]
    ) -> None:
        props, values = node.props, self._values
        fields, unplaced = self._fields.of(node, own.size, own.access, own.access_text)
        all_bits = (1 << own.size) - 1
        mask = all_bits if own.reset_mask is None else own.reset_mask & all_bits
        reset = None if own.reset_value is None else own.reset_value & all_bits
        constraint = values.write_constraint(node)
        for name, step, index in values.expand(node, own.size // 8, self._cap(1)):
            registers.append(
                Register(
                    path=place.prefix + name,
                    template=place.template + values.template(node, name),
                    description=values.described(node, index),
                    offset=place.offset + offset + step,
                    size=own.size,
                    access=own.access,
                    reset_value=reset,
                    reset_mask=None if reset is None else mask,
                    fields=fields,
                    line=node.line,
                    display_name=props.get("displayName", "").replace("%s", index or ""),
                    protection=own.protection,
                    alternate_register=props.get("alternateRegister"),
                    alternate_group=props.get("alternateGroup"),
                    modified_write_values=props.get("modifiedWriteValues"),
                    read_action=props.get("readAction"),
                    write_constraint=constraint,
                    data_type=props.get("dataType"),
                    access_text=own.access_text,
                    unplaced_fields=unplaced,
                )
            )

    def _cluster(
        self,
        node: Node,
        place: _Place,
        offset: int,
        own: Inherited,
        registers: list[Register],
        clusters: list[Cluster],
    ) -> None:
        values = self._values
        items = tuple(node.of_kind("register", "cluster"))
        for name, step, index in values.expand(node, 0, self._cap(max(1, len(items)))):
            template = place.template + values.template(node, name)
            inner = _Place(
                f"{place.prefix}{name}.",
                f"{template}.",
                place.offset + offset + step,
                place.depth + 1,
            )
            clusters.append(
                Cluster(
                    path=place.prefix + name,
                    template=template,
                    description=values.described(node, index),
                    offset=inner.offset,
                    line=node.line,
                    header_struct_name=node.props.get("headerStructName"),
                    alternate_cluster=node.props.get("alternateCluster"),
                )
            )
            if inner.depth > 32:
                self._report(node.line, "error", f"{inner.prefix} is nested too deep; cut here")
                return
            self._walk(items, inner, own, registers, clusters)

    def _cap(self, weight: int) -> Callable[[int], int]:
        return lambda count: self._take(count, weight)

    def _take(self, count: int, weight: int) -> int:
        """How many of ``count`` elements the device's budget still allows."""
        allowed = min(count, max(0, self._budget // weight))
        self._budget -= allowed
        return allowed
