"""datasheet/ask and the command of the same name: an answer with citations, streamed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from datasheet_lsp.lsp.asking import Question
from datasheet_lsp.lsp.client import plain
from datasheet_lsp.lsp.features.search import failed, place_of, project_for, uri_of
from datasheet_lsp.lsp.progress import CANCEL_SECONDS, PATIENT_SECONDS, Token
from datasheet_lsp.lsp.protocol import ANSWER_CHUNK

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project

SHOW_SECONDS = 60.0
"""How long a client may take to show a file before it is forgotten."""

ANSWERS = "answers"
MOST_ANSWERS = 50
"""So many files of answers are kept; the oldest go."""

_STAGES = {
    "planning": "Planning",
    "searching": "Searching the manuals",
    "reading": "Reading",
    "answering": "Answering",
    "checking": "Checking",
}
_numbers = itertools.count(1)


async def ask(ls: DatasheetServer, params: Any) -> dict[str, Any]:
    """The answer, in the form of ``datasheet-lsp ask --json``. Can be cancelled.

    While it is worked on ``datasheet/answerChunk`` tells the stage and brings the text.
    """
    return (await _ask(ls, plain(params)))[0]


async def ask_command(ls: DatasheetServer, *arguments: object) -> dict[str, Any]:
    """``datasheet.ask``: the answer in a file, which the client is asked to show."""
    given = plain(arguments[0]) if arguments else None
    params = {"question": given} if isinstance(given, str) else given
    answer, project = await _ask(ls, params)
    path = await asyncio.to_thread(write_answer, project, answer)
    uri = path.as_uri()
    if ls.client.show_document:
        ls.tasks.start(_show(ls, uri), "show the answer")
    return {**answer, "uri": uri}


async def _show(ls: DatasheetServer, uri: str) -> None:
    """Asks the client to show a file. What it answers, if it does, changes nothing."""
    params = types.ShowDocumentParams(uri=uri, take_focus=True)
    with contextlib.suppress(Exception):
        await asyncio.wait_for(ls.window_show_document_async(params), SHOW_SECONDS)


async def _ask(ls: DatasheetServer, params: Any) -> tuple[dict[str, Any], Project]:
    from datasheet_lsp.assist.search import SearchError

    try:
        question = msgspec.convert(params, Question)
    except msgspec.ValidationError as error:
        raise JsonRpcInvalidParams(f"A question is asked otherwise: {error}.") from None
    uri = uri_of(params)
    project = await project_for(ls, uri)
    if project is None or project.session is None:
        raise failed("no folder is open, so there is nothing to answer from.")
    if not question.question.strip():
        raise failed("nothing is asked.")
    name = str(params.get("id") or f"answer-{next(_numbers)}")
    stages = Stages()

    def emit(kind: str, text: str) -> None:
        if kind == "read":
            stages.reached = f"Answering: the model has read {text} of the passages"
            return
        if kind == "stage":
            stages.reached = _STAGES.get(text, text)
        ls.protocol.notify(ANSWER_CHUNK, {"id": name, "kind": kind, "text": text})

    given = params.get("conversation")
    conversation = given if isinstance(given, str) else None
    device = place_of(project, uri).device
    work = asyncio.ensure_future(ls.asking.ask(project, question, device, conversation, emit))
    try:
        answer = await stages.follow(ls, work, params.get("workDoneToken"))
    except SearchError as error:
        raise failed(str(error)) from None
    return {**answer, "id": name}, project


class Stages:
    """What an answer's progress shows."""

    def __init__(self) -> None:
        self.reached = ""

    async def follow(
        self, ls: DatasheetServer, work: asyncio.Future[dict[str, Any]], given: Any
    ) -> dict[str, Any]:
        """What ``work`` gives; each stage is reported. It ends with its caller or the progress."""
        token: Token | None = None
        try:
            if isinstance(given, str | int):
                token = Token(ls, given)
            else:
                token = await Token.create(ls, work, PATIENT_SECONDS)
            if token is not None:
                token.begin("Answering", can_cancel=True, counted=False)
            told = ""
            while not work.done():
                await asyncio.wait([work], timeout=CANCEL_SECONDS if token is not None else None)
                if token is None:
                    continue
                if token.cancelled:
                    work.cancel()
                if self.reached != told and not work.done():
                    token.report(self.reached)
                    told = self.reached
            return await work
        finally:
            work.cancel()
            if token is not None:
                token.end("")


def write_answer(project: Project, answer: dict[str, Any]) -> Path:
    """Writes an answer as a Markdown file beside the index; its path. Blocks."""
    index = project.session.index_path if project.session is not None else None
    text = f"# {' '.join(answer['question'].split())}\n\n{answer['text'].strip()}\n"
    if answer["notes"]:
        text += "\n" + "\n".join(f"- {note}" for note in answer["notes"]) + "\n"
    words = re.findall(r"\w+", answer["question"].lower())[:8]
    name = f"{'-'.join(words)[:60] or 'answer'}.md"
    folder = index.parent / ANSWERS if index is not None else None
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(text, encoding="utf-8", errors="replace")
            _forget(folder)
            return path
        except OSError:
            pass
    path = Path(tempfile.mkdtemp(prefix="datasheet-")) / name
    path.write_text(text, encoding="utf-8", errors="replace")
    return path


def _forget(folder: Path) -> None:
    files = sorted(folder.glob("*.md"), key=lambda path: path.stat().st_mtime)
    for path in files[:-MOST_ANSWERS]:
        path.unlink(missing_ok=True)
