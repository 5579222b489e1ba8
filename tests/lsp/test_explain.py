"""What a stretch of code sets up, with its places, end to end over standard streams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.projects import made_up, one_chip
from tests.lsp.raw import RawClient
from tests.lsp.test_code import CODE, line_of, units
from tests.lsp.test_indexing import settled
from tests.manuals import manual


@pytest.fixture
def main(tmp_path: Path) -> Path:
    return made_up(tmp_path, CODE)


def ask(uri: str, first: tuple[int, int], last: tuple[int, int], **more: Any) -> dict[str, Any]:
    start, end = ({"line": line, "character": column} for line, column in (first, last))
    return {"textDocument": {"uri": uri}, "range": {"start": start, "end": end}, **more}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_selection_is_explained_and_nothing_else(
    client: RawClient, main: Path, encoding: str
) -> None:
    client.initialize(main.parent, {"general": {"positionEncodings": [encoding]}})
    uri = client.open(main)
    at, line = line_of("0x2008")
    begin = units(line[: line.index("USART2")], encoding)
    end = units(line, encoding)
    told = client.request("datasheet/explain", ask(uri, (at, begin), (at, end), id="x"), 60)
    rows = [row for row in told["text"].split("\n") if row.startswith(f"| {at + 1} |")]
    assert len(rows) == 1 and "USART2.CR1 [1]" in rows[0]
    assert f"| {at + 2} |" not in told["text"]
    first = told["citations"][0]
    assert first["number"] == 1 and first["page"] == 0
    svd = (main.parent / "madeup.svd").read_text().split("\n")
    assert first["uri"] == (main.parent / "madeup.svd").as_uri()
    assert "<register>" in svd[first["line"] - 1] and "CR1" in "".join(svd[first["line"] - 1 :][:3])


def test_a_register_is_cited_to_its_page(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, {})
    uri = client.open(main)
    settled(client, count=0)
    manual(tmp_path / "manual.pdf")
    client.request("datasheet/reindex", timeout=60)
    told = client.request("datasheet/explain", ask(uri, (0, 0), (99, 0)), 60)
    cited = [each for each in told["citations"] if each["page"]]
    assert [(each["page"], each["heading_path"]) for each in cited] == [
        (3, ["1.1 Baud rate register (UART1_BRR)"])
    ]
    assert cited[0]["uri"] == (tmp_path / "manual.pdf").as_uri()


def test_the_page_of_a_register_is_shown(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    client.initialize(tmp_path, {"textDocument": {"codeAction": literals}})
    uri = client.open(main)
    settled(client, count=0)
    manual(tmp_path / "manual.pdf")
    client.request("datasheet/reindex", timeout=60)
    here = {"start": {"line": 2, "character": 12}, "end": {"line": 2, "character": 12}}
    asked = {"textDocument": {"uri": uri}, "range": here, "context": {"diagnostics": []}}
    found = client.request("textDocument/codeAction", asked, 60)
    (action,) = [each for each in found if each["title"].startswith("Show the manual's page 3 on")]
    told = client.request("workspace/executeCommand", action["command"], 60)
    assert told["uri"] == (tmp_path / "manual.pdf").as_uri()
    assert (told["page"], told["heading"]) == (3, "1.1 Baud rate register (UART1_BRR)")


def test_the_command_writes_a_file_and_has_it_shown(client: RawClient, main: Path) -> None:
    client.initialize(main.parent, {"window": {"showDocument": {"support": True}}})
    uri = client.open(main)
    params = {"command": "datasheet.explain", "arguments": [ask(uri, (0, 0), (99, 0))]}
    told = client.request("workspace/executeCommand", params, 60)
    path = Path(told["uri"].removeprefix("file://"))
    assert path.read_text().startswith("# Explain this set-up\n\n")
    assert "USART2.CR1" in path.read_text()


def refused(client: RawClient, params: dict[str, Any]) -> dict[str, Any]:
    error: dict[str, Any] = client.answer(client.start("datasheet/explain", params), 60)["error"]
    return error


def test_what_cannot_be_explained_is_said(client: RawClient, main: Path) -> None:
    client.initialize(main.parent, {})
    error = refused(client, ask("file:///nowhere.c", (0, 0), (1, 0)))
    assert "not open in the editor" in error["message"]
    error = refused(client, {"range": 3})
    assert "A textDocument and a range are needed" in error["message"]
