"""Real devices of the corpus, read once."""

from __future__ import annotations

from functools import cache

from datasheet_lsp.model import Device
from datasheet_lsp.svd import load_svd
from datasheet_lsp.svd.cores import add_core
from tests.support import shared


@cache
def _load(path: str) -> Device:
    from pathlib import Path

    return add_core(load_svd(Path(path)))


def real(stem: str) -> Device:
    """The device of corpus/svd/STEM.svd; the test is skipped where it is absent."""
    return _load(str(shared(f"corpus/svd/{stem}.svd")))
