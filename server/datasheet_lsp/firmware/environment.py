"""What names mean in one file: its macros and enumerators, and what hides a peripheral."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from datasheet_lsp.firmware.constants import evaluate
from datasheet_lsp.firmware.conventions import BASE_SUFFIX
from datasheet_lsp.firmware.macros import Macros, macros_of
from datasheet_lsp.firmware.names import names_of
from datasheet_lsp.firmware.scope import FileScope, hidden_locally, scope_of
from datasheet_lsp.firmware.source import Source
from datasheet_lsp.firmware.syntax import View
from datasheet_lsp.model import Lookup

_MAX_NESTED = 24


class Environment:
    """The meaning of names in ``source``, for the time of one question."""

    def __init__(self, source: Source, lookups: Sequence[Lookup]) -> None:
        self.macros: Macros = macros_of(source)
        self.lookups = lookups
        self._source = source
        self._values: dict[str, int | None] = {}
        self._hidden: dict[tuple[View, str], bool] = {}
        self._nested = 0

    @property
    def scope(self) -> FileScope:
        """What the file declares outside its functions."""
        return scope_of(self._source)

    def hidden(self, view: View, path: list[Node], outer: Sequence[Node], name: str) -> bool:
        """Whether the code declares ``name`` itself where ``path``, and ``outer``, end."""
        key = (view, name)
        if key not in self._hidden:
            self._hidden[key] = (
                hidden_locally(view, path, name)
                or name in self.scope.names
                or (bool(outer) and hidden_locally(self.scope.view, outer, name))
            )
        return self._hidden[key]

    def value(self, name: str) -> int | None:
        """The number ``name`` stands for: a macro, an enumerator, the base of a peripheral."""
        if name not in self._values:
            self._values[name] = None  # a macro that leads back to itself has no value
            if self._nested < _MAX_NESTED:
                self._nested += 1
                self._values[name] = self._value(name)
                self._nested -= 1
        return self._values[name]

    def _value(self, name: str) -> int | None:
        if self.macros.named(name):
            expression = self.macros.expression(name)
            value = None if expression is None else evaluate(*expression, self.value)
            if value is not None or not name.endswith(BASE_SUFFIX):
                return value
        if name in self.scope.enumerators:
            start, further = self.scope.enumerators[name]
            if start is None:
                return further
            value = evaluate(self.scope.view, start, self.value)
            return None if value is None else value + further
        if name.endswith(BASE_SUFFIX) and name not in self.scope.names:
            return self._base_address(name.removesuffix(BASE_SUFFIX))
        return None

    def _base_address(self, name: str) -> int | None:
        for lookup in self.lookups:
            addresses = {
                base.peripheral.base_address for base in names_of(lookup).bases(name) if base.alone
            }
            if len(addresses) == 1:
                return addresses.pop()
        return None

    def evaluate(self, view: View, node: Node) -> int | None:
        """The value of a constant expression of the file, else None."""
        return evaluate(view, node, self.value)
