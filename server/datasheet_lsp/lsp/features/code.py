"""What is shown in code beside hovers, in one place: which handler answers what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from datasheet_lsp.lsp.features.hints import inlay_hint

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project


def register(ls: DatasheetServer) -> None:
    """Takes the requests about code."""
    ls.feature(types.TEXT_DOCUMENT_INLAY_HINT)(inlay_hint)


def refresh(ls: DatasheetServer, project: Project) -> None:
    """Has the client ask anew for what depends on the devices of ``project``."""
    if ls.client.hint_refresh:
        ls.workspace_inlay_hint_refresh(None, callback=lambda _: None)
