"""How an index run is shown: a bar on a terminal, else lines, or events as JSON."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from datasheet_lsp.indexing import events
from datasheet_lsp.render import progress as wording

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_EVERY = 10.0
"""Seconds between two lines about a long document."""


class Show:
    """Shows a run; the base shows nothing. A context manager around the run."""

    def __enter__(self) -> Show:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def __call__(self, event: events.Event) -> None:
        """Takes an event as it comes."""


class ShowJson(Show):
    """Each event as a line of JSON, its kind under ``type``."""

    def __call__(self, event: events.Event) -> None:
        """Prints it at once."""
        from datasheet_lsp.cli.output import print_json

        print_json(event, indent=0)


class ShowLines(Show):
    """A line for each document, and now and then one within a long document."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._missing = ""

    def __call__(self, event: events.Event) -> None:
        """Prints what is worth a line."""
        if isinstance(event, events.PageDone):
            self._say_at_times(wording.page_line(event.path, event.page, event.pages))
        elif isinstance(event, events.ProblemFound):
            self._complain(wording.problem_line(event.path, event.message))
        elif isinstance(event, events.DocumentDone):
            self._say(wording.document_line(**asdict(event)))
        elif isinstance(event, events.FileDropped):
            self._say(wording.dropped_line(event.path))
        elif isinstance(event, events.VectorsProgress):
            left = event.seconds_left
            self._say_at_times(wording.vectors_line(event.done, event.of, event.rate, left))
        elif isinstance(event, events.VectorsFinished):
            line = wording.vectors_done_line(**asdict(event))
            if event.missing:
                self._missing = line
            elif line:
                self._say(line)
        elif isinstance(event, events.QuestionsProgress):
            left = event.seconds_left
            self._say_at_times(wording.questions_line(event.done, event.of, event.rate, left))
        elif isinstance(event, events.QuestionsFinished):
            line = wording.questions_done_line(**asdict(event))
            if line:
                self._say(line)
        elif isinstance(event, events.RunFinished):
            if self._missing and event.indexed:
                self._say(self._missing)
            self._say(wording.summary_line(**asdict(event)))

    def _say_at_times(self, line: str) -> None:
        if time.monotonic() - self._last >= _EVERY:
            self._say(line)

    def _say(self, line: str) -> None:
        print(line, flush=True)
        self._last = time.monotonic()

    def _complain(self, line: str) -> None:
        print(f"datasheet-lsp: {line}", file=sys.stderr, flush=True)


class ShowBar(ShowLines):
    """A bar with documents, pages, rate and the time left; what is done stays above it.

    The bar counts bytes of files, since pages are known only once a file is open.
    """

    def __init__(self) -> None:
        super().__init__()
        self._bar, self._task = _bar()
        self._begin = time.monotonic()
        self._size = 0
        self._before = 0
        self._current = 0
        self._pages = 0
        self._page = 0

    def __enter__(self) -> ShowBar:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def __call__(self, event: events.Event) -> None:
        """Moves the bar, and prints above it what is worth a line."""
        if isinstance(event, events.RunStarted):
            self._bar.update(self._task, total=max(1, event.size))
        elif isinstance(event, events.DocumentStarted):
            self._before += self._current
            self._current = event.size
            self._pages += self._page
            self._page = 0
            self._bar.update(
                self._task,
                completed=self._before,
                description=event.path,
                documents=f"file {event.number:,} of {event.of:,}",
            )
        elif isinstance(event, events.PageDone):
            self._page = event.page
            seconds = time.monotonic() - self._begin
            pages = self._pages + self._page
            self._bar.update(
                self._task,
                completed=self._before + self._current * event.page // max(1, event.pages),
                pages=f"page {event.page:,} of {event.pages:,}",
                rate=wording.rate(pages, seconds),
            )
        elif isinstance(event, events.VectorsProgress):
            self._fill(event, "vectors", "chunks", f"{event.rate:.0f}/s" if event.rate else "")
        elif isinstance(event, events.QuestionsProgress):
            self._fill(event, "questions", "passages", wording.per_minute(event.rate))
        elif isinstance(event, events.RunFinished):
            self._bar.stop()
            super().__call__(event)
        else:
            super().__call__(event)

    def _fill(self, event: events.Filling, what: str, of_what: str, rate: str) -> None:
        self._bar.update(
            self._task,
            total=event.of,
            completed=event.done,
            description=what,
            documents=f"{event.done:,} of {event.of:,} {of_what}",
            pages="",
            rate=rate,
        )

    def _say(self, line: str) -> None:
        self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _complain(self, line: str) -> None:
        self._bar.console.print(
            f"datasheet-lsp: {line}", markup=False, highlight=False, soft_wrap=True, style="yellow"
        )


def _bar() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    progress = Progress(
        TextColumn(
            "{task.description}",
            markup=False,
            table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"),
        ),
        BarColumn(bar_width=20),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[documents]}", markup=False),
        TextColumn("{task.fields[pages]}", markup=False),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(compact=True),
        console=Console(),
        transient=True,
        expand=True,
    )
    task = progress.add_task("looking for documents", total=None, documents="", pages="", rate="")
    return progress, task


def show(as_json: bool) -> Show:
    """The way that fits where the output goes."""
    if as_json:
        return ShowJson()
    return ShowBar() if sys.stdout.isatty() else ShowLines()
