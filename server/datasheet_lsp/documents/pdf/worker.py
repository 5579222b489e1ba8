"""The process that reads PDF files: ``python -m datasheet_lsp.documents.pdf.worker``.

It takes ``Open`` messages from its standard input and answers on what was its standard output;
what a library prints goes nowhere. It ends when its input closes, and, since a page that hangs may
keep every other thread from running, by itself some time after its parent must have noticed.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from datasheet_lsp.documents.pdf import frames
from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.reader import PdfFile

# Cyclic garbage is looked for after so many pages, not after every few hundred new objects.
_COLLECT = 50


def main() -> None:
    """Serves one parent until it closes the child's standard input."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    orders: queue.SimpleQueue[frames.Open] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, orders.put), daemon=True).start()
    gc.disable()
    with os.fdopen(nowhere, "w") as quiet:
        while True:
            try:
                serve(orders.get(), answers, quiet.fileno())
            except OSError:  # the parent is gone
                os._exit(0)


def _listen(stream: BinaryIO, put: Callable[[frames.Open], None]) -> None:
    decoder = msgspec.msgpack.Decoder(frames.Open)
    while (data := frames.read(stream)) is not None:
        put(decoder.decode(data))
    os._exit(0)


def serve(order: frames.Open, answers: BinaryIO, quiet: int) -> None:
    """Reads one file and sends its pages.

    Raises:
        OSError: The answers cannot be sent.
    """
    faulthandler.dump_traceback_later(order.limit, exit=True, file=quiet)
    try:
        pdf = PdfFile(Path(order.path), order.password, order.fonts)
    except PdfError as e:
        faulthandler.cancel_dump_traceback_later()
        frames.write(answers, frames.Refused(str(e), isinstance(e, PdfPasswordError)))
        return
    known = len(pdf.info.fonts)
    with pdf:
        frames.write(answers, frames.Opened(pdf.info))
        for number in range(order.first, pdf.info.pages + 1):
            faulthandler.dump_traceback_later(order.limit, exit=True, file=quiet)
            data = pdf.page(number)
            # Sending may wait for the parent as long as it likes.
            faulthandler.cancel_dump_traceback_later()
            frames.write(answers, frames.Page(data, pdf.info.fonts[known:]))
            known = len(pdf.info.fonts)
            if number % _COLLECT == 0:
                gc.collect()
        frames.write(answers, frames.Done(pdf.info.troubles))
    gc.collect()


if __name__ == "__main__":
    main()
