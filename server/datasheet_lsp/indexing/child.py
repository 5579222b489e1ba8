"""The indexer process: ``python -m datasheet_lsp.indexing.child``.

It takes one job from its standard input and tells of it on what was its standard output; what a
library prints goes nowhere. It ends when the job is done, and at once when its input closes: its
parent is gone then, and a run can be ended anywhere without loss.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import BinaryIO

from datasheet_lsp.indexing import frames
from datasheet_lsp.indexing.events import Event, PageDone, ProblemFound, RunFinished
from datasheet_lsp.wire.child import sender, take_over

NICENESS = 10
"""By how much it gives way to the editor and the compiler."""

PAGE_PAUSE = 0.05
"""Seconds between two messages about pages."""


class Sender:
    """Sends events, of the pages only as many as anyone can look at."""

    def __init__(self, stream: BinaryIO) -> None:
        self._send = sender(stream)
        self._last = 0.0

    def __call__(self, event: Event) -> None:
        """Send ``event``; the process ends where nobody takes it."""
        if isinstance(event, PageDone):
            now = time.monotonic()
            if now - self._last < PAGE_PAUSE and event.page < event.pages:
                return
            self._last = now
        self._send(event)


def main() -> None:
    """Do the one job."""
    source, stream = take_over()
    _lower_priority()
    order = frames.read_order(source)
    if not isinstance(order, frames.Start):
        os._exit(0)
    cancel = threading.Event()
    threading.Thread(target=_listen, args=(source, cancel), daemon=True).start()
    send = Sender(stream)

    from datasheet_lsp.indexing.workspace import run_job

    try:
        run_job(order.job, send, cancel.is_set)
    except Exception as error:
        why = f"The indexing failed: {type(error).__name__}: {error}"
        send(ProblemFound("", why))
        send(RunFinished(stopped=why))
    stream.close()
    # The listening thread waits for input: without this the interpreter would wait for it.
    os._exit(0)


def _listen(stream: BinaryIO, cancel: threading.Event) -> None:
    while frames.read_order(stream) is not None:
        cancel.set()
    os._exit(0)


def _lower_priority() -> None:
    try:
        if sys.platform == "win32":
            import ctypes

            below_normal = 0x4000
            kernel = ctypes.windll.kernel32
            kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)
        else:
            os.nice(NICENESS)
    except (OSError, AttributeError):
        pass


if __name__ == "__main__":
    main()
