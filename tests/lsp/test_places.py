"""The manual's page in a hover, from the PDF on disk to the editor."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli.command import run
from tests.lsp.projects import one_chip
from tests.lsp.raw import RawClient
from tests.lsp.test_indexing import settled
from tests.manuals import manual

LINE = "Manual rev 3, p. 3: *1.1 Baud rate register (UART1_BRR)*."
MISSING = "No manual indexed for ALPHA (add one: `datasheet-lsp index FILE`)."


def shown(client: RawClient, uri: str) -> str:
    return str(client.hover(uri, 2, 12)["contents"]["value"])


CAPABILITIES = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}


def test_a_hover_gains_the_page_once_the_manual_is_read(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, CAPABILITIES)
    uri = client.open(main)
    settled(client, count=0)
    client.request("datasheet/reindex", timeout=60)
    assert shown(client, uri).endswith(MISSING)
    manual(tmp_path / "manual.pdf")
    client.request("datasheet/reindex", timeout=60)
    assert shown(client, uri).endswith(f"\n\n{LINE}")
    (tmp_path / "manual.pdf").unlink()
    client.request("datasheet/reindex", timeout=60)
    assert shown(client, uri).endswith(MISSING)


def test_the_page_is_there_at_the_next_start_before_anything_is_read(tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    manual(tmp_path / "manual.pdf")
    assert run("index", folder=tmp_path).returncode == 0
    (tmp_path / "datasheet.toml").write_text("[index]\nautomatic = false\n")
    with RawClient() as client:
        client.initialize(tmp_path, CAPABILITIES)
        assert shown(client, client.open(main)).endswith(LINE)
        # A hover looks at memory alone: it is the same without the index.
        shutil.rmtree(tmp_path / ".datasheet")
        assert shown(client, main.as_uri()).endswith(LINE)
        client.finish()


def test_the_command_shows_the_same(tmp_path: Path) -> None:
    one_chip(tmp_path)
    manual(tmp_path / "manual.pdf")
    assert run("index", folder=tmp_path).returncode == 0
    done = run("hover", "main.c:3:13", "--json", folder=tmp_path)
    assert json.loads(done.stdout)["markdown"].endswith(LINE)
