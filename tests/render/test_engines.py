"""Models and memory, as doctor says it."""

from __future__ import annotations

from typing import Any

import pytest

from datasheet_lsp.render.engines import engine_rows, language_lines, memory_text

NEEDS = {
    "sum": 5_800_000_000,
    "weights": 4_400_000_000,
    "cache": 1_207_959_552,
    "work": 30_000_000,
    "libraries": 60_000_000,
}
MODEL = {
    "name": "mistral-7b",
    "path": "/models/mistral-7b.gguf",
    "origin": "folder",
    "size": 4_400_000_000,
    "context": 8192,
    "trained": 32768,
    "most_context": 12288,
    "template": True,
    "needs": NEEDS,
}


def memory(**more: Any) -> dict[str, Any]:
    return {
        "total": 8_600_000_000,
        "available": 6_000_000_000,
        "model": 5_800_000_000,
        "embedder": 800_000_000,
        "rest": 2_300_000_000,
        "alone": True,
        "together": False,
        "unload_embedder": True,
        **more,
    }


def test_the_embedder_that_must_go_is_told() -> None:
    assert memory_text(memory(), MODEL) == (
        "8.6 GB: embedder 0.8 + model 5.8 + system, editor and server 2.3 do not fit together: the "
        "embedder is ended while the model runs"
    )


def test_what_fits_is_told() -> None:
    said = memory_text(memory(total=16_000_000_000, together=True, unload_embedder=False), MODEL)
    assert said.startswith("16.0 GB: ") and said.endswith("fit together")


@pytest.mark.parametrize(
    ("most", "end"),
    [
        (4096, "do not fit: with [model] context = 4096 the model would"),
        (0, "do not fit: take a smaller model, or one with fewer bits for each weight"),
    ],
)
def test_what_does_not_fit_is_told_with_what_to_do(most: int, end: str) -> None:
    wrong = memory(total=7_500_000_000, alone=False, unload_embedder=False)
    assert memory_text(wrong, {**MODEL, "most_context": most}).endswith(end)


def test_without_models_there_is_nothing_to_fit() -> None:
    assert memory_text(memory(model=0, embedder=0), None) == "8.6 GB: no model takes any"


def facts(**more: Any) -> dict[str, Any]:
    return {
        "embedder": None,
        "embedder_problem": "",
        "model": None,
        "model_problem": "",
        "memory": memory(),
        **more,
    }


def test_each_model_has_its_line() -> None:
    embedder = {"name": "nomic-embed-text-v1.5", "dimension": 768}
    rows = dict(engine_rows(facts(embedder=embedder, model=MODEL)))
    assert rows["embedder"] == "nomic-embed-text-v1.5 (768 dimensions)"
    assert rows["model"] == "mistral-7b, 4.4 GB, context 8,192 tokens"
    assert list(rows) == ["embedder", "model", "memory"]


def test_what_is_missing_or_off_is_told() -> None:
    rows = dict(engine_rows(facts(embedder_problem="None here.", model_problem="None there.")))
    assert rows["embedder"] == "none, search is by words alone. None here."
    assert rows["model"] == "none, answers are plans and passages. None there."
    rows = dict(engine_rows(facts()))
    assert rows["embedder"] == "switched off: search is by words alone"
    assert rows["model"] == "switched off: answers are plans and passages"


def test_a_server_is_named() -> None:
    server = {"name": "", "url": "http://127.0.0.1:8080/v1", "context": 8192}
    rows = dict(engine_rows(facts(model=server)))
    assert rows["model"] == "the first one of the server at http://127.0.0.1:8080/v1"


def test_the_list_says_what_each_takes() -> None:
    lines = language_lines([MODEL], MODEL["path"])
    assert lines[0].startswith("used  mistral-7b  4.4 GB, context 8,192 of 32,768 tokens, in the")
    assert lines[2].strip() == (
        "takes about 5.8 GB of memory (weights 4.4 GB, 8,192 tokens of context 1.2 GB, work 90 MB)"
    )
