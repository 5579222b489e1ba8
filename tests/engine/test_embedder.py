"""The embedder process: started on need, ended when idle, survived when it crashes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from datasheet_lsp import wire
from datasheet_lsp.engine import BlockingEmbedder, EngineError
from datasheet_lsp.engine.embedder import Interrupted
from datasheet_lsp.engine.frames import Load
from tests.engine.small import Small, model, vector
from tests.support import ROOT


@pytest_asyncio.fixture
async def embedder() -> AsyncIterator[Small]:
    made = Small(model())
    yield made
    await made.close()


async def test_vectors_come_in_the_order_of_the_texts_with_the_prefix(embedder: Small) -> None:
    texts = ["abc", "a longer text with h", "", "bbb"] * 20
    made = await embedder.embed(texts)
    assert made == [vector("document: " + text) for text in texts]
    assert await embedder.embed(["abc"], "query") == [vector("query: abc")]


async def test_a_document_longer_than_the_model_reads_has_a_vector_for_each_part(
    embedder: Small,
) -> None:
    # The model reads 16 tokens, of which its own and the prefix take 3, the head one.
    text = "head\n" + "a " * 14 + "b " * 8
    made, short = await embedder.embed([text, "abc"], heads=[5, 0])
    parts = ["head\n" + " ".join("a" * 11), "head\n" + " ".join("aaabbbbbbbb")]
    assert made == b"".join(vector("document: " + part) for part in parts)
    assert short == vector("document: abc")
    (query,) = await embedder.embed([text], "query")
    assert query == vector("query: " + text)


async def test_it_is_started_when_it_is_needed_and_not_before(embedder: Small) -> None:
    assert embedder.pid is None
    assert await embedder.embed([]) == []
    assert embedder.pid is None
    await embedder.embed(["a"])
    assert embedder.pid is not None


async def test_it_ends_when_idle_and_starts_again() -> None:
    embedder = Small(model(), idle_seconds=0.2)
    await embedder.embed(["a"])
    pid = embedder.pid
    assert pid is not None
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    assert not psutil.pid_exists(pid)
    assert await embedder.embed(["a"]) == [vector("document: a")]
    assert embedder.pid not in (None, pid)
    await embedder.close()


async def test_what_libraries_print_is_not_among_the_replies(embedder: Small) -> None:
    assert await embedder.embed(["print a"]) == [vector("document: print a")]


async def test_a_crash_is_survived_once(embedder: Small, tmp_path: Path) -> None:
    text = f"crash {tmp_path / 'crashed'}"
    assert await embedder.embed([text]) == [vector("document: " + text)]


async def test_a_child_killed_between_requests_is_replaced(embedder: Small) -> None:
    await embedder.embed(["a"])
    assert embedder.pid is not None
    os.kill(embedder.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    assert await embedder.embed(["b"]) == [vector("document: b")]


async def test_after_two_crashes_it_is_given_up_in_one_sentence(embedder: Small) -> None:
    with pytest.raises(EngineError, match="ended by itself twice"):
        await embedder.embed(["crash"])
    begin = time.monotonic()
    with pytest.raises(EngineError, match="keywords"):
        await embedder.embed(["a"])
    assert time.monotonic() - begin < 0.1 and embedder.pid is None
    embedder.retry()
    assert await embedder.embed(["a"]) == [vector("document: a")]


async def test_a_child_that_dies_while_loading_is_given_up() -> None:
    embedder = Small(model(name="dies"))
    with pytest.raises(EngineError, match="exit code 3"):
        await embedder.embed(["a"])
    await embedder.close()


async def test_a_model_that_cannot_be_loaded_says_why() -> None:
    embedder = Small(model(name="unloadable"))
    with pytest.raises(EngineError, match="its weights are cut"):
        await embedder.start()
    await embedder.close()


async def test_a_text_that_fails_costs_itself_alone(embedder: Small) -> None:
    with pytest.raises(EngineError, match="no such text"):
        await embedder.embed(["fail"])
    assert await embedder.embed(["a"]) == [vector("document: a")]


async def test_a_query_goes_before_documents_in_work(embedder: Small) -> None:
    await embedder.start()
    documents = asyncio.create_task(embedder.embed(["slow" + "x" * 9] * 4 + ["slow"] * 60))
    await asyncio.sleep(0.2)
    await embedder.embed(["b"], "query")
    assert not documents.done()
    documents.cancel()
    with pytest.raises(asyncio.CancelledError):
        await documents


async def test_cancelled_documents_are_not_embedded_further(embedder: Small) -> None:
    await embedder.start()
    documents = asyncio.create_task(embedder.embed(["slow"] * 320))
    await asyncio.sleep(0.1)
    documents.cancel()
    with pytest.raises(asyncio.CancelledError):
        await documents
    begin = time.monotonic()
    assert await embedder.embed(["a"]) == [vector("document: a")]
    # One step of 32 texts at 0.3 s each is in work; the other nine are not done.
    assert time.monotonic() - begin < 15


async def test_the_child_ends_with_its_parent() -> None:
    code = (
        "import asyncio, os\n"
        "from tests.engine.small import Small, model\n"
        "async def go():\n"
        "    e = Small(model())\n"
        "    await e.embed(['a'])\n"
        "    print(e.pid, flush=True)\n"
        "    os._exit(1)\n"
        "asyncio.run(go())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=30)
    pid = int(done.stdout)
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    assert not psutil.pid_exists(pid)


def test_a_child_whose_input_closes_ends_at_once() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.engine.small"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(wire.encode(Load(model())))
    child.stdin.flush()
    assert child.stdout.read(4)
    child.stdin.close()
    child.wait(10)
    child.stdout.close()


class SmallBlocking(BlockingEmbedder):
    async def _make(self, threads: int, idle_seconds: float) -> Small:
        return Small(self.model, threads=threads, idle_seconds=idle_seconds)


def test_without_a_loop_it_does_the_same() -> None:
    with SmallBlocking(model()) as embedder:
        assert embedder.start().dimension == 8
        assert embedder.embed(["abc"]) == [vector("document: abc")]
        with pytest.raises(EngineError, match="no such text"):
            embedder.embed(["fail"])
        pid = embedder.embedder.pid
    assert pid is not None and not psutil.pid_exists(pid)


def test_without_a_loop_it_can_be_cancelled() -> None:
    with SmallBlocking(model()) as embedder:
        embedder.start()
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        begin = time.monotonic()
        with pytest.raises(Interrupted):
            embedder.embed(["slow"] * 320, cancelled=stop.is_set)
        assert time.monotonic() - begin < 5
