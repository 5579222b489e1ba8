"""Vectors made by the server's indexer: told in a progress of their own and in the status."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.projects import one_chip
from tests.lsp.raw import RawClient

PROGRESS = {"window": {"workDoneProgress": True}}
SERVE = """
import os
os.environ["DATASHEET_EMBED"] = ""
from datasheet_lsp.indexing.client import Indexer
Indexer.command = ("-m", "tests.indexing.small_child")
from datasheet_lsp.lsp.server import main
main()
"""
"""A server whose indexer makes vectors of letters, in batches of a few."""


@pytest.fixture
def program() -> str:
    return SERVE


def manuals(client: RawClient) -> dict[str, Any]:
    (folder,) = client.request("datasheet/status", timeout=60)["folders"]
    found: dict[str, Any] = folder["manuals"]
    return found


def test_vectors_have_a_progress_of_their_own(client: RawClient, tmp_path: Path) -> None:
    one_chip(tmp_path)
    parts = [f"## Part {i}\n\nThe UART1 has part {i}. slow\n" for i in range(12)]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "manual.md").write_text("# ALPHA manual\n\n" + "\n".join(parts))
    client.initialize(tmp_path, capabilities=PROGRESS)
    end = time.monotonic() + 120
    summaries = set()
    while True:
        found = manuals(client)
        summaries.add(found["summary"].partition(", vectors ")[2])
        vectors = found["vectors"]
        if not found["indexing"] and vectors and vectors["done"] == vectors["of"]:
            break
        assert time.monotonic() < end, found
        time.sleep(0.1)
    assert vectors["name"] == "small" and vectors["of"] > 4
    assert any(summary.endswith("left)") for summary in summaries), summaries
    values = [
        message["params"]["value"]
        for message in client.messages
        if message.get("method") == "$/progress"
    ]
    titles = [value["title"] for value in values if value["kind"] == "begin"]
    assert f"Vectors for the search of {tmp_path.name}" in titles
    told = [value["message"] for value in values if value["kind"] == "report"]
    assert any("chunks (" in line and line.startswith("vectors: ") for line in told), told
    assert len([value for value in values if value["kind"] == "end"]) == len(titles)
