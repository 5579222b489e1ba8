"""The log of questions: bounded, tolerant, and never in the way."""

from __future__ import annotations

import threading
from pathlib import Path

from datasheet_lsp.querylog import Entry, LoggedChunk, QueryLog


def entry(number: int, text: str = "") -> Entry:
    return Entry(
        time="2026-01-02T03:04:05.678+00:00",
        query=f"question {number}{text}",
        device="ACME1",
        mode="hybrid",
        chunks=(LoggedChunk(7, "docs/um.pdf", 12, "UART > BRR", 1.5, {"vector": 0.5}),),
        notes=("a note",),
        seconds={"all": 0.25},
    )


def test_what_is_kept_comes_back_in_order(tmp_path: Path) -> None:
    log = QueryLog(tmp_path / "new folder")
    given = [entry(number) for number in range(5)]
    assert [log.add(each) for each in given] == [""] * 5
    assert log.entries() == given and log.entries(2) == given[-2:]
    assert all(line.endswith("}") for line in log.path.read_text().splitlines())


def test_a_question_with_its_answer_and_prompt(tmp_path: Path) -> None:
    given = Entry("2026", "why", "answer", answer="Because [1].", prompt="You are ...", model="m")
    log = QueryLog(tmp_path)
    log.add(given)
    assert log.entries() == [given]


def test_it_never_grows_beyond_its_size_and_keeps_the_newest(tmp_path: Path) -> None:
    log = QueryLog(tmp_path, most_bytes=20_000)
    for number in range(400):
        assert log.add(entry(number)) == ""
        total = sum(path.stat().st_size for path in tmp_path.iterdir())
        assert total <= 20_000
    found = log.entries()
    assert found[-1] == entry(399)
    assert len(found) > 30 and [f"question {n}" for n in range(400 - len(found), 400)] == [
        each.query for each in found
    ]


def test_a_question_too_long_is_left_out_and_said(tmp_path: Path) -> None:
    log = QueryLog(tmp_path, most_bytes=10_000)
    assert "too long" in log.add(entry(1, "x" * 20_000))
    assert log.entries() == []


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    log = QueryLog(tmp_path)
    log.add(entry(1))
    with log.path.open("ab") as file:
        file.write(b'{"time": "cut of\n\xff\xfe\n[]\n')
    log.add(entry(2))
    assert [each.query for each in log.entries()] == ["question 1", "question 2"]


def test_half_a_surrogate_in_a_question_costs_nothing(tmp_path: Path) -> None:
    log = QueryLog(tmp_path)
    said = log.add(entry(1, "\ud800"))
    assert said == "" or "could not be kept" in said
    assert log.add(entry(2)) == ""
    assert log.entries()[-1] == entry(2)


def test_a_place_that_cannot_be_written_is_said_and_not_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "could not be written" in QueryLog(tmp_path / "file" / "below").add(entry(1))
    assert QueryLog(tmp_path / "file" / "below").entries() == []


def test_several_may_write_at_once(tmp_path: Path) -> None:
    def write(who: int) -> None:
        log = QueryLog(tmp_path, most_bytes=10_000_000)
        for number in range(50):
            log.add(entry(1000 * who + number))

    threads = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(QueryLog(tmp_path).entries()) == 200
