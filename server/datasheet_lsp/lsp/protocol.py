"""The protocol: its life cycle, its documents, and the requests of our own.

Where pygls lets a client wait for ever (a request it cannot decode, one after ``shutdown``), here
an error is answered, as the specification asks.

Own requests (``datasheet/...``) take and give plain JSON objects.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Generator
from concurrent.futures import InvalidStateError
from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method

from datasheet_lsp.lsp import positions
from datasheet_lsp.lsp.features import code

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer

logger = logging.getLogger(__name__)

STATUS = "datasheet/status"
RELOAD = "datasheet/reload"
REINDEX = "datasheet/reindex"
SEARCH = "datasheet/search"
ASK = "datasheet/ask"
EXPLAIN = "datasheet/explain"
ANSWER_CHUNK = "datasheet/answerChunk"


@attrs.define
class ObjectRequest:
    """A request of our own: ``params`` is a JSON object or absent."""

    id: int | str
    method: str
    params: Any = None
    jsonrpc: str = "2.0"


@attrs.define
class ObjectResponse:
    """The answer to it: ``result`` is any JSON value."""

    id: int | str
    result: Any = None
    jsonrpc: str = "2.0"


OWN_REQUESTS: dict[str, tuple[type[Any], type[Any]]] = {
    STATUS: (ObjectRequest, ObjectResponse),
    RELOAD: (ObjectRequest, ObjectResponse),
    REINDEX: (ObjectRequest, ObjectResponse),
    SEARCH: (ObjectRequest, ObjectResponse),
    ASK: (ObjectRequest, ObjectResponse),
    EXPLAIN: (ObjectRequest, ObjectResponse),
}
"""Method to the types of its request and of its answer."""


def _error(code: int, message: str) -> types.ResponseError:
    return types.ResponseError(code=code, message=message)


class DatasheetProtocol(LanguageServerProtocol):
    """pygls' protocol with the gaps closed."""

    _server: DatasheetServer
    _initialize_seen = False

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """The type of a message, those of our own requests included."""
        if method in OWN_REQUESTS:
            return OWN_REQUESTS[method][0]
        return types.METHOD_TO_TYPES.get(method, (None,))[0]

    def get_result_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """The type of the answer to a request, those of our own requests included."""
        if method in OWN_REQUESTS:
            return OWN_REQUESTS[method][1]
        return types.METHOD_TO_TYPES.get(method, (None, None))[1]

    def receive(self, body: bytes) -> None:
        """Handles one message of the client. Never raises."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            code = types.ErrorCodes.ParseError
            self._send_response(None, error=_error(code, "The message is not JSON."))  # type: ignore[arg-type]
            return
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            code = types.ErrorCodes.InvalidRequest
            self._send_response(None, error=_error(code, "Not a JSON-RPC 2.0 message."))  # type: ignore[arg-type]
            return
        method, message_id = data.get("method"), data.get("id")
        refusal = self._refusal(method)
        if refusal is not None:
            if method is not None and message_id is not None:
                self._send_response(message_id, error=refusal)
            return
        if isinstance(method, str) and self.get_message_type(method) is None:
            data.setdefault("params", None)
        try:
            self.handle_message(self.structure_message(data))
        except JsonRpcException as error:
            if method is not None and message_id is not None:
                self._send_response(message_id, error=error.to_response_error())
            logger.warning("A message could not be decoded: %s", method)
        except InvalidStateError:
            pass  # the answer to a request that is no longer waited for
        except Exception:
            logger.exception("A message could not be handled: %s", method)

    def _refusal(self, method: object) -> types.ResponseError | None:
        """Why a message is not taken in this state, None when it is."""
        if method == types.EXIT:
            return None
        if self._shutdown:
            return _error(types.ErrorCodes.InvalidRequest, "The server is shutting down.")
        if method == types.INITIALIZE:
            if self._initialize_seen:
                return _error(types.ErrorCodes.InvalidRequest, "The server is initialized already.")
            self._initialize_seen = True
            return None
        if not self._initialize_seen:
            return _error(types.ErrorCodes.ServerNotInitialized, "Send initialize first.")
        return None

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Settles the position encoding, reads what the client is, and answers what we can."""
        general = params.capabilities.general
        kinds = (general.position_encodings if general is not None else None) or ()
        encoding = positions.choose([str(getattr(kind, "value", kind)) for kind in kinds])
        if general is not None:
            general.position_encodings = [types.PositionEncodingKind(encoding)]
        self._server.initialize(params, encoding)
        result = yield from super().lsp_initialize(params)
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> None:  # type: ignore[override]
        """Cancels what is under way; only ``exit`` is taken from now on."""
        for future in list(self._request_futures.values()):
            future.cancel()
        self._server.end_work()
        self._shutdown = True

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]
        """Ends the process: 0 after ``shutdown``, else 1."""
        self._server.stop()

    @property
    def shut_down(self) -> bool:
        """Whether ``shutdown`` was asked."""
        return bool(self._shutdown)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Takes the text of a document."""
        item = params.text_document
        self._server.opened(item.uri, item.version, item.text)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Takes the new text of a document; the last change of several is the whole of it."""
        whole = [c for c in params.content_changes if getattr(c, "range", None) is None]
        if whole:
            self._server.changed(
                params.text_document.uri, params.text_document.version, whole[-1].text
            )
        else:
            # A client that sends parts although the whole was agreed on: better no answer about
            # this document than one about another text.
            logger.warning("%s changed in parts, which was not agreed on", params.text_document.uri)
            self._server.documents.close(params.text_document.uri)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forgets a document."""
        self._server.documents.close(params.text_document.uri)
        code.closed(self._server, params.text_document.uri)

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(
        self, params: types.DidChangeWorkspaceFoldersParams
    ) -> None:
        """Adds and removes folders."""
        self._server.folders_changed(
            [folder.uri for folder in params.event.added],
            [folder.uri for folder in params.event.removed],
        )

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Runs a command; a coroutine, so that it can be cancelled."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"There is no command {params.command!r}.")
        try:
            result = handler(*(params.arguments or ()))
            return await result if inspect.isawaitable(result) else result
        except (JsonRpcException, asyncio.CancelledError):
            raise
        except Exception as error:
            logger.exception("The command %s failed", params.command)
            raise JsonRpcInternalError(str(error)) from error
