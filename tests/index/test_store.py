"""The index file in every state it can be in: nothing raises, nothing is lost without a word."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec
import pytest

from datasheet_lsp.index import Index, devices, schema
from datasheet_lsp.index.lock import FileLock, LockTimeout
from tests.index.make import small_device


def stored(path: Path, key: str = "k") -> None:
    with Index(path) as index:
        index.put_device(key, small_device())
        assert index.problem is None


def broken(path: Path) -> list[str]:
    names = {file.name for file in path.parent.glob("*.broken-*")}
    return sorted(name for name in names if not name.endswith(("-wal", "-shm")))


def as_nobody(work: Callable[[], None]) -> None:
    """Do ``work`` in a child that may write nothing it does not own, root or not."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:
                os.setuid(65_534)
            work()
            code = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_is_stored_is_found_by_the_next_process(path: Path) -> None:
    stored(path)
    with Index(path) as index:
        assert index.device("k") == small_device()
        assert index.device("other") is None
        assert index.problem is None
    assert broken(path) == []


def test_the_folder_ignores_itself_in_git(path: Path) -> None:
    stored(path)
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_a_gitignore_that_is_there_is_kept(path: Path) -> None:
    path.parent.mkdir(parents=True)
    (path.parent / ".gitignore").write_text("index.*\n")
    stored(path)
    assert (path.parent / ".gitignore").read_text() == "index.*\n"


def test_storing_again_replaces(path: Path) -> None:
    stored(path)
    with Index(path) as index:
        index.put_device("k", small_device("ACME2"))
        found = index.device("k")
        assert found is not None and found.name == "ACME2"


def test_the_file_is_in_the_present_form(path: Path) -> None:
    stored(path)
    connection = apsw.Connection(str(path))
    assert connection.pragma("user_version") == len(schema.MIGRATIONS)
    assert connection.pragma("application_id") == 0x44534C50
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("integrity_check") == "ok"


def test_an_older_file_is_brought_to_the_present_form(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(path)

    def second(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE notes (text TEXT)")

    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, second])
    monkeypatch.setattr(schema, "VERSION", len(schema.MIGRATIONS))
    monkeypatch.setattr("datasheet_lsp.index.connection.VERSION", len(schema.MIGRATIONS))
    with Index(path) as index:
        assert index.problem is None
        assert index.device("k") == small_device()
    assert apsw.Connection(str(path)).table_exists("main", "notes")


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(path)

    def second(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE notes (text TEXT)")
        raise apsw.FullError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, second])
        patch.setattr(schema, "VERSION", len(schema.MIGRATIONS))
        patch.setattr("datasheet_lsp.index.connection.VERSION", len(schema.MIGRATIONS))
        with Index(path) as index:
            assert index.device("k") is None
            assert index.problem is not None and "the disk is full" in index.problem
    with Index(path) as index:
        assert index.device("k") == small_device()


def test_a_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    stored(path)
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    before = path.read_bytes()
    with Index(path) as index:
        assert index.device("k") is None
        index.put_device("k", small_device("ACME2"))
        assert index.problem == (
            ".datasheet/index.sqlite was written by a newer datasheet-lsp (form 99, this one "
            f"knows {schema.VERSION}): it is left alone and not used; update, or delete it."
        )
    assert path.read_bytes() == before
    assert broken(path) == []


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE diary (day TEXT)")
    connection.close()
    before = path.read_bytes()
    with Index(path) as index:
        index.put_device("k", small_device())
        assert index.device("k") is None
        assert index.problem is not None and "another program" in index.problem
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_set_aside_and_said_once(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is not a database, " * 400)
    with Index(path) as index:
        assert index.problem is not None
        assert "index.sqlite was damaged" in index.problem
        assert "index.sqlite.broken-1" in index.problem
        index.put_device("k", small_device())
    assert (path.parent / "index.sqlite.broken-1").read_bytes().startswith(b"this is not")
    with Index(path) as index:
        assert index.problem is None
        assert index.device("k") == small_device()


def test_damage_met_while_reading_sets_the_file_aside(path: Path) -> None:
    with Index(path) as index:
        index.put_device("k", small_device(extra_fields=900))
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with Index(path) as index:
        assert index.device("k") is None
        assert index.problem is not None and "damaged" in index.problem
        index.put_device("k", small_device())
        assert index.device("k") == small_device()
    assert broken(path) == ["index.sqlite.broken-1"]


def test_a_file_without_its_table_is_set_aside(path: Path) -> None:
    stored(path)
    connection = apsw.Connection(str(path))
    connection.execute("DROP TABLE devices")
    connection.close()
    with Index(path) as index:
        assert index.problem is not None and "damaged" in index.problem
        index.put_device("k", small_device())
        assert index.device("k") == small_device()


def test_only_the_last_damaged_files_are_kept(path: Path) -> None:
    for i in range(6):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"garbage %d " % i * 900)
        Index(path).close()
        for ending in ("-wal", "-shm"):
            assert not Path(f"{path}{ending}").exists()
    assert broken(path) == [f"index.sqlite.broken-{n}" for n in (4, 5, 6)]
    assert (path.parent / "index.sqlite.broken-6").read_bytes().startswith(b"garbage 5")


def test_of_two_that_find_the_damage_one_begins_anew(path: Path) -> None:
    with Index(path) as first:
        first.put_device("k", small_device(extra_fields=900))
    with Index(path) as first, Index(path) as second:
        content = bytearray(path.read_bytes())
        content[4096:] = b"\xa5" * (len(content) - 4096)
        with path.open("r+b") as file:
            file.write(content)
        assert first.device("k") is None
        first.put_device("k", small_device())
        assert second.device("k") is None
        assert second.device("k") == small_device()
    assert broken(path) == ["index.sqlite.broken-1"]


@pytest.mark.parametrize("size", [0, 1, 15, 16, 60, 99, 100, 511, 4095, 4097, 9000])
def test_a_file_cut_short_anywhere_never_raises(path: Path, size: int) -> None:
    with Index(path) as index:
        index.put_device("k", small_device(extra_fields=900))
    path.write_bytes(path.read_bytes()[:size])
    with Index(path) as index:
        assert index.device("k") in (None, small_device(extra_fields=900))
        index.put_device("k", small_device())
        assert index.device("k") == small_device()


def test_an_unreadable_blob_is_no_device_and_is_replaced(path: Path) -> None:
    stored(path)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE devices SET blob = x'00112233'")
    connection.close()
    with Index(path) as index:
        assert index.device("k") is None
        index.put_device("k", small_device())
        assert index.device("k") == small_device()


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no folders that forbid writing by their mode"
)
def test_a_read_only_folder_is_read_and_not_written(open_path: Path) -> None:
    stored(open_path)
    for file in open_path.parent.iterdir():
        file.chmod(0o444)
    open_path.parent.chmod(0o555)

    def work() -> None:
        with Index(open_path) as index:
            assert index.problem is None
            assert index.device("k") == small_device()
            index.put_device("k", small_device("ACME2"))
            index.put_device("l", small_device("ACME2"))
            assert index.device("k") == small_device()
            assert index.device("l") is None

    before = sorted(file.name for file in open_path.parent.iterdir())
    as_nobody(work)
    assert sorted(file.name for file in open_path.parent.iterdir()) == before


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no folders that forbid writing by their mode"
)
def test_a_damaged_file_in_a_read_only_folder_is_said(open_path: Path) -> None:
    open_path.parent.mkdir(parents=True)
    open_path.write_bytes(b"garbage " * 900)
    open_path.chmod(0o444)
    open_path.parent.chmod(0o555)

    def work() -> None:
        with Index(open_path) as index:
            assert index.device("k") is None
            index.put_device("k", small_device())
            assert index.problem is not None and "Permission denied" in index.problem

    as_nobody(work)
    assert [file.name for file in open_path.parent.iterdir()] == ["index.sqlite"]


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no folders that forbid writing by their mode"
)
def test_a_folder_that_takes_no_file_has_no_index_and_says_so(open_path: Path) -> None:
    root = open_path.parent.parent
    root.mkdir()
    root.chmod(0o555)

    def work() -> None:
        with Index(open_path) as index:
            index.put_device("k", small_device())
            assert index.device("k") is None
            assert index.problem == (
                "No index is kept in .datasheet/index.sqlite (Permission denied): "
                "files are read anew at each start."
            )

    as_nobody(work)
    assert list(root.iterdir()) == []


@pytest.mark.skipif(
    os.name == "nt", reason="the full disk is made by a limit of file sizes, which Windows has not"
)
def test_a_full_disk_costs_the_entry_alone(path: Path) -> None:
    stored(path)

    def work() -> None:
        import resource

        with Index(path) as index:
            assert index.device("k") == small_device()
            resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
            index.put_device("big", small_device(extra_fields=9_000))
            assert index.problem is not None and "could not be written" in index.problem
            assert index.device("k") == small_device()

    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with Index(path) as index:
        assert index.device("k") == small_device()
        assert index.device("big") is None


def test_no_room_in_the_file_is_said(path: Path) -> None:
    with Index(path) as index:
        index.put_device("k", small_device())
        assert index._connection is not None
        index._connection.pragma("max_page_count", 8)
        index.put_device("big", small_device(extra_fields=9_000))
        assert index.problem == (".datasheet/index.sqlite could not be written (the disk is full).")
        assert index.device("k") == small_device()


def test_a_folder_in_the_place_of_the_file_is_survived(path: Path) -> None:
    path.mkdir(parents=True)
    with Index(path) as index:
        index.put_device("k", small_device())
        assert index.device("k") is None
        assert index.problem is not None


def test_a_file_in_the_place_of_the_folder_is_survived(path: Path) -> None:
    path.parent.parent.mkdir()
    path.parent.write_text("mine")
    with Index(path) as index:
        assert index.device("k") is None
        assert index.problem is not None
    assert path.parent.read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="making links needs a right of its own on Windows")
@pytest.mark.parametrize("target", ["there", "missing"])
def test_a_link_in_the_place_of_the_file_is_not_followed(
    path: Path, tmp_path: Path, target: str
) -> None:
    precious = tmp_path / "precious"
    if target == "there":
        precious.write_bytes(b"not to be touched")
    path.parent.mkdir(parents=True)
    path.symlink_to(precious)
    with Index(path) as index:
        index.put_device("k", small_device())
        assert index.device("k") is None
        assert index.problem is not None
    assert precious.exists() == (target == "there")
    if precious.exists():
        assert precious.read_bytes() == b"not to be touched"


def test_a_folder_that_is_itself_a_link_is_used(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "bigger disk"
    elsewhere.mkdir()
    path.parent.parent.mkdir()
    path.parent.symlink_to(elsewhere, target_is_directory=True)
    stored(path)
    assert (elsewhere / "index.sqlite").is_file()


@pytest.mark.skipif(os.name == "nt", reason="making links needs a right of its own on Windows")
def test_a_loop_of_links_in_the_place_of_the_folder_is_survived(path: Path) -> None:
    path.parent.parent.mkdir()
    path.parent.symlink_to(path.parent)
    with Index(path) as index:
        index.put_device("k", small_device())
        assert index.device("k") is None
        assert index.problem is not None


def test_odd_characters_in_the_path_are_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "50% größe?mode=ro#x" / ".datasheet" / "index.sqlite"
    stored(path)
    assert path.is_file()


def test_after_closing_nothing_is_found_and_nothing_raises(path: Path) -> None:
    index = Index(path)
    index.put_device("k", small_device())
    index.close()
    index.close()
    assert index.device("k") is None
    index.put_device("k", small_device())


def test_two_indexes_on_one_file_see_each_other(path: Path) -> None:
    with Index(path) as first, Index(path) as second:
        first.put_device("a", small_device("A1"))
        second.put_device("b", small_device("B1"))
        assert (found := second.device("a")) is not None and found.name == "A1"
        assert (found := first.device("b")) is not None and found.name == "B1"


def test_a_held_lock_makes_writing_give_up_and_reading_go_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(path)
    monkeypatch.setattr("datasheet_lsp.index.store.WAIT", 0.05)
    with Index(path) as index, FileLock(path.with_suffix(".lock"), 1):
        start = time.monotonic()
        index.put_device("other", small_device())
        assert time.monotonic() - start < 2
        assert index.problem == (
            ".datasheet/index.sqlite could not be written (another process is writing)."
        )
        assert index.device("k") == small_device()


def test_a_lock_is_free_again_after_its_holder_was_killed(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from datasheet_lsp.index.lock import FileLock\n"
        "with FileLock(Path(sys.argv[1]), 1):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(lock)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
        with pytest.raises(LockTimeout), FileLock(lock, 0):
            pass
        holder.kill()
        holder.wait()
    with FileLock(lock, 1):
        pass


WRITER = """
import sys
from pathlib import Path
from datasheet_lsp.index import Index
from tests.index.make import small_device
device = small_device(extra_fields=400)
with Index(Path(sys.argv[1])) as index:
    for i in range(int(sys.argv[3])):
        index.put_device(f"{sys.argv[2]}{i % 7}", device)
        assert index.problem is None, index.problem
        print(i, flush=True)
"""


def writer(path: Path, name: str, times: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(times)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent.parent.parent,
    )


def test_a_kill_at_any_moment_loses_at_most_the_entry_in_work(path: Path) -> None:
    stored(path)
    for run in range(4):
        process = writer(path, f"w{run}-", 100_000)
        assert process.stdout is not None
        for _ in range(3 + run):
            process.stdout.readline()
        time.sleep(0.003 * run)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with Index(path) as index:
            assert index.problem is None
            assert index.device("k") == small_device()
            assert index.device(f"w{run}-1") == small_device(extra_fields=400)
    assert apsw.Connection(str(path)).pragma("integrity_check") == "ok"
    assert broken(path) == []


def test_several_processes_begin_and_write_one_file_together(path: Path) -> None:
    processes = [writer(path, f"p{n}-", 20) for n in range(3)]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    with Index(path) as index:
        for n in range(3):
            assert index.device(f"p{n}-6") == small_device(extra_fields=400)
    assert apsw.Connection(str(path)).pragma("integrity_check") == "ok"
    assert broken(path) == []


def test_a_copied_file_is_used_as_it_is(path: Path, tmp_path: Path) -> None:
    stored(path)
    other = tmp_path / "elsewhere" / ".datasheet" / "index.sqlite"
    other.parent.mkdir(parents=True)
    other.write_bytes(path.read_bytes())
    with Index(other) as index:
        assert index.device("k") == small_device()


def test_old_entries_go_when_there_is_too_much(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = small_device(extra_fields=200)
    with Index(path) as index:
        for i in range(4):
            monkeypatch.setattr(time, "time", lambda now=1e9 + i: now)
            index.put_device(f"k{i}", device)
        size = index._connection.execute("SELECT bytes FROM devices LIMIT 1").get
        monkeypatch.setattr(devices, "MAX_BYTES", size * 3 + 1)
        monkeypatch.setattr(time, "time", lambda: 1e9 + 86_400 + 100)
        assert index.device("k1") == device  # the oldest but one, now the last used
        index.put_device("k9", device)
        assert [index.device(k) == device for k in ("k0", "k1", "k2", "k3", "k9")] == [
            False,
            True,
            False,
            True,
            True,
        ]


def test_entries_long_unused_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index(path) as index:
        monkeypatch.setattr(time, "time", lambda: 1e9)
        index.put_device("old", small_device())
        monkeypatch.setattr(time, "time", lambda: 1e9 + 91 * 86_400)
        index.put_device("new", small_device())
        assert index.device("old") is None
        assert index.device("new") == small_device()


def test_one_entry_larger_than_the_limit_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MAX_BYTES", 10)
    with Index(path) as index:
        index.put_device("a", small_device())
        index.put_device("b", small_device())
        assert index.device("a") is None
        assert index.device("b") == small_device()


def test_a_device_that_cannot_be_stored_is_said(path: Path) -> None:
    with Index(path) as index:
        index.put_device("k", msgspec.structs.replace(small_device(), vendor="\ud800"))
        assert index.problem is not None and index.problem.startswith("acme1.svd cannot be kept")
        assert index.device("k") is None


def test_the_space_of_dropped_entries_is_given_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index(path) as index:
        for i in range(10):
            index.put_device(f"k{i}", small_device(extra_fields=2_000))
        monkeypatch.setattr(devices, "MAX_BYTES", 10)
        index.put_device("k", small_device())
    # The tables without rows; the ten devices took three times as much.
    assert path.stat().st_size < 200_000
