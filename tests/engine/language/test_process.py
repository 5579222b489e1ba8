"""The language model's process: asked, cancelled, survived when it crashes, hangs or lies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from datasheet_lsp.engine import EngineError
from datasheet_lsp.engine.language import Message
from datasheet_lsp.engine.language import process as process_module
from tests.engine.language.small import CONTEXT, Small
from tests.support import ROOT


def said(text: str) -> list[Message]:
    return [Message("system", "Be brief."), Message("user", text)]


async def text_of(model: Small, text: str, **more: object) -> str:
    return "".join([piece async for piece in model.generate(said(text), **more)])  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def model() -> AsyncIterator[Small]:
    made = Small()
    yield made
    await made.close()


async def gone(pid: int | None) -> bool:
    """Whether the process ends, sooner or later."""
    end = time.monotonic() + 20
    while pid is not None and psutil.pid_exists(pid) and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return pid is not None and not psutil.pid_exists(pid)


async def test_the_text_comes_piece_by_piece(model: Small) -> None:
    assert model.pid is None
    assert await text_of(model, "one two three") == "one two three "
    assert model.pid is not None
    assert model.last is not None
    assert (model.last.reason, model.last.prompt_tokens, model.last.tokens) == ("stop", 5, 3)


async def test_it_is_told_how_much_of_a_long_prompt_is_read(model: Small) -> None:
    told: list[tuple[int, int]] = []
    text = await text_of(model, "a long one", on_reading=lambda *read: told.append(read))
    assert text == "a long one " and told == [(1, 2), (2, 2)]
    assert await text_of(model, "a long one") == "a long one "


async def test_tokens_are_counted(model: Small) -> None:
    assert await model.count([]) == [] and model.pid is None
    assert await model.count(["a b", "", "c"]) == [2, 0, 1]
    assert await model.measure(said("a b c")) == 5
    assert model.context == CONTEXT


async def test_requests_at_once_are_answered_in_turn(model: Small) -> None:
    texts = [f"slow {number}" for number in range(5)]
    assert await asyncio.gather(*(text_of(model, each) for each in texts)) == [
        f"slow {number} " for number in range(5)
    ]


async def test_what_libraries_print_is_not_among_the_replies(model: Small) -> None:
    assert await text_of(model, "print this") == "print this "


@pytest.mark.parametrize("text", ["read this", "slow " * 50])
async def test_a_cancelled_text_is_given_up(model: Small, text: str) -> None:
    await model.start()
    pid = model.pid
    task = asyncio.create_task(text_of(model, text))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    begin = time.monotonic()
    assert await text_of(model, "next") == "next "
    assert model.pid == pid
    # Reading takes 20 s and the slow text 10 s; either would have to end first.
    assert time.monotonic() - begin < 8


async def test_a_text_that_is_left_early_is_given_up(model: Small) -> None:
    pieces = model.generate(said("slow " * 50))
    async for piece in pieces:
        assert piece == "slow "
        break
    await pieces.aclose()
    assert await text_of(model, "next") == "next "


async def test_one_that_waits_can_be_cancelled(model: Small) -> None:
    first = asyncio.create_task(text_of(model, "slow slow slow"))
    second = asyncio.create_task(text_of(model, "second"))
    await asyncio.sleep(0.05)
    second.cancel()
    assert await first == "slow slow slow "
    assert await text_of(model, "third") == "third "


async def test_one_that_hangs_is_killed_when_it_is_cancelled(
    model: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "CANCEL_SECONDS", 0.2)
    await model.start()
    pid = model.pid
    task = asyncio.create_task(text_of(model, "hang"))
    await asyncio.sleep(0.2)
    task.cancel()
    assert await gone(pid)
    # That is no crash: it goes on with another process.
    assert await text_of(model, "next") == "next " and not model.given_up


async def test_a_text_that_takes_too_long_is_ended_with_the_reason() -> None:
    model = Small(timeout=0.5)
    await model.start()
    with pytest.raises(EngineError, match=r"longer than 0.5 seconds \(\[model\] timeout\)"):
        await text_of(model, "read this")
    assert await text_of(model, "next") == "next "
    await model.close()


async def test_more_than_the_context_is_refused_and_nothing_breaks(model: Small) -> None:
    with pytest.raises(EngineError, match="tokens of the context"):
        await text_of(model, "word " * 60)
    assert await text_of(model, "next") == "next "


async def test_a_text_that_fails_costs_itself_alone(model: Small) -> None:
    with pytest.raises(EngineError, match=r"failed \(RuntimeError: no such text\)"):
        await text_of(model, "fail")
    assert await text_of(model, "next") == "next "


async def test_a_crash_before_the_text_is_survived_once(model: Small, tmp_path: Path) -> None:
    text = f"crash {tmp_path / 'crashed'}"
    assert await text_of(model, text) == f"{text} "


async def test_after_a_crash_weights_are_not_repacked(model: Small) -> None:
    assert await text_of(model, "bad build") == "bad build "
    pid = model.pid
    assert await text_of(model, "bad build") == "bad build " and model.pid == pid


async def test_a_crash_amid_the_text_is_told(model: Small) -> None:
    with pytest.raises(EngineError, match=r"ended by itself amid the text \(exit code 12\)"):
        await text_of(model, "one two die")
    assert await text_of(model, "next") == "next "


async def test_a_child_killed_between_requests_is_replaced(model: Small) -> None:
    await model.start()
    assert model.pid is not None
    os.kill(model.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    assert await text_of(model, "next") == "next "


async def test_ten_crashes_in_a_row_leave_quick_answers(model: Small) -> None:
    with pytest.raises(EngineError, match=r"small ended by itself twice \(exit code 11\)"):
        await text_of(model, "crash")
    begin = time.monotonic()
    for _ in range(9):
        with pytest.raises(EngineError, match="ended by itself twice"):
            await text_of(model, "crash")
    assert time.monotonic() - begin < 1 and model.pid is None and model.given_up
    model.retry()
    assert await text_of(model, "next") == "next " and not model.given_up


async def test_a_model_that_cannot_be_loaded_says_why_at_once_the_second_time() -> None:
    model = Small("unloadable")
    for _ in range(2):
        with pytest.raises(EngineError, match="its weights are cut"):
            await model.start()
    await model.close()


async def test_a_child_that_dies_while_loading_is_given_up() -> None:
    model = Small("dies")
    with pytest.raises(EngineError, match=r"ended by itself twice \(exit code 3\)"):
        await text_of(model, "a")
    await model.close()


async def test_a_child_that_lies_is_given_up() -> None:
    class Lying(Small):
        command = ("-m", "tests.engine.language.small", "lie")

    model = Lying()
    with pytest.raises(EngineError, match="said what is no reply"):
        await text_of(model, "a")
    assert model.pid is None
    await model.close()


async def test_it_ends_when_idle_and_starts_again() -> None:
    model = Small(idle_seconds=0.2)
    await model.start()
    pid = model.pid
    assert await gone(pid)
    assert await text_of(model, "next") == "next "
    assert model.pid not in (None, pid)
    await model.close()


@pytest.mark.parametrize("text", ["hang", "slow " * 50])
async def test_it_ends_at_once_amid_a_text(text: str) -> None:
    model = Small()
    await model.start()
    pid = model.pid
    task = asyncio.create_task(text_of(model, text))
    await asyncio.sleep(0.2)
    begin = time.monotonic()
    task.cancel()
    await model.close()
    assert time.monotonic() - begin < 8
    assert pid is not None and not psutil.pid_exists(pid)


@pytest.mark.parametrize("how", ["close", "kill"])
async def test_a_text_that_is_not_cancelled_fails_when_it_is_ended(model: Small, how: str) -> None:
    await model.start()
    task = asyncio.create_task(text_of(model, "hang"))
    await asyncio.sleep(0.2)
    if how == "close":
        await model.close()
    else:
        model.kill()
    with pytest.raises(EngineError, match="small was ended amid the text"):
        await task
    assert model.pid is None
    assert await text_of(model, "next") == "next "


async def test_the_child_ends_with_its_parent() -> None:
    code = (
        "import asyncio, os\n"
        "from tests.engine.language.small import Small\n"
        "async def go():\n"
        "    model = Small()\n"
        "    await model.start()\n"
        "    print(model.pid, flush=True)\n"
        "    os._exit(1)\n"
        "asyncio.run(go())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert await gone(int(done.stdout))
