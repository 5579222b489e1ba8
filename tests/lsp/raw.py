"""A language client that sees every byte: nothing on the server's output may be out of frame."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

SERVE = "from datasheet_lsp.lsp.server import main; main()"
HANG = 60.0
"""Seconds after which an answer is taken to be missing."""


class Unframed(AssertionError):
    """A byte came that belongs to no message."""


class RawClient:
    """A server process and the messages from it."""

    def __init__(self, program: str = SERVE, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
        )
        self.messages: list[dict[str, Any]] = []
        self.stderr = b""
        self.bad: Exception | None = None
        self._queue: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._ids = iter(range(1, 1_000_000))
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        try:
            while True:
                line = stream.readline()
                if not line:
                    break
                name, _, value = line.partition(b":")
                if name != b"Content-Length" or not line.endswith(b"\r\n"):
                    raise Unframed(line + stream.read(200))
                while (header := stream.readline()) != b"\r\n":
                    if not header.startswith(b"Content-Type:"):
                        raise Unframed(header)
                message = json.loads(stream.read(int(value)))
                self.messages.append(message)
                self._queue.put(message)
        except Exception as error:  # told to the test by `check`
            self.bad = error
        self._queue.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr += line

    def check(self) -> None:
        """Fails if a byte was out of frame."""
        if self.bad is not None:
            raise self.bad

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params if params is not None else {}})

    def start(self, method: str, params: Any = None) -> int:
        """Sends a request and returns its id."""
        number = next(self._ids)
        self.send({"id": number, "method": method, "params": params if params is not None else {}})
        return number

    def answer(self, number: int, timeout: float = HANG) -> dict[str, Any]:
        """The whole answer to the request ``number``; the server's own requests are served."""

        def is_answer(message: dict[str, Any]) -> bool:
            return message.get("id") == number and "method" not in message

        earlier = next((m for m in list(self.messages) if is_answer(m)), None)
        return earlier or self.until(is_answer, timeout)

    def request(self, method: str, params: Any = None, timeout: float = HANG) -> Any:
        """The result of a request; fails on an error."""
        answer = self.answer(self.start(method, params), timeout)
        assert "error" not in answer, answer
        return answer["result"]

    def until(self, wanted: Any, timeout: float = HANG) -> dict[str, Any]:
        """The next message for which ``wanted`` is true."""
        end = time.monotonic() + timeout
        while True:
            try:
                message = self._queue.get(timeout=max(0.01, end - time.monotonic()))
            except Empty:
                raise AssertionError(
                    f"nothing came within {timeout} s; stderr: {self.stderr.decode()}"
                ) from None
            if message is None:
                self.check()
                raise AssertionError(f"the server ended; stderr: {self.stderr.decode()}")
            if "method" in message and "id" in message:
                self.serve(message)
            if wanted(message):
                return message

    def serve(self, message: dict[str, Any]) -> None:
        """Answers a request of the server as a simple client does."""
        result: Any = None
        if message["method"] == "workspace/configuration":
            result = [None for _ in message["params"]["items"]]
        self.send({"id": message["id"], "result": result})

    def initialize(
        self, root: Path | None = None, capabilities: dict[str, Any] | None = None, **more: Any
    ) -> dict[str, Any]:
        params: dict[str, Any] = {
            "processId": os.getpid(),
            "rootUri": root.as_uri() if root is not None else None,
            "capabilities": capabilities or {},
            **more,
        }
        result: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized")
        return result

    def open(self, path: Path, text: str | None = None, version: int = 1) -> str:
        """Opens a document, with what is in the file if no ``text`` is given; returns its URI."""
        if text is None:
            text = path.read_bytes().decode()
        item = {"uri": path.as_uri(), "languageId": "c", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def hover(self, uri: str, line: int, character: int) -> Any:
        """The result of a hover at a 0-based position."""
        return self.request(
            "textDocument/hover",
            {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}},
        )

    def finish(self) -> int:
        """Ends the server as a client should; returns its exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.wait()

    def wait(self, timeout: float = HANG) -> int:
        """The exit code, once the process has ended and all of its output was read."""
        code = self.process.wait(timeout)
        for thread in self._threads:
            thread.join(5)
        self.check()
        return code
