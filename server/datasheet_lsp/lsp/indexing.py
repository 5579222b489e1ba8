"""Documents brought into the index in the background: when, with what progress, and its end.

The reading itself is done by a process of its own, one at a time. What it tells is taken in here
as it comes; nothing is read from files on the event loop.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from datasheet_lsp.lsp.client import plain
from datasheet_lsp.lsp.progress import Token

if TYPE_CHECKING:
    from datasheet_lsp.indexing import events
    from datasheet_lsp.indexing.client import Indexer
    from datasheet_lsp.indexing.events import Event, RunFinished
    from datasheet_lsp.lsp.language_server import DatasheetServer
    from datasheet_lsp.lsp.project import Project

QUIET_SECONDS = 1.0
"""How long after a load documents are looked at: the first hovers come before."""

REPORT_SECONDS = 0.25
"""How often progress is told, and an end that the user asks for is noticed."""


class Reading:
    """How far one run is, by what it tells."""

    def __init__(self) -> None:
        self.to_do = asyncio.Event()
        """Set once it is known that something is to be read."""
        self.message = ""
        self.problems: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.started = False
        self.finished: RunFinished | None = None
        self.vectors: events.VectorsProgress | None = None
        """How far the vectors are, once all documents are read."""
        self.vectors_finished: events.VectorsFinished | None = None
        self.questions: events.QuestionsProgress | None = None
        """How far the questions of the language model are, once the vectors stand."""
        self._size = 0
        self._before = 0
        self._current = 0
        self._share = 0.0

    @property
    def percentage(self) -> int:
        """What part of the bytes of all files is read; then of chunks with vector or questions."""
        late = self.questions or self.vectors
        if late is not None:
            return int(100 * late.done / max(1, late.of))
        done = self._before + self._current * self._share
        return int(100 * done / self._size) if self._size else 0

    def take(self, event: Event) -> None:
        """An event of the run."""
        from datasheet_lsp.indexing import events
        from datasheet_lsp.render import progress

        if isinstance(event, events.RunStarted):
            self.started = True
            self._size = event.size
            if event.to_do:
                self.to_do.set()
        elif isinstance(event, events.DocumentStarted):
            self._before += self._current
            self._current, self._share = event.size, 0.0
            self.message = f"{event.path} ({event.number:,} of {event.of:,})"
        elif isinstance(event, events.PageDone):
            self._share = event.page / max(1, event.pages)
            self.message = progress.page_line(event.path, event.page, event.pages)
        elif isinstance(event, events.DocumentDone):
            self.lines.append(progress.document_line(**asdict(event)))
        elif isinstance(event, events.FileDropped):
            self.lines.append(progress.dropped_line(event.path))
        elif isinstance(event, events.ProblemFound):
            self.problems.append((event.path, event.message))
        elif isinstance(event, events.VectorsProgress):
            self.vectors = event
            left = event.seconds_left
            self.message = progress.vectors_line(event.done, event.of, event.rate, left)
            self.to_do.set()
        elif isinstance(event, events.VectorsFinished):
            self.vectors_finished = event
        elif isinstance(event, events.QuestionsProgress):
            self.questions = event
            left = event.seconds_left
            self.message = progress.questions_line(event.done, event.of, event.rate, left)
            self.to_do.set()
        elif isinstance(event, events.RunFinished):
            self.finished = event


class Course:
    """What goes on for one project."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.indexer: Indexer | None = None
        self.reading = Reading()
        self.again: bool | None = None
        """Whether the next run is to read everything anew; None where none is asked for."""
        self.cancelled = False
        """The user wanted no more of it: nothing goes on by itself until he asks for it."""
        self.stamps: dict[Path, str] = {}

    @property
    def running(self) -> bool:
        """Whether documents are being read or are about to be."""
        return self.task is not None and not self.task.done()


class Indexing:
    """The index runs of a server, one at a time."""

    def __init__(self, ls: DatasheetServer) -> None:
        self._ls = ls
        self._courses: dict[str, Course] = {}
        self._one = asyncio.Lock()
        self._closed = False
        self._told = ""

    def course(self, project: Project) -> Course:
        """How far a project is."""
        return self._courses.setdefault(project.key, Course())

    def soon(self, project: Project) -> None:
        """Looks for new and changed documents in the background, if that is wanted there."""
        session = project.session
        if session is None or session.index_path is None or self.course(project).cancelled:
            return
        if self._closed:
            return
        # A folder without a device that nobody ever indexed may hold papers about anything.
        known = bool(session.contexts) or session.index_path.is_file()
        if known and session.settings.index.automatic:
            self._start(project, False, QUIET_SECONDS)

    async def now(self, project: Project, again: bool) -> None:
        """Brings the index of a project up to date and waits for it; ``again`` reads all anew.

        Where the caller is cancelled the run ends too.
        """
        course = self.course(project)
        course.cancelled = False
        session = project.session
        if session is None or session.index_path is None:
            return
        task = self._start(project, again, 0)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            await self._cancel(course)
            raise

    def drop(self, project: Project) -> None:
        """Ends what goes on for a project that is gone."""
        course = self._courses.pop(project.key, None)
        if course is not None and course.task is not None:
            course.task.cancel()

    def kill(self) -> None:
        """Ends the child process at once, for good; what it finished is in the index."""
        self._closed = True
        for course in self._courses.values():
            course.again = None
            if course.indexer is not None:
                course.indexer.kill()

    async def look(self, project: Project) -> None:
        """Starts a run where a document is another than at the last one. Looks at files."""
        stamps = self.course(project).stamps
        changed = await asyncio.to_thread(_changed, stamps) if stamps else False
        if changed:
            self.soon(project)

    def _start(self, project: Project, again: bool, delay: float) -> asyncio.Task[None]:
        """The task that does the run; one that goes on already does another after it."""
        course = self.course(project)
        course.again = bool(course.again) or again
        if course.task is None or course.task.done():
            course.task = self._ls.tasks.start(
                self._work(project, course, delay), f"index {project.key}"
            )
        elif course.reading.vectors is not None and course.indexer is not None:
            # Documents go before vectors, which go on where they were.
            self._ls.tasks.start(course.indexer.cancel(), f"documents first in {project.key}")
        return course.task

    async def _work(self, project: Project, course: Course, delay: float) -> None:
        await asyncio.sleep(delay)
        while course.again is not None:
            async with self._one:
                again, course.again = course.again, None
                session = project.session
                if again is None or session is None or session.index_path is None or self._closed:
                    return
                await self._run(project, course, again)

    async def _run(self, project: Project, course: Course, again: bool) -> None:
        from datasheet_lsp.indexing.client import Indexer
        from datasheet_lsp.indexing.job import Job

        session = project.session
        assert session is not None and session.index_path is not None
        job = Job(
            root=str(project.root),
            index=str(session.index_path),
            options=plain(session.options) or None,
            again=again,
        )
        reading = course.reading = Reading()
        course.indexer = Indexer(job, reading.take)
        work = asyncio.ensure_future(course.indexer.run())
        try:
            token = await self._token(project, reading, work)
            if reading.vectors is None:
                token = await self._follow(project, course, token, work)
            if reading.vectors is not None and not work.done():
                await self._take_in(project, course)
                token = await self._follow(project, course, token, work)
            await work
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            course.indexer = None
        if self._closed:
            return
        await self._take_in(project, course)
        summary = self._tell(project, reading)
        if token is not None:
            token.end(summary)

    async def _take_in(self, project: Project, course: Course) -> None:
        """Has hovers know the documents that are indexed, and changes of them be seen."""
        session = project.session
        if session is None or session.index_path is None:
            return
        await asyncio.to_thread(session.read_places)
        course.stamps = await asyncio.to_thread(_stamps, project.root, session.index_path)
        finished = course.reading.finished
        project.indexed = finished is not None and not finished.stopped

    async def _token(
        self, project: Project, reading: Reading, work: asyncio.Future[RunFinished]
    ) -> Token | None:
        """The progress to tell, None where there is nothing to read or the client shows none."""
        started = asyncio.ensure_future(reading.to_do.wait())
        waited: set[asyncio.Future[Any]] = {started, work}
        await asyncio.wait(waited, return_when="FIRST_COMPLETED")
        started.cancel()
        if work.done():
            return None
        token = await Token.create(self._ls, work)
        if token is not None:
            what = "Indexing the documents" if reading.vectors is None else "Vectors for the search"
            token.begin(f"{what} of {project.root.name}", can_cancel=True)
        return token

    async def _follow(
        self,
        project: Project,
        course: Course,
        token: Token | None,
        work: asyncio.Future[RunFinished],
    ) -> Token | None:
        """Tell how far it is, up to the end or to the vectors; the token to go on with.

        A percentage must not fall, so the vectors have a token of their own.
        """
        told = ("", -1)
        reading = course.reading
        begun = reading.vectors is not None
        while not work.done():
            if not begun and reading.vectors is not None:
                if token is not None:
                    token.end("All documents can be searched by words.")
                return await self._token(project, reading, work)
            await asyncio.wait([work], timeout=REPORT_SECONDS)
            if token is None:
                continue
            if token.cancelled and not course.cancelled:
                await self._cancel(course)
            state = (reading.message, reading.percentage)
            if state != told and not work.done() and begun == (reading.vectors is not None):
                token.report(*state)
                told = state
        return token

    async def _cancel(self, course: Course) -> None:
        course.cancelled = True
        course.again = None
        if course.indexer is not None:
            await course.indexer.cancel()

    def _tell(self, project: Project, reading: Reading) -> str:
        """Logs what came of a run and shows new problems once; returns one line about it."""
        from datasheet_lsp.render import progress

        finished = reading.finished
        if finished is None:
            return "ended"
        summary = progress.summary_line(**asdict(finished))
        for line in reading.lines:
            self._ls.log(f"{project.root}: {line}")
        vectors = reading.vectors_finished
        line = progress.vectors_done_line(**asdict(vectors)) if vectors is not None else ""
        if line and not (vectors is not None and vectors.missing and line == self._told):
            self._ls.log(f"{project.root}: {line}")
            self._told = line
        if reading.lines or reading.problems or finished.cancelled:
            self._ls.log(f"{project.root}: {summary}")
        problems = [progress.problem_line(path, message) for path, message in reading.problems]
        if reading.started:
            self._ls.show_problems(problems)
        else:
            # Another process is at it, or there is no index, which was said at the load.
            for line in problems:
                self._ls.log(line)
        return summary


def _stamps(root: Path, index_path: Path) -> dict[Path, str]:
    """The files of the index with what tells whether they change. For a thread."""
    from datasheet_lsp.index import Index
    from datasheet_lsp.indexing.find import path_of
    from datasheet_lsp.indexing.run import SVD, stamp_of

    if not index_path.is_file():
        return {}
    with Index(index_path) as index:
        paths = [
            path_of(file.path, root)
            for file in index.known_files()
            if not file.suffix.startswith(SVD)  # the devices are looked after elsewhere
        ]
    return {path: (stamp_of(path) or (0, ""))[1] for path in paths}


def _changed(stamps: dict[Path, str]) -> bool:
    from datasheet_lsp.indexing.run import stamp_of

    return any((stamp_of(path) or (0, ""))[1] != stamp for path, stamp in stamps.items())
