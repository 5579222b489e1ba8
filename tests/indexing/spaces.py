"""Workspaces with small documents of our own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import apsw

from datasheet_lsp.indexing.events import (
    DocumentDone,
    DocumentStarted,
    Event,
    FileDropped,
    ProblemFound,
    RunFinished,
)
from datasheet_lsp.indexing.job import Job
from datasheet_lsp.indexing.workspace import run_job
from tests.documents.chunks.make import prose
from tests.index.test_documents import TABLES

SVD = """<?xml version="1.0"?>
<device><name>{name}</name><peripherals><peripheral><name>USART2</name>
<baseAddress>0x40004400</baseAddress><registers><register><name>BRR</name>
<description>Baud rate register</description><addressOffset>8</addressOffset><size>32</size>
<resetValue>0</resetValue><fields><field><name>DIV</name><bitRange>[15:0]</bitRange></field>
</fields></register></registers></peripheral></peripherals></device>
"""


class Space:
    """A workspace folder and what its runs told."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.index = root / ".datasheet" / "index.sqlite"
        self.events: list[Event] = []

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def svd(self, name: str = "STM32F407", folder: str = "") -> Path:
        return self.write(os.path.join(folder, f"{name}.svd"), SVD.format(name=name))

    def note(self, name: str, title: str, words: int = 100) -> Path:
        return self.write(name, note(title, words))

    def job(self, **more: object) -> Job:
        return Job(str(self.root), str(self.index), **more)  # type: ignore[arg-type]

    def run(self, **more: object) -> RunFinished:
        self.events = []
        return run_job(self.job(**more), self.events.append)

    def done(self) -> list[str]:
        return [e.path for e in self.events if isinstance(e, DocumentDone) and e.read]

    def started(self) -> list[str]:
        return [e.path for e in self.events if isinstance(e, DocumentStarted)]

    def dropped(self) -> list[str]:
        return [e.path for e in self.events if isinstance(e, FileDropped)]

    def problems(self) -> list[str]:
        return [e.message for e in self.events if isinstance(e, ProblemFound)]


def note(title: str, words: int = 100) -> str:
    return (
        f"# {title}\n\n## Baud rate\n\nThe register `USART_BRR` of USART2 holds the divider.\n\n"
        f"{prose(words, len(title))}\n\n| Bits | Field |\n| --- | --- |\n| 15:4 | DIV |\n"
    )


def rows(path: Path, without: Sequence[str] = ()) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, apart from the times of files, and the words of every chunk."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = {
        table: connection.execute(f"SELECT * FROM {table}").fetchall()
        for table in TABLES
        if table not in without
    }
    found["words"] = connection.execute("SELECT rowid FROM chunk_words ORDER BY rowid").fetchall()
    connection.execute(
        "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, chunk_words, instance)"
    )
    found["vocabulary"] = connection.execute(
        'SELECT term, doc, col, "offset" FROM temp.vocabulary ORDER BY 1, 2, 3, 4'
    ).fetchall()
    connection.close()
    return found
