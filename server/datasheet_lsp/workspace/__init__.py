"""Which SVDs, documents, device and settings belong to a folder, and why.

The names are resolved on first use, so that reading the settings does not load the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datasheet_lsp.workspace.types import Context, Discovery, Evidence, FoundSvd, Problem

if TYPE_CHECKING:
    from datasheet_lsp.workspace.discover import find_contexts
    from datasheet_lsp.workspace.globs import CodeMatcher
    from datasheet_lsp.workspace.settings import (
        ContextSettings,
        Settings,
        read_settings,
        settings_schema,
    )

__all__ = [
    "CodeMatcher",
    "Context",
    "ContextSettings",
    "Discovery",
    "Evidence",
    "FoundSvd",
    "Problem",
    "Settings",
    "find_contexts",
    "read_settings",
    "settings_schema",
]

_HOMES = {
    "CodeMatcher": "globs",
    "ContextSettings": "settings",
    "Settings": "settings",
    "find_contexts": "discover",
    "read_settings": "settings",
    "settings_schema": "settings",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(name)
