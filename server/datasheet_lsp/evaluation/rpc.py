"""A language client of the smallest kind: JSON-RPC over a process's pipes.

For measuring, so without pygls: what is timed is the server alone.
"""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec


class ServerGone(Exception):
    """The server ended or did not answer in time. The text says what its last words were."""


class Client:
    """A running server. Used from one thread; ends the process when left as a context."""

    def __init__(self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=None if env is None else dict(env),
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._to: IO[bytes] = self.process.stdin
        self._number = 0
        self._arrived: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._said: list[bytes] = []
        self._threads = [
            threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(self.process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass

    def request(self, method: str, params: object, *, seconds: float = 30) -> Any:
        """The result of a request. Raises ServerGone, or ValueError where the answer is an error.

        What the server asks meanwhile is answered as by a client that knows nothing.
        """
        self._number += 1
        number = self._number
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        end = time.monotonic() + seconds
        while True:
            try:
                message = self._arrived.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise ServerGone(f"no answer to {method} in {seconds:g} s{self._words()}") from None
            if message is None:
                raise ServerGone(f"the server ended instead of answering {method}{self._words()}")
            if "method" in message:
                if "id" in message:
                    self._answer(message)
            elif message.get("id") == number:
                if "error" in message:
                    raise ValueError(f"{method}: {message['error'].get('message')}")
                return message.get("result")

    def notify(self, method: str, params: object) -> None:
        """Send a notification. Raises ServerGone where the server has ended."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def close_input(self) -> None:
        """Close the server's standard input, as an editor that dies does."""
        self._to.close()

    def _send(self, message: dict[str, Any]) -> None:
        body = msgspec.json.encode(message)
        try:
            self._to.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self._to.flush()
        except (OSError, ValueError):
            raise ServerGone(f"the server has ended{self._words()}") from None

    def _answer(self, message: dict[str, Any]) -> None:
        result: Any = None
        if message["method"] == "workspace/configuration":
            result = [None for _ in message["params"]["items"]]
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _read(self, stream: IO[bytes]) -> None:
        try:
            while line := stream.readline():
                length = None
                while line.strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                    line = stream.readline()
                if length is None:
                    break
                self._arrived.put(msgspec.json.decode(stream.read(length)))
        except ValueError as error:
            self._said.append(f"not framed: {error}".encode())
        self._arrived.put(None)

    def _listen(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._said.append(line)
            del self._said[:-50]

    def _words(self) -> str:
        self._threads[1].join(0.2)
        said = b"".join(self._said).decode("utf-8", "replace").strip()
        return f"; it said: {said.splitlines()[-1]}" if said else ""
