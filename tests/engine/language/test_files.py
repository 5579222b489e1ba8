"""Which language model is used, and what memory it takes: said from its file's head alone."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from datasheet_lsp.engine import EngineError, list_models, models_folder
from datasheet_lsp.engine.language import (
    LanguageModelFile,
    find_language_model,
    list_language_models,
    most_context,
    plan,
)
from datasheet_lsp.engine.language import files as files_module
from datasheet_lsp.engine.language import memory as memory_module
from datasheet_lsp.engine.language.memory import EDITOR, SERVER, has_plenty, parts, shortage
from tests.engine.language.heads import MISTRAL, write
from tests.engine.small import model as embedder_of

if sys.platform != "linux":
    pytest.skip(
        "the folders for models are moved aside by XDG variables, which Linux alone has",
        allow_module_level=True,
    )

GB = 1_000_000_000
HEAD = b"GGUF\x03\x00\x00\x00" + bytes(8) + b"\x01" + bytes(7)
KEY = b"\x01" + bytes(7) + b"a"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(files_module, "DEMO_PACKAGE", "no_such_package")
    return tmp_path


def find(path: str = "", root: Path | None = None, url: str = "") -> LanguageModelFile:
    found = find_language_model(SimpleNamespace(path=path, url=url, name=""), root)
    assert isinstance(found, LanguageModelFile)
    return found


def test_a_path_is_relative_to_the_settings(tmp_path: Path) -> None:
    file = write(tmp_path / "project" / "models" / "mistral.gguf", **MISTRAL)
    model = find("models/mistral.gguf", tmp_path / "project")
    assert (model.name, model.path, model.origin) == ("mistral", str(file), "setting")
    assert find(str(file), tmp_path / "elsewhere").path == str(file)


def test_a_name_is_one_in_the_folder_for_models() -> None:
    write(models_folder() / "mistral.gguf", **MISTRAL)
    assert find("mistral").origin == find("mistral.gguf").origin == "folder"


def test_the_only_model_of_the_folder_needs_no_name(tmp_path: Path) -> None:
    write(models_folder() / "mistral.gguf", **MISTRAL)
    nomic = {"general.architecture": "nomic-bert", "nomic-bert.embedding_length": 768}
    write(models_folder() / "nomic.gguf", **nomic)
    qwen = {**MISTRAL, "llama.pooling_type": 3}
    write(models_folder() / "embedding-7b.gguf", **qwen)
    assert find().name == "mistral"
    write(models_folder() / "qwen.gguf", **MISTRAL)
    with pytest.raises(EngineError, match=r"several language models .*\(mistral, qwen\): name one"):
        find()


def test_a_language_model_is_not_listed_as_an_embedder() -> None:
    write(models_folder() / "mistral.gguf", **MISTRAL)
    embedders = [each.name for each in list_models() if not isinstance(each, EngineError)]
    assert "mistral" not in embedders
    listed = [each for each in list_language_models() if isinstance(each, LanguageModelFile)]
    assert [each.name for each in listed] == ["mistral"]


def test_the_model_of_the_extra_is_used_where_there_is_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "packages" / "small_model" / "small.gguf", **MISTRAL)
    (tmp_path / "packages" / "small_model" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    monkeypatch.setattr(files_module, "DEMO_PACKAGE", "small_model")
    assert (find().name, find().origin, find("small").origin) == ("small", "demo", "demo")
    write(models_folder() / "mistral.gguf", **MISTRAL)
    assert find().name == "mistral"


def test_without_any_it_is_said_what_to_put_where() -> None:
    with pytest.raises(EngineError, match="put a GGUF file into .*datasheet-lsp/models or name"):
        find()
    with pytest.raises(EngineError, match="big.gguf is not there"):
        find("big.gguf")


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "is no GGUF model"),
        (b"GGUF\x03\x00\x00\x00", r"is no GGUF model \(it ends too early\)"),
        (b"GGUF\x09\x00\x00\x00" + bytes(16), "version 9"),
        (b"GGUF\x03\x00\x00\x00" + bytes(16), "is no language model"),
        # A key of 2**63 characters; a list of as many texts; a text in a list as long.
        (HEAD + b"\xff" * 8, "its head is broken"),
        (HEAD + KEY + b"\x09\0\0\0\x08\0\0\0" + b"\xff" * 8, "its head is broken"),
        (HEAD + KEY + b"\x09\0\0\0\x08\0\0\0\1" + bytes(7) + b"\xff" * 8, "its head is broken"),
    ],
)
def test_a_file_that_is_none_is_told(tmp_path: Path, data: bytes, match: str) -> None:
    (tmp_path / "a.gguf").write_bytes(data)
    with pytest.raises(EngineError, match=match):
        find("a.gguf", tmp_path)


def test_an_embedder_is_no_language_model(tmp_path: Path) -> None:
    write(tmp_path / "a.gguf", **{"general.architecture": "nomic-bert"})
    with pytest.raises(EngineError, match="is an embedding model"):
        find("a.gguf", tmp_path)


def test_a_head_that_would_take_all_memory_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a.gguf", **{**MISTRAL, "llama.block_count": 4_000_000_000})
    with pytest.raises(EngineError, match="is no language model"):
        find("a.gguf", tmp_path)


def test_a_model_in_parts_is_one_model(tmp_path: Path) -> None:
    write(models_folder() / "big-00001-of-00002.gguf", 1000_000, **MISTRAL)
    write(models_folder() / "big-00002-of-00002.gguf", 2000_000)
    assert (find().name, find().size) == ("big", 3000_000)
    (models_folder() / "big-00002-of-00002.gguf").unlink()
    with pytest.raises(EngineError, match=r"its part big-00002-of-00002\.gguf is missing"):
        find("big-00001-of-00002.gguf")


def test_the_cache_of_a_token_is_that_of_keys_and_values(tmp_path: Path) -> None:
    # 32 layers, 8 heads of 128 numbers of 2 bytes, keys and values: 128 KiB a token. The
    # Mistral-7B paper gives the shape; 8192 tokens are 1 GiB.
    model = find(str(write(tmp_path / "a.gguf", **MISTRAL)))
    assert model.token_bytes == 128 << 10
    # Llama-2-7B has 32 heads for keys and values: 4 times that.
    more = {**MISTRAL, "llama.attention.head_count_kv": 32}
    assert find(str(write(tmp_path / "b.gguf", **more))).token_bytes == 512 << 10
    # Heads of 256 numbers, and layers of which every second has none.
    keys = {
        **MISTRAL,
        "llama.attention.head_count_kv": [0, 8] * 16,
        "llama.attention.key_length": 256,
        "llama.attention.value_length": 256,
    }
    assert find(str(write(tmp_path / "c.gguf", **keys))).token_bytes == 128 << 10


def test_what_fits_beside_what(tmp_path: Path) -> None:
    model = find(str(write(tmp_path / "a.gguf", 4400 * 1_000_000, **MISTRAL)))
    embedder = embedder_of(size=90 * 1_000_000)  # all-MiniLM-L6-v2
    needs = parts(model, 8192)
    assert needs.weights == 4400 * 1_000_000
    # 8192 tokens and the 1024 that are kept of earlier prompts.
    assert needs.cache == 9216 * (128 << 10)
    eight = plan(model, 8192, embedder, 8 << 30)
    assert 5.5 * GB < eight.model < 6.2 * GB and 0.6 * GB < eight.embedder < 0.9 * GB
    assert eight.alone and not eight.together and eight.unload_embedder
    sixteen = plan(model, 8192, embedder, 16 << 30)
    assert sixteen.together and not sixteen.unload_embedder
    six = plan(model, 8192, embedder, 6 << 30)
    assert not six.alone and not six.unload_embedder
    assert plan(None, 8192, embedder, 4 << 30).together
    assert plan(model, 8192, embedder, 0).together  # where a machine does not tell


def test_too_little_memory_is_told_before_anything_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = find(str(write(tmp_path / "mistral.gguf", 4400 * 1_000_000, **MISTRAL)))
    monkeypatch.setattr(memory_module, "total", lambda: 8 << 30)
    # Of its own it takes the cache (1.21 GB) and 0.1 GB more.
    monkeypatch.setattr(memory_module, "available", lambda: 1400 * 1_000_000)
    assert shortage(model, 8192) == "" and not has_plenty(model, 8192)
    monkeypatch.setattr(memory_module, "available", lambda: 1000 * 1_000_000)
    assert shortage(model, 8192) == (
        "mistral needs 1.3 GB of memory beside its weights and 1.0 GB are free: end other "
        "programs, or make [model] context smaller."
    )
    assert shortage(model, 2048) == ""
    monkeypatch.setattr(memory_module, "total", lambda: 4 << 30)
    assert "has 4.4 GB of weights and this machine 4.3 GB" in shortage(model, 2048)
    # Where it is not told nothing is in the way.
    for name in ("total", "available"):
        monkeypatch.setattr(memory_module, name, lambda: 0)
    assert shortage(model, 8192) == "" and has_plenty(model, 8192)


def test_the_most_context_that_fits(tmp_path: Path) -> None:
    model = find(str(write(tmp_path / "a.gguf", 4400 * 1_000_000, **MISTRAL)))
    for memory in (8 << 30, 7 << 30):
        most = most_context(model, memory)
        assert most and parts(model, most).sum <= memory - EDITOR - SERVER
        assert parts(model, most + 1024).sum > memory - EDITOR - SERVER
    assert most_context(model, 64 << 30) == 32768
    assert most_context(model, 4 << 30) == 0
