"""Where the tests find what is not in the repository."""

from __future__ import annotations

import os
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
