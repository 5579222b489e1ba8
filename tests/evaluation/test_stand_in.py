"""A stand-in for a 7B model: its shape and its size, and next to nothing on the disk."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from datasheet_lsp.engine import gguf
from datasheet_lsp.engine.language.files import describe_language
from datasheet_lsp.evaluation.stand_in import write_stand_in
from tests.engine.language.heads import MISTRAL, write

if sys.platform != "linux":
    pytest.skip(
        "the file is several GB with a hole in it, which takes no room on Linux alone",
        allow_module_level=True,
    )

WORDS = [f"word{number}" for number in range(32000)]


def test_it_is_what_a_7b_model_is(tmp_path: Path) -> None:
    tokenizer = {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": WORDS}
    source = write(tmp_path / "small.gguf", **{**MISTRAL, **tokenizer})
    write_stand_in(source, tmp_path / "large.gguf")
    model = describe_language(tmp_path / "large.gguf")
    # Mistral-7B-Instruct in Q4_K_M has 4.37 GB.
    assert 4.3e9 < model.size < 4.5e9
    assert (model.layers, model.trained, model.vocabulary) == (32, 32768, 32000)
    assert model.token_bytes == 128 << 10 and model.template
    head, small = gguf.read_head(tmp_path / "large.gguf"), gguf.read_head(source)
    for name in ("tokenizer.ggml.model", "tokenizer.ggml.tokens", "tokenizer.chat_template"):
        assert head[name] == small[name]
    assert (tmp_path / "large.gguf").stat().st_blocks * 512 < 100_000_000


def test_a_model_without_words_does_not_serve(tmp_path: Path) -> None:
    source = write(tmp_path / "small.gguf", **MISTRAL)
    with pytest.raises(ValueError, match="has no words"):
        write_stand_in(source, tmp_path / "large.gguf")
