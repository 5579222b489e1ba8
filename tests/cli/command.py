"""Running the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support import ROOT

GOLDEN = ROOT / "tests" / "golden" / "chip.svd"

CODE = b"""\
/* Gr\xc3\xbc\xc3\x9fe */
void f(int i)
{
\tUART1->CTRL = 1;\x0c
    /* \xc3\xa4 */ UART2->DATA = 2;\r
    UART1->FILTER[i] = i;
    other->CTRL = 3;
}
"""


_EMPTY = tempfile.TemporaryDirectory()
NOWHERE = Path(_EMPTY.name)
"""A folder with nothing in it, where commands run that need no project."""

Done = subprocess.CompletedProcess[str]


def run(*arguments: object, folder: Path = NOWHERE, text: str = "") -> Done:
    """One run of the command in ``folder``, ``text`` on its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "datasheet_lsp", *map(str, arguments)],
        cwd=folder,
        input=text,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


def answer(*arguments: object, folder: Path = NOWHERE) -> Any:
    """The JSON that the command prints."""
    done = run(*arguments, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def refused(*arguments: object, folder: Path = NOWHERE, code: int = 1) -> str:
    """The one sentence said when the command cannot be done."""
    done = run(*arguments, folder=folder)
    assert done.returncode == code, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("datasheet-lsp: "), done.stderr
    return lines[0]
