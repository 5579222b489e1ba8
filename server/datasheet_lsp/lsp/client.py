"""What the client can do, asked in one place."""

from __future__ import annotations

from typing import Any

import msgspec
from lsprotocol import types


def _get(value: Any, path: str) -> Any:
    """The attribute at a dotted path, None where any of its parts is absent."""
    for name in path.split("."):
        value = getattr(value, name, None)
        if value is None:
            return None
    return value


class Client(msgspec.Struct, frozen=True):
    """The abilities that decide how we answer. All False is the poorest client there is."""

    markdown: bool = False
    configuration: bool = False
    progress: bool = False
    show_document: bool = False
    watch_files: bool = False
    watch_configuration: bool = False
    definition_links: bool = False
    hint_refresh: bool = False
    pull_diagnostics: bool = False
    diagnostic_refresh: bool = False
    action_literals: bool = False

    @staticmethod
    def of(capabilities: types.ClientCapabilities) -> Client:
        """What ``capabilities`` say."""
        formats = _get(capabilities, "text_document.hover.content_format") or ()
        return Client(
            markdown=types.MarkupKind.Markdown in formats,
            configuration=bool(_get(capabilities, "workspace.configuration")),
            progress=bool(_get(capabilities, "window.work_done_progress")),
            show_document=bool(_get(capabilities, "window.show_document.support")),
            watch_files=bool(
                _get(capabilities, "workspace.did_change_watched_files.dynamic_registration")
            ),
            watch_configuration=bool(
                _get(capabilities, "workspace.did_change_configuration.dynamic_registration")
            ),
            definition_links=bool(_get(capabilities, "text_document.definition.link_support")),
            hint_refresh=bool(_get(capabilities, "workspace.inlay_hint.refresh_support")),
            pull_diagnostics=_get(capabilities, "text_document.diagnostic") is not None,
            diagnostic_refresh=bool(_get(capabilities, "workspace.diagnostics.refresh_support")),
            action_literals=_get(
                capabilities, "text_document.code_action.code_action_literal_support"
            )
            is not None,
        )


def plain(value: Any) -> Any:
    """A JSON value made of dicts and lists alone.

    pygls gives named tuples for the objects of messages it has no type for.
    """
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
