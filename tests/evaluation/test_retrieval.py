"""The measures of the search: what counts as evidence, intervals, and the whole evaluation."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from datasheet_lsp.documents.tokens import load_counter
from datasheet_lsp.evaluation.corpus import build, devices_of
from datasheet_lsp.evaluation.questions import (
    FEW,
    Group,
    Passage,
    Question,
    QuestionError,
    Source,
    first_rank,
    groups_met,
    meets,
    read_questions,
)
from datasheet_lsp.evaluation.register_questions import evaluate_registers
from datasheet_lsp.evaluation.retrieval import evaluate, wilson, within
from datasheet_lsp.index import Index, load_device
from datasheet_lsp.search import Searcher
from tests.cli.command import refused, run
from tests.search.library import built, write
from tests.support import ROOT, shared

SETS = sorted((ROOT / "data" / "eval").glob("*.jsonl"))
FURTHER = sorted((ROOT / "data" / "eval" / "further").glob("*.jsonl"))
BLIND = sorted((ROOT / "data" / "eval" / "blind").glob("*.jsonl"))


def passage(**changed: object) -> Passage:
    values = {
        "file": "um.pdf",
        "first_page": 4,
        "last_page": 6,
        "text": "| 7:0 | BRGVAL |\n|-|-|\n| 0 | The clock is  used\ndirectly by it |",
        "tokens": 20,
        **changed,
    }
    return Passage(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "met"),
    [
        (Source(document="um.pdf", pages=(6,), contains=("brgval",)), True),
        (Source(document="um.pdf", pages=(1, 4), contains=("BRGVAL", "used directly")), True),
        (Source(document="um.pdf", pages=(5,), contains=("0 the clock is",)), True),
        (Source(document="um.pdf", pages=(7,), contains=("BRGVAL",)), False),
        (Source(document="um.pdf", pages=(5,), contains=("BRGVAL", "absent")), False),
        (Source(document="other.pdf", pages=(5,), contains=("BRGVAL",)), False),
    ],
)
def test_a_page_counts_with_all_of_the_words_on_it(source: Source, met: bool) -> None:
    assert meets(passage(), source) is met


@pytest.mark.parametrize(
    ("register", "met"),
    [
        ("USART1.BRG", True),
        ("USART0.BRG", True),
        ("USART0.OSR", False),
        ("GPIO.PIN_CNF[%s]", True),
        ("GPIO.PIN_CNF[3]", True),
        ("GPIO.PIN", False),
    ],
)
def test_a_register_counts_by_each_of_its_names(register: str, met: bool) -> None:
    found = passage(file="a.svd", symbols=("USART0.BRG", "USART1.BRG", "GPIO.PIN_CNF[%s]", "BRG"))
    assert meets(found, Source(svd="a.svd", register=register)) is met
    assert not meets(found, Source(svd="b.svd", register=register))


def test_every_group_must_be_met_by_some_passage() -> None:
    here = Source(document="um.pdf", pages=(5,), contains=("BRGVAL",))
    there = Source(document="um.pdf", pages=(9,), contains=("BRGVAL",))
    question = Question(
        "a", "register", "x", "?", (Group("one", (there, here)), Group("two", (there,)))
    )
    other = passage(file="no.pdf")
    assert groups_met([other, passage()], question) == [True, False]
    assert first_rank([other, passage()], question) == 2
    assert first_rank([other], question) is None


def test_what_is_over_the_budget_does_not_count() -> None:
    many = [passage(tokens=900, first_page=page) for page in range(1, 7)]
    assert [each.first_page for each in within(many, 5, 2500)] == [1, 2]
    assert len(within([passage(tokens=1)] * 9, 5, 2500)) == 5


def test_wilson_interval_is_that_of_the_books() -> None:
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_our_sets_can_be_read() -> None:
    assert len(read_questions(SETS)) == 140 and len(SETS) == 4
    assert len(FURTHER) >= 10 and all(read_questions([path]) for path in FURTHER)
    assert len(BLIND) == 4 and all(read_questions([path]) for path in BLIND)
    questions = read_questions([*SETS, *FURTHER, *BLIND])
    assert len({each.id for each in questions}) == len(questions)
    assert all(each.evidence for each in questions if each.kind != "unanswerable")
    listed = json.loads((ROOT / "data" / "eval" / "manifest.json").read_text())
    files = {each["file"] for each in listed["documents"] + listed["svd"]}
    for question in questions:
        for group in question.evidence:
            assert {source.document or source.svd for source in group.any_of} <= files


def test_a_line_that_is_no_question_is_told(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('\n{"id": "a", "kind": "riddle", "device": "x", "question": "?"}\n')
    with pytest.raises(QuestionError, match=r"set\.jsonl, line 2: "):
        read_questions([path])


def make_set(path: Path) -> Path:
    page = {"document": "stm32f410_um.md", "pages": [0, 1], "contains": ["overrun flag is set"]}
    register = {"svd": "STM32F410.svd", "register": "USART3.BRR"}
    nothing = {"svd": "STM32F410.svd", "register": "USART2.ABSENT"}
    lines = [
        ("a", "cross-reference", "character lost before the last one was read", [page]),
        ("b", "register", "USART3->BRR", [register]),
        ("c", "register", "USART3->BRR again", [nothing]),
        ("d", "unanswerable", "which colour is it?", []),
    ]
    path.write_text(
        "\n".join(
            json.dumps(
                {
                    "id": name,
                    "kind": kind,
                    "device": "STM32F410",
                    "question": text,
                    "evidence": [{"what": "w", "any_of": sources}] if sources else [],
                    "answer_contains": [],
                }
            )
            for name, kind, text, sources in lines
        )
    )
    return path


def test_the_report_counts_what_passed(tmp_path: Path) -> None:
    index, devices = built(tmp_path)
    questions = read_questions([make_set(tmp_path / "set.jsonl")])
    with index:
        report = evaluate(
            Searcher(index, devices), questions, ["keyword"], load_counter(), ablate=True
        )
    kinds = report["kinds"]
    assert set(kinds) == {"register", "cross-reference"}
    assert (kinds["register"]["keyword"]["passed"], kinds["register"]["keyword"]["of"]) == (1, 2)
    assert kinds["cross-reference"]["keyword"]["rate"] == 1.0
    assert report["manuals"]["STM32F410"]["register"]["keyword"]["rate"] == 0.5
    assert [each["id"] for each in report["failures"]] == ["c"]
    assert report["failures"][0]["got"][0].startswith("STM32F410.svd: USART2, USART3 > BRR")
    assert report["wrong_device"]["keyword"]["wrong"] == 0
    assert kinds["register"]["keyword"]["recall"] == {"1": 0.5, "3": 0.5, "5": 0.5}
    parts = {row["part"]: row["kinds"] for row in report["ablation"]}
    assert parts["+ neighbours: all parts"]["register"]["passed"] == 1
    assert parts["without chunks of SVD files"]["register"]["passed"] == 0
    assert "vectors alone" not in parts and "+ reranking" not in parts


def test_eval_on_the_command_line(tmp_path: Path) -> None:
    documents, svds = write(tmp_path)
    questions = make_set(tmp_path / "set.jsonl")
    out, text, index = tmp_path / "out.json", tmp_path / "out.md", tmp_path / "kept.sqlite"
    arguments = (questions, "--documents", documents, "--svd", svds, "--index", index)
    done = run("eval", *arguments, "--json", out, "--markdown", text)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text())
    assert report["kinds"]["register"]["keyword"]["passed"] == 1
    assert "missed: c" in done.stdout
    assert "| register | keyword | 1 of 2 | 50% |" in text.read_text()
    again = run("eval", *arguments)
    assert again.returncode == 0 and "chunks" not in again.stderr


def test_eval_draws_the_rates_and_asks_about_registers(tmp_path: Path) -> None:
    documents, svds = write(tmp_path)
    questions = make_set(tmp_path / "set.jsonl")
    lines = questions.read_text().replace('"device": "STM32F410"', '"device": "ACME77"', 1)
    questions.write_text(lines)
    picture, out = tmp_path / "rates.png", tmp_path / "out.json"
    arguments = ("--documents", documents, "--svd", svds, "--registers", "30")
    done = run("eval", questions, *arguments, "--plot", picture, "--json", out)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    registers = json.loads(out.read_text())["registers"]
    assert (registers["passed"], registers["of"]) == (30, 30)
    assert "30 of 30 questions made from the SVD files were right." in done.stdout
    (said,) = [line for line in done.stderr.splitlines() if "ACME77" in line]
    assert said.startswith("ACME77: there is no such SVD file in ")


def test_registers_alone_need_no_manuals(tmp_path: Path) -> None:
    _, svds = write(tmp_path)
    done = run("eval", "--registers", "10", "--svd", svds)
    assert done.stdout.strip() == "10 of 10 questions made from the SVD files were right."
    assert "nothing to ask" in refused("eval", "--svd", svds)
    assert "--documents" in refused("eval", tmp_path / "s.jsonl", "--svd", svds)


def test_eval_says_what_is_missing(tmp_path: Path) -> None:
    documents, svds = write(tmp_path)
    absent = tmp_path / "absent"
    assert "absent is not there" in refused(
        "eval", make_set(tmp_path / "s.jsonl"), "--documents", absent, "--svd", svds
    )
    assert "cannot be read" in refused(
        "eval", tmp_path / "no.jsonl", "--documents", documents, "--svd", svds
    )


def test_questions_made_from_an_svd_are_answered_exactly(tmp_path: Path) -> None:
    index, devices = built(tmp_path)
    with index:
        report = evaluate_registers(list(devices.values()), 100)
    assert (report["passed"], report["of"]) == (100, 100), report["missed"]


def test_questions_made_from_vendors_files_are_answered_exactly() -> None:
    files = sorted(shared("corpus/svd").glob("*.svd"))
    report = evaluate_registers([load_device(path, None, None) for path in files], 1000)
    assert report["of"] >= 1000
    assert report["missed"] == []


def test_the_manuals_of_the_sets_reach_what_is_promised(tmp_path: Path) -> None:
    """Keyword search alone, on an index that DATASHEET_INDEX names or that is made here."""
    kept = os.environ.get("DATASHEET_INDEX")
    if kept is None:
        pytest.skip("takes minutes: set DATASHEET_INDEX to a file that keeps the index")
    svds = shared("corpus/svd")
    assert build(shared("corpus/pdf"), svds, Path(kept)) == ""
    questions = [each for each in read_questions(SETS) if each.kind in FEW]
    with Index(Path(kept)) as index:
        devices = devices_of(svds, {each.device for each in questions}, index)
        report = evaluate(Searcher(index, devices), questions, ["keyword"], load_counter())
    assert report["kinds"]["register"]["keyword"]["rate"] >= 0.85
    assert report["kinds"]["cross-reference"]["keyword"]["rate"] >= 0.95
    assert report["wrong_device"]["keyword"]["rate"] < 0.02
