"""The one row of a long list is among the passages, whatever else its table is about."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from datasheet_lsp.answer.collect import Collector
from datasheet_lsp.answer.gather import Gatherer
from datasheet_lsp.answer.library import Library
from datasheet_lsp.answer.listed import listed
from datasheet_lsp.answer.plan import plan_for_question
from datasheet_lsp.answer.settings import AnswerSettings
from datasheet_lsp.answer.types import Piece
from datasheet_lsp.documents.tokens import approximate_counter
from datasheet_lsp.evaluation.corpus import build
from datasheet_lsp.index import Index, load_device
from datasheet_lsp.render.answer import laid_out
from datasheet_lsp.render.style import Markdown
from datasheet_lsp.search import Searcher
from tests.answer.chip import SVD

LONG = "Raised when a character came, when one was sent, and when the line had an error " * 3
NAMES = [f"PART{number}" for number in range(60)]
NAMES[38] = "USART2"
VECTORS = "\n".join(
    f"| {number} | {name} | {LONG if name == 'USART2' else name + ' global'} | 0x{number:04X} |"
    for number, name in enumerate(NAMES)
)
MANUAL = f"""# ACME32F4 reference manual

## Serial port (USART)

The receiver samples each bit sixteen times.

## Interrupts

Table 7. Interrupt vector table

| Position | Acronym | Description | Address |
| --- | --- | --- | --- |
{VECTORS}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    root = tmp_path_factory.mktemp("listed")
    (root / "docs").mkdir()
    (root / "svd").mkdir()
    (root / "svd" / "ACME32F4.svd").write_text(SVD)
    (root / "docs" / "ACME32F4_manual.md").write_text(MANUAL)
    assert build(root / "docs", root / "svd", root / "index.sqlite") == ""
    with Index(root / "index.sqlite") as index:
        devices = {"ACME32F4": load_device(root / "svd" / "ACME32F4.svd", None, index)}
        yield Library(devices, Searcher(index, devices), approximate_counter())


def gathered(library: Library, question: str) -> Gatherer:
    return Gatherer(question, "ACME32F4", library, AnswerSettings(mode="keyword"))


def rows(library: Library, question: str, planned: bool = False) -> list[Piece]:
    searcher = library.searcher
    assert searcher is not None
    device = library.devices["ACME32F4"]
    gatherer = gathered(library, question)
    gatherer.first()
    return listed(
        gatherer, plan_for_question(question, device, searcher.index) if planned else None
    )


@pytest.mark.parametrize("planned", [True, False])
def test_the_row_of_the_interrupt_is_a_passage_of_its_own(library: Library, planned: bool) -> None:
    [row] = rows(library, "which vector has the receive interrupt of USART2?", planned)
    assert row.text.splitlines()[0] == "Table 7. Interrupt vector table"
    assert "| 38 | USART2 |" in row.text and "PART" not in row.text
    assert row.heading_path[-1] == "Interrupts" and row.file.endswith("ACME32F4_manual.md")
    assert row.tokens < 200


def test_nothing_of_the_list_comes_to_who_asks_for_something_else(library: Library) -> None:
    assert rows(library, "how often is a bit sampled by USART2") == []


def test_the_row_comes_right_behind_the_best_passage(library: Library) -> None:
    question = "USART2 receiver samples each bit sixteen times, and on which vector?"
    lead = Collector(gathered(library, question), None, []).lead
    assert "sixteen times" in lead[0].text and "| 38 | USART2 |" in lead[1].text


def test_a_row_that_the_best_passage_has_does_not_come_again(library: Library) -> None:
    lead = Collector(gathered(library, "interrupt vector table USART2 position 38"), None, []).lead
    assert len([p for p in lead if "| 38 | USART2 |" in p.text]) == 1


def test_of_few_rows_all_is_shown_and_of_many_a_little(library: Library) -> None:
    [row] = rows(library, "which vector has the receive interrupt of USART2?")
    assert LONG.strip() in laid_out("?", [], [], [], [row], Markdown())
    many = "\n".join(f"| {n} | {LONG} | x |" for n in range(9))
    long = msgspec.structs.replace(row, text=f"| a | b | c |\n|-|-|-|\n{many}")
    assert LONG.strip() not in laid_out("?", [], [], [], [long], Markdown())
