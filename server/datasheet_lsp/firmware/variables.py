"""What the variables of the code are: their types, and what they hold where that is sure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from datasheet_lsp.firmware.headers.facts import UNKNOWN, Type
from datasheet_lsp.firmware.headers.scan import without_comments
from datasheet_lsp.firmware.headers.tokens import Expander, split
from datasheet_lsp.firmware.headers.types import Declared, pointer
from datasheet_lsp.firmware.headers.view import Headers
from datasheet_lsp.firmware.meaning import Machine, Value, Variable
from datasheet_lsp.firmware.meaning.value import MAX_SPOTS, merged
from datasheet_lsp.firmware.scope import declaring
from datasheet_lsp.firmware.syntax import View

_FUNCTIONS = frozenset(("function_definition", "lambda_expression"))
_CLASSES = frozenset(("class_specifier", "struct_specifier"))
_MAX_ASSIGNMENTS = 8
_MAX_FUNCTION = 200_000
_MAX_FUNCTIONS = 128
_MAX_KEPT = 20_000


class FunctionText:
    """The text of a function without comments, and what was found out about it."""

    def __init__(self, text: bytes) -> None:
        self._text = without_comments(text[:_MAX_FUNCTION])
        self._assigned: dict[tuple[str, bool], list[str] | None] = {}

    def assigned(self, name: str, *, declared: bool) -> list[str] | None:
        """See :func:`assigned`."""
        key = name, declared
        if key not in self._assigned:
            self._assigned[key] = assigned(self._text, name, declared=declared)
        return self._assigned[key]


_NO_FUNCTION = FunctionText(b"")
_KEPT: dict[tuple[int, int, int], tuple[bytes, FunctionText]] = {}


def function_text(data: bytes, start: int, end: int) -> FunctionText:
    """The function from ``start`` to ``end``; the last ones asked for are kept."""
    key = id(data), start, end
    known = _KEPT.get(key)
    if known is None or known[0] is not data:
        if len(_KEPT) >= _MAX_FUNCTIONS:
            _KEPT.clear()
        known = _KEPT[key] = data, FunctionText(data[start:end])
    return known[1]


class Variables:
    """The variables in scope where ``path``, and ``outer``, end. Called by a machine."""

    def __init__(
        self,
        headers: Headers,
        view: View,
        path: Sequence[Node],
        whole: View,
        outer: Sequence[Node],
    ) -> None:
        self._headers = headers
        self._view = view
        self._paths = [(view, path), (whole, outer)] if outer else [(view, path)]

    def __call__(self, name: str, machine: Machine) -> Variable | None:
        """The variable ``name``, None where the code around declares none."""
        if name in self._view.parameters:
            return Variable(UNKNOWN)
        if self._headers.type(name) is not None:
            return None  # __IO uint32_t x; looks like a variable uint32_t where __IO is not known
        if name == "this":
            return self._this()
        for view, path in self._paths:
            found = declaring(view, path, name)
            if found is not None:
                return self._variable(view, found, name, machine)
        member = self._member(name)
        if member is not None:
            return member
        return self._global(name, machine)

    def _declared(self, text: str, name: str) -> Declared | None:
        memo = self._headers.memo
        key = text, name
        if key not in memo:
            if len(memo) > _MAX_KEPT:
                memo.clear()
            tokens = Expander(self._headers.macro).expand(split(text))
            found = [d for d in self._headers.reader.declaration(tokens) if d.name == name]
            memo[key] = found[0] if found else None
        return memo[key]

    def _variable(self, view: View, node: Node, name: str, machine: Machine) -> Variable:
        text = without_comments(view.data[node.start_byte : node.end_byte])
        declared = self._declared(text.decode("ascii", "replace").rstrip(";"), name)
        if declared is None:
            return Variable(UNKNOWN)
        type_ = declared.type
        if node.type in ("parameter_declaration", "optional_parameter_declaration"):
            if type_.kind == "array":
                type_ = pointer(type_.of or UNKNOWN)
            given = self._function().assigned(name, declared=False)
            return Variable(type_, None if given is None or given else None)
        if declared.value and declared.value[0] == "{":
            return Variable(type_, parts=declared.value)
        given = self._function().assigned(name, declared=bool(declared.value))
        if given is None:
            return Variable(type_)
        sources = [" ".join(declared.value)] if declared.value else []
        return Variable(type_, _all(machine, [*sources, *given], type_))

    def _function(self) -> FunctionText:
        """The function around."""
        for view, path in self._paths:
            for node in reversed(path):
                if node.type in _FUNCTIONS:
                    return function_text(view.data, node.start_byte, node.end_byte)
        return _NO_FUNCTION

    def _this(self) -> Variable | None:
        name = self._class_name()
        if name is None:
            return None
        return Variable(pointer(Type("struct", name)))

    def _class_name(self) -> str | None:
        for view, path in self._paths:
            for node in reversed(path):
                if node.type in _CLASSES:
                    named = node.child_by_field_name("name")
                    return None if named is None else view.text(named)
                if node.type == "function_definition":
                    declarator = node.child_by_field_name("declarator")
                    while declarator is not None and declarator.type != "qualified_identifier":
                        declarator = declarator.child_by_field_name("declarator")
                    if declarator is not None:
                        return view.text(declarator).rpartition("::")[0].rpartition("::")[2]
        return None

    def _member(self, name: str) -> Variable | None:
        """A member of the class whose method this is."""
        owner = self._class_name()
        layout = self._headers.layout(owner) if owner else None
        member = layout.members.get(name) if layout is not None else None
        return None if member is None else Variable(member.type)

    def _global(self, name: str, machine: Machine) -> Variable | None:
        """A variable of the file itself that nothing in it changes."""
        pieces = self._headers.own.declared.get(name, ())
        for piece in pieces:
            if piece.kind != "variable":
                continue
            text = self._headers.own.text[piece.start : piece.end]
            declared = self._declared(text.decode("ascii", "replace"), name)
            if declared is None or declared.type.kind == "function":
                continue
            if not declared.value or b"extern" in text:
                continue
            if declared.value[0] == "{":
                return Variable(declared.type, parts=declared.value)
            kept = b"static" in text or b"const" in text
            given = assigned(self._headers.own.text, name, declared=True)
            if not kept or given is None or given:
                return Variable(declared.type)
            return Variable(declared.type, _all(machine, [" ".join(declared.value)], declared.type))
        return None


def _all(machine: Machine, texts: Sequence[str], type_: Type) -> Value | None:
    """What all assignments to a variable give, None where one of them is not known."""
    if not texts or len(texts) > _MAX_ASSIGNMENTS:
        return None
    found: Value | None = None
    for text in texts:
        value = machine.settled(split(text))
        if value.spots is None or any(spot.base == "?" for spot in value.spots):
            return None
        value = machine.cast(value, type_)
        found = value if found is None else merged(found, value)
        if found.spots is None or len(found.spots) > MAX_SPOTS:
            return None
    return found


def assigned(function: bytes, name: str, *, declared: bool = False) -> list[str] | None:
    """What ``name`` is set to in the text of a function by plain assignments.

    None where it is changed in another way: counted up, its address taken. An initialiser is no
    assignment, unless it was not ``declared``.
    """
    word = name.encode("ascii", "replace")
    found: list[str] = []
    at = function.find(word)
    while at >= 0:
        end = at + len(word)
        before = function[max(0, at - _NEAR) : at]
        after = function[end : end + 16]
        if not _LETTER.match(function[at - 1 : at]) and not _LETTER.match(after):
            if not _MEMBER.search(before):
                if _CHANGED_AFTER.match(after) or _CHANGED_BEFORE.search(before):
                    return None
                set_ = _SET.match(after)
                if set_ is not None and not (declared and _DECLARED.search(before)):
                    stop = _END.search(function, end + set_.end())
                    text = function[end + set_.end() : stop.start() if stop else len(function)]
                    if text.count(b"(") != text.count(b")"):
                        return None
                    found.append(text.decode("ascii", "replace").strip())
        at = function.find(word, end)
    return found


_NEAR = 48
_LETTER = re.compile(rb"\w")
_MEMBER = re.compile(rb"(?:\.|->)\s*$")
_CHANGED_AFTER = re.compile(rb"\s*(?:[-+*/%&|^]=|<<=|>>=|\+\+|--)")
_CHANGED_BEFORE = re.compile(rb"(?:\+\+|--)\s*$|[^&\w)\]\s]\s*&\s*$")
_SET = re.compile(rb"\s*=(?!=)")
_END = re.compile(rb"[;{}]")
# A declarator with its initialiser, which is counted already: a type or a star stands before.
_DECLARED = re.compile(rb"(?:[\w>]\s+|[*&]\s*)$")
