"""The other end: what a child process does with its streams, and what it tells of itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from datasheet_lsp import wire


def take_over() -> tuple[BinaryIO, BinaryIO]:
    """What was standard input and output; what a library reads or prints goes nowhere now."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    source = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (sys.stdin, sys.stdout, sys.stderr):
        os.dup2(nowhere, standard.fileno())
    return source, stream


def sender(stream: BinaryIO) -> Callable[[msgspec.Struct], None]:
    """A function that sends a message to the parent; the process ends where nobody takes it."""

    def send(message: msgspec.Struct) -> None:
        try:
            stream.write(wire.encode(message))
            stream.flush()
        except OSError:
            os._exit(0)

    return send


def memory() -> int:
    """The most memory this process has had so far, in bytes; 0 where that is not told."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
