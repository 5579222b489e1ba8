"""What the headers mean to one file."""

from __future__ import annotations

from datasheet_lsp.firmware.headers.facts import Function, Layout, Macro, Type


class Headers:
    """The macros, types, variables and functions one file knows, its own among them.

    Nothing here reads a file. Every answer is None where it is unknown, or where the ``#if`` of the
    headers leave open which of several different definitions holds.
    """

    def macro(self, name: str) -> Macro | None:
        """The definition of a macro that holds where the file uses it."""
        return None

    def constant(self, name: str) -> int | None:
        """The value of an enumerator."""
        return None

    def layout(self, name: str) -> Layout | None:
        """The members of a struct or union by its typedef or tag."""
        return None

    def type(self, name: str) -> Type | None:
        """The type a typedef or a tag names."""
        return None

    def variable(self, name: str) -> Type | None:
        """The type of a variable declared outside functions."""
        return None

    def function(self, name: str) -> Function | None:
        """A function with a body."""
        return None
