"""What is shown in code beside hovers, in one place: which handler answers what, and when."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from datasheet_lsp.lsp.features import actions, completion, diagnostics
from datasheet_lsp.lsp.features.hints import inlay_hint
from datasheet_lsp.lsp.features.references import references

if TYPE_CHECKING:
    from datasheet_lsp.lsp.documents import Document
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project

_LOOK_SECONDS = 0.25
_LOOKS = 60


def register(ls: DatasheetServer) -> None:
    """Takes the requests about code."""
    ls.feature(types.TEXT_DOCUMENT_INLAY_HINT)(inlay_hint)
    ls.feature(types.TEXT_DOCUMENT_COMPLETION, completion.OPTIONS)(completion.completion)
    ls.feature(types.TEXT_DOCUMENT_REFERENCES)(references)
    ls.feature(types.TEXT_DOCUMENT_CODE_ACTION, actions.OPTIONS)(actions.code_action)
    ls.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier="datasheet"
        ),
    )(diagnostics.pulled)
    ls.command(actions.REGISTERS)(actions.registers_command)
    ls.command(actions.REFERENCES)(actions.references_command)


def refresh(ls: DatasheetServer, project: Project) -> None:
    """Has asked anew what depends on the devices of ``project``, and reads its code."""
    shown_anew(ls)
    ls.overviews.soon(project, partial(shown_anew, ls))


def shown_anew(ls: DatasheetServer) -> None:
    """Has the client ask for hints and diagnostics again, or sends them to one that does not."""
    if ls.client.hint_refresh:
        ls.workspace_inlay_hint_refresh(None, callback=_nothing)
    if ls.client.pull_diagnostics:
        if ls.client.diagnostic_refresh:
            ls.workspace_diagnostic_refresh(None, callback=_nothing)
        return
    for document in ls.documents.all():
        ls.tasks.replace(diagnostics.publish(ls, document), f"diagnostics {document.uri}")


def _nothing(_: Any) -> None:
    """The answer to a request to refresh says nothing."""


async def prepared(ls: DatasheetServer, document: Document) -> None:
    """A document was opened or changed, and is settled."""
    await diagnostics.publish(ls, document)
    view = await ls.projects.view(document.path)
    if not view.lookups or view.workspace_headers is None or document.path is None:
        return
    if view.headers(document.path, document.source) is not None:
        return
    for _ in range(_LOOKS):  # its headers are being read: then more is known of it
        await asyncio.sleep(_LOOK_SECONDS)
        if ls.documents.get(document.uri) is not document:
            return
        if view.headers(document.path, document.source) is not None:
            shown_anew(ls)
            return


async def saved(ls: DatasheetServer, uri: str) -> None:
    """A document was written to its file."""
    document = ls.documents.get(uri)
    if document is not None:
        project = await ls.projects.project_of(document.path)
        if project is not None:
            ls.overviews.soon(project, partial(shown_anew, ls))


def closed(ls: DatasheetServer, uri: str) -> None:
    """A document was closed."""
    ls.tasks.cancel(f"diagnostics {uri}")
    diagnostics.withdraw(ls, uri)
