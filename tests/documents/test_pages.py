"""Pages read by a child process, also when it hangs, dies or is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from datasheet_lsp.documents.pages import PageSource, Worker
from datasheet_lsp.documents.pdf.errors import PdfError, PdfPasswordError
from datasheet_lsp.documents.pdf.library import pymupdf
from datasheet_lsp.documents.pdf.reader import open_pdf
from datasheet_lsp.documents.pdf.troubles import CRASHED, SLOW
from tests.documents.make_pdf import new_page, new_pdf, save, text_pdf
from tests.support import ROOT, shared

NAMES = ["one", "two", "three", "four", "five", "six"]


class FaultyWorker(Worker):
    command = ("-m", "tests.documents.faulty_worker")


@pytest.fixture
def six(tmp_path: Path) -> Path:
    return text_pdf(tmp_path / "six.pdf", NAMES)


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], FaultyWorker]:
    def make(text: str) -> FaultyWorker:
        monkeypatch.setenv("FAULTS", text)
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        return FaultyWorker()

    return make


def read(source: PageSource) -> list[tuple[int, str, str]]:
    return [(p.number, " ".join(w.text for w in p.words), p.trouble) for p in source]


def good(*left_out: int, trouble: str = "") -> list[tuple[int, str, str]]:
    return [
        (n, "", trouble) if n in left_out else (n, name, "")
        for n, name in enumerate(NAMES, start=1)
    ]


def ends(pid: int, seconds: float = 5.0) -> bool:
    """Whether a process is gone, or a zombie, within the time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def test_the_child_reads_what_is_read_in_process() -> None:
    path = shared("corpus/pdf/st_pm0075.pdf")
    with open_pdf(path) as pdf:
        expected = [pdf.page(n) for n in range(1, pdf.info.pages + 1)]
        info = pdf.info
    with PageSource(path) as source:
        assert source.info.outline == info.outline
        assert list(source) == expected
        assert source.info == info


def test_a_page_that_hangs_costs_itself_alone(
    six: Path, faults: Callable[[str], FaultyWorker]
) -> None:
    started = time.monotonic()
    with PageSource(six, timeout=1.0, worker=faults("hang:3")) as source:
        assert read(source) == good(3, trouble=SLOW)
    assert time.monotonic() - started < 10


def test_a_page_that_keeps_the_interpreter_costs_itself_alone(
    six: Path, faults: Callable[[str], FaultyWorker]
) -> None:
    with PageSource(six, timeout=1.0, worker=faults("spin:6")) as source:
        assert read(source) == good(6, trouble=SLOW)


@pytest.mark.parametrize("fault", ["die", "abort", "raise"])
@pytest.mark.parametrize("page", [1, 4, 6])
def test_a_page_that_ends_the_child_costs_itself_alone(
    six: Path, faults: Callable[[str], FaultyWorker], fault: str, page: int
) -> None:
    with PageSource(six, worker=faults(f"{fault}:{page}")) as source:
        assert read(source) == good(page, trouble=CRASHED)


def test_two_bad_pages_in_a_row(six: Path, faults: Callable[[str], FaultyWorker]) -> None:
    with PageSource(six, timeout=1.0, worker=faults("die:2 die:3 hang:5")) as source:
        found = read(source)
    assert [t for _, _, t in found] == ["", CRASHED, CRASHED, "", SLOW, ""]
    assert [text for _, text, _ in found] == ["one", "", "", "four", "", "six"]


def test_a_file_whose_every_page_fails_is_given_up(
    tmp_path: Path, faults: Callable[[str], FaultyWorker]
) -> None:
    path = text_pdf(tmp_path / "a.pdf", ["text"] * 30)
    worker = faults(" ".join(f"die:{n}" for n in range(3, 31)))
    with PageSource(path, worker=worker) as source:
        found = read(source)
    assert [n for n, _, _ in found] == list(range(1, 31))
    assert [t for _, _, t in found] == ["", "", *[CRASHED] * 28]


def test_fonts_keep_their_numbers_over_a_crash(
    tmp_path: Path, faults: Callable[[str], FaultyWorker]
) -> None:
    doc = new_pdf()
    for font in ("helv", "hebo", "cour", "heit", "helv"):
        new_page(doc).insert_text((50, 100), font, fontname=font)
    path = save(doc, tmp_path / "a.pdf")
    with PageSource(path, worker=faults("die:3")) as source:
        words = [w for p in source for w in p.words]
        names = {w.text: source.info.fonts[w.font].name for w in words}
    assert names == {"helv": "Helvetica", "hebo": "Helvetica-Bold", "heit": "Helvetica-Oblique"}


def test_a_file_that_crashes_the_reader_when_opened_is_refused(
    six: Path, faults: Callable[[str], FaultyWorker]
) -> None:
    with pytest.raises(PdfError, match=r"six\.pdf cannot be opened"):
        PageSource(six, worker=faults("die:0")).__enter__()


def test_what_a_library_prints_goes_nowhere(
    six: Path, faults: Callable[[str], FaultyWorker], capfd: pytest.CaptureFixture[str]
) -> None:
    with PageSource(six, worker=faults("noise:0 noise:2")) as source:
        assert read(source) == good()
    assert capfd.readouterr() == ("", "")


def test_refusals_come_through(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"no PDF at all")
    with pytest.raises(PdfError) as e:
        PageSource(path).__enter__()
    assert str(e.value) == "a.pdf is not a PDF: it has no PDF header"


def test_the_password_is_nowhere_to_be_seen(tmp_path: Path) -> None:
    path = text_pdf(
        tmp_path / "a.pdf",
        ["secret"],
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="open sesame",
        owner_pw="x",
    )
    with pytest.raises(PdfPasswordError, match=r"documents\.password"):
        PageSource(path).__enter__()
    with Worker() as worker:
        with PageSource(path, "open sesame", worker=worker) as source:
            assert worker.pid is not None
            child = psutil.Process(worker.pid)
            assert "sesame" not in " ".join([*child.cmdline(), *child.environ().values()])
            assert [w.text for p in source for w in p.words] == ["secret"]


def test_one_child_reads_several_files(six: Path, tmp_path: Path) -> None:
    other = text_pdf(tmp_path / "other.pdf", ["other"])
    with Worker() as worker:
        with PageSource(six, worker=worker) as source:
            assert read(source) == good()
        pid = worker.pid
        with pytest.raises(PdfError):
            PageSource(tmp_path / "gone.pdf", worker=worker).__enter__()
        with PageSource(other, worker=worker) as source:
            assert read(source) == [(1, "other", "")]
            assert len(source.info.fonts) == 1
        assert worker.pid == pid


def test_stopping_early_leaves_no_child_and_the_worker_usable(six: Path) -> None:
    with Worker() as worker:
        with PageSource(six, worker=worker) as source:
            assert next(iter(source)).number == 1
            pid = worker.pid
        assert pid is not None and ends(pid)
        with PageSource(six, worker=worker) as source:
            assert read(source) == good()


def test_closing_ends_a_child_that_hangs(six: Path, faults: Callable[[str], FaultyWorker]) -> None:
    worker = faults("spin:2")
    with PageSource(six, worker=worker) as source:
        next(iter(source))
        pid = worker.pid
        leaving = time.monotonic()
    assert time.monotonic() - leaving < 2
    assert pid is not None and ends(pid)


PARENT = """
import sys, time
from pathlib import Path
from datasheet_lsp.documents.pages import PageSource
source = PageSource(Path(sys.argv[1])).__enter__()
next(iter(source))
print(source._worker.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(
    sys.platform == "win32", reason="the page reader is killed by SIGKILL, which Windows has not"
)
def test_a_child_whose_parent_is_killed_ends(tmp_path: Path) -> None:
    # More pages than fit between the two, so that the child is in the middle of its work.
    path = text_pdf(tmp_path / "a.pdf", ["text " * 12] * 400)
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(path)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert psutil.pid_exists(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert ends(child)


def test_a_child_that_hangs_ends_itself_when_nobody_does(
    six: Path, faults: Callable[[str], FaultyWorker]
) -> None:
    from datasheet_lsp.documents.pdf import frames

    worker = faults("spin:1")
    worker.send(frames.Open(str(six), None, 1, [], 1.0))
    assert isinstance(worker.receive(20), frames.Opened)
    assert worker.pid is not None and ends(worker.pid, 10)
    worker.close()


def test_a_long_file_does_not_make_the_child_grow(tmp_path: Path) -> None:
    path = text_pdf(tmp_path / "a.pdf", [f"page {n} " * 10 for n in range(1500)])
    with PageSource(path) as source:
        sizes = {}
        for page in source:
            if page.number in (300, 1400):
                assert source._worker.pid is not None
                sizes[page.number] = psutil.Process(source._worker.pid).memory_info().rss
    assert sizes[1400] < sizes[300] * 1.2
    assert sizes[1400] < 120 * 2**20
