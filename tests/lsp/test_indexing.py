"""Manuals brought into the index by the server, with its real child processes."""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from datasheet_lsp.index import Index
from tests.lsp.projects import one_chip, svd
from tests.lsp.raw import RawClient
from tests.manuals import long_manual, manual

PROGRESS = {"window": {"workDoneProgress": True}}
LONG = 1200
"""Pages of a manual that takes several seconds to read."""


@pytest.fixture(scope="session")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return long_manual(tmp_path_factory.mktemp("long") / "long.pdf", LONG)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One chip with a manual."""
    one_chip(tmp_path)
    manual(tmp_path / "manual.pdf")
    return tmp_path


@pytest.fixture
def long_project(tmp_path: Path, long_pdf: Path) -> Path:
    """One chip with a manual that takes its time."""
    one_chip(tmp_path)
    shutil.copy(long_pdf, tmp_path / "long.pdf")
    return tmp_path


def manuals(client: RawClient) -> dict[str, Any]:
    (folder,) = client.request("datasheet/status")["folders"]
    found: dict[str, Any] = folder["manuals"]
    return found


def settled(client: RawClient, count: int = 1, seconds: float = 30) -> dict[str, Any]:
    """The manuals once ``count`` are indexed and nothing goes on any more."""
    end = time.monotonic() + seconds
    while True:
        found = manuals(client)
        states = [each["state"] for each in found["documents"]]
        if not found["indexing"] and states.count("indexed") >= count:
            return found
        assert time.monotonic() < end, found
        time.sleep(0.1)


def values(client: RawClient, kind: str) -> list[dict[str, Any]]:
    """The $/progress of a kind about documents, in order."""
    begun = [m["params"] for m in client.messages if m.get("method") == "$/progress"]
    tokens = {
        p["token"]
        for p in begun
        if p["value"]["kind"] == "begin" and p["value"]["title"].startswith("Indexing")
    }
    return [p["value"] for p in begun if p["token"] in tokens and p["value"]["kind"] == kind]


def begun(message: dict[str, Any]) -> bool:
    """Whether a message begins the progress of an index run."""
    return (
        message.get("method") == "$/progress"
        and message["params"]["value"]["kind"] == "begin"
        and message["params"]["value"]["title"].startswith("Indexing")
    )


def reporting(message: dict[str, Any]) -> bool:
    """Whether a message tells how far a document is."""
    return (
        message.get("method") == "$/progress"
        and message["params"]["value"]["kind"] == "report"
        and "page" in message["params"]["value"]["message"]
    )


def family(client: RawClient) -> list[psutil.Process]:
    return psutil.Process(client.process.pid).children(recursive=True)


def test_manuals_are_indexed_by_themselves_once_the_device_is_loaded(
    client: RawClient, project: Path
) -> None:
    client.initialize(project)
    found = settled(client)
    (document,) = found["documents"]
    assert document["file"] == "manual.pdf"
    assert document["pages"] == 3 and document["chunks"] >= 2
    assert document["title"] == "ALPHA reference manual" and document["revision"] == "Rev 3"
    assert [each["device"] for each in document["devices"]] == ["ALPHA"]
    assert found["summary"] == (
        f"1 of 1 indexed: manual.pdf Rev 3, 3 pages, {document['chunks']} chunks"
    )
    with Index(project / ".datasheet" / "index.sqlite") as index:
        places = index.register_places("UART1.BRR")
        assert [place.place.page for place in places] == [3]


def test_progress_tells_documents_and_pages_and_can_be_cancelled(
    client: RawClient, long_project: Path
) -> None:
    client.initialize(long_project, PROGRESS)
    begin = client.until(begun, 20)["params"]
    assert begin["value"]["cancellable"] is True
    assert long_project.name in begin["value"]["title"]
    report = client.until(reporting, 20)["params"]["value"]
    assert "long.pdf" in report["message"] and f"{LONG:,}" in report["message"]
    assert 0 <= report["percentage"] <= 100
    children = family(client)
    assert children
    start = time.monotonic()
    client.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
    end = client.until(
        lambda m: (
            m.get("method") == "$/progress"
            and m["params"]["token"] == begin["token"]
            and m["params"]["value"]["kind"] == "end"
        )
    )
    assert time.monotonic() - start < 5
    assert "stopped before the end" in end["params"]["value"]["message"]
    psutil.wait_procs(children, 3)
    assert not [child for child in children if child.is_running()]
    found = settled(client, 0)
    assert found["cancelled"]
    assert [each["state"] for each in found["documents"]] == ["waiting"]
    # What the user ended does not begin again by itself.
    client.notify(
        "textDocument/didSave", {"textDocument": {"uri": (long_project / "main.c").as_uri()}}
    )
    client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (long_project / "long.pdf").as_uri(), "type": 2}]},
    )
    time.sleep(2)
    assert not family(client)


def test_nothing_is_said_where_nothing_is_to_be_read(project: Path) -> None:
    with RawClient() as first:
        first.initialize(project)
        settled(first)
        assert first.finish() == 0
    with RawClient() as second:
        second.initialize(project, PROGRESS)
        settled(second)
        time.sleep(2)
        settled(second)
        assert values(second, "begin") == []
        assert second.finish() == 0


def test_reindex_reads_where_nothing_begins_by_itself(client: RawClient, project: Path) -> None:
    (project / "datasheet.toml").write_text("[index]\nautomatic = false\n")
    client.initialize(project)
    time.sleep(2.5)
    assert [each["state"] for each in manuals(client)["documents"]] == ["waiting"]
    answer = client.request("datasheet/reindex", {}, 30)
    (folder,) = answer["folders"]
    assert [each["state"] for each in folder["manuals"]["documents"]] == ["indexed"]
    command = {"command": "datasheet.reindex", "arguments": [{"again": True}]}
    before = folder["manuals"]["documents"][0]["id"]
    (folder,) = client.request("workspace/executeCommand", command, 30)["folders"]
    (document,) = folder["manuals"]["documents"]
    assert document["state"] == "indexed" and document["id"] != before


def test_a_reindex_that_is_not_wanted_any_more_ends(client: RawClient, long_project: Path) -> None:
    (long_project / "datasheet.toml").write_text("[index]\nautomatic = false\n")
    client.initialize(long_project)
    number = client.start("datasheet/reindex")
    deadline = time.monotonic() + 20
    while "page" not in manuals(client)["message"]:
        assert time.monotonic() < deadline
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == -32800
    deadline = time.monotonic() + 5
    while family(client):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_changed_and_a_new_manual_are_read(client: RawClient, project: Path) -> None:
    client.initialize(project)
    before = settled(client)["documents"][0]
    manual(project / "manual.pdf", revision="Rev 4")
    uri = (project / "main.c").as_uri()
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    end = time.monotonic() + 20
    while (now := settled(client)["documents"][0])["revision"] != "Rev 4":
        assert time.monotonic() < end
    assert now["sha256"] != before["sha256"]
    manual(project / "errata.pdf", revision="Rev 1")
    client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (project / "errata.pdf").as_uri(), "type": 1}]},
    )
    assert settled(client, 2)["summary"].startswith("2 of 2 indexed: ")
    (project / "errata.pdf").unlink()
    client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (project / "errata.pdf").as_uri(), "type": 3}]},
    )
    end = time.monotonic() + 20
    while len(settled(client)["documents"]) != 1:
        assert time.monotonic() < end


def test_files_outside_a_sure_project_leave_nothing_behind(
    client: RawClient, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    loose = tmp_path / "loose"
    loose.mkdir()
    main = one_chip(loose)
    manual(loose / "manual.pdf")
    client.initialize()
    uri = client.open(main)
    assert client.hover(uri, 2, 12) is not None
    time.sleep(2.5)
    assert not (loose / ".datasheet").exists() and not family(client)
    assert manuals(client)["documents"] == []


def test_a_folder_without_a_device_is_left_alone(client: RawClient, tmp_path: Path) -> None:
    manual(tmp_path / "novel.pdf")
    client.initialize(tmp_path)
    time.sleep(2.5)
    assert not (tmp_path / ".datasheet").exists()
    assert manuals(client)["summary"] == "0 of 1 indexed"


def test_a_manual_with_a_password_is_told_once(client: RawClient, project: Path) -> None:
    from datasheet_lsp.documents.pdf.library import pymupdf

    manual(
        project / "secret.pdf",
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="open",
        owner_pw="own",
    )
    client.initialize(project)
    shown = client.until(lambda m: m.get("method") == "window/showMessage", 20)
    text = shown["params"]["message"]
    assert "secret.pdf" in text and "documents.password" in text
    documents = {each["file"]: each for each in settled(client)["documents"]}
    assert documents["secret.pdf"]["state"] == "failed"
    assert "documents.password" in documents["secret.pdf"]["problem"]
    client.request("datasheet/reindex", {"again": True}, 30)
    messages = [m for m in client.messages if m.get("method") == "window/showMessage"]
    assert len(messages) == 1
    (project / "datasheet.toml").write_text('[documents.password]\n"secret.pdf" = "open"\n')
    client.request("datasheet/reload", {}, 30)
    settled(client, 2)


def test_hovers_stay_quick_while_a_manual_is_read(client: RawClient, long_project: Path) -> None:
    """The figures are printed; the bound only guards against a server that waits."""
    client.initialize(long_project, PROGRESS)
    uri = client.open(long_project / "main.c")
    client.until(reporting, 20)
    took = []
    for _ in range(100):
        start = time.monotonic()
        assert client.hover(uri, 2, 12) is not None
        took.append(1000 * (time.monotonic() - start))
    assert manuals(client)["indexing"]
    took.sort()
    print(f"hover: median {statistics.median(took):.1f} ms, 99th {took[98]:.1f} ms")
    assert statistics.median(took) < 50 and took[98] < 500


def still_there(process: psutil.Process) -> bool:
    """Whether a process lives; one that has ended and is not yet asked for does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("ending", ["shutdown", "exit", "close", "term", "kill"])
def test_the_end_of_the_server_is_the_end_of_the_run(long_project: Path, ending: str) -> None:
    if ending in ("term", "kill") and sys.platform == "win32":
        pytest.skip("the process is ended by signals that Windows has not")
    with RawClient() as client:
        client.initialize(long_project, PROGRESS)
        client.until(reporting, 20)
        children = family(client)
        assert len(children) == 2  # the indexer and its page reader
        start = time.monotonic()
        if ending == "shutdown":
            client.request("shutdown")
            client.notify("exit")
        elif ending == "exit":
            client.notify("exit")
        elif ending == "close":
            assert client.process.stdin is not None
            client.process.stdin.close()
        else:
            number = signal.SIGTERM if ending == "term" else signal.SIGKILL
            os.kill(client.process.pid, number)
        client.process.wait(5)
        assert time.monotonic() - start < 2
        left = max(0.0, 2 - (time.monotonic() - start))
        _, alive = psutil.wait_procs(children, left)
        assert not [process for process in alive if still_there(process)]
    # And the next one begins where nothing is in its way.
    with RawClient() as client:
        client.initialize(long_project, PROGRESS)
        client.until(reporting, 20)
        assert client.finish() == 0


def test_two_servers_on_one_folder_do_not_both_read(project: Path, long_pdf: Path) -> None:
    shutil.copy(long_pdf, project / "long.pdf")
    with RawClient() as first, RawClient() as second:
        first.initialize(project, PROGRESS)
        first.until(reporting, 20)
        second.initialize(project, PROGRESS)
        uri = second.open(project / "main.c")
        assert second.hover(uri, 2, 12) is not None
        found = settled(second)
        assert any(each["state"] == "indexed" for each in found["documents"])
        assert "indexing this folder" in found["stopped"]
        assert not [m for m in second.messages if m.get("method") == "window/showMessage"]
        assert first.finish() == 0 and second.finish() == 0


def test_a_folder_that_takes_no_index_is_told_once(client: RawClient, project: Path) -> None:
    (project / ".datasheet").write_text("in the way\n")
    client.initialize(project)
    client.until(lambda m: m.get("method") == "window/showMessage")
    uri = client.open(project / "main.c")
    assert client.hover(uri, 2, 12) is not None
    time.sleep(2.5)
    found = settled(client, 0)
    assert [each["state"] for each in found["documents"]] == ["waiting"]
    assert "index" in found["stopped"]
    shown = [m for m in client.messages if m.get("method") == "window/showMessage"]
    assert len(shown) == 1


def test_a_second_device_is_named_for_its_own_manual(client: RawClient, project: Path) -> None:
    (project / "beta.svd").write_text(svd("STM32F407", 0x50001000))
    (project / "datasheet.toml").write_text(
        '[[context]]\nsvd = "chip.svd"\n\n[[context]]\nsvd = "beta.svd"\n'
    )
    manual(project / "rm.pdf", chip="STM32F407")
    manual(project / "other.pdf", chip="STM32H743")
    client.initialize(project)
    documents = {each["file"]: each for each in settled(client, 3)["documents"]}
    assert [each["device"] for each in documents["rm.pdf"]["devices"]] == ["STM32F407"]
    assert documents["other.pdf"]["devices"] == []
    assert "STM32H743" in documents["other.pdf"]["undecided"]
