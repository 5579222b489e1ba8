"""A language model for code without an asyncio loop: an iterator that can be ended from outside."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from datasheet_lsp.engine import EngineError
from datasheet_lsp.engine.embedder import Interrupted
from datasheet_lsp.engine.language import BlockingLanguageModel, LanguageOptions, Message
from datasheet_lsp.engine.language import blocking as blocking_module
from tests.engine.language.small import CONTEXT, Small, file


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[BlockingLanguageModel]:
    def small(language: object, options: object) -> Small:
        return Small()

    monkeypatch.setattr(blocking_module, "open_language_model", small)
    with BlockingLanguageModel(file(), LanguageOptions()) as made:
        yield made


def said(text: str) -> list[Message]:
    return [Message("user", text)]


def test_the_text_is_iterated(model: BlockingLanguageModel) -> None:
    model.start()
    assert list(model.generate(said("one two"))) == ["one ", "two "]
    assert model.last is not None and model.last.tokens == 2
    assert model.count(["a b"]) == [2] and model.measure(said("a b")) == 2
    assert model.context == CONTEXT


def test_what_fails_is_raised(model: BlockingLanguageModel) -> None:
    with pytest.raises(EngineError, match="no such text"):
        list(model.generate(said("fail")))


@pytest.mark.parametrize("text", ["read", "slow " * 50])
def test_another_thread_ends_it(model: BlockingLanguageModel, text: str) -> None:
    model.start()
    threading.Timer(0.3, model.cancel).start()
    begin = time.monotonic()
    with pytest.raises(Interrupted):
        list(model.generate(said(text)))
    assert time.monotonic() - begin < 8
    assert list(model.generate(said("next"))) == ["next "]


def test_it_is_asked_whether_the_text_is_wanted(model: BlockingLanguageModel) -> None:
    model.start()
    end = time.monotonic() + 0.3
    with pytest.raises(Interrupted):
        list(model.generate(said("read"), cancelled=lambda: time.monotonic() > end))
    assert list(model.generate(said("next"))) == ["next "]


def test_left_early_it_is_given_up(model: BlockingLanguageModel) -> None:
    pieces = model.generate(said("slow " * 50))
    assert next(pieces) == "slow "
    pieces.close()  # type: ignore[attr-defined]
    begin = time.monotonic()
    assert list(model.generate(said("next"))) == ["next "]
    assert time.monotonic() - begin < 8


def test_closing_amid_a_text_ends_the_process(model: BlockingLanguageModel) -> None:
    pieces = model.generate(said("slow " * 50))
    assert next(pieces) == "slow "
    pid = model.model.pid
    begin = time.monotonic()
    model.close()
    assert time.monotonic() - begin < 8
    assert pid is not None and not psutil.pid_exists(pid)


async def test_within_the_loop_of_a_server() -> None:
    small = Small()
    blocking = BlockingLanguageModel.within(small, asyncio.get_running_loop())
    texts = await asyncio.to_thread(lambda: list(blocking.generate(said("one two"))))
    assert texts == ["one ", "two "]
    blocking.close()
    assert small.pid is not None  # its owner closes it
    await small.close()
