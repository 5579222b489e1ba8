"""The macros and types that the headers of a workspace define, as one file sees them."""

from datasheet_lsp.firmware.headers.facts import Function, Layout, Macro, Member, Type
from datasheet_lsp.firmware.headers.view import Headers

__all__ = ["Function", "Headers", "Layout", "Macro", "Member", "Type"]
