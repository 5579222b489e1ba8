"""``models``: what is there, where from, and why one does not work."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from datasheet_lsp.cli.main import main
from datasheet_lsp.engine import places
from tests.engine.test_models import write

if sys.platform != "linux":
    pytest.skip("folders are set through variables of Linux", allow_module_level=True)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(places, "DEMO_PACKAGE", "no_such_package")
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


def test_a_model_that_cannot_be_loaded_fails_the_check_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "small")
    assert main(["models", "check", "small"]) == 1
    said = capsys.readouterr().err.strip()
    assert said.startswith("datasheet-lsp: small") and "\n" not in said
