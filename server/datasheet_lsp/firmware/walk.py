"""One function of the code, from top to bottom: which registers it reads and writes, and what."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tree_sitter import Node

from datasheet_lsp.firmware.bitvalues import UNKNOWN, Value, number
from datasheet_lsp.firmware.evaluate import named_type
from datasheet_lsp.firmware.pieces import kind_of, leaves, moved, parameters_of, reached
from datasheet_lsp.firmware.resolve import Resolved
from datasheet_lsp.firmware.scope import declared
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.syntax import View, only_child
from datasheet_lsp.firmware.tokens import Body, Names, tokens
from datasheet_lsp.firmware.tracking import (
    Assigned,
    Known,
    changed_in,
    changes_in,
    evaluated,
    joined,
    key_of,
    without,
)
from datasheet_lsp.firmware.writes import How, RegisterAccess, alias_operator, written
from datasheet_lsp.model import Field

if TYPE_CHECKING:
    from datasheet_lsp.firmware.accesses import Reader

_MAX_DEPTH = 120
_OPERANDS = frozenset(("field_expression", "subscript_expression", "identifier"))
_NOT_READ = frozenset(
    ("string_literal", "char_literal", "number_literal", "comment", "type_descriptor",
     "sizeof_expression", "concatenated_string", "field_identifier", "type_identifier",
     "primitive_type", "sized_type_specifier", "offsetof_expression")
)  # fmt: skip
_MAY_WRITE = re.compile(rb"[^=!<>]=(?!=)|\+\+|--|\w\s*\(|&\s*\w")
_ALIASED = re.compile(rb"[(,={;?:|]\s*&\s*([A-Za-z_]\w*)")
_POINTED = frozenset(("field_expression", "pointer_expression", "subscript_expression"))
_MAX_TEXT = 4000
Effect = tuple[How, Value, Value]
"""How it writes, what the register then holds, and the right side."""


class Walk:
    """The accesses of a function, in the order of the text, in ``found``."""

    def __init__(self, reader: Reader, source: Source, *, reads: bool, nested: int = 0) -> None:
        self.found: list[RegisterAccess] = []
        self.unresolved: list[Node] = []
        """Accesses through ``->`` and through pointers that lead to no known register."""
        self.declared: dict[str, str] = {}
        """Local names and parameters, with the text that declares them."""
        self._reader = reader
        self._source = source
        self._view = View(source.code, source.root)
        self._reads = reads
        self._nested = nested
        self._known: Known = {}
        self._whole = b""
        self._changes: Counter[str] | None = None
        self._aliased: set[str] | None = None
        """Variables whose address is taken: who writes through a pointer may mean them."""
        self._statement = (0, 0)

    def text(self, node: Node) -> str:
        """The text of a node without comments."""
        return self._view.text(node)

    def fixed(self, name: str) -> bool:
        """Whether a local name means the same all through the function."""
        if self._changes is None:
            self._changes = changes_in(self._whole)
        return self._changes[name] <= ("=" in self.declared[name])

    # -- statements

    def unit(self, node: Node) -> None:
        """A function, or statements outside of one in broken code."""
        self._whole = self._view.data[node.start_byte : node.end_byte]
        if node.type == "function_definition":
            for parameter in parameters_of(node):
                for name in declared(self._view, parameter):
                    self.declared[name] = self.text(parameter)
            body = node.child_by_field_name("body")
            if body is not None:
                self._do(body, 0)
        else:
            self._do(node, 0)

    def _do(self, node: Node, depth: int) -> None:
        kind = node.type
        if depth > _MAX_DEPTH:
            return
        if kind == "expression_statement":
            inner = node.child(0)
            if inner is not None and inner.is_named:
                self._statement = (node.start_byte, node.end_byte)
                self._expression(inner, depth)
        elif kind == "declaration":
            self._declare(node, depth)
        elif kind == "if_statement":
            self._if(node, depth)
        elif kind in ("while_statement", "do_statement", "for_statement", "switch_statement"):
            self._loop(node, depth)
        elif kind in ("preproc_if", "preproc_ifdef"):
            self._directives(node, depth)
        elif kind == "return_statement":
            self._condition(only_child(node), depth)
        elif kind in ("labeled_statement", "case_statement"):
            if kind == "labeled_statement":
                self._known = {}
            for child in node.named_children:
                self._do(child, depth + 1)
        elif kind.endswith("_expression"):
            self._statement = (node.start_byte, node.end_byte)
            self._expression(node, depth)
        elif kind not in _NOT_READ and not kind.startswith("preproc_"):
            for child in node.named_children:
                self._do(child, depth + 1)

    def _condition(self, node: Node | None, depth: int) -> None:
        if node is not None:
            start, end = self._statement = (node.start_byte, node.end_byte)
            if self._reads or _MAY_WRITE.search(self._view.data, start, end):
                self._expression(node, depth)

    def _if(self, node: Node, depth: int) -> None:
        self._condition(node.child_by_field_name("condition"), depth)
        start = self._known
        ends = []
        for name in ("consequence", "alternative"):
            self._known = dict(start)
            branch = node.child_by_field_name(name)
            if branch is not None:
                self._do(branch, depth + 1)
            if not leaves(branch):
                ends.append(self._known)
        self._known = ends[0] if len(ends) == 1 else joined(*ends) if ends else {}

    def _loop(self, node: Node, depth: int) -> None:
        self._forget(node)
        start = dict(self._known)
        body = node.child_by_field_name("body")
        if body is None or node.type != "do_statement":
            for child in node.named_children:
                if child != body and child.type.endswith("declaration"):
                    self._do(child, depth + 1)
                elif child != body and child.type not in _NOT_READ:
                    self._condition(child, depth)
            self._forget(node)
        if body is not None and node.type == "switch_statement":
            for case in body.named_children:
                self._known = dict(start)
                self._do(case, depth + 1)
        elif body is not None:
            self._do(body, depth + 1)
        if node.type == "do_statement":
            self._condition(node.child_by_field_name("condition"), depth)
        self._known = start
        self._forget(node)

    def _forget(self, node: Node) -> None:
        """Variables that ``node`` changes may hold anything when it is gone through again."""
        if self._known:
            changed = changed_in(self._view.data[node.start_byte : node.end_byte])
            self._known = without(self._known, changed)

    def _directives(self, node: Node, depth: int) -> None:
        """``#if`` within a function: one branch or the other is compiled."""
        start = self._known
        self._known = dict(start)
        ends = []
        skipped = [node.child_by_field_name("condition"), node.child_by_field_name("name")]
        for child in node.named_children:
            if child.type in ("preproc_else", "preproc_elif", "preproc_elifdef"):
                ends.append(self._known)
                self._known = dict(start)
                self._directives(child, depth + 1)
            elif child not in skipped:
                self._do(child, depth + 1)
        ends.append(self._known)
        if len(ends) == 1 and node.type in ("preproc_if", "preproc_ifdef"):
            ends.append(start)
        merged = ends[0]
        for end in ends[1:]:
            merged = joined(merged, end)
        self._known = merged

    def _declare(self, node: Node, depth: int) -> None:
        kind = node.child_by_field_name("type")
        whole = self.text(node)
        for name in declared(self._view, node):
            self.declared[name] = whole
            self._known.pop(name, None)
        if kind is None:
            return
        words = named_type(self.text(kind).split())
        fixed = "static" in whole.split("=")[0].split()
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type != "init_declarator":
                continue
            value = declarator.child_by_field_name("value")
            target = declarator.child_by_field_name("declarator")
            if value is None or target is None:
                continue
            self._condition(value, depth)
            if target.type == "identifier" and words is not None and not fixed:
                self._assign_local(self.text(target), "=", value, words)

    # -- expressions

    def _expression(self, node: Node, depth: int) -> None:
        kind = node.type
        if depth > _MAX_DEPTH or kind in _NOT_READ:
            return
        if kind == "assignment_expression":
            self._assignment(node, depth)
        elif kind == "update_expression":
            argument = node.child_by_field_name("argument")
            if argument is not None:
                if argument.type == "identifier":
                    self._known.pop(self.text(argument), None)
                self._write(node, argument, "+=", None)
        elif kind == "call_expression":
            self._call(node, depth)
        elif kind == "gnu_asm_expression":
            self._known = {}
        elif kind in ("field_expression", "subscript_expression", "pointer_expression"):
            self._operand(node, depth)
        elif kind == "identifier":
            name = self.text(node)
            if name in self.declared:
                return
            if self._reader.meanings.writes(name):
                self._hidden(node, name)
            elif self._reads and self._may_be_register(name):
                self._read(node)
        else:
            for child in node.named_children:
                self._expression(child, depth + 1)
            if (
                kind == "conditional_expression"
                or node.child_count == 3
                and (node.children[1].type in ("&&", "||"))
            ):
                self._forget(node)  # what && and ? leave out may not have happened

    def _may_be_register(self, name: str) -> bool:
        """Whether a name alone may be one: a macro, or in capitals as libopencm3 has them."""
        meaning = self._reader.meanings(name)
        if isinstance(meaning, Body):
            return meaning.parameters is None and not meaning.text[:1].isdigit()
        return meaning is None and "_" in name and name.isupper()

    def _operand(self, node: Node, depth: int) -> None:
        operator = node.child_by_field_name("operator")
        argument = node.child_by_field_name("argument")
        if operator is not None and operator.type == "&" and argument is not None:
            if argument.type == "identifier":
                self._known.pop(self.text(argument), None)
            return
        if self._reads and self._read(node):
            return
        if argument is not None and argument.type not in _OPERANDS:
            self._expression(argument, depth + 1)
        index = node.child_by_field_name("index")
        if index is not None:
            self._expression(index, depth + 1)

    def _assignment(self, node: Node, depth: int) -> None:
        children = node.children
        if len(children) != 3:
            children = [child for child in children if child.type != "comment"]
            if len(children) != 3:
                return
        left, operator, right = children
        if right.type != "number_literal":
            self._expression(right, depth + 1)
        value = right
        while value.type == "assignment_expression":
            further = value.child_by_field_name("right")
            if further is None:
                break
            value = further
        if left.type == "identifier" and (name := self.text(left)) in self.declared:
            kind = kind_of(self.declared[name])
            if kind is None or value is not right:
                self._known.pop(name, None)
            else:
                self._assign_local(name, operator.type, right, kind)
            return
        self._write(node, left, operator.type, value)

    def _assign_local(self, name: str, operator: str, value: Node, kind: tuple[int, bool]) -> None:
        text = self.text(value)
        if self._aliased is None:
            self._aliased = {found[1].decode() for found in _ALIASED.finditer(self._whole)}
        if len(text) > _MAX_TEXT or name in self._aliased:
            self._known.pop(name, None)
            return
        parts = {token: self._known[token] for token in set(tokens(text)) if token in self._known}
        before = self._known.get(name)
        names = self._names()
        self._known[name] = Assigned(operator, text, parts, names, before, kind)

    def _names(self) -> Names:
        return self._reader.meanings.without(self.declared)

    def _call(self, node: Node, depth: int) -> None:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        for argument in arguments.named_children:
            if argument.type == "pointer_expression":
                self._operand(argument, depth)
        if function.type == "identifier":
            name = self.text(function)
            if self._reader.meanings.writes(name) and self._hidden(node, name):
                return
            macro = isinstance(self._reader.meanings(name), Body) or name.isupper()
            if self._reads and macro and self._read(node):
                return
        else:
            self._expression(function, depth + 1)
        for argument in arguments.named_children:
            if argument.type != "identifier":
                self._expression(argument, depth + 1)

    def _hidden(self, node: Node, name: str) -> bool:
        """The accesses of a macro; whether there are any."""
        if self._nested > 2:
            return False
        inner = self._reader.inside(self.text(node), self.declared, self._nested + 1)
        end = (node.start_byte, node.end_byte)
        for access in inner:
            if access.writes or self._reads:
                self.found.append(
                    RegisterAccess(
                        resolved=moved(access.resolved, *end),
                        how=access.how,
                        value=access.value,
                        operand=access.operand,
                        start=end[0],
                        end=end[1],
                        statement=self._statement,
                        macro=name,
                        operator=access.operator,
                    )
                )
        return bool(inner)

    # -- registers

    def _resolve(self, node: Node) -> Resolved | None:
        if node.end_byte - node.start_byte > _MAX_TEXT:
            return None
        resolved = self._reader.resolve(self._source, node, self.text(node), self)
        if resolved is None and node.type in _POINTED and not self._nested:
            self.unresolved.append(node)
        return resolved

    def _read(self, node: Node) -> bool:
        resolved = self._resolve(node)
        if resolved is None:
            return False
        self.found.append(
            RegisterAccess(
                resolved, "read", None, None, node.start_byte, node.end_byte, self._statement
            )
        )
        return True

    def _write(self, node: Node, left: Node, operator: str, right: Node | None) -> None:
        resolved = self._resolve(left)
        if resolved is None:
            if left.type == "subscript_expression":
                self._operand(left, 0)
            return
        how, value, operand = self._effect(resolved, left, operator, right)
        self.found.append(
            RegisterAccess(
                resolved,
                how,
                value,
                operand,
                left.start_byte,
                left.end_byte,
                self._statement,
                operator=operator,
            )
        )

    def _address(self, node: Node) -> Value | None:
        """The value of ``(uint32_t)&USART2->DR``: the address of a register."""
        inner: Node | None = node
        while inner is not None and inner.type in ("parenthesized_expression", "cast_expression"):
            if inner.type == "cast_expression":
                inner = inner.child_by_field_name("value")
            else:
                inner = only_child(inner)
        if inner is None or inner.type != "pointer_expression":
            return None
        operator = inner.child_by_field_name("operator")
        argument = inner.child_by_field_name("argument")
        if operator is None or operator.type != "&" or argument is None:
            return None
        found = self._resolve(argument)
        if found is None or found.index_unknown or found.any_of or found.several:
            return None
        return number(found.locations[0].address, 32, False)

    def _effect(self, resolved: Resolved, left: Node, operator: str, right: Node | None) -> Effect:
        """How a write works, kept for the file where no local variable takes part."""
        text = ""
        if right is not None and right.end_byte - right.start_byte < _MAX_TEXT:
            text = self.text(right)
        spelled = self.text(left)
        given = set(tokens(text))
        plain = self.declared.keys().isdisjoint(given | set(tokens(spelled)))
        key = (spelled, operator, text)
        if plain and (known := self._reader.effects.get(key)) is not None:
            return known
        names = self._names()
        parts = {t: self._known[t] for t in given if t in self._known}
        operand = evaluated(text, names, parts) if text else UNKNOWN
        if right is not None and operand.constant is None and "&" in text:
            operand = self._address(right) or operand
        location = resolved.locations[0]
        assert location.register is not None
        effect = operator if operator != "=" else alias_operator(spelled)
        target = location.field
        part = reached(self._view, resolved, left, location.register, self._reader.value)
        if part is not None and target is None:
            target = Field("", "", part[0], part[0] + part[1] - 1, "read-write", 0)
        if target is not None and target.lsb < 0:
            how: How = "assign" if effect == "=" else "modify"
            value = Value(location.register.size, False, 0, 0)
        else:
            how, value = written(effect, operand, key_of(spelled, names), location.register, target)
        if plain:
            self._reader.effects[key] = how, value, operand
        return how, value, operand
