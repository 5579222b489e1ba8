from __future__ import annotations

from collections.abc import Iterator

import pytest

from datasheet_lsp.index import Index
from datasheet_lsp.model import Device
from datasheet_lsp.search import Searcher
from tests.search.library import built

Library = tuple[Index, dict[str, Device]]


@pytest.fixture(scope="package")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    index, devices = built(tmp_path_factory.mktemp("library"))
    with index:
        yield index, devices


@pytest.fixture
def searcher(library: Library) -> Searcher:
    return Searcher(*library)
