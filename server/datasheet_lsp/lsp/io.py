"""The stream to the client: framing, and threads that keep the event loop from ever blocking.

Reading and writing happen in daemon threads of their own, so a client that sends nothing, or does
not read what it is sent, holds up neither a request nor the exit.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO

MAX_HEADER = 8 * 1024
"""Bytes of one header line at most."""

MAX_BODY = 1 << 28
"""Bytes of one message at most (256 MiB)."""

_HEADER = re.compile(rb"([A-Za-z-]+):[ \t]*(.*?)[ \t]*\r?\n")


class FrameError(Exception):
    """The stream is not that of a language client. ``str()`` is one sentence."""


def read_frame(stream: BinaryIO) -> bytes | None:
    """The body of the next message, None at the end of the stream.

    Raises FrameError where a line is no header: a browser's request to the port, for example, is
    turned away at its first line rather than skipped until something looks like a message.
    """
    length: int | None = None
    while True:
        line = stream.readline(MAX_HEADER)
        if not line:
            return None
        if line in (b"\r\n", b"\n"):
            if length is None:
                raise FrameError("A message without Content-Length was received.")
            break
        header = _HEADER.fullmatch(line)
        if header is None:
            raise FrameError(f"Not a header of the protocol: {line[:40]!r}.")
        if header[1].lower() == b"content-length":
            if not header[2].isdigit() or int(header[2]) > MAX_BODY:
                raise FrameError(f"Not a usable Content-Length: {header[2][:40]!r}.")
            length = int(header[2])
    parts = []
    while length:
        part = stream.read(length)
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


class Reader:
    """Reads messages in a thread and hands each to ``on_message``, the end to ``on_end``.

    Both are called in the reader's thread. ``on_end`` gets "" at the end of the stream, else one
    sentence that says what is wrong with it.
    """

    def __init__(
        self, stream: BinaryIO, on_message: Callable[[bytes], None], on_end: Callable[[str], None]
    ) -> None:
        self._stream = stream
        self._on_message = on_message
        self._on_end = on_end
        self._thread = threading.Thread(target=self._run, name="client-reader", daemon=True)

    def start(self) -> None:
        """Starts reading."""
        self._thread.start()

    def _run(self) -> None:
        reason = ""
        try:
            while (body := read_frame(self._stream)) is not None:
                self._on_message(body)
        except FrameError as error:
            reason = str(error)
        except (OSError, ValueError):
            pass
        self._on_end(reason)


class Writer:
    """Writes in a thread what ``write`` is given, in order; ``write`` itself never blocks."""

    def __init__(self, stream: BinaryIO, on_lost: Callable[[], None]) -> None:
        self._stream = stream
        self._on_lost = on_lost
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="client-writer", daemon=True)

    def start(self) -> None:
        """Starts writing."""
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queues ``data``, one whole framed message."""
        self._queue.put(data)

    def close(self, timeout: float = 0.5) -> None:
        """Ends writing once all is written, or after ``timeout`` seconds with what is left."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        try:
            while (data := self._queue.get()) is not None:
                self._stream.write(data)
                self._stream.flush()
        except (OSError, ValueError):
            self._on_lost()


def take_stdio() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for the protocol alone; returns both as private streams.

    What else writes to standard output, be it ``print`` or a native library on descriptor 1,
    lands in standard error, and nothing else can read from the client.
    """
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(incoming, os.O_BINARY)
        msvcrt.setmode(outgoing, os.O_BINARY)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
