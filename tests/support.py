"""Where the tests find what is not in the repository."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared(relative: str) -> Path:
    """The file or folder ``relative`` of the test material; skips the test where it is absent."""
    base = Path(os.environ.get("DATASHEET_CORPUS", ROOT.parent / "shared"))
    path = base / relative
    if not path.exists():
        pytest.skip(f"{relative} is not here: set DATASHEET_CORPUS to the folder that has it")
    return path


def own_model_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models and what is made of them are in ``folder`` from here on; else skips the test."""
    if sys.platform != "linux":
        pytest.skip(
            "the folders for models are moved aside by XDG variables, which Linux alone has"
        )
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
