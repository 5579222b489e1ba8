"""A run does what is new, nothing twice, and loses nothing that stood."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from datasheet_lsp.index import Index
from datasheet_lsp.index.lock import FileLock
from datasheet_lsp.indexing.events import DocumentDone, DocumentStarted, Event, RunStarted
from datasheet_lsp.indexing.run import index_paths
from datasheet_lsp.indexing.workspace import run_job
from datasheet_lsp.workspace.settings import DocumentsSettings
from tests.index.test_store import as_nobody
from tests.index.words import keyword_hits
from tests.indexing.spaces import Space, note, rows


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path / "project")
    space.root.mkdir()
    return space


def test_devices_and_documents_are_indexed_and_found(space: Space) -> None:
    space.svd()
    space.note("docs/errata.md", "Errata of the STM32F407")
    finished = space.run()
    assert (finished.indexed, finished.failed, finished.stopped) == (2, 0, "")
    assert space.done() == ["STM32F407.svd", "docs/errata.md"]
    with Index(space.index) as index:
        svd, errata = index.documents()
        assert (svd.format, errata.format) == ("svd", "md")
        assert [each.device for each in errata.devices] == ["STM32F407"]
        hits = keyword_hits(index, "USART_BRR", "STM32F407")
        assert {hit.document for hit in hits} == {svd.id, errata.id}


def test_a_second_run_touches_nothing(space: Space) -> None:
    space.svd()
    space.note("docs/errata.md", "Errata of the STM32F407")
    space.run()
    before = rows(space.index)
    state = space.index.stat()
    finished = space.run()
    assert (finished.indexed, finished.unchanged) == (0, 2)
    assert space.started() == [] and rows(space.index) == before
    assert space.index.stat().st_mtime_ns == state.st_mtime_ns


def test_a_file_with_new_times_and_old_content_is_not_read_again(space: Space) -> None:
    path = space.note("docs/errata.md", "Errata")
    space.run()
    before = rows(space.index)
    os.utime(path, (1, 1))
    finished = space.run()
    assert (finished.indexed, finished.unchanged) == (0, 1)
    assert space.started() == ["docs/errata.md"] and space.done() == []
    assert rows(space.index) == before
    space.run()
    assert space.started() == []


def test_a_changed_file_is_replaced(space: Space) -> None:
    space.note("docs/errata.md", "Old errata")
    space.note("docs/other.md", "Other")
    space.run()
    space.note("docs/errata.md", "New errata")
    finished = space.run()
    assert space.done() == ["docs/errata.md"] and finished.unchanged == 1
    with Index(space.index) as index:
        assert sorted(each.title for each in index.documents()) == ["New errata", "Other"]
        assert keyword_hits(index, "old") == []


def test_a_removed_file_is_dropped(space: Space) -> None:
    space.note("docs/errata.md", "Errata")
    path = space.note("docs/other.md", "Other")
    space.run()
    path.unlink()
    finished = space.run()
    assert space.dropped() == ["docs/other.md"] and finished.dropped == 1
    with Index(space.index) as index:
        assert [each.title for each in index.documents()] == ["Errata"]


def test_a_moved_file_is_not_read_again(space: Space) -> None:
    path = space.note("docs/errata.md", "Errata")
    space.run()
    (space.root / "manuals").mkdir()
    path.rename(space.root / "manuals" / "errata.md")
    finished = space.run()
    assert space.done() == [] and (finished.indexed, finished.dropped) == (0, 1)
    with Index(space.index) as index:
        (stored,) = index.documents()
        assert stored.files == ("manuals/errata.md",)


def test_copies_are_one_document(space: Space) -> None:
    space.note("docs/a.md", "Errata")
    space.note("docs/b.md", "Errata")
    finished = space.run()
    assert finished.indexed == 1
    with Index(space.index) as index:
        (stored,) = index.documents()
        assert stored.files == ("docs/a.md", "docs/b.md")


def test_other_chunk_settings_make_it_new(space: Space) -> None:
    space.note("docs/errata.md", "Errata", 900)
    space.run()
    space.write("datasheet.toml", "[documents]\nchunk_max = 128\nchunk_min = 64\n")
    finished = space.run()
    assert finished.indexed == 1
    with Index(space.index) as index:
        (stored,) = index.documents()
        assert max(each.chunk.tokens for each in index.chunks(stored.id)) <= 128


def test_another_svd_makes_the_manuals_new_since_their_names_were_matched(space: Space) -> None:
    path = space.svd()
    space.note("docs/errata.md", "Errata")
    space.run()
    path.write_text(path.read_text().replace("BRR", "BRR2"))
    assert space.run().indexed == 2
    with Index(space.index) as index:
        assert len(index.documents()) == 2
        assert keyword_hits(index, "BRR2", "STM32F407")[0].document != 1


def test_again_reads_everything(space: Space) -> None:
    space.svd()
    space.note("docs/errata.md", "Errata")
    space.run()
    before = rows(space.index)
    finished = space.run(again=True)
    assert (finished.indexed, finished.unchanged) == (2, 0)
    assert len(rows(space.index)["chunks"]) == len(before["chunks"])


def test_a_file_that_cannot_be_read_is_told_and_kept_as_failed(space: Space) -> None:
    space.note("docs/errata.md", "Errata")
    space.write("docs/broken.docx", b"this is no zip")
    finished = space.run()
    assert (finished.indexed, finished.failed) == (1, 1)
    assert any("broken.docx" in problem for problem in space.problems())
    with Index(space.index) as index:
        (failed,) = [each for each in index.documents() if each.state == "failed"]
        assert failed.files == ("docs/broken.docx",) and "broken.docx" in failed.problem
    # Not tried again as long as nothing changes.
    assert space.run().unchanged == 2 and space.started() == []


def test_a_given_file_stays_though_no_search_finds_it(space: Space, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere" / "notes.txt"
    outside.parent.mkdir()
    outside.write_text("Some notes about USART2.")
    space.note("docs/errata.md", "Errata")
    space.run(paths=(str(outside),))
    assert sorted(space.done()) == sorted([outside.as_posix(), "docs/errata.md"])
    finished = space.run()
    assert (finished.unchanged, finished.dropped) == (2, 0)
    outside.unlink()
    assert space.run().dropped == 1


def test_a_given_file_goes_when_the_settings_leave_it_out(space: Space) -> None:
    given = space.write("free.txt", "Free text.")
    space.run(paths=(str(given),))
    assert space.run().unchanged == 1
    space.write("datasheet.toml", '[documents]\nexclude = ["free.txt"]\n')
    assert space.run().dropped == 1
    # Given once more, it is taken: the last word counts.
    assert space.run(paths=(str(given),)).indexed == 1


def test_a_manual_of_another_chip_is_found_and_marked(space: Space) -> None:
    space.svd("LPC82x")
    space.note("docs/um.md", "LPC81x user manual")
    space.run()
    with Index(space.index) as index:
        _, other = index.documents()
        assert other.devices == () and "LPC81x" in other.undecided
        assert {hit.document for hit in keyword_hits(index, "USART_BRR", "LPC82x")} == {1}
    space.write("datasheet.toml", '[documents.devices]\nLPC82x = ["docs/um.md"]\n')
    space.run()
    with Index(space.index) as index:
        hits = keyword_hits(index, "USART_BRR", "LPC82x")
        assert len({hit.document for hit in hits}) == 2


def test_a_given_folder_gives_its_documents(space: Space, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text(note("A"))
    (folder / "deep" / "b.txt").write_text("Text of b.")
    (folder / "c.bin").write_bytes(b"\0")
    space.run(paths=(str(folder), str(tmp_path / "missing")))
    assert [Path(path).name for path in space.done()] == ["b.txt", "a.md"]
    assert any("missing" in problem for problem in space.problems())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no folders that are closed by their mode")
def test_without_the_folder_being_readable_nothing_is_dropped() -> None:
    # pytest's own folder is private, and root can read everything.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        space = Space(Path(folder) / "project")
        space.note("docs/errata.md", "Errata")
        space.note("docs/deep/manual.md", "Manual")
        space.run()
        for parent, _, names in os.walk(folder):
            os.chmod(parent, 0o777)
            for name in names:
                os.chmod(os.path.join(parent, name), 0o666)
        closed = space.root / "docs" / "deep"
        closed.chmod(0o000)

        def work() -> None:
            finished = space.run()
            assert (finished.dropped, finished.stopped) == (0, ""), space.events

        as_nobody(work)
        closed.chmod(0o755)
        with Index(space.index) as index:
            assert len(index.documents()) == 2


def test_small_documents_come_first(space: Space) -> None:
    space.note("docs/a.md", "A", 900)
    space.note("docs/b.md", "B", 30)
    space.run()
    assert space.started() == ["docs/b.md", "docs/a.md"]
    begun = next(event for event in space.events if isinstance(event, RunStarted))
    assert begun.files == 2 and begun.to_do == 2
    sizes = [event.size for event in space.events if isinstance(event, DocumentStarted)]
    assert begun.size == sum(sizes)


def test_a_cancelled_run_keeps_what_is_finished_and_the_next_goes_on(space: Space) -> None:
    for number in range(6):
        space.note(f"docs/{number}.md", f"Note {number}")
    done: list[str] = []

    def on_event(event: Event) -> None:
        if isinstance(event, DocumentDone):
            done.append(event.path)

    finished = run_job(space.job(), on_event, lambda: len(done) >= 2)
    assert finished.cancelled and finished.indexed == 2
    finished = space.run()
    assert finished.indexed == 4 and not set(space.done()) & set(done)


def test_two_runs_in_one_folder_are_one_at_a_time(space: Space) -> None:
    space.note("docs/errata.md", "Errata")
    space.index.parent.mkdir()
    with FileLock(space.index.parent / "indexing.lock", 1):
        finished = space.run()
    assert finished.stopped == "Another process is indexing this folder."
    assert space.run().indexed == 1


def test_an_index_that_takes_nothing_ends_the_run_with_a_reason(space: Space) -> None:
    space.note("docs/errata.md", "Errata")
    space.write(".datasheet", "in the way")
    finished = space.run()
    assert finished.indexed == 0 and ".datasheet/index.sqlite" in finished.stopped
    assert space.problems() == [finished.stopped]


@pytest.mark.skipif(
    os.name == "nt", reason="the full disk is made by a limit of file sizes, which Windows has not"
)
def test_a_full_disk_ends_the_run_and_the_next_one_goes_on(space: Space) -> None:
    for number in range(4):
        space.note(f"docs/{number}.md", f"Note {number}", 300 + number)
    space.note("docs/z.md", "Long", 60_000)
    expected = Space(space.root.parent / "other")
    expected.root.mkdir()
    (space.root / "docs").rename(expected.root / "docs")
    expected.run()
    (expected.root / "docs").rename(space.root / "docs")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            import resource

            # Room for the notes, which take a tenth of the long one, and not for that.
            limit = expected.index.stat().st_size * 2 // 3
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            finished = space.run()
            assert finished.indexed == 4, finished
            assert "could not be written" in finished.stopped, finished
            code = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finished = space.run()
    assert (finished.indexed, finished.unchanged, finished.stopped) == (1, 4, "")
    assert rows(space.index) == rows(expected.index)


def test_a_file_that_changes_while_it_is_read_is_left_for_the_next_run(space: Space) -> None:
    path = space.note("docs/errata.md", "Errata")
    space.note("docs/other.md", "Other", 300)

    def on_event(event: Event) -> None:
        space.events.append(event)
        if isinstance(event, DocumentStarted) and event.path == "docs/errata.md":
            path.write_text(path.read_text() + "\nMore.\n")

    run_job(space.job(), on_event)
    # It was changed before it was read: either it is left, or it is what it became.
    space.run()
    with Index(space.index) as index:
        (stored,) = [each for each in index.documents() if each.files == ("docs/errata.md",)]
        assert any("More." in each.chunk.text for each in index.chunks(stored.id))


def test_the_tokenizer_that_cannot_be_had_is_told(space: Space) -> None:
    space.write("datasheet.toml", '[documents]\ntokenizer = "nowhere"\n')
    space.note("docs/errata.md", "Errata")
    assert space.run().indexed == 1
    assert any("Tokens are estimated" in problem for problem in space.problems())


def test_index_paths_leaves_all_else(space: Space) -> None:
    space.note("docs/errata.md", "Errata")
    space.run()
    other = space.write("free.txt", "Free text.")
    with Index(space.index) as index:
        finished = index_paths([other], index, [], DocumentsSettings(), root=space.root)
        assert (finished.indexed, finished.dropped) == (1, 0)
        assert len(index.documents()) == 2


def test_memory_and_time_grow_with_the_documents_alone(space: Space) -> None:
    process = psutil.Process()
    for number in range(4):
        space.note(f"docs/{number}.md", f"Warm {number}", 4_000)
    space.run()
    times = []
    memory = []
    for round_ in range(3):
        for number in range(12):
            space.note(f"docs/{round_}-{number}.md", f"Note {round_} {number}", 4_000)
        begin = time.process_time()
        assert space.run().indexed == 12
        times.append(time.process_time() - begin)
        memory.append(process.memory_info().rss)
    assert times[2] < 2.5 * times[0]
    assert memory[2] - memory[0] < 30 << 20
