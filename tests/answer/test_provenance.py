"""How much of an answer comes from each passage, by each way, and where that way fails."""

from __future__ import annotations

from collections.abc import Sequence

from datasheet_lsp.answer.provenance import with_provenance
from datasheet_lsp.answer.types import Piece


def piece(text: str, chunks: tuple[int, ...]) -> Piece:
    return Piece(1, text, "", 9, "m.pdf", "M", "", "pdf", "text", ("A",), chunks=chunks)


PIECES = [
    piece("the baud rate divider", chunks=(1, 2)),
    piece("a table of pins", chunks=(3,)),
    piece("the divider of the baud rate in a register", chunks=()),
]
SAID = ("what divides the baud rate", "the divider does")


def scores(pieces: Sequence[Piece]) -> list[float | None]:
    return [each.provenance for each in pieces]


def test_the_nearest_chunk_of_a_passage_counts_and_words_where_it_has_none() -> None:
    found = with_provenance(PIECES, *SAID, "similarity", near=lambda _: {1: 0.2, 2: 0.7, 9: 0.9})
    first, second, third = scores(found)
    assert (first, second) == (0.7, 0.0)
    assert third is not None and 0 < third < 1


def test_a_reranker_is_scaled() -> None:
    found = with_provenance(PIECES, *SAID, "rerank", rerank=lambda _, texts: [2.0, -2.0, 0.0])
    assert scores(found) == [1.0, 0.0, 0.5]


def test_words_count_where_a_model_fails() -> None:
    def broken(*_: object) -> list[float]:
        raise RuntimeError("gone")

    by_words = scores(with_provenance(PIECES, *SAID, "similarity"))
    assert by_words[0] is not None and by_words[1] is not None and by_words[0] > by_words[1]
    assert scores(with_provenance(PIECES, *SAID, "similarity", near=broken)) == by_words  # type: ignore[arg-type]
    assert scores(with_provenance(PIECES, *SAID, "rerank", rerank=broken)) == by_words
    assert (
        scores(with_provenance(PIECES, *SAID, "similarity", near=lambda _: {99: 1.0})) == by_words
    )
