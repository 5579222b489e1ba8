"""How soon a language model begins, how fast it writes, how soon it stops, what memory it takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from statistics import median

import msgspec

from datasheet_lsp.engine.language import (
    AnyModel,
    Finished,
    LanguageModelFile,
    LanguageOptions,
    LoopbackServer,
    Message,
    open_language_model,
    parts,
)
from datasheet_lsp.evaluation.tables import table

_WORDS = "The baud rate register holds the mantissa and the fraction of the divider. "
_SYSTEM = "Answer the question from the passages. " + _WORDS * 12
_TOKENS = 32
_AMID = 0.5
"""Seconds after which a prompt is cancelled."""


class ModelReport(msgspec.Struct, frozen=True):
    """Times in seconds, memory in bytes; ``expected`` is what was reckoned from the file's head.

    ``after_prompt`` is how much later than the end of the prompt, as the process tells it, the
    first piece of text was there; ``stopped_*`` how long a cancelled text kept the model busy and
    ``gone_on`` the caller.
    """

    name: str
    context: int
    start: float
    prompt_tokens: int
    cold_prompt: float
    warm_prompt: float
    reused: int
    first_piece: float
    after_prompt: float
    tokens_per_second: float
    gone_on: float
    stopped_in_prompt: float
    stopped_in_text: float
    end: float
    memory: int
    expected: int


def bench_model(
    language: LanguageModelFile | LoopbackServer,
    options: LanguageOptions,
    *,
    runs: int,
    say: Callable[[str], None],
) -> ModelReport:
    """Measure the model; of repeated measures the worst for what is promised, else the median.

    Raises:
        EngineError: it does not work.
    """
    return asyncio.run(_bench(language, options, runs, say))


async def _bench(
    language: LanguageModelFile | LoopbackServer,
    options: LanguageOptions,
    runs: int,
    say: Callable[[str], None],
) -> ModelReport:
    model = open_language_model(language, options)
    try:
        say("start")
        begin = time.monotonic()
        await model.start()
        start = time.monotonic() - begin
        cold: list[float] = []
        warm: list[float] = []
        first: list[float] = []
        after: list[float] = []
        rates: list[float] = []
        last = Finished(0, "stop")
        for run in range(runs):
            say(f"text {run + 1} of {runs}")
            # Another system message each time is a prompt that was never seen.
            system = Message("system", f"{run}. {_SYSTEM}")
            for kind, register in ((cold, "SR"), (warm, "BRR")):
                question = Message("user", f"What does {register} hold?")
                seen, last = await _write(model, [system, question])
                kind.append(last.prompt_seconds)
                first.append(seen)
                after.append(seen - last.prompt_seconds)
                rates.append(last.tokens / max(last.seconds - last.prompt_seconds, 1e-9))
        gone: list[float] = []
        in_prompt: list[float] = []
        in_text: list[float] = []
        for run in range(runs):
            say(f"cancelling {run + 1} of {runs}")
            for kind, wait_for_piece in ((in_prompt, False), (in_text, True)):
                left, stopped = await _cancel(model, run, wait_for_piece)
                gone.append(left)
                kind.append(stopped)
        memory = model.memory
        say("end")
        task = asyncio.create_task(_write(model, [Message("user", f"{_WORDS * 40} end")]))
        await asyncio.sleep(_AMID)
        begin = time.monotonic()
        task.cancel()
        await model.close()
        end = time.monotonic() - begin
        await asyncio.gather(task, return_exceptions=True)
    finally:
        await model.close()
        say("")
    expected = (
        parts(language, options.context).sum if isinstance(language, LanguageModelFile) else 0
    )
    return ModelReport(
        name=model.name,
        context=model.context,
        start=start,
        prompt_tokens=last.prompt_tokens,
        cold_prompt=median(cold),
        warm_prompt=median(warm),
        reused=last.reused,
        first_piece=median(first),
        after_prompt=max(after),
        tokens_per_second=median(rates),
        gone_on=max(gone),
        stopped_in_prompt=max(in_prompt),
        stopped_in_text=max(in_text),
        end=end,
        memory=memory,
        expected=expected,
    )


async def _write(model: AnyModel, messages: list[Message]) -> tuple[float, Finished]:
    """When the first piece was there, and what the model says of the text."""
    begin = time.monotonic()
    first = 0.0
    async for _piece in model.generate(messages, max_tokens=_TOKENS):
        first = first or time.monotonic() - begin
    assert model.last is not None
    return first or time.monotonic() - begin, model.last


async def _cancel(model: AnyModel, run: int, wait_for_piece: bool) -> tuple[float, float]:
    """How long a cancelled text kept the caller, and how long the model."""
    started = asyncio.Event()
    many = 60 if not wait_for_piece else 4
    messages = [Message("user", f"{run} {wait_for_piece} {_WORDS * many} Tell all of it.")]

    async def write() -> None:
        async for _piece in model.generate(messages, max_tokens=512):
            started.set()

    task = asyncio.create_task(write())
    if wait_for_piece:
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait({waiting, task}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    else:
        await asyncio.sleep(_AMID)
    begin = time.monotonic()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    left = time.monotonic() - begin
    await model.count(["a"])  # answered when the model is free
    return left, time.monotonic() - begin


def show(report: ModelReport) -> str:
    """The report as a table."""
    rows = [
        ["start", f"{report.start:.2f} s", ""],
        [
            f"prompt of {report.prompt_tokens} tokens, never seen",
            f"{report.cold_prompt:.2f} s",
            "",
        ],
        [
            f"another question after the same instructions ({report.reused} tokens known)",
            f"{report.warm_prompt:.2f} s",
            "",
        ],
        [
            "first piece of text after the end of the prompt, worst",
            f"{report.after_prompt * 1000:.0f} ms",
            "300 ms",
        ],
        ["writes", f"{report.tokens_per_second:.1f} tokens/s", ""],
        ["cancelled, the caller goes on after, worst", f"{report.gone_on * 1000:.0f} ms", "500 ms"],
    ]
    if report.expected:  # a process of ours, and no server's
        rows += [
            [
                "the model stops within a prompt after, worst",
                f"{report.stopped_in_prompt * 1000:.0f} ms",
                "500 ms",
            ],
            [
                "the model stops within a text after, worst",
                f"{report.stopped_in_text * 1000:.0f} ms",
                "500 ms",
            ],
            ["ended amid a text after", f"{report.end * 1000:.0f} ms", "2000 ms"],
            [
                "memory at most (reckoned from the file)",
                f"{report.memory / 1e6:.0f} MB ({report.expected / 1e6:.0f})",
                "",
            ],
        ]
    return f"{report.name}, context {report.context} tokens\n\n" + table(
        ["", "measured", "wanted"], rows
    )
