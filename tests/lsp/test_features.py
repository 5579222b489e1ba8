"""Definitions, symbols, status, settings and watched files, with rich and poor clients."""

from __future__ import annotations

import gzip
import sys
import time
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import (
    ClientServerConfig,
    LanguageClient,
    client_capabilities,
    make_test_lsp_client,
)

from tests.lsp.projects import line_of, one_chip, svd, two_chips
from tests.lsp.raw import SERVE, RawClient

RICH: dict[str, Any] = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "definition": {"linkSupport": True},
    },
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": True},
}


def methods(client: RawClient) -> list[str]:
    return [m["method"] for m in client.messages if "method" in m]


def definition(client: RawClient, uri: str, line: int, character: int) -> Any:
    return client.request(
        "textDocument/definition",
        {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}},
    )


def symbol(client: RawClient, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.request("workspace/symbol", {"query": query})
    return found


def settled(client: RawClient) -> dict[str, Any]:
    """The status once nothing is being loaded."""
    for _ in range(100):
        status: dict[str, Any] = client.request("datasheet/status")
        if status["folders"] and not status["loading"]:
            return status
        time.sleep(0.05)
    raise AssertionError("still loading")


def test_a_definition_is_the_line_of_the_svd(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path)
    [place] = definition(client, client.open(main), 2, 12)
    assert place["uri"] == (tmp_path / "chip.svd").as_uri()
    assert place["range"]["start"]["line"] == line_of(svd("ALPHA", 0x40001000), "BRR")


def test_a_client_that_knows_links_is_told_the_whole_expression(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, RICH)
    [link] = definition(client, client.open(main), 2, 12)
    assert link["targetUri"] == (tmp_path / "chip.svd").as_uri()
    assert link["originSelectionRange"] == {
        "start": {"line": 2, "character": 4},
        "end": {"line": 2, "character": 14},
    }


def test_the_elements_of_an_array_are_defined_in_one_place(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path)
    uri = client.open(main, "void f(int i) { UART1->FIFO[i] = 0; }\n")
    [place] = definition(client, uri, 0, 25)
    assert place["range"]["start"]["line"] == line_of(svd("ALPHA", 0x40001000), "FIFO[%s]")


def test_there_is_no_definition_of_what_is_unknown(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path)
    assert definition(client, client.open(main), 0, 6) is None
    assert definition(client, (tmp_path / "other.c").as_uri(), 0, 6) is None


def test_a_core_peripheral_is_defined_in_a_file_of_the_package(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    (tmp_path / "chip.svd").write_text(svd("ALPHA", 0x40001000, cpu="CM4"))
    client.initialize(tmp_path)
    uri = client.open(main, "void f(void) { SysTick->LOAD = 99; }\n")
    [place] = definition(client, uri, 0, 25)
    path = Path(unquote(place["uri"].removeprefix("file://")))
    assert path.name == "cortex-m4.svd"
    line = place["range"]["start"]["line"]
    assert "<name>LOAD</name>" in "".join(path.read_text().splitlines()[line : line + 2])
    found = symbol(client, "0xE000E014")
    assert [s["name"] for s in found] == ["0xE000E014 SysTick.LOAD"]
    assert found[0]["location"] == place


@pytest.mark.parametrize("kind", ["gz", "pack"])
def test_a_packed_svd_is_unpacked_to_be_shown(client: RawClient, tmp_path: Path, kind: str) -> None:
    main = one_chip(tmp_path)
    text = svd("ALPHA", 0x40001000)
    (tmp_path / "chip.svd").unlink()
    if kind == "gz":
        (tmp_path / "chip.svd.gz").write_bytes(gzip.compress(text.encode()))
    else:
        with zipfile.ZipFile(tmp_path / "Vendor.ALPHA_DFP.1.0.0.pack", "w") as pack:
            pack.writestr("SVD/chip.svd", text)
    client.initialize(tmp_path)
    uri = client.open(main)
    [place] = definition(client, uri, 2, 12)
    [again] = definition(client, uri, 2, 12)
    assert place == again
    found = [p for p in tmp_path.rglob("chip.svd")]
    assert [p.as_uri() for p in found] == [place["uri"]]
    assert found[0].read_text() == text
    assert (tmp_path / ".datasheet") in found[0].parents
    assert len(client.request("datasheet/reload")["folders"][0]["contexts"]) == 1


def test_symbols_point_into_the_svd(client: RawClient, tmp_path: Path) -> None:
    one_chip(tmp_path)
    client.initialize(tmp_path)
    text = svd("ALPHA", 0x40001000)
    for query, name in (
        ("uart1.brr", "UART1.BRR"),
        ("uart1brr", "UART1.BRR"),
        ("0x40001008", "0x40001008 UART1.BRR"),
        ("40001008", "0x40001008 UART1.BRR"),
    ):
        first = symbol(client, query)[0]
        assert first["name"] == name
        assert "0x4000 1008" in first["containerName"]
        assert first["location"]["uri"] == (tmp_path / "chip.svd").as_uri()
        assert first["location"]["range"]["start"]["line"] == line_of(text, "BRR")
    assert [s["name"] for s in symbol(client, "")] == ["UART1"]


def test_symbols_of_two_devices_say_which_is_which(client: RawClient, tmp_path: Path) -> None:
    two_chips(tmp_path)
    client.initialize(tmp_path)
    containers = [s["containerName"] for s in symbol(client, "uart1.brr")[:2]]
    assert containers == ["ALPHA 0x4000 1008", "BETA 0x5000 1008"]


def test_the_status_says_what_was_chosen_and_why(client: RawClient, tmp_path: Path) -> None:
    one_chip(tmp_path)
    client.initialize(tmp_path)
    [folder] = settled(client)["folders"]
    assert folder["root"] == str(tmp_path) and folder["problems"] == []
    [context] = folder["contexts"]
    assert context["svd"] == str(tmp_path / "chip.svd")
    assert (context["device"], context["peripherals"], context["registers"]) == ("ALPHA", 1, 6)
    assert context["reasons"]
    by_command = client.request("workspace/executeCommand", {"command": "datasheet.status"})
    assert by_command == client.request("datasheet/status")
    log = [
        m["params"]["message"] for m in client.messages if m.get("method") == "window/logMessage"
    ]
    assert any("ALPHA" in line and context["reasons"][0] in line for line in log)


@pytest.mark.parametrize("how", ["request", "command"])
def test_a_reload_reads_the_files_anew(client: RawClient, tmp_path: Path, how: str) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path)
    uri = client.open(main)
    assert "0x4000 1008" in client.hover(uri, 2, 12)["contents"]["value"]
    (tmp_path / "chip.svd").write_text(svd("OTHER", 0x60001000))
    if how == "request":
        status = client.request("datasheet/reload")
    else:
        status = client.request("workspace/executeCommand", {"command": "datasheet.reload"})
    assert status["folders"][0]["contexts"][0]["device"] == "OTHER"
    assert "0x6000 1008" in client.hover(uri, 2, 12)["contents"]["value"]


def eventually(client: RawClient, uri: str, text: str) -> None:
    for _ in range(100):
        hover = client.hover(uri, 2, 12)
        if hover is not None and text in hover["contents"]["value"]:
            return
        time.sleep(0.05)
    raise AssertionError(f"{text} is not shown")


def test_a_poor_client_need_only_save_for_changed_files_to_count(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, {})
    uri = client.open(main)
    eventually(client, uri, "0x4000 1008")
    (tmp_path / "chip.svd").write_text(svd("OTHER", 0x60001000))
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    eventually(client, uri, "0x6000 1008")
    assert not {"client/registerCapability", "workspace/configuration"} & set(methods(client))
    assert "window/workDoneProgress/create" not in methods(client)
    assert "$/progress" not in methods(client)


def test_a_rich_client_watches_files_and_is_shown_progress(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, RICH)
    register = client.until(lambda m: m.get("method") == "client/registerCapability")
    assert {r["method"] for r in register["params"]["registrations"]} == {
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeConfiguration",
    }
    uri = client.open(main)
    eventually(client, uri, "0x4000 1008")
    (tmp_path / "chip.svd").write_text(svd("OTHER", 0x60001000))
    change = {"uri": (tmp_path / "chip.svd").as_uri(), "type": 2}
    for _ in range(5):
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    eventually(client, uri, "0x6000 1008")
    settled(client)
    progress = [m["params"] for m in client.messages if m.get("method") == "$/progress"]
    created = [
        m["params"]["token"]
        for m in client.messages
        if m.get("method") == "window/workDoneProgress/create"
    ]
    assert len(created) == 2  # one load at the start, one for the five changes
    for token in {p["token"] for p in progress}:
        assert token in created
        kinds = [p["value"]["kind"] for p in progress if p["token"] == token]
        assert kinds == ["begin", "end"]


def test_a_client_that_answers_none_of_our_requests_is_served_all_the_same(
    client: RawClient, tmp_path: Path
) -> None:
    main = one_chip(tmp_path)
    client.serve = lambda message: None  # type: ignore[method-assign]
    client.initialize(tmp_path, RICH)
    assert client.hover(client.open(main), 2, 12) is not None


def contexts(*files: str) -> dict[str, Any]:
    return {"context": [{"svd": file} for file in files]}


def test_settings_of_the_start_choose_the_svd(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    (tmp_path / "other.svd").write_text(svd("OTHER", 0x60001000))
    client.initialize(tmp_path, {}, initializationOptions=contexts("other.svd"))
    assert "0x6000 1008" in client.hover(client.open(main), 2, 12)["contents"]["value"]


@pytest.mark.parametrize("wrapped", [True, False])
def test_settings_can_change_for_a_client_that_cannot_be_asked(
    client: RawClient, tmp_path: Path, wrapped: bool
) -> None:
    main = one_chip(tmp_path)
    (tmp_path / "other.svd").write_text(svd("OTHER", 0x60001000))
    client.initialize(tmp_path, {}, initializationOptions=contexts("chip.svd"))
    uri = client.open(main)
    eventually(client, uri, "0x4000 1008")
    given = contexts("other.svd")
    client.notify(
        "workspace/didChangeConfiguration",
        {"settings": {"datasheet": given} if wrapped else given},
    )
    eventually(client, uri, "0x6000 1008")


def test_a_client_that_can_be_asked_is_asked(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    (tmp_path / "other.svd").write_text(svd("OTHER", 0x60001000))
    chosen = {"svd": "other.svd"}

    def serve(message: dict[str, Any]) -> None:
        result: Any = None
        if message["method"] == "workspace/configuration":
            assert [item["section"] for item in message["params"]["items"]] == ["datasheet"]
            result = [contexts(chosen["svd"])]
        client.send({"id": message["id"], "result": result})

    client.serve = serve  # type: ignore[method-assign]
    client.initialize(tmp_path, RICH, initializationOptions=contexts("chip.svd"))
    uri = client.open(main)
    eventually(client, uri, "0x6000 1008")
    chosen["svd"] = "chip.svd"
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    eventually(client, uri, "0x4000 1008")


def test_a_wrong_setting_is_told_and_the_default_is_used(client: RawClient, tmp_path: Path) -> None:
    main = one_chip(tmp_path)
    client.initialize(tmp_path, {}, initializationOptions={"svd": {"folders": 5}})
    assert client.hover(client.open(main), 2, 12) is not None
    shown = [m for m in client.messages if m.get("method") == "window/showMessage"]
    assert len(shown) == 1 and "folders" in shown[0]["params"]["message"]


def registering_client() -> LanguageClient:
    """pytest-lsp's client, which by itself answers to neither registrations nor refreshing."""
    client = make_test_lsp_client()
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda params: None)
    return client


CONFIG = ClientServerConfig(
    server_command=[sys.executable, "-c", SERVE], client_factory=registering_client
)


@pytest_lsp.fixture(
    config=CONFIG, params=["visual-studio-code", "neovim@v0.11", "emacs", "neovim@v0.6"]
)
async def editor(
    lsp_client: LanguageClient, request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[None]:
    one_chip(tmp_path)
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="project")
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            root_uri=tmp_path.as_uri(),
            workspace_folders=[folder],
        )
    )
    yield
    await lsp_client.shutdown_session()


async def test_the_editors_people_use_are_answered_in_what_they_understand(
    editor: LanguageClient, tmp_path: Path
) -> None:
    """pytest-lsp checks every message against what the editor said it can."""
    main = tmp_path / "main.c"
    document = types.TextDocumentItem(main.as_uri(), "c", 1, main.read_text())
    editor.text_document_did_open(types.DidOpenTextDocumentParams(document))
    identifier = types.TextDocumentIdentifier(main.as_uri())
    place = types.Position(2, 12)
    hover = await editor.text_document_hover_async(types.HoverParams(identifier, place))
    assert hover is not None and "0x4000 1008" in hover.contents.value  # type: ignore[union-attr]
    assert hover.range == types.Range(types.Position(2, 4), types.Position(2, 14))
    found = await editor.text_document_definition_async(types.DefinitionParams(identifier, place))
    assert found
    symbols = await editor.workspace_symbol_async(types.WorkspaceSymbolParams("uart1.brr"))
    assert symbols and symbols[0].name == "UART1.BRR"
    status = await editor.protocol.send_request_async("datasheet/status", {})
    assert status.folders[0].contexts[0].device == "ALPHA"
