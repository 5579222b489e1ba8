"""The vector arm over an index in which only some chunks have vectors yet."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from datasheet_lsp.index.vectors import VectorStore
from datasheet_lsp.search import Searcher
from datasheet_lsp.search.vectors import IndexVectors, VectorsMissing
from tests.search.library import built


def unit(at: int) -> bytes:
    return struct.pack("<8f", *(float(number == at) for number in range(8)))


def test_vectors_that_are_half_done_help_already(tmp_path: Path) -> None:
    index, devices = built(tmp_path)
    with index:
        arm = IndexVectors(index, "model", lambda text: unit(3))
        with pytest.raises(VectorsMissing, match="none of this model"):
            arm("anything", None, 5)
        store = VectorStore(index)
        which = store.open_set("model", "model", "here", 8)
        assert which is not None
        wanted = []
        for document in index.documents():
            if document.format != "md":
                continue
            (chunk, *_) = [
                each for each in store.missing(which, document.id, 99) if "sleeps" in each.text
            ]
            assert store.put(which, [chunk], {chunk.hash: unit(3)})
            wanted.append(chunk.chunk)
        assert [(chunk, round(near, 6)) for chunk, near in arm("anything", None, 5)] == [
            (chunk, 1.0) for chunk in wanted
        ]
        searcher = Searcher(index, devices, vector=arm)
        results = searcher.search("bytes shovelled unattended", device="STM32F412")
        assert [hit.chunk for hit in results.hits] == [wanted[1]] and results.notes == ()
        words = searcher.search("overrun flag", device="STM32F412")
        assert "keyword" in words.hits[0].arms
