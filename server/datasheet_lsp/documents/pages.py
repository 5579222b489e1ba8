"""The pages of a PDF, read in a child process: a page that hangs or crashes costs itself alone."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from datasheet_lsp.documents.page import PageData, PdfInfo
from datasheet_lsp.documents.pdf import frames
from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.troubles import CRASHED, SLOW

PAGE_SECONDS = 10.0
OPEN_SECONDS = 60.0
# Pages that may lie between the child and a slower reader of them.
_AHEAD = 16
# After so many pages in a row that hang or crash, the rest is not tried.
_GIVE_UP = 8
# The child ends itself so much later than the parent would end it. Seconds.
_GRACE = 20.0


class _Ended(Exception):
    """The child ended without being asked to."""


class _Late(Exception):
    """The child did not answer in time."""


class Worker:
    """A child process that reads PDF files, one after the other. A context manager."""

    command: ClassVar[Sequence[str]] = ("-P", "-m", "datasheet_lsp.documents.pdf.worker")

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[bytes | None] = queue.Queue()
        self._stop = threading.Event()
        self._decoder = msgspec.msgpack.Decoder(frames.Answer)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The child's process id, None when there is none."""
        return self._process.pid if self._process else None

    def send(self, message: frames.Open) -> None:
        """Sends a message, to a new child when there is none."""
        for _ in range(2):
            if self._process is None:
                self._start()
            assert self._process is not None and self._process.stdin is not None
            try:
                frames.write(self._process.stdin, message)
                return
            except OSError:  # it ended while nobody asked anything of it
                self.close()
        raise _Ended

    def receive(self, seconds: float) -> frames.Answer:
        """The next answer.

        Raises:
            _Late: There was none within ``seconds``.
            _Ended: There will be none.
        """
        try:
            data = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise _Late from None
        if data is None:
            raise _Ended
        answer: frames.Answer = self._decoder.decode(data)
        return answer

    def close(self) -> None:
        """Ends the child at once, whatever it is doing."""
        self._stop.set()
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            try:
                if stream:
                    stream.close()
            except OSError:  # what was still to be written
                pass

    def _start(self) -> None:
        self._stop = threading.Event()
        self._answers = queue.Queue(_AHEAD)
        self._process = subprocess.Popen(
            [sys.executable, *self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        threading.Thread(
            target=_receive,
            args=(self._process, self._answers, self._stop),
            daemon=True,
        ).start()


def _receive(
    process: subprocess.Popen[bytes], answers: queue.Queue[bytes | None], stop: threading.Event
) -> None:
    assert process.stdout is not None
    data: bytes | None = b""
    while data is not None and not stop.is_set():
        try:
            data = frames.read(process.stdout)
        except (OSError, ValueError):  # closed meanwhile
            data = None
        while not stop.is_set():
            try:
                answers.put(data, timeout=0.5)
                break
            except queue.Full:
                continue


class PageSource:
    """The pages of a PDF in order, read by a child process. A context manager, iterated once.

    Args:
        path: The PDF file.
        password: What it is protected with, if it is.
        timeout: Seconds that one page may take.
        worker: The child to use, which is left running; one of its own otherwise.

    Raises:
        PdfPasswordError: On entering: it wants a password, and none or a wrong one was given.
        PdfError: On entering: it is no PDF or has no pages that can be read.
    """

    def __init__(
        self,
        path: Path,
        password: str | None = None,
        timeout: float = PAGE_SECONDS,
        worker: Worker | None = None,
    ) -> None:
        self._path = path
        self._password = password
        self._timeout = timeout
        self._own = worker is None
        self._worker = worker or Worker()
        self._finished = False
        self._info: PdfInfo | None = None

    @property
    def info(self) -> PdfInfo:
        """What holds for the whole file; ``fonts`` and ``troubles`` grow with the pages."""
        assert self._info is not None, "PageSource is to be entered first"
        return self._info

    def __enter__(self) -> PageSource:
        try:
            self._info = self._open(1)
        except (_Late, _Ended) as e:
            self._worker.close()
            what = "takes too long to open" if isinstance(e, _Late) else "cannot be opened"
            raise PdfError(f"{self._path.name} {what}: the file is damaged; get it again") from e
        except PdfError:
            self._release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def _release(self) -> None:
        # A child in the middle of a file has no ear for the next one.
        if self._own or not self._finished:
            self._worker.close()

    def __iter__(self) -> Iterator[PageData]:
        info = self.info
        number = 1
        failures = 0
        size = (595.0, 842.0)
        while number <= info.pages:
            try:
                answer = self._worker.receive(self._timeout)
            except (_Late, _Ended) as e:
                self._worker.close()
                trouble = SLOW if isinstance(e, _Late) else CRASHED
                failures += 1
                yield PageData(number, "", *size, (), (), (), (), trouble)
                number += 1
                if failures >= _GIVE_UP or not self._reopened(number):
                    break
                continue
            if isinstance(answer, frames.Page):
                failures = 0
                number = answer.data.number + 1
                size = (answer.data.width, answer.data.height)
                info.fonts.extend(answer.fonts)
                yield answer.data
            elif isinstance(answer, frames.Done):
                self._take(answer)
                break
        for left in range(number, info.pages + 1):
            yield PageData(left, "", *size, (), (), (), (), CRASHED)
        self._finish()

    def _finish(self) -> None:
        """Waits for the child to be done with the file."""
        while not self._finished and self._worker.pid is not None:
            try:
                answer = self._worker.receive(self._timeout)
            except (_Late, _Ended):
                self._worker.close()
                return
            if isinstance(answer, frames.Done):
                self._take(answer)

    def _take(self, done: frames.Done) -> None:
        self._finished = True
        known = self.info.troubles
        known.extend(t for t in done.troubles if t not in known)

    def _open(self, first: int) -> PdfInfo:
        known = self._info.fonts if self._info else []
        limit = max(self._timeout, OPEN_SECONDS) + _GRACE
        path = str(self._path.absolute())
        self._worker.send(frames.Open(path, self._password, first, known, limit))
        answer = self._worker.receive(OPEN_SECONDS)
        if isinstance(answer, frames.Opened):
            return answer.info
        self._finished = True
        if isinstance(answer, frames.Refused):
            raise (PdfPasswordError if answer.password else PdfError)(answer.message)
        raise _Ended

    def _reopened(self, first: int) -> bool:
        """Whether a new child goes on from page ``first``."""
        if first > self.info.pages:
            return True
        try:
            self._open(first)
        except (_Late, _Ended, PdfError):
            self._worker.close()
            return False
        return True
