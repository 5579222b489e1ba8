"""One request to a server on this machine, in a thread, so that it can be dropped at any moment.

No proxy of the environment is used, no redirect followed and no name looked up.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import AsyncGenerator
from typing import Any

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.engine.language.brief import brief
from datasheet_lsp.engine.language.files import LoopbackServer

CONNECT_SECONDS = 5.0
MOST_BYTES = 1 << 20
"""Of one line of a stream, and of an answer that is no stream."""

_ERROR_BYTES = 4096


class Exchange:
    """A request whose answer comes line by line; ``lines`` may be left early."""

    def __init__(self, server: LoopbackServer, path: str, body: Any = None) -> None:
        self._server = server
        self._path = path
        self._body = None if body is None else json.dumps(body).encode()
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[bytes | EngineError | None] = asyncio.Queue()
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._dropped = False

    async def lines(self, seconds: float) -> AsyncGenerator[bytes, None]:
        """The lines of the answer.

        Raises:
            EngineError: there is no answer, or one that says that it failed.
            TimeoutError: it takes longer than so many seconds (0: there is no limit).
        """
        end = self._loop.time() + seconds
        threading.Thread(target=self._run, daemon=True).start()
        try:
            while True:
                left = max(end - self._loop.time(), 0.0) if seconds else None
                item = await asyncio.wait_for(self._queue.get(), left)
                if item is None:
                    return
                if isinstance(item, EngineError):
                    raise item
                yield item
        finally:
            self._drop()

    async def json(self, seconds: float) -> Any:
        """The whole answer as JSON; None where there is none, for whatever reason."""
        data = bytearray()
        lines = self.lines(seconds)
        try:
            async for line in lines:
                data += line
                if len(data) > MOST_BYTES:
                    return None
            return json.loads(bytes(data))
        except (EngineError, TimeoutError, ValueError):
            return None
        finally:
            await lines.aclose()

    def _drop(self) -> None:
        """Close the connection, whatever the thread waits for."""
        self._dropped = True
        if self._socket is not None:  # the connection forgets its own where the server closes it
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already

    def _run(self) -> None:
        try:
            self._talk()
        except EngineError as error:
            self._put(error)
        except ConnectionRefusedError:
            self._put(EngineError(f"No server answers at {self._server.url}: start it first."))
        except http.client.IncompleteRead:
            url = self._server.url
            self._put(EngineError(f"The server at {url} closed the connection amid the text."))
        except http.client.HTTPException as error:
            url = self._server.url
            self._put(EngineError(f"The server at {url} speaks no HTTP ({type(error).__name__})."))
        except (OSError, ValueError, AttributeError) as error:
            why = brief(error) or type(error).__name__
            self._put(EngineError(f"The server at {self._server.url} failed ({why})."))
        finally:
            if self._connection is not None:
                self._connection.close()

    def _talk(self) -> None:
        server = self._server
        connection = http.client.HTTPConnection(server.host, server.port, timeout=CONNECT_SECONDS)
        self._connection = connection
        connection.connect()
        self._socket = connection.sock
        if self._dropped:
            return
        # An answer may take its time: whoever waits for it drops the connection.
        connection.sock.settimeout(None)
        headers = {"Accept": "text/event-stream, application/json"}
        if self._body is not None:
            headers["Content-Type"] = "application/json"
        connection.request("GET" if self._body is None else "POST", self._path, self._body, headers)
        response = connection.getresponse()
        if response.status != 200:
            raise EngineError(self._refusal(response))
        while line := response.readline(MOST_BYTES + 1):
            if len(line) > MOST_BYTES:
                raise EngineError(f"The server at {server.url} sends lines without an end.")
            if self._dropped:
                return
            self._put(line)
        self._put(None)

    def _refusal(self, response: http.client.HTTPResponse) -> str:
        url = self._server.url
        if 300 <= response.status < 400:
            return f"The server at {url} points elsewhere, which is not followed."
        said = response.read(_ERROR_BYTES).decode("utf-8", "replace")
        try:
            found = json.loads(said)["error"]
            said = str(found["message"] if isinstance(found, dict) else found)
        except (ValueError, KeyError, TypeError):
            pass
        said = brief(said)
        return f"The server at {url} refused ({response.status}{': ' if said else ''}{said})."

    def _put(self, item: bytes | EngineError | None) -> None:
        if self._dropped:
            return
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, item)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more
