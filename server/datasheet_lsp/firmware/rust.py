"""Registers in Rust, as the crates that svd2rust and its like make from an SVD name them.

``p.USART2.brr().write(|w| w.div_mantissa().bits(27))``: the peripheral in capitals, its registers
and their fields in snake case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.headers.numbers import number
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.model import Field, Location, Lookup, Peripheral, Register, RegisterBlock

_ACCESS = frozenset(
    ("read", "write", "modify", "reset", "write_with_zero", "write_value", "as_ptr", "set_bits",
     "clear_bits", "toggle_bits", "modify_atomic", "get", "set", "from_write", "from_modify")
)  # fmt: skip
_TRANSPARENT = frozenset(
    ("ptr", "steal", "borrow", "borrow_mut", "as_ref", "as_mut", "unwrap", "lock", "deref", "clone",
     "regs", "registers", "PTR", "take")
)  # fmt: skip
_SEPARATOR = re.compile(r"[^a-z0-9]")
_MAX_CHAIN = 60
_MAX_DEPTH = 8
_MAX_UP = 200


class Part(msgspec.Struct, frozen=True):
    """A name of a chain with its index or the first argument it was called with."""

    name: str
    node: Node
    index: int | None = None
    indexed: bool = False


class Table:
    """The registers of a block by their names in Rust."""

    def __init__(self, block: RegisterBlock) -> None:
        self.registers: dict[str, list[Register]] = {}
        self.clusters: dict[str, str] = {}
        for register in block.registers:
            for spelling in {register.path, register.template}:
                self.registers.setdefault(_plain(spelling.replace("%s", "")), []).append(register)
        for cluster in block.clusters:
            self.clusters.setdefault(_plain(cluster.template.replace("%s", "")), cluster.template)


class Names:
    """The peripherals of a device by their names in Rust."""

    def __init__(self, lookup: Lookup) -> None:
        self.device = lookup.device
        self._peripherals: dict[str, Peripheral] = {}
        self._tables: dict[int, Table] = {}
        for peripheral in lookup.device.peripherals:
            self._peripherals.setdefault(_plain(peripheral.name), peripheral)

    def peripheral(self, name: str) -> Peripheral | None:
        """The peripheral that a name in capitals is."""
        if not name.isupper():
            return None
        return self._peripherals.get(_plain(name))

    def table(self, peripheral: Peripheral) -> Table:
        """Its registers."""
        key = id(peripheral.block)
        if key not in self._tables:
            self._tables[key] = Table(peripheral.block)
        return self._tables[key]


_NAMES: WeakKeyDictionary[Lookup, Names] = WeakKeyDictionary()


def _plain(name: str) -> str:
    return _SEPARATOR.sub("", name.lower())


class Meant(msgspec.Struct, frozen=True):
    """What was found: ``start`` and ``end`` are the bytes of the expression."""

    locations: tuple[Location, ...]
    start: int
    end: int
    unknown: bool = False


def rust_at(source: Source, offset: int, lookups: Sequence[Lookup]) -> Meant | None:
    """The register, field or peripheral at a byte offset of Rust code; None whenever unsure."""
    node = source.root.descendant_for_byte_range(offset, offset + 1)
    if node is None or node.type not in ("identifier", "field_identifier", "type_identifier"):
        return None
    for lookup in lookups:
        if lookup not in _NAMES:
            _NAMES[lookup] = Names(lookup)
        found = _Reader(source, _NAMES[lookup]).at(node)
        if found is not None:
            return found
    return None


class _Reader:
    def __init__(self, source: Source, names: Names) -> None:
        self._data = source.plain
        self._root = source.root
        self._names = names

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def at(self, node: Node) -> Meant | None:
        """What ``node``, a name, means."""
        whole = node
        while whole.parent is not None and _carries(whole.parent, whole):
            whole = whole.parent
        parts = list(self._chain(whole, 0))
        place = next((i for i, part in enumerate(parts) if part.node == node), None)
        if place is None:
            return None
        found = self._locations(parts[: place + 1], whole)
        if found is None:
            return None
        locations, unknown = found
        start = min(part.node.start_byte for part in parts)
        return Meant(locations, min(start, node.start_byte), node.end_byte, unknown)

    # -- chains -----------------------------------------------------------------------------

    def _chain(self, node: Node, depth: int) -> Iterator[Part]:
        """The names of ``a.b(1).c[2]`` in order."""
        if depth > _MAX_CHAIN:
            return
        kind = node.type
        if kind == "field_expression":
            value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
            if value is not None:
                yield from self._chain(value, depth + 1)
            if field is not None:
                yield Part(self._text(field), field)
        elif kind == "call_expression":
            function = node.child_by_field_name("function")
            arguments = node.child_by_field_name("arguments")
            parts = list(self._chain(function, depth + 1)) if function is not None else []
            if parts and arguments is not None:
                given = arguments.named_children
                closure = bool(given) and given[0].type == "closure_expression"
                if len(given) == 1 and not closure and parts[-1].name not in _ACCESS:
                    parts[-1] = self._indexed(parts[-1], given[0])
            yield from parts
        elif kind == "index_expression":
            inner = node.named_children
            parts = list(self._chain(inner[0], depth + 1)) if inner else []
            if parts and len(inner) > 1:
                parts[-1] = self._indexed(parts[-1], inner[1])
            yield from parts
        elif kind in ("identifier", "self", "type_identifier"):
            yield Part(self._text(node), node)
        elif kind == "scoped_identifier":
            path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
            if path is not None:
                yield from self._chain(path, depth + 1)
            if name is not None:
                yield Part(self._text(name), name)
        elif kind in (
            "parenthesized_expression", "reference_expression", "unary_expression", "unsafe_block",
            "block", "expression_statement", "try_expression", "type_cast_expression",
        ):  # fmt: skip
            inner = [c for c in node.named_children if c.type != "mutable_specifier"]
            if inner and (len(inner) == 1 or kind == "type_cast_expression"):
                yield from self._chain(inner[0], depth + 1)

    def _indexed(self, part: Part, node: Node) -> Part:
        n = number(self._text(node)) if node.type == "integer_literal" else None
        return Part(part.name, part.node, n, True)

    # -- meaning ----------------------------------------------------------------------------

    def _locations(
        self, parts: Sequence[Part], whole: Node, depth: int = 0
    ) -> tuple[tuple[Location, ...], bool] | None:
        """What a chain means, and whether an element of an array is left open."""
        if not parts or depth > _MAX_DEPTH:
            return None
        for i, part in enumerate(parts):
            peripheral = self._names.peripheral(part.name)
            if peripheral is not None:
                return self._members(peripheral, parts[i + 1 :])
        first = parts[0]
        inner = self._closure(first.name, whole, depth)
        if inner is not None:
            return self._field(*inner, parts[1:])
        named = self._variable(first, parts[1:], whole)
        if named is not None:
            peripheral, rest = named
            return self._members(peripheral, rest)
        return None

    def _members(
        self, peripheral: Peripheral, parts: Sequence[Part]
    ) -> tuple[tuple[Location, ...], bool] | None:
        device = self._names.device
        rest = [part for part in parts if part.name not in _TRANSPARENT]
        if not rest:
            return (Location(device, peripheral),), False
        table = self._names.table(peripheral)
        path = ""
        indices: list[int | None] = []
        for i, part in enumerate(rest[:3]):
            path += _plain(part.name)
            if part.indexed:
                indices.append(part.index)
            registers = _pick(table.registers.get(path, []), indices)
            if registers:
                unknown = len({r.offset for r in registers}) > 1
                return self._field(peripheral, registers, unknown, rest[i + 1 :])
            if path not in table.clusters:
                return None
        return None

    def _field(
        self,
        peripheral: Peripheral,
        registers: list[Register],
        unknown: bool,
        parts: Sequence[Part],
    ) -> tuple[tuple[Location, ...], bool]:
        device = self._names.device
        field: Field | None = None
        for part in parts:
            field = _field_of(registers[0], part.name) or field
        found = tuple(Location(device, peripheral, register, field) for register in registers)
        return found, unknown

    def _closure(
        self, name: str, whole: Node, depth: int
    ) -> tuple[Peripheral, list[Register], bool] | None:
        """The register whose ``write`` or ``modify`` got the closure with parameter ``name``."""
        node: Node | None = whole
        for _ in range(_MAX_UP):
            if node is None:
                break
            parent = node.parent
            if node.type == "closure_expression" and parent is not None:
                given = node.child_by_field_name("parameters")
                words = re.findall(r"\w+", self._text(given)) if given is not None else []
                call = parent.parent
                if name in words and call is not None and call.type == "call_expression":
                    function = call.child_by_field_name("function")
                    parts = list(self._chain(function, 0)) if function is not None else []
                    if not parts or parts[-1].name not in _ACCESS:
                        return None
                    found = self._locations(parts[:-1], call, depth + 1)
                    if found is None or found[0][0].register is None:
                        return None
                    registers = [at.register for at in found[0] if at.register is not None]
                    return found[0][0].peripheral, registers, found[1]
            node = parent
        return None

    def _variable(
        self, first: Part, rest: Sequence[Part], whole: Node
    ) -> tuple[Peripheral, Sequence[Part]] | None:
        """The peripheral a variable, or a field of ``self``, is by its value or its type."""
        name = first.name
        if name == "self" and rest:
            name, rest = rest[0].name, rest[1:]
            types = re.findall(rf"\b{re.escape(name)}\s*:\s*([^,;{{}}]+)", self._plain_text())
            return self._only(types, rest)
        node: Node | None = whole
        while node is not None:
            before = node.prev_named_sibling
            while before is not None:
                if before.type == "let_declaration":
                    pattern = before.child_by_field_name("pattern")
                    if pattern is not None and self._text(pattern).removeprefix("mut ") == name:
                        return self._bound(before, rest)
                before = before.prev_named_sibling
            if node.type in ("function_item", "closure_expression"):
                given = node.child_by_field_name("parameters")
                text = self._text(given) if given is not None else ""
                types = re.findall(rf"\b{re.escape(name)}\s*:\s*([^,)]+)", text)
                if types:
                    return self._only(types, rest)
            node = node.parent
        return None

    def _bound(self, let: Node, rest: Sequence[Part]) -> tuple[Peripheral, Sequence[Part]] | None:
        """What ``let`` binds: a peripheral, or a register of it; not what is made out of one."""
        type_ = let.child_by_field_name("type")
        if type_ is not None:
            return self._only([self._text(type_)], rest)
        value = let.child_by_field_name("value")
        parts = list(self._chain(value, 0)) if value is not None else []
        for i, part in enumerate(parts):
            peripheral = self._names.peripheral(part.name)
            if peripheral is not None:
                further = [p for p in parts[i + 1 :] if p.name not in _TRANSPARENT]
                if further and self._members(peripheral, further) is None:
                    return None
                return peripheral, [*further, *rest]
        return None

    def _plain_text(self) -> str:
        return self._data.decode("utf-8", "replace")

    def _only(
        self, texts: Sequence[str], rest: Sequence[Part]
    ) -> tuple[Peripheral, Sequence[Part]] | None:
        """The one peripheral that ``texts`` name."""
        found = {
            id(peripheral): peripheral
            for text in texts
            for word in re.findall(r"\b[A-Z][A-Z0-9_]+\b", text)
            if (peripheral := self._names.peripheral(word)) is not None
        }
        return (next(iter(found.values())), rest) if len(found) == 1 else None


def _carries(parent: Node, node: Node) -> bool:
    """Whether ``parent`` goes on with the chain that ``node`` is."""
    kind = parent.type
    if kind == "field_expression":
        return True
    if kind == "call_expression":
        return parent.child_by_field_name("function") == node
    if kind == "index_expression":
        return bool(parent.named_children) and parent.named_children[0] == node
    if kind == "scoped_identifier":
        return True
    if kind in ("parenthesized_expression", "unary_expression", "reference_expression"):
        return True
    return kind == "unsafe_block"


def _pick(registers: list[Register], indices: Sequence[int | None]) -> list[Register]:
    """Of an array the elements that ``indices`` mean, in order; all where one is not known."""
    if len(registers) < 2:
        return registers
    if all(r.offset == registers[0].offset for r in registers):
        return registers[:1]
    known = [index for index in indices if index is not None]
    if len(indices) == 1 and known:
        return [registers[known[0]]] if known[0] < len(registers) else []
    if indices and len(known) == len(indices):
        wanted = "".join(f"[{n}]" for n in known)
        exact = [r for r in registers if "".join(re.findall(r"\[\d+\]", r.path)) == wanted]
        return exact or registers
    return registers


def _field_of(register: Register, name: str) -> Field | None:
    wanted = _plain(name)
    for prefix in ("", "set"):
        word = wanted.removeprefix(prefix) if prefix else wanted
        found = [field for field in register.fields if _plain(field.name) == word]
        if found:
            return found[0]
    return None
