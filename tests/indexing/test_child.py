"""The indexer process: it tells what it does, can be ended anywhere, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from datasheet_lsp.index import Index
from datasheet_lsp.indexing.child import NICENESS
from datasheet_lsp.indexing.client import Indexer
from datasheet_lsp.indexing.events import (
    DocumentDone,
    DocumentStarted,
    Event,
    ProblemFound,
    RunFinished,
    RunStarted,
)
from datasheet_lsp.indexing.job import Job
from tests.indexing.spaces import Space, rows


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path / "project")
    space.root.mkdir()
    return space


def fill(space: Space, count: int = 12) -> None:
    space.svd()
    for number in range(count):
        space.note(f"docs/{number:02}.md", f"Note {number}", 2_000 + 150 * number)


async def test_the_events_of_a_run_come_in_order(space: Space) -> None:
    fill(space, 3)
    events: list[Event] = []
    finished = await Indexer(space.job(), events.append).run()
    assert events[-1] is finished and finished.indexed == 4
    assert isinstance(events[0], RunStarted)
    kinds = [type(event) for event in events if not isinstance(event, RunStarted | RunFinished)]
    assert kinds == [DocumentDone, *[DocumentStarted, DocumentDone] * 3]


async def test_the_child_gives_way_to_other_work(space: Space) -> None:
    fill(space, 6)
    nice: list[int] = []

    def on_event(event: Event) -> None:
        if isinstance(event, DocumentStarted) and indexer.pid:
            nice.append(psutil.Process(indexer.pid).nice())

    indexer = Indexer(space.job(), on_event)
    await indexer.run()
    if os.name != "nt":
        assert set(nice) == {os.nice(0) + NICENESS}


async def test_a_cancelled_run_ends_and_says_so(space: Space) -> None:
    fill(space)
    events: list[Event] = []
    indexer = Indexer(space.job(), events.append)
    run = asyncio.create_task(indexer.run())
    while not any(isinstance(event, DocumentDone) for event in events):
        await asyncio.sleep(0.01)
    begin = time.monotonic()
    await indexer.cancel()
    finished = await run
    assert time.monotonic() - begin < 5
    assert finished.cancelled and 0 < finished.indexed < 13
    assert indexer.pid is None


async def test_a_run_that_does_not_end_when_cancelled_is_ended(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(space)
    events: list[Event] = []
    indexer = Indexer(space.job(), events.append)
    monkeypatch.setattr("datasheet_lsp.indexing.client.CANCEL_SECONDS", 0.0)
    run = asyncio.create_task(indexer.run())
    while not any(isinstance(event, DocumentStarted) for event in events):
        await asyncio.sleep(0.001)
    await indexer.cancel()
    assert (await run).cancelled and indexer.pid is None
    assert not any(isinstance(event, ProblemFound) for event in events)


async def test_giving_up_the_coroutine_ends_the_child(space: Space) -> None:
    fill(space)
    events: list[Event] = []
    indexer = Indexer(space.job(), events.append)
    run = asyncio.create_task(indexer.run())
    while not events:
        await asyncio.sleep(0.01)
    pid = indexer.pid
    assert pid is not None
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=5)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


async def test_a_child_that_is_killed_is_told_and_the_next_run_goes_on(space: Space) -> None:
    fill(space)
    events: list[Event] = []

    def on_event(event: Event) -> None:
        events.append(event)
        if isinstance(event, DocumentStarted) and event.number == 3:
            indexer.kill()

    indexer = Indexer(space.job(), on_event)
    finished = await indexer.run()
    assert "ended by itself" in finished.stopped
    assert any(isinstance(event, ProblemFound) and event.path == "" for event in events)
    assert space.run().indexed >= 9


async def test_what_goes_wrong_inside_is_told(space: Space) -> None:
    events: list[Event] = []
    finished = await Indexer(Job(str(space.root), "\0"), events.append).run()
    assert finished.stopped and isinstance(events[-1], RunFinished)


PARENT = """
import asyncio, sys
from datasheet_lsp.indexing.client import Indexer
from datasheet_lsp.indexing.job import Job
def tell(event):
    print(indexer.pid, type(event).__name__, flush=True)
indexer = Indexer(Job(sys.argv[1], sys.argv[2]), tell)
asyncio.run(indexer.run())
"""


def test_the_child_ends_with_its_parent_however_that_ends(space: Space) -> None:
    fill(space, 30)
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(space.root), str(space.index)], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline().split()[0])
    child = psutil.Process(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    gone, alive = psutil.wait_procs([child], timeout=5)
    assert not alive or alive[0].status() == psutil.STATUS_ZOMBIE
    parent.stdout.close()


async def test_kills_at_any_moment_leave_what_an_undisturbed_run_leaves(
    space: Space, tmp_path: Path
) -> None:
    fill(space, 6)
    expected = Space(tmp_path / "other")
    expected.root.mkdir()
    fill(expected, 6)
    expected.run()
    read: list[str] = []
    started: list[str] = []
    kept: set[str] = set()
    for attempt in range(30):
        events: list[Event] = []
        indexer = Indexer(space.job(), events.append)
        run = asyncio.create_task(indexer.run())
        while not run.done() and not any(isinstance(e, DocumentStarted) for e in events):
            await asyncio.sleep(0.002)
        await asyncio.wait([run], timeout=0.002 * (attempt % 12))
        indexer.kill()
        finished = await run
        begun = [event.path for event in events if isinstance(event, DocumentStarted)]
        assert not set(begun) & kept, "what stood in the index was begun again"
        started += begun
        read += [e.path for e in events if isinstance(e, DocumentDone) and e.read]
        with Index(space.index) as index:
            kept = {file for stored in index.documents() for file in stored.files}
        assert set(read) <= kept
        if not finished.stopped:
            break
    assert not space.run().stopped
    assert len(read) == len(set(read)), "a document was read twice"
    assert rows(space.index) == rows(expected.index)
