"""From an access, ``(*USART2).BRR``, to its place in a device."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from tree_sitter import Node

from datasheet_lsp.firmware.constants import element_size, number, type_name
from datasheet_lsp.firmware.conventions import BASE_SUFFIX
from datasheet_lsp.firmware.core_names import QINGKE, core_address
from datasheet_lsp.firmware.environment import Environment
from datasheet_lsp.firmware.match import Match, element, match
from datasheet_lsp.firmware.members import Part
from datasheet_lsp.firmware.names import Base, Names, names_of
from datasheet_lsp.firmware.syntax import Access, Step, flatten
from datasheet_lsp.model import Location, Lookup

_MAX_MACROS = 16
_SMALLEST_ADDRESS = 0x1000
_MASKING = frozenset(("&", "|", "^", "<<", ">>", "*", "/", "%", "&&", "||"))
_MASK_ASSIGNMENTS = frozenset(("&=", "|=", "^=", "<<=", ">>=", "*=", "/=", "%="))
_MASK_NAMES = ("_MSK", "_MASK", "MASK")


class Place(msgspec.Struct, frozen=True):
    """What an access names in one device. See ``Resolved``."""

    kind: Literal["register", "peripheral", "cluster", "address"]
    locations: tuple[Location, ...]
    index_unknown: bool = False
    any_of: str = ""
    several: bool = False
    beyond: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for accesses that name the same."""
        first = self.locations[0]
        return (id(first.peripheral), id(first.register), first.field, len(self.locations))


def locate(
    environment: Environment,
    access: Access,
    path: list[Node],
    whole: list[Node],
    outer: Sequence[Node],
    lookup: Lookup,
) -> Place | None:
    """The place of ``access`` in the device of ``lookup``, None whenever unsure.

    ``path`` are the nodes down to the expression, ``whole`` those down to the cursor, ``outer``
    those of the file when the expression was parsed by itself.
    """
    followed = _follow(environment, access, whole, outer)
    if followed is None:
        return None
    access = followed
    chain = _Chain(environment, access.steps)
    if not chain.valid:
        return None
    base = access.base
    names = names_of(lookup)
    if base.type == "identifier":
        return _from_name(environment, names, lookup, access, chain, path)
    if chain.parts or chain.size or chain.casts:
        address = environment.evaluate(access.view, base)
        return None if address is None else _from_address(names, lookup, address, chain)
    if access.steps:
        return None
    return _from_number(environment, lookup, access, path)


def _follow(
    environment: Environment, access: Access, whole: list[Node], outer: Sequence[Node]
) -> Access | None:
    """``access`` with the macros the file itself defines put in; None when the code hides it."""
    for _ in range(_MAX_MACROS):
        if access.base.type != "identifier":
            return access
        name = access.view.text(access.base)
        if environment.hidden(access.view, whole, outer, name):
            return None
        if not environment.macros.named(name):
            return access
        expression = environment.macros.expression(name)
        inner = None if expression is None else flatten(*expression)
        if inner is None:
            return None
        if inner.base.type == "identifier" and inner.view.text(inner.base) == name:
            return access
        if inner.base.type != "identifier" and not inner.steps and not access.steps:
            return None  # a number by name: shown where it is written
        access = Access(inner.view, inner.base, inner.steps + access.steps)
    return None


class _Chain:
    """The steps of an access, sorted: members and indices, and what kind of pointer is used."""

    def __init__(self, environment: Environment, steps: Sequence[Step]) -> None:
        self.parts: list[Part] = []
        self.size: int | None = None  # bytes of what the base was cast to point at
        self.casts = False  # cast to a pointer to something else
        self.first: int | None = 0  # index of the base itself
        self.indexed = False
        self.read = False  # what the base points at is accessed
        self.dot = False  # the first member follows a dot, without * or [] before
        self.valid = True
        address = False
        for step in steps:
            if step.kind == "member":
                if address or self.size:
                    self.valid = False
                if not self.parts:
                    self.dot = not step.arrow and not self.read
                self.parts.append(Part(step.name))
            elif step.kind == "index":
                node = step.node
                value = None if node is None else environment.evaluate(step.view, node)
                if address:
                    self.valid = False
                elif self.parts:
                    last = self.parts[-1]
                    self.parts[-1] = Part(last.name, (*last.indices, value))
                elif self.read:
                    self.valid = False
                else:
                    self.first, self.indexed, self.read = value, True, True
            elif step.kind == "address":
                if not self.parts and not self.read or address:
                    self.valid = False
                address = True
            elif step.kind == "deref":
                if self.parts and not address:
                    self.valid = False
                elif not self.parts:
                    if self.read and not address:
                        self.valid = False
                    self.read = True
                address = False
            elif step.kind == "cast" and not self.parts and step.node is not None:
                name = type_name(step.view, step.node)
                if not self.read and name.endswith("*"):
                    self.size = element_size(name)
                    self.casts = self.size is None


def _from_name(
    environment: Environment,
    names: Names,
    lookup: Lookup,
    access: Access,
    chain: _Chain,
    path: list[Node],
) -> Place | None:
    name = access.view.text(access.base)
    device = lookup.device
    if chain.size:
        address = environment.value(name)
        if address is None:
            plain = [base.peripheral for base in names.bases(name) if base.alone]
            address = plain[0].base_address if len(plain) == 1 else None
        return None if address is None else _from_address(names, lookup, address, chain)
    if chain.indexed and chain.first != 0:
        if chain.first is None:
            return None
        name = f"{name}[{chain.first}]"
    cpu = QINGKE if names.has("PFIC") else device.cpu.name if device.cpu is not None else ""
    bases = names.bases(name)
    if not bases and name.endswith(BASE_SUFFIX):
        bases = names.bases(name.removesuffix(BASE_SUFFIX))
        if chain.parts and not chain.casts:
            return None
    if not chain.parts:
        if access.steps and not chain.casts and not chain.read:
            return None
        if not _stands_alone(path, name):
            return None
        alone = [base.peripheral for base in bases if base.alone]
        locations = tuple(Location(device, peripheral) for peripheral in alone)
        return Place("peripheral", locations) if locations else None
    found = _members(names, bases, chain.parts)
    if found is None or not found[0].spelled == found[0].peripheral.name:
        part = chain.parts[0]
        if len(part.indices) <= 1 and len(chain.parts) == 1:
            address = core_address(cpu, name, part.name, part.indices[0] if part.indices else None)
            at = [] if address is None else _registers_at(lookup, address)
            if at:
                return Place("register", tuple(at))
    if found is None:
        return None
    return _place(lookup, *found)


def _members(
    names: Names, bases: Iterable[Base], parts: Sequence[Part]
) -> tuple[Base, Match] | None:
    for base in _exact_first(names, bases, parts):
        members = names.members(base.peripheral)
        if base.element is not None:
            found = None
            if len(parts) == 1 and not parts[0].indices:
                registers = element(members, parts[0].name, *base.element)
                found = None if registers is None else Match(registers.registers)
        else:
            found = match(
                base.peripheral,
                members,
                parts,
                spelled=base.spelled,
                prefix=base.prefix,
                loose=base.loose,
            )
        if found is not None:
            return base, found
    return None


def _exact_first(names: Names, bases: Iterable[Base], parts: Sequence[Part]) -> list[Base]:
    """Of peripherals that share a name, the one with a register of just this path first.

    A vendor's NVIC has IPR5 for four interrupts, the core's the IPR[5] that CMSIS means.
    """
    bases = list(bases)
    if len(bases) > 1:
        path = ".".join(p.name + "".join(f"[{i}]" for i in p.indices) for p in parts)
        name = bases[0].peripheral.name
        same = [base for base in bases if base.peripheral.name == name]
        same.sort(key=lambda base: path not in names.members(base.peripheral).paths)
        bases = same + [base for base in bases if base.peripheral.name != name]
    return bases


def _place(lookup: Lookup, base: Base, found: Match) -> Place:
    locations = [
        Location(lookup.device, base.peripheral, register, found.field)
        for register in found.registers
    ]
    if not found.unknown and not found.cluster:
        known = {id(location.register) for location in locations}
        locations += [
            at
            for at in lookup.at(locations[0].address)
            if id(at.register) not in known or at.peripheral is not base.peripheral
        ]
    return Place(
        "cluster" if found.cluster else "register", tuple(locations), index_unknown=found.unknown
    )


def _from_address(names: Names, lookup: Lookup, address: int, chain: _Chain) -> Place | None:
    """What a constant pointer leads to."""
    address &= 0xFFFFFFFF
    if chain.parts:
        for peripheral in lookup.device.peripherals:
            if peripheral.base_address == address and chain.first == 0:
                found = _members(names, [Base(peripheral, peripheral.name)], chain.parts)
                if found is not None:
                    return _place(lookup, *found)
        return None
    if chain.casts:
        peripherals = [p for p in lookup.device.peripherals if p.base_address == address]
        locations = tuple(Location(lookup.device, p) for p in peripherals)
        return Place("peripheral", locations) if locations else None
    if chain.first is None:
        return None
    found_at = _registers_at(lookup, address + chain.first * (chain.size or 1))
    kind: Literal["register", "address"] = "register" if chain.read else "address"
    return Place(kind, tuple(found_at)) if found_at else None


def _registers_at(lookup: Lookup, address: int) -> list[Location]:
    return lookup.at(address) or lookup.containing(address)


def _from_number(
    environment: Environment, lookup: Lookup, access: Access, path: list[Node]
) -> Place | None:
    """A number that is written as an address: in hex, and not used as a mask."""
    node = access.base
    if node.type not in ("number_literal", "binary_expression"):
        return None
    address = environment.evaluate(access.view, node)
    if address is None or not _SMALLEST_ADDRESS <= address <= 0xFFFFFFFF:
        return None
    if node.type == "number_literal":
        text = access.view.text(node).lower()
        if not text.startswith("0x") or number(text) is None:
            return None
    if _is_mask(environment, access, path, address):
        return None
    peripherals = [p for p in lookup.device.peripherals if p.base_address == address]
    locations = [Location(lookup.device, p) for p in peripherals] + lookup.at(address)
    return Place("address", tuple(locations)) if locations else None


def _is_mask(environment: Environment, access: Access, path: list[Node], value: int) -> bool:
    for parent in reversed(path[:-1]):
        kind = parent.type
        operator = parent.child_by_field_name("operator")
        if kind == "binary_expression" and operator is not None and operator.type in _MASKING:
            return True
        if kind == "unary_expression":
            return True
        if kind == "assignment_expression":
            return operator is not None and operator.type in _MASK_ASSIGNMENTS
        if kind not in ("binary_expression", "parenthesized_expression", "cast_expression"):
            break
    # One bit alone is as likely a bit as an address, unless the macro's name says it.
    definition = environment.macros.at(access.base.start_byte + access.view.shift)
    name = definition.name.upper() if definition is not None else ""
    if name.endswith(_MASK_NAMES):
        return True
    return value & (value - 1) == 0 and not ("BASE" in name or "ADDR" in name)


_DECLARING = frozenset(
    ("enumerator", "preproc_ifdef", "preproc_defined", "preproc_def", "preproc_function_def",
     "parameter_declaration", "declaration", "labeled_statement")
)  # fmt: skip


def _stands_alone(path: list[Node], name: str) -> bool:
    """Whether a name alone may be a peripheral where it stands.

    Not where it is called, declared, tested by the preprocessor, or followed by a dot: that is an
    object of C++ or a struct; and not a name in lower case, which is more likely a variable.
    """
    if name.islower():
        return False
    if len(path) < 2:
        return True
    node, parent = path[-1], path[-2]
    kind = parent.type
    if kind in _DECLARING or kind.startswith("preproc"):
        return False
    if kind.endswith("declarator"):
        return kind == "init_declarator" and node == parent.child_by_field_name("value")
    if kind == "call_expression":
        return node != parent.child_by_field_name("function")
    if kind == "field_expression":
        operator = parent.child_by_field_name("operator")
        return operator is not None and operator.type == "->"
    return True
