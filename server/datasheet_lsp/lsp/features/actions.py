"""textDocument/codeAction, and the commands its actions run."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from datasheet_lsp.lsp import positions
from datasheet_lsp.lsp.client import plain

if TYPE_CHECKING:
    from datasheet_lsp.assist.actions import Action
    from datasheet_lsp.firmware import Source
    from datasheet_lsp.lsp.documents import Document
    from datasheet_lsp.lsp.language_server import DatasheetServer

KINDS = ("quickfix", "refactor.rewrite", "source.explain")
OPTIONS = types.CodeActionOptions(
    code_action_kinds=[
        types.CodeActionKind.QuickFix,
        types.CodeActionKind.RefactorRewrite,
        "source.explain",
    ]
)
REGISTERS = "datasheet.registers"
REFERENCES = "datasheet.references"


async def code_action(
    ls: DatasheetServer, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command] | None:
    """What can be done at a place or with a selection."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    view = await ls.projects.view(document.path)
    if not view.lookups:
        return None
    from datasheet_lsp.assist.actions import actions
    from datasheet_lsp.assist.decode import reader_of
    from datasheet_lsp.lsp.features.diagnostics import findings_of, shown

    findings = await findings_of(ls, document)
    first, last = params.range.start, params.range.end

    def find(source: Source) -> list[Action]:
        reader = reader_of(source, view.lookups, view.headers(document.path, source))
        start = positions.offset_at(source, first.line, first.character, ls.encoding)
        end = positions.offset_at(source, last.line, last.character, ls.encoding)
        return actions(reader, start, end, findings, view.places)

    source = document.source
    result: list[types.CodeAction | types.Command] = []
    for action in await ls.ask(document, find):
        if not _wanted(action.kind, params.context.only):
            continue
        command = None
        if action.command:
            span = ls.range_of(source, *action.span)
            command = types.Command(
                title=action.title,
                command=action.command,
                arguments=[
                    {
                        "textDocument": {"uri": document.uri},
                        "range": {"start": _plain(span.start), "end": _plain(span.end)},
                    }
                ],
            )
        if not ls.client.action_literals:
            if command is not None:
                result.append(command)
            continue
        mends = [
            shown(ls, source, one)
            for one in findings
            if action.code
            and one.code == action.code
            and any(fix.title == action.title for fix in one.fixes)
        ]
        result.append(
            types.CodeAction(
                title=action.title,
                kind="source.explain" if action.kind == "explain" else action.kind,
                edit=_edit(ls, document, action) if action.edits else None,
                command=command,
                diagnostics=mends or None,
                is_preferred=True if action.kind == "quickfix" else None,
            )
        )
    return result


def _wanted(kind: str, only: Any) -> bool:
    """Whether the client asked for this kind, or for all."""
    if not only:
        return True
    name = "source.explain" if kind == "explain" else kind
    texts = [str(getattr(one, "value", one)) for one in only]
    return any(name == text or name.startswith(f"{text}.") for text in texts)


def _plain(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}


def _edit(ls: DatasheetServer, document: Document, action: Action) -> types.WorkspaceEdit:
    edits = [
        types.TextEdit(range=ls.range_of(document.source, one.start, one.end), new_text=one.text)
        for one in action.edits
    ]
    return types.WorkspaceEdit(changes={document.uri: edits})


async def registers_command(ls: DatasheetServer, *arguments: Any) -> dict[str, Any] | None:
    """``datasheet.registers`` with a document and a range: a text as markdown, shown if possible.

    Of one line or less it is what a hover says, of more lines what they set up.
    """
    given = _place(ls, arguments)
    if given is None:
        return None
    document, start, end = given
    view = await ls.projects.view(document.path)
    if not view.lookups:
        return None
    overview = ls.overviews.of(document.path, view.lookups)

    def find(source: Source) -> str:
        from datasheet_lsp.assist.decode import reader_of
        from datasheet_lsp.assist.explain import explain
        from datasheet_lsp.assist.hover import hover
        from datasheet_lsp.render.setup import explained_text
        from datasheet_lsp.render.style import MARKDOWN

        headers = view.headers(document.path, source)
        low = positions.offset_at(source, start[0], start[1], ls.encoding)
        high = positions.offset_at(source, end[0], end[1], ls.encoding)
        if b"\n" not in source.data[low:high]:
            for offset in (low, max(low, high - 1)):
                found = hover(source, offset, view.lookups, places=view.places, headers=headers)
                if found is not None:
                    return found.markdown
        reader = reader_of(source, view.lookups, headers)
        told = explain(reader, low, high, overview)
        lines = [(one.line, one.access) for one in told.lines]
        return explained_text(lines, told.peripherals, told.missing, MARKDOWN)

    text = await ls.ask(document, find)
    if ls.client.show_document:
        folder = Path(tempfile.mkdtemp(prefix="datasheet-"))
        page = folder / "explanation.md"
        page.write_text(text + "\n", encoding="utf-8")
        await ls.window_show_document_async(
            types.ShowDocumentParams(uri=page.as_uri(), take_focus=True)
        )
    return {"markdown": text}


async def references_command(ls: DatasheetServer, *arguments: Any) -> list[types.Location] | None:
    """``datasheet.references`` with a document and a range: all uses of what is there."""
    from datasheet_lsp.lsp.features.references import find

    given = _place(ls, arguments)
    if given is None:
        return None
    document, _, end = given
    return await find(ls, document, end[0], max(0, end[1] - 1))


def _place(
    ls: DatasheetServer, arguments: tuple[Any, ...]
) -> tuple[Document, tuple[int, int], tuple[int, int]] | None:
    """The document and range in the arguments of a command, None where they are none."""
    given: Any = plain(arguments[0]) if arguments else None
    try:
        document = ls.documents.get(given["textDocument"]["uri"])
        ends = (given["range"]["start"], given["range"]["end"])
        places = [(int(at["line"]), int(at["character"])) for at in ends]
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return None if document is None else (document, places[0], places[1])
