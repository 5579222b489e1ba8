"""What a search brings: the right place first, of the right chip, without vectors too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from msgspec.structs import replace

from datasheet_lsp.index import StoredDocument
from datasheet_lsp.search import Searcher
from datasheet_lsp.search.keyword import Scope
from datasheet_lsp.search.query import parts_of
from datasheet_lsp.search.scope import Shelf
from tests.search.conftest import Library


@pytest.mark.parametrize(
    "text", ["USART2->BRR", "usart2_brr", "what does USART2.BRR[DIV] mean?", "0x40004408"]
)
def test_a_named_register_comes_first_from_svd_and_manual(searcher: Searcher, text: str) -> None:
    hits = searcher.search(text, device="STM32F410").hits
    assert "USART2.BRR" in hits[0].symbols
    first = {hit.file.rpartition("/")[2] for hit in hits[:2]}
    assert first == {"STM32F410.svd", "stm32f410_um.md"}


def test_only_documents_of_the_device_are_searched(searcher: Searcher) -> None:
    results = searcher.search("baud rate register", device="STM32F412")
    assert results.device == "STM32F412"
    assert {hit.devices for hit in results.hits} == {("STM32F412",)}


def test_without_a_device_all_documents_are_searched(searcher: Searcher) -> None:
    results = searcher.search("overrun flag cleared")
    assert results.device is None
    assert len({hit.devices for hit in results.hits}) == 2


def test_a_device_named_in_the_question_goes_first(searcher: Searcher) -> None:
    results = searcher.search("baud rate on the STM32F412RBT6", device="STM32F410")
    assert results.device == "STM32F412"
    assert results.notes[0] == "searched for STM32F412, which the question names"


def test_the_svd_file_name_is_the_device_too(searcher: Searcher) -> None:
    assert searcher.search("baud", device="stm32f410").device == "STM32F410"


def test_plain_words_find_what_the_manual_says_in_others(searcher: Searcher) -> None:
    hits = searcher.search("reset cause after a reboot", device="STM32F410").hits
    assert any("flag that tells its source" in hit.text for hit in hits[:3])


def test_misspelt_words_are_mended_and_told(searcher: Searcher) -> None:
    results = searcher.search("wachdog flag", device="STM32F410")
    assert results.corrected == {"wachdog": "watchdog"}
    assert any("watchdog" in hit.text.lower() for hit in results.hits[:2])


def test_an_abbreviation_is_found_by_its_words(searcher: Searcher) -> None:
    hits = searcher.search("DMA transfer count", device="STM32F410").hits
    assert hits[0].heading_path[-1] == "Direct memory access (DMA)"


def test_a_passage_has_its_place(searcher: Searcher) -> None:
    hit = searcher.search("character arrives before the last was read", device="STM32F410").hits[0]
    assert hit.heading_path[-2:] == ("Serial port (USART)", "Overrun")
    assert hit.title and hit.first_page >= 0 and hit.arms == ("keyword",)
    assert hit.scores["keyword"] > 0


def test_the_budget_holds(searcher: Searcher) -> None:
    hits = searcher.search("register of the USART", device="STM32F410", k=20, budget=600).hits
    assert hits and sum(hit.tokens for hit in hits) <= 600


@pytest.mark.parametrize("text", ["", "?", "the of a", '"', "AND OR NOT", "[31:26] *", "ü" * 300])
def test_any_text_can_be_asked(searcher: Searcher, text: str) -> None:
    assert searcher.search(text, device="STM32F410").query == text


def test_instances_of_one_register_are_shown_once(searcher: Searcher) -> None:
    hits = searcher.search("clock enable register", device="STM32F410", k=20).hits
    assert len({(hit.file, hit.text) for hit in hits}) == len(hits)


def test_without_vectors_the_words_answer_and_it_is_said(searcher: Searcher) -> None:
    results = searcher.search("overrun", device="STM32F410", mode="hybrid")
    assert results.hits
    assert results.notes == ("no vectors: found by words alone",)


def test_a_dead_embedder_costs_the_vectors_alone(library: Library) -> None:
    def dead(text: str, scope: Scope, k: int) -> Iterable[tuple[int, float]]:
        raise RuntimeError("the embedder has ended")

    results = Searcher(*library, vector=dead).search("overrun", device="STM32F410")
    assert results.hits
    assert results.notes == ("no vectors (the embedder has ended): found by words alone",)


def test_the_vector_arm_brings_what_no_word_does(library: Library) -> None:
    index, _ = library
    wanted = next(
        each for each in index.chunks(index.documents()[2].id) if "core sleeps" in each.chunk.text
    )
    asked: list[tuple[str, Scope, int]] = []

    def near(text: str, scope: Scope, k: int) -> Iterable[tuple[int, float]]:
        asked.append((text, scope, k))
        return [(wanted.id, 0.9)]

    searcher = Searcher(*library, vector=near)
    (device,) = wanted_devices(library, wanted.document)
    hybrid = searcher.search("bytes shovelled unattended", device=device)
    assert hybrid.hits[0].chunk == wanted.id and hybrid.hits[0].arms == ("vector",)
    assert searcher.search("overrun", device=device, mode="vector").hits[0].chunk == wanted.id
    assert asked[0][1] == searcher.shelf.scope("", device).documents


def test_a_reranker_orders_the_best_but_what_is_named_stays_first(library: Library) -> None:
    asked: list[tuple[str, int]] = []

    def rerank(query: str, texts: Sequence[str]) -> list[float]:
        asked.append((query, len(texts)))
        return [float("core sleeps" in text) for text in texts]

    searcher = Searcher(*library, rerank=rerank)
    hits = searcher.search("transfer of a serial character", device="STM32F410").hits
    assert "core sleeps" in hits[0].text and hits[0].scores["rerank"] == 1.0
    assert searcher.search("USART2->BRR", device="STM32F410").hits[0].symbols[0] == "USART2.BRR"
    assert asked[0][0] == "transfer of a serial character" and 1 < asked[0][1] <= 25
    none = replace(searcher.settings, reranked=0)
    searcher.search("overrun", device="STM32F410", settings=none)
    assert len(asked) == 2


def test_a_dead_reranker_costs_its_order_alone(library: Library) -> None:
    def dead(query: str, texts: Sequence[str]) -> list[float]:
        raise RuntimeError("it has ended")

    results = Searcher(*library, rerank=dead).search("overrun", device="STM32F410", mode="keyword")
    assert results.hits and results.notes == ("not reranked (it has ended)",)


def test_the_clock_bit_of_a_peripheral_is_found_by_its_name(searcher: Searcher) -> None:
    hits = searcher.search("clock gate of USART2", device="STM32F410").hits
    assert any("RCC.APB1ENR" in hit.symbols for hit in hits[:3])


def test_a_name_in_two_words_is_one(searcher: Searcher) -> None:
    results = searcher.search("overrun flag of uart 2", device="STM32F410")
    assert results.peripherals == ("USART2",)


def test_what_many_manuals_know_is_no_misspelling(searcher: Searcher) -> None:
    for text in ("why did it restart", "stuck", "what happens"):
        assert searcher.search(text, device="STM32F410").corrected == {}


@pytest.mark.parametrize(
    ("title", "core", "found"),
    [
        ("Cortex-M4 Devices Generic User Guide", "CM4", True),
        ("Cortex-M4 Devices Generic User Guide", "CM0PLUS", False),
        ("Cortex-M0+ Technical Reference Manual", "CM0+", True),
        ("GD32F450xx Arm Cortex-M4 32-bit MCU", "CM4", False),
        ("Cortex-M3 and Cortex-M4", "CM4", False),
    ],
)
def test_the_manual_of_a_core_is_that_of_its_chips(title: str, core: str, found: bool) -> None:
    document = StoredDocument(
        1, (), "", "", "indexed", "", "pdf", title, "", 9, (), (), (), "", 0, 0, 0, 0, 0
    )
    assert Shelf([document]).of_core(core) == ((1,) if found else ())


def wanted_devices(library: Library, document: int) -> list[str]:
    found = library[0].document(document)
    assert found is not None
    return [each.device for each in found.devices]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("enable the USART clock, then set the baud rate", 2),
        ("USART2 interrupt and DMA1", 2),
        ("what does USART2->BRR mean?", 0),
        ("now and then", 0),
        ("1.5 stop bits", 0),
    ],
)
def test_a_question_is_split_where_it_asks_for_several_things(text: str, parts: int) -> None:
    assert len(parts_of(text)) == parts


def test_each_thing_that_is_asked_for_is_brought(searcher: Searcher) -> None:
    hits = searcher.search(
        "overrun flag of the receiver, and the DMA transfer count", device="STM32F410", k=10
    ).hits
    titles = [hit.heading_path[-1] for hit in hits[:4]]
    assert "Overrun" in titles and "Direct memory access (DMA)" in titles
