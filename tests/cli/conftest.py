from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.command import CODE, GOLDEN


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one SVD and one C file, in a folder with a blank in its name."""
    root = tmp_path / "my project"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "src" / "main.c").write_bytes(CODE)
    shutil.copy(GOLDEN, root / "chip.svd")
    return root
