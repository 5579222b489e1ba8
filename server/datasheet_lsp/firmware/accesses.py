"""All reads and writes of registers in a file, function by function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tree_sitter import Node as Node

from datasheet_lsp.firmware.evaluate import evaluate
from datasheet_lsp.firmware.fields import FieldName
from datasheet_lsp.firmware.macros import macros_of
from datasheet_lsp.firmware.meanings import Meanings
from datasheet_lsp.firmware.pieces import kind_of
from datasheet_lsp.firmware.resolve import Resolved, resolve_at
from datasheet_lsp.firmware.scope import scope_of
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.syntax import only_child
from datasheet_lsp.firmware.tokens import Body, TooLong, expand, is_name, tokens
from datasheet_lsp.firmware.walk import Effect, Walk
from datasheet_lsp.firmware.writes import RegisterAccess
from datasheet_lsp.model import Lookup

if TYPE_CHECKING:
    from datasheet_lsp.firmware.headers import Headers, Layout

_CONTAINERS = frozenset(
    ("translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif",
     "preproc_elifdef", "linkage_specification", "declaration_list", "ERROR",
     "namespace_definition", "class_specifier", "struct_specifier", "field_declaration_list",
     "template_declaration")
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z_]\w*")
_DIRECTIVE = re.compile(rb"^[ \t]*#[^\n]*(?:\\\r?\n[^\n]*)*", re.M)
_MAX_CACHED = 50_000
Context = tuple[str, ...]
"""The text of an expression, and the declarations of the local variables in it."""


class Reader:
    """Reads the accesses of one file. What was found is kept for the file as it is."""

    def __init__(
        self, source: Source, lookups: Sequence[Lookup], headers: Headers | None = None
    ) -> None:
        self.source = source
        self.lookups = lookups
        self.headers = headers
        self.meanings = Meanings(source, lookups, headers)
        self.effects: dict[tuple[str, str, str], Effect] = {}
        self._resolved: dict[Context, Resolved | None] = {}
        self._inside: dict[str, list[RegisterAccess]] = {}
        self._units: dict[tuple[int, bool], list[RegisterAccess]] = {}

    @cached_property
    def epoch(self) -> tuple[object, ...]:
        """Equal for texts in which a function of the same words means the same.

        What stands outside of functions counts (types, macros, variables), and the macros within.
        """
        data = self.source.data
        pieces: list[bytes] = []
        at = 0
        for unit in sorted(self.units(), key=lambda node: node.start_byte):
            pieces.append(data[at : unit.start_byte])
            at = unit.end_byte
            inner = data[unit.start_byte : at]
            if b"#" in inner:
                pieces += _DIRECTIVE.findall(inner)
        pieces.append(data[at:])
        headers = 0 if self.headers is None else self.headers.key
        return (hash(b"".join(pieces)), headers, *(id(one) for one in self.lookups))

    def units(self, start: int = 0, end: int | None = None) -> Iterator[Node]:
        """The functions that reach into ``start`` to ``end``, and statements outside of any."""
        end = len(self.source.data) if end is None else end
        waiting = [self.source.root]
        while waiting:
            node = waiting.pop()
            children = node.named_children
            if node.type == "ERROR" and any(c.type.endswith("_statement") for c in children):
                if not any(c.type == "function_definition" for c in children):
                    yield node
                    continue
            for child in children:
                if child.end_byte <= start or child.start_byte >= end:
                    continue
                if child.type in _CONTAINERS:
                    waiting.append(child)
                elif child.type == "function_definition" or child.type.endswith("_statement"):
                    yield child

    def accesses(
        self, start: int = 0, end: int | None = None, *, reads: bool = True
    ) -> list[RegisterAccess]:
        """The accesses of the functions that reach into ``start`` to ``end``, in order."""
        found: list[RegisterAccess] = []
        for unit in self.units(start, end):
            found += self.unit(unit, reads=reads)
        found.sort(key=lambda access: access.start)
        return found

    def unit(self, unit: Node, *, reads: bool = True) -> list[RegisterAccess]:
        """The accesses of one function."""
        return self.walked(unit, reads=reads).found

    def walked(self, unit: Node, *, reads: bool = True) -> Walk:
        """One function, gone through."""
        walk = Walk(self, self.source, reads=reads)
        walk.unit(unit)
        return walk

    def near(self, offset: int, *, reads: bool = True) -> list[RegisterAccess]:
        """The accesses of the function around ``offset``; without ``reads`` maybe writes alone."""
        for unit in self.units(offset, offset + 1):
            known = self._units.get((unit.start_byte, True))
            if known is None:
                known = self._units.get((unit.start_byte, reads))
            if known is None:
                known = self._units[unit.start_byte, reads] = self.unit(unit, reads=reads)
            return known
        return []

    def leaf(self, offset: int) -> Node | None:
        """The smallest node at ``offset``."""
        node = self.source.root.descendant_for_byte_range(offset, offset + 1)
        return node if node is not None and not node.named_children else None

    def text(self, node: Node) -> str:
        """The text of a node of the file, without comments."""
        return self.source.code[node.start_byte : node.end_byte].decode("ascii", "replace")

    def value(self, text: str) -> int | None:
        """The number that a constant expression stands for, None unless all of it is known."""
        return evaluate(text, self.meanings).constant

    def field(self, name: str) -> FieldName | None:
        """The field that a name means by the SVD's names."""
        return self.meanings.field(name)

    def declares(self, name: str) -> bool:
        """Whether the code, as far as it is seen, says what ``name`` is."""
        if self.meanings.defined(name) is not None or name in scope_of(self.source).names:
            return True
        if macros_of(self.source).named(name):
            return True
        return self.headers is not None and self.headers.variable(name) is not None

    def has_member(self, base: str, member: str) -> bool:
        """Whether a type that the headers know may be what ``base`` points at, with ``member``."""
        return any(member in layout.members for layout in self._layouts(base))

    def knows_members(self, base: str) -> bool:
        """Whether the headers tell what ``base`` points at."""
        return bool(self._layouts(base))

    def _layouts(self, base: str) -> list[Layout]:
        if self.headers is None:
            return []
        macro = self.headers.macro(base)
        variable = self.headers.variable(base)
        words = _NAME.findall(macro.body) if macro is not None else []
        if variable is not None and variable.of is not None:
            words.append(variable.of.name)
        return [layout for word in words if (layout := self.headers.layout(word)) is not None]

    def resolve(self, source: Source, node: Node, text: str, within: Walk) -> Resolved | None:
        """The register that ``node`` is as a whole, else None."""
        key = _context(text, within)
        if key is not None and key in self._resolved:
            known = self._resolved[key]
            return None if known is None else _at(known, node)
        offset = _pointing(node)
        found = resolve_at(source, offset, self.lookups, self.headers)
        if found is not None and not _is_whole(found, node):
            found = _at(found, node) if _is_element(found, node) else None
        if found is not None and (found.kind != "register" or found.locations[0].register is None):
            found = None
        if key is not None:
            if len(self._resolved) > _MAX_CACHED:
                self._resolved.clear()
            self._resolved[key] = found
        return found

    def inside(self, call: str, declared: Mapping[str, str], nested: int) -> list[RegisterAccess]:
        """The accesses that the macro call ``call`` amounts to; their places mean nothing."""
        try:
            given = expand(tokens(call), self._statement_macro)
        except (TooLong, RecursionError):
            return []
        text = " ".join(given)
        wanted = [name for name in dict.fromkeys(given) if name in declared]
        heads = list(dict.fromkeys(declared[name].split("=")[0].rstrip("; ") for name in wanted))
        whole = f"void f(void) {{ {' '.join(head + ';' for head in heads)} {text}; }}"
        if whole not in self._inside:
            self._inside[whole] = []  # while it is worked out: a macro within itself
            source = Source(whole.encode("ascii", "replace"))
            walk = Walk(self, source, reads=True, nested=nested)
            for child in source.root.named_children:
                walk.unit(child)
            self._inside[whole] = walk.found
        return self._inside[whole]

    def _statement_macro(self, name: str) -> Body | None:
        """Macros to put in before statements are looked for: what is left resolves as it is."""
        meaning = self.meanings(name)
        if not isinstance(meaning, Body):
            return None
        if self.headers is None and meaning is self.meanings.defined(name):
            return meaning
        if meaning.parameters is not None or self.meanings.writes(name):
            return meaning
        last = tokens(meaning.text)[-1:]
        further = self.meanings(last[0]) if last and is_name(last[0]) else None
        return meaning if isinstance(further, Body) and further.parameters is not None else None


def accesses(
    source: Source,
    lookups: Sequence[Lookup],
    headers: Headers | None = None,
    *,
    start: int = 0,
    end: int | None = None,
    reads: bool = True,
) -> list[RegisterAccess]:
    """The reads and writes of registers in a file, in the order of the text."""
    return Reader(source, lookups, headers).accesses(start, end, reads=reads)


def _context(text: str, within: Walk) -> Context | None:
    """What the meaning of ``text`` depends on besides the file.

    None where a local pointer in it may lead elsewhere later.
    """
    declared = within.declared
    names = _NAME.findall(text)
    if declared.keys().isdisjoint(names):
        return (text,)
    known = [text]
    for name in names:
        if name in declared:
            declaration = declared[name]
            if declaration not in _NUMBERS:
                if len(_NUMBERS) > _MAX_CACHED:
                    _NUMBERS.clear()
                _NUMBERS[declaration] = kind_of(declaration) is not None
            if not _NUMBERS[declaration] and not within.fixed(name):
                return None
            known.append(declaration)
    return tuple(known)


_NUMBERS: dict[str, bool] = {}


def _pointing(node: Node) -> int:
    """An offset at which a cursor means the whole of ``node``."""
    for _ in range(100):
        kind = node.type
        inner: Node | None = None
        if kind == "field_expression":
            member = node.child_by_field_name("field")
            return node.start_byte if member is None else member.start_byte
        if kind == "subscript_expression":
            inner = node.child_by_field_name("argument")
        elif kind == "parenthesized_expression":
            inner = only_child(node)
        elif kind == "cast_expression":
            inner = node.child_by_field_name("value")
        if inner is None:
            return node.start_byte
        node = inner
    return node.start_byte


def _is_whole(found: Resolved, node: Node) -> bool:
    inner: Node | None = node
    while inner is not None:
        if found.start <= inner.start_byte and found.end >= inner.end_byte:
            return True
        inner = only_child(inner) if inner.type == "parenthesized_expression" else None
    return False


def _is_element(found: Resolved, node: Node) -> bool:
    """Whether ``node`` is an element, which is not known, of the array that was found."""
    if node.type != "subscript_expression" or not found.index_unknown:
        return False
    array = node.child_by_field_name("argument")
    return array is not None and _is_whole(found, array)


def _at(found: Resolved, node: Node) -> Resolved:
    import msgspec

    return msgspec.structs.replace(found, start=node.start_byte, end=node.end_byte)
