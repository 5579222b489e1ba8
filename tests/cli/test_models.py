"""``models``: what is there, where from, and why one does not work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasheet_lsp import extras
from datasheet_lsp.cli.main import main
from datasheet_lsp.engine.language import files
from tests.engine.language.heads import MISTRAL
from tests.engine.language.heads import write as write_head
from tests.engine.test_models import write
from tests.support import own_model_folders


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_model_folders(tmp_path, monkeypatch)
    monkeypatch.setattr(extras, "DEMO_PACKAGE", "no_such_package")
    monkeypatch.setattr(files, "DEMO_PACKAGE", "no_such_package")
    monkeypatch.chdir(tmp_path)


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["models", "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_without_a_model_it_is_said_what_to_put_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = listed(capsys)
    assert found["models"] == [] and found["used"] is None
    assert found["folder"] == str(tmp_path / "data" / "datasheet-lsp" / "models")
    assert main(["models"]) == 0
    assert "put the folder of nomic-embed-text-v1.5 into" in capsys.readouterr().err
    assert main(["models", "check"]) == 1
    assert "There is no embedding model" in capsys.readouterr().err


def test_the_model_of_the_settings_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "small")
    write(tmp_path / "data" / "datasheet-lsp" / "models" / "other")
    (tmp_path / "datasheet.toml").write_text('[embed]\nmodel = "small"\ndimensions = 16\n')
    found = listed(capsys)
    assert found["used"] == str(tmp_path / "small")
    models = found["models"]
    assert isinstance(models, list)
    assert [(m["name"], m["origin"], m["dimension"], m["used"]) for m in models] == [
        ("small", "setting", 16, True),
        ("other", "folder", 32, False),
    ]


def test_language_models_are_listed_with_what_they_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data" / "datasheet-lsp" / "models"
    write_head(folder / "mistral.gguf", 4_400_000_000, **MISTRAL)
    (tmp_path / "datasheet.toml").write_text("[model]\ncontext = 4096\n")
    found = listed(capsys)
    (model,) = found["language_models"]  # type: ignore[misc]
    assert found["language_model"] == model and found["models"] == []
    assert (model["name"], model["origin"], model["context"]) == ("mistral", "folder", 4096)
    # 4096 tokens and the 1024 that are kept of earlier prompts, 128 KiB each.
    assert model["needs"]["cache"] == 5120 * (128 << 10)
    assert main(["models"]) == 0
    said = capsys.readouterr().out
    assert "used  mistral  4.4 GB, context 4,096 of 32,768 tokens, in the folder for models" in said


def test_a_server_of_the_settings_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "datasheet.toml").write_text('[model]\nurl = "http://127.0.0.1:8080/v1"\n')
    assert main(["models"]) == 0
    said = capsys.readouterr().out
    assert "used  the first model of the server at http://127.0.0.1:8080/v1" in said


@pytest.mark.parametrize(
    ("what", "match"),
    [
        ("http://192.168.1.5:8080/v1", "is refused: 192.168.1.5 is no loopback address"),
        ("broken.gguf", "broken.gguf is no GGUF model"),
        ("--language", "There is no language model: put a GGUF file into"),
    ],
)
def test_a_language_model_that_cannot_be_used_fails_the_check_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, match: str
) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and no more")
    assert main(["models", "check", what]) == 1
    said = capsys.readouterr().err.strip()
    assert match in said and "\n" not in said


def test_a_model_that_cannot_be_loaded_fails_the_check_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "small")
    assert main(["models", "check", "small"]) == 1
    said = capsys.readouterr().err.strip()
    assert said.startswith("datasheet-lsp: small") and "\n" not in said
