"""From an order of chunks to the passages: what is told once, taken in, folded and counted."""

from __future__ import annotations

from datasheet_lsp.index import Brief, StoredChunk
from datasheet_lsp.model.document import Chunk, ChunkKind
from datasheet_lsp.search.about import about
from datasheet_lsp.search.hits import Scored
from datasheet_lsp.search.select import Passage, Selector, without_twins
from datasheet_lsp.search.settings import SearchSettings


class Shelf:
    """Chunks by their numbers."""

    def __init__(self) -> None:
        self.chunks: dict[int, StoredChunk] = {}

    def add(
        self,
        text: str,
        *path: str,
        kind: ChunkKind = "text",
        document: int = 1,
        section: int = 0,
        tokens: int = 100,
        symbols: tuple[str, ...] = (),
    ) -> Scored:
        number = len(self.chunks) + 1
        chunk = Chunk(
            number=number,
            section=section,
            kind=kind,
            heading_path=path,
            text=text,
            stamp="",
            tokens=tokens,
            first_page=1,
            last_page=1,
            places=(),
            symbols=symbols,
        )
        self.chunks[number] = StoredChunk(number, document, chunk)
        return Scored(number)

    def select(
        self,
        *order: Scored,
        k: int = 5,
        budget: int = 2_500,
        settings: SearchSettings | None = None,
    ) -> list[Passage]:
        abouts = {}
        for number, each in self.chunks.items():
            c = each.chunk
            abouts[number] = about(
                Brief(
                    number,
                    each.document,
                    c.number,
                    c.section,
                    c.kind,
                    c.tokens,
                    c.heading_path,
                    c.symbols,
                )
            )
        self.abouts = abouts
        settings = settings or SearchSettings()
        selector = Selector(self.chunks.get, 5, budget, settings, {1: ("A",), 2: ("A",)})
        return selector.select(order, abouts)


def texts(passages: list[Passage]) -> list[list[str]]:
    return [[part.chunk.text for part in passage.parts] for passage in passages]


def test_a_register_is_told_by_the_manual_unless_the_query_names_it() -> None:
    shelf = Shelf()
    path = ("USART2.BRR", "BRR")
    svd = shelf.add("svd", "USART2", "BRR", kind="svd", document=2, symbols=path)
    other = shelf.add("other", "Clocks")
    manual = shelf.add("manual", "USART", "BRR", kind="register", section=3, symbols=path)
    assert texts(shelf.select(svd, other, manual)) == [["manual"], ["other"]]
    svd.first = manual.first = 1
    assert texts(shelf.select(svd, manual, other)) == [["svd"], ["manual"], ["other"]]
    assert [each.chunk for each in without_twins([svd, other], shelf.abouts)] == [1, 2]


def test_what_stands_next_to_each_other_is_one_passage() -> None:
    shelf = Shelf()
    first = shelf.add("first", "Timer", "Modes", section=1)
    shelf.add("second", "Timer", "Modes", section=1)
    third = shelf.add("third", "Timer", "Counting", section=2)
    far = shelf.add("far", "Pins", "Speed", section=3)
    second = Scored(2)
    assert texts(shelf.select(first, far, third, second)) == [
        ["first", "second"],
        ["far"],
        ["third"],
    ]
    assert texts(shelf.select(first, second, third)) == [["first", "second", "third"]]


def test_a_passage_does_not_grow_without_end() -> None:
    shelf = Shelf()
    order = [shelf.add(n, "Timer", "Modes", section=ord(n), tokens=300) for n in "abcd"]
    assert texts(shelf.select(*order)) == [["a", "b"], ["c", "d"]]
    assert texts(shelf.select(*order, budget=700)) == [["a", "b"]]


def test_registers_of_one_peripheral_share_a_passage_the_best_first() -> None:
    shelf = Shelf()
    one = shelf.add("mode", "SPI1", "CR1", kind="svd", section=1, symbols=("SPI1.CR1",))
    two = shelf.add("speed", "SPI1", "CR2", kind="svd", section=2, symbols=("SPI1.CR2",))
    other = shelf.add("BRR", "USART", "BRR", kind="svd", section=3, symbols=("USART.BRR",))
    assert texts(shelf.select(two, other, one)) == [["speed", "mode"], ["BRR"]]
    two.first = 1
    assert texts(shelf.select(two, other, one)) == [["speed"], ["BRR"], ["mode"]]


def test_at_most_two_chunks_of_a_section_and_equal_texts_once() -> None:
    shelf = Shelf()
    order = [shelf.add(f"text {name}", "A", "B", section=1) for name in ("a", "b", "c")]
    order = [order[0], order[2], order[1]]
    order.append(shelf.add("channel 1 of 7", "C", section=2))
    order.append(shelf.add("channel 2 of 7", "D", section=3))
    found = texts(shelf.select(*order))
    assert found == [["text a"], ["text c"], ["channel 1 of 7"]]
