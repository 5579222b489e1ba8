"""What a program used is told truly."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from datasheet_lsp.evaluation.process import can_measure, cpu_so_far, measure, resident
from datasheet_lsp.evaluation.tables import megabytes, table

pytestmark = pytest.mark.skipif(
    not can_measure(),
    reason="what a process uses is told by Linux and macOS alone: there is nothing to measure",
)

MB = 1 << 20


def run(program: str, **options: float):
    return measure([sys.executable, "-c", program], **options)


def test_the_peak_is_the_programs_own_and_not_that_of_who_measures() -> None:
    ballast = bytearray(os.urandom(1)) * (300 * MB)
    small = run("pass")
    del ballast
    large = run("x = b'x' * (200 << 20)")
    assert 4 * MB < small.peak < 60 * MB
    assert 200 * MB < large.peak < 300 * MB


def test_time_waited_is_no_cpu_time() -> None:
    slept = run("import time; time.sleep(0.6)")
    assert slept.wall >= 0.6
    assert slept.cpu < 0.4
    worked = run("import time\nwhile time.process_time() < 0.6: pass")
    assert worked.cpu >= 0.6


def test_the_output_is_kept_and_a_good_run_has_no_failure() -> None:
    done = run("import sys; print('one'); print('two', file=sys.stderr)")
    assert (done.exit, done.stdout, done.stderr) == (0, "one\n", "two\n")
    assert done.failure is None


def test_a_failure_is_told_by_its_last_line() -> None:
    assert run("raise ValueError('no such thing')").failure == "ValueError: no such thing"
    assert run("import sys; sys.exit(3)").failure == "exit status 3"
    killed = run(f"import os; os.kill(os.getpid(), {int(signal.SIGKILL)})")
    assert killed.exit == -signal.SIGKILL


def test_a_program_that_takes_too_long_is_ended(tmp_path) -> None:
    mark = tmp_path / "pid"
    done = run(
        f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)",
        seconds=1.5,
    )
    assert done.failure == "took too long"
    with pytest.raises(ProcessLookupError):
        for _ in range(200):
            os.kill(int(mark.read_text()), 0)
            time.sleep(0.01)


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(OSError, match="no/such/program cannot be started"):
        measure(["no/such/program"])


def test_resident_memory_of_this_process_is_plausible() -> None:
    found = resident(os.getpid())
    assert found is not None and 10 * MB < found < 4096 * MB
    assert resident(2**30) is None


def test_cpu_time_of_this_process_is_told() -> None:
    found = cpu_so_far(os.getpid())
    assert found is not None and abs(found - time.process_time()) < 0.5
    assert cpu_so_far(2**30) is None


def test_a_table_aligns_numbers_right_and_words_left() -> None:
    assert table(
        ("file", "s", "note"), [["a.svd", "0.5", "ok"], ["long.svd", "10.5", "MISSED"]]
    ) == (
        "file         s  note\n--------  ----  ------\na.svd      0.5  ok\nlong.svd  10.5  MISSED"
    )
    assert megabytes(3 * MB // 2) == "1.5"
    assert megabytes(None) == "?"
