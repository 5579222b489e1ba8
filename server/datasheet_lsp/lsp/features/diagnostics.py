"""Diagnostics: asked for by the client, else published to it, when a text has settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from datasheet_lsp.assist.findings import Finding
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.documents import Document
    from datasheet_lsp.lsp.language_server import DatasheetServer

SOURCE = "datasheet-lsp"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


async def findings_of(ls: DatasheetServer, document: Document) -> list[Finding]:
    """The mistakes in a document, [] where it has no device or none are wanted."""
    view = await ls.projects.view(document.path)
    if not view.lookups or not view.settings.diagnostics.enabled:
        return []
    from datasheet_lsp.assist.decode import reader_of
    from datasheet_lsp.assist.diagnostics import diagnose

    severities = view.settings.diagnostics.severity
    overview = ls.overviews.of(document.path, view.lookups)

    def find(source: Source) -> list[Finding]:
        reader = reader_of(source, view.lookups, view.headers(document.path, source))
        return diagnose(reader, severities, overview)

    return await ls.ask(document, find)


def shown(ls: DatasheetServer, source: Source, finding: Finding) -> types.Diagnostic:
    """A mistake as the protocol has it."""
    page = finding.kind.page
    return types.Diagnostic(
        range=ls.range_of(source, finding.start, finding.end),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(href=page) if page else None,
        source=SOURCE,
    )


async def pulled(
    ls: DatasheetServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport:
    """The diagnostics of a document."""
    document = ls.documents.get(params.text_document.uri)
    items: list[types.Diagnostic] = []
    if document is not None:
        found = await findings_of(ls, document)
        items = [shown(ls, document.source, one) for one in found]
    return types.RelatedFullDocumentDiagnosticReport(items=items)


async def publish(ls: DatasheetServer, document: Document) -> None:
    """Sends the diagnostics of a document to a client that does not ask for them."""
    if ls.client.pull_diagnostics:
        return
    found = await findings_of(ls, document)
    if ls.documents.get(document.uri) is not document:
        return  # it was changed or closed meanwhile
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(
            uri=document.uri,
            version=document.version,
            diagnostics=[shown(ls, document.source, one) for one in found],
        )
    )


def withdraw(ls: DatasheetServer, uri: str) -> None:
    """Takes back the diagnostics of a document that was closed."""
    if not ls.client.pull_diagnostics:
        ls.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=[])
        )
