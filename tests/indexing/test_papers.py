"""Manuals as PDF: told page by page, restarted after a kill, flat in memory."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path

import psutil
import pytest

from datasheet_lsp.index import Index
from datasheet_lsp.indexing.client import Indexer
from datasheet_lsp.indexing.events import (
    DocumentDone,
    DocumentStarted,
    Event,
    PageDone,
    RunFinished,
)
from datasheet_lsp.indexing.workspace import run_job
from tests.indexing.papers import manual
from tests.indexing.spaces import Space, rows
from tests.support import shared


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path / "project")
    space.root.mkdir()
    return space


async def killed_after(space: Space, pages: int | None) -> list[Event]:
    """The events of a run in a child that is killed after so many pages, None for not at all."""
    events: list[Event] = []

    def on_event(event: Event) -> None:
        events.append(event)
        if isinstance(event, PageDone) and pages is not None:
            if sum(isinstance(each, PageDone) for each in events) >= pages:
                indexer.kill()

    indexer = Indexer(space.job(), on_event)
    await indexer.run()
    return events


def test_pages_are_told_and_chunks_know_theirs(space: Space) -> None:
    manual(space.root / "rm.pdf", "ACME timers", 12)
    assert space.run().pages == 12
    pages = [event.page for event in space.events if isinstance(event, PageDone)]
    assert pages == list(range(1, 13))
    assert all(event.pages == 12 for event in space.events if isinstance(event, PageDone))
    with Index(space.index) as index:
        (stored,) = index.documents()
        assert (stored.title, stored.pages, stored.state) == ("ACME timers", 12, "indexed")
        for number in range(1, 13):
            found = index.chunks(stored.id, number)
            assert found, f"page {number} has no chunk"
            for each in found:
                assert (each.chunk.first_page, each.chunk.last_page) == (number, number)
                assert f"Page {number} (TIM" in each.chunk.stamp


def test_a_password_is_asked_for_once_and_taken_from_the_settings(space: Space) -> None:
    manual(space.root / "rm.pdf", "ACME timers", 2, password="secret")
    finished = space.run()
    assert (finished.failed, finished.indexed) == (1, 0)
    assert "password" in " ".join(space.problems())
    assert space.run().unchanged == 1 and space.started() == []
    space.write("datasheet.toml", '[documents.password]\n"rm.pdf" = "wrong"\n')
    assert space.run().failed == 1
    space.write("datasheet.toml", '[documents.password]\n"*.pdf" = "secret"\n')
    finished = space.run()
    assert (finished.indexed, finished.failed, finished.pages) == (1, 0, 2)
    assert "secret" not in repr(rows(space.index))


def test_a_cancel_in_the_middle_of_a_document_ends_the_run_at_once(space: Space) -> None:
    manual(space.root / "rm.pdf", "ACME timers", 60)
    pages: list[int] = []

    def on_event(event: Event) -> None:
        if isinstance(event, PageDone):
            pages.append(event.page)

    finished = run_job(space.job(), on_event, lambda: len(pages) >= 3)
    assert finished.cancelled and len(pages) < 10
    with Index(space.index) as index:
        assert index.documents() == []


async def test_kills_in_the_middle_cost_the_document_in_work_alone(
    space: Space, tmp_path: Path
) -> None:
    for number in range(4):
        manual(space.root / f"rm{number}.pdf", f"ACME manual {number}", 10 + 4 * number)
    expected = Space(tmp_path / "other")
    shutil.copytree(space.root, expected.root)
    expected.run()
    read: list[str] = []
    for stop_at in (3, 12, 20, None):
        with Index(space.index) as index:
            kept = {file for stored in index.documents() for file in stored.files}
        events = await killed_after(space, stop_at)
        begun = {event.path for event in events if isinstance(event, DocumentStarted)}
        assert not begun & kept
        read += [e.path for e in events if isinstance(e, DocumentDone) and e.read]
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.stopped == ""
    assert len(read) == len(set(read))
    assert rows(space.index) == rows(expected.index)


async def test_a_killed_child_leaves_no_reader_of_pages_behind(space: Space) -> None:
    manual(space.root / "rm.pdf", "ACME manual", 80)
    pids: list[int] = []

    def on_event(event: Event) -> None:
        if isinstance(event, PageDone) and indexer.pid and not pids:
            pids.extend(child.pid for child in psutil.Process(indexer.pid).children())
            indexer.kill()

    indexer = Indexer(space.job(), on_event)
    await indexer.run()
    assert pids
    end = time.monotonic() + 10
    while time.monotonic() < end:
        left = [pid for pid in pids if psutil.pid_exists(pid)]
        if all(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE for pid in left):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the reader of pages goes on without its parent")


def test_real_manuals_restarted_are_as_undisturbed(space: Space, tmp_path: Path) -> None:
    for name in ("st_pm0075", "invensense_mpu6000_regmap", "bosch_bme280_ds"):
        shutil.copy(shared(f"corpus/pdf/{name}.pdf"), space.root)
    shutil.copy(shared("corpus/hard/broken_ln1132_0pages.pdf"), space.root)
    expected = Space(tmp_path / "other")
    shutil.copytree(space.root, expected.root)
    expected.run()
    assert len(expected.done()) == 3

    asyncio.run(killed_after(space, 6))
    asyncio.run(killed_after(space, 14))
    space.run()
    assert rows(space.index) == rows(expected.index)
    with Index(space.index) as index:
        for stored in index.documents():
            for each in index.chunks(stored.id):
                chunk = each.chunk
                assert chunk.tokens <= 512
                assert 1 <= chunk.first_page <= chunk.last_page <= stored.pages


def test_copies_with_other_hashes_take_as_long_each_and_no_more_memory(space: Space) -> None:
    process = psutil.Process()
    original = manual(space.root / "rm.pdf", "ACME manual", 20).read_bytes()
    space.run()
    times, memory = [], []
    for round_ in range(3):
        for number in range(4):
            content = original + b"\n%% copy %d %d\n" % (round_, number)
            (space.root / f"rm{round_}-{number}.pdf").write_bytes(content)
        begin = time.process_time()
        assert space.run().indexed == 4
        times.append(time.process_time() - begin)
        memory.append(process.memory_info().rss)
    assert times[2] < 2 * times[0] + 0.2
    assert memory[2] - memory[1] < 20 << 20
