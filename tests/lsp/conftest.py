from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lsp.raw import SERVE, RawClient
from tests.support import ROOT


@pytest.fixture
def program() -> str:
    """What the server of ``client`` runs; modules have their own."""
    return SERVE


@pytest.fixture
def client(program: str) -> Iterator[RawClient]:
    """A client of a server that ends as it should."""
    with RawClient(program) as one:
        yield one
        if one.process.poll() is None:
            assert one.finish() == 0


@pytest.fixture
def tests_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's own processes find the modules of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
