"""The server: its state, and which handler answers what."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from datasheet_lsp import __version__
from datasheet_lsp.firmware import Source, resolve_at
from datasheet_lsp.lsp import parent, positions
from datasheet_lsp.lsp.asking import Asking
from datasheet_lsp.lsp.client import Client
from datasheet_lsp.lsp.documents import Document, Documents, path_of
from datasheet_lsp.lsp.features import (
    ask,
    code,
    explain,
    indexing,
    loading,
    page,
    search,
    settings,
    status,
)
from datasheet_lsp.lsp.features.definition import definition
from datasheet_lsp.lsp.features.hover import hover
from datasheet_lsp.lsp.features.symbols import symbols
from datasheet_lsp.lsp.indexing import Indexing
from datasheet_lsp.lsp.io import Reader, Writer
from datasheet_lsp.lsp.models import Models
from datasheet_lsp.lsp.overviews import Overviews
from datasheet_lsp.lsp.project import Project
from datasheet_lsp.lsp.projects import Load, Projects
from datasheet_lsp.lsp.protocol import (
    ASK,
    EXPLAIN,
    REINDEX,
    RELOAD,
    SEARCH,
    STATUS,
    DatasheetProtocol,
)
from datasheet_lsp.lsp.searching import Searching
from datasheet_lsp.lsp.tasks import Tasks

logger = logging.getLogger(__name__)
Answer = TypeVar("Answer")

EXIT_SECONDS = 1.0
"""Time for an orderly end; then the process ends without."""

SETTLE_SECONDS = 0.3
"""Changes that follow one another faster than this are answered once."""


class DatasheetServer(LanguageServer):
    """The language server of datasheet-lsp."""

    protocol: DatasheetProtocol

    def __init__(self) -> None:
        super().__init__(
            "datasheet-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=DatasheetProtocol,
        )
        self.documents = Documents()
        self.tasks = Tasks()
        self.client = Client()
        self.encoding: positions.Encoding = "utf-16"
        self.first_options: dict[str, Any] = {}
        self.shown: set[str] = set()
        self.overviews = Overviews(self.tasks)
        self.projects: Projects
        self.indexing: Indexing
        self.models: Models
        self.searching: Searching
        self.asking: Asking
        self._loop: asyncio.AbstractEventLoop
        self._stopped: asyncio.Event
        self._register()

    def _register(self) -> None:
        self.feature(types.INITIALIZED)(settings.initialized)
        code.register(self)
        self.feature(types.TEXT_DOCUMENT_HOVER)(hover)
        self.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
        self.feature(types.WORKSPACE_SYMBOL)(symbols)
        self.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
        self.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(settings.did_change_configuration)
        self.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(settings.did_change_watched_files)
        self.feature(STATUS)(status.status)
        self.feature(RELOAD)(status.reload)
        self.feature(REINDEX)(indexing.reindex)
        self.feature(SEARCH)(search.search)
        self.feature(ASK)(ask.ask)
        self.feature(EXPLAIN)(explain.explain)
        self.command("datasheet.status")(status.status_command)
        self.command("datasheet.reload")(status.reload_command)
        self.command("datasheet.reindex")(indexing.reindex_command)
        self.command("datasheet.search")(search.search_command)
        self.command("datasheet.ask")(ask.ask_command)
        self.command("datasheet.explain")(explain.explain_command)
        self.command("datasheet.page")(page.page_command)

    # -- life cycle

    async def run(self, incoming: BinaryIO, outgoing: BinaryIO) -> int:
        """Serves one client; returns the exit code: 0 after ``shutdown``, else 1."""
        loop = self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        self.indexing = Indexing(self)
        self.models = Models()
        self.searching = Searching(self.models)
        self.asking = Asking(self.models, self.searching)
        self.projects = Projects(self.tasks, self._around_load, self._drop)
        writer = Writer(outgoing, on_lost=lambda: self._from_thread(self.stop))
        self.protocol.set_writer(writer)
        reader = Reader(incoming, self._on_message, self._on_end)
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self.stop)
        writer.start()
        reader.start()
        await self._stopped.wait()
        writer.close()
        return self.exit_code

    @property
    def exit_code(self) -> int:
        """0 after ``shutdown``, else 1, as the protocol has it."""
        return 0 if self.protocol.shut_down else 1

    def stop(self) -> None:
        """Ends the process, in any state."""
        self._set_deadline()
        self.overviews.stop()
        self.end_work()
        self._stopped.set()

    def end_work(self) -> None:
        """Ends all child processes and searches at once, for good."""
        self.indexing.kill()
        self.searching.close()
        self.models.kill()

    def _set_deadline(self) -> None:
        """Ends the process the hard way if it has not ended itself by then."""
        timer = threading.Timer(EXIT_SECONDS, lambda: os._exit(self.exit_code))
        timer.daemon = True
        timer.start()

    def _from_thread(self, call: Any, *args: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(call, *args)

    def _on_message(self, body: bytes) -> None:
        if len(body) < 200 and b'"exit"' in body:
            self._set_deadline()  # in case the event loop is held up and cannot
        self._from_thread(self.protocol.receive, body)

    def _on_end(self, reason: str) -> None:
        if reason:
            print(f"datasheet-lsp: {reason}", file=sys.stderr)
        self._set_deadline()
        self._from_thread(self.stop)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an error. It is not sent: doing so may fail for the same reason, without end."""
        logger.error("%s: %s", getattr(source, "__name__", source), error)

    # -- state

    def initialize(self, params: types.InitializeParams, encoding: positions.Encoding) -> None:
        """Takes what the client says about itself."""
        self.encoding = encoding
        self.client = Client.of(params.capabilities)
        self.first_options = settings.section_of(params.initialization_options)
        self.projects.options = self.first_options
        uris = [folder.uri for folder in params.workspace_folders or ()]
        if not uris and params.root_uri:
            uris = [params.root_uri]
        roots = [path_of(uri) for uri in uris]
        if not uris and params.root_path:
            roots = [Path(params.root_path)]
        for root in roots:
            if root is not None:
                self.projects.add(root)
        if params.process_id is not None:
            self.tasks.start(parent.watch(params.process_id, self.stop), "watch the editor")

    def folders_changed(self, added: list[str], removed: list[str]) -> None:
        """Takes folders in and out of the workspace."""
        for uri in removed:
            if (path := path_of(uri)) is not None:
                self.projects.remove(path)
        for uri in added:
            if (path := path_of(uri)) is not None:
                self.projects.add(path)

    def _drop(self, project: Project) -> None:
        self.indexing.drop(project)
        self.overviews.drop(project)
        self.searching.drop(project)
        self.asking.drop(project)

    async def _around_load(self, project: Project, load: Load) -> None:
        await loading.around_load(self, project, load)

    def reload_soon(self) -> None:
        """Reads all devices anew once changes have settled."""

        async def later() -> None:
            await asyncio.sleep(SETTLE_SECONDS)
            for project in self.projects.all:
                self.projects.load(project)

        self.tasks.replace(later(), "reload")

    def look_for_changes(self, uri: str) -> None:
        """Looks whether the files behind a document's devices, or manuals, have changed.

        What the client watches for us is left to it.
        """

        async def look() -> None:
            project = await self.projects.project_of(path_of(uri))
            if project is None:
                return
            if not self.client.watch_files and await self.projects.refresh(project):
                loading.report(self, project)
                self.indexing.soon(project)
            else:
                await self.indexing.look(project)

        self.tasks.replace(look(), "look for changes")

    # -- documents

    def opened(self, uri: str, version: int, text: str) -> None:
        """Takes a document in, and gets ready to answer about it."""
        document = self.documents.put(uri, version, text)
        self.tasks.replace(self._prepare(document), f"prepare {uri}")
        self.look_for_changes(uri)

    def changed(self, uri: str, version: int, text: str) -> None:
        """Takes the new text of a document."""
        if self.documents.get(uri) is None:
            return
        document = self.documents.put(uri, version, text)
        self.tasks.replace(self._prepare(document, SETTLE_SECONDS), f"prepare {uri}")

    async def _prepare(self, document: Document, delay: float = 0) -> None:
        """Loads the document's project and parses its text before anybody asks."""
        await asyncio.sleep(delay)
        view = await self.projects.view(document.path)
        if view.lookups:
            source = document.source
            access = max(0, source.data.find(b"->"))

            def first() -> None:
                resolve_at(source, access, view.lookups, view.headers(document.path, source))

            await asyncio.to_thread(first)
            document.prepared = True
            await code.prepared(self, document)

    async def ask(self, document: Document, question: Callable[[Source], Answer]) -> Answer:
        """The answer to ``question``, worked out off the event loop where it may take long."""
        if document.quick:
            answer = question(document.source)
        else:
            answer = await asyncio.to_thread(question, document.source)
        document.prepared = True
        return answer

    def range_of(self, source: Source, start: int, end: int) -> types.Range:
        """The protocol's range of the bytes ``start`` to ``end``."""
        first = positions.position_at(source, start, self.encoding)
        last = positions.position_at(source, end, self.encoding)
        return types.Range(start=types.Position(*first), end=types.Position(*last))

    def show_problems(self, texts: list[str]) -> None:
        """Logs what is wrong, and shows what was not shown before: one, and how many more."""
        fresh = []
        for text in texts:
            self.log(text, types.MessageType.Warning)
            if text not in self.shown:
                self.shown.add(text)
                fresh.append(text)
        if fresh:
            more = f" And {len(fresh) - 1} more, see the log." if len(fresh) > 1 else ""
            self.window_show_message(
                types.ShowMessageParams(
                    type=types.MessageType.Warning, message=f"datasheet-lsp: {fresh[0]}{more}"
                )
            )

    def log(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Writes a line to the client's log."""
        self.window_log_message(types.LogMessageParams(type=kind, message=text))


async def did_save(ls: DatasheetServer, params: types.DidSaveTextDocumentParams) -> None:
    """Looks whether the files behind the devices changed, for clients that watch none."""
    ls.look_for_changes(params.text_document.uri)
    await code.saved(ls, params.text_document.uri)
