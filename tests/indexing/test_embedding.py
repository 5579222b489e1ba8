"""The end of a run: vectors for what was read, whatever becomes of the embedder."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import psutil
import pytest

from datasheet_lsp.engine.embedder import Embedder
from datasheet_lsp.index import Index
from datasheet_lsp.index.vectors import VectorStore
from datasheet_lsp.indexing import embedding, vectors
from datasheet_lsp.indexing.events import (
    DocumentDone,
    Event,
    ProblemFound,
    RunFinished,
    VectorsFinished,
    VectorsProgress,
)
from datasheet_lsp.search import Searcher
from datasheet_lsp.search.vectors import IndexVectors
from tests.engine.small import Small, model, vector
from tests.indexing.small_child import SmallIndexer
from tests.indexing.spaces import Space


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Space:
    monkeypatch.setenv("DATASHEET_EMBED", "")
    made = Space(tmp_path / "project")
    made.root.mkdir()
    return made


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of letters for runs within this process."""
    monkeypatch.setattr(Embedder, "command", Small.command)
    monkeypatch.setattr(embedding, "find_model", lambda *_, **__: model())
    monkeypatch.setattr(embedding, "what_is_missing", lambda settings: "")
    monkeypatch.setattr(vectors, "BATCH", 4)


def manual(space: Space, sections: int, word: str = "") -> None:
    """A manual in which each section becomes a chunk."""
    parts = [f"## Part {i}\n\nThe USART has part {i}. {word}\n" for i in range(sections)]
    space.write("docs/manual.md", "# Manual\n\n" + "\n".join(parts))


def count(space: Space) -> tuple[int, int]:
    with Index(space.index) as index:
        store = VectorStore(index)
        which = store.serving(model().key)
        return store.count(which) if which is not None else (0, index.size())


def last(space: Space) -> VectorsFinished:
    (found,) = [each for each in space.events if isinstance(each, VectorsFinished)]
    return found


def test_a_run_ends_with_a_vector_for_every_chunk(space: Space, letters: None) -> None:
    space.svd()
    manual(space, 9)
    finished = space.run()
    done, of = count(space)
    assert done == of > 1 and not finished.stopped
    kinds = [type(event) for event in space.events]
    assert kinds[-1] is RunFinished and kinds[-2] is VectorsFinished
    assert kinds.index(VectorsProgress) > max(
        at for at, kind in enumerate(kinds) if kind is DocumentDone
    )
    with Index(space.index) as index:
        arm = IndexVectors(index, model().key, lambda text: vector(f"query: {text}"))
        assert len(arm("badge", None, 3)) == 3
    assert space.run().unchanged == 2 and last(space).embedded == 0


async def test_killed_amid_the_vectors_the_next_run_goes_on(space: Space) -> None:
    space.svd()
    manual(space, 12, "slow")
    events: list[Event] = []

    def on_event(event: Event) -> None:
        events.append(event)
        if isinstance(event, VectorsProgress) and 4 <= event.done:
            assert indexer.pid is not None
            killed.extend(psutil.Process(indexer.pid).children(recursive=True))
            os.kill(indexer.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    killed: list[psutil.Process] = []
    indexer = SmallIndexer(space.job(), on_event)
    finished = await indexer.run()
    assert "ended by itself" in finished.stopped
    done, of = count(space)
    assert 0 < done < of
    # Its embedder ends with it.
    _, alive = await asyncio.to_thread(psutil.wait_procs, killed, 30)
    assert not [each for each in alive if each.status() != psutil.STATUS_ZOMBIE]
    with Index(space.index) as index:
        arm = IndexVectors(index, model().key, lambda text: vector(f"query: {text}"))
        results = Searcher(index, vector=arm).search("USART part", device="STM32F407")
        assert results.hits and results.notes == ()
    again: list[Event] = []
    await SmallIndexer(space.job(), again.append).run()
    assert count(space) == (of, of)
    (made,) = [event for event in again if isinstance(event, VectorsFinished)]
    assert made.embedded + made.linked == of - done and not made.stopped


def test_an_embedder_that_dies_is_told_once_and_the_words_stand(
    space: Space, letters: None
) -> None:
    space.svd()
    manual(space, 3, "crash")
    finished = space.run()
    assert finished.indexed == 2 and not finished.stopped and not finished.cancelled
    (problem,) = [event for event in space.events if isinstance(event, ProblemFound)]
    assert problem.path == "" and "ended by itself twice" in problem.message
    with Index(space.index) as index:
        assert Searcher(index).search("USART part", device="STM32F407").hits


def test_a_run_can_be_cancelled_amid_the_vectors(space: Space, letters: None) -> None:
    from datasheet_lsp.indexing.workspace import run_job

    manual(space, 12)
    events: list[Event] = []
    finished = run_job(
        space.job(),
        events.append,
        lambda: any(isinstance(event, VectorsProgress) and event.done for event in events),
    )
    assert finished.cancelled and finished.indexed == 1
    done, of = count(space)
    assert 0 < done < of


@pytest.mark.parametrize("package", ["sentence_transformers", "sqlite_vec"])
def test_what_is_not_installed_is_no_problem(
    space: Space, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == package else real(name, *a)
    )
    manual(space, 3)
    assert space.run().indexed == 1 and space.problems() == []
    missing = last(space).missing
    assert package.replace("_", "-") in missing and "pip install" in missing


def test_a_model_that_is_named_and_not_there_is_a_problem(space: Space) -> None:
    manual(space, 3)
    space.write("datasheet.toml", '[embed]\nmodel = "nowhere"\n')
    assert space.run().indexed == 1
    (problem,) = space.problems()
    assert "nowhere" in problem and last(space).stopped == problem


def test_none_are_made_where_none_are_wanted(space: Space) -> None:
    manual(space, 3)
    space.write("datasheet.toml", "[embed]\nenabled = false\n")
    space.run()
    assert not [each for each in space.events if isinstance(each, VectorsFinished)]
