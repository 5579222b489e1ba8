"""The fields of a register with their named values."""

from __future__ import annotations

from typing import cast

from datasheet_lsp.model import EnumeratedValue, EnumeratedValues, Field, UnplacedField
from datasheet_lsp.model.device import Access, Usage
from datasheet_lsp.svd import numbers
from datasheet_lsp.svd.derive import Deriver
from datasheet_lsp.svd.tree import Node
from datasheet_lsp.svd.values import Values, squeeze

MAX_FIELDS = 4096
"""Fields of one register, arrays expanded: no register has more bits."""

_Fields = tuple[tuple[Field, ...], tuple[UnplacedField, ...]]


class FieldBuilder:
    """Builds the fields of registers; a register read again gives the same tuple."""

    def __init__(self, deriver: Deriver, values: Values) -> None:
        self._deriver = deriver
        self._values = values
        self._report = values.report
        self._memo: dict[tuple[object, ...], _Fields] = {}
        self._enums: dict[int, EnumeratedValues | None] = {}

    def of(self, register: Node, size: int, access: Access, access_text: str) -> _Fields:
        """The fields of ``register``, in the order of the file, and those without a position."""
        nodes = tuple(register.of_kind("field"))
        if not nodes:
            return (), ()
        key = (size, access, access_text, *map(id, nodes))
        done = self._memo.get(key)
        if done is None:
            done = self._memo[key] = self._build(nodes, register, size, access, access_text)
        return done

    def _build(
        self, nodes: tuple[Node, ...], register: Node, size: int, access: Access, access_text: str
    ) -> _Fields:
        fields: list[Field] = []
        unplaced: list[UnplacedField] = []
        values = self._values
        for raw in nodes:
            node = self._deriver.merged(raw)
            props = node.props
            name = node.name
            if not name:
                self._report(node.line, "error", "a field has no name and was left out")
                continue
            position = self._position(node)
            if position is None:
                self._report(
                    node.line,
                    "warning",
                    f"field {name!r} of {register.name} has no usable position",
                )
                unplaced.append(UnplacedField(name, values.described(node, None), node.line))
                continue
            lsb, msb = position
            own, text = values.access(node, access) if "access" in props else (access, access_text)
            enums: tuple[EnumeratedValues, ...] = ()
            constraint = None
            if node.children:
                enums = self._enumerated(node)
                constraint = values.write_constraint(node)
            modified = props.get("modifiedWriteValues")
            if modified is None and "clear" in text.lower():
                # "read/clear" and its like: a write clears.
                modified = "clear"
            for element, step, index in values.expand(node, msb - lsb + 1, _cap):
                if msb + step >= size:
                    values.beyond(node, register.name, size)
                fields.append(
                    Field(
                        element,
                        values.described(node, index),
                        lsb + step,
                        msb + step,
                        own,
                        node.line,
                        enums,
                        modified,
                        props.get("readAction"),
                        constraint,
                        text,
                    )
                )
        return tuple(fields), tuple(unplaced)

    def _position(self, node: Node) -> tuple[int, int] | None:
        """Lowest and highest bit by any of the three notations, None without a usable one."""
        props = node.props
        found: list[tuple[int, int]] = []
        if "bitOffset" in props:
            low = self._bit(node, "bitOffset")
            width = self._bit(node, "bitWidth") if "bitWidth" in props else 1
            if low is not None and width:
                found.append((low, low + width - 1))
        if "bitRange" in props:
            try:
                high, low = numbers.bit_range(props["bitRange"])
                found.append((low, high))
            except ValueError as error:
                self._report(node.line, "warning", f"bitRange of {node.name!r}: {error}; ignored")
        if "lsb" in props and "msb" in props:
            low, high_ = self._bit(node, "lsb"), self._bit(node, "msb")
            if low is not None and high_ is not None:
                found.append((low, high_))
        usable = []
        for low, high in found:
            if low > high:
                self._report(
                    node.line,
                    "warning",
                    f"field {node.name!r} is given as bits {high}:{low}; read as {low}:{high}",
                )
                low, high = high, low
            if high < numbers.MAX_BITS:
                usable.append((low, high))
        if len(set(usable)) > 1:
            low, high = usable[0]
            self._report(
                node.line,
                "warning",
                f"field {node.name!r} is given at different places; {high}:{low} is used",
            )
        return usable[0] if usable else None

    def _bit(self, node: Node, key: str) -> int | None:
        return self._values.integer(node, key)

    # Named values -----------------------------------------------------------------------

    def _enumerated(self, field: Node) -> tuple[EnumeratedValues, ...]:
        found = []
        for raw in field.of_kind("enumeratedValues"):
            if id(raw) not in self._enums:
                self._enums[id(raw)] = self._set(raw)
            if (entries := self._enums[id(raw)]) is not None:
                found.append(entries)
        return tuple(found)

    def _set(self, raw: Node) -> EnumeratedValues | None:
        node = self._deriver.merged(raw)
        values = []
        for item in node.of_kind("enumeratedValue"):
            entry = self._entry(item)
            if entry is not None:
                values.append(entry)
        if not values:
            return None
        usage = node.props.get("usage", "read-write")
        if usage not in ("read", "write", "read-write"):
            self._report(node.line, "warning", f"usage {usage!r} was read as read-write")
            usage = "read-write"
        return EnumeratedValues(node.name, cast(Usage, usage), tuple(values), raw.line)

    def _entry(self, item: Node) -> EnumeratedValue | None:
        text = item.props.get("value")
        default = bool(self._values.flag(item, "isDefault"))
        value: int | None = None
        mask: int | None = None
        if text is not None:
            try:
                value, mask = numbers.enumerated(text)
            except ValueError as error:
                self._report(
                    item.line, "warning", f"value of {item.name!r}: {error}; it was left out"
                )
                return None
        elif not default:
            self._report(item.line, "warning", f"{item.name!r} has no value and was left out")
            return None
        description = squeeze(item.props.get("description", ""))
        return EnumeratedValue(item.name, description, value, mask, default, item.line)


def _cap(count: int) -> int:
    return min(count, MAX_FIELDS)
