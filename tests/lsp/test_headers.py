"""Hover through the headers of the workspace, read in the background of the server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.lsp.projects import svd
from tests.lsp.raw import RawClient

PATIENCE = 60.0
"""Seconds, for a machine that is busy with other things."""

HEADER = """
#define BAUD(n) (*(volatile unsigned *)(%#x + (n) * 4))
#define SET_BAUD() do { BAUD(2) = 0x683; } while (0)
"""


def project(root: Path) -> Path:
    (root / "chip.svd").write_text(svd("ALPHA", 0x40001000))
    (root / "inc").mkdir()
    (root / "inc" / "board.h").write_text(HEADER % 0x40001000)
    main = root / "main.c"
    main.write_text('#include "board.h"\nvoid f(void) {\n    SET_BAUD();\n}\n')
    return main


def shown(client: RawClient, uri: str) -> Any:
    """The hover over the macro, once its header is read."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = client.hover(uri, 2, 6)
        if found is not None:
            return found
        time.sleep(0.1)
    return None


def test_a_macro_of_a_header_shows_what_it_touches(client: RawClient, tmp_path: Path) -> None:
    main = project(tmp_path)
    client.initialize(tmp_path, {"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    uri = client.open(main)
    found = shown(client, uri)
    assert found is not None
    assert "UART1.BRR" in found["contents"]["value"].splitlines()[0]
    assert found["range"]["start"] == {"line": 2, "character": 4}


def test_a_header_that_changes_is_read_again(client: RawClient, tmp_path: Path) -> None:
    main = project(tmp_path)
    client.initialize(tmp_path, {"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    uri = client.open(main)
    assert "UART1.BRR" in shown(client, uri)["contents"]["value"]
    (tmp_path / "inc" / "board.h").write_text(HEADER.replace("BAUD(2)", "BAUD(0)") % 0x40001000)
    deadline = time.monotonic() + PATIENCE
    text = ""
    while time.monotonic() < deadline and "UART1.SR" not in text:
        time.sleep(0.2)
        found = client.hover(uri, 2, 6)
        text = found["contents"]["value"].splitlines()[0] if found is not None else ""
    assert "UART1.SR" in text
