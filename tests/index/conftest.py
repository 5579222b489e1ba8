"""Places for an index file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "project" / ".datasheet" / "index.sqlite"


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Like ``path``, in a folder that every user may read; pytest's own is private."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder) / "project" / ".datasheet" / "index.sqlite"
        for parent, _, _ in os.walk(folder):
            os.chmod(parent, 0o755)
